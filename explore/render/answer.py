"""The text of an answer from its sections and notes, and its ceiling: the last word on size. It plans nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from explore.model.section import CONTROLS, Block, Gap, Part, Pointer, Section, Withheld
from explore.model.spans import Span
from explore.render.gaps import MOST_HIDDEN

HEADER_CHARACTERS: Final = 80
HANDLE_BYTES: Final = len("\n\ncontext: ") + 8
"""Bytes of every answer that are kept for the line with its handle, which is added where it is sent."""


InFence = Block | Gap | Withheld
"""A part that stands between the fences."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """An answer that keeps its ceiling: its text, and the sections that survived."""

    text: str
    sections: tuple[Section, ...]


def header(question: str, shown: int, files: int) -> str:
    """The first line: what was asked, and how many of the project's files are shown."""
    line = " ".join(CONTROLS.sub(" ", question).split())
    line = line if len(line) <= HEADER_CHARACTERS else line[: HEADER_CHARACTERS - 3] + "..."
    return f"Source for: {line} ({shown} of {files:,} files)"


def fit(question: str, files: int, sections: Sequence[Section], note: str, ceiling: int, path: str = "") -> Fitted:
    """The answer within `ceiling` bytes, whatever came in; `path` stands before the sections, `note` after them.

    Whole sections go first, from the end; a sole one left is cut at whole lines and counts only what stayed.
    """
    kept = tuple(sections)
    while True:
        text = compose(question, files, kept, note, path)
        over = size(text) - ceiling
        if over <= 0:
            return Fitted(text, kept)
        if len(kept) > 1:
            kept = kept[:-1]
        elif kept and (shorter := _cut(kept[0], over)) is not None:
            kept = (shorter,)
        elif path:
            path = ""
        elif note:
            note = ""
        elif kept:
            kept = ()
        else:
            return Fitted(clipped(text, ceiling), ())


def compose(question: str, files: int, sections: Sequence[Section], note: str, path: str = "") -> str:
    """All parts of an answer with an empty line between them."""
    shown = sum(any(isinstance(part, Block) for part in section.parts) for section in sections)
    return "\n\n".join(filter(None, [header(question, shown, files), path, *(s.text for s in sections), note]))


def size(text: str) -> int:
    """Bytes as sent; what cannot be encoded is sent as `?`."""
    return len(text.encode("utf-8", "replace"))


def clipped(text: str, most: int) -> str:
    """The beginning of a text in at most `most` bytes, at a whole character."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def _cut(section: Section, over: int) -> Section | None:
    """The section without lines at its end, so many that with a gap in their place it is `over` bytes shorter; None
    where no line would stay. What it points at stays."""
    pointers = tuple(part for part in section.parts if isinstance(part, Pointer))
    rows = [row for part in section.parts if not isinstance(part, Pointer) for row in _rows(part)]
    last = _end(rows[-1]) if rows else 0
    hidden: tuple[str, ...] = ()
    more = 0
    while rows:
        row = rows.pop()
        over -= size(row.text) + 1
        if isinstance(row, Gap):
            hidden, more = (*row.hidden, *hidden), more + row.more
        rest = Gap(Span(_start(row), last), hidden[:MOST_HIDDEN], more + len(hidden[MOST_HIDDEN:]), cut="the end")
        if rows and isinstance(rows[-1], Block) and over + size(rest.text) + 1 <= 0:
            return replace(section, parts=(*_until(section.parts, _end(rows[-1])), rest, *pointers))
    return None


def _rows(part: InFence) -> Iterator[InFence]:
    """A part by the lines of the text that it makes."""
    if isinstance(part, Block):
        yield from (Block(number, (line,)) for number, line in enumerate(part.lines, part.start))
    else:
        yield part


def _until(parts: Iterable[Part], line: int) -> Iterator[InFence]:
    """The parts as far as this line of a block."""
    for part in parts:
        if not isinstance(part, Pointer) and _start(part) <= line:
            yield Block(part.start, part.lines[: line - part.start + 1]) if isinstance(part, Block) else part


def _start(part: InFence) -> int:
    return part.start if isinstance(part, Block) else part.span.start


def _end(part: InFence) -> int:
    return part.start + len(part.lines) - 1 if isinstance(part, Block) else part.span.end
