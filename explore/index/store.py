"""The index on disk: one SQLite file, its tables, and how a file's rows come and go; it parses and ranks nothing."""

from __future__ import annotations

import sqlite3
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from explore.index.rows import FileRows, Row
from explore.model.source import Role

if sys.platform != "win32":
    import fcntl

SCHEMA_VERSION: Final = 6
"""Raised with every change of tables, languages or terms: an index of another version is built anew."""

FILE_NAME: Final = "index.sqlite"
_GENERATION: Final = "generation"
BUSY_SECONDS: Final = 60.0
CACHE_KIBIBYTES: Final = 64_000
"""Pages of the index that one who writes keeps in memory, at most: each batch touches most of the index."""

_LOT: Final = 80
"""Rows in one statement; more bring nothing, and SQLite takes 999 values everywhere."""

SMALLEST_PAGE: Final = 512
"""Bytes that the size of every database is a multiple of."""

_SCHEMA: Final = """
CREATE TABLE made (place TEXT NOT NULL);
CREATE TABLE file (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, base TEXT NOT NULL, language TEXT NOT NULL,
    role INTEGER NOT NULL, fingerprint TEXT NOT NULL, size INTEGER NOT NULL, changed_ns INTEGER NOT NULL,
    symbols INTEGER NOT NULL, terms INTEGER NOT NULL, lengths BLOB NOT NULL);
CREATE INDEX file_base ON file (base);
CREATE INDEX file_counts ON file (symbols, terms) WHERE role < 8;
CREATE INDEX document_counts ON file (symbols, terms) WHERE role >= 8;
CREATE TABLE vocabulary (file INTEGER PRIMARY KEY, terms TEXT NOT NULL);
CREATE TABLE symbol (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL,
    name TEXT NOT NULL COLLATE NOCASE, qualified TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    line INTEGER NOT NULL, head_end INTEGER NOT NULL, signature TEXT NOT NULL, parent INTEGER);
CREATE INDEX symbol_file ON symbol (file, ordinal);
CREATE INDEX symbol_name ON symbol (name) WHERE name <> '';
CREATE VIRTUAL TABLE name_part USING fts5 (name, content = 'symbol', content_rowid = 'id', tokenize = 'trigram');
CREATE TABLE reference (
    file INTEGER NOT NULL, symbol INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL,
    module TEXT NOT NULL);
CREATE INDEX reference_file ON reference (file, symbol);
CREATE INDEX reference_name ON reference (name) WHERE name <> '';
CREATE INDEX reference_slot ON reference (module) WHERE kind = 'passes';
CREATE TABLE posting (term TEXT NOT NULL, file INTEGER NOT NULL, hits BLOB NOT NULL, PRIMARY KEY (term, file))
    WITHOUT ROWID;
CREATE TABLE document_posting (term TEXT NOT NULL, file INTEGER NOT NULL, hits BLOB NOT NULL, PRIMARY KEY (term, file))
    WITHOUT ROWID;
"""


_ADD_POSTINGS: Final = ("INSERT INTO posting VALUES {}", "INSERT INTO document_posting VALUES {}")
_DROP_POSTING: Final = (
    "DELETE FROM posting WHERE term = ? AND file = ?",
    "DELETE FROM document_posting WHERE term = ? AND file = ?",
)
"""Source and documents are found by tables of their own: neither shelf knows of the other."""

_DAMAGE: Final = frozenset(
    {
        sqlite3.SQLITE_CONSTRAINT,  # rows left over that a sound index would not have
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_ERROR,  # a table or column that is not there, or is not what it should be
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_READONLY,  # in a folder that can be written: another's file, or a header that says so
    }
)


class Outdated(Exception):
    """The index on disk is none that this program, at this version and in this place, has written so."""


FAULTS: Final = (sqlite3.Error, Outdated, UnicodeDecodeError)
"""What use of an index can raise; the last where text in it, or SQLite's complaint of it, is no text."""


class Known(NamedTuple):
    """What tells whether a file has to be read again."""

    size: int
    changed_ns: int
    fingerprint: str


Numbered = tuple[int, FileRows]
"""A file's rows with the number that it has in the tables."""


