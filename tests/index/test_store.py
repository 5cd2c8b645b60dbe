"""The index's file: how it is made, told from others, and cleared; what counts as damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

from explore.index.record import record_of
from explore.index.rows import rows_of
from explore.index.scan import Found
from explore.index.store import FILE_NAME, SCHEMA_VERSION, Outdated, Store, base_of, discard, is_damage
from tests.support.dump import dump, is_sound


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    store = Store.open(tmp_path)
    yield store
    store.close()


def put(store: Store, path: str, raw: bytes) -> None:
    """Writes one file's rows."""
    with store.writing():
        store.replace([rows_of(record_of(Found(path, len(raw), 1), raw))])


def test_an_index_of_another_version_is_not_opened(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(Outdated):
        Store.open(tmp_path)


def test_a_database_of_somebody_else_is_not_written_to(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    with pytest.raises(Outdated):
        Store.open(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]


def test_tables_are_made_whole_or_not_at_all(tmp_path: Path) -> None:
    """A failure in the midst leaves an empty database, which the next one takes for a new one."""
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("CREATE TABLE posting (x)")
        connection.execute("DROP TABLE posting")
    Store.open(tmp_path).close()
    assert is_sound(tmp_path)
    assert set(dump(tmp_path)) == {
        "file",
        "vocabulary",
        "symbol",
        "reference",
        "posting",
        "document_posting",
        "name_part",
    }


def test_a_write_is_undone_as_a_whole(store: Store, tmp_path: Path) -> None:
    put(store, "a.py", b"def kept(): pass\n")
    before = dump(tmp_path)

    def fail() -> None:
        with store.writing():
            store.replace([rows_of(record_of(Found("b.py", 1, 1), b"def lost(): pass\n"))])
            store.remove(["a.py"])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert dump(tmp_path) == before


def test_an_error_that_ended_the_transaction_is_told_as_it_is(store: Store) -> None:
    """SQLite rolls some transactions back by itself; undoing them again must not hide why."""

    def fail(scope: AbstractContextManager[None]) -> None:
        with scope:
            store.connection.execute("ROLLBACK")
            raise sqlite3.DatabaseError("the reason")

    for scope in (store.writing(), store.reading()):
        with pytest.raises(sqlite3.DatabaseError, match="the reason"):
            fail(scope)


def test_replacing_and_removing_leave_nothing_behind(store: Store, tmp_path: Path) -> None:
    empty = dump(tmp_path)
    put(store, "a.py", b"def first(): return second()\n")
    put(store, "a.py", b"class Second: pass\n")
    names = {row[3] for row in dump(tmp_path)["symbol"]}
    assert names == {"Second"}
    assert {row[2] for row in dump(tmp_path)["name_part"]} == {"sec", "eco", "con", "ond"}
    with store.writing():
        store.remove(["a.py", "never.py"])
    assert dump(tmp_path) == empty


def test_a_store_knows_that_its_file_was_replaced_or_taken_away(store: Store, tmp_path: Path) -> None:
    assert store.is_current()
    (tmp_path / FILE_NAME).rename(tmp_path / "other")
    assert not store.is_current()
    Store.open(tmp_path).close()
    assert not store.is_current()


def test_one_generation_is_discarded_once(store: Store, tmp_path: Path) -> None:
    """Of two processes that met the same damage, the second must not take away what the first has built anew."""
    discard(tmp_path, store.generation)
    assert not list(tmp_path.glob(FILE_NAME + "*"))
    assert not store.is_current()
    anew = Store.open(tmp_path)
    discard(tmp_path, store.generation)
    assert anew.is_current()
    discard(tmp_path, anew.generation)
    assert not anew.is_current()
    anew.close()


def sqlite_error(kind: type[sqlite3.Error], code: int | None) -> sqlite3.Error:
    """An error as the driver raises it."""
    error = kind("words")
    if code is not None:
        error.sqlite_errorcode = code
    return error


DAMAGE = [
    (Outdated("it has version 2, not 1"), True),
    (sqlite_error(sqlite3.DatabaseError, sqlite3.SQLITE_CORRUPT), True),
    (sqlite_error(sqlite3.DatabaseError, sqlite3.SQLITE_CORRUPT | 1 << 8), True),
    (sqlite_error(sqlite3.DatabaseError, sqlite3.SQLITE_NOTADB), True),
    (sqlite_error(sqlite3.OperationalError, sqlite3.SQLITE_ERROR), True),
    (sqlite_error(sqlite3.OperationalError, None), True),
    (sqlite_error(sqlite3.IntegrityError, sqlite3.SQLITE_CONSTRAINT), True),
    (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), True),
    (sqlite_error(sqlite3.OperationalError, sqlite3.SQLITE_BUSY), False),
    (sqlite_error(sqlite3.OperationalError, sqlite3.SQLITE_FULL), False),
    (sqlite_error(sqlite3.OperationalError, sqlite3.SQLITE_IOERR), False),
    (sqlite_error(sqlite3.OperationalError, sqlite3.SQLITE_CANTOPEN), False),
    (sqlite_error(sqlite3.ProgrammingError, None), False),
]


@pytest.mark.parametrize(("error", "damaged"), DAMAGE)
def test_damage_is_what_building_anew_would_mend(error: Exception, damaged: bool) -> None:
    assert is_damage(error) is damaged


BASES = [("a/b/Cart.PY", "cart"), ("cart", "cart"), (".eslintrc.js", ".eslintrc"), (".py", ".py"), ("a.b.ts", "a.b")]


@pytest.mark.parametrize(("path", "base"), BASES)
def test_a_file_is_found_by_its_name_without_folders_and_suffix(path: str, base: str) -> None:
    assert base_of(path) == base
