"""Brings the index in step with the files on disk, reading only what changed; it answers no question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from explore.index.crew import Crew, processes_for
from explore.index.read import News, Task, read
from explore.index.scan import Found, scan
from explore.index.store import Known, Store

BATCH_FILES: Final = 100
LARGEST_BATCH: Final = 1_000
"""Files written in one transaction, the fewest and the most: what is committed can be asked about while the rest is
parsed. Each touches most of the index, so they grow with what is there."""

READ_FILES: Final = 25
"""Files that are read at once; so many times a whole number are a batch."""

Progress = Callable[[int, int], None]
"""Called with the number of files done and of those to do."""


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did, in files: `indexed` are those that were parsed."""

    indexed: int
    unchanged: int
    removed: int
    unreadable: tuple[str, ...]


def sync(
    store: Store,
    root: Path,
    progress: Progress | None = None,
    *,
    only: Collection[str] | None = None,
    processes: int | None = None,
) -> Synced:
    """Parses again what changed since the last sync, drops what is gone, and leaves all other rows alone.

    Looks at the paths of `only` alone, where it is given: the rest is as indexed, as far as the caller knows.
    `processes` parse beside this one; by default as many as are worth their start.
    """
    known = store.known(only)
    found = {file.path: file for file in scan(root, only)}
    stale = _stale(found.values(), known)
    unreadable: list[str] = []
    indexed = done = 0
    for news in _in_batches(_read(stale, root, processes)):
        with store.writing():
            store.replace(news.changed)
            store.touch(news.touched)
        indexed += len(news.changed)
        unreadable += news.unreadable
        done += len(news)
        if progress:
            progress(done, len(stale))
    gone = [path for path in known if path not in found or path in unreadable]
    if gone:
        with store.writing():
            store.remove(gone)
    return Synced(indexed, len(found) - indexed - len(unreadable), len(gone), tuple(unreadable))


def count_behind(store: Store, root: Path) -> int:
    """How many files a sync would look into or drop, by their sizes and times."""
    known = store.known()
    found = {file.path: file for file in scan(root)}
    return len(_stale(found.values(), known)) + sum(path not in found for path in known)


def _stale(found: Iterable[Found], known: Mapping[str, Known]) -> list[Task]:
    """The files that are to be read: their size or time is not as indexed. That is enough for ranking; whether source
    may be shown is decided by its fingerprint alone."""
    stale = []
    for file in found:
        before = known.get(file.path)
        if before is None or (before.size, before.changed_ns) != (file.size, file.changed_ns):
            stale.append(Task(file, before.fingerprint if before else None))
    return stale


def _read(stale: Sequence[Task], root: Path, processes: int | None) -> Iterator[News]:
    """What became of these files, in their order."""
    batches = (stale[at : at + READ_FILES] for at in range(0, len(stale), READ_FILES))
    size = processes_for(stale) if processes is None else processes
    if not size:
        yield from (read(batch, root) for batch in batches)
        return
    with Crew(root, size) as crew:
        yield from crew.read(batches)


def _in_batches(read: Iterable[News]) -> Iterator[News]:
    """News joined until they are worth a transaction."""
    batch, written = News([], [], []), 0
    for news in read:
        batch += news
        if len(batch) >= min(max(BATCH_FILES, written // 4), LARGEST_BATCH):
            yield batch
            written += len(batch)
            batch = News([], [], [])
    if len(batch):
        yield batch
