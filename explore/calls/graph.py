"""The call graph of a corpus, edge by edge as it is asked for: what a symbol leads to and what leads to it, each on
evidence. Where a name may mean several things and nothing picks one, there is no edge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from explore.calls.types import (
    BY_FOLDER,
    CONSTRUCTORS,
    EXPLICIT,
    Type,
    Types,
    family,
    imported,
    is_declaration,
    scope_of,
)
from explore.calls.resolve import leads_to
from explore.model.calls import How, Site
from explore.model.corpus import MOST_LOCATED, MOST_USES, Corpus, Located, Use
from explore.model.source import BODIES, CONTAINERS, EdgeKind, Kind, Reference, parameters

COSTS: Final = {
    How.CALLS: 2,
    How.CLOSURE: 3,
    How.OVERRIDES: 3,
    How.THROUGH: 5,
    How.DECORATES: 6,
    How.EVENT: 6,
    How.PASSES: 8,
}
"""What a step costs beside a plain call's 2, so that plain paths win where they are not much longer."""

MOST_DEPTH: Final = 4
"""How far a chain of names, or a value handed from variable to variable, is followed."""

MOST_BACK: Final = 60
"""Uses of a name among which the callers of one symbol are looked for; of a name with more they are found from the
other end."""

MOST_FAMILY: Final = 8
"""Members of one name among which the one is looked for that the others override."""

_THIS: Final = frozenset({"self", "this", "cls", "Self", "static", "$this", "@this"})
_SUPER: Final = frozenset({"super", "super()", "parent", "base"})
_IMPLICIT: Final = frozenset({"c", "csharp", "java", "kotlin", "ruby"})
"""Families where a member is called by its name alone."""

_SET_IN_MEMBERS: Final = frozenset({"javascript", "php", "python", "ruby"})
"""Families where members tell of fields by setting them."""

_COMMON: Final = frozenset(
    "accept add all any append apply bind build call clear clone close collect compare contains copy count create"
    " delete destroy each emit encode decode end equals error execute exists filter find first flush format forEach get"
    " getName getValue group has hash index init insert invoke is items iter join keys last len length list load lock"
    " log map match merge name next notify on open parse peek pop post print process push put query read reduce register"
    " release remove render replace request reset resolve reverse run save seek select send set size slice sort split"
    " start stop strip submit test then toString trim type unlock update validate value values wait write".split()
)
"""Names that the values of every language have; a single definition of one proves nothing."""

_APPLIERS: Final = frozenset({"apply", "bind", "call"})
_APPLYING: Final = frozenset({"javascript", "tsx", "typescript"})
"""What a function of these languages is called, or bound, by as a method of it."""

_INVOKERS: Final = frozenset({"Invoke", "ServeHTTP", "apply", "call", "invoke", "accept", "run", "test", "exec", "__call__"})
"""Calls that run the function which they are made on."""

LEAST_TELLING: Final = 6


@dataclass(frozen=True, slots=True)
class Edge:
    """A step from one symbol to another, on evidence."""

    source: Located
    target: Located
    how: How
    site: Site
    given: Site | None = None

    @property
    def cost(self) -> int:
        return COSTS[self.how]


