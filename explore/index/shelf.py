"""One shelf of the index, source or documents: what is counted, found by words and named on it; it reads no file."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from explore.index.store import Outdated, Store, base_of
from explore.model.corpus import FileFacts, Mark, Posting, Totals
from explore.model.source import Kind, Role, Symbol
from explore.model.spans import Span

_SYMBOLS: Final = (
    'SELECT file, kind, name, qualified, start, "end", line, head_end, signature, parent FROM symbol'
    " WHERE file IN ({}) ORDER BY file, ordinal"
)
_MARKS: Final = "SELECT file, qualified, start, line FROM symbol WHERE file IN ({}) ORDER BY file, ordinal"
_FACTS: Final = "SELECT id, path, language, role, lengths FROM file WHERE id IN ({})"
_LOT: Final = 500
"""Numbers in one statement; SQLite takes 999 everywhere."""

KINDS: Final = {kind.value: kind for kind in Kind}
"""What tables hold of a kind of symbol; looking it up costs a third of asking the enum."""

ROLES: Final = {int(role): role for role in map(Role, range(2 * max(Role)))}
"""The same of what files are for."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Statements:
    """What differs between the shelves: their counts, the files that have a term, and those of two names. The counts
    are read off an index over just these files. 8 is `Role.DOCUMENT`."""

    totals: str
    postings: str
    named: str


_TOTALS: Final = "SELECT count(*), coalesce(sum(symbols), 0), coalesce(sum(terms), 0) FROM file WHERE "
_NAMED: Final = "SELECT id, path FROM file WHERE base IN (?, ?) AND "

SOURCE: Final = Statements(
    totals=_TOTALS + "role < 8",
    postings="SELECT file, hits FROM posting WHERE term = ?",
    named=_NAMED + "role < 8",
)
DOCUMENTS: Final = Statements(
    totals=_TOTALS + "role >= 8",
    postings="SELECT file, hits FROM document_posting WHERE term = ?",
    named=_NAMED + "role >= 8",
)


class IndexShelf:
    """A `Shelf` over the tables."""

    def __init__(self, store: Store, root: Path, statements: Statements) -> None:
        self._run = store.connection.execute
        self._root = root
        self._statements = statements

    def totals(self) -> Totals:
        """Counts over the whole shelf."""
        return Totals(*self._run(self._statements.totals).fetchone())

    def postings(self, term: str) -> Sequence[Posting]:
        """Where a term occurs, a posting a file."""
        found = [Posting(file, _numbers(hits)) for file, hits in self._run(self._statements.postings, (term,))]
        if any(len(posting.hits) % 2 for posting in found):
            raise _damaged(f"not all occurrences of {term!r} say how")
        return found

    def facts(self, files: Iterable[int]) -> Mapping[int, FileFacts]:
        """Facts of the files asked for."""
        rows = self._in_lots(_FACTS, files)
        try:
            return {
                file: FileFacts(file, path, language, ROLES[role], _numbers(lengths))
                for file, path, language, role, lengths in rows
            }
        except (KeyError, TypeError) as error:
            raise _damaged(error) from error

    def symbols(self, files: Iterable[int]) -> Mapping[int, tuple[Symbol, ...]]:
        """The indexed symbols of the files asked for, in order."""
        found: dict[int, list[Symbol]] = {}
        try:
            for row in self._in_lots(_SYMBOLS, files):
                file, kind, name, qualified, start, end, line, head_end, signature, parent = row
                span = Span(start, end)
                symbol = Symbol(KINDS[kind], name, qualified, span, line, head_end, signature, parent)
                before = found.setdefault(file, [])
                if parent is not None and not 0 <= parent < len(before):
                    raise _damaged(f"a symbol in symbol {parent}, which does not come before it")
                before.append(symbol)
        except (KeyError, TypeError, ValueError) as error:  # damage that SQLite does not see
            raise _damaged(error) from error
        return {file: tuple(symbols) for file, symbols in found.items()}

    def marks(self, files: Iterable[int]) -> Mapping[int, Sequence[Mark]]:
        """What ranking hands on of the same symbols."""
        found: dict[int, list[Mark]] = {}
        for file, qualified, start, line in self._in_lots(_MARKS, files):
            if not (isinstance(qualified, str) and isinstance(start, int) and isinstance(line, int) and line > 0):
                raise _damaged(f"{qualified!r} at {start!r}, line {line!r}")
            found.setdefault(file, []).append(Mark(qualified, start, line))
        return found

    def files_named(self, name: str) -> Sequence[int]:
        """Files by the end of their path, by path."""
        name = os.path.normpath(name).removeprefix(f"{self._root}/").removeprefix(f"{self._root.name}/")
        wanted = "/" + name.lower().strip("/")
        rows = self._run(self._statements.named, (base_of(name), name.rsplit("/", 1)[-1].lower()))
        found = []
        for file, path in rows:
            whole = "/" + path.lower()
            if whole.endswith(wanted) or whole.rsplit(".", 1)[0].endswith(wanted):
                found.append((path, file))
        return [file for _, file in sorted(found)]

    def _in_lots(self, sql: str, values: Iterable[int]) -> Iterator[Row]:
        """The rows of a statement for many numbers, `{}` standing for them, in statements of bounded size."""
        wanted = sorted(set(values))
        for at in range(0, len(wanted), _LOT):
            lot = wanted[at : at + _LOT]
            yield from self._run(sql.format(",".join("?" * len(lot))), lot)


def _numbers(blob: bytes) -> array[int]:
    try:
        return array("H", blob)
    except (TypeError, ValueError) as error:
        raise _damaged(error) from error


def _damaged(what: object) -> Outdated:
    return Outdated(f"a row of it makes no sense: {what}")
