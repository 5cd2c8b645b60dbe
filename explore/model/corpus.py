"""The one protocol through which the stages see a project; no stage knows what stands behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from explore.model.source import Edge, Role, Source, Symbol

IN_NAME: Final = 0x1000
IN_SCOPE: Final = 0x2000
IN_HEAD: Final = 0x4000
COUNT_MASK: Final = 0x0FFF


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

    def defined(self, name: str) -> Sequence[tuple[int, int]]:
        """Symbols of exactly this name, in any case, as `(file, ordinal)`, by path and place."""
        ...

    def names_holding(self, part: str) -> Sequence[str]:
        """Names of symbols, lower-case, that hold `part` (three characters or more) anywhere; bounded."""
        ...

    def edges_from(self, path: str, ordinal: int) -> Sequence[Edge]:
        """What a symbol refers to, where that is not ambiguous."""
        ...

    def edges_to(self, path: str, ordinal: int) -> Sequence[Edge]:
        """What refers to a symbol, where that is not ambiguous."""
        ...

    def sources(self, paths: Sequence[str]) -> Mapping[str, Source]:
        """The files as they are on disk at this moment, with symbols parsed from those bytes; those gone or
        not indexed are left out."""
        ...
