"""The one protocol through which the stages see a project; no stage knows what stands behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from explore.model.source import EdgeKind, Kind, Reference, Role, Source, Symbol

IN_NAME: Final = 0x1000
IN_SCOPE: Final = 0x2000
IN_HEAD: Final = 0x4000
COUNT_MASK: Final = 0x0FFF

MOST_LOCATED: Final = 200
MOST_USES: Final = 200
"""What one look-up of a name brings at most; who gets as many knows no more than that it is a common one."""


@dataclass(frozen=True, slots=True)
class Totals:
    """How much there is: files, symbols, and terms in all symbols' own lines."""

    files: int
    symbols: int
    terms: int


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What ranking needs to know of a file; `lengths` is the number of terms in each symbol's own lines."""

    file: int
    path: str
    language: str
    role: Role
    lengths: Sequence[int]


class Posting(NamedTuple):
    """A term in a file: `hits` is flat pairs of a symbol's ordinal and how the term occurs there (a count with the
    flags `IN_NAME`, `IN_SCOPE`, `IN_HEAD`)."""

    file: int
    hits: Sequence[int]


@dataclass(frozen=True, slots=True)
class Located:
    """A symbol with the file it is in, without what only showing it needs."""

    file: int
    ordinal: int
    path: str
    language: str
    role: Role
    kind: Kind
    name: str
    qualified: str
    start: int
    end: int
    line: int
    signature: str
    parent: int | None

    @property
    def place(self) -> tuple[int, int]:
        return self.file, self.ordinal

    @property
    def aside(self) -> bool:
        """Whether its file tests or demonstrates others, or is generated."""
        return self.role is not Role.SOURCE


@dataclass(frozen=True, slots=True)
class Use:
    """A reference, and the symbol that makes it."""

    user: Located
    reference: Reference


class Mark(NamedTuple):
    """Of a symbol what ranking hands on: its qualified name, where it starts, and the line of its name."""

    qualified: str
    start: int
    line: int


class Shelf(Protocol):
    """Files of one sort as one moment's index sees them, counted for themselves."""

    def totals(self) -> Totals:
        """Counts over the whole shelf."""
        ...

    def postings(self, term: str) -> Sequence[Posting]:
        """Where a term occurs, a posting a file."""
        ...

    def facts(self, files: Iterable[int]) -> Mapping[int, FileFacts]:
        """Facts of the files asked for; unknown numbers are left out."""
        ...

    def symbols(self, files: Iterable[int]) -> Mapping[int, tuple[Symbol, ...]]:
        """The indexed symbols of the files asked for, in order."""
        ...

    def marks(self, files: Iterable[int]) -> Mapping[int, Sequence[Mark]]:
        """Of the same symbols, in the same order, only what ranking hands on."""
        ...

    def files_named(self, name: str) -> Sequence[int]:
        """Files whose path ends in `name` at a folder's edge, with or without the suffix, in any case."""
        ...


class Corpus(Shelf, Protocol):
    """A project's source as one moment's index sees it, its documents beside that, and all files as they are on disk
    now."""

    @property
    def documents(self) -> Shelf:
        """The files that are no source: nothing else here counts or names them, but for `sources`, `facts` and
        `symbols`, which are asked by path or number."""
        ...

    def terms_beginning(self, beginning: str) -> Sequence[str]:
        """The terms that begin so, in order; bounded."""
        ...

    def defined(self, name: str) -> Sequence[tuple[int, int]]:
        """Symbols of exactly this name, in any case, as `(file, ordinal)`, by path and place."""
        ...

    def names_holding(self, part: str) -> Sequence[str]:
        """Names of symbols, lower-case, that hold `part` (three characters or more) anywhere; bounded."""
        ...

    def located(self, name: str) -> Sequence[Located]:
        """Symbols of exactly this name, in this case, by path and place; bounded by `MOST_LOCATED`."""
        ...

    def symbol_at(self, file: int, ordinal: int) -> Located | None:
        """One symbol."""
        ...

    def inside(self, file: int, ordinal: int) -> Sequence[Located]:
        """The symbols directly inside of one, in order."""
        ...

    def names_near(self, part: str, least: int, most: int) -> Sequence[str]:
        """Names of symbols, lower-case, of `least` to `most` characters, that hold `part` (three characters or more);
        bounded."""
        ...

    def references(self, file: int, ordinal: int) -> Sequence[Reference]:
        """What a symbol refers to, by line; bounded by `MOST_USES`."""
        ...

    def of_kind(self, file: int, kind: EdgeKind) -> Sequence[Reference]:
        """What a file refers to in this way."""
        ...

    def uses(self, name: str, kind: EdgeKind, *, aside: bool = False) -> Sequence[Use]:
        """Who uses a name in this way, by path and line, in tests and the like only with `aside`; bounded by
        `MOST_USES`."""
        ...

    def handed(self, slot: str) -> Sequence[Use]:
        """What is handed on to a slot (see `Reference`), by path and line, but for tests and the like; bounded by
        `MOST_USES`."""
        ...

    def sources(self, paths: Sequence[str]) -> Mapping[str, Source]:
        """The files as they are on disk at this moment, with symbols parsed from those bytes; those gone or
        not indexed are left out."""
        ...
