"""Which files an import can mean, by their paths; it looks nothing up."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def leads_to(module: str, user: str, path: str) -> bool:
    """Whether an import of `module`, written in the file `user`, can mean the file `path`."""
    stem = posixpath.splitext(path)[0]
    targets = {stem, path, stem.removesuffix("/index"), stem.removesuffix("/__init__"), stem.removesuffix("/mod")}
    if relative := _relative(module, user):
        return posixpath.splitext(relative)[0] in targets or relative in targets
    if not (dotted := _as_path(module)):
        return False
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
    dotted = _as_path(module)
    return bool(dotted) and f"/{dotted}/" in f"/{folder}/"


def _as_path(module: str) -> str:
    """What an import from the root names, its parts joined as those of a path."""
    return "/".join(part for part in re.split(r"::|[./\\]", module) if part not in ("", "crate", "self", "super"))


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
