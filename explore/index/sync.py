"""Brings the index in step with the files on disk, reading only what changed; it answers no question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from explore.dedup.fingerprint import fingerprint
from explore.index.scan import Found, scan
from explore.index.store import FileRecord, Known, Store

BATCH_FILES: Final = 100
"""Files written in one transaction: what is committed can be asked about while the rest is parsed."""

Progress = Callable[[int, int], None]
"""Called with the number of files done and of those to do."""


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did, in files: `indexed` are those that were parsed."""

    indexed: int
    unchanged: int
    removed: int
    unreadable: tuple[str, ...]


def sync(store: Store, root: Path, progress: Progress | None = None) -> Synced:
    """Parses again what changed since the last sync, drops what is gone, and leaves all other rows alone."""
    known = store.known()
    found = {file.path: file for file in scan(root)}
    stale = [file for file in found.values() if not _looks_same(file, known.get(file.path))]
    unreadable: list[str] = []
    indexed = 0
    for done, batch in _batches(stale, BATCH_FILES):
        news = _news_of(batch, known, root)
        with store.writing():
            store.replace(news.records)
            store.touch((file.path, file.size, file.changed_ns) for file in news.touched)
        indexed += len(news.records)
        unreadable += news.unreadable
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
    stale = sum(not _looks_same(file, known.get(file.path)) for file in found.values())
    return stale + sum(path not in found for path in known)


@dataclass(frozen=True, slots=True)
class _News:
    """What a batch of files turned out to be: changed, only touched, or not to be read."""

    records: list[FileRecord]
    touched: list[Found]
    unreadable: list[str]


def _news_of(batch: Iterable[Found], known: Mapping[str, Known], root: Path) -> _News:
    from explore.index.record import record_of  # the grammars' library is loaded only where something is to parse

    news = _News([], [], [])
    for file in batch:
        raw = _read(root / file.path)
        if raw is None:
            news.unreadable.append(file.path)
        elif (before := known.get(file.path)) and before.fingerprint == fingerprint(raw):
            news.touched.append(file)
        else:
            news.records.append(record_of(file, raw))
    return news


def _looks_same(file: Found, known: Known | None) -> bool:
    """Enough for ranking; whether source may be shown is decided by its fingerprint alone."""
    return known is not None and (known.size, known.changed_ns) == (file.size, file.changed_ns)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _batches(files: Sequence[Found], size: int) -> Iterator[tuple[int, Sequence[Found]]]:
    """The files in batches, each with the number of files done with it."""
    for start in range(0, len(files), size):
        batch = files[start : start + size]
        yield start + len(batch), batch
