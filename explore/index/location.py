"""Where a project's root is and where its index lives; it reads no source and no rows."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from explore.errors import BadRoot, IndexUnavailable
from explore.index.store import FILE_NAME

FOLDER: Final = ".codegraph-explore"


@dataclass(frozen=True, slots=True)
class Location:
    """The folder of an index. `elsewhere`: it is not in the project, which cannot be written to."""

    folder: Path
    elsewhere: bool = False


def resolve_root(path: str | os.PathLike[str]) -> Path:
    """The real directory at `path`; `BadRoot` where there is none that can be read."""
    try:
        root = Path(path).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise BadRoot(f"there is no folder {str(path)!r}: give the path of a project's folder") from None
    if not root.is_dir():
        raise BadRoot(f"{str(path)!r} is a file: give the folder of the project it belongs to")
    if not os.access(root, os.R_OK | os.X_OK):
        raise BadRoot(f"{str(path)!r} cannot be read: check its permissions")
    return root


def project_root(path: str | os.PathLike[str]) -> Path:
    """The project that `path` belongs to: the nearest folder from it upwards that has an index, else itself.

    The root of the file system and a home folder are projects only where somebody made them so: `BadRoot`.
    """
    root = resolve_root(path)
    indexed = next((folder for folder in (root, *root.parents) if is_indexed(folder)), None)
    if indexed is None and root in (Path(root.anchor), Path.home()):
        raise BadRoot(f"{root} is hardly one project: name a folder in it, or run `codegraph-explore init {root}`")
    return indexed or root


def relative_to(root: Path, path: str) -> str:
    """A path in a project, however it is written, from the root and with `/`; one that leads out of it as it is."""
    try:
        return _existing(root, path).resolve().relative_to(root).as_posix()
    except (OSError, RuntimeError, ValueError):
        return path


def _existing(root: Path, path: str) -> Path:
    """The path, without blanks around it where only that exists."""
    bare = root / path.strip()
    return bare if bare.exists() and not (root / path).exists() else root / path


def is_indexed(root: Path) -> bool:
    """Whether this very folder has an index that can be read, in it or in the user's cache."""
    return any(os.access(folder / FILE_NAME, os.R_OK) for folder in (root / FOLDER, _cache_folder(root)))


def locate(root: Path) -> Location:
    """A folder for the index that can be written, made if need be: in the project, else in the user's cache."""
    for location in (Location(root / FOLDER), Location(_cache_folder(root), elsewhere=True)):
        if _writable(location.folder):
            return location
    raise IndexUnavailable(
        f"the index can be kept neither in {root / FOLDER} nor in {_cache_folder(root)}: make one of them writable"
    )


def _writable(folder: Path) -> bool:
    """Makes the folder, with the ignore file that keeps it out of git, and tells whether that went well."""
    ignore = folder / ".gitignore"
    try:
        if folder.is_symlink():
            return False
        folder.mkdir(parents=True, exist_ok=True)
        if any(file.is_symlink() for file in folder.iterdir()):
            return False  # in a project that somebody else made, a link may lead anywhere
        if not ignore.exists() or not ignore.stat().st_size:
            ignore.write_text("*\n")
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _cache_folder(root: Path) -> Path:
    from platformdirs import user_cache_path

    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    return user_cache_path("codegraph-explore", appauthor=False) / f"{root.name or 'root'}-{name}"
