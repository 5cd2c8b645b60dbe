"""A file as it was read in one moment, and the symbols in it; a value that never goes back to the disk."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, StrEnum
from typing import Final, NamedTuple

from explore.model.spans import Span, Spans


class Kind(StrEnum):
    """What a symbol is. `CODE` is a run of lines that belongs to no named symbol."""

    CLASS = "class"
    CODE = "code"
    CONSTANT = "constant"
    ENUM = "enum"
    FIELD = "field"
    FUNCTION = "function"
    INTERFACE = "interface"
    MACRO = "macro"
    METHOD = "method"
    MODULE = "module"
    STRUCT = "struct"
    TRAIT = "trait"
    TYPE = "type"
    VARIABLE = "variable"


CONTAINERS: Final = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.STRUCT, Kind.TRAIT, Kind.ENUM, Kind.MODULE})
"""Kinds whose inside is other symbols: without some of them they are not cut."""

BODIES: Final = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.MACRO, Kind.CONSTANT, Kind.VARIABLE, Kind.FIELD})
"""Kinds that are sent whole or cut."""


class EdgeKind(StrEnum):
    """How one symbol hangs together with another."""

    CALLS = "calls"
    CONTAINS = "contains"
    IMPORTS = "imports"
    INHERITS = "inherits"


class Role(IntFlag):
    """What a file is for, besides being source. One with `DOCUMENT` is none: that comes last, so that all those with it
    are over all those without."""

    SOURCE = 0
    TEST = 1
    GENERATED = 2
    SAMPLE = 4
    DOCUMENT = 8


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named part of a file, or a run of its other lines.

    `span` includes the symbol's own comments and decorators; `line` is where its name stands; `head_end` the last
    line of its declaration before the body; `parent` the ordinal of the symbol around it, in the file's order.
    """

    kind: Kind
    name: str
    qualified: str
    span: Span
    line: int
    head_end: int
    signature: str
    parent: int | None = None


class Reference(NamedTuple):
    """A name that a symbol (by ordinal) uses: called, imported or inherited, on a line.

    For an import `module` is where the name comes from, as written; `name` is empty where all of it is meant.
    """

    symbol: int
    kind: EdgeKind
    name: str
    line: int
    module: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A resolved reference between two symbols, each as `(path, ordinal)`."""

    source: tuple[str, int]
    kind: EdgeKind
    target: tuple[str, int]
    line: int


@dataclass(frozen=True, slots=True)
class Source:
    """One read of one file: its lines, the fingerprint of its bytes, and the symbols parsed from those bytes."""

    path: str
    language: str
    fingerprint: str
    lines: tuple[str, ...]
    symbols: tuple[Symbol, ...]

    @property
    def whole(self) -> Spans:
        """All lines of the file."""
        return Spans([Span(1, len(self.lines))]) if self.lines else Spans()


def own_lines(symbols: tuple[Symbol, ...]) -> list[Spans]:
    """For each symbol its lines without those of the symbols inside it; every line of a file is some symbol's own."""
    inner: list[list[Span]] = [[] for _ in symbols]
    for symbol in symbols:
        if symbol.parent is not None:
            inner[symbol.parent].append(symbol.span)
    return [
        Spans([symbol.span]) - Spans(children) if children else Spans([symbol.span])
        for symbol, children in zip(symbols, inner, strict=True)
    ]
