"""The `Corpus` over the index and the files on disk; it ranks nothing and keeps nothing between questions."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explore.dedup.fingerprint import fingerprint
from explore.index.scan import MAX_FILE_BYTES
from explore.index.store import Outdated, Store, base_of
from explore.model.corpus import MOST_LOCATED, MOST_USES, FileFacts, Located, Posting, Totals, Use
from explore.model.source import EdgeKind, Kind, Reference, Role, Source, Symbol
from explore.model.spans import Span
from explore.model.text import decode, is_binary, split_lines

MOST_NAMES: Final = 40
MOST_TERMS: Final = 60
"""What one look-up of names, or of terms, brings at most."""

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
        self._of_kind: dict[tuple[int, EdgeKind], list[Reference]] = {}

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


_KINDS: Final = {kind.value: kind for kind in Kind}
_ROLES: Final = {int(role): role for role in map(Role, range(2 * max(Role)))}
_EDGE_KINDS: Final = {kind.value: kind for kind in EdgeKind}


def _located(row: Row) -> Located:
    file, ordinal, path, language, role, kind, *rest = row[:13]
    try:
        return Located(file, ordinal, path, language, _ROLES[role], _KINDS[kind], *rest)
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


def _numbers(blob: bytes) -> array[int]:
    try:
        return array("H", blob)
    except (TypeError, ValueError) as error:
        raise Outdated(f"a row of it makes no sense: {error}") from error
