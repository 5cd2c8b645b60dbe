"""Names what lies between the shown lines of a file; it decides nothing about what is shown."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from explore.model.section import Gap, shown_name
from explore.model.source import BODIES, Kind, Source, Symbol
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
        self._bodies = [symbol for symbol in source.symbols if _is_outer_body(symbol, source)]
        self._starts = [symbol.span.start for symbol in self._bodies]

    def around(self, spans: Spans) -> Spans:
        """The lines of the file that are not shown."""
        return self._whole - spans

    def of(self, span: Span) -> Gap:
        """The gap over `span`, and the body that it cuts. It names the symbols whose names stand in it, but for what is
        inside of one that it hides as a whole."""
        low, high = bisect_left(self._lines, span.start), bisect_right(self._lines, span.end)
        inside = self._ordinals[low:high]
        whole = {ordinal for ordinal in inside if span.holds(self._symbols[ordinal].span)}
        hidden = [self._symbols[ordinal] for ordinal in inside if self._symbols[ordinal].parent not in whole]
        names = tuple(f"{shown_name(symbol.name)} (L{symbol.line})" for symbol in hidden[:MOST_HIDDEN])
        return Gap(span, names, len(hidden) - len(names), self._cut_by(span))

    def _cut_by(self, span: Span) -> str:
        """The symbol whose body the gap is strictly inside of; a class without some of its methods is not cut."""
        at = bisect_right(self._starts, span.start) - 1
        if at < 0 or self._bodies[at].span == span or not self._bodies[at].span.holds(span):
            return ""
        return shown_name(self._bodies[at].qualified)


def _is_outer_body(symbol: Symbol, source: Source) -> bool:
    parent = source.symbols[symbol.parent] if symbol.parent is not None else None
    return symbol.kind in BODIES and (parent is None or parent.kind not in BODIES)
