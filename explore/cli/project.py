"""What verbs share: the option that names the project, opening it, and progress on a terminal. It answers nothing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from explore.explorer import Explorer
from explore.index.sync import Progress


def add_project(parser: argparse.ArgumentParser) -> None:
    """The option `--project`, by default the working directory."""
    parser.add_argument(
        "-p", "--project", default=".", metavar="DIR",
        help="the project, or any folder in it (default: the working directory)",
    )  # fmt: skip


def notice(sentence: str) -> None:
    """Tells a person something on stderr."""
    with suppress(OSError, ValueError, AttributeError):  # stderr is closed, so nobody is there to be told
        sys.stderr.write(f"codegraph-explore: {sentence}\n")
        sys.stderr.flush()


@contextmanager
def opened(path: str, *, exact: bool = False) -> Iterator[Explorer]:
    """The project at `path`, its index brought in step, with a progress bar on a terminal."""
    with Explorer.open(path, exact=exact, notice=notice) as explorer:
        with progress_bar() as progress:
            synced = explorer.sync(progress)
        for unreadable in synced.unreadable:
            notice(f"{unreadable} cannot be read and is left out")
        yield explorer


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """A bar on stderr where that is a terminal, shown once there is something to do; else None."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("indexing"), BarColumn(), MofNCompleteColumn(), TextColumn("files"), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("indexing", total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=True)
