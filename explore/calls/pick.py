"""Which of several symbols of one name can be meant, by what they are and where they stand; it looks nothing up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from explore.calls.types import family, scope_of
from explore.model.corpus import Located
from explore.model.source import Kind


def functions(found: Iterable[Located]) -> list[Located]:
    """Those of these symbols that are functions."""
    return [s for s in found if s.kind in (Kind.FUNCTION, Kind.METHOD)]


def nearest_inside(found: Sequence[Located], user: Located) -> list[Located]:
    """Of these functions those that are inside the user or inside a function around it, the innermost."""
    inside = [
        s for s in found
        if s.file == user.file and scope_of(s) and s.kind is Kind.FUNCTION and s.parent is not None
        and f"{user.qualified}.".startswith(f"{scope_of(s)}.")
    ]  # fmt: skip
    longest = max((len(scope_of(s)) for s in inside), default=0)
    return [s for s in inside if len(scope_of(s)) == longest]


def is_free(symbol: Located) -> bool:
    """Whether a function is called by its name without an object."""
    if symbol.kind is Kind.MACRO:
        return True
    if symbol.kind is Kind.METHOD:
        return False
    return (
        symbol.kind is Kind.FUNCTION and (symbol.parent is None or "." in symbol.qualified) and _scope_is_open(symbol)
    )


def _scope_is_open(symbol: Located) -> bool:
    """Functions of Go or C with a scope are methods; of others a scope is a module, or a name assigned to."""
    return "." not in symbol.qualified or family(symbol.language) in ("kotlin", "php", "ruby", "rust")


def of_one_name(found: Sequence[Located]) -> Sequence[Located]:
    """These, where they are one function: all of one qualified name in one file."""
    return found if len({(s.path, s.qualified) for s in found}) == 1 else ()


def variants(found: Sequence[Located]) -> Sequence[Located]:
    """These functions of C, where they are one: one of them for each platform, all with one head."""
    heads = {"".join(s.signature.split()) for s in found}
    same = len(heads) == 1 and not any("static" in head[:20] for head in heads)
    return found if same else of_one_name(found)


def is_compound(name: str) -> bool:
    """Whether a name is of several words."""
    return "_" in name.strip("_") or any(letter.isupper() for letter in name[1:])