class Graph:
    """Edges of a corpus. Made for one question; everything is looked up once."""

    def __init__(self, corpus: Corpus) -> None:
        self.types = Types(corpus)
        self._corpus = corpus
        self._meant: dict[tuple[int, int, str, str], tuple[Located, ...]] = {}
        self._imports: dict[int, dict[str, list[str]]] = {}
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
                called = self.called(symbol, reference)
                yield from (Edge(symbol, target, How.CALLS, site) for target in called)
                if not called:
                    yield from self._through(symbol, reference)
            elif reference.kind is EdgeKind.PASSES:
                yield from (Edge(symbol, t, How.PASSES, site) for t in self.handed_on(symbol, reference))
            elif reference.kind is EdgeKind.EMITS:
                yield from self._listeners(symbol, reference)
        yield from self._overriding(symbol)
        yield from self._inside(symbol)
        yield from self._decorated(symbol)

    def _leading_in(self, symbol: Located) -> Iterator[Edge]:
        for name in self._called_as(symbol):
            uses = self._corpus.uses(name, EdgeKind.CALLS)
            if len(uses) <= MOST_BACK:
                for use in uses:
                    yield from self._if_to(use.user, self._calls_of(use), symbol)
        yield from self._handed_in(symbol)
        yield from self._overridden(symbol)
        yield from self._listened(symbol)
        yield from self._decorators(symbol)
        parent = self.types.parent(symbol)
        if parent and parent.kind in BODIES:
            yield from (edge for edge in self._inside(parent) if edge.target.place == symbol.place)

    def _if_to(self, user: Located, edges: Iterable[Edge], symbol: Located) -> Iterator[Edge]:
        if user.kind is not Kind.CODE:
            yield from (edge for edge in edges if edge.target.place == symbol.place)

    def _calls_of(self, use: Use) -> Iterator[Edge]:
        site = _site(use.user, use.reference)
        for target in self.called(use.user, use.reference):
            yield Edge(use.user, target, How.CALLS, site)

    def _called_as(self, symbol: Located) -> list[str]:
        """The names by which a symbol can be called: its own, or its type's where it constructs one."""
        own = [symbol.name] if symbol.kind is not Kind.CODE else []
        if symbol.name in CONSTRUCTORS.get(family(symbol.language), ()) and "." in symbol.qualified:
            return [*own, scope_of(symbol).rsplit(".", 1)[-1], *(("new",) if symbol.language == "ruby" else ())]
        return own

    # What a name means

    def called(self, user: Located, reference: Reference) -> tuple[Located, ...]:
        """The functions that a call means; several only where they are of one name in one type (overloads)."""
        return self._resolved(user, reference.name, reference.module)

    def _resolved(self, user: Located, name: str, on: str) -> tuple[Located, ...]:
        """As `called`; what turns out to hang on itself means nothing."""
        key = user.file, user.ordinal, name, on
        if key not in self._meant:
            self._meant[key] = ()
            self._meant[key] = tuple(dict.fromkeys(self._called(user, name, on)))
        return self._meant[key]

    def _called(self, user: Located, name: str, on: str) -> Sequence[Located]:
        if not on:
            return self._by_itself(user, name)
        if on == "?":
            return self._by_name_alone(user, name, "")
        if name in _APPLIERS and user.language in _APPLYING:
            on, _, name = on.rpartition(".")
            return self._resolved(user, name, on)
        if found := self._construction(user, name, on):
            return found
        of, known = self._type_on(user, on)
        if of:
            return self.types.inherited(of, name, from_above=on in _SUPER) or self._abstract(of, name)
        if known:
            return ()
        if found := self._in_module(user, name, on):
            return found
        if self._is_foreign(user, on):
            return ()
        return self._by_name_alone(user, name, on.rsplit(".", 1)[-1])

    def _construction(self, user: Located, name: str, on: str) -> Sequence[Located]:
        """`Type.new` in Ruby; elsewhere types are called by their names."""
        if name == "new" and user.language == "ruby" and (of := self.types.meant(on, user)):
            return self._constructor(of)
        if name[:1].isupper() and (of := self.types.meant(f"{on}.{name}", user)):
            if of.symbols and of.symbols[0].kind is not Kind.TYPE and self._imports_of(user, on):
                return self._constructor(of)
        return ()

    def _imports_of(self, user: Located, on: str) -> list[str]:
        """The modules that a name stands for in a file."""
        if user.file not in self._imports:
            by_name: dict[str, list[str]] = {}
            for row in self._corpus.of_kind(user.file, EdgeKind.IMPORTS):
                for name, module in _bindings(row, family(user.language)):
                    by_name.setdefault(name, []).append(module)
            self._imports[user.file] = by_name
        return self._imports[user.file].get(on, [])

    def _by_itself(self, user: Located, name: str) -> Sequence[Located]:
        """What a name called by itself means: something inside the functions around, a member where those are called
        so, a function or a type of the file, of what it imports, of its package, or the only one."""
        kin = family(user.language)
        found = [s for s in self.types.named(name) if family(s.language) == kin and s.kind is not Kind.CODE]
        if inner := _nearest_inside(found, user):
            return inner
        if name in self._parameters(user):
            return ()
        if kin in _IMPLICIT and (of := self.types.around(user)):
            if members := self.types.inherited(of, name):
                return members
        if functions := self._picked_function(found, user, name):
            return functions
        if any(s.kind in CONTAINERS for s in found) and (of := self.types.meant(name, user)):
            return self._constructor(of)
        return ()

    def _picked_function(self, found: Sequence[Located], user: Located, name: str) -> Sequence[Located]:
        free = [s for s in found if _is_free(s)]
        free = [s for s in free if not is_declaration(s)] or free
        nearest = self._nearest(free, user, name)
        return _variants(nearest) if family(user.language) == "c" else _of_one_name(nearest)

    def _nearest(self, found: list[Located], user: Located, name: str) -> list[Located]:
        kin = family(user.language)
        if here := [s for s in found if s.file == user.file]:
            return here
        rows = self._corpus.of_kind(user.file, EdgeKind.IMPORTS)
        by_name = [row.module for row in rows if row.name == name]
        modules = by_name or [row.module for row in rows if not row.name or kin not in EXPLICIT]
        if kin in EXPLICIT and not by_name and not any(not row.name for row in rows):
            return []
        if there := [s for s in found if any(leads_to(m, user.path, s.path) for m in modules)]:
            return there
        if by_name and (there := [s for s in found if any(imported(m, name, user.path, s.path) for m in by_name)]):
            return there
        if kin in EXPLICIT:
            return []
        folder = user.path.rpartition("/")[0]
        if there := [s for s in found if s.path.rpartition("/")[0] == folder]:
            return there
        return [] if kin in BY_FOLDER else [s for s in found if not s.aside or user.aside]

    def _constructor(self, of: Type) -> Sequence[Located]:
        """What runs when a type is made; the type where nothing does."""
        for name in CONSTRUCTORS.get(of.family, (of.name,)):
            if found := self.types.inherited(of, name):
                return found
        return of.symbols[:1]

    def _abstract(self, of: Type, name: str) -> Sequence[Located]:
        """A member that a type lacks and exactly one of those below it has."""
        found = [m for below in self.types.below(of) for m in self.types.members(below, name)]
        return _of_one_name(found)

    def _in_module(self, user: Located, name: str, on: str) -> Sequence[Located]:
        """A function, or type, of the module that it is called on."""
        modules = self._imports_of(user, on)
        found = [s for s in self.types.named(name) if _is_free(s) and family(s.language) == family(user.language)]
        found = [s for s in found if not is_declaration(s)] or found
        if user.language == "rust":
            last = on.rsplit(".", 1)[-1]
            found = [s for s in found if last in ("crate", "self", "super") or last in s.path.replace(".rs", "").split("/")]
            return _of_one_name(self._nearest(found, user, name) or found)
        if user.language in ("cpp", "c"):
            return _of_one_name([s for s in found if "." not in s.qualified]) if on[:1].islower() else ()
        there = [s for s in found if any(leads_to(module, user.path, s.path) for module in modules)]
        return _of_one_name(there)

    def _is_foreign(self, user: Located, on: str) -> bool:
        """Whether what it is called on comes from outside of the project: an imported name, or what a call of one
        gives."""
        root = on.split(".", 1)[0].removesuffix("()")
        return bool(self._imports_of(user, root)) or bool(self._imports_of(user, on))

    def _by_name_alone(self, user: Located, name: str, on: str) -> Sequence[Located]:
        """A member called on what nothing is known of: of the type that the variable is named for, else where a telling
        name is that of one function only, or of one and those that override it."""
        if on and on.isidentifier() and (of := self.types.of_name_like(on.strip("_"), user)):
            if found := self.types.inherited(of, name):
                return found
        if name in _COMMON or (len(name) < LEAST_TELLING and not _is_compound(name)):
            return ()
        kin = family(user.language)
        found = [s for s in self.types.named(name) if family(s.language) == kin and s.kind in BODIES]
        if len(found) >= MOST_LOCATED:
            return ()
        found = [s for s in found if not is_declaration(s)] or found
        found = [s for s in found if not s.aside or user.aside]
        if one := _of_one_name([s for s in found if "." in s.qualified]):
            return one if len(found) == len(one) else ()
        return self._root_of(found) if len(found) <= MOST_FAMILY else ()

    def _root_of(self, members: Sequence[Located]) -> Sequence[Located]:
        """The one of these members that all others override, if there is one."""
        types = {member.place: self.types.around(member) for member in members}
        if not all(types.values()):
            return ()
        for member in members:
            of = types[member.place]
            if of and all(other in (of, *self.types.below(of)) for other in types.values()):
                return [m for m in members if types[m.place] == of]
        return ()

    # What is known of what it is called on

    def _type_on(self, user: Located, on: str, depth: int = 0) -> tuple[Type | None, bool]:
        """The type of a chain of names, and whether anything is known of it."""
        if on in _THIS or on in _SUPER or on == "super" or self._is_receiver(user, on):
            return self.types.around(user), True
        first, *rest = on.split(".")
        if rest and "." in on and (of := self.types.meant(on, user)) and on.rsplit(".", 1)[-1][:1].isupper():
            return of, True
        of, known = self._type_of_root(user, first, depth)
        for part in rest:
            if of is None or depth >= MOST_DEPTH:
                return None, known
            of, known = self._type_of_part(of, part, depth + 1)
        return of, known

    def _is_receiver(self, user: Located, on: str) -> bool:
        """Whether a name is that of the object which a method of Go is called on."""
        return user.language == "go" and user.signature.startswith(f"func ({on} ") and on.isidentifier()

    def _type_of_root(self, user: Located, name: str, depth: int) -> tuple[Type | None, bool]:
        if name in _THIS or name in _SUPER or self._is_receiver(user, name):
            return self.types.around(user), True
        if name.endswith("()"):
            return self._type_given(user, self._by_itself(user, name[:-2]), depth)
        if name.endswith("[]"):
            return None, True
        if name.startswith("@"):
            of = self.types.around(user)
            return self._type_of_part(of, name.lstrip("@"), depth) if of else (None, False)
        if said := self._said(user, name):
            return self._type_said(user, said, depth)
        if (name[:1].isupper() or family(user.language) != "go") and (of := self.types.meant(name, user)):
            return of, True
        if family(user.language) in _IMPLICIT and (of := self.types.around(user)):
            return self._type_of_part(of, name, depth)
        return None, False

    def _said(self, user: Located, name: str) -> str:
        """What the functions around say of the type of a variable, the last first; then the file as a whole."""
        symbol: Located | None = user
        while symbol is not None:
            rows = self.types.references(symbol)
            if symbol.kind in BODIES or symbol.kind is Kind.CODE:
                if said := [r.module for r in rows if r.kind is EdgeKind.TYPES and r.name == name]:
                    return said[-1] if len(set(said)) == 1 else next((s for s in said if s[0] != "="), said[0])
            symbol = self.types.parent(symbol)
        return ""

    def _type_said(self, user: Located, said: str, depth: int) -> tuple[Type | None, bool]:
        if depth >= MOST_DEPTH:
            return None, True
        if said.startswith("="):
            other = self._said(user, said[1:])
            return self._type_said(user, other, depth + 1) if other and other != said else (None, False)
        if said.endswith("()"):
            return self._type_made(user, said[:-2], depth + 1)
        return self.types.meant(said, user), True

    def _type_made(self, user: Located, made: str, depth: int) -> tuple[Type | None, bool]:
        """The type of what a call gives: a type's own, or what a function says that it returns."""
        on, _, name = made.rpartition(".")
        if (not on or name[:1].isupper()) and (of := self.types.meant(made, user)):
            return of, True
        if name in ("new", "default", "getInstance", "create") and on and (of := self.types.meant(on, user)):
            return of, True
        return self._type_given(user, self._resolved(user, name, on) if depth < MOST_DEPTH else (), depth)

    def _type_given(self, user: Located, functions: Sequence[Located], depth: int) -> tuple[Type | None, bool]:
        for function in functions:
            if function.kind in CONTAINERS:
                return self.types.meant(function.qualified, function), True
            if function.name in CONSTRUCTORS.get(family(function.language), ()):
                return self.types.around(function), True
            if given := returned(function):
                return (self.types.around(function) if given in ("Self", "this", "self") else
                        self.types.meant(given, function)), True  # fmt: skip
        return None, False

    def _type_of_part(self, of: Type, part: str, depth: int) -> tuple[Type | None, bool]:
        """The type of a field, or of what a method gives."""
        if part.endswith("()"):
            found = self.types.inherited(of, part[:-2])
            return self._type_given(found[0], found, depth) if found else (None, True)
        for one in (of, *self.types.above(of)):
            for user, said in self._fields(one, part):
                return self._type_said(user, said, depth + 1)
        return None, False

    def _fields(self, of: Type, name: str) -> Iterator[tuple[Located, str]]:
        """What a type says of the type of a field: itself, and its members where they set it."""
        for symbol in of.symbols:
            for row in self.types.references(symbol):
                if row.kind is EdgeKind.TYPES and row.name == name:
                    yield symbol, row.module
        for wanted in (f".{name}", name) if of.family in _SET_IN_MEMBERS else ():
            for use in self._corpus.uses(wanted, EdgeKind.TYPES, aside=of.symbols[0].aside if of.symbols else False):
                if use.user.kind in BODIES and self.types.around(use.user) == of:
                    if wanted[0] == "." or use.user.name in CONSTRUCTORS.get(of.family, (of.name,)):
                        yield use.user, use.reference.module

    def _parameters(self, symbol: Located) -> tuple[str, ...]:
        if symbol.kind not in (Kind.FUNCTION, Kind.METHOD):
            return ()
        return parameters(symbol.signature, symbol.name, symbol.language)

    # Functions as values

    def handed_on(self, user: Located, reference: Reference) -> Sequence[Located]:
        """The functions that a name which is handed on means."""
        _, _, on = reference.module.partition(" ")
        if on:
            of, known = self._type_on(user, on)
            if of:
                return [s for s in self.types.inherited(of, reference.name) if s.kind in (Kind.FUNCTION, Kind.METHOD)]
            return () if known else self._in_module(user, reference.name, on)
        kin = family(user.language)
        found = [s for s in self.types.named(reference.name) if family(s.language) == kin]
        functions = _nearest_inside(found, user) or self._picked_function(found, user, reference.name)
        if not functions and kin in _IMPLICIT and (of := self.types.around(user)):
            functions = self.types.inherited(of, reference.name)
        return [s for s in functions if s.kind in (Kind.FUNCTION, Kind.METHOD)]

    def _through(self, user: Located, reference: Reference) -> Iterator[Edge]:
        """Where a call means no function: the functions that its variable is given."""
        name, on = reference.name, reference.module
        if name in _INVOKERS and on and on != "?":
            on, _, name = on.rpartition(".")
        site = Site(user.path, reference.line, name)
        for given, target in self._values(user, name, on, 0):
            yield Edge(user, target, How.THROUGH, site, given)

    def _values(self, user: Located, name: str, on: str, depth: int) -> Iterator[tuple[Site, Located]]:
        """The functions that a parameter, variable or field can stand for, and where it is given each."""
        if depth > MOST_DEPTH or not name.isidentifier():
            return
        if not on and (taker := self._taker(user, name)):
            at = self._parameters(taker).index(name)
            for called in self._called_as(taker):
                yield from self._values_of_slot(f"{called}#{at}", taker, depth)
            yield from self._values_of_slot(name, taker, depth, keyword=True)
        elif on:
            of, _ = self._type_on(user, on)
            yield from self._values_of_slot(name, user, depth, field_of=of)

    def _taker(self, user: Located, name: str) -> Located | None:
        """The function, itself or around, that has the parameter."""
        symbol: Located | None = user
        while symbol is not None and name not in self._parameters(symbol):
            symbol = self.types.parent(symbol)
        return symbol

    def _values_of_slot(
        self, slot: str, taker: Located, depth: int, *, keyword: bool = False, field_of: Type | None = None
    ) -> Iterator[tuple[Site, Located]]:
        uses = self._corpus.handed(slot)
        if len(uses) >= MOST_USES:
            return
        for use in uses:
            if family(use.user.language) != family(taker.language) or not self._takes(use, slot, taker, keyword, field_of):
                continue
            site = Site(use.user.path, use.reference.line, use.reference.name)
            if targets := self.handed_on(use.user, use.reference):
                yield from ((site, target) for target in targets)
            elif " " not in use.reference.module:
                yield from self._values(use.user, use.reference.name, "", depth + 1)

    def _takes(self, use: Use, slot: str, taker: Located, keyword: bool, field_of: Type | None) -> bool:
        """Whether what is handed on goes to this taker: a call of it, or a field of its type."""
        if "#" in slot or keyword:
            calls = [
                r for r in self.types.references(use.user)
                if r.kind is EdgeKind.CALLS and abs(r.line - use.reference.line) <= (12 if keyword else 6)
                and (keyword or r.name == slot.partition("#")[0])
            ]  # fmt: skip
            return any(taker in self.called(use.user, call) for call in calls)
        around = self.types.around(use.user)
        if field_of is not None and around is not None:
            if around == field_of or around in self.types.above(field_of) or field_of in self.types.above(around):
                return True
        return use.user.file == taker.file or (field_of is not None and any(s.file == use.user.file for s in field_of.symbols))

    def _handed_in(self, symbol: Located) -> Iterator[Edge]:
        """Who hands a function on, and who calls it through what it was handed to."""
        if symbol.kind not in (Kind.FUNCTION, Kind.METHOD):
            return
        uses = self._corpus.uses(symbol.name, EdgeKind.PASSES)
        for use in uses if len(uses) < MOST_USES else ():
            if symbol.place not in [t.place for t in self.handed_on(use.user, use.reference)]:
                continue
            if use.user.kind is not Kind.CODE:
                yield Edge(use.user, symbol, How.PASSES, Site(use.user.path, use.reference.line, symbol.name))
            yield from self._callers_of_slot(use, symbol, 0)

    def _callers_of_slot(self, use: Use, symbol: Located, depth: int) -> Iterator[Edge]:
        """Who calls what a value was handed to: a function its parameter, a type's members its field."""
        slot = use.reference.module.partition(" ")[0]
        called, _, at = slot.partition("#")
        if depth > 2 or not called:
            return
        for caller in self._callers_in(use, called, at):
            for edge in self.out_of(caller):
                if edge.target.place == symbol.place and edge.how is How.THROUGH:
                    yield edge

    def _callers_in(self, use: Use, called: str, at: str) -> Iterator[Located]:
        if not at:
            users = self._corpus.uses(called, EdgeKind.CALLS)
            yield from (u.user for u in users if len(users) < MOST_USES and u.user.kind is not Kind.CODE)
            return
        rows = self.types.references(use.user)
        for row in rows:
            if row.kind is EdgeKind.CALLS and row.name == called and abs(row.line - use.reference.line) <= 6:
                for taker in self.called(use.user, row):
                    yield taker
                    yield from (edge.target for edge in self._inside(taker))
                    yield from self._users_of_kept(taker, int(at))

    def _users_of_kept(self, taker: Located, at: int) -> Iterator[Located]:
        """Who calls the field in which a function keeps its parameter."""
        names = self._parameters(taker)
        kept = names[at] if at < len(names) else ""
        for row in self.types.references(taker):
            if row.kind is EdgeKind.PASSES and row.name == kept and row.module and "#" not in row.module:
                users = self._corpus.uses(row.module, EdgeKind.CALLS)
                yield from (u.user for u in users if len(users) < MOST_USES and u.user.kind is not Kind.CODE)

    # Overriding, nesting, decorating, events

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
            if other.parent is not None and other.language == "go" and (one := self.types.around(other)):
                if one != of and of in self.types.below(one):
                    yield one

    def _inside(self, symbol: Located) -> Iterator[Edge]:
        """The functions that a function defines."""
        if symbol.kind not in (Kind.FUNCTION, Kind.METHOD) or symbol.end - symbol.line < 3:
            return
        for inner in self.types.inside(symbol):
            if inner.kind in (Kind.FUNCTION, Kind.METHOD):
                yield Edge(symbol, inner, How.CLOSURE, Site(inner.path, inner.line, inner.name))

    def _decorated(self, symbol: Located) -> Iterator[Edge]:
        """What a decorator is put above."""
        uses = self._corpus.uses(symbol.name, EdgeKind.DECORATES) if symbol.kind in BODIES else ()
        for use in uses if len(uses) < MOST_USES else ():
            if use.user.kind in (Kind.FUNCTION, Kind.METHOD) and symbol in self.called(use.user, use.reference):
                yield Edge(symbol, use.user, How.DECORATES, Site(use.user.path, use.reference.line, symbol.name))

    def _decorators(self, symbol: Located) -> Iterator[Edge]:
        for row in self.types.references(symbol):
            if row.kind is EdgeKind.DECORATES:
                site = Site(symbol.path, row.line, row.name)
                yield from (Edge(t, symbol, How.DECORATES, site) for t in self.called(symbol, row) if t.kind in BODIES)

    def _listeners(self, symbol: Located, sent: Reference) -> Iterator[Edge]:
        uses = self._corpus.uses(sent.name, EdgeKind.LISTENS)
        for use in uses if len(uses) < MOST_USES else ():
            for target in self._acts(use):
                if target.place != symbol.place and family(target.language) == family(symbol.language):
                    given = Site(use.user.path, use.reference.line, sent.name)
                    yield Edge(symbol, target, How.EVENT, Site(symbol.path, sent.line, sent.name), given)

    def _acts(self, use: Use) -> Sequence[Located]:
        """The function that awaits an event: the one named for it, else that which holds it."""
        if use.reference.module:
            for row in self.types.references(use.user):
                if row.kind is EdgeKind.PASSES and row.name == use.reference.module and 0 <= row.line - use.reference.line <= 6:
                    return self.handed_on(use.user, row)
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
                    yield from (e for e in self._listeners(sender.user, sender.reference) if e.target.place == symbol.place)

    def _awaiting(self, symbol: Located) -> Iterator[Use]:
        own = self.types.references(symbol)
        yield from (Use(symbol, row) for row in own if row.kind is EdgeKind.LISTENS and not row.module)
        uses = self._corpus.uses(symbol.name, EdgeKind.PASSES)
        for use in uses if len(uses) < MOST_USES else ():
            for row in self.types.references(use.user):
                if row.kind is EdgeKind.LISTENS and row.module == symbol.name:
                    yield Use(use.user, row)


