"""One file's part of an answer. Its text and the spans it delivers come from the same parts; it reads no file."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from explore.model.spans import Span, Spans

LONGEST_LINE: Final = 2_000
"""Characters of a line that are shown; a longer one is cut, says so, and does not count as sent."""

LONGEST_NAME: Final = 120
"""Characters of a symbol's name that are shown outside of source."""

CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What would end a line, or turn a terminal or its writing about."""

_UNSHOWN: Final = re.compile(f"`|{CONTROLS.pattern}")

LONGEST_QUESTION: Final = 60
"""Characters of a question by which an earlier answer is named."""

MOST_NAMED_SPANS: Final = 4
MOST_TITLED: Final = 5
"""Spans and symbols that are named; the others are counted."""

MOST_SPANS_AGAIN: Final = 12
"""Spans that are asked for again one by one; of more the lines from the first to the last."""

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
        lines = f"... {_lines(self.span)}"
        return f"{lines} cut from {self.cut}{self._names}" if self.cut else lines + self._names

    @property
    def _names(self) -> str:
        rest = f", +{self.more} more" if self.more else ""
        return f": {', '.join(self.hidden)}{rest}" if self.hidden else ""

    @property
    def placed(self) -> str:
        """Its lines and what they hide, for where it does not stand in its place."""
        return f"{self.span}{self._names}"


@dataclass(frozen=True, slots=True)
class Withheld:
    """Where lines would stand that the pointer after the fence speaks of: that were sent before, or that are `new` and
    not sent either."""

    span: Span
    new: bool = False

    @property
    def text(self) -> str:
        return f"... {self.span}: not sent, see below" if self.new else f"... {self.span}: already sent"


@dataclass(frozen=True, slots=True)
class Pointer:
    """Lines that the reader has been sent before: which, the symbols in them with how many more there are, the question
    whose answer sent them or most of them; the gaps over new lines beside them that were too few for a fence of their
    own; and whether answers to other questions sent some of them."""

    path: str
    spans: Spans
    symbols: tuple[str, ...]
    more: int
    question: str
    folded: tuple[Gap, ...] = ()
    others: bool = False

    @property
    def text(self) -> str:
        """One line, whatever its parts hold. It ends with what `resend` takes to send the lines again."""
        rest = f", +{self.more} more" if self.more else ""
        named = f" ({', '.join(self.symbols)}{rest})" if self.symbols else ""
        left = f"; beside them and not sent: {'; '.join(gap.placed for gap in self.folded)}" if self.folded else ""
        others = " and others" if self.others else ""
        asked = f' for "{shown_question(self.question)}"{others}' if self.question else ""
        return (
            f"> Already sent{asked}, same on disk: `{shown_path(self.path)}` {shown_spans(self.spans)}{named}{left}; "
            f"resend={again(self.path, self.spans)}"
        )


Part = Block | Gap | Withheld | Pointer


@dataclass(frozen=True)
class Section:
    """A file's blocks and gaps in order, and its pointer last. `titles` are the symbols shown, for the heading.

    Where all that is wanted is held, the pointer is its one part, and all of its text.
    """

    path: str
    language: str
    fingerprint: str
    titles: tuple[str, ...]
    parts: tuple[Part, ...]

    @cached_property
    def text(self) -> str:
        """The section as it is sent, without a line end after it."""
        after = [part.text for part in self.parts if isinstance(part, Pointer)]
        body = "\n".join(part.text for part in self.parts if not isinstance(part, Pointer))
        if not body:
            return "\n".join(after)
        fence = "`" * fence_length(back_quotes(body))
        return "\n".join([heading(self.path, self.titles), f"{fence}{self.language}", body, fence, *after])

    @cached_property
    def spans(self) -> Spans:
        """The lines that are delivered."""
        return Spans(span for part in self.parts if isinstance(part, Block) for span in part.spans)

    @cached_property
    def pointed(self) -> Spans:
        """The lines that are pointed at."""
        return Spans(span for part in self.parts if isinstance(part, Pointer) for span in part.spans)

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


@lru_cache(maxsize=1 << 14)
def shown_name(name: str) -> str:
    """A symbol's name as it can stand in a heading, a gap or a note: on one line, and of bearable length."""
    return _UNSHOWN.sub("?", name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "...")


def shown_question(question: str) -> str:
    """A question as it can be quoted on one line: its first 60 characters."""
    line = " ".join(_UNSHOWN.sub(" ", question).replace('"', "'").split())
    return line if len(line) <= LONGEST_QUESTION else line[: LONGEST_QUESTION - 3] + "..."


def shown_spans(spans: Spans) -> str:
    """The first spans, and how many more there are."""
    named = ", ".join(map(str, spans.parts[:MOST_NAMED_SPANS]))
    more = len(spans.parts) - MOST_NAMED_SPANS
    return f"{named}, +{more} more" if more > 0 else named


def again(path: str, spans: Spans) -> str:
    """The value of `resend` that brings these lines back, as JSON; of many spans the lines from first to last."""
    parts = spans.parts if len(spans.parts) <= MOST_SPANS_AGAIN else (Span(spans.parts[0].start, spans.parts[-1].end),)
    value = json.dumps(f"{path}:{','.join(map(str, parts))}", ensure_ascii=False)
    return "[" + _UNSHOWN.sub(lambda found: f"\\u{ord(found[0]):04x}", value) + "]"


def _lines(span: Span) -> str:
    return f"{len(span)} line{'s' if len(span) > 1 else ''}"
