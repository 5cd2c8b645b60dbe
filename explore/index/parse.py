"""Text to symbols and references, by tree-sitter; it never reads a file and never touches the database."""

from __future__ import annotations

import importlib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache
from typing import Final

import tree_sitter

from explore.index.languages.declaration import Language
from explore.index.outline import Definition, Mention, Parsed, outline
from explore.index.used import UNKNOWN, called_on, chain, kept_as, plain_type, slot, type_of, variable
from explore.model.source import EdgeKind

LONGEST_NOISY: Final = 4_000
"""Characters of a line up to which noise is looked for; over longer ones, built or hostile, it would take minutes."""

LEADING_NODES: Final = 200
"""So many comments and attributes above a symbol belong to it; the way from one to the one before is long."""

APPLIERS: Final = frozenset({"apply", "bind", "call"})
"""By these a function of JavaScript is called, or made ready for it, as if it were its method."""

SIGNALS: Final = frozenset({"connect", "connect_via", "send", "send_async"})
SENDERS: Final = frozenset({"dispatchEvent", "emit", "emitAsync", "fire", "publish", "send", "send_async", "trigger"})
LISTENERS: Final = frozenset(
    {
        "addEventListener",
        "addListener",
        "connect",
        "connect_via",
        "listen",
        "on",
        "once",
        "prependListener",
        "subscribe",
    }
)
"""Calls that send an event, or await one; those of `SIGNALS` are made on the event itself."""

_THIS: Final = ("cls", "self", "super", "this")
_WORD: Final = re.compile(r"\w+")
_ROOT: Final = re.compile(r"[.(\[]")

_EVENTFUL: Final = SENDERS | LISTENERS

LONGEST_EVENT: Final = 60

LEAST_BARE: Final = 3
"""Letters of a name that may be a call of Ruby's without anything around it."""

_NAMING: Final = frozenset(
    {
        "alias",
        "block_parameter",
        "block_parameters",
        "destructured_left_assignment",
        "destructured_parameter",
        "exception_variable",
        "hash_splat_parameter",
        "keyword_parameter",
        "lambda_parameters",
        "left_assignment_list",
        "method",
        "method_parameters",
        "optional_parameter",
        "singleton_method",
        "splat_parameter",
        "undef",
    }
)
"""Nodes of Ruby in which a name is given and not used."""

_TEXTS: Final = frozenset({"binary_expression", "conditional_expression", "parenthesized_expression", "string"})

_DECLARING: Final = frozenset(
    {"module_function", "private", "private_class_method", "private_constant", "protected", "public"}
)

Captures = dict[str, list[tree_sitter.Node]]


def parse(language: Language, text: str, lines: Sequence[str], *, handed: bool = True) -> Parsed:
    """The symbols of `text` and the names they use, those that are handed on only with `handed`. Broken syntax gives
    what could be made out."""
    grammar, query, of_handed = _grammar(language)
    root = tree_sitter.Parser(grammar).parse(_readable(language, text).encode("utf-8", "replace")).root_node
    definitions: list[Definition] = []
    mentions: list[Mention] = []
    typed: list[tuple[list[tree_sitter.Node], Captures]] = []
    for rank, captures in tree_sitter.QueryCursor(query).matches(root):
        for name, nodes in captures.items():
            if name.startswith("definition."):
                definitions.append(_definition(language, nodes[0], name[11:], rank, captures))
            elif name in _MENTIONS:
                mentions.extend(_MENTIONS[name](nodes, captures))
            elif name in ("field", "variable"):
                typed.append((nodes, captures))
    mentions.extend(_telling(typed, mentions))
    if handed:
        found = tree_sitter.QueryCursor(of_handed).captures(root)
        known = _known(definitions, mentions) if language.by_name else None
        mentions.extend(_passes(found.get("reference.pass", ()), known))
        mentions.extend(_bare(found.get("reference.bare", ())))
        mentions.extend(_named(found.get("reference.named", ())))
        mentions.extend(_paired(found.get("reference.member", ())))
    return outline([found for found in definitions if found.name], mentions, lines)


def _telling(typed: list[tuple[list[tree_sitter.Node], Captures]], mentions: Sequence[Mention]) -> list[Mention]:
    """The types of variables that something is called on, and of fields, which may be used in other files."""
    chains = {m.module or m.name for m in mentions if m.kind is EdgeKind.CALLS}
    used = {name for text in chains for name in _WORD.findall(text)}
    found: list[Mention] = []
    # What is the same as another uses that, which stands before it.
    typed.sort(key=lambda each: ("type" in each[1], -each[0][0].start_byte))
    for nodes, captures in typed:
        told = list(_types(nodes, captures, used))
        found += told
        used.update(name for m in told if m.module[0] == "=" for name in _WORD.findall(m.module))
    return found


