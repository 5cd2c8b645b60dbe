"""A project opened, indexed, damaged, shared and asked: the Python front, with a real index on a real disk."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from explore import BadRequest, BadRoot, Explorer, IndexUnavailable
from explore.index.store import FILE_NAME, SCHEMA_VERSION
from tests.support.corpus import tree, write_tree
from tests.support.dump import dump, index_folder, is_sound

NOBODY = 65534

PROJECT = tree("""
    boat.py
        | class Boat:
        |     def moor(self, harbour):
        |         return harbour.take(self)
    harbour.py
        | from boat import Boat
        |
        | def take(boat):
        |     return boat
    src/
        tide.go
            | package src
            |
            | func Tide() int {
            |     return 3
            | }
""")
QUESTION = "how does a boat moor in the harbour"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small project on disk."""
    write_tree(tmp_path / "root", PROJECT)
    return tmp_path / "root"


@pytest.fixture
def answer(root: Path) -> str:
    """What the project answers when all is well; it is indexed then."""
    with Explorer.open(root) as explorer:
        return explorer.explore(QUESTION).text


def fresh_dump(root: Path, scratch: Path) -> dict[str, list[tuple[object, ...]]]:
    """What an index made anew of the same files holds."""
    shutil.copytree(root, scratch, ignore=shutil.ignore_patterns(".codegraph-explore"))
    with Explorer.open(scratch, exact=True) as explorer:
        explorer.sync()
    return dump(index_folder(scratch))


def test_asking_needs_no_preparation(root: Path) -> None:
    with Explorer.open(root) as explorer:
        assert "def moor" in explorer.explore(QUESTION).text
        assert explorer.search(QUESTION).files[0].path == "boat.py"
        status = explorer.status()
    assert (status.files, status.languages, status.root) == (3, {"python": 2, "go": 1}, str(root))
    assert status.index_bytes > 0


@pytest.mark.parametrize("question", ["", " \n\t", "\u2028"])
def test_an_empty_question_is_refused(root: Path, question: str) -> None:
    with Explorer.open(root) as explorer, pytest.raises(BadRequest):
        explorer.explore(question)


@pytest.mark.parametrize("path", ["nowhere", "root/boat.py", "a\0b", "~nobody-of-this-name"])
def test_what_is_no_folder_is_refused_in_words(tmp_path: Path, root: Path, path: str) -> None:
    with pytest.raises(BadRoot):
        Explorer.open(tmp_path / path if not path.startswith("~") else path)


def test_a_folder_inside_belongs_to_the_indexed_project_around_it(root: Path, answer: str) -> None:
    """Unless it is to be a project of its own."""
    with Explorer.open(root / "src") as explorer:
        assert explorer.root == root
        assert explorer.explore(QUESTION).text == answer
    with Explorer.open(root / "src", exact=True) as explorer:
        assert explorer.root == root / "src"
        explorer.sync()
    with Explorer.open(root / "src") as explorer:
        assert explorer.root == root / "src"


