"""Which symbol a name means, from where it is used: a pure choice among candidates, which rather stays without one."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Candidate:
    """A symbol that has the name."""

    path: str
    ordinal: int


def resolve(user: str, candidates: Sequence[Candidate], modules: Iterable[str]) -> Candidate | None:
    """The candidate that a name used in the file `user` means, or None where that is open.

    Looked for in the file itself, then in the modules it imports, then in its package (folder), then everywhere; the
    first of these places that has any decides, if it has exactly one.
    """
    package = posixpath.dirname(user)
    imported = list(modules)
    places: tuple[Callable[[Candidate], bool], ...] = (
        lambda c: c.path == user,
        lambda c: any(leads_to(module, user, c.path) for module in imported),
        lambda c: posixpath.dirname(c.path) == package,
        lambda _: True,
    )
    for place in places:
        if here := [candidate for candidate in candidates if place(candidate)]:
            return here[0] if len(here) == 1 else None
    return None


@lru_cache(maxsize=1 << 14)
def leads_to(module: str, user: str, path: str) -> bool:
    """Whether an import of `module`, written in the file `user`, can mean the file `path`."""
    stem = posixpath.splitext(path)[0]
    targets = {stem, path, stem.removesuffix("/index"), stem.removesuffix("/__init__"), stem.removesuffix("/mod")}
    if relative := _relative(module, user):
        return posixpath.splitext(relative)[0] in targets or relative in targets
    parts = [part for part in re.split(r"::|[./\\]", module) if part not in ("", "crate", "self", "super")]
    if not parts:
        return False
    dotted = "/".join(parts)
    folder = posixpath.dirname(path)
    ends = any(target == dotted or target.endswith("/" + dotted) for target in targets)
    is_folder = folder != "" and (dotted == folder or dotted.endswith("/" + folder))
    return ends or is_folder or path.endswith("/" + module)


@lru_cache(maxsize=1 << 14)
def is_below(module: str, user: str, path: str) -> bool:
    """Whether a file is in the package, or below the folder, that an import of `module` in the file `user` names."""
    folder = posixpath.dirname(path)
    if relative := _relative(module, user):
        return f"{folder}/".startswith(f"{relative}/")
    dotted = "/".join(part for part in re.split(r"::|[./\\]", module) if part not in ("", "crate", "self", "super"))
    return bool(dotted) and (f"/{folder}/").find(f"/{dotted}/") >= 0


def _relative(module: str, user: str) -> str:
    """The path that a relative import means, without its suffix; empty for any other import."""
    folder = posixpath.dirname(user)
    if module.startswith(("./", "../")):
        return posixpath.normpath(posixpath.join(folder, module))
    if module.startswith("."):
        dots = len(module) - len(module.lstrip("."))
        return posixpath.normpath(posixpath.join(folder, "../" * (dots - 1), module[dots:].replace(".", "/")))
    if module.endswith((".h", ".hpp", ".rb")) and "/" not in module:
        return posixpath.normpath(posixpath.join(folder, module))
    return ""
