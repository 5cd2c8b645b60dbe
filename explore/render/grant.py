"""What is sent whatever the question finds: lines asked for by their path, as many as fit. It does not know why."""

from __future__ import annotations

from collections.abc import Mapping
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
    last = price.whole.parts[-1].end
    for count, line, taken in reversed(_beginnings(spans, price, room)):
        if taken + (price.gap(Span(line + 1, last)) if line < last else 0) <= room:
            return Spans.of_lines(islice(spans.lines(), count))
    return Spans()


def _beginnings(spans: Spans, price: Price, room: int) -> list[tuple[int, int, int]]:
    """For each beginning of the lines that may fit: how many they are, the last of them, and what they take without the
    gap after them."""
    beginnings = []
    taken, after, longest = 0, 1, 0
    for count, line in enumerate(spans.lines(), 1):
        taken += price.line(line) + (price.gap(Span(after, line - 1)) if line > after else 0)
        after, longest = line + 1, max(longest, price.back_quotes(line))
        if taken + price.head((), longest) > room:
            break
        beginnings.append((count, line, taken + price.head((), longest)))
    return beginnings
