"""Sends the report of an answer where `CODEGRAPH_EXPLORE_DEBUG` says. It changes no answer, and fails none."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from explore.diagnostics.report import report_of
from explore.diagnostics.shown import as_json, as_table
from explore.engine import Answer
from explore.session.view import View

DEBUG: Final = "CODEGRAPH_EXPLORE_DEBUG"
"""The environment variable: `1`, `true`, `on`, `yes` or `stderr` for a table on stderr, `json` for one line of JSON
there, nothing, `0`, `false`, `off` or `no` for none; anything else is a file to which a line of JSON is added."""

_OFF: Final = frozenset({"", "0", "false", "off", "no"})
_TABLE: Final = frozenset({"1", "true", "on", "yes", "stderr"})


def explain(answer: Answer, view: View | None, added: int, notice: Callable[[str], None]) -> None:
    """Reports an answer to a reader who held what is in `view` (None: no record is kept), with so many bytes added to
    the engine's text; `notice` is told where that cannot be written."""
    target = os.environ.get(DEBUG, "").strip()
    if target.lower() in _OFF:
        return
    report = report_of(answer, view, added)
    if target.lower() in _TABLE:
        _tell(as_table(report))
    elif target.lower() == "json":
        _tell(as_json(report))
    else:
        _append(Path(target), as_json(report), notice)


def _tell(text: str) -> None:
    with suppress(OSError, ValueError, AttributeError):  # stderr is closed, so nobody is there to be told
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def _append(file: Path, line: str, notice: Callable[[str], None]) -> None:
    """In one write, so that several processes can share the file."""
    try:
        # A pipe without a reader would be waited for.
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
        descriptor = os.open(file.expanduser(), flags, 0o600)
        try:
            os.write(descriptor, (line + "\n").encode("utf-8", "replace"))
        finally:
            os.close(descriptor)
    except (OSError, ValueError, RuntimeError) as error:
        notice(f"diagnostics cannot be written to {str(file)!r}, as {DEBUG} says: {error}")