def test_a_link_and_a_trailing_slash_name_the_same_project(root: Path, answer: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    for path in (tmp_path / "link", f"{root}/", f"{root}/src/..", tmp_path / "link/src"):
        with Explorer.open(path) as explorer:
            assert explorer.root == root
            assert explorer.explore(QUESTION).emission.project == str(root)


def test_the_index_keeps_itself_out_of_git(root: Path, answer: str) -> None:
    assert (index_folder(root) / ".gitignore").read_text() == "*\n"


def test_closing_twice_is_harmless(root: Path) -> None:
    explorer = Explorer.open(root)
    explorer.close()
    explorer.close()


# --- damage -------------------------------------------------------------------------------------------------------


def flipped(raw: bytes) -> bytes:
    """The bytes with many of them changed at random, but for the first page."""
    changed, chance = bytearray(raw), random.Random(7)
    for _ in range(2_000):
        changed[chance.randrange(4096, len(raw))] = chance.randrange(256)
    return bytes(changed)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "no database": lambda raw: b"This was never a database.\n" * 200,
    "half of it": lambda raw: raw[: len(raw) // 2],
    "a torn page": lambda raw: raw[:-1_000],
    "the first page zeroed": lambda raw: bytes(4096) + raw[4096:],
    "all but the first page zeroed": lambda raw: raw[:4096] + bytes(len(raw) - 4096),
    "bytes changed": flipped,
    "a table's name changed": lambda raw: raw.replace(b"CREATE TABLE symbol", b"CREATE TABLE sxmbol"),
    "its description no text": lambda raw: raw.replace(b"CREATE TABLE symbol", b"CREATE T\xffBLE symbol"),
    "a header for later programs": lambda raw: raw[:18] + b"\x03\x03" + raw[20:],
    "random": lambda raw: random.Random(3).randbytes(len(raw)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_built_anew_with_one_sentence(root: Path, answer: str, damage: str, tmp_path: Path) -> None:
    file = index_folder(root) / FILE_NAME
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    told: list[str] = []
    with Explorer.open(root, notice=told.append) as explorer:
        assert explorer.explore(QUESTION).text == answer
    assert len(told) == 1
    assert "is rebuilt" in told[0]
    assert "\n" not in told[0]
    assert is_sound(index_folder(root))
    assert len(dump(index_folder(root))["file"]) == len(PROJECT)


def test_an_empty_index_file_is_filled(root: Path, answer: str) -> None:
    (index_folder(root) / FILE_NAME).write_bytes(b"")
    with Explorer.open(root) as explorer:
        assert explorer.explore(QUESTION).text == answer


STATEMENTS = {
    "another version": f"PRAGMA user_version = {SCHEMA_VERSION + 1}",
    "an older version": f"PRAGMA user_version = {SCHEMA_VERSION - 1}",
    "a table gone": "DROP TABLE posting",
    "the full-text table's own data gone": "DELETE FROM name_part_data",
    "the full-text table of another format": "UPDATE name_part_config SET v = 99 WHERE k = 'version'",
    "text that is none": "UPDATE file SET language = CAST(x'ff' AS TEXT)",
    "a file forgotten, its rows left": "DELETE FROM file",
}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_an_index_that_is_not_as_it_should_be_is_built_anew(root: Path, answer: str, statement: str) -> None:
    with closing(sqlite3.connect(index_folder(root) / FILE_NAME, isolation_level=None)) as connection:
        connection.execute(STATEMENTS[statement])
    told: list[str] = []
    with Explorer.open(root, notice=told.append) as explorer:
        (root / "boat.py").write_bytes((root / "boat.py").read_bytes())  # so that rows are written, too
        assert explorer.explore(QUESTION).text == answer
        assert explorer.explore("name_part of Boat").text
    assert len(told) <= 1


def test_a_database_of_somebody_else_gives_way(root: Path, answer: str) -> None:
    file = index_folder(root) / FILE_NAME
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    told: list[str] = []
    with Explorer.open(root, notice=told.append) as explorer:
        assert explorer.explore(QUESTION).text == answer
    assert len(told) == 1


def test_damage_met_in_mid_use_is_mended_within_the_call(root: Path, answer: str) -> None:
    told: list[str] = []
    with Explorer.open(root, notice=told.append) as explorer:
        explorer.sync()
        with closing(sqlite3.connect(index_folder(root) / FILE_NAME)) as connection:
            connection.execute("DROP TABLE symbol")
        assert explorer.explore(QUESTION, refresh=False).text == answer
        assert len(told) == 1
        assert explorer.explore(QUESTION).text == answer
        assert explorer.search(QUESTION).files
        assert len(told) == 1


def test_pages_overwritten_in_mid_use_are_mended(root: Path, answer: str) -> None:
    """The bytes on disk change under an open connection, which has few of them in memory."""
    for n in range(300):
        (root / f"more_{n:03}.py").write_text(f"def more_{n}(boat):\n    return boat.more_{n}\n" * 3)
    file = index_folder(root) / FILE_NAME
    told: list[str] = []
    with Explorer.open(root, notice=told.append) as explorer:
        explorer.sync()
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        raw = file.read_bytes()
        with file.open("r+b") as open_file:
            open_file.seek(4096)
            open_file.write(random.Random(5).randbytes(len(raw) - 4096))
        for n in range(0, 300, 10):
            assert f"def more_{n}" in explorer.explore(f"more_{n}").text
    assert len(told) == 1
    assert is_sound(index_folder(root))


def test_an_index_taken_away_in_mid_use_is_made_again(root: Path, answer: str) -> None:
    """`git clean` does that under a running server."""
    with Explorer.open(root) as explorer:
        explorer.sync()
        shutil.rmtree(index_folder(root))
        assert explorer.explore(QUESTION).text == answer
        assert (index_folder(root) / ".gitignore").exists()
        assert explorer.status().files == len(PROJECT)


def test_an_index_that_another_process_built_anew_is_used(root: Path, answer: str) -> None:
    with Explorer.open(root) as explorer:
        explorer.sync()
        (root / "late.py").write_text("def late_arrival():\n    return 1\n")
        shutil.rmtree(index_folder(root))
        with Explorer.open(root, exact=True) as other:
            other.sync()
        assert "def late_arrival" in explorer.explore("late_arrival", refresh=False).text


# --- several at once ----------------------------------------------------------------------------------------------

INDEX = """
import sys, time
from pathlib import Path
from explore import Explorer
root, go = Path(sys.argv[1]), Path(sys.argv[2])
while not go.exists():
    time.sleep(0.001)
with Explorer.open(root, exact=True, notice=lambda s: print(s, file=sys.stderr)) as explorer:
    explorer.sync()
    print(explorer.status().files, "def moor" in explorer.explore("moor").text)
"""


@pytest.mark.parametrize("state", ["never indexed", "damaged", "in need of many changes"])
def test_processes_that_index_at_the_same_time_end_with_one_sound_index(root: Path, tmp_path: Path, state: str) -> None:
    more = {f"m{n:03}.py": b"from boat import Boat\n\ndef f%d(boat):\n    return Boat()\n" % n for n in range(220)}
    write_tree(root, more)
    if state != "never indexed":
        with Explorer.open(root) as explorer:
            explorer.sync()
    if state == "damaged":
        file = index_folder(root) / FILE_NAME
        file.write_bytes(DAMAGES["no database"](file.read_bytes()))
    elif state == "in need of many changes":
        write_tree(root, {path: raw + b"# changed\n" for path, raw in more.items()})
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", INDEX, str(root), str(tmp_path / "go")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    (tmp_path / "go").touch()
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in err
        assert out == f"{len(PROJECT) + len(more)} True\n", err
        assert process.returncode == 0
    assert is_sound(index_folder(root))
    kept, fresh = dump(index_folder(root)), fresh_dump(root, tmp_path / "fresh")
    assert {table: rows for table, rows in kept.items() if table != "file"} == {
        table: rows for table, rows in fresh.items() if table != "file"
    }
    assert [row[:6] for row in kept["file"]] == [row[:6] for row in fresh["file"]]


def test_threads_ask_and_index_at_the_same_time(root: Path, answer: str) -> None:
    found: list[str] = []
    with Explorer.open(root) as explorer:

        def ask() -> None:
            for _ in range(10):
                explorer.sync()
                found.append(explorer.explore(QUESTION, refresh=False).text)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [answer] * 40


# --- where nothing can be written ---------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache, in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_project_that_cannot_be_written_to_has_its_index_in_the_cache(root: Path, cache: Path) -> None:
    """And is found there by the next one who comes, also from a folder inside."""
    (root / ".codegraph-explore").write_text("a file in its place")
    told: list[str] = []
    with Explorer.open(root, notice=told.append) as explorer:
        assert "def moor" in explorer.explore(QUESTION).text
        folder = Path(explorer.status().index)
    assert folder.is_relative_to(cache / "codegraph-explore")
    assert len(told) == 1
    assert str(folder) in told[0]
    with Explorer.open(root / "src") as explorer:
        assert explorer.root == root
        assert explorer.status().files == len(PROJECT)


def test_two_projects_of_one_name_do_not_share_an_index(tmp_path: Path, cache: Path) -> None:
    for place, name in (("one", "first"), ("two", "second")):
        write_tree(tmp_path / place / "same", {"a.py": f"def {name}(): pass\n".encode(), ".codegraph-explore": b""})
    for place, name in (("one", "first"), ("two", "second")):
        with Explorer.open(tmp_path / place / "same") as explorer:
            assert f"def {name}" in explorer.explore("first second").text


def test_where_no_index_can_be_kept_that_is_said(root: Path, cache: Path) -> None:
    (root / ".codegraph-explore").write_text("a file in its place")
    cache.write_text("another")
    with pytest.raises(IndexUnavailable, match="make one of them writable"):
        Explorer.open(root)


AS_NOBODY = """
import os, sys
from explore import Explorer
with Explorer.open(sys.argv[2]) as explorer:  # loads all that is needed, which nobody may not be allowed to read
    explorer.sync()
os.setgroups([]); os.setgid({nobody}); os.setuid({nobody})
told = []
with Explorer.open(sys.argv[1], notice=told.append) as explorer:
    synced = explorer.sync()
    print(explorer.status().index)
    print(synced.unreadable, synced.indexed)
    print(*told, sep="\\n")
"""


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can become somebody else")
def test_permissions_are_respected(tmp_path: Path) -> None:
    """Somebody without rights, in a project of somebody else, with a file and a folder that only that one may read."""
    base = Path("/tmp") / f"codegraph-explore-test-{os.getpid()}"
    write_tree(base / "root", {**PROJECT, "locked.py": b"x = 1\n", "shut/in.py": b"y = 1\n"})
    write_tree(tmp_path / "first", {**PROJECT, ".gitignore": b"*.log\n"})
    try:
        (base / ".codegraph-explore").mkdir()
        (base / ".codegraph-explore" / FILE_NAME).write_bytes(b"of somebody else")
        (base / "cache").mkdir()
        os.chown(base / "cache", NOBODY, NOBODY)
        for path, mode in ((".codegraph-explore", 0o700), ("root/locked.py", 0), ("root/shut", 0o700), ("root", 0o755)):
            (base / path).chmod(mode)
        base.chmod(0o755)
        ran = subprocess.run(
            [sys.executable, "-c", AS_NOBODY.format(nobody=NOBODY), str(base / "root"), str(tmp_path / "first")],
            env={**os.environ, "XDG_CACHE_HOME": str(base / "cache")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in ran.stderr, ran.stderr
        index, synced, *told = ran.stdout.splitlines()
        assert index.startswith(str(base / "cache"))
        assert synced == f"('locked.py',) {len(PROJECT)}"
        assert len(told) == 1
    finally:
        shutil.rmtree(base)
