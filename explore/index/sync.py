"""Brings the index in step with the files on disk, reading only what changed; it answers no question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from explore.dedup.fingerprint import fingerprint
from explore.index.languages import language_of
from explore.index.parse import Parsed, parse
from explore.index.postings import postings
from explore.index.scan import Found, role_of, scan
from explore.index.store import FileRecord, Known, Store
from explore.model.text import decode, is_binary, split_lines

BATCH_FILES: Final = 100
"""Files written in one transaction: what is committed can be asked about while the rest is parsed."""

Progress = Callable[[int, int], None]
"""Called with the number of files done and of those to do."""


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did, in files."""

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
    done = 0
    for batch in _batches(stale, BATCH_FILES):
        records: list[FileRecord] = []
        touched: list[Found] = []
        for file in batch:
            raw = _read(root / file.path)
            if raw is None:
                unreadable.append(file.path)
            elif (before := known.get(file.path)) and before.fingerprint == fingerprint(raw):
                touched.append(file)
            else:
                records.append(record_of(file, raw))
        with store.writing():
            store.replace(records)
            for file in touched:
                store.touch(file.path, file.size, file.mtime_ns)
        done += len(batch)
        if progress:
            progress(done, len(stale))
    gone = [path for path in known if path not in found] + [path for path in unreadable if path in known]
    if gone:
        with store.writing():
            store.remove(gone)
    return Synced(len(stale) - len(unreadable), len(found) - len(stale), len(gone), tuple(unreadable))


def record_of(file: Found, raw: bytes) -> FileRecord:
    """All that is to be kept of a file with these bytes."""
    language = language_of(file.path)
    if language is None:
        raise ValueError(f"not a file of an indexed language: {file.path}")
    text = "" if is_binary(raw) else decode(raw)
    lines = split_lines(text)
    parsed = parse(language, text, lines) if lines else Parsed((), ())
    found, lengths = postings(parsed.symbols, lines)
    return FileRecord(
        path=file.path,
        language=language.name,
        role=role_of(file.path, text[:2_000]),
        fingerprint=fingerprint(raw),
        size=file.size,
        mtime_ns=file.mtime_ns,
        symbols=parsed.symbols,
        references=parsed.references,
        lengths=lengths,
        postings=found,
    )


def _looks_same(file: Found, known: Known | None) -> bool:
    """Enough for ranking; whether source may be shown is decided by its fingerprint alone."""
    return known is not None and (known.size, known.mtime_ns) == (file.size, file.mtime_ns)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _batches(files: Iterable[Found], size: int) -> Iterator[list[Found]]:
    remaining = iter(files)
    while batch := list(islice(remaining, size)):
        yield batch
