"""Names what lies between the shown lines of a file; it decides nothing about what is shown."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from explore.model.section import Gap
from explore.model.source import BODIES, Kind, Source
from explore.model.spans import Span, Spans

MOST_HIDDEN: Final = 4
"""Symbols named in a gap; the others are counted."""


class Gaps:
    """The gaps of one file: its named symbols by line, ready to be asked many times."""

    def __init__(self, source: Source) -> None:
        self._whole = source.whole
        self._symbols = source.symbols
        named = sorted((s.line, ordinal) for ordinal, s in enumerate(source.symbols) if s.kind is not Kind.CODE)
        self._lines = [line for line, _ in named]
        self._ordinals = [ordinal for _, ordinal in named]
        self._bodies = [s for s in source.symbols if s.kind in BODIES and len(s.span) > 2]

    def around(self, spans: Spans) -> Spans:
        """The lines of the file that are not shown."""
        return self._whole - spans

    def of(self, span: Span) -> Gap:
        """The gap over `span`, naming the outermost symbols whose names stand in it, and the body that it cuts."""
        low, high = bisect_left(self._lines, span.start), bisect_right(self._lines, span.end)
        inside = set(self._ordinals[low:high])
        hidden = [self._symbols[o] for o in self._ordinals[low:high] if self._symbols[o].parent not in inside]
        names = tuple(f"{symbol.name} (L{symbol.line})" for symbol in hidden[:MOST_HIDDEN])
        return Gap(span, names, len(hidden) - len(names), self._cut_by(span))

    def _cut_by(self, span: Span) -> str:
        """The symbol whose body the gap is strictly inside of; a class without some of its methods is not cut."""
        return next((s.qualified for s in self._bodies if s.span != span and s.span.holds(span)), "")
