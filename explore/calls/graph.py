"""The call graph of a corpus, edge by edge as it is asked for: what a symbol leads to and what leads to it, each on
evidence. What a name means is decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from explore.calls.meaning import TABLES, Meaning
from explore.calls.types import BY_FOLDER, CONSTRUCTORS, Type, family
from explore.calls.values import Values
from explore.model.calls import How, Site
from explore.model.corpus import MOST_LOCATED, MOST_USES, Corpus, Located, Use
from explore.model.source import BODIES, RETURNED, EdgeKind, Kind, Reference

COSTS: Final = {
    How.CALLS: 2,
    How.IMPLEMENTS: 4,
    How.OVERRIDES: 3,
    How.RETURNS: 3,
    How.THROUGH: 5,
    How.DECORATES: 6,
    How.EVENT: 6,
    How.PASSES: 8,
}
"""What a step costs beside a plain call's 2, so that plain paths win where they are not much longer."""

MOST_BACK: Final = 60
"""Uses of a name among which the callers of one symbol are looked for; of a name with more they are found from the
other end."""

_INVOKERS: Final = frozenset(
    {"Invoke", "ServeHTTP", "apply", "call", "invoke", "accept", "run", "test", "exec", "__call__"}
)
"""Calls that run the function which they are made on."""

_COMMON_EVENTS: Final = frozenset(
    "abort change click close connect connection data disconnect drain end error exit finish input load message open"
    " pause pipe ready request response resume start stop submit timeout update".split()
)
"""Events that all kinds of objects send; only in one file they are taken to be the same."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A step from one symbol to another, on evidence."""

    source: Located
    target: Located
    how: How
    site: Site
    given: Site | None = None
    giver: Located | None = None
    """Who hands the target to a parameter that it is called through: it leads here only after that one."""
    on: str = ""
    """What a call is made on."""

    @property
    def cost(self) -> int:
        return COSTS[self.how]


