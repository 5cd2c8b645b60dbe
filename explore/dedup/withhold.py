"""Which of the wanted lines are sent and which a pointer stands for, by what is held. It renders nothing and takes the
sizes of lines as they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from explore.model.held import Held, Split
from explore.model.spans import Span, Spans

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
    folded = Spans()
    for rest in wanted - pointed:
        if not _is_sliver(rest, pointed, held, size_of):
            continue
        if Spans([rest]) & due:
            pointed -= Spans([_filled_up(rest, pointed, size_of)])
        else:
            folded |= Spans([rest])
    pointed = Spans(_long_enough(pointed, wanted))
    return Split(wanted - pointed - folded, pointed, folded)


def _pointed(wanted: Spans, held: Spans) -> Spans:
    """The held runs that are long enough; where there is one, also the blocks that are held whole."""
    runs = [run for run in wanted & held if len(run) >= LEAST_LINES]
    blocks = [block for block in wanted if not Spans([block]) - held] if runs else []
    return Spans([*runs, *blocks])


def _is_sliver(rest: Span, pointed: Spans, held: Held, size_of: SizeOf) -> bool:
    """Whether what lies between pointed lines is new throughout, and too small."""
    beside = rest.start - 1 in pointed or rest.end + 1 in pointed
    new = Spans([rest])
    return beside and not new & held.spans and size_of(new) < SLIVER_BYTES


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


def _long_enough(pointed: Spans, wanted: Spans) -> Iterator[Span]:
    """The runs long enough to be pointed at, and blocks that are held whole; not what filling up has left of a run."""
    blocks = set(wanted)
    return (run for run in pointed if len(run) >= LEAST_LINES or run in blocks)
