"""The text of an answer from its sections and notes, and its ceiling: the last word on size. It plans nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from explore.model.section import Block, Gap, Part, Section
from explore.model.spans import Span

HEADER_CHARACTERS: Final = 80


@dataclass(frozen=True, slots=True)
class Fitted:
    """An answer that keeps its ceiling: its text, and the sections that survived."""

    text: str
    sections: tuple[Section, ...]


def header(question: str, shown: int, files: int) -> str:
    """The first line: what was asked, and how many of the project's files are shown."""
    line = " ".join(question.split())
    line = line if len(line) <= HEADER_CHARACTERS else line[: HEADER_CHARACTERS - 3] + "..."
    return f"Source for: {line} ({shown} of {files:,} files)"


def fit(question: str, files: int, sections: Sequence[Section], note: str, ceiling: int) -> Fitted:
    """The answer within `ceiling` bytes, whatever came in.

    Whole sections go first, from the end; a sole one left is cut at whole lines and counts only what stayed.
    """
    kept = tuple(sections)
    while True:
        text = compose(question, files, kept, note)
        over = size(text) - ceiling
        if over <= 0:
            return Fitted(text, kept)
        if len(kept) > 1:
            kept = kept[:-1]
        elif kept and (shorter := _cut(kept[0], over)) is not None:
            kept = (shorter,)
        elif note:
            note = ""
        else:
            return Fitted(clipped(text, ceiling), ())


def compose(question: str, files: int, sections: Sequence[Section], note: str) -> str:
    """All parts of an answer with an empty line between them."""
    return "\n\n".join(filter(None, [header(question, len(sections), files), *(s.text for s in sections), note]))


def size(text: str) -> int:
    """Bytes as sent; what cannot be encoded is sent as `?`."""
    return len(text.encode("utf-8", "replace"))


def clipped(text: str, most: int) -> str:
    """The beginning of a text in at most `most` bytes, at a whole character."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def _cut(section: Section, over: int) -> Section | None:
    """The section without lines at its end worth at least `over` bytes; None where no line would stay."""
    parts = list(section.parts)
    last_line = _end(parts[-1])
    hidden_from = last_line + 1
    while parts and over > 0:
        part = parts.pop()
        if isinstance(part, Gap):
            over -= size(part.text) + 1
            hidden_from = part.span.start
            continue
        lines = part.lines
        while lines and over > -_cut_mark(section):
            over -= size(Block(part.start + len(lines) - 1, lines[-1:]).text) + 1
            lines = lines[:-1]
        hidden_from = part.start + len(lines)
        if lines:
            parts.append(Block(part.start, lines))
    if not any(isinstance(part, Block) for part in parts) or hidden_from > last_line:
        return None
    return replace(section, parts=(*parts, Gap(Span(hidden_from, last_line), (), cut="the rest")))


def _cut_mark(section: Section) -> int:
    return size(Gap(Span(1, max(1, _end(section.parts[-1]))), (), cut="the rest").text) + 1


def _end(part: Part) -> int:
    return part.span.end if isinstance(part, Gap) else part.start + len(part.lines) - 1
