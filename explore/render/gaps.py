"""Names what lies between the shown lines of a file; it decides nothing about what is shown."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from explore.model.held import Split
from explore.model.section import LONGEST_NAME, MOST_TITLED, Gap, Pointer, shown_name
from explore.model.source import BODIES, Kind, Source, Symbol
from explore.model.spans import Span, Spans

MOST_HIDDEN: Final = 4
"""Symbols named in a gap; the others are counted."""

WORDS_BYTES: Final = 200
"""No gap takes as many besides the names in it: its numbers, marks and words."""


class Gaps:
    """The gaps of one file: its named symbols by line, ready to be asked many times."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._whole = source.whole
        self._symbols = source.symbols
        named = sorted((s.line, ordinal) for ordinal, s in enumerate(source.symbols) if s.kind is not Kind.CODE)
        self._lines = [line for line, _ in named]
        self._ordinals = [ordinal for _, ordinal in named]
        self._bodies = [symbol for symbol in source.symbols if _is_outer_body(symbol, source)]
        self._starts = [symbol.span.start for symbol in self._bodies]
        longest = max((len(symbol.qualified) for symbol in source.symbols), default=0)
        self.most_bytes = WORDS_BYTES + 4 * (MOST_HIDDEN + 1) * min(longest, LONGEST_NAME)
        """No gap takes as many: it has at most these names and that of what it cuts, in letters of up to four bytes."""

    def around(self, spans: Spans) -> Spans:
        """The lines of the file that are not shown."""
        return self._whole - spans

    def of(self, span: Span) -> Gap:
        """The gap over `span`, and the body that it cuts. It names the symbols whose names stand in it, but for what is
        inside of one that it hides as a whole."""
        hidden = self._outermost(span)
        names = tuple(f"{shown_name(symbol.name)} (L{symbol.line})" for symbol in hidden[:MOST_HIDDEN])
        return Gap(span, names, len(hidden) - len(names), self._cut_by(span))

    def pointer(self, split: Split, question: str, *, others: bool = False) -> Pointer:
        """The pointer to the lines that `split` points at, which were sent for `question` and perhaps others; blank
        folded lines go without a word."""
        names: list[str] = []
        for span in split.pointed:
            hidden = [shown_name(symbol.qualified) for symbol in self._outermost(span)]
            names += hidden or [self._cut_by(span)]
        named = tuple(dict.fromkeys(filter(None, names)))
        folded = tuple(self.of(span) for span in split.folded if self.says_something(span))
        more = len(named) - MOST_TITLED
        return Pointer(self._source.path, split.pointed, named[:MOST_TITLED], max(0, more), question, folded, others)

    def _outermost(self, span: Span) -> list[Symbol]:
        """The symbols whose names stand in these lines, but for those inside of one that is in them as a whole."""
        low, high = bisect_left(self._lines, span.start), bisect_right(self._lines, span.end)
        symbols, inside = self._symbols, self._ordinals[low:high]
        if len(inside) < 2:
            return [symbols[ordinal] for ordinal in inside]
        first, last = span
        whole = {at for at in inside if first <= symbols[at].span[0] and symbols[at].span[1] <= last}
        return [symbols[ordinal] for ordinal in inside if symbols[ordinal].parent not in whole]

    def _cut_by(self, span: Span) -> str:
        """The symbol whose body the gap is strictly inside of; a class without some of its methods is not cut."""
        at = bisect_right(self._starts, span.start) - 1
        if at < 0 or self._bodies[at].span == span or not self._bodies[at].span.holds(span):
            return ""
        return shown_name(self._bodies[at].qualified)

    def says_something(self, span: Span) -> bool:
        """Whether any of these lines is more than blank."""
        return any(line.strip() for line in self._source.lines[span.start - 1 : span.end])


def _is_outer_body(symbol: Symbol, source: Source) -> bool:
    parent = source.symbols[symbol.parent] if symbol.parent is not None else None
    return symbol.kind in BODIES and (parent is None or parent.kind not in BODIES)
