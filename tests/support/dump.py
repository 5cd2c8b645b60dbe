"""Everything an index holds, as plain values by path and ordinal instead of row numbers, and whether it is sound."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from explore.index.location import FOLDER
from explore.index.store import FILE_NAME

_QUERIES: Final = {
    "file": "SELECT path, base, language, role, fingerprint, size, changed_ns, symbols, terms, lengths FROM file",
    "vocabulary": "SELECT f.path, v.terms FROM vocabulary v LEFT JOIN file f ON f.id = v.file",
    "symbol": 'SELECT f.path, s.ordinal, s.kind, s.name, s.qualified, s.start, s."end", s.line, s.head_end,'
    " s.signature, s.parent FROM symbol s LEFT JOIN file f ON f.id = s.file",
    "reference": "SELECT f.path, r.symbol, r.kind, r.name, r.line, r.module"
    " FROM reference r LEFT JOIN file f ON f.id = r.file",
    "posting": "SELECT f.path, p.term, p.hits FROM posting p LEFT JOIN file f ON f.id = p.file",
    "document_posting": "SELECT f.path, p.term, p.hits FROM document_posting p LEFT JOIN file f ON f.id = p.file",
    "name_part": "SELECT f.path, s.ordinal, v.term, v.offset FROM part v LEFT JOIN symbol s ON s.id = v.doc"
    " LEFT JOIN file f ON f.id = s.file",
}


def dump(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of all tables in the index kept in `folder`, sorted; also what the full-text table really holds.

    Rows whose file is gone have None for a path, so that they differ from those of any sound index.
    """
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.part USING fts5vocab('main', 'name_part', 'instance')")
        return {table: sorted(connection.execute(sql), key=repr) for table, sql in _QUERIES.items()}


def rows_with_numbers(folder: Path, path: str) -> dict[str, list[tuple[Any, ...]]]:
    """One file's rows as they lie in the tables, row numbers included: what a sync that leaves it alone keeps."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        (number,) = connection.execute("SELECT id FROM file WHERE path = ?", (path,)).fetchone()
        return {
            "file": connection.execute("SELECT * FROM file WHERE id = ?", (number,)).fetchall(),
            **{
                table: connection.execute(f"SELECT rowid, * FROM {table} WHERE file = ?", (number,)).fetchall()
                for table in ("symbol", "reference")
            },
            "posting": connection.execute("SELECT * FROM posting WHERE file = ?", (number,)).fetchall(),
        }


def is_sound(folder: Path) -> bool:
    """Whether SQLite finds nothing wrong with the whole file."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        found: list[tuple[str]] = connection.execute("PRAGMA integrity_check").fetchall()
        return found == [("ok",)]


def index_folder(root: Path) -> Path:
    """Where a project that can be written to keeps its index."""
    return root / FOLDER


def file_numbers(folder: Path) -> dict[str, int]:
    """The number of each file's row."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        return dict(connection.execute("SELECT path, id FROM file"))
