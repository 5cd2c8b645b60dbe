"""The command line as a person's shell would run it: a process of its own, with bytes in and out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run ended."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """What it printed on stdout, which is UTF-8 whatever the locale."""
        return self.out.decode("utf-8")


def command(*arguments: str | bytes) -> list[str | bytes]:
    """The command's words."""
    return [sys.executable, "-m", "explore", *arguments]


def environment(**more: str) -> dict[str, str]:
    """This process's environment and more; a plain locale is asked for by name."""
    return {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), **more}


def run(*arguments: str | bytes, cwd: Path, env: Mapping[str, str] | None = None) -> Ran:
    """Runs a verb to its end. Fails on a traceback, whatever else it was to show."""
    words, env = command(*arguments), env or environment()
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, timeout=60, check=False)
    err = done.stderr.decode("utf-8", "backslashreplace")
    assert "Traceback" not in err, err
    assert b"Traceback (most recent" not in done.stdout
    return Ran(done.returncode, done.stdout, err)
