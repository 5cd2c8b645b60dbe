"""What a name is used with, off a syntax tree: what it is called on, where it is handed to, what type a variable is
said to have. It reads the few nodes around the name and knows no symbol."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import tree_sitter

from explore.model.source import RETURNED

LONGEST_CHAIN: Final = 60
"""Characters of what something is called on; a longer one is never followed."""

_LONGEST_TEXT: Final = 300
"""Bytes of source that are looked at for one."""

UNKNOWN: Final = "?"

_RECEIVERS: Final = {
    "attribute": ("object",),
    "call": ("receiver",),
    "conditional_access_expression": ("condition",),
    "field_expression": ("argument", "value"),
    "member_access_expression": ("expression", "object"),
    "member_call_expression": ("object",),
    "member_expression": ("object",),
    "method_invocation": ("object",),
    "nullsafe_member_call_expression": ("object",),
    "qualified_identifier": ("scope",),
    "qualified_type": ("package",),
    "scoped_call_expression": ("scope",),
    "scoped_identifier": ("path",),
    "selector_expression": ("operand",),
}
"""By the node around a called name the fields that hold what it is called on."""

_AROUND_NAME: Final = frozenset(
    {"generic_function", "generic_name", "member_binding_expression", "template_function", "template_method"}
)
_FIRST_CHILD: Final = frozenset({"method_reference", "navigation_expression"})
_ARGUMENTS: Final = frozenset({"argument_list", "arguments", "value_arguments"})
_TRANSPARENT: Final = frozenset(
    {
        "argument",
        "array_creation_expression",
        "array_element_initializer",
        "expression_list",
        "literal_element",
        "parenthesized_expression",
        "pointer_expression",
        "reference_expression",
        "unary_expression",
        "value_argument",
    }
)
_CALLING: Final = (
    _ARGUMENTS | _TRANSPARENT
    | {"call", "call_expression", "invocation_expression", "method_invocation", "new_expression"}
)  # fmt: skip
_RETURNING: Final = frozenset({"arrow_function", "return_statement"})
_NESTED: Final = 8
_CASTS: Final = frozenset({"as_expression", "cast_expression", "type_assertion_expression"})
_AROUND_VALUE: Final = frozenset({"await", "await_expression", "parenthesized_expression"})
_LISTS: Final = frozenset(
    {"array", "array_expression", "dictionary", "initializer_list", "list", "literal_value", "object", "set", "tuple"}
)
_KEYS: Final = ("name", "key", "left", "designator", "field", "declarator")
_CALLEES: Final = ("function", "name", "method", "constructor", "type", "macro")

_ARROWS: Final = re.compile(r"\.#|\?\.|!!\.|!\.|->|::|\\")
_CHAIN: Final = re.compile(r"[@$]{0,2}\w+(?:\(\)|\[\])*(?:\.\w+(?:\(\)|\[\])*)*")
_INDEX: Final = re.compile(r"\[[^\[\]]*\]\s*$")
_LAST_NAME: Final = re.compile(r"(\w+)\W*$")

_WRAPPERS: Final = re.compile(
    r"(?:[\w.]+(?:\.|::))?(?:Annotated|Arc|Awaitable|Box|Cell|ClassVar|Final|InitVar|Lazy|Mutex|Option|Optional|Partial"
    r"|Promise|Rc|Readonly|Ref|RefCell|Required|RwLock|shared_ptr|unique_ptr)\s*[<\[](.*)[>\]]$",
    re.DOTALL,
)
_MARKS: Final = re.compile(r"^(?:'\w+ |[&*:?\s'\"(]|\bconst\b|\bmut\b|\bdyn\b|\bimpl\b|\bstruct\b|\breadonly\b)+")
_MANY: Final = re.compile(
    r"(.+)\[\]|(?:Array|Iterable|List|ReadonlyArray|Sequence|Set|Vec|list|set|tuple)[<\[]([^,]+?)(?:, ?\.\.\.)?[>\]]"
    r"|\[\](.+)|map\[\w+\](.+)",
    re.DOTALL,
)
_KEYS_OF: Final = re.compile(r"map\[(.+)\](?:bool|struct\{\})", re.DOTALL)
"""A list, or the like, of values of one type; a map of such values; a map that is a set of keys."""

_NO_TYPES: Final = frozenset({"none", "null", "undefined", "nil"})
_PLAIN: Final = frozenset(
    "any auto bool boolean byte bytes char chan complex dict double dynamic error float float32 float64 func function"
    " i16 i32 i64 i8 int int16 int32 int64 int8 integer interface interval list long map mixed never number object"
    " rune self set short size_t ssize_t str string symbol this tuple u16 u32 u64 u8 uint uint16 uint32 uint64 uint8"
    " uintptr unknown usize isize unsigned var void array callable callback iterable iterator sequence mapping"
    " duration time".split()
)
"""Types, in lower case, that no project declares; what is called on them leads nowhere in it."""

_LONGEST_TYPE: Final = 120


def called_on(name: tree_sitter.Node) -> str:
    """What a name is called on, as a chain of names; empty where it is called by itself."""
    around = name.parent
    while around is not None and around.type in _AROUND_NAME:
        name, around = around, around.parent
    if around is None:
        return ""
    if around.type in _FIRST_CHILD:
        first = around.named_child(0)
        return chain(first) if first is not None and first.end_byte <= name.start_byte else ""
    for field in _RECEIVERS.get(around.type, ()):
        found = around.child_by_field_name(field)
        if found is not None and found.end_byte <= name.start_byte:
            return chain(found)
    return ""


def chain(node: tree_sitter.Node) -> str:
    """An expression as names, calls without arguments, and dots; `?` where it is something else."""
    while node.type in _AROUND_VALUE and (inner := node.named_child(0)) is not None:
        node = inner
    if node.end_byte - node.start_byte > _LONGEST_TEXT:
        return UNKNOWN
    if node.type in _CASTS:
        return _cast_to(node) or UNKNOWN
    text = _text(node)
    if not text.isidentifier():
        text = _without_arguments(_ARROWS.sub(".", "".join(text.split()))).lstrip("*&")
        if not _CHAIN.fullmatch(text):
            return UNKNOWN
    return text if len(text) <= LONGEST_CHAIN else UNKNOWN


def _cast_to(node: tree_sitter.Node) -> str:
    """The type that a value is said to have right where it is used."""
    named = (node.child_by_field_name("type"), node.child_by_field_name("right"), *node.named_children[1:2])
    of = next((each for each in named if each is not None), None)
    return plain_type(_text(of)) if of is not None else ""


def _without_arguments(text: str) -> str:
    kept: list[str] = []
    depth = 0
    for letter in text:
        depth -= letter in ")]"
        if depth <= 0:
            kept.append(letter)
        depth += letter in "(["
    whole = "".join(kept)
    return whole if not whole.startswith("(") else text


def slot(value: tree_sitter.Node) -> str:
    """Where a value is handed to: `run#1` for an argument, else the name of what it is assigned to; may be empty."""
    before, around = value, value.parent
    while around is not None and around.type in _TRANSPARENT:
        before, around = around, around.parent
    if around is None:
        return ""
    if around.type in _ARGUMENTS:
        return _argument(before, around)
    while around is not None and around.type in _LISTS:
        before, around = around, around.parent
        while around is not None and around.type in _TRANSPARENT:
            before, around = around, around.parent
    if around is not None and around.type in _RETURNING:
        return RETURNED
    return _key(before, around) if around is not None else ""


def kept_as(value: tree_sitter.Node) -> str:
    """The field that takes what the calls give that a value is an argument of; empty where there is none."""
    before, around = value, value.parent
    for _ in range(_NESTED):
        if around is None or around.type not in _CALLING:
            break
        before, around = around, around.parent
    if around is None or not around.type.startswith("assignment"):
        return ""
    left = around.child_by_field_name("left")
    return _key(before, around) if left is not None and b"." in (left.text or b"")[:_LONGEST_TEXT] else ""


def _argument(value: tree_sitter.Node, arguments: tree_sitter.Node) -> str:
    call = arguments.parent
    if call is None:
        return ""
    callee = next((found for field in _CALLEES if (found := call.child_by_field_name(field)) is not None), None)
    callee = callee if callee is not None else call.named_child(0)
    if callee is None or callee.start_byte >= arguments.start_byte:
        return ""
    if callee.text == b"new" and (of := call.child_by_field_name("receiver")) is not None:
        callee = of  # Ruby's types are called by their names
    tail = (callee.text or b"")[-LONGEST_CHAIN:].decode("utf-8", "replace")
    name = _LAST_NAME.search(tail)
    at = sum(child.end_byte <= value.start_byte and child.type != "comment" for child in arguments.named_children)
    if name and name[1] == "setdefault" and at == 1 and arguments.named_children[0].type == "string":
        return _text(arguments.named_children[0]).strip("\"'")
    return f"{name[1]}#{at}" if name else ""


def _key(value: tree_sitter.Node, around: tree_sitter.Node) -> str:
    """The name that a value is given in an assignment, a table or a literal."""
    keys = (around.child_by_field_name(field) for field in _KEYS)
    key = next((found for found in keys if found is not None), around.named_child(0))
    if key is None or key.end_byte > value.start_byte:
        return ""
    name = _LAST_NAME.search(_INDEX.sub("", (key.text or b"")[-LONGEST_CHAIN:].decode("utf-8", "replace")))
    return name[1] if name else ""


def variable(node: tree_sitter.Node) -> str:
    """The name of a variable that is given a type; with a dot before it where it is a field of this object; empty for
    what is neither."""
    text = _text(node)
    if text.isidentifier():
        return text
    for this in ("self.", "this.", "$this->", "@"):
        if text.startswith(this):
            name = text.removeprefix(this).lstrip("@#")
            return f".{name}" if name.isidentifier() else ""
    text = text.lstrip("$#")
    return text if text.isidentifier() else ""


def type_of(node: tree_sitter.Node) -> str:
    """A type as written, without what wraps it; `open()` for what a call gives; empty for what no project declares."""
    if node.parent is not None and node.parent.type in ("call", "call_expression"):
        made = chain(node)
        return "" if made == UNKNOWN else f"{made}()"
    return plain_type(_text(node)) if node.end_byte - node.start_byte <= _LONGEST_TEXT else ""


@lru_cache(maxsize=1 << 12)
def plain_type(text: str) -> str:
    """The name of a type that is declared somewhere, out of a type as written; empty where there is none."""
    text = text[:_LONGEST_TYPE].strip()
    for _ in range(4):
        text = _MARKS.sub("", text).rstrip("'\"?*&) \t!")
        if (wrapped := _WRAPPERS.match(text)) is None:
            break
        text = wrapped[1].split(",")[0] if "|" not in wrapped[1] else wrapped[1]
    parts = [part.strip(" ?'\"") for part in text.split("|")]
    text = next((part for part in parts if part.lower() not in _NO_TYPES), "")
    if many := _KEYS_OF.fullmatch(text) or _MANY.fullmatch(text):
        inner = plain_type(next(part for part in many.groups() if part))
        return f"{inner}{'{}' if many.re is _KEYS_OF else '[]'}" if inner.replace(".", "_").isidentifier() else ""
    head = _ARROWS.sub(".", re.split(r"[<\[({ ]", text, maxsplit=1)[0].strip(" *&?!"))
    last = head.rsplit(".", 1)[-1]
    return head if last.isidentifier() and last.lower() not in _PLAIN else ""


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
