"""The `Corpus` over the index and the files on disk; it ranks nothing and keeps nothing between questions."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explore.dedup.fingerprint import fingerprint
from explore.index.scan import MAX_FILE_BYTES, is_read
from explore.index.shelf import DOCUMENTS, KINDS, ROLES, SOURCE, IndexShelf, Row
from explore.index.store import Outdated, Store
from explore.model.corpus import MOST_LOCATED, MOST_USES, Located, Use
from explore.model.source import EdgeKind, Reference, Role, Source
from explore.model.text import decode, is_binary, split_lines

MOST_NAMES: Final = 40
MOST_TERMS: Final = 60
"""What one look-up of names, or of terms, brings at most."""

_TERMS: Final = (
    "WITH RECURSIVE known (term) AS ("
    " SELECT min(term) FROM posting WHERE term >= ?1"
    " UNION ALL SELECT (SELECT min(term) FROM posting WHERE posting.term > known.term) FROM known WHERE known.term < ?2"
    ") SELECT term FROM known WHERE term < ?2 LIMIT ?3"
)
"""Goes from term to term instead of over all rows of each."""

_PAST_LETTERS: Final = "\U0010ffff"
_LOCATED: Final = (
    'SELECT s.file, s.ordinal, f.path, f.language, f.role, s.kind, s.name, s.qualified, s.start, s."end", s.line,'
    " s.signature, s.parent{} FROM {} JOIN file f ON f.id = s.file WHERE {}"
)
_BY_NAME: Final = _LOCATED.format(
    "", "symbol s", "s.name = ?1 AND s.name = ?1 COLLATE BINARY AND s.name <> '' ORDER BY f.path, s.ordinal LIMIT ?2"
)
_INSIDE: Final = _LOCATED.format("", "symbol s", "s.file = ? AND s.parent = ? ORDER BY s.ordinal")
_AT: Final = _LOCATED.format("", "symbol s", "s.file = ? AND s.ordinal = ?")
_USES: Final = (
    ", r.symbol, r.kind, r.name, r.line, r.module",
    ("reference r JOIN symbol s ON s.file = r.file AND s.ordinal = r.symbol"),
)
_BY_USED: Final = _LOCATED.format(
    *_USES,
    "r.name = ? AND r.name <> '' AND r.kind = ? AND f.role <= ? ORDER BY f.path, r.line, s.ordinal, r.module LIMIT ?",
)
_BY_SLOT: Final = _LOCATED.format(
    *_USES,
    "r.kind = 'passes' AND f.role = 0 AND r.module >= ?1 AND r.module < ?1 || '!'"
    " ORDER BY f.path, r.line, s.ordinal, r.name, r.module LIMIT ?2",
)


class IndexCorpus(IndexShelf):
    """One moment's index of a project, and its files as they are. Made for one question; not thread-safe.

    `drifted` gathers the files that turned out to have other bytes than the index, or to be gone.
    """

    def __init__(self, store: Store, root: Path) -> None:
        super().__init__(store, root, SOURCE)
        self.documents: Final = IndexShelf(store, root, DOCUMENTS)
        self.drifted: set[str] = set()
        self._no_links: set[str] = set()
        self._of_kind: dict[tuple[int, EdgeKind], list[Reference]] = {}

    def languages(self) -> dict[str, int]:
        """The number of files by language, the most frequent first."""
        return dict(self._run("SELECT language, count(*) FROM file GROUP BY language ORDER BY 2 DESC, 1"))

    def terms_beginning(self, beginning: str) -> Sequence[str]:
        rows = self._run(_TERMS, (beginning, beginning + _PAST_LETTERS, MOST_TERMS))
        return [term for (term,) in rows]

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

    def located(self, name: str) -> Sequence[Located]:
        return [_located(row) for row in self._run(_BY_NAME, (name, MOST_LOCATED))]

    def symbol_at(self, file: int, ordinal: int) -> Located | None:
        row = self._run(_AT, (file, ordinal)).fetchone()
        return _located(row) if row else None

    def inside(self, file: int, ordinal: int) -> Sequence[Located]:
        return [_located(row) for row in self._run(_INSIDE, (file, ordinal))]

    def names_near(self, part: str, least: int, most: int) -> Sequence[str]:
        phrase = '"' + part.replace('"', "") + '"'
        rows = self._run(
            "SELECT DISTINCT lower(name) FROM name_part WHERE name_part MATCH ? AND length(name) BETWEEN ? AND ?"
            " ORDER BY 1 LIMIT ?",
            (phrase, least, most, MOST_LOCATED),
        )
        return [name for (name,) in rows]

    def references(self, file: int, ordinal: int) -> Sequence[Reference]:
        rows = self._run(
            "SELECT symbol, kind, name, line, module FROM reference WHERE file = ? AND symbol = ?"
            " ORDER BY line, name, kind, module LIMIT ?",
            (file, ordinal, MOST_USES),
        )
        return [_reference(row) for row in rows]

    def of_kind(self, file: int, kind: EdgeKind) -> Sequence[Reference]:
        if (file, kind) not in self._of_kind:
            rows = self._run(
                "SELECT symbol, kind, name, line, module FROM reference WHERE file = ? AND kind = ?"
                " ORDER BY line, name, module",
                (file, kind.value),
            )
            self._of_kind[file, kind] = [_reference(row) for row in rows]
        return self._of_kind[file, kind]

    def uses(self, name: str, kind: EdgeKind, *, aside: bool = False) -> Sequence[Use]:
        most = max(Role) * 2 if aside else int(Role.SOURCE)
        return [_use(row) for row in self._run(_BY_USED, (name, kind.value, most, MOST_USES))]

    def handed(self, slot: str) -> Sequence[Use]:
        return [_use(row) for row in self._run(_BY_SLOT, (slot, MOST_USES))]

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
        raw = read_inside(self._root, path, self._no_links) if row else None
        if raw is None:
            self.drifted |= {path} if row else set()
            return None
        text = "" if is_binary(raw) else decode(raw)
        lines, mark = split_lines(text), fingerprint(raw)
        file, language, indexed = row
        if indexed == mark:
            symbols = self.symbols([file]).get(file, ())
            if any(symbol.span.end > len(lines) for symbol in symbols):
                raise Outdated(f"a row of it makes no sense: {path} ends at line {len(lines)}")
            return Source(path, language, mark, lines, symbols)
        self.drifted.add(path)
        return _parsed_now(path, mark, text, lines)


def read_inside(root: Path, path: str, no_links: set[str] | None = None) -> bytes | None:
    """The bytes of a file under the root; None where it is gone, too large, cannot be read, or is reached by a link.
    `no_links` gathers folders that are reached by none, for who reads many files in one moment."""
    no_links = set() if no_links is None else no_links
    try:
        file = Path(os.path.normpath(root / path))
        folder = str(file.parent)
        if folder not in no_links and os.path.realpath(folder) != folder:
            return None
        no_links.add(folder)
        about = file.lstat()
        if not (file.is_relative_to(root) and stat.S_ISREG(about.st_mode) and about.st_size <= MAX_FILE_BYTES):
            return None
        return file.read_bytes()
    except (OSError, ValueError):
        return None


def _parsed_now(path: str, mark: str, text: str, lines: tuple[str, ...]) -> Source | None:
    """A file that was indexed at other bytes, parsed on the spot; grammars are loaded only then."""
    from explore.index.record import parsed_as

    if not is_read(path):
        return None
    language, parsed = parsed_as(path, text, lines)
    return Source(path, language, mark, lines, parsed.symbols, as_indexed=False)


_EDGE_KINDS: Final = {kind.value: kind for kind in EdgeKind}


def _located(row: Row) -> Located:
    file, ordinal, path, language, role, kind, *rest = row[:13]
    try:
        return Located(file, ordinal, path, language, ROLES[role], KINDS[kind], *rest)
    except (KeyError, TypeError) as error:
        raise Outdated(f"a row of it makes no sense: {error}") from error


def _reference(row: Sequence[Any]) -> Reference:
    symbol, kind, name, line, module = row
    try:
        return Reference(symbol, _EDGE_KINDS[kind], name, line, module)
    except KeyError as error:
        raise Outdated(f"a row of it makes no sense: {error}") from error


def _use(row: Row) -> Use:
    return Use(_located(row), _reference(row[13:]))
