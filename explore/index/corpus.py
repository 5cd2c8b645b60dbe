"""The `Corpus` over the index and the files on disk; it ranks nothing and keeps nothing between questions."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explore.dedup.fingerprint import fingerprint
from explore.index.resolve import Candidate, resolve
from explore.index.scan import MAX_FILE_BYTES
from explore.index.store import Outdated, Store, base_of
from explore.model.corpus import FileFacts, Posting, Totals
from explore.model.source import Edge, EdgeKind, Kind, Role, Source, Symbol
from explore.model.spans import Span
from explore.model.text import decode, is_binary, split_lines

MOST_NAMES: Final = 40
MOST_USERS: Final = 200
MOST_TERMS: Final = 60
"""Bounds on what one look-up of names, of the users of a name, or of terms, brings."""

_SYMBOLS: Final = (
    'SELECT file, kind, name, qualified, start, "end", line, head_end, signature, parent FROM symbol'
    " WHERE file IN ({}) ORDER BY file, ordinal"
)
_TERMS: Final = (
    "WITH RECURSIVE known (term) AS ("
    " SELECT min(term) FROM posting WHERE term >= ?1"
    " UNION ALL SELECT (SELECT min(term) FROM posting WHERE posting.term > known.term) FROM known WHERE known.term < ?2"
    ") SELECT term FROM known WHERE term < ?2 LIMIT ?3"
)
"""Goes from term to term instead of over all rows of each."""

_PAST_LETTERS: Final = "\U0010ffff"
_FACTS: Final = "SELECT id, path, language, role, lengths FROM file WHERE id IN ({})"
_LOT: Final = 500
"""Numbers in one statement; SQLite takes 999 everywhere."""

Row = tuple[Any, ...]


class IndexCorpus:
    """One moment's index of a project, and its files as they are. Made for one question; not thread-safe.

    `drifted` gathers the files that turned out to have other bytes than the index, or to be gone.
    """

    def __init__(self, store: Store, root: Path) -> None:
        self.drifted: set[str] = set()
        self._run = store.connection.execute
        self._root = root
        self._modules: dict[str, list[str]] = {}

    def totals(self) -> Totals:
        row = self._run("SELECT count(*), coalesce(sum(symbols), 0), coalesce(sum(terms), 0) FROM file").fetchone()
        return Totals(*row)

    def languages(self) -> dict[str, int]:
        """The number of files by language, the most frequent first."""
        return dict(self._run("SELECT language, count(*) FROM file GROUP BY language ORDER BY 2 DESC, 1"))

    def postings(self, term: str) -> Sequence[Posting]:
        rows = self._run("SELECT file, hits FROM posting WHERE term = ?", (term,))
        return [Posting(file, _numbers(hits)) for file, hits in rows]

    def terms_beginning(self, beginning: str) -> Sequence[str]:
        rows = self._run(_TERMS, (beginning, beginning + _PAST_LETTERS, MOST_TERMS))
        return [term for (term,) in rows]

    def facts(self, files: Iterable[int]) -> Mapping[int, FileFacts]:
        rows = self._in_lots(_FACTS, files)
        return {
            file: FileFacts(file, path, language, Role(role), _numbers(lengths))
            for file, path, language, role, lengths in rows
        }

    def symbols(self, files: Iterable[int]) -> Mapping[int, tuple[Symbol, ...]]:
        found: dict[int, list[Symbol]] = {}
        for file, *columns in self._in_lots(_SYMBOLS, files):
            found.setdefault(file, []).append(_symbol(columns))
        return {file: tuple(symbols) for file, symbols in found.items()}

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

    def files_named(self, name: str) -> Sequence[int]:
        name = os.path.normpath(name).removeprefix(f"{self._root}/").removeprefix(f"{self._root.name}/")
        wanted = "/" + name.lower().strip("/")
        rows = self._run(
            "SELECT id, path FROM file WHERE base IN (?, ?)", (base_of(name), name.rsplit("/", 1)[-1].lower())
        )
        found = []
        for file, path in rows:
            whole = "/" + path.lower()
            if whole.endswith(wanted) or whole.rsplit(".", 1)[0].endswith(wanted):
                found.append((path, file))
        return [file for _, file in sorted(found)]

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

    def _in_lots(self, sql: str, values: Iterable[int]) -> Iterator[Row]:
        """The rows of a statement for many numbers, `{}` standing for them, in statements of bounded size."""
        wanted = sorted(set(values))
        for at in range(0, len(wanted), _LOT):
            lot = wanted[at : at + _LOT]
            yield from self._run(sql.format(",".join("?" * len(lot))), lot)

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
    from explore.index.languages import language_of, refine
    from explore.index.parse import parse

    language = language_of(path)
    if language is None:
        return None
    language = refine(language, text)
    return Source(path, language.name, mark, lines, parse(language, text, lines).symbols if lines else ())


def _symbol(columns: Sequence[Any]) -> Symbol:
    kind, name, qualified, start, end, line, head_end, signature, parent = columns
    try:
        return Symbol(Kind(kind), name, qualified, Span(start, end), line, head_end, signature, parent)
    except (TypeError, ValueError) as error:  # damage that SQLite does not see
        raise Outdated(f"a row of it makes no sense: {error}") from error


def _numbers(blob: bytes) -> array[int]:
    try:
        return array("H", blob)
    except (TypeError, ValueError) as error:
        raise Outdated(f"a row of it makes no sense: {error}") from error
