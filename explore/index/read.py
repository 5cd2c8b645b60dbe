"""Reads files that may have changed, and says what became of each; it writes no row and starts no process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from explore.dedup.fingerprint import fingerprint
from explore.index.rows import FileRows, from_plain, rows_of, to_plain
from explore.index.scan import Found


class Task(NamedTuple):
    """A file to read, and the fingerprint it was indexed with, if it was."""

    file: Found
    indexed: str | None


@dataclass(slots=True)
class News:
    """What files turned out to be: changed, only touched, or not to be read."""

    changed: list[FileRows]
    touched: list[Found]
    unreadable: list[str]

    def __len__(self) -> int:
        return len(self.changed) + len(self.touched) + len(self.unreadable)

    def __iadd__(self, other: News) -> News:
        self.changed += other.changed
        self.touched += other.touched
        self.unreadable += other.unreadable
        return self


def read(tasks: Iterable[Task], root: Path, *, grammar: bool = True) -> News:
    """Reads these files and parses those with other bytes than indexed; without `grammar`, a file is only its lines."""
    from explore.index.record import record_of  # the grammars' library is loaded only where something is to parse

    news = News([], [], [])
    for file, indexed in tasks:
        raw = _bytes(root / file.path)
        if raw is None:
            news.unreadable.append(file.path)
        elif indexed == fingerprint(raw):
            news.touched.append(file)
        else:
            news.changed.append(rows_of(record_of(file, raw, grammar=grammar)))
    return news


def news_to_plain(news: News) -> list[Any]:
    """News as JSON can say it."""
    return [[to_plain(rows) for rows in news.changed], news.touched, news.unreadable]


def news_from_plain(plain: Sequence[Any]) -> News:
    """What `news_to_plain` was given."""
    changed, touched, unreadable = plain
    return News([from_plain(rows) for rows in changed], [Found(*file) for file in touched], unreadable)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def task_from_plain(plain: Sequence[Any]) -> Task:
    """A task that JSON has made lists of."""
    file, indexed = plain
    return Task(Found(*file), indexed)
