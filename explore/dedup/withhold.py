"""Which of the wanted lines are sent and which a pointer stands for, by what is held. It renders nothing and takes the
sizes of lines as they are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from explore.model.held import SLIVER_BYTES, Held, Split
from explore.model.spans import NO_LINES, Span, Spans

LEAST_LINES: Final = 8
"""A held run of fewer lines is sent again: it costs little and reads better."""

SizeOf = Callable[[Spans], int]
"""Bytes of lines as they would be sent."""


def split(wanted: Spans, held: Held, asked: Spans, size_of: SizeOf) -> Split:
    """Parts the wanted lines; together the three parts are those.

    Held runs of 8 lines or more are pointed at, with smaller blocks that are held as a whole. `asked` are lines that
    the question names: new ones among them do not fold away.
    """
    pointed = _long_enough(wanted & held.spans, wanted)
    slivers = _slivers(wanted, pointed, held, size_of)
    while shown := [sliver for sliver in slivers if is_due(sliver, held, asked, size_of)]:
        pointed = _long_enough(pointed - Spans(_filled_up(sliver, pointed, size_of) for sliver in shown), wanted)
        slivers = _slivers(wanted, pointed, held, size_of)
    folded = Spans(slivers)
    return Split(wanted - pointed - folded, pointed, folded)


def is_due(sliver: Span, held: Held, asked: Spans, size_of: SizeOf) -> bool:
    """Whether new lines are sent, however few they are: the question names them, or they may have been folded away
    before."""
    return asked.meets(sliver) or _came_up(sliver, held.pointed, size_of)


def _long_enough(runs: Spans, wanted: Spans) -> Spans:
    """The held runs that are long enough to be pointed at; where there is one, also those that are whole blocks of what
    is wanted."""
    if not any(len(run) >= LEAST_LINES for run in runs):
        return NO_LINES
    blocks = set(wanted)
    return Spans(run for run in runs if len(run) >= LEAST_LINES or run in blocks)


def _slivers(wanted: Spans, pointed: Spans, held: Held, size_of: SizeOf) -> list[Span]:
    """What lies beside pointed lines, is new throughout, and too small to be sent for itself."""
    starts, ends = {span.start for span in pointed}, {span.end for span in pointed}
    beside = (rest for rest in wanted - pointed if rest.start - 1 in ends or rest.end + 1 in starts)
    return [rest for rest in beside if size_of(Spans([rest])) < SLIVER_BYTES and not held.spans.meets(rest)]


def _came_up(sliver: Span, pointed: Spans, size_of: SizeOf) -> bool:
    """Whether it may have been folded away before, by itself or in a larger sliver: lines that were pointed at are
    beside one that it can be a part of. To send one too early costs less than to leave it out twice."""
    if not pointed:
        return False
    start, end = sliver
    while start > 1 and size_of(Spans([Span(start - 1, sliver.end)])) < SLIVER_BYTES:
        start -= 1
    while end < pointed.parts[-1].end and size_of(Spans([Span(sliver.start, end + 1)])) < SLIVER_BYTES:
        end += 1
    return pointed.meets(Span(max(1, start - 1), end + 1))


def _filled_up(span: Span, pointed: Spans, size_of: SizeOf) -> Span:
    """The span with held lines before it, then after it, up to the size of what is no sliver."""
    while size_of(Spans([span])) < SLIVER_BYTES and span.start - 1 in pointed:
        span = Span(span.start - 1, span.end)
    while size_of(Spans([span])) < SLIVER_BYTES and span.end + 1 in pointed:
        span = Span(span.start, span.end + 1)
    return span
