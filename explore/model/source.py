"""A file as it was read in one moment, and the symbols in it; a value that never goes back to the disk."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    """How a name is used: called, put above a definition, sent or awaited as an event, imported, inherited, handed on
    as a value; or what is said of a variable: its type."""

    CALLS = "calls"
    DECORATES = "decorates"
    EMITS = "emits"
    IMPORTS = "imports"
    INHERITS = "inherits"
    LISTENS = "listens"
    PASSES = "passes"
    TYPES = "types"


RETURNED: Final = "return"
"""Where a name is handed on to that a function gives back."""


class Role(IntFlag):
    """What a file is for, besides being source. One with `DOCUMENT` is none: that comes last, so that all those with it
    are over all those without."""

    SOURCE = 0
    TEST = 1
    GENERATED = 2
    SAMPLE = 4
    DOCUMENT = 8


class Symbol(NamedTuple):
    """A named part of a file, or a run of its other lines. A tuple for its speed: an answer makes thousands.

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
    """A name that a symbol (by ordinal) uses on a line, and in `module` what goes with it:

    - of an import where the name comes from, as written; `name` is empty where all of it is meant;
    - of a call or a decorator what it is called on, in short (`self.pool`, `open().rows`): empty where it is called by
      itself, `?` where that is no chain of names;
    - of a name handed on where it goes: `run#1` for the second argument of `run`, `RETURNED` for what a function gives
      back, else the name of a field, key or keyword; then, after a blank, what it was taken from;
    - of an event (`name`) that is awaited the function named for it;
    - of a variable (`name`, with a dot before it where it is a field by assignment) its type: `Pool`; `open()` for what
      a call gives; `=pool` for that of another variable;
    - of what a type inherits that is no symbol around the line (`impl Trait for Type`) that type's name.
    """

    symbol: int
    kind: EdgeKind
    name: str
    line: int
    module: str = ""


_NAME: Final = re.compile(r"[^\W\d]\w*")
_ARGUMENTS_OF_TYPES: Final = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|@\w+(?:\([^()]*\))?")
_POINTED: Final = re.compile(r"\(\s*\*\s*(\w+)\s*\)")
_THIS: Final = frozenset({"cls", "self", "this"})
_PAIRS: Final = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}


def parameters(signature: str, name: str, language: str) -> tuple[str, ...]:
    """The names of a function's parameters in order, without the object it is called on, as far as the signature says
    them."""
    called = re.search(rf"(?<!\w){re.escape(name)}\s*(?:[<\[][^()]*)?\(", signature)
    start = called.end() - 1 if called else signature.find("(", max(signature.find(name), 0))
    parts = _parts(signature[start + 1 :].replace("->", "").replace("=>", "")) if start >= 0 else []
    names = [_parameter(part, first=language == "go") for part in parts]
    return tuple(names[1:] if names[:1] and names[0] in _THIS else names)


def _parts(text: str) -> list[str]:
    """What stands between commas up to the bracket that closes."""
    parts, depth = [""], 0
    for letter in text:
        depth += _PAIRS.get(letter, 0)
        if depth < 0:
            break
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip(" */")]


def _parameter(part: str, *, first: bool) -> str:
    """Its name: in Go the first word, elsewhere the last before a type or a value that follows."""
    if pointed := _POINTED.search(part):
        return pointed[1]
    head = part.split("=")[0].replace("::", ".").split(":")[0]
    names = _NAME.findall(_ARGUMENTS_OF_TYPES.sub("", head))
    return (names[0] if first else names[-1]) if names else ""


@dataclass(frozen=True, slots=True)
class Source:
    """One read of one file: its lines, the fingerprint of its bytes, and the symbols parsed from those bytes.
    `as_indexed`: what the index says of the file is said of these bytes."""

    path: str
    language: str
    fingerprint: str
    lines: tuple[str, ...]
    symbols: tuple[Symbol, ...]
    as_indexed: bool = True

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
    return [_own(symbol, children) for symbol, children in zip(symbols, inner, strict=True)]


def own_lines_of(ordinal: int, symbols: tuple[Symbol, ...]) -> Spans:
    """The same of one symbol."""
    return _own(symbols[ordinal], [symbol.span for symbol in symbols if symbol.parent == ordinal])


def _own(symbol: Symbol, inner: Sequence[Span]) -> Spans:
    return Spans([symbol.span]) - Spans(inner) if inner else Spans([symbol.span])
