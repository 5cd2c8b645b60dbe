"""`demo`: the main job on a small repository that comes with the package. It leaves nothing behind."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from explore.cli.project import opened
from explore.diagnostics.report import FileReport, report_of
from explore.errors import IndexUnavailable
from explore.explorer import Answer, Explorer
from explore.index.location import FOLDER
from explore.model.section import shown_spans
from explore.session.record import Session

REPOSITORY: Final = "payroll"
QUESTIONS: Final = (
    "how is overtime paid for hourly employees",
    "what is an hour worth, and how is the overtime premium rounded",
    "where do the hours of a week come from, and who checks a time sheet",
    "what happens to overtime pay when a run is computed for each employee",
)


class Kind(StrEnum):
    """What an answer did with a file."""

    NEW = "new"
    BOUGHT = "new, in the place of what was sent before"
    MORE = "more of it"
    POINTED = "already sent"


STYLES: Final = {Kind.NEW: "green", Kind.BOUGHT: "bold green", Kind.MORE: "cyan", Kind.POINTED: "yellow"}

Line = tuple[str, str]
"""A line and its style."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file in an answer: what was done with it, the lines sent or pointed at, and the bytes that took; for a pointer
    also those that sending the lines would have taken."""

    kind: Kind
    path: str
    lines: str
    bytes: int
    instead_of: int = 0


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer, and the bytes of the one that a caller without a record would have got."""

    question: str
    bytes: int
    alone: int
    files: tuple[FileRow, ...]


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "demo", help="four questions about a small repository that comes along, or yours about it"
    )
    parser.add_argument("question", nargs="*", help="print the answer to this question instead")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    with _demo_project() as explorer:
        if question := " ".join(arguments.question):
            _answer(explorer, question)
        else:
            _conversation(explorer)
    return 0


@contextmanager
def _demo_project() -> Iterator[Explorer]:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / REPOSITORY
        shutil.copytree(_repository(), root, ignore=shutil.ignore_patterns(FOLDER))
        with opened(str(root), exact=True) as explorer:
            yield explorer


def _answer(explorer: Explorer, question: str) -> None:
    begin = time.perf_counter()
    answer = explorer.explore(question, refresh=False)
    seconds = time.perf_counter() - begin
    print(answer.text)
    sys.stdout.flush()
    print(
        f"\n{explorer.status().files} files indexed, answered in {seconds * 1000:.0f} ms: "
        f"{answer.emission.response_bytes:,} bytes, {len(answer.emission.files)} files.",
        file=sys.stderr,
    )


def _conversation(explorer: Explorer) -> None:
    rows = tuple(conversation(explorer))
    lines = as_lines(rows, explorer.status().files)
    if sys.stdout.isatty():
        _show(lines)
    else:
        print("\n".join(text.rstrip() for text, _ in lines))


def conversation(explorer: Explorer) -> Iterator[AnswerRow]:
    """The four answers of one conversation, each beside the one that nobody remembers."""
    session = Session()
    seen: set[str] = set()
    for question in QUESTIONS:
        alone = explorer.explore(question, refresh=False)
        view = session.view(str(explorer.root))
        answer = explorer.explore(question, session, refresh=False)
        session = answer.session
        files = [file for file in report_of(answer, view).files if file.sent or file.pointed]
        rows = tuple(_file_row(file, seen, alone) for file in sorted(files, key=lambda file: not file.sent))
        seen |= {file.path for file in files}
        yield AnswerRow(question, answer.emission.response_bytes, alone.emission.response_bytes, rows)


def _file_row(file: FileReport, seen: set[str], alone: Answer) -> FileRow:
    if not file.sent:
        return FileRow(Kind.POINTED, file.path, shown_spans(file.pointed), file.delivered, file.wanted)
    in_both = file.path in {sent.path for sent in alone.emission.sent}
    kind = Kind.MORE if file.path in seen else Kind.NEW if in_both else Kind.BOUGHT
    return FileRow(kind, file.path, shown_spans(file.sent), file.delivered)


def as_lines(rows: tuple[AnswerRow, ...], files: int) -> Iterator[Line]:
    """The conversation line by line: for each answer its size beside the largest, and its files."""
    yield f"An agent asks about a payroll service of {files} files, and sees its earlier answers.", ""
    width = max(len(file.path) for row in rows for file in row.files)
    largest = max(row.bytes for row in rows)
    for number, row in enumerate(rows, 1):
        yield "", ""
        yield f"{number}  {row.question}", "bold"
        yield f"   {row.bytes:{width},} bytes  {'#' * round(36 * row.bytes / largest)}", "bold"
        yield from ((f"   {file.path:{width}} {file.bytes:6,}  {_said(file)}", STYLES[file.kind]) for file in row.files)
    now, alone = sum(row.bytes for row in rows), sum(row.alone for row in rows)
    yield "", ""
    yield f"{now:,} bytes in all. Had nobody remembered: {alone:,}.", "bold"
    yield 'To see an answer: codegraph-explore demo "how is overtime paid"', ""


def _show(lines: Iterable[Line]) -> None:
    """The lines in colours, each on one line of the terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console()
    for text, style in lines:
        console.print(Text(text.replace("#", "\u2588"), style), no_wrap=True, overflow="ellipsis")


def _said(file: FileRow) -> str:
    instead = f", instead of {file.instead_of:,}" if file.instead_of else ""
    return f"{file.kind}{instead}: {file.lines}"


def _repository() -> Path:
    """The repository as packed into the wheel, or as it stands in a checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here / "demo_repositories" / REPOSITORY, here.parents[1] / "fixtures" / REPOSITORY):
        if folder.is_dir():
            return folder
    raise IndexUnavailable("the demo's repository did not come with this installation: install it again")
