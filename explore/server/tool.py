"""The explore tool as a client sees it: its schema, and its arguments read with care. It runs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from explore.decay.tiers import LEAST_MAX_BYTES, MOST_MAX_BYTES, MOST_MAX_FILES
from explore.errors import BadRequest

NAME: Final = "codegraph_explore"
LONGEST_QUERY: Final = 100_000
"""Characters of a question that are taken; a longer one was not meant for a search."""

LARGEST_NUMBER: Final = 10**9
LONGEST_NUMBER: Final = 20
"""Characters of a number given as text."""

INSTRUCTIONS: Final = (
    "codegraph_explore answers a question about this repository with the source that matters: verbatim, numbered as "
    "on disk, grouped by file. Ask it first, before searching or reading files by hand: a sentence ('how are routes "
    "registered'), or the names of the symbols and files in question. What an answer shows need not be read again; "
    "it ends with what else is relevant, by name."
)

DESCRIPTION: Final = (
    "Answers 'how does X work', 'where is Y done', or a bag of symbol and file names with the verbatim, line-numbered "
    "source that answers it, grouped by file, in one call. Lines are exactly those on disk at this moment. Gaps name "
    "the symbols that they leave out, so that a further call can name them."
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
    },
    "required": ["query"],
}


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of one call; None is what the caller left open."""

    query: str
    project_path: str | None
    max_files: int | None
    max_bytes: int | None


def read_call(arguments: Mapping[str, Any] | None) -> Call:
    """The arguments as a value; `BadRequest` says which is wrong. Unknown ones are ignored."""
    given = arguments or {}
    query = given.get("query")
    if not isinstance(query, str) or not query.strip():
        raise BadRequest("give 'query': a question, or names of symbols and files, as a string")
    if len(query) > LONGEST_QUERY:
        raise BadRequest(f"'query' has {len(query):,} characters; ask in at most {LONGEST_QUERY:,}")
    path = given.get("project_path")
    if path is not None and (not isinstance(path, str) or not path.strip()):
        raise BadRequest("'project_path' must be the path of a folder, as a string")
    return Call(query, path, _number(given, "max_files"), _number(given, "max_bytes"))


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
