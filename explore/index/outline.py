"""Definitions and mentions to a file's symbols and references, in its order; it knows no grammar and no tree."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from explore.model.source import EdgeKind, Kind, Reference, Symbol
from explore.model.spans import Span, Spans

CHUNK_LINES: Final = 24
"""A run of lines outside of every symbol is split at the first blank line after this many."""

MEMBER_LINES: Final = 3
"""Fields, constants and variables of fewer lines stay part of what is around them."""

SIGNATURE_CHARACTERS: Final = 200
LONGEST_OUTER: Final = 300
"""Characters of the names around a symbol that its qualified name has; in deeper nests it starts anew."""

_MOST_ARGUMENTS: Final = 8
"""How deep type arguments in a scope are taken off."""

_SCOPE: Final = "scope"
_DECLARATION: Final = "declaration"
_VALUE: Final = "value"
_SMALL_KINDS: Final = frozenset({Kind.FIELD, Kind.CONSTANT, Kind.VARIABLE})
_LITTLE_KINDS: Final = _SMALL_KINDS | {_VALUE}
_LOCAL_KINDS: Final = _SMALL_KINDS | {_DECLARATION, Kind.TYPE}
_OWNERS: Final = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.STRUCT, Kind.TRAIT, Kind.ENUM, Kind.CONSTANT, _SCOPE})
_NO_OWNERS: Final = frozenset({"", "exports", "module", "prototype", "this"})

_LONGEST_HEAD: Final = 2_000
_MOST_HEAD_LINES: Final = 40
_WORD: Final = re.compile(r"[^\W\d]\w*")
_ASSIGNED: Final = re.compile(r"(?:[^=!<>(\n]|^[ \t]*(?:let|const|var|val)?[ \t]*\()*(?:[+:|-]?=)(?![=>])")
_TAKEN: Final = re.compile(r"(?<![\w.>@\[])[^\W\d]\w*(?![\w.(\[])")
_GIVEN: Final = (
    ("for", re.compile(r"\bfor\b[ \t(]*([\w, ]{1,60})\b(?:in|of|range)\b|\bfor\b[ \t(]*([\w, ]{1,60})[ \t]*:")),
    (" as ", re.compile(r"\bas[ \t]+(\w+)")),
    (">", re.compile(r"(\w+)[ \t]*[=-]>|\(([\w, :]{0,80})\)[ \t]*[=-]>|\{[ \t]*([\w, ]{1,60})->")),
    ("|", re.compile(r"\|([\w, ]{1,80})\|")),
    ("func", re.compile(r"\bfunc(?:tion)?\b[ \t]*\w*\(([^()]{0,200})\)")),
    ("lambda", re.compile(r"\blambda[ \t]+([\w, ]{1,80}):")),
    ("catch", re.compile(r"\bcatch[ \t]*\(([^()]{0,80})\)")),
)
"""What gives a name to a variable or a parameter, in one language or another, each by what a line with it holds."""

_LONGEST_GIVEN: Final = 400
"""Characters of a line that are looked at for such names."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The symbols of a file in the order of their start, and what they refer to."""

    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]


@dataclass(slots=True)
class Definition:
    """A definition as matched: `first` and `last` are lines, `begin` and `end` bytes, `rank` that of its pattern."""

    begin: int
    end: int
    first: int
    last: int
    kind: str
    rank: int
    name: str
    line: int
    head_end: int
    scope: str


class Mention(NamedTuple):
    """A name used at a byte of the file, with what a `Reference` says of it. `unless_local`: it is none where it is a
    variable's name there."""

    byte: int
    kind: EdgeKind
    name: str
    line: int
    module: str = ""
    unless_local: bool = False


@dataclass(frozen=True, slots=True)
class _Nested:
    """A definition with the index of the one around it and its qualified name."""

    found: Definition
    parent: int | None
    qualified: str


def outline(definitions: list[Definition], mentions: Sequence[Mention], lines: Sequence[str]) -> Parsed:
    """Nests the definitions, makes symbols of the lines between them, and gives each mention to the symbol it is in."""
    nested = _nest(definitions, lines)
    named = [_symbol(each, lines) for each in nested]
    top = Spans(symbol.span for symbol in named if symbol.parent is None)
    whole = Spans([Span(1, len(lines))]) if lines else Spans()
    code = [chunk_of(span, lines) for gap in whole - top for span in _chunks(gap, lines)]
    symbols, place = _in_order(named, code)
    return Parsed(symbols, _references(mentions, nested, code, place, lines))