def returned(function: Located) -> str:
    """The name of the type that a function's signature says it returns; empty where it says none."""
    from explore.calls.signature import returned_type

    return returned_type(function.signature, function.name, function.language)


def _bindings(row: Reference, kin: str) -> Iterator[tuple[str, str]]:
    """The names that an import gives, each with a module that it may stand for."""
    if row.name:
        yield row.name, f"{row.module}{'' if row.module.endswith('.') else '.'}{row.name}"
        yield row.name, row.module
    elif kin != "javascript":
        parts = re.split(r"::|[\\/.]", row.module)
        yield row.module, row.module
        for at in range(1, min(len(parts), 4)) if kin not in EXPLICIT else ():
            yield ".".join(parts[-at:]), row.module


def _site(user: Located, reference: Reference) -> Site:
    """Where a reference stands, and the name of what it means; of `f.call()` that is what it is called on."""
    name = reference.name
    if name in _APPLIERS and user.language in _APPLYING and reference.module not in ("", "?"):
        name = reference.module.rsplit(".", 1)[-1]
    return Site(user.path, reference.line, name)


def _once(edges: Iterable[Edge]) -> Iterator[Edge]:
    """The cheapest edge to each other symbol, the first of equals."""
    best: dict[tuple[tuple[int, int], tuple[int, int]], Edge] = {}
    for edge in edges:
        key = edge.source.place, edge.target.place
        if key[0] != key[1] and (key not in best or edge.cost < best[key].cost):
            best[key] = edge
    yield from best.values()


