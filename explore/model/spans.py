"""Runs of line numbers and their algebra; it never knows which file the lines belong to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, Self


class _Ends(NamedTuple):
    start: int
    end: int


class Span(_Ends):
    """Lines `start` to `end`, counted from 1, both included.

    A tuple for its speed: an answer compares and hashes tens of thousands. Its length is the number of lines.
    """

    __slots__ = ()

    def __new__(cls, start: int, end: int) -> Self:
        if not 1 <= start <= end:
            raise ValueError(f"not a span of lines: {start}-{end}")
        return tuple.__new__(cls, (start, end))

    def __len__(self) -> int:
        return self.end - self.start + 1

    def __contains__(self, line: object) -> bool:
        return isinstance(line, int) and self.start <= line <= self.end

    def __str__(self) -> str:
        return str(self.start) if self.start == self.end else f"{self.start}-{self.end}"

    def holds(self, other: Span) -> bool:
        """Whether every line of `other` is in here."""
        return self.start <= other.start and other.end <= self.end


class Spans:
    """A set of lines as sorted spans that neither overlap nor touch. Immutable; `|`, `&` and `-` as for sets."""

    __slots__ = ("parts",)
    parts: tuple[Span, ...]

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        parts = tuple(spans)
        self.parts = parts if len(parts) < 2 else tuple(_merged(sorted(parts)))

    @classmethod
    def of_lines(cls, lines: Iterable[int]) -> Spans:
        """The spans that hold exactly these lines."""
        return cls(Span(line, line) for line in lines)

    @classmethod
    def of_parts(cls, parts: Iterable[Span]) -> Spans:
        """The spans of parts that are sorted, and neither overlap nor touch; it does not look."""
        spans = cls.__new__(cls)
        spans.parts = tuple(parts)
        return spans

    def __iter__(self) -> Iterator[Span]:
        return iter(self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spans) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Spans({', '.join(map(str, self.parts))})"

    def __contains__(self, line: int) -> bool:
        return self.meets(Span(line, line)) if line > 0 else False

    def meets(self, span: Span) -> bool:
        """Whether any of these lines is in the span."""
        at = bisect_right(self.parts, span.end, key=_start_of) - 1
        return at >= 0 and self.parts[at].end >= span.start

    def holds(self, other: Spans) -> bool:
        """Whether every line of `other` is in here."""
        return all(map(self._holds_span, other.parts))

    def _holds_span(self, span: Span) -> bool:
        at = bisect_right(self.parts, span.start, key=_start_of) - 1
        return at >= 0 and self.parts[at].end >= span.end

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return sum(map(len, self.parts))

    def lines(self) -> Iterator[int]:
        """Every line, rising."""
        for span in self.parts:
            yield from range(span.start, span.end + 1)

    def __or__(self, other: Spans) -> Spans:
        return Spans((*self.parts, *other.parts))

    def __and__(self, other: Spans) -> Spans:
        return Spans.of_parts(_common(self.parts, other.parts))

    def __sub__(self, other: Spans) -> Spans:
        return Spans.of_parts(_without(self.parts, other.parts)) if other.parts else self


def _start_of(span: Span) -> int:
    return span.start


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Sorted spans with those that overlap or touch made one."""
    last: Span | None = None
    for span in spans:
        if last is None:
            last = span
        elif span.start <= last.end + 1:
            last = last if span.end <= last.end else Span(last.start, span.end)
        else:
            yield last
            last = span
    if last is not None:
        yield last


def _common(left: tuple[Span, ...], right: tuple[Span, ...]) -> Iterator[Span]:
    """Walks two sorted runs side by side; the one that ends first moves on."""
    i = j = 0
    while i < len(left) and j < len(right):
        start, end = max(left[i].start, right[j].start), min(left[i].end, right[j].end)
        if start <= end:
            yield Span(start, end)
        if left[i].end < right[j].end:
            i += 1
        else:
            j += 1


def _without(left: tuple[Span, ...], right: tuple[Span, ...]) -> Iterator[Span]:
    """What of `left` lies between the spans of `right`."""
    j = 0
    for span in left:
        start = span.start
        while j < len(right) and right[j].end < start:
            j += 1
        k = j
        while k < len(right) and right[k].start <= span.end:
            if start < right[k].start:
                yield Span(start, right[k].start - 1)
            start = right[k].end + 1
            k += 1
        if start <= span.end:
            yield Span(start, span.end)


NO_LINES: Final = Spans()
