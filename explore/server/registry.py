"""Which servers run on this machine: each leaves a note of itself for as long as it does. A note says counts and
places, never what was asked or answered."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

LEAST_SECONDS: Final = 1.0
"""Between two writings of one note."""


@dataclass(frozen=True, slots=True)
class Running:
    """A server: its process, where it listens (`stdio`, or an address), the roots that it has open, its clients now and
    its calls so far, its workers, and the roots that it watches."""

    process: int
    at: str
    roots: tuple[str, ...]
    clients: int
    calls: int
    workers: int
    watched: tuple[str, ...]


class Note:
    """This server's note. What cannot be written is left out: nothing depends on it."""

    def __init__(self, folder: Path, at: str, workers: int) -> None:
        self._file = folder / f"{os.getpid()}.json"
        self._at = at
        self._workers = workers
        self._calls = 0
        self._roots: tuple[str, ...] = ()
        self._written = float("-inf")

    def __enter__(self) -> Self:
        self.write((), 0, ())
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._file.unlink(missing_ok=True)

    def count(self, roots: tuple[str, ...], clients: int, watched: tuple[str, ...]) -> None:
        """One more call."""
        self._calls += 1
        if roots != self._roots or time.monotonic() - self._written >= LEAST_SECONDS:
            self.write(roots, clients, watched)

    def write(self, roots: tuple[str, ...], clients: int, watched: tuple[str, ...]) -> None:
        """Writes the note anew."""
        self._written, self._roots = time.monotonic(), roots
        running = Running(os.getpid(), self._at, roots, clients, self._calls, self._workers, watched)
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._file.with_suffix(".new")
            fresh.write_text(json.dumps(asdict(running)), "utf-8")
            fresh.replace(self._file)


def folder() -> Path:
    """Where the notes of this user's servers lie."""
    from platformdirs import user_cache_path

    return user_cache_path("codegraph-explore", appauthor=False) / "servers"


def running(notes: Path) -> list[Running]:
    """The servers that run, by their process; notes of those that ended without a word are taken away."""
    found = []
    for file in sorted(notes.glob("*.json")):
        note = _read(file)
        if note is not None and _is_alive(note.process):
            found.append(note)
        else:
            file.unlink(missing_ok=True)
    return found


def _read(file: Path) -> Running | None:
    try:
        plain: dict[str, Any] = json.loads(file.read_text("utf-8"))
        return Running(**{**plain, "roots": tuple(plain["roots"]), "watched": tuple(plain["watched"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError, TypeError):
        return False
    return True
