"""The `Corpus` over the index and the files on disk; it ranks nothing and keeps nothing between questions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from explore.dedup.fingerprint import fingerprint
from explore.index.resolve import Candidate, resolve
from explore.index.scan import MAX_FILE_BYTES, is_read
from explore.index.shelf import DOCUMENTS, SOURCE, IndexShelf
from explore.index.store import Store
from explore.model.source import Edge, EdgeKind, Source
from explore.model.text import decode, is_binary, split_lines

MOST_NAMES: Final = 40
MOST_USERS: Final = 200
"""Bounds on what one look-up of names, or of the users of a name, brings."""


class IndexCorpus(IndexShelf):
    """One moment's index of a project, and its files as they are. Made for one question; not thread-safe.

    `drifted` gathers the files that turned out to have other bytes than the index, or to be gone.
    """

    def __init__(self, store: Store, root: Path) -> None:
        super().__init__(store, root, SOURCE)
        self.documents: Final = IndexShelf(store, root, DOCUMENTS)
        self.drifted: set[str] = set()
        self._modules: dict[str, list[str]] = {}

    def languages(self) -> dict[str, int]:
        """The number of files by language, the most frequent first."""
        return dict(self._run("SELECT language, count(*) FROM file GROUP BY language ORDER BY 2 DESC, 1"))

    def defined(self, name: str) -> Sequence[tuple[int, int]]:
        rows = self._run(
            "SELECT s.file, s.ordinal FROM symbol s JOIN file f ON f.id = s.file"
            " WHERE s.name = ? AND s.name <> '' ORDER BY f.path, s.ordinal",
            (name,),
        )
        return [(file, ordinal) for file, ordinal in rows]

    def names_holding(self, part: str) -> Sequence[str]:
        phrase = '"' + part.replace('"', "") + '"'
        rows = self._run(
            "SELECT DISTINCT lower(name) FROM name_part WHERE name_part MATCH ? ORDER BY length(name), 1 LIMIT ?",
            (phrase, MOST_NAMES),
        )
        return [name for (name,) in rows]

    def edges_from(self, path: str, ordinal: int) -> Sequence[Edge]:
        rows = self._run(
            "SELECT r.kind, r.name, r.line FROM reference r JOIN file f ON f.id = r.file"
            " WHERE f.path = ? AND r.symbol = ? AND r.name <> '' ORDER BY r.line, r.name LIMIT ?",
            (path, ordinal, MOST_USERS),
        ).fetchall()
        edges = []
        for kind, name, line in rows:
            if target := self._resolve(path, name):
                edges.append(Edge((path, ordinal), EdgeKind(kind), (target.path, target.ordinal), line))
        return edges

    def edges_to(self, path: str, ordinal: int) -> Sequence[Edge]:
        row = self._run(
            "SELECT s.name FROM symbol s JOIN file f ON f.id = s.file WHERE f.path = ? AND s.ordinal = ?",
            (path, ordinal),
        ).fetchone()
        if row is None or not row[0]:
            return []
        users = self._run(
            "SELECT f.path, r.symbol, r.kind, r.line FROM reference r JOIN file f ON f.id = r.file"
            " WHERE r.name = ? ORDER BY f.path, r.line LIMIT ?",
            (row[0], MOST_USERS),
        ).fetchall()
        meant = Candidate(path, ordinal)
        return [
            Edge((user, symbol), EdgeKind(kind), (path, ordinal), line)
            for user, symbol, kind, line in users
            if self._resolve(user, row[0]) == meant
        ]

    def sources(self, paths: Sequence[str]) -> Mapping[str, Source]:
        found = {}
        for path in paths:
            if (source := self._source(path)) is not None:
                found[path] = source
        return found

    def _source(self, path: str) -> Source | None:
        """The file from one read; its indexed symbols only where the fingerprint proves they are of these bytes. A file
        that is not indexed is none: it may be ignored for a reason."""
        row = self._run("SELECT id, language, fingerprint FROM file WHERE path = ?", (path,)).fetchone()
        raw = read_inside(self._root, path) if row else None
        if raw is None:
            self.drifted |= {path} if row else set()
            return None
        text = "" if is_binary(raw) else decode(raw)
        lines, mark = split_lines(text), fingerprint(raw)
        file, language, indexed = row
        if indexed == mark:
            return Source(path, language, mark, lines, self.symbols([file]).get(file, ()))
        self.drifted.add(path)
        return _parsed_now(path, mark, text, lines)

    def _resolve(self, user: str, name: str) -> Candidate | None:
        rows = self._run(
            "SELECT f.path, s.ordinal FROM symbol s JOIN file f ON f.id = s.file"
            " WHERE s.name = ? AND s.name = ? COLLATE BINARY AND s.name <> '' ORDER BY f.path, s.ordinal LIMIT ?",
            (name, name, MOST_USERS),
        )
        candidates = [Candidate(path, ordinal) for path, ordinal in rows]
        return resolve(user, candidates, self._imports(user)) if candidates else None

    def _imports(self, path: str) -> list[str]:
        if path not in self._modules:
            rows = self._run(
                "SELECT DISTINCT r.module FROM reference r JOIN file f ON f.id = r.file"
                " WHERE f.path = ? AND r.kind = ? ORDER BY 1",
                (path, EdgeKind.IMPORTS.value),
            )
            self._modules[path] = [module for (module,) in rows]
        return self._modules[path]


def read_inside(root: Path, path: str) -> bytes | None:
    """The bytes of a file under the root; None where it is gone, too large, cannot be read, or is reached by a link."""
    try:
        file = Path(os.path.normpath(root / path))
        if os.path.realpath(file) != str(file) or not file.is_relative_to(root) or not file.is_file():
            return None
        return file.read_bytes() if file.stat().st_size <= MAX_FILE_BYTES else None
    except (OSError, ValueError):
        return None


def _parsed_now(path: str, mark: str, text: str, lines: tuple[str, ...]) -> Source | None:
    """A file that was indexed at other bytes, parsed on the spot; grammars are loaded only then."""
    from explore.index.record import parsed_as

    if not is_read(path):
        return None
    language, parsed = parsed_as(path, text, lines)
    return Source(path, language, mark, lines, parsed.symbols)
