"""The documents the index reads besides source: which format a file has by its name; it reads none of them."""

from __future__ import annotations

import re
from typing import Final

from explore.index.documents.declaration import Format
from explore.index.documents.formats import FORMATS

_BY_SUFFIX: Final = {suffix: form for form in FORMATS for suffix in form.suffixes}
_BY_NAME: Final = {name: form for form in FORMATS for name in form.names}

_LEFT_OUT: Final = re.compile(
    r"(?:(?:bun|composer|conda|deno|mamba|package|pixi|pnpm|poetry|yarn)-lock|.+\.lock|npm-shrinkwrap)"
    r"\.(?:json|toml|ya?ml)$|.*\.min\.\w+$"
)
"""What a tool writes and nobody reads: the versions that were resolved, and what was made small."""


def format_of(path: str) -> Format | None:
    """The format of a document by its file's name, or None where it is none that is read."""
    name = path.rsplit("/", 1)[-1].lower()
    stem, dot, suffix = name.rpartition(".")
    form = _BY_NAME.get(name) or (_BY_SUFFIX.get(dot + suffix) or _BY_NAME.get(stem.split(".")[0]) if stem else None)
    return form if form is not None and not _LEFT_OUT.match(name) else None