def _nest(definitions: list[Definition], lines: Sequence[str]) -> list[_Nested]:
    """Definitions in order, each with the index of the one around it and its qualified name; scopes fall out."""
    definitions.sort(key=lambda d: (d.begin, -d.end, d.kind == _SCOPE, d.kind in _SMALL_KINDS, d.rank))
    kept: list[_Nested] = []
    stack: list[tuple[int, int | None, str, str]] = []  # end, index of the symbol, qualified name, kind
    seen: set[tuple[int, str | int]] = set()
    for found in definitions:
        while stack and stack[-1][0] <= found.begin:
            stack.pop()
        if not seen.isdisjoint(keys := ((found.begin, found.name), (found.begin, found.end))):
            continue
        seen.update(keys)
        around = stack[-1] if stack else (0, None, "", "")
        outer = around[2] if len(around[2]) <= LONGEST_OUTER else ""
        qualified = ".".join(part for part in (outer, _plain(found.scope), found.name) if part)
        if found.kind == _SCOPE:
            stack.append((found.end, around[1], qualified, _SCOPE))
            continue
        if not _counts(found, around[3]):
            continue
        found.kind = _kind(found.kind, around[3])
        found.last = min(found.last, len(lines))
        stack.append((found.end, len(kept), qualified, found.kind))
        kept.append(_Nested(found, around[1], qualified))
    return kept


def _counts(found: Definition, around: str) -> bool:
    """Whether a definition is a symbol where it stands: not what is local to a function, and no few lines of data."""
    if found.kind in _LOCAL_KINDS and around in (Kind.FUNCTION, Kind.METHOD):
        return False
    return found.kind not in _LITTLE_KINDS or found.last - found.line + 1 >= MEMBER_LINES


def _kind(kind: str, around: str) -> str:
    if kind in (Kind.FUNCTION, _DECLARATION, _VALUE):
        return Kind.METHOD if around in _OWNERS else Kind.FUNCTION
    return kind


def _plain(scope: str) -> str:
    """A scope as written, in dots, without type arguments and what is only a way to it."""
    if not scope:
        return ""
    for _ in range(_MOST_ARGUMENTS if "<" in scope else 0):
        scope = re.sub(r"<[^<>]*>", "", scope)
    parts = scope.replace("::", ".").replace("->", ".").split(".")
    return ".".join(part.strip() for part in parts if part.strip() not in _NO_OWNERS)


def _symbol(nested: _Nested, lines: Sequence[str]) -> Symbol:
    found = nested.found
    signature = " ".join(line.strip() for line in lines[found.line - 1 : found.head_end][:4])
    return Symbol(
        kind=Kind(found.kind),
        name=found.name,
        qualified=nested.qualified,
        span=Span(found.first, max(found.first, found.last)),
        line=found.line,
        head_end=min(found.head_end, max(found.first, found.last)),
        signature=signature[:SIGNATURE_CHARACTERS].rstrip(" {:"),
        parent=nested.parent,
    )


def _chunks(gap: Span, lines: Sequence[str]) -> Iterator[Span]:
    """The gap without blank edges, split at blank lines into parts of some size."""
    start: int | None = None
    end = gap.start
    for number in range(gap.start, gap.end + 1):
        blank = not lines[number - 1].strip()
        if not blank:
            start, end = start or number, number
        elif start is not None and number - start >= CHUNK_LINES:
            yield Span(start, end)
            start = None
    if start is not None:
        yield Span(start, end)


def chunk_of(span: Span, lines: Sequence[str]) -> Symbol:
    """The symbol of a run of lines without a name."""
    first = lines[span.start - 1].strip()[:SIGNATURE_CHARACTERS]
    return Symbol(Kind.CODE, "", "", span, span.start, span.start, first)


def _in_order(named: list[Symbol], code: list[Symbol]) -> tuple[tuple[Symbol, ...], dict[int, int]]:
    """Both kinds of symbols by their start, the outer first; and each one's new place, the named counted before."""
    both = [*named, *code]
    order = sorted(range(len(both)), key=lambda i: (both[i].span.start, -both[i].span.end, i))
    place = {old: new for new, old in enumerate(order)}
    return tuple(_moved(both[old], place) for old in order), place


