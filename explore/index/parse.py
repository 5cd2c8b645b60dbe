"""Text to symbols and references, by tree-sitter; it never reads a file and never touches the database."""

from __future__ import annotations

import importlib
import itertools
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import tree_sitter

from explore.index.languages.declaration import Language
from explore.model.source import EdgeKind, Kind, Reference, Symbol
from explore.model.spans import Span, Spans

CHUNK_LINES: Final = 24
"""A run of lines outside of every symbol is split at the first blank line after this many."""

MEMBER_LINES: Final = 3
"""Fields, constants and variables of fewer lines stay part of what is around them."""

LEADING_NODES: Final = 200
"""So many comments and attributes above a symbol belong to it; the way from one to the one before is long."""

SIGNATURE_CHARACTERS: Final = 200
_SCOPE: Final = "scope"
_DECLARATION: Final = "declaration"
_VALUE: Final = "value"
_SMALL_KINDS: Final = frozenset({Kind.FIELD, Kind.CONSTANT, Kind.VARIABLE})
_LITTLE_KINDS: Final = _SMALL_KINDS | {_VALUE}
_LOCAL_KINDS: Final = _SMALL_KINDS | {_DECLARATION, Kind.TYPE}
_OWNERS: Final = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.STRUCT, Kind.TRAIT, Kind.ENUM, Kind.CONSTANT, _SCOPE})
_NO_OWNERS: Final = frozenset({"", "exports", "module", "prototype", "this"})


@dataclass(frozen=True, slots=True)
class Parsed:
    """The symbols of a file in the order of their start, and what they refer to."""

    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]


@dataclass(slots=True)
class _Definition:
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


def parse(language: Language, text: str, lines: Sequence[str]) -> Parsed:
    """The symbols of `text` and the names they use. Broken syntax gives what could be made out."""
    grammar, query = _grammar(language)
    root = tree_sitter.Parser(grammar).parse(_readable(language, text).encode("utf-8", "replace")).root_node
    definitions: list[_Definition] = []
    references: list[tuple[int, EdgeKind, str, int, str]] = []
    for rank, captures in tree_sitter.QueryCursor(query).matches(root):
        for name, nodes in captures.items():
            if name.startswith("definition."):
                definitions.append(_definition(language, nodes[0], name[11:], rank, captures))
            elif name == "import":
                references.extend(_imports(nodes[0], captures))
            elif name.startswith("reference."):
                kind = EdgeKind.CALLS if name == "reference.call" else EdgeKind.INHERITS
                references.extend((n.start_byte, kind, _text(n), n.start_point.row + 1, "") for n in nodes)
    nested = _nest([found for found in definitions if found.name], lines)
    return Parsed(*_with_code(nested, references, lines))


@cache
def _grammar(language: Language) -> tuple[tree_sitter.Language, tree_sitter.Query]:
    module, function = language.grammar
    grammar = tree_sitter.Language(getattr(importlib.import_module(module), function)())
    return grammar, tree_sitter.Query(grammar, language.query)


def _readable(language: Language, text: str) -> str:
    """The text without what the grammar cannot read; every line keeps its number."""
    text = text.replace("\r\n", "\n")
    for pattern in language.noise:
        text = re.sub(pattern, _blank, text, flags=re.MULTILINE)
    return language.prepare(text) if language.prepare is not None else text


def _blank(found: re.Match[str]) -> str:
    whole = found[0]
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    fill = ";" if found.lastgroup == "end" else " "
    return whole[:start] + re.sub(r"[^\n]", fill, whole[start:end]) + whole[end:]


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _last_line(node: tree_sitter.Node) -> int:
    """A node that ends at the start of a line does not have that line (comments with their line end)."""
    row, column = node.end_point
    return row if column == 0 and row > node.start_point.row else row + 1


def _definition(
    language: Language, node: tree_sitter.Node, kind: str, rank: int, captures: dict[str, list[tree_sitter.Node]]
) -> _Definition:
    name = captures["name"][0]
    scope = captures.get("scope", [])
    body = _body(node)
    outer = node
    while (parent := outer.parent) is not None and parent.type in language.wrappers and parent.parent is not None:
        if not _only(language, outer):
            break
        outer = parent
    line = name.start_point.row + 1
    head_end = max(line, min(_head_end(language, body), _last_line(node))) if body is not None else line
    return _Definition(
        begin=outer.start_byte,
        end=outer.end_byte,
        first=_first_line(language, outer),
        last=_last_line(outer),
        kind=kind,
        rank=rank,
        name=_name(captures["name"]),
        line=line,
        head_end=head_end,
        scope=".".join(_text(part) for part in scope),
    )


