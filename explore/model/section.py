"""One file's part of an answer. Its text and the spans it delivers come from the same parts; it reads no file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from explore.model.spans import Span, Spans

LONGEST_LINE: Final = 2_000
"""Characters of a line that are shown; a longer one is cut, says so, and does not count as sent."""

LONGEST_NAME: Final = 120
"""Characters of a symbol's name that are shown outside of source."""

CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What would end a line, or turn a terminal or its writing about."""

_UNSHOWN: Final = re.compile(f"`|{CONTROLS.pattern}")

MOST_TITLED: Final = 5
_BACK_QUOTES: Final = re.compile(r"`{3,}")


def numbered(number: int, line: str) -> str:
    """A line as it stands in an answer, without its end."""
    if len(line) <= LONGEST_LINE:
        return f"{number}\t{line}"
    return f"{number}\t{line[:LONGEST_LINE]} ... [line cut: {len(line):,} characters]"


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines of the source, the first of them with the number `start`."""

    start: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(numbered(number, line) for number, line in enumerate(self.lines, self.start))

    @property
    def spans(self) -> Spans:
        """The lines that are shown whole."""
        if max(map(len, self.lines)) <= LONGEST_LINE:
            return Spans([Span(self.start, self.start + len(self.lines) - 1)])
        return Spans.of_lines(n for n, line in enumerate(self.lines, self.start) if len(line) <= LONGEST_LINE)


@dataclass(frozen=True, slots=True)
class Gap:
    """Lines left out, and the symbols that start in them as `name (L12)`; `cut` names a symbol cut short."""

    span: Span
    hidden: tuple[str, ...]
    more: int = 0
    cut: str = ""

    @property
    def text(self) -> str:
        lines = f"... {len(self.span)} line{'s' if len(self.span) > 1 else ''}"
        rest = f", +{self.more} more" if self.more else ""
        names = f": {', '.join(self.hidden)}{rest}" if self.hidden else ""
        return f"{lines} cut from {self.cut}{names}" if self.cut else lines + names


Part = Block | Gap


@dataclass(frozen=True)
class Section:
    """A file's blocks and gaps in order. `titles` are the symbols shown, for the heading."""

    path: str
    language: str
    fingerprint: str
    titles: tuple[str, ...]
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        """The section as it is sent, without a line end after it."""
        body = "\n".join(part.text for part in self.parts)
        fence = "`" * fence_length(back_quotes(body))
        return "\n".join([heading(self.path, self.titles), f"{fence}{self.language}", body, fence, *self.notes])

    @cached_property
    def spans(self) -> Spans:
        """The lines that are delivered."""
        return Spans(span for part in self.parts if isinstance(part, Block) for span in part.spans)

    @cached_property
    def source_bytes(self) -> int:
        """Bytes of the delivered lines as they stand in the text, numbers and line ends included."""
        return sum(
            len(numbered(number, line).encode("utf-8", "replace")) + 1
            for part in self.parts
            if isinstance(part, Block)
            for number, line in enumerate(part.lines, part.start)
            if len(line) <= LONGEST_LINE
        )


def heading(path: str, titles: Sequence[str]) -> str:
    """The line that opens a section. A back-quote or line end in a path would break it, so it is shown as `?`."""
    named = ", ".join(map(shown_name, titles[:MOST_TITLED]))
    more = f", +{len(titles) - MOST_TITLED} more" if len(titles) > MOST_TITLED else ""
    return f"## `{shown_path(path)}`" + (f" {named}{more}" if named else "")


def back_quotes(text: str) -> int:
    """The length of the longest run of three back-quotes or more; 0 where there is none."""
    return max(map(len, _BACK_QUOTES.findall(text)), default=0)


def fence_length(longest: int) -> int:
    """How many back-quotes make a fence around text whose longest run of them is this."""
    return max(3, 1 + longest)


def shown_path(path: str) -> str:
    """A path as it can stand between back-quotes on one line."""
    return _UNSHOWN.sub("?", path)


def shown_name(name: str) -> str:
    """A symbol's name as it can stand in a heading, a gap or a note: on one line, and of bearable length."""
    return _UNSHOWN.sub("?", name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "...")
