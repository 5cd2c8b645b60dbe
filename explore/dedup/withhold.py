"""Which of the wanted lines are sent and which a pointer stands for, by what is held. It renders nothing and takes the
sizes of lines as they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from explore.model.held import Held, Split
from explore.model.spans import NO_LINES, Span, Spans

LEAST_LINES: Final = 8
"""A held run of fewer lines is sent again: it costs little and reads better."""

SLIVER_BYTES: Final = 160
"""New source smaller than this beside held lines folds away: a fence that holds `228` alone reads as broken."""

SizeOf = Callable[[Spans], int]
"""Bytes of lines as they would be sent."""


def split(wanted: Spans, held: Held, asked: Spans, size_of: SizeOf) -> Split:
    """Parts the wanted lines; together the three parts are those.

    Held runs of 8 lines or more are pointed at, with smaller blocks that are held as a whole. `asked` are lines that
    the question names: new ones among them do not fold away.
    """
    pointed = _pointed(wanted, held.spans)
    if not pointed:
        return Split(wanted)
    due = asked | Spans(_widened_by_one(span) for span in held.pointed)
    filled, folded = [], []
    for rest in _slivers(wanted, pointed, held, size_of):
        if Spans([rest]) & due:
            filled.append(_filled_up(rest, pointed, size_of))
        else:
            folded.append(rest)
    left = Spans(_long_enough(pointed - Spans(filled), wanted)) if filled else pointed
    return Split(wanted - left - Spans(folded), left, Spans(folded))


def _pointed(wanted: Spans, held: Spans) -> Spans:
    """The held runs that are long enough; where there is one, also the blocks that are held whole."""
    runs = wanted & held
    if not any(len(run) >= LEAST_LINES for run in runs):
        return NO_LINES
    return Spans(_long_enough(runs, wanted))


def _slivers(wanted: Spans, pointed: Spans, held: Held, size_of: SizeOf) -> Iterator[Span]:
    """What lies beside pointed lines, is new throughout, and too small to be sent for itself."""
    starts, ends = {span.start for span in pointed}, {span.end for span in pointed}
    beside = (rest for rest in wanted - pointed if rest.start - 1 in ends or rest.end + 1 in starts)
    return (rest for rest in beside if size_of(Spans([rest])) < SLIVER_BYTES and not Spans([rest]) & held.spans)


def _widened_by_one(span: Span) -> Span:
    """With the lines before and after: what would have stood there has come up before."""
    return Span(max(1, span.start - 1), span.end + 1)


def _filled_up(span: Span, pointed: Spans, size_of: SizeOf) -> Span:
    """The span with held lines before it, then after it, up to the size of what is no sliver."""
    while size_of(Spans([span])) < SLIVER_BYTES and span.start - 1 in pointed:
        span = Span(span.start - 1, span.end)
    while size_of(Spans([span])) < SLIVER_BYTES and span.end + 1 in pointed:
        span = Span(span.start, span.end + 1)
    return span


def _long_enough(runs: Spans, wanted: Spans) -> Iterator[Span]:
    """The runs long enough to be pointed at, and those that are whole blocks of what is wanted."""
    blocks = set(wanted)
    return (run for run in runs if len(run) >= LEAST_LINES or run in blocks)
