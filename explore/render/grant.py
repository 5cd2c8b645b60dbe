"""What is sent whatever the question finds: lines asked for by their path, as many as fit. It does not know why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from explore.model.plan import Rendition, Step
from explore.model.spans import Span, Spans
from explore.render.price import BETWEEN_SECTIONS, Price


@dataclass(frozen=True, slots=True)
class Grants:
    """The step that each file gets, and the lines for which there was no room, by path."""

    steps: Mapping[str, Step]
    left: Mapping[str, Spans]


def grant(asked: Mapping[str, Spans], prices: Mapping[str, Price], room: int) -> Grants:
    """As many of the lines asked for as fit in `room` bytes, in order, cut at whole lines."""
    steps: dict[str, Step] = {}
    left: dict[str, Spans] = {}
    for path, lines in asked.items():
        price = prices[path]
        spans = lines & price.source.whole or price.source.whole
        fits = _fitting(spans, price, room - BETWEEN_SECTIONS)
        if fits:
            steps[path] = Step(Rendition.BODIES, fits, 0.0)
            room -= price.section(fits, []) + BETWEEN_SECTIONS
        if rest := spans - fits:
            left[path] = rest
    return Grants(steps, left)


def _fitting(spans: Spans, price: Price, room: int) -> Spans:
    """The first of these lines, as many as a section in `room` bytes can show."""
    for count in sorted(_counts(spans, price, room), reverse=True):
        first = Spans.of_lines(islice(spans.lines(), count))
        if price.section(first, []) <= room:
            return first
    return Spans()


def _counts(spans: Spans, price: Price, room: int) -> Iterator[int]:
    """How many lines fit, by all that they take but longer fences. Not every smaller number does: a gap may take more
    than the lines in it."""
    taken, after = price.head(()), 1
    last = price.whole.parts[-1].end
    for count, line in enumerate(spans.lines(), 1):
        taken += price.line(line) + (price.gap(Span(after, line - 1)) if line > after else 0)
        after = line + 1
        if taken > room:
            return
        if taken + (price.gap(Span(after, last)) if line < last else 0) <= room:
            yield count
