"""What is sent whatever the question finds: lines asked for by their path, as many as fit. It does not know why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from explore.model.plan import Rendition, Step
from explore.model.spans import Spans
from explore.render.price import Price


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
        fits = _fitting(spans, price, room)
        if fits:
            steps[path] = Step(Rendition.BODIES, fits, 0.0)
            room -= price.section(fits, [])
        if rest := spans - fits:
            left[path] = rest
    return Grants(steps, left)


def _fitting(spans: Spans, price: Price, room: int) -> Spans:
    """The first of these lines whose section fits in `room`."""
    count = spans.line_count
    while count:
        fits = Spans.of_lines(islice(spans.lines(), count))
        over = price.section(fits, []) - room
        if over <= 0:
            return fits
        count = min(count - 1, _lines_within(spans, price, price.lines(fits) - over))
    return Spans()


def _lines_within(spans: Spans, price: Price, room: int) -> int:
    """How many of these lines take no more than `room`."""
    for count, line in enumerate(spans.lines()):
        room -= price.line(line)
        if room < 0:
            return count
    return spans.line_count
