"""What is sent whatever the question finds: lines asked for by their path, as many as fit. It does not know why."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from explore.model.plan import Rendition, Step
from explore.model.spans import Spans
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
    """The first of these lines whose section fits in `room`."""

    def first(count: int) -> Spans:
        return Spans.of_lines(islice(spans.lines(), count))

    def takes(count: int) -> int:
        return price.section(first(count), [])

    if takes(spans.line_count) <= room:
        return spans
    # More lines take more, but for a gap that closes: what is found is tried, and one line less until it fits.
    count = bisect_right(range(1, spans.line_count + 1), room, key=takes)
    while count and takes(count) > room:
        count -= 1
    return first(count)
