"""Types and their members: which type a name means where it is written, what it inherits and who inherits it. It knows
no calls."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from explore.calls.resolve import is_below, leads_to
from explore.model.corpus import MOST_USES, Corpus, Located
from explore.model.source import CONTAINERS, EdgeKind, Kind, Reference, parameters

Place = tuple[int, int]

MOST_TYPES: Final = 40
"""Types that are looked at above or below one."""

FAMILIES: Final = {"tsx": "javascript", "typescript": "javascript", "cpp": "c"}
"""Languages that share names, by the one that stands for them."""

EXPLICIT: Final = frozenset({"javascript", "python"})
"""Families where a name that is neither in the file nor imported by name is of nowhere else."""

BY_FOLDER: Final = frozenset({"go"})
"""Families where all files of a folder are one piece."""

OPEN: Final = frozenset({"c", "csharp", "go", "kotlin", "ruby", "rust"})
"""Families where members stand apart from their type, in other files too."""

CONSTRUCTORS: Final = {
    "javascript": ("constructor",),
    "kotlin": ("constructor",),
    "php": ("__construct",),
    "python": ("__init__", "__new__"),
    "ruby": ("initialize",),
}
"""Names of constructors, where it is not the type's own."""

_ENDS: Final = re.compile(r";\s*(?:/[/*].*)?$")
_TYPES: Final = CONTAINERS | {Kind.TYPE}


def family(language: str) -> str:
    """The languages whose code can mean each other's names."""
    return FAMILIES.get(language, language)


@dataclass(frozen=True, slots=True)
class Type:
    """A type by its qualified name, with all symbols that declare it."""

    qualified: str
    family: str
    symbols: tuple[Located, ...] = field(compare=False)
    folder: str = ""

    @property
    def name(self) -> str:
        return self.qualified.rsplit(".", 1)[-1]


def is_declaration(symbol: Located) -> bool:
    """Whether a function is only declared there (a prototype), and defined elsewhere."""
    return symbol.language in ("c", "cpp") and _ENDS.search(symbol.signature) is not None


def _may_be_type(symbol: Located) -> bool:
    """Whether a symbol is a type, or a function that JavaScript could make objects with."""
    if symbol.kind is Kind.FUNCTION:
        return family(symbol.language) == "javascript" and symbol.name[:1].isupper()
    return symbol.kind in _TYPES


def scope_of(symbol: Located) -> str:
    """The qualified name of what a symbol is in."""
    return symbol.qualified.rpartition(".")[0]


