"""The cheapest way from some symbols to others, looked for from both ends at once and within bounds. It judges no
evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final

from explore.calls.graph import Edge, Graph
from explore.model.corpus import Located

MOST_STEPS: Final = 8
MOST_EXPANDED: Final = 60
"""Symbols whose edges are looked up for one question, at up to a millisecond each. From both ends that is some way: of
59 questions about 22 repositories the 36 with a path took up to 41."""

MOST_LOOKED_UP: Final = 250
"""Names and symbols that are looked up for that, at a twelfth of a millisecond each: of 36 questions about 20
repositories the one that took most took 235."""

MORE_EXPANDED: Final = 16
"""Of those as many as may follow on a way being found, for a cheaper one, or one that stands before it."""

Place = tuple[int, int]


@dataclass(slots=True)
class _Side:
    """What is known from one end: by place the cost, the number of steps, and the edge by which it was reached."""

    forward: bool
    reached: dict[Place, tuple[int, int, Edge | None]] = field(default_factory=dict)
    offered: int = 0
    done: set[Place] = field(default_factory=set)
    waiting: list[tuple[int, int, int, Located]] = field(default_factory=list)
    """By cost and steps; of equals what was found first, which is what stands first in the source."""

    def offer(self, symbol: Located, cost: int, steps: int, edge: Edge | None) -> bool:
        """Whether that is a cheaper way to it."""
        known = self.reached.get(symbol.place)
        if steps > MOST_STEPS or (known and known[0] <= cost):
            return False
        self.reached[symbol.place] = cost, steps, edge
        self.offered += 1
        heappush(self.waiting, (cost, steps, self.offered, symbol))
        return True

    def least(self) -> int | None:
        """What the next one costs."""
        while self.waiting and self.waiting[0][3].place in self.done:
            heappop(self.waiting)
        return self.waiting[0][0] if self.waiting else None

    def edges(self, symbol: Located, graph: Graph) -> Sequence[Edge]:
        return graph.out_of(symbol) if self.forward else graph.into(symbol)

    def chain(self, place: Place) -> list[Edge]:
        """The edges between this end and a place, in the direction of calling."""
        found = []
        while (edge := self.reached[place][2]) is not None:
            found.append(edge)
            place = (edge.source if self.forward else edge.target).place
        return found[::-1] if self.forward else found


def cheapest(
    graph: Graph, sources: Iterable[Located], targets: Iterable[Located], banned: Mapping[Edge, bool]
) -> tuple[Edge, ...]:
    """The cheapest way from any source to any target; empty where none was found."""
    ends = _Side(True), _Side(False)
    aside = False
    for side, symbols in zip(ends, (sources, targets), strict=True):
        for symbol in symbols:
            side.offer(symbol, 0, 0, None)
            aside = aside or symbol.aside
    best: int | None = None
    most = MOST_EXPANDED
    while (
        (end := _next_side(ends, best, graph)) is not None
        and graph.expanded < most
        and graph.types.looked_up < MOST_LOOKED_UP
    ):
        _expand(end, graph, banned, aside=aside)
        found = min((cost for cost, _ in _meetings(ends)), default=None)
        if found != best:
            best, most = found, min(MOST_EXPANDED, graph.expanded + MORE_EXPANDED)
    return _first_of(ends, best) if best is not None else ()


def _meetings(ends: tuple[_Side, _Side]) -> Iterator[tuple[int, Place]]:
    """The places that both ends have reached in few enough steps, with what the way over each costs."""
    there, back = ends[0].reached, ends[1].reached
    for place in min(there, back, key=len):
        if place in there and place in back and there[place][1] + back[place][1] <= MOST_STEPS:
            yield there[place][0] + back[place][0], place


def _first_of(ends: tuple[_Side, _Side], best: int) -> tuple[Edge, ...]:
    """Of the ways that cost this, the one whose steps stand first in the source."""
    places = (place for cost, place in _meetings(ends) if cost == best)
    chains = [(*ends[0].chain(place), *ends[1].chain(place)) for place in places]
    return min(chains, key=lambda chain: (len(chain), [(e.site.line, e.target.place) for e in chain]))


def _next_side(ends: tuple[_Side, _Side], best: int | None, graph: Graph) -> _Side | None:
    """The end with fewer symbols waiting; none where nothing cheaper can come, or one end has seen all there is to it.
    What leads to common names is not known, so from those only the other end goes on."""
    there, back = ends[0].least(), ends[1].least()
    if there is None or (back is None and graph.partly.isdisjoint(ends[1].done)):
        return None
    if best is not None and there + (back or 0) > best:
        return None
    return ends[0] if back is None or len(ends[0].waiting) <= 2 * len(ends[1].waiting) else ends[1]


def _expand(side: _Side, graph: Graph, banned: Mapping[Edge, bool], *, aside: bool) -> None:
    """Offers what the next symbol leads to, or what leads to it; tests and the like only where an end is one."""
    cost, steps, _, symbol = heappop(side.waiting)
    side.done.add(symbol.place)
    for edge in side.edges(symbol, graph):
        to = edge.target if side.forward else edge.source
        if edge not in banned and (aside or not to.aside):
            side.offer(to, cost + edge.cost, steps + 1, edge)