def _moved(symbol: Symbol, place: dict[int, int]) -> Symbol:
    return symbol if symbol.parent is None else symbol._replace(parent=place[symbol.parent])


class _Locals:
    """The names that functions, and runs of lines outside of any, give to their own parameters and variables."""

    def __init__(self, nested: list[_Nested], code: list[Symbol], lines: Sequence[str]) -> None:
        self._nested, self._code, self._lines = nested, code, lines
        self._known: dict[tuple[bool, int], frozenset[str]] = {}

    def has(self, mention: Mention, owner: int | None, chunk: int) -> bool:
        """Whether a name that is handed on by itself is such a name there."""
        if " " in mention.module:
            return False
        while owner is not None:
            is_function = self._nested[owner].found.kind in (Kind.FUNCTION, Kind.METHOD)
            if is_function and mention.name in self._of((True, owner)):
                return True
            owner = self._nested[owner].parent
        return chunk >= 0 and mention.line in self._code[chunk].span and mention.name in self._of((False, chunk))

    def _of(self, key: tuple[bool, int]) -> frozenset[str]:
        if key not in self._known:
            in_function, at = key
            if in_function:
                found = self._nested[at].found
                lines = self._lines[found.line - 1 : found.last]
                head = _between_parentheses("\n".join(lines[:_MOST_HEAD_LINES]), found.name)
                self._known[key] = frozenset([*_own_names(lines), *_WORD.findall(head)])
            else:
                span = self._code[at].span
                self._known[key] = frozenset(_own_names(self._lines[span.start - 1 : span.end]))
        return self._known[key]


def _between_parentheses(text: str, name: str) -> str:
    """What follows a function's name up to the parenthesis that closes its parameters."""
    at_name = max(text.find(name), 0)
    start = text.find("(", at_name)
    if "\n" in text[at_name:start]:
        return ""
    depth = 0
    for at in range(start, min(len(text), start + _LONGEST_HEAD)) if start >= 0 else ():
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return text[start:at]
    return ""


def _own_names(lines: Sequence[str]) -> Iterator[str]:
    """The names that lines give to variables and parameters, and some more that nobody would hand on."""
    for line in (line[:_LONGEST_GIVEN] for line in lines):
        if "=" in line and (assigned := _ASSIGNED.match(line)):
            yield from _TAKEN.findall(assigned[0])
        for mark, pattern in _GIVEN:
            if mark in line:
                for found in pattern.finditer(line):
                    yield from (name for part in found.groups() if part for name in _WORD.findall(part))


def _references(
    mentions: Sequence[Mention],
    nested: list[_Nested],
    code: list[Symbol],
    place: dict[int, int],
    lines: Sequence[str],
) -> tuple[Reference, ...]:
    """Each mention with the place of the symbol it stands in; what stands in none (a blank edge) is left out."""
    begins = [each.found.begin for each in nested]
    starts = [symbol.span.start for symbol in code]
    local = _Locals(nested, code, lines)
    found: set[tuple[int, EdgeKind, str, int, str]] = set()
    for mention in mentions:
        owner = _owner(mention.byte, begins, nested)
        chunk = bisect_right(starts, mention.line) - 1
        if mention.unless_local and local.has(mention, owner, chunk):
            continue
        if owner is not None:
            found.add((place[owner], mention.kind, mention.name, mention.line, mention.module))
        elif chunk >= 0 and mention.line <= code[chunk].span.end:
            found.add((place[len(nested) + chunk], mention.kind, mention.name, mention.line, mention.module))
    in_order = sorted((symbol, line, kind, name, module) for symbol, kind, name, line, module in found)
    return tuple(Reference(symbol, kind, name, line, module) for symbol, line, kind, name, module in in_order)


def _owner(byte: int, begins: list[int], nested: list[_Nested]) -> int | None:
    """The innermost definition around a byte."""
    index: int | None = bisect_right(begins, byte) - 1
    while index is not None and index >= 0 and nested[index].found.end <= byte:
        index = nested[index].parent
    return index if index is not None and index >= 0 else None