class Graph:
    """Edges of a corpus. Made for one question; everything is looked up once."""

    def __init__(self, corpus: Corpus) -> None:
        self.meaning = Meaning(corpus)
        self.types = self.meaning.types
        self._corpus = corpus
        self._values = Values(corpus, self.meaning)
        self.partly: set[tuple[int, int]] = set()
        """Symbols whose names are so common that not all of what leads to them is known."""
        self._out: dict[tuple[int, int], tuple[Edge, ...]] = {}
        self._in: dict[tuple[int, int], tuple[Edge, ...]] = {}

    @property
    def expanded(self) -> int:
        """How many symbols' edges were looked up."""
        return len(self._out) + len(self._in)

    def out_of(self, symbol: Located) -> tuple[Edge, ...]:
        """What a symbol leads to, by line."""
        if symbol.place not in self._out:
            self._out[symbol.place] = tuple(_once(self._leading_out(symbol)))
        return self._out[symbol.place]

    def into(self, symbol: Located) -> tuple[Edge, ...]:
        """What leads to a symbol, as far as its name is no common one; by path and line."""
        if symbol.place not in self._in:
            self._in[symbol.place] = tuple(_once(self._leading_in(symbol)))
        return self._in[symbol.place]

    def _leading_out(self, symbol: Located) -> Iterator[Edge]:
        for reference in self.types.references(symbol):
            site = _site(symbol, reference)
            if reference.kind is EdgeKind.CALLS:
                calls = list(self._calls_of(Use(symbol, reference)))
                yield from calls or self._through(symbol, reference)
            elif reference.kind is EdgeKind.PASSES:
                how = _handing(reference)
                handed = self.meaning.handed_on(symbol, reference) or self.meaning.tables(symbol, reference)
                yield from (Edge(symbol, target, how, site) for target in handed)
            elif reference.kind is EdgeKind.EMITS:
                yield from self._listeners(symbol, reference)
        yield from self._overriding(symbol)
        yield from self._decorated(symbol)

    def _leading_in(self, symbol: Located) -> Iterator[Edge]:
        for name in self.meaning.called_as(symbol):
            uses = self._corpus.uses(name, EdgeKind.CALLS)
            if len(uses) > MOST_BACK:
                self.partly.add(symbol.place)
                continue
            for use in uses:
                if use.user.kind is not Kind.CODE:
                    yield from (edge for edge in self._calls_of(use) if edge.target.place == symbol.place)
        yield from self._handed_in(symbol)
        yield from self._tables_in(symbol)
        yield from self._overridden(symbol)
        yield from self._listened(symbol)
        yield from self._decorators(symbol)

    def _calls_of(self, use: Use) -> Iterator[Edge]:
        site = _site(use.user, use.reference)
        called = self.meaning.called(use.user, use.reference)
        yield from (Edge(use.user, target, How.CALLS, site, on=use.reference.module) for target in called)
        for target in () if called else self.meaning.implementing(use.user, use.reference):
            yield Edge(use.user, target, How.IMPLEMENTS, site)

    def _through(self, user: Located, reference: Reference) -> Iterator[Edge]:
        """Where a call means no function: the functions that its variable is given."""
        name, on = reference.name, reference.module
        if name in _INVOKERS and on and on != "?":
            on, _, name = on.rpartition(".")
        site = Site(user.path, reference.line, name)
        for given, target, giver in self._values.of(user, name, on):
            yield Edge(user, target, How.THROUGH, site, given, giver)

    def _handed_in(self, symbol: Located) -> Iterator[Edge]:
        """Who hands a function on, and who calls it through what it was handed to."""
        if symbol.kind not in (Kind.FUNCTION, Kind.METHOD):
            return
        uses = self._corpus.uses(symbol.name, EdgeKind.PASSES)
        for use in uses if len(uses) < MOST_USES else ():
            if symbol.place not in [t.place for t in self.meaning.handed_on(use.user, use.reference)]:
                continue
            if use.user.kind is not Kind.CODE:
                yield Edge(use.user, symbol, _handing(use.reference), _site(use.user, use.reference))
            yield from self._callers_of_slot(use, symbol, 0)

    def _tables_in(self, symbol: Located) -> Iterator[Edge]:
        """Who hands on a table."""
        uses = self._corpus.uses(symbol.name, EdgeKind.PASSES) if symbol.kind in TABLES else ()
        for use in uses if len(uses) < MOST_USES else ():
            if use.user.kind is not Kind.CODE and symbol in self.meaning.tables(use.user, use.reference):
                yield Edge(use.user, symbol, _handing(use.reference), _site(use.user, use.reference))

    def _callers_of_slot(self, use: Use, symbol: Located, depth: int) -> Iterator[Edge]:
        """Who calls what a value was handed to: a function its parameter, a type's members its field."""
        slot = use.reference.module.partition(" ")[0]
        called, _, at = slot.partition("#")
        if depth > 2 or not called:
            return
        for caller in self._values.callers(use, called, at):
            for edge in self.out_of(caller):
                if edge.target.place == symbol.place and edge.how is How.THROUGH:
                    yield edge

    def _overriding(self, symbol: Located) -> Iterator[Edge]:
        if symbol.kind is not Kind.METHOD and "." not in symbol.qualified:
            return
        of = self.types.around(symbol)
        if of is None or not of.symbols or symbol.name in CONSTRUCTORS.get(of.family, (of.name,)):
            return
        for one in self.types.below(of):
            for member in self.types.members(one, symbol.name):
                yield Edge(symbol, member, How.OVERRIDES, Site(member.path, member.line, member.name))

    def _overridden(self, symbol: Located) -> Iterator[Edge]:
        if symbol.kind is not Kind.METHOD and "." not in symbol.qualified:
            return
        of = self.types.around(symbol)
        if of is None or not of.symbols or symbol.name in CONSTRUCTORS.get(of.family, (of.name,)):
            return
        site = Site(symbol.path, symbol.line, symbol.name)
        above = self.types.above(of)
        for one in (*above, *self._interfaces(symbol, of)):
            for member in self.types.members(one, symbol.name):
                if member.place != symbol.place:
                    yield Edge(member, symbol, How.OVERRIDES, site)

    def _interfaces(self, symbol: Located, of: Type) -> Iterator[Type]:
        """The interfaces of Go that a type has all methods of."""
        if of.family not in BY_FOLDER:
            return
        named = self.types.named(symbol.name)
        for other in named if len(named) < MOST_LOCATED else ():
            one = self.types.around(other) if other.parent is not None and other.language == "go" else None
            if one and one != of and of in self.types.below(one):
                yield one

    def _decorated(self, symbol: Located) -> Iterator[Edge]:
        """What a decorator is put above."""
        uses = self._corpus.uses(symbol.name, EdgeKind.DECORATES) if symbol.kind in BODIES else ()
        for use in uses if len(uses) < MOST_USES else ():
            if use.user.kind in (Kind.FUNCTION, Kind.METHOD) and symbol in self.meaning.called(use.user, use.reference):
                yield Edge(symbol, use.user, How.DECORATES, Site(use.user.path, use.reference.line, symbol.name))

    def _decorators(self, symbol: Located) -> Iterator[Edge]:
        for row in self.types.references(symbol):
            if row.kind is EdgeKind.DECORATES:
                site = Site(symbol.path, row.line, row.name)
                yield from (
                    Edge(t, symbol, How.DECORATES, site) for t in self.meaning.called(symbol, row) if t.kind in BODIES
                )

    def _listeners(self, symbol: Located, sent: Reference) -> Iterator[Edge]:
        uses = self._corpus.uses(sent.name, EdgeKind.LISTENS)
        for use in uses if len(uses) < MOST_USES else ():
            for target in self._acts(use):
                if sent.name in _COMMON_EVENTS and target.file != symbol.file:
                    continue
                if target.place != symbol.place and family(target.language) == family(symbol.language):
                    given = Site(use.user.path, use.reference.line, sent.name)
                    yield Edge(symbol, target, How.EVENT, Site(symbol.path, sent.line, sent.name), given)

    def _acts(self, use: Use) -> Sequence[Located]:
        """The function that awaits an event: the one named for it, else that which holds it."""
        if use.reference.module:
            for row in self.types.references(use.user):
                if (
                    row.kind is EdgeKind.PASSES
                    and row.name == use.reference.module
                    and 0 <= row.line - use.reference.line <= 6
                ):
                    return self.meaning.handed_on(use.user, row)
            return ()
        return (use.user,) if use.user.kind in (Kind.FUNCTION, Kind.METHOD) else ()

    def _listened(self, symbol: Located) -> Iterator[Edge]:
        """Who sends the events that a function awaits."""
        for use in self._awaiting(symbol):
            if symbol not in self._acts(use):
                continue
            sent = self._corpus.uses(use.reference.name, EdgeKind.EMITS)
            for sender in sent if len(sent) < MOST_USES else ():
                if sender.user.kind is not Kind.CODE and sender.user.place != symbol.place:
                    yield from (
                        e for e in self._listeners(sender.user, sender.reference) if e.target.place == symbol.place
                    )

    def _awaiting(self, symbol: Located) -> Iterator[Use]:
        own = self.types.references(symbol)
        yield from (Use(symbol, row) for row in own if row.kind is EdgeKind.LISTENS and not row.module)
        uses = self._corpus.uses(symbol.name, EdgeKind.PASSES)
        for use in uses if len(uses) < MOST_USES else ():
            for row in self.types.references(use.user):
                if row.kind is EdgeKind.LISTENS and row.module == symbol.name:
                    yield Use(use.user, row)


def _handing(reference: Reference) -> How:
    return How.RETURNS if reference.module.partition(" ")[0] == RETURNED else How.PASSES


def _site(user: Located, reference: Reference) -> Site:
    return Site(user.path, reference.line, reference.name)


def _once(edges: Iterable[Edge]) -> Iterator[Edge]:
    """The cheapest edge to each other symbol, the first of equals; by way of a parameter one for each giver."""
    best: dict[tuple[tuple[int, int], tuple[int, int], Located | None], Edge] = {}
    for edge in edges:
        key = edge.source.place, edge.target.place, edge.giver
        if key[0] != key[1] and (key not in best or edge.cost < best[key].cost):
            best[key] = edge
    yield from best.values()
