"""What a name means where it is used: the functions that a call runs, the type of what it is called on, the functions
that are handed on. Where a name may mean several things and nothing picks one, it means none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from explore.calls.pick import functions, is_compound, is_free, nearest_inside, of_one_name, variants
from explore.calls.resolve import leads_to
from explore.calls.signature import element_type, returned_type
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
from explore.model.corpus import MOST_LOCATED, Corpus, Located
from explore.model.source import BODIES, CONTAINERS, EdgeKind, Kind, Reference, parameters

MOST_DEPTH: Final = 4
"""How far a chain of names, or a value handed from variable to variable, is followed."""

MOST_FAMILY: Final = 8
"""Members of one name among which the one is looked for that the others override."""

THIS: Final = frozenset({"self", "this", "cls", "Self", "static", "$this", "@this"})
SUPER: Final = frozenset({"super", "super()", "parent", "base"})
_IMPLICIT: Final = frozenset({"c", "csharp", "java", "kotlin", "ruby"})
"""Families where a member is called by its name alone."""

_SET_IN_MEMBERS: Final = frozenset({"javascript", "php", "python", "ruby"})
"""Families where members tell of fields by setting them."""

_EACH: Final = ("[]", "{}")
"""What a name ends in that means each value, or each key, of what it holds."""

_COMMON: Final = frozenset(
    "accept add all any append apply bind build call clear clone close collect compare contains copy count create"
    " decode delete destroy each emit encode end equals error execute exists filter find first flush forEach"
    " format get getName getValue group has hash index init insert invoke is items iter join keys last len length"
    " list load lock log map match merge name next notify on open parse peek pop post print process push put query"
    " read reduce register release remove render replace request reset resolve reverse run save seek select send"
    " set size slice sort split start stop strip submit test then toString trim type unlock update validate value"
    " values wait write".split()
)
"""Names that the values of every language have; a single definition of one proves nothing."""

TABLES: Final = frozenset({Kind.CONSTANT, Kind.VARIABLE})
"""What may list functions."""

LEAST_TELLING: Final = 6
"""Letters from which on a name of one word tells something by itself."""


class Meaning:
    """What names of a corpus mean. Made for one question; everything is looked up once."""

    def __init__(self, corpus: Corpus) -> None:
        self.types = Types(corpus)
        self._corpus = corpus
        self._meant: dict[tuple[int, int, str, str], tuple[Located, ...]] = {}
        self._imports: dict[int, dict[str, list[str]]] = {}

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
        return self._construction(user, name, on) or self._called_on(user, name, on)

    def _called_on(self, user: Located, name: str, on: str) -> Sequence[Located]:
        """What a name means on something: a member of its type, or a function of a module."""
        of, known = self.type_on(user, on)
        if of:
            return self.types.inherited(of, name, from_above=on in SUPER) or self._abstract(of, name)
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
        of = self.types.meant(f"{on}.{name}", user) if name[:1].isupper() and self._imports_of(user, on) else None
        if of and of.symbols and of.symbols[0].kind is not Kind.TYPE:
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
        if inner := nearest_inside(found, user):
            return inner
        if name in self.parameters(user):
            return ()
        of = self.types.around(user) if kin in _IMPLICIT else None
        if of and (members := self.types.inherited(of, name) or self._abstract(of, name)):
            return members
        if free := self._picked_function(found, user, name):
            return free
        if any(s.kind in CONTAINERS for s in found) and (of := self.types.meant(name, user)):
            return self._constructor(of)
        return ()

    def _picked_function(self, found: Sequence[Located], user: Located, name: str) -> Sequence[Located]:
        free = [s for s in found if is_free(s)]
        free = [s for s in free if not is_declaration(s)] or free
        nearest = self._nearest(free, user, name)
        return variants(nearest) if family(user.language) == "c" else of_one_name(nearest)

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
        return of_one_name(found)

    def implementing(self, user: Located, reference: Reference) -> Sequence[Located]:
        """The members that a call on an interface may run, where that is no symbol's own member."""
        if reference.module in ("", "?") or reference.module in THIS | SUPER:
            return ()
        of, _ = self.type_on(user, reference.module)
        if of is None or any(s.kind not in (Kind.INTERFACE, Kind.TRAIT) for s in of.symbols):
            return ()
        found = [m for below in self.types.below(of) for m in self.types.members(below, reference.name)]
        return (found or self._in_literal(user, of, reference.name)) if len(found) <= MOST_FAMILY else ()

    def _in_literal(self, user: Located, of: Type, name: str) -> Sequence[Located]:
        """The function of an object that JavaScript makes in one piece, where a telling name is of nothing else: such
        an object says nowhere what it implements."""
        if of.family != "javascript" or not of.symbols or not _is_telling(name):
            return ()
        found = [s for s in self.types.named(name) if family(s.language) == of.family and (user.aside or not s.aside)]
        return found if len(found) == 1 and self._is_in_literal(found[0]) else ()

    def _is_in_literal(self, symbol: Located) -> bool:
        around = self.types.parent(symbol)
        return symbol.kind is Kind.METHOD and around is not None and around.kind is Kind.CONSTANT

    def _in_module(self, user: Located, name: str, on: str) -> Sequence[Located]:
        """A function, or type, of the module that it is called on."""
        modules = self._imports_of(user, on)
        found = [s for s in self.types.named(name) if is_free(s) and family(s.language) == family(user.language)]
        found = [s for s in found if not is_declaration(s)] or found
        if user.language == "rust":
            last = on.rsplit(".", 1)[-1]
            found = [
                s for s in found if last in ("crate", "self", "super") or last in s.path.replace(".rs", "").split("/")
            ]
            return of_one_name(self._nearest(found, user, name) or found)
        if user.language in ("cpp", "c"):
            return of_one_name([s for s in found if "." not in s.qualified]) if on[:1].islower() else ()
        there = [s for s in found if any(leads_to(module, user.path, s.path) for module in modules)]
        return of_one_name(there)

    def _is_foreign(self, user: Located, on: str) -> bool:
        """Whether what it is called on comes from outside of the project: an imported name, or what a call of one
        gives."""
        root = on.split(".", 1)[0].removesuffix("()")
        return bool(self._imports_of(user, root)) or bool(self._imports_of(user, on))

    def _by_name_alone(self, user: Located, name: str, on: str) -> Sequence[Located]:
        """A member called on what nothing is known of: of the type that the variable is named for, else where a telling
        name is that of one function only, or of one and those that override it."""
        of = self.types.of_name_like(on.strip("_"), user) if on.isidentifier() else None
        if of and (members := self.types.inherited(of, name)):
            return members
        if not _is_telling(name):
            return ()
        kin = family(user.language)
        found = [s for s in self.types.named(name) if family(s.language) == kin and s.kind in BODIES]
        if len(found) >= MOST_LOCATED:
            return ()
        found = [s for s in found if not is_declaration(s)] or found
        found = [s for s in found if not s.aside or user.aside]
        if one := of_one_name([s for s in found if "." in s.qualified]):
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

    def type_on(self, user: Located, on: str, depth: int = 0) -> tuple[Type | None, bool]:
        """The type of a chain of names, and whether anything is known of it."""
        if on in THIS or on in SUPER or on == "super" or self._is_receiver(user, on):
            return self.types.of_this(user), True
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
        if name in THIS or name in SUPER or self._is_receiver(user, name):
            return self.types.of_this(user), True
        if name.endswith("()"):
            return self._type_given(self._by_itself(user, name[:-2]))
        if name.endswith(_EACH):
            return self._type_of_one(user, name, depth)
        if name.startswith("@"):
            of = self.types.around(user)
            return self._type_of_part(of, name.lstrip("@"), depth) if of else (None, False)
        if said := self._said(user, name.lstrip("$")):
            return self._type_said(user, said, depth)
        if (name[:1].isupper() or family(user.language) != "go") and (of := self.types.meant(name, user)):
            return of, True
        if family(user.language) in _IMPLICIT and (of := self.types.around(user)):
            return self._type_of_part(of, name, depth)
        return None, False

    def _type_of_one(self, user: Located, many: str, depth: int) -> tuple[Type | None, bool]:
        """The type of what a variable holds several of: `many[]` by its values, `many{}` by its keys."""
        one, mark = many[:-2], many[-2:]
        if one.endswith("()") and mark == "[]":
            return self._type_listed(self._by_itself(user, one[:-2]))
        said = self._said(user, one)
        return self._type_among(user, said, mark, depth) if said else (None, False)

    def _type_among(self, user: Located, said: str, mark: str, depth: int) -> tuple[Type | None, bool]:
        """The type of the values, or keys, of what is said to be of this type, or the same as another."""
        if said.startswith("=") and depth < MOST_DEPTH:
            return self.type_on(user, f"{said[1:]}{mark}", depth + 1)
        return self.types.meant(said[:-2], user) if said.endswith(mark) else None, True

    def _type_listed(self, made_by: Sequence[Located]) -> tuple[Type | None, bool]:
        """The type of the values that the first of these functions that says so gives one after another."""
        for function in made_by:
            if given := element_type(function.signature, function.name, function.language):
                return self.types.meant(given, function), True
        return None, bool(made_by)

    def _said(self, user: Located, name: str) -> str:
        """What the functions around say of the type of a variable, the last first; then the file as a whole."""
        symbol: Located | None = user
        while symbol is not None:
            rows = self.types.references(symbol) if symbol.kind in BODIES or symbol.kind is Kind.CODE else ()
            if said := [r.module for r in rows if r.kind is EdgeKind.TYPES and r.name == name]:
                return next((s for s in said if s[0] != "="), said[0])
            symbol = self.types.parent(symbol)
        return ""

    def _type_said(self, user: Located, said: str, depth: int) -> tuple[Type | None, bool]:
        if depth >= MOST_DEPTH:
            return None, True
        if said.startswith("="):
            return self.type_on(user, said[1:], depth + 1)
        if said.endswith(_EACH):
            return None, True
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
        return self._type_given(self._resolved(user, name, on) if depth < MOST_DEPTH else ())

    def _type_given(self, made_by: Sequence[Located]) -> tuple[Type | None, bool]:
        """The type of what the first of these functions that says so returns."""
        for function in made_by:
            if function.kind in CONTAINERS:
                return self.types.meant(function.qualified, function), True
            if function.name in CONSTRUCTORS.get(family(function.language), ()):
                return self.types.around(function), True
            if given := returned_type(function.signature, function.name, function.language):
                return (self.types.around(function) if given in ("Self", "this", "self") else
                        self.types.meant(given, function)), True  # fmt: skip
        return None, False

    def _type_of_part(self, of: Type, part: str, depth: int) -> tuple[Type | None, bool]:
        """The type of a field, or of what a method gives."""
        if part.endswith("()"):
            found = self.types.inherited(of, part[:-2])
            return self._type_given(found) if found else (None, True)
        name, mark = (part[:-2], part[-2:]) if part.endswith(_EACH) else (part, "")
        if name.endswith("()"):
            return self._type_listed(self.types.inherited(of, name[:-2]))
        for one in (of, *self.types.above(of)):
            for user, said in self._fields(one, name):
                return self._type_among(user, said, mark, depth) if mark else self._type_said(user, said, depth + 1)
        return None, False

    def _fields(self, of: Type, name: str) -> Iterator[tuple[Located, str]]:
        """What a type says of the type of a field: itself, and its members where they set it."""
        for symbol in of.symbols:
            for row in self.types.references(symbol):
                if row.kind is EdgeKind.TYPES and row.name == name:
                    yield symbol, row.module
        if of.family in _SET_IN_MEMBERS:
            aside = any(symbol.aside for symbol in of.symbols)
            set_anywhere = self._corpus.uses(f".{name}", EdgeKind.TYPES, aside=aside)
            taken = self._corpus.uses(name, EdgeKind.TYPES, aside=aside)
            taken = [use for use in taken if use.user.name in CONSTRUCTORS.get(of.family, ())]
            for use in (*set_anywhere, *taken):
                if use.user.kind in BODIES and self.types.around(use.user) == of:
                    yield use.user, use.reference.module

    def same_as(self, user: Located, name: str) -> str:
        """The chain of names whose value a variable has been given; empty where that is none."""
        said = self._said(user, name)
        return said[1:].removesuffix("[]") if said.startswith("=") else ""

    def parameters(self, symbol: Located) -> tuple[str, ...]:
        """The names of a function's parameters; none of what is no function."""
        if symbol.kind not in (Kind.FUNCTION, Kind.METHOD):
            return ()
        return parameters(symbol.signature, symbol.name, symbol.language)

    def handed_on(self, user: Located, reference: Reference) -> Sequence[Located]:
        """The functions that a name which is handed on means."""
        _, _, on = reference.module.partition(" ")
        if on:
            of, known = self.type_on(user, on)
            if of:
                return functions(self.types.inherited(of, reference.name))
            return () if known else functions(self._in_module(user, reference.name, on))
        kin = family(user.language)
        found = [s for s in self.types.named(reference.name) if family(s.language) == kin]
        free: Sequence[Located] = nearest_inside(found, user) or self._picked_function(found, user, reference.name)
        if not free and kin in _IMPLICIT and (of := self.types.around(user)):
            free = self.types.inherited(of, reference.name)
        return functions(free)

    def tables(self, user: Located, reference: Reference) -> Sequence[Located]:
        """The table of functions that a name which is handed on means."""
        if reference.module.partition(" ")[2]:
            return ()
        kin = family(user.language)
        found = [s for s in self.types.named(reference.name) if s.kind in TABLES and family(s.language) == kin]
        found = [s for s in found if "." not in s.qualified and s.place != user.place]
        return [s for s in of_one_name(self._nearest(found, user, reference.name)) if self._lists_functions(s)]

    def _lists_functions(self, table: Located) -> bool:
        rows = (row for row in self.types.references(table) if row.kind is EdgeKind.PASSES)
        return any(self.handed_on(table, row) for row in rows)

    def called_as(self, symbol: Located) -> list[str]:
        """The names by which a symbol can be called: its own, or its type's where it constructs one."""
        own = [symbol.name] if symbol.kind is not Kind.CODE else []
        if symbol.name in CONSTRUCTORS.get(family(symbol.language), ()) and "." in symbol.qualified:
            return [*own, scope_of(symbol).rsplit(".", 1)[-1], *(("new",) if symbol.language == "ruby" else ())]
        return own


def _is_telling(name: str) -> bool:
    return name not in _COMMON and (len(name) >= LEAST_TELLING or is_compound(name))


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