class Types:
    """The types of a corpus as far as asked for, each looked up once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._named: dict[str, Sequence[Located]] = {}
        self._known: dict[tuple[int, str, str], Type | None] = {}
        self._above: dict[Type, tuple[Type, ...]] = {}
        self._below: dict[Type, tuple[Type, ...]] = {}
        self._members: dict[tuple[Type, str], tuple[Located, ...]] = {}
        self._by_scope: dict[str, Mapping[str, Sequence[Located]]] = {}
        self._inside: dict[Place, Sequence[Located]] = {}
        self._references: dict[Place, Sequence[Reference]] = {}
        self._at: dict[Place, Located | None] = {}
        self._around: dict[Place, Type | None] = {}
        self._impls: dict[Type, tuple[Type, ...]] = {}

    @property
    def looked_up(self) -> int:
        """How many names and symbols were looked up."""
        return len(self._named) + len(self._inside) + len(self._references) + len(self._at)

    def named(self, name: str) -> Sequence[Located]:
        """Symbols of this name."""
        if name not in self._named:
            self._named[name] = self._corpus.located(name)
        return self._named[name]

    def _scoped(self, name: str) -> Mapping[str, Sequence[Located]]:
        """Symbols of this name by the last name of what they are in."""
        if name not in self._by_scope:
            by_scope: dict[str, list[Located]] = {}
            for symbol in self.named(name):
                by_scope.setdefault(scope_of(symbol).rsplit(".", 1)[-1], []).append(symbol)
            self._by_scope[name] = by_scope
        return self._by_scope[name]

    def meant(self, name: str, user: Located) -> Type | None:
        """The type that a name, with what is before it, means in the file of `user`; None where that is open."""
        key = user.file, user.qualified if "." in user.qualified else "", name
        if key not in self._known:
            self._known[key] = self._meant(name, user)
        return self._known[key]

    def around(self, symbol: Located) -> Type | None:
        """The type that a symbol is a member of, through functions around it."""
        if symbol.place not in self._around:
            self._around[symbol.place] = self._type_around(symbol)
        return self._around[symbol.place]

    def of_this(self, symbol: Located) -> Type | None:
        """The type of the object that a function runs on: what it is a member of, or what it makes with JavaScript's
        `new`."""
        around = self.around(symbol)
        makes = around is None and symbol.kind is Kind.FUNCTION and _may_be_type(symbol)
        return self._type([symbol]) if makes else around

    def _type_around(self, symbol: Located) -> Type | None:
        scope = scope_of(symbol)
        while scope:
            here = [s for s in self.named(scope.rsplit(".", 1)[-1]) if s.file == symbol.file and s.qualified == scope]
            if types := [s for s in here if s.kind in _TYPES]:
                return self._type(types)
            if family(symbol.language) in OPEN and (found := self.meant(scope, symbol)):
                return found
            if not any(s.kind in (Kind.FUNCTION, Kind.METHOD) and s.end >= symbol.end for s in here):
                # only its members say that it is there
                return Type(scope, family(symbol.language), (), symbol.path)
            scope = scope.rpartition(".")[0]
        return None

    def members(self, of: Type, name: str) -> tuple[Located, ...]:
        """The members of this name that a type has itself, definitions before declarations."""
        if (of, name) not in self._members:
            found = [s for s in self._scoped(name).get(of.name, ()) if self._is_member(s, of)]
            self._members[of, name] = tuple([s for s in found if not is_declaration(s)] or found)
        return self._members[of, name]

    def inherited(self, of: Type, name: str, *, from_above: bool = False) -> tuple[Located, ...]:
        """The members of this name of the nearest type that has any: itself or, or only, those that it inherits."""
        for each in (() if from_above else (of,), self.above(of)):
            for one in each:
                if found := self.members(one, name):
                    return found
        return ()

    def above(self, of: Type) -> tuple[Type, ...]:
        """What a type inherits, the nearest first."""
        if of not in self._above:
            self._above[of] = tuple(self._walk(of, self._bases))
        return self._above[of]

    def below(self, of: Type) -> tuple[Type, ...]:
        """What inherits a type, the nearest first; of an interface of Go the types that have its methods."""
        if of not in self._below:
            self._below[of] = tuple(self._walk(of, self._heirs))
        return self._below[of]

    def of_name_like(self, word: str, user: Located) -> Type | None:
        """The one type whose name is a variable's, but for case and underscores."""
        bare = word.replace("_", "").lower()
        for name in dict.fromkeys((word[:1].upper() + word[1:], "".join(p.capitalize() for p in word.split("_")))):
            if name.lower() == bare and (found := self.meant(name, user)):
                return found
        return None

    def is_closed(self, of: Type) -> bool:
        """Whether all that a type inherits is in the project."""
        for one in (of, *self.above(of)):
            for symbol in one.symbols:
                for row in self.references(symbol):
                    if row.kind is EdgeKind.INHERITS and self.meant(row.name, symbol) is None:
                        return False
        return True

    def _meant(self, name: str, user: Located) -> Type | None:
        around, _, last = name.rpartition(".")
        found = [
            s for s in self.named(last)
            if _may_be_type(s) and family(s.language) == family(user.language) and not is_declaration(s)
        ]  # fmt: skip
        found = [s for s in found if s.kind is not Kind.TYPE] or found
        if around and family(user.language) in BY_FOLDER:
            package = self._package(around.rsplit(".", 1)[-1], user)
            found = [s for s in found if posixpath.basename(posixpath.dirname(s.path)) == package]
        elif around:
            found = [s for s in found if s.qualified.endswith(name)] or found
        picked = self._picked(found, user, last, qualified=bool(around))
        return self._type(picked) if picked and len({s.qualified for s in picked}) == 1 else None

    def _package(self, name: str, user: Located) -> str:
        """The folder of a package that a file calls by this name."""
        imports = self._corpus.of_kind(user.file, EdgeKind.IMPORTS)
        return next((posixpath.basename(row.module) for row in imports if row.name == name), name)

    def _picked(self, found: list[Located], user: Located, name: str, *, qualified: bool) -> list[Located]:
        """Those of the nearest place that has any."""
        if here := [s for s in found if s.file == user.file]:
            inside = [s for s in here if user.qualified.startswith(f"{scope_of(s)}.") and scope_of(s)]
            return inside or [s for s in here if "." not in s.qualified] or here
        folder = posixpath.dirname(user.path)
        imports = self._corpus.of_kind(user.file, EdgeKind.IMPORTS)
        by_name = [i.module for i in imports if i.name == name]
        modules = by_name or [i.module for i in imports]
        if there := [s for s in found if any(imported(m, name, user.path, s.path) for m in modules)]:
            return there
        if by_name and family(user.language) in EXPLICIT and not any(m.startswith(".") for m in by_name):
            return []  # it comes from outside of the project
        if there := [s for s in found if posixpath.dirname(s.path) == folder]:
            return there
        if family(user.language) in BY_FOLDER and not qualified:
            return []
        return [s for s in found if not s.aside] or found

    def _type(self, symbols: Sequence[Located]) -> Type:
        first = symbols[0]
        kin = family(first.language)
        same = [s for s in self.named(first.name) if s.qualified == first.qualified and _may_be_type(s)]
        if kin in BY_FOLDER:
            same = [s for s in same if posixpath.dirname(s.path) == posixpath.dirname(first.path)]
        elif kin not in OPEN:
            same = [s for s in same if s.file == first.file]
        same = [s for s in same if family(s.language) == kin and s.aside == first.aside]
        folder = posixpath.dirname(first.path) if kin in BY_FOLDER else first.path if kin not in OPEN else ""
        return Type(first.qualified, kin, tuple(same) or tuple(symbols), folder)

    def _is_member(self, symbol: Located, of: Type) -> bool:
        scope = scope_of(symbol)
        if not scope or family(symbol.language) != of.family:
            return False
        if scope != of.qualified and not (of.family in OPEN and f".{of.qualified}".endswith(f".{scope}")):
            return False
        if of.family in BY_FOLDER:
            return posixpath.dirname(symbol.path) == of.folder
        return of.family in OPEN or symbol.path == of.folder

    def _walk(self, of: Type, next_of: Callable[[Type], Iterable[Type]]) -> Iterator[Type]:
        seen, waiting = {of}, [of]
        while waiting and len(seen) < MOST_TYPES:
            for one in next_of(waiting.pop(0)):
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)
                    yield one

    def _bases(self, of: Type) -> Iterable[Type]:
        for symbol in of.symbols:
            for reference in self.references(symbol):
                inherits = reference.kind is EdgeKind.INHERITS and not reference.module
                if inherits and (found := self.meant(reference.name, symbol)) and found != of:
                    yield found
        if of.family == "rust":
            for name, user in self._traits(of):
                if (found := self.meant(name, user)) and found != of:
                    yield found

    def _traits(self, of: Type) -> Iterator[tuple[str, Located]]:
        """What `impl Trait for Type` says of a type, in the files that declare it."""
        for symbol in of.symbols:
            rows = self._corpus.of_kind(symbol.file, EdgeKind.INHERITS)
            yield from ((row.name, symbol) for row in rows if row.module.rsplit(".", 1)[-1] == of.name)

    def _heirs(self, of: Type) -> Iterable[Type]:
        for use in self._corpus.uses(of.name, EdgeKind.INHERITS):
            if family(use.user.language) != of.family:
                continue
            heir = use.reference.module
            found = self.meant(heir, use.user) if heir else self._heir(use.user)
            if found and found != of and self.meant(of.name, use.user) == of:
                yield found
        if of.family in BY_FOLDER:
            yield from self._structural(of)

    def _heir(self, user: Located) -> Type | None:
        return self._type([user]) if user.kind in _TYPES else None

    def _structural(self, of: Type) -> Iterable[Type]:
        """The types that have all methods of an interface, with as many parameters each."""
        if of not in self._impls:
            self._impls[of] = tuple(self._with_methods(of))
        return self._impls[of]

    def _with_methods(self, of: Type) -> Iterator[Type]:
        if not of.symbols or of.symbols[0].kind is not Kind.INTERFACE:
            return
        wanted = self.methods(of)
        if not wanted:
            return
        scarce = min(wanted, key=lambda m: (len(self.named(m.name)), m.name))
        if len(self.named(scarce.name)) >= MOST_USES:
            return
        for symbol in self.named(scarce.name):
            if symbol.language != "go" or "." not in symbol.qualified or symbol.parent is not None:
                continue
            one = self.meant_scope(symbol)
            if one and one != of and all(self._has_like(one, method) for method in wanted):
                yield one

    def methods(self, of: Type) -> list[Located]:
        """The methods that an interface declares itself."""
        return [s for symbol in of.symbols for s in self.inside(symbol) if s.kind is Kind.METHOD]

    def inside(self, symbol: Located) -> Sequence[Located]:
        """The symbols directly inside of one."""
        if symbol.place not in self._inside:
            self._inside[symbol.place] = self._corpus.inside(*symbol.place)
        return self._inside[symbol.place]

    def references(self, symbol: Located) -> Sequence[Reference]:
        """What a symbol refers to, by line."""
        if symbol.place not in self._references:
            self._references[symbol.place] = self._corpus.references(*symbol.place)
        return self._references[symbol.place]

    def parent(self, symbol: Located) -> Located | None:
        """The symbol around one."""
        if symbol.parent is None:
            return None
        place = symbol.file, symbol.parent
        if place not in self._at:
            self._at[place] = self._corpus.symbol_at(*place)
        return self._at[place]

    def meant_scope(self, symbol: Located) -> Type | None:
        """The type that a method stands with, by its scope."""
        scope = scope_of(symbol)
        return self.meant(scope, symbol) if scope else None

    def _has_like(self, one: Type, method: Located) -> bool:
        count = len(parameters(method.signature, method.name, "go"))
        return any(len(parameters(m.signature, m.name, "go")) == count for m in self.inherited(one, method.name))


def imported(module: str, name: str, user: str, path: str) -> bool:
    """Whether what is imported by `name` from `module` may be in a file: there, or in the package that it names."""
    return leads_to(module, user, path) or leads_to(f"{module}.{name}", user, path) or is_below(module, user, path)