def _name(parts: list[tree_sitter.Node]) -> str:
    """A name as written, its parts apart where they are (`operator bool`), without quotes or the colon of a symbol."""
    name = _text(parts[0])
    for before, part in itertools.pairwise(parts):
        name += (" " if part.start_byte > before.end_byte else "") + _text(part)
    return " ".join(name.strip("\"'`").lstrip(":").split())


def _body(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """What follows the head of a definition; of a function that is a value, the function's body."""
    for field in ("body", "value", "right"):
        if (found := node.child_by_field_name(field)) is not None:
            return found.child_by_field_name("body") or found
    last = node.named_child(node.named_child_count - 1) if node.named_child_count else None
    return last if last is not None and last.type.endswith("body") else None


def _head_end(language: Language, body: tree_sitter.Node) -> int:
    """The line where a body starts, or where what is before it ends if the body starts on a line of its own."""
    before = body.prev_sibling
    while before is not None and before.type in language.leading:
        before = before.prev_sibling
    return (body.start_point.row if before is None else before.end_point.row) + 1


def _only(language: Language, node: tree_sitter.Node) -> bool:
    """Whether a wrapper has no other of this sort; of several in one wrapper each is on its own."""
    before, after = node.prev_named_sibling, node.next_named_sibling
    while before is not None and before.type in language.leading:
        before = before.prev_named_sibling
    while after is not None and after.type in language.leading:
        after = after.next_named_sibling
    return (before is None or before.type != node.type) and (after is None or after.type != node.type)


def _first_line(language: Language, node: tree_sitter.Node) -> int:
    """The first line of the comments and attributes that stand directly above, each on lines of its own."""
    while (parent := node.parent) is not None and node.prev_sibling is None and parent.start_byte == node.start_byte:
        node = parent  # A comment above the first statement of a block stands before the block.
    first = node.start_point.row
    before = node.prev_sibling
    for _ in range(LEADING_NODES):
        if before is None or before.type not in language.leading or _last_line(before) + _reach(before) < first:
            break
        previous = before.prev_sibling
        if previous is not None and _last_line(previous) > before.start_point.row:
            break
        first, before = before.start_point.row, previous
    return first + 1


def _reach(comment: tree_sitter.Node) -> int:
    """A documentation block may stand one blank line above what it documents."""
    return 1 if (comment.text or b"").startswith(b"/**") else 0


def _imports(
    node: tree_sitter.Node, captures: dict[str, list[tree_sitter.Node]]
) -> Iterator[tuple[int, EdgeKind, str, int, str]]:
    parts = captures["module"]
    module = "::".join(_text(part) for part in parts).strip("<>\"'")
    names: list[tree_sitter.Node | None] = [*captures.get("name", [])]
    for name in names or [None]:
        if name is not None and parts[0].start_byte < name.start_byte < parts[0].end_byte:
            module = module[: -len(_text(name))].rstrip(".:\\")
        yield node.start_byte, EdgeKind.IMPORTS, _name([name]) if name else "", node.start_point.row + 1, module


def _nest(definitions: list[_Definition], lines: Sequence[str]) -> list[tuple[_Definition, int | None, str]]:
    """Definitions in order, each with the index of the one around it and its qualified name; scopes fall out."""
    definitions.sort(key=lambda d: (d.begin, -d.end, d.kind == _SCOPE, d.kind in _SMALL_KINDS, d.rank))
    kept: list[tuple[_Definition, int | None, str]] = []
    stack: list[tuple[int, int | None, str, str]] = []  # end, index of the symbol, qualified name, kind
    seen: set[tuple[int, str | int]] = set()
    for found in definitions:
        while stack and stack[-1][0] <= found.begin:
            stack.pop()
        if not seen.isdisjoint(keys := ((found.begin, found.name), (found.begin, found.end))):
            continue
        seen.update(keys)
        around = stack[-1] if stack else (0, None, "", "")
        qualified = ".".join(part for part in (around[2], _plain(found.scope), found.name) if part)
        if found.kind == _SCOPE:
            stack.append((found.end, around[1], qualified, _SCOPE))
            continue
        if not _counts(found, around[3]):
            continue
        found.kind = _kind(found.kind, around[3])
        found.last = min(found.last, len(lines))
        stack.append((found.end, len(kept), qualified, found.kind))
        kept.append((found, around[1], qualified))
    return kept


def _counts(found: _Definition, around: str) -> bool:
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
    while (bare := re.sub(r"<[^<>]*>", "", scope)) != scope:
        scope = bare
    parts = scope.replace("::", ".").replace("->", ".").split(".")
    return ".".join(part.strip() for part in parts if part.strip() not in _NO_OWNERS)


def _with_code(
    nested: list[tuple[_Definition, int | None, str]],
    references: list[tuple[int, EdgeKind, str, int, str]],
    lines: Sequence[str],
) -> tuple[tuple[Symbol, ...], tuple[Reference, ...]]:
    """Symbols joined with the runs of lines between them, in the file's order, and references to their ordinals."""
    symbols = [_symbol(found, parent, qualified, lines) for found, parent, qualified in nested]
    top = Spans(symbol.span for symbol in symbols if symbol.parent is None)
    whole = Spans([Span(1, len(lines))]) if lines else Spans()
    chunks = [_code(span, lines) for gap in whole - top for span in _chunks(gap, lines)]
    order = sorted(range(len(symbols) + len(chunks)), key=lambda i: _position(i, symbols, chunks))
    place = {old: new for new, old in enumerate(order)}
    merged: list[Symbol] = []
    for old in order:
        symbol = symbols[old] if old < len(symbols) else chunks[old - len(symbols)]
        merged.append(symbol if symbol.parent is None else _moved(symbol, place[symbol.parent]))
    owners = _owners(nested, references)
    resolved = []
    for (_, kind, name, line, module), owner in zip(references, owners, strict=True):
        ordinal = place[owner] if owner is not None else _chunk_at(merged, line)
        if ordinal is not None:
            resolved.append(Reference(ordinal, kind, name, line, module))
    return tuple(merged), tuple(sorted(set(resolved), key=lambda r: (r.symbol, r.line, r.kind, r.name, r.module)))


def _position(index: int, symbols: list[Symbol], chunks: list[Symbol]) -> tuple[int, int, int]:
    symbol = symbols[index] if index < len(symbols) else chunks[index - len(symbols)]
    return symbol.span.start, -symbol.span.end, index


def _symbol(found: _Definition, parent: int | None, qualified: str, lines: Sequence[str]) -> Symbol:
    signature = " ".join(line.strip() for line in lines[found.line - 1 : found.head_end][:4])
    return Symbol(
        kind=Kind(found.kind),
        name=found.name,
        qualified=qualified,
        span=Span(found.first, max(found.first, found.last)),
        line=found.line,
        head_end=min(found.head_end, max(found.first, found.last)),
        signature=signature[:SIGNATURE_CHARACTERS].rstrip(" {:"),
        parent=parent,
    )


def _moved(symbol: Symbol, parent: int) -> Symbol:
    return Symbol(
        symbol.kind, symbol.name, symbol.qualified, symbol.span, symbol.line, symbol.head_end, symbol.signature, parent
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


def _code(span: Span, lines: Sequence[str]) -> Symbol:
    first = lines[span.start - 1].strip()[:SIGNATURE_CHARACTERS]
    return Symbol(Kind.CODE, "", "", span, span.start, span.start, first)


def _owners(
    nested: list[tuple[_Definition, int | None, str]], references: Iterable[tuple[int, EdgeKind, str, int, str]]
) -> list[int | None]:
    """For each reference the innermost definition around its byte."""
    begins = [found.begin for found, _, _ in nested]
    owners: list[int | None] = []
    for position, *_ in references:
        index: int | None = bisect_right(begins, position) - 1
        while index is not None and index >= 0 and nested[index][0].end <= position:
            index = nested[index][1]
        owners.append(index if index is not None and index >= 0 else None)
    return owners


def _chunk_at(symbols: Sequence[Symbol], line: int) -> int | None:
    return next((i for i, s in enumerate(symbols) if s.kind is Kind.CODE and line in s.span), None)