class Store:
    """The open database. Several processes may hold one on the same file; each write is one transaction."""

    def __init__(self, connection: sqlite3.Connection, file: Path, generation: int = 0) -> None:
        self.connection = connection
        self.generation = generation
        self._file = file
        self._identity = _identity(file)

    @classmethod
    def open(cls, folder: Path) -> Store:
        """Opens the index in `folder`, made where there is none; `sqlite3.DatabaseError` where it is damaged,
        `Outdated` where it is of another version."""
        file, generation = folder / FILE_NAME, generation_of(folder)
        if file.exists() and file.stat().st_size % SMALLEST_PAGE:  # SQLite would take what is missing for zeros
            raise sqlite3.DatabaseError("its last page is torn")
        connection = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            store = cls(connection, file, generation)
            _refuse_foreign(store)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = {-CACHE_KIBIBYTES}")
            _ensure_schema(store, _place(folder))
        except BaseException:
            connection.close()
            raise
        return store

    @classmethod
    def open_to_read(cls, folder: Path) -> Store:
        """Opens an index over a connection that cannot write; raises as `open`, and where there is none."""
        file, generation = folder / FILE_NAME, generation_of(folder)
        connection = sqlite3.connect(
            f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS, isolation_level=None,
            check_same_thread=False,
        )  # fmt: skip
        try:
            store = cls(connection, file, generation)
            if connection.execute("PRAGMA user_version").fetchone() != (SCHEMA_VERSION,):
                raise Outdated(f"it is not of version {SCHEMA_VERSION}")
            _refuse_moved(store, _place(folder))
        except BaseException:
            connection.close()
            raise
        return store

    def is_current(self) -> bool:
        """Whether the file that was opened is open and in its place; others may have taken it away or built it anew."""
        in_place = self._identity is not None and self._identity == _identity(self._file)
        return in_place and self.generation == generation_of(self._file.parent)

    def close(self) -> None:
        """Ends the connection."""
        self._identity = None
        self.connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One write transaction, undone as a whole by any error."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.connection.rollback()
            raise
        self.connection.commit()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One moment's view for several reads, whatever other processes write meanwhile."""
        self.connection.execute("BEGIN")
        try:
            yield
        finally:
            self.connection.rollback()

    def known(self, only: Collection[str] | None = None) -> dict[str, Known]:
        """The indexed files by path: all, or those of `only`."""
        run, columns = self.connection.execute, "SELECT path, size, changed_ns, fingerprint FROM file"
        if only is None:
            return {row[0]: Known(*row[1:]) for row in run(columns)}
        rows = (run(f"{columns} WHERE path = ?", (path,)).fetchone() for path in only)
        return {row[0]: Known(*row[1:]) for row in rows if row is not None}

    def touch(self, files: Iterable[tuple[str, int, int]]) -> None:
        """Notes that files' times changed and their bytes did not: path, size, time of change in nanoseconds."""
        self.connection.executemany("UPDATE file SET size = ?2, changed_ns = ?3 WHERE path = ?1", files)

    def remove(self, paths: Iterable[str]) -> None:
        """Takes out all rows of these files."""
        for path in paths:
            row = self.connection.execute(
                "SELECT f.id, f.role, v.terms FROM file f JOIN vocabulary v ON v.file = f.id WHERE f.path = ?", (path,)
            ).fetchone()
            if row is not None:
                self._remove(*row)

    def replace(self, files: Sequence[FileRows]) -> None:
        """Puts these files' rows in the place of any they had."""
        self.remove(file.path for file in files)
        numbered = [(self._insert(file), file) for file in files]
        self._insert_symbols(numbered)
        self._insert_rows(
            "INSERT INTO reference VALUES {}", ((number, *row) for number, file in numbered for row in file.references)
        )
        for shelf, statement in enumerate(_ADD_POSTINGS):
            here = [(number, file) for number, file in numbered if _shelf(file.role) == shelf]
            self._insert_rows(statement, _by_term(here))

    def _remove(self, number: int, role: int, vocabulary: str) -> None:
        run = self.connection.execute
        run(
            "INSERT INTO name_part (name_part, rowid, name)"
            " SELECT 'delete', id, name FROM symbol WHERE file = ? AND name <> ''",
            (number,),
        )
        run("DELETE FROM symbol WHERE file = ?", (number,))
        run("DELETE FROM reference WHERE file = ?", (number,))
        self.connection.executemany(_DROP_POSTING[_shelf(role)], ((term, number) for term in vocabulary.split(" ")))
        run("DELETE FROM vocabulary WHERE file = ?", (number,))
        run("DELETE FROM file WHERE id = ?", (number,))

    def _insert(self, file: FileRows) -> int:
        cursor = self.connection.execute(
            "INSERT INTO file (path, base, language, role, fingerprint, size, changed_ns, symbols, terms, lengths)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                file.path,
                base_of(file.path),
                file.language,
                file.role,
                file.fingerprint,
                file.size,
                file.changed_ns,
                len(file.symbols),
                file.terms,
                file.lengths,
            ),
        )
        number = cursor.lastrowid
        assert number is not None
        self.connection.execute("INSERT INTO vocabulary VALUES (?, ?)", (number, file.vocabulary))
        return number

    def _insert_symbols(self, numbered: Sequence[Numbered]) -> None:
        """Row numbers only rise, so the names of those that are new can be told from the others."""
        (last,) = self.connection.execute("SELECT coalesce(max(id), 0) FROM symbol").fetchone()
        self._insert_rows(
            'INSERT INTO symbol (file, ordinal, kind, name, qualified, start, "end", line, head_end, signature, parent)'
            " VALUES {}",
            ((number, ordinal, *row) for number, file in numbered for ordinal, row in enumerate(file.symbols)),
        )
        self.connection.execute(
            "INSERT INTO name_part (rowid, name) SELECT id, name FROM symbol WHERE id > ? AND name <> ''", (last,)
        )

    def _insert_rows(self, statement: str, rows: Iterator[Row]) -> None:
        """Many rows, for which `{}` stands, in each statement: half of what a row costs is the statement."""
        while lot := list(islice(rows, _LOT)):
            places = f"({','.join('?' * len(lot[0]))})"
            sql = statement.format(",".join([places] * len(lot)))
            self.connection.execute(sql, [*chain.from_iterable(lot)])


