"""Functions that are kept in parameters, variables and fields: which ones a name can stand for, and who calls it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from explore.calls.meaning import MOST_DEPTH, Meaning
from explore.calls.types import Type, family
from explore.model.calls import Site
from explore.model.corpus import MOST_USES, Corpus, Located, Use
from explore.model.source import EdgeKind, Kind

NEAR_LINES: Final = 6
NEAR_KEYWORD_LINES: Final = 12
"""Lines between a call and its arguments, or its keywords."""


Value = tuple[Site, Located, Located | None]
"""Where a function is given, the function, and who gives it where that is to a parameter."""


class Values:
    """The functions that names of a corpus stand for. Made for one question."""

    def __init__(self, corpus: Corpus, meaning: Meaning) -> None:
        self._corpus = corpus
        self._meaning = meaning

    def of(self, user: Located, name: str, on: str, depth: int = 0) -> Iterator[Value]:
        """The functions that a parameter, variable or field can stand for, and where it is given each."""
        name, on = _of_object(name, on)
        if depth > MOST_DEPTH or not name.isidentifier():
            return
        if on:
            yield from self._of_field(user, name, on, depth)
        elif same := self._meaning.same_as(user, name):
            on, _, name = same.rpartition(".")
            yield from self._of_field(user, name, on, depth + 1)
        elif taker := self._taker(user, name):
            at = self._meaning.parameters(taker).index(name)
            for slot in (*(f"{called}#{at}" for called in self._meaning.called_as(taker)), name):
                for use in self._handed(slot, taker):
                    if self._goes_to(use, slot, taker):
                        found = self._functions([use], depth)
                        yield from ((site, target, giver or use.user) for site, target, giver in found)

    def _of_field(self, user: Located, name: str, on: str, depth: int) -> Iterator[Value]:
        """What a field is given; where it is not known whose it is, only if there is one thing in the file."""
        of, _ = self._meaning.type_on(user, on) if on else (None, False)
        given = (use for use in self._handed(name, user) if self._is_field(use, user, of))
        found = list(self._functions(given, depth))
        if of is not None or not on or len({target.place for _, target, _ in found}) == 1:
            yield from ((site, target, None) for site, target, _ in found)

    def _handed(self, slot: str, taker: Located) -> list[Use]:
        """What is handed to a slot of this name, unless that is a common one."""
        uses = self._corpus.handed(slot)
        same = [use for use in uses if family(use.user.language) == family(taker.language)]
        return same if len(uses) < MOST_USES else []

    def _functions(self, given: Iterable[Use], depth: int) -> Iterator[Value]:
        """The functions that are given, also by way of another variable."""
        for use in given:
            site = Site(use.user.path, use.reference.line, use.reference.name)
            if targets := self._meaning.handed_on(use.user, use.reference):
                yield from ((site, target, None) for target in targets)
            elif " " not in use.reference.module:
                yield from self.of(use.user, use.reference.name, "", depth + 1)

    def _taker(self, user: Located, name: str) -> Located | None:
        """The function, itself or around, that has the parameter."""
        symbol: Located | None = user
        while symbol is not None and name not in self._meaning.parameters(symbol):
            symbol = self._meaning.types.parent(symbol)
        return symbol

    def _goes_to(self, use: Use, slot: str, taker: Located) -> bool:
        """Whether an argument, or a keyword's, is one of a call of the taker."""
        called, number, _ = slot.partition("#")
        near = NEAR_LINES if number else NEAR_KEYWORD_LINES
        rows = self._meaning.types.references(use.user)
        calls = [r for r in rows if r.kind is EdgeKind.CALLS and abs(r.line - use.reference.line) <= near]
        return any(taker in self._meaning.called(use.user, r) for r in calls if not number or r.name == called)

    def _is_field(self, use: Use, user: Located, of: Type | None) -> bool:
        """Whether what is given in one place is a field that is called in another: of one type, or in one file."""
        types, around = self._meaning.types, self._meaning.types.around(use.user)
        if of is None:
            return use.user.file == user.file
        kin = around is not None and (around == of or around in types.above(of) or of in types.above(around))
        return kin or any(use.user.file == symbol.file for symbol in of.symbols) or self._is_keyword_of(use, of)

    def _is_keyword_of(self, use: Use, of: Type) -> bool:
        """Whether a function of Python gives a keyword to a call that is named for the type: `option(act=f)` makes an
        `Option`."""
        if of.family != "python" or "#" in use.reference.module:
            return False
        types = self._meaning.types
        for row in types.references(use.user):
            if row.kind is EdgeKind.CALLS and abs(row.line - use.reference.line) <= NEAR_KEYWORD_LINES:
                made = types.of_name_like(row.name, use.user) if row.name.islower() else None
                if made and (made == of or of in types.above(made)):
                    return True
        return False

    def callers(self, use: Use, called: str, at: str) -> Iterator[Located]:
        """Who may call what is handed on: as the argument number `at` of `called`, or as a field of that name."""
        if not at:
            users = self._corpus.uses(called, EdgeKind.CALLS)
            yield from (u.user for u in users if len(users) < MOST_USES and u.user.kind is not Kind.CODE)
            return
        rows = self._meaning.types.references(use.user)
        for row in rows:
            if row.kind is EdgeKind.CALLS and row.name == called and abs(row.line - use.reference.line) <= NEAR_LINES:
                for taker in self._meaning.called(use.user, row):
                    yield taker
                    yield from (
                        inner
                        for inner in self._meaning.types.inside(taker)
                        if inner.kind in (Kind.FUNCTION, Kind.METHOD)
                    )
                    yield from self._users_of_kept(taker, int(at))

    def _users_of_kept(self, taker: Located, at: int) -> Iterator[Located]:
        """Who calls the field in which a function keeps its parameter."""
        names = self._meaning.parameters(taker)
        kept = names[at] if at < len(names) else ""
        for row in self._meaning.types.references(taker):
            if row.kind is EdgeKind.PASSES and row.name == kept and row.module and "#" not in row.module:
                users = self._corpus.uses(row.module, EdgeKind.CALLS)
                yield from (u.user for u in users if len(users) < MOST_USES and u.user.kind is not Kind.CODE)
                yield from self._takers_out(taker.file, row.module)

    def _takers_out(self, file: int, table: str) -> Iterator[Located]:
        """Who gives a variable a value out of a table of this name, in its file."""
        for row in self._corpus.of_kind(file, EdgeKind.TYPES):
            if row.module == f"={table}[]" and (user := self._corpus.symbol_at(file, row.symbol)):
                yield user


def _of_object(name: str, on: str) -> tuple[str, str]:
    """A name, and what it is on: a variable of Ruby's object is on that."""
    return (name.lstrip("@"), on or "self") if name.startswith("@") else (name, on)