def _nearest_inside(found: Sequence[Located], user: Located) -> list[Located]:
    """Of these functions those that are inside the user or inside a function around it, the innermost."""
    inside = [
        s for s in found
        if s.file == user.file and scope_of(s) and s.kind in (Kind.FUNCTION, Kind.METHOD) and s.parent is not None
        and f"{user.qualified}.".startswith(f"{scope_of(s)}.") and _in_function(s, user)
    ]  # fmt: skip
    longest = max((len(scope_of(s)) for s in inside), default=0)
    return [s for s in inside if len(scope_of(s)) == longest]


def _in_function(inner: Located, user: Located) -> bool:
    return inner.kind is Kind.FUNCTION or inner.place == user.place


def _is_free(symbol: Located) -> bool:
    """Whether a function is called by its name without an object."""
    if symbol.kind is Kind.MACRO:
        return True
    if symbol.kind is Kind.METHOD:
        return False
    return symbol.kind is Kind.FUNCTION and (symbol.parent is None or "." in symbol.qualified) and _scope_is_open(symbol)


def _scope_is_open(symbol: Located) -> bool:
    """Functions of Go or C with a scope are methods; of others a scope is a module, or a name assigned to."""
    return "." not in symbol.qualified or family(symbol.language) in ("kotlin", "php", "ruby", "rust")


def _of_one_name(found: Sequence[Located]) -> Sequence[Located]:
    """These, where they are one function: all of one qualified name in one file."""
    return found if len({(s.path, s.qualified) for s in found}) == 1 else ()


def _variants(found: Sequence[Located]) -> Sequence[Located]:
    """These functions of C, where they are one: one of them for each platform, all with one head."""
    heads = {"".join(s.signature.split()) for s in found}
    same = len(heads) == 1 and not any("static" in head[:20] for head in heads)
    return found if same else _of_one_name(found)


def _is_compound(name: str) -> bool:
    return "_" in name.strip("_") or any(letter.isupper() for letter in name[1:])
