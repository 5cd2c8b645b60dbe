"""Which symbols a name means that a question spells: by what is named around it, else by what is source and no test. It
follows no calls."""

from __future__ import annotations

import re
from typing import Final

from explore.calls.types import Types, is_declaration
from explore.model.corpus import Located
from explore.model.source import CONTAINERS, Kind

MOST_MEANT: Final = 12
"""Symbols that a name may mean; one of more says too little to start from."""

CALLABLE: Final = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.MACRO})

_JOINT: Final = re.compile(r"\.|::|->|#")


def meanings(name: str, types: Types, files: frozenset[int]) -> list[Located]:
    """The functions and types that a name can mean, those of the best fit; none where there are too many. `files` are
    those that the question names."""
    *around, last = [part.lstrip("$~@") for part in _JOINT.split(name)]
    found = [s for s in types.named(last) if s.kind in CALLABLE | CONTAINERS]
    if around:
        found = _within(found, around, last, types)
    found = [s for s in found if s.file in files] or found
    found = [s for s in found if not s.aside] or found
    found = [s for s in found if not is_declaration(s)] or found
    return found if len({(s.path, s.qualified) for s in found}) <= MOST_MEANT else []


def the_one(name: str, types: Types, files: frozenset[int]) -> Located | None:
    """The symbol that a name means, where that is one; of overloads the last, which is the one with a body."""
    found = meanings(name, types, files)
    return found[-1] if len({(s.path, s.qualified) for s in found}) == 1 else None


def _within(found: list[Located], around: list[str], last: str, types: Types) -> list[Located]:
    """Those in what is named before the last dot: a type, also by inheritance, or a module or package."""
    whole = ".".join([*around, last])
    if inside := [s for s in found if f".{s.qualified}".endswith(f".{whole}")]:
        return inside
    for owner in types.named(around[-1]):
        of = types.meant(owner.qualified, owner) if owner.kind in CONTAINERS else None
        if of and (inherited := [s for s in types.inherited(of, last) if s.kind in CALLABLE]):
            return inherited
    parts = {part.lower() for part in around}
    return [s for s in found if not parts.isdisjoint(re.split(r"[/.]", s.path.lower())) and "." not in s.qualified]
