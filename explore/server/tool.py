"""The explore tool as a client sees it: its schema, and its arguments read with care. It runs nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from explore.decay.tiers import LEAST_MAX_BYTES, MOST_MAX_BYTES, MOST_MAX_FILES
from explore.errors import BadRequest

NAME: Final = "codegraph_explore"
LONGEST_QUERY: Final = 100_000
"""Characters of a question that are taken; a longer one was not meant for a search. Of a text with handles the last."""

_WORD: Final = re.compile(r"[a-z0-9]+")
LARGEST_NUMBER: Final = 10**9
LONGEST_NUMBER: Final = 20
"""Characters of a number given as text."""

LONGEST_IDENTIFIER: Final = 64
"""Characters of a host's identifier that are kept as they are; of a longer one a digest."""

MOST_ITEMS: Final = 200
"""Handles, and things to send again, that are read of one call."""

INSTRUCTIONS: Final = (
    "codegraph_explore answers a question about this repository with the source that matters: verbatim, numbered as "
    "on disk, grouped by file. Ask it first, before searching or reading files by hand: a sentence ('how are routes "
    "registered'), or the names of the symbols and files in question. What an answer shows need not be read again; "
    "it ends with what else is relevant, by name.\n"
    "Each answer ends with a line `context: HANDLE`. List in the argument `context` the handle of every earlier answer "
    "whose text you can still see; what those answers show is then not sent again, and its place goes to source that "
    "you have not seen. List none in a new sub-agent or after a summary, and write a handle nowhere else.\n"
    "A line `> Already sent ...` stands for lines that an earlier answer shows, and that are the same on disk: look "
    "there, or read the file. Where you do not find them, give the argument `resend` the list that the line ends with; "
    "or ask again in the same words, without the handle of an answer that you do not see."
)

DESCRIPTION: Final = (
    "Answers 'how does X work', 'where is Y done', or a bag of symbol and file names with the verbatim, line-numbered "
    "source that answers it, grouped by file, in one call. Lines are exactly those on disk at this moment. Gaps name "
    "the symbols that they leave out, so that a further call can name them. Give `context` the handles that earlier "
    "answers end with, as far as you still see those answers: you then get what you have not seen."
)

INPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "A question in words that the code would use, or names of symbols and files. Names that are "
            "spelled out (Router.handle, src/app.py) are found by name.",
        },
        "project_path": {
            "type": "string",
            "description": "A folder of the project to ask about. Default: the client's root, else the folder in which "
            "the server was started.",
        },
        "max_files": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_MAX_FILES,
            "description": "Most files to show source of.",
        },
        "max_bytes": {
            "type": "integer",
            "minimum": LEAST_MAX_BYTES,
            "maximum": MOST_MAX_BYTES,
            "description": "Most bytes of the answer. Default: by the size of the project.",
        },
        "context": {
            "type": "array",
            "items": {"type": "string"},
            "description": "The handle of every earlier answer of this tool that you can still see: what stands after "
            "`context:` on its last line. Leave out answers that were cleared or summarised. Give none in a new "
            "sub-agent or after a summary, even if one was told to you; never write a handle anywhere else.",
        },
        "resend": {
            "anyOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "string"}}],
            "description": "Brings back text that `> Already sent` stands for and that you cannot see: the list which "
            "that line ends with, paths (src/app.py), lines of them (src/app.py:10-50), or true, with your question "
            "repeated, for an answer in which nothing is left out as already sent.",
        },
    },
    "required": ["query"],
}


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of one call; None is what the caller left open. `handles` are the words given as `context`, and
    `identifier` is what the host calls the conversation."""

    query: str
    project_path: str | None = None
    max_files: int | None = None
    max_bytes: int | None = None
    handles: tuple[str, ...] | None = None
    identifier: str | None = None
    resend: bool | tuple[str, ...] = ()


def read_call(arguments: Mapping[str, Any] | None, meta: Mapping[str, Any] | None = None) -> Call:
    """The arguments, and what the host adds to them, as a value; `BadRequest` says which is wrong.

    Unknown arguments are ignored, and so is what makes no sense in those that only save bytes.
    """
    given = arguments or {}
    query = given.get("query")
    if not isinstance(query, str) or not query.strip():
        raise BadRequest("give 'query': a question, or names of symbols and files, as a string")
    if len(query) > LONGEST_QUERY:
        raise BadRequest(f"'query' has {len(query):,} characters; ask in at most {LONGEST_QUERY:,}")
    path = given.get("project_path")
    if path is not None and (not isinstance(path, str) or not path.strip()):
        raise BadRequest("'project_path' must be the path of a folder, as a string")
    return Call(
        query,
        path,
        _number(given, "max_files"),
        _number(given, "max_bytes"),
        _handles(given.get("context")),
        _identifier(given.get("host_context"), meta or {}),
        _resend(given.get("resend")),
    )


def _handles(context: object) -> tuple[str, ...] | None:
    """The words of `context`, of which those count that are handles; None where it says nothing."""
    if context is None:
        return None
    texts = context if isinstance(context, list) else [context]
    last = (text[-LONGEST_QUERY:] for text in texts if isinstance(text, str))
    words = dict.fromkeys(word for text in last for word in _WORD.findall(text))
    return tuple(words)[-MOST_ITEMS:]


def _identifier(host_context: object, meta: Mapping[str, Any]) -> str | None:
    """What the host calls the conversation: what its hook says, else what its client adds to every call."""
    named = (
        ("host", json.dumps(host_context, sort_keys=True) if isinstance(host_context, dict) else host_context),
        ("thread", meta.get("threadId")),
        ("vscode", meta.get("vscode.conversationId")),
    )
    for kind, value in named:
        if isinstance(value, str) and value.strip(" {}"):
            digest = sha256(value.encode("utf-8", "replace")).hexdigest()
            return f"{kind}:{value}" if len(value) <= LONGEST_IDENTIFIER else f"{kind} digest:{digest}"
    return None


def _resend(value: object) -> bool | tuple[str, ...]:
    """True, or the paths; a list as text is read as what it says."""
    if isinstance(value, str):
        value = _from_json(value)
    if isinstance(value, bool):
        return value
    items = value if isinstance(value, list) else [value]
    if len(items) > MOST_ITEMS:
        raise BadRequest(f"'resend' names {len(items):,} things: give at most {MOST_ITEMS}")
    return tuple(item for item in items if isinstance(item, str) and item.strip())


def _from_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _number(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if isinstance(value, str) and value.strip().isdecimal() and len(value) <= LONGEST_NUMBER:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST_NUMBER:
        raise BadRequest(f"{name!r} must be a whole number within bounds")
    return value
