"""A document cut into runs of lines, at its sections where they are; it knows formats by their declarations only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from explore.index.documents.declaration import NEVER, Format
from explore.index.outline import CHUNK_LINES, chunk_of
from explore.model.section import LONGEST_LINE
from explore.model.source import Symbol
from explore.model.spans import Span

LEAST_LINES: Final = 4
"""A section of fewer lines stays with the one after it."""

MOST_LINES: Final = 2 * CHUNK_LINES
"""A section is split at a blank line once it has `CHUNK_LINES`, and without one after so many."""

MOST_DATA: Final = 0.5
"""The share of a text's characters in lines too long to be shown from which on it is data, or was made small."""


def cut(form: Format, lines: Sequence[str]) -> tuple[Symbol, ...]:
    """The runs of a document, in order: every line that is not blank is in one. Data in a document's dress has none,
    and so is found by its name alone."""
    if _is_data(lines):
        return ()
    edges = [0, *sorted(_starts(form, lines)), len(lines)]
    return tuple(chunk_of(span, lines) for span in _joined(edges, lines))


def _is_data(lines: Sequence[str]) -> bool:
    sizes = [len(line) for line in lines]
    return sum(size for size in sizes if size > LONGEST_LINE) > MOST_DATA * sum(sizes)


def _joined(edges: Sequence[int], lines: Sequence[str]) -> Iterator[Span]:
    """The runs between the edges, the short ones with those after them."""
    begin = 0
    for start, end in pairwise(edges):
        if start - begin >= LEAST_LINES:
            yield from _runs(begin, start, lines)
            begin = start
        if end == len(lines):
            yield from _runs(begin, end, lines)


def _runs(begin: int, end: int, lines: Sequence[str]) -> Iterator[Span]:
    """These lines, from 0 and without the last, in spans of some size and without blank edges."""
    first: int | None = None
    last = begin
    for at in range(begin, end):
        blank = not lines[at].strip()
        if first is not None and (at - first >= MOST_LINES or (blank and at - first >= CHUNK_LINES)):
            yield Span(first + 1, last + 1)
            first = None
        if not blank:
            first, last = at if first is None else first, at
    if first is not None:
        yield Span(first + 1, last + 1)


def _starts(form: Format, lines: Sequence[str]) -> set[int]:
    """The lines, from 0, where sections start: with the comments above them."""
    found = [] if form.start is NEVER else [at for at in _outside(form, lines) if form.start.match(lines[at])]
    if form.outermost and found:
        least = min(_indent(lines[at]) for at in found)
        found = [at for at in found if _indent(lines[at]) == least]
    return {_lead(form, at, lines) for at in found} | set(_headings(form, lines))


def _outside(form: Format, lines: Sequence[str]) -> Iterator[int]:
    """The lines that are in no fence."""
    if form.fence is NEVER:
        yield from range(len(lines))
        return
    inside = False
    for at, line in enumerate(lines):
        if form.fence.match(line):
            inside = not inside
        elif not inside:
            yield at


def _headings(form: Format, lines: Sequence[str]) -> Iterator[int]:
    """The lines that are underlined; where there is a line over them too, that one."""
    if form.underline is NEVER:
        return
    for at in _outside(form, lines):
        if not form.underline.match(lines[at]) or not at:
            continue
        if lines[at - 1].strip() and not form.underline.match(lines[at - 1]):
            over = at > 1 and form.underline.match(lines[at - 2]) and lines[at - 2][0] == lines[at][0]
            yield at - 2 if over else at - 1


def _lead(form: Format, at: int, lines: Sequence[str]) -> int:
    while at and form.leading.match(lines[at - 1]):
        at -= 1
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