def _shelf(role: int) -> int:
    """0 for source, 1 for documents."""
    return int(role >= Role.DOCUMENT)


def _by_term(numbered: Sequence[Numbered]) -> Iterator[Row]:
    """The rows of these files' postings in the order of their table."""
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for number, file in sorted(numbered, key=itemgetter(0)):
        for term, hits in file.postings():
            found[term].append((term, number, hits))
    return chain.from_iterable(found[term] for term in sorted(found))


def is_damage(error: Exception) -> bool:
    """Whether an index built anew would not have this error."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    return code in _DAMAGE and not isinstance(error, sqlite3.ProgrammingError)


def generation_of(folder: Path) -> int:
    """How often the index in `folder` was built anew; a file's number in its place can come again, this cannot."""
    try:
        return int((folder / _GENERATION).read_text() or 0)
    except (OSError, ValueError):
        return 0


def discard(folder: Path, generation: int) -> None:
    """Takes the index's files away, unless another process did that since `generation`; who still has them open goes on
    with what is gone. One process at a time."""
    with (folder / _GENERATION).open("a+") as held:
        if sys.platform != "win32":  # there a file that another process has open cannot be taken away anyway
            fcntl.flock(held, fcntl.LOCK_EX)
        if generation_of(folder) != generation:
            return
        held.truncate(0)
        held.write(str(generation + 1))
        held.flush()
        for suffix in ("", "-wal", "-shm", "-journal"):
            (folder / (FILE_NAME + suffix)).unlink(missing_ok=True)


def base_of(path: str) -> str:
    """A file's name in lower case without folders and suffix."""
    name = path.rsplit("/", 1)[-1].lower()
    return name.rsplit(".", 1)[0] if "." in name[1:] else name


def _identity(file: Path) -> tuple[int, int] | None:
    """What tells a file from another in its place; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _place(folder: Path) -> str:
    """Where an index is kept, as nobody can write it into one that is brought from elsewhere."""
    return f"{folder.stat().st_ino} {str(folder)!a}"


def _refuse_foreign(store: Store) -> None:
    """`Outdated` for a database that is not an index of this version, before anything is written to it."""
    (version,) = store.connection.execute("PRAGMA user_version").fetchone()
    (tables,) = store.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version != SCHEMA_VERSION and (version or tables):
        raise Outdated(f"it has version {version}, not {SCHEMA_VERSION}")


def _ensure_schema(store: Store, place: str) -> None:
    """Makes the tables once, also when two processes come at the same time; an index made elsewhere is refused."""
    run = store.connection.execute
    if run("PRAGMA user_version").fetchone() != (SCHEMA_VERSION,):
        with store.writing():
            _refuse_foreign(store)
            if run("PRAGMA user_version").fetchone() == (0,):
                for statement in _SCHEMA.split(";"):
                    run(statement)
                run("INSERT INTO made VALUES (?)", (place,))
                run(f"PRAGMA user_version = {SCHEMA_VERSION}")
    _refuse_moved(store, place)


def _refuse_moved(store: Store, place: str) -> None:
    if store.connection.execute("SELECT place FROM made").fetchone() != (place,):
        raise Outdated("it was made in another place")
