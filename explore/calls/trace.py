"""The call paths among the symbols that a question names, each step checked against the files as they are. It ranks and
draws nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, permutations
from typing import Final

from explore.calls.asked import Asked, plain_words, what_is_asked
from explore.calls.graph import Edge, Graph
from explore.calls.meaning import SUPER, THIS
from explore.calls.names import CALLABLE, meanings
from explore.calls.search import cheapest
from explore.calls.types import Type
from explore.model.calls import CallPath, How, Site, Step, Stop, Traced
from explore.model.corpus import Corpus, Located
from explore.model.source import CONTAINERS

MOST_LOOKED_UP: Final = 10
"""Names of a question that are looked up; who spells out more lists them."""

MOST_PLAINLY_MEANT: Final = 2
"""Functions that a plain word may mean beside a name; it is none that a question could not do without."""

MOST_MEMBERS: Final = 60
"""Members of a type that stand for it."""

MOST_TRIES: Final = 4
"""Paths looked for between two names while what is found does not stand in the files any more."""

MOST_ORDERED: Final = 4
"""Names of which every order is tried; of more only the one given."""


def trace(text: str, names: Sequence[str], graph: Graph, corpus: Corpus, files: Iterable[int] = ()) -> Traced:
    """The paths among the names of a question, as it words it; `files` are those that it names."""
    plain = plain_words(text) if len(names) == 1 else ()
    if len(names) + len(plain) < 2:
        return Traced()
    tracer = _Tracer(graph, corpus)
    known = dict.fromkeys((*names[:MOST_LOOKED_UP], *plain))
    meant = {name: meanings(name, graph.types, frozenset(files)) for name in known}
    meant |= {word: [] for word in plain if len(meant[word]) > MOST_PLAINLY_MEANT}
    asked = what_is_asked(text, [name for name, symbols in meant.items() if symbols])
    names = _without_outer(asked.names, meant)
    if len(names) < 2:
        return Traced()
    return tracer.among(Asked(names, asked.strict), meant)


def _without_outer(names: Sequence[str], meant: dict[str, list[Located]]) -> tuple[str, ...]:
    """The names without types of which a member is named as well, and names for the same."""
    kept: list[str] = []
    for name in names:
        inner = [s for other in names if other != name for s in meant[other]]
        outer = meant[name]
        holds = all(s.kind in CONTAINERS for s in outer) and any(
            s.file == o.file and s.qualified.startswith(f"{o.qualified}.") for o in outer for s in inner
        )
        same = any({s.place for s in meant[name]} == {s.place for s in meant[other]} for other in kept)
        if not holds and not same:
            kept.append(name)
    return tuple(kept)


class _Tracer:
    """Looks for paths over one graph."""

    def __init__(self, graph: Graph, corpus: Corpus) -> None:
        self._corpus = corpus
        self.graph = graph
        self._lines: dict[str, Sequence[str]] = {}
        self._legs: dict[tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]], tuple[Edge, ...]] = {}

    def among(self, asked: Asked, meant: dict[str, list[Located]]) -> Traced:
        """The paths in the order asked for; of a mere list in the order that joins most of them."""
        paths = self._joined([meant[name] for name in asked.names])
        wanted = len(asked.names) - 1
        if not asked.strict and _legs(paths, meant, asked.names) < wanted and len(asked.names) <= MOST_ORDERED:
            for names in permutations(asked.names):
                others = self._joined([meant[name] for name in names])
                if _legs(others, meant, names) > _legs(paths, meant, asked.names):
                    paths = others
        return Traced(tuple(map(_path_of, paths)))

    def _joined(self, stops: list[list[Located]]) -> list[list[Edge]]:
        """The legs between each two, those that meet in one path."""
        paths: list[list[Edge]] = []
        for sources, targets in pairwise(stops):
            last = paths[-1][-1].target if paths and paths[-1] else None
            start = [last] if last and last.place in {s.place for s in self._starts(sources)} else []
            leg = self._leg(start, targets) if start else []
            if leg and not {e.target.place for e in leg} & {e.source.place for e in paths[-1]}:
                paths[-1] = [*paths[-1], *leg]
            elif leg := self._leg(sources, targets):
                paths.append(leg)
        return paths

    def _leg(self, sources: list[Located], targets: list[Located]) -> list[Edge]:
        starts, ends = self._starts(sources), self._starts(targets)
        shared = {s.place for s in starts} & {s.place for s in ends}
        starts = [s for s in starts if s.place not in shared]
        ends = [s for s in ends if s.place not in shared]
        key = frozenset(s.place for s in starts), frozenset(s.place for s in ends)
        if key not in self._legs:
            self._legs[key] = self._standing(starts, ends)
        return list(self._legs[key])

    def _standing(self, starts: list[Located], ends: list[Located]) -> tuple[Edge, ...]:
        """The cheapest way all of whose evidence is in the files as they are now."""
        banned: dict[Edge, bool] = {}
        for _ in range(MOST_TRIES):
            way = cheapest(self.graph, starts, ends, banned)
            fallen = [edge for edge in way if not self._stands(edge)] or _given_elsewhere(way) or self._astray(way)
            if not fallen:
                return way
            banned.update(dict.fromkeys(fallen, True))
        return ()

    def _astray(self, way: Sequence[Edge]) -> list[Edge]:
        """A step to what overrides a member in a type that the object is none of, as it was called on another, or on
        what is above. An object stays the same in what is called on itself."""
        types, of, is_fixed = self.graph.types, None, False
        for edge in way:
            to = types.around(edge.target)
            if edge.how is How.OVERRIDES:
                known = of is not None and to is not None and of != types.around(edge.source)
                if is_fixed or (known and of and to not in (of, *types.below(of))):
                    return [edge]
                of = to
            else:
                of = self._object_of(edge, of)
            is_fixed = edge.how is How.CALLS and edge.on in SUPER
        return []

    def _object_of(self, edge: Edge, of: Type | None) -> Type | None:
        """The type of what a call is made on, by that of what calls."""
        types, own, to = self.graph.types, self.graph.types.around(edge.source), self.graph.types.around(edge.target)
        if edge.how is not How.CALLS or to is None:
            return None
        if own and (edge.on in THIS | SUPER or not edge.on):
            return (of or own) if to in (own, *types.above(own)) else None
        return self.graph.meaning.type_on(edge.source, edge.on)[0] if edge.on else None

    def _stands(self, edge: Edge) -> bool:
        ends = (Site(s.path, s.line, s.name) for s in (edge.source, edge.target))
        return all(self._shows(site) for site in (edge.site, edge.given, *ends) if site is not None)

    def _shows(self, site: Site) -> bool:
        if site.path not in self._lines:
            source = self._corpus.sources([site.path]).get(site.path)
            # Of a file with other bytes nothing is known of what its lines call.
            self._lines[site.path] = source.lines if source and source.as_indexed else ()
        lines = self._lines[site.path]
        return site.line <= len(lines) and site.word in lines[site.line - 1]

    def _starts(self, symbols: list[Located]) -> list[Located]:
        """The symbols, and for types their members."""
        found = {s.place: s for s in symbols}
        for symbol in symbols:
            if symbol.kind in CONTAINERS:
                found |= {s.place: s for s in self._members(symbol)}
        return list(found.values())

    def _members(self, symbol: Located) -> Iterator[Located]:
        inner = self.graph.types.inside(symbol)
        yield from [s for s in inner if s.kind in CALLABLE][:MOST_MEMBERS]


def _given_elsewhere(edges: Sequence[Edge]) -> list[Edge]:
    """Steps by way of a parameter that somebody else than the steps before gives its value."""
    return [
        edge
        for at, edge in enumerate(edges)
        if at and edge.giver and all(before.source.place != edge.giver.place for before in edges[:at])
    ]


def _legs(paths: list[list[Edge]], meant: dict[str, list[Located]], names: Sequence[str]) -> float:
    """How many of the names are joined, one path before several."""
    places = {place for path in paths for edge in path for place in (edge.source.place, edge.target.place)}
    joined = sum(any(s.place in places for s in meant[name]) for name in names)
    return joined - 1 - 0.1 * (len(paths) - 1) if paths else 0.0


def _path_of(edges: Sequence[Edge]) -> CallPath:
    return CallPath(_stop(edges[0].source), tuple(Step(_stop(e.target), e.how, e.site, e.given) for e in edges))


def _stop(symbol: Located) -> Stop:
    return Stop(symbol.qualified, symbol.path, symbol.line, symbol.place)