def _known(definitions: Sequence[Definition], mentions: Sequence[Mention]) -> frozenset[str] | None:
    """The names that a file says something of, by which what it hands on is known; None where it may be any."""
    if any(m.kind is EdgeKind.IMPORTS and not m.name and m.module.startswith(".") for m in mentions):
        return None
    said = (m.name for m in mentions if m.kind in (EdgeKind.IMPORTS, EdgeKind.TYPES))
    return frozenset([*_THIS, *said, *(found.name for found in definitions)])


@cache
def _grammar(language: Language) -> tuple[tree_sitter.Language, tree_sitter.Query, tree_sitter.Query]:
    module, function = language.grammar
    grammar = tree_sitter.Language(getattr(importlib.import_module(module), function)())
    return grammar, tree_sitter.Query(grammar, language.query), tree_sitter.Query(grammar, language.handed)


def _readable(language: Language, text: str) -> str:
    """The text without what the grammar cannot read; every line keeps its number."""
    text = text.replace("\r\n", "\n")
    if max(map(len, text.split("\n"))) > LONGEST_NOISY:
        return text
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
) -> Definition:
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
    return Definition(
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
    before = node.prev_sibling
    while before is None and (parent := node.parent) is not None and parent.start_byte == node.start_byte:
        node, before = parent, parent.prev_sibling  # A comment above a block's first statement stands before the block.
    first = node.start_point.row
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


def _calls(nodes: list[tree_sitter.Node], _: Captures) -> Iterator[Mention]:
    for node in nodes:
        name, on, line = _text(node), called_on(node), node.start_point.row + 1
        if name in APPLIERS and node.type == "property_identifier" and on.rpartition(".")[2].isidentifier():
            on, _dot, name = on.rpartition(".")
        yield Mention(node.start_byte, EdgeKind.CALLS, name, line, on)
        if name in _EVENTFUL:
            yield from _events(node, name, on, line)


def _bare(nodes: Sequence[tree_sitter.Node]) -> Iterator[Mention]:
    """A name of Ruby that stands by itself where a value can: a call, unless it is a variable."""
    for node in nodes:
        name, around = _text(node), node.parent
        if around is None or around.type in _NAMING or len(name) < LEAST_BARE or name in _DECLARING:
            continue
        if around.type == "call" and node != around.child_by_field_name("receiver"):
            continue
        if around.type.endswith("assignment") and node == around.child_by_field_name("left"):
            continue
        yield Mention(node.start_byte, EdgeKind.CALLS, name, node.start_point.row + 1, unless_local=True)


def _events(node: tree_sitter.Node, name: str, on: str, line: int) -> Iterator[Mention]:
    """What a call like `emit("x")` sends, or one like `on("x", act)` awaits; of a signal the name it is kept under."""
    given = _arguments(node)
    first = given[0] if given else None
    kind = EdgeKind.EMITS if name in SENDERS else EdgeKind.LISTENS
    if first is not None and "string" in first.type and name not in SIGNALS:
        event = _text(first).strip("\"'`@")
        act = _last_name(given[1]) if len(given) > 1 else ""
        if 0 < len(event) <= LONGEST_EVENT:
            yield Mention(node.start_byte, kind, event, line, act if kind is EdgeKind.LISTENS else "")
    elif name in SIGNALS and on.rsplit(".", 1)[-1].isidentifier():
        act = _last_name(first) if first is not None and kind is EdgeKind.LISTENS else ""
        yield Mention(node.start_byte, kind, on.rsplit(".", 1)[-1], line, act)


def _arguments(name: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The arguments of the call of a name."""
    around = name.parent
    for _ in range(3):
        if around is None:
            break
        given = around.child_by_field_name("arguments")
        if given is not None and given.start_byte >= name.end_byte:
            return [argument for argument in given.named_children if argument.type != "comment"]
        around = around.parent
    return []


def _last_name(node: tree_sitter.Node) -> str:
    """The last name of a chain, where a node is one."""
    named = node.child_by_field_name("name") if node.type == "function_expression" else None
    last = chain(named if named is not None else node).rsplit(".", 1)[-1]
    return last if last.isidentifier() else ""


def _inherits(nodes: list[tree_sitter.Node], captures: Captures) -> Iterator[Mention]:
    heir = captures["heir"][0] if "heir" in captures else None
    of = plain_type(_text(heir)) if heir is not None else ""
    for node in nodes:
        yield Mention(node.start_byte, EdgeKind.INHERITS, _text(node), node.start_point.row + 1, of)


def _decorates(nodes: list[tree_sitter.Node], _: Captures) -> Iterator[Mention]:
    """A decorator belongs to what stands below it."""
    for node in nodes:
        below: tree_sitter.Node | None = node
        while below is not None and below.type != "decorator":
            below = below.parent
        while below is not None and below.type in ("comment", "decorator"):
            below = below.next_named_sibling
        at = below.start_byte if below is not None else node.start_byte
        yield Mention(at, EdgeKind.DECORATES, _text(node), node.start_point.row + 1, called_on(node))


def _passes(nodes: Sequence[tree_sitter.Node], known: frozenset[str] | None) -> Iterator[Mention]:
    """What is handed on, as far as it, or what it is taken from, is `known`."""
    for node in nodes:
        on, _dot, name = _handed(node)
        line = node.start_point.row + 1
        if name.isidentifier() and not name.isupper() and len(name) > 1:
            assigned = _is_assigned(node)
            if known is not None and not assigned and _ROOT.split(on or name, 1)[0] not in known:
                continue
            whole = _named_by(node)
            byte = whole.start_byte - (whole != node)  # a function's own name stands inside of it
            given = _method_call(node) or whole
            to = name if node.type == "shorthand_property_identifier" else f"{slot(given)} {on}".rstrip()
            slots = [to, f"{kept} {on}".rstrip()] if "#" in to and (kept := kept_as(node)) else [to]
            for each in slots:
                yield Mention(byte, EdgeKind.PASSES, name, line, each, unless_local=not assigned)


def _named(nodes: Sequence[tree_sitter.Node]) -> Iterator[Mention]:
    """A function of PHP that is handed on by its name in a text: `Type::name`, the type also put before it."""
    for node in nodes:
        of, joint, name = _text(node).rpartition("::")
        if joint and name.isidentifier():
            to = f"{slot(_whole(node))} {of.replace(chr(92), '.').strip('.') or 'self'}"
            yield Mention(node.start_byte, EdgeKind.PASSES, name, node.start_point.row + 1, to)


def _paired(nodes: Sequence[tree_sitter.Node]) -> Iterator[Mention]:
    """A method of PHP that is handed on as a list of an object and its name."""
    for node in nodes:
        name, pair = _text(node), node
        while pair.type != "array_creation_expression" and pair.parent is not None:
            pair = pair.parent
        if name.isidentifier() and (first := pair.named_child(0)) is not None:
            to = f"{slot(pair)} {chain(first)}"
            yield Mention(node.start_byte, EdgeKind.PASSES, name, node.start_point.row + 1, to)


def _whole(text: tree_sitter.Node) -> tree_sitter.Node:
    """The value that a text is a part of."""
    while (around := text.parent) is not None and around.type in _TEXTS:
        text = around
    return text


def _is_assigned(node: tree_sitter.Node) -> bool:
    around = node.parent
    if around is not None and around.type == "expression_list":
        around = around.parent
    return around is not None and around.type.startswith("assignment")


def _named_by(node: tree_sitter.Node) -> tree_sitter.Node:
    """The function that a name is given to where it is handed on, else the name."""
    around = node.parent
    return around if around is not None and around.type == "function_expression" else node


def _method_call(symbol: tree_sitter.Node) -> tree_sitter.Node | None:
    """The call of Ruby's `method` that makes a value of the method with this name."""
    call = symbol.parent.parent if symbol.type == "simple_symbol" and symbol.parent is not None else None
    of = call.child_by_field_name("method") if call is not None else None
    return call if of is not None and _text(of) == "method" else None


def _handed(node: tree_sitter.Node) -> tuple[str, str, str]:
    """A name that is handed on and what it is taken from, with the dot between; Ruby's `:name` and Kotlin's `::name`
    are names."""
    if node.type in ("simple_symbol", "callable_reference") and _text(node).startswith(":"):
        return "", "", _text(node).lstrip(":")
    return chain(node).rpartition(".")


def _types(nodes: list[tree_sitter.Node], captures: Captures, used: Set[str]) -> Iterator[Mention]:
    """The type of a field, or of a variable that is used."""
    for node in nodes:
        name = variable(node)
        told = name and ("field" in captures or name[0] == "." or name in used)
        if told and (of := _said_of(captures)) not in ("", "="):
            yield Mention(node.start_byte, EdgeKind.TYPES, name, node.start_point.row + 1, of)


def _said_of(captures: Captures) -> str:
    if "type" in captures:
        return type_of(captures["type"][0])
    for name, mark in (("same", ""), ("each", "[]"), ("key", "{}")):
        if name in captures and (same := chain(captures[name][0])) != UNKNOWN:
            return f"={same.lstrip('$')}{mark}"
    return ""


def _import(nodes: list[tree_sitter.Node], captures: Captures) -> Iterator[Mention]:
    node = nodes[0]
    parts = captures["module"]
    module = "::".join(_text(part) for part in parts).strip("<>\"'")
    names: list[tree_sitter.Node | None] = [*captures.get("name", [])]
    for name in names or [None]:
        if name is not None and parts[0].start_byte < name.start_byte < parts[0].end_byte:
            module = module[: -len(_text(name))].rstrip(".:\\")
        taken = _name([name]) if name else ""
        yield Mention(node.start_byte, EdgeKind.IMPORTS, taken, node.start_point.row + 1, module)


_MENTIONS: Final[Mapping[str, Callable[[list[tree_sitter.Node], Captures], Iterator[Mention]]]] = {
    "import": _import,
    "reference.call": _calls,
    "reference.decorate": _decorates,
    "reference.inherits": _inherits,
}
"""What each capture of a language's query says is used."""
