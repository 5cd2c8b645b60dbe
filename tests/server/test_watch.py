"""The watch over a project's files sees what may change the index, and many changes as one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explore.explorer import Explorer
from explore.server.projects import Projects
from explore.server.watch import Paths, Watch, is_of_interest
from tests.support.corpus import write_tree

SECONDS = 20.0


class Counter:
    """How often changes were told."""

    def __init__(self) -> None:
        self.count = 0
        self.paths: list[Paths | None] = []
        self.told = threading.Event()

    def __call__(self, paths: Paths | None) -> None:
        self.count += 1
        self.paths.append(paths)
        self.told.set()


@pytest.fixture
def counter() -> Counter:
    return Counter()


@pytest.fixture
def watched(tmp_path: Path, counter: Counter) -> Iterator[Path]:
    """A folder that is watched by now."""
    write_tree(tmp_path, {"a.py": b"x = 1\n"})
    watch = Watch(tmp_path, counter, lambda _: None)
    watch.start()
    until(lambda: touched(tmp_path / "a.py", counter))
    yield tmp_path
    watch.stop()
    until(lambda: not watch.alive)


def until(holds: Callable[[], bool]) -> None:
    """Waits until something holds."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def touched(file: Path, counter: Counter) -> bool:
    """Changes a file and gives the watch a moment."""
    file.write_bytes(file.read_bytes() + b"# more\n")
    return counter.told.wait(0.7)


def test_thousands_of_changes_at_once_are_few(watched: Path, counter: Counter) -> None:
    time.sleep(1)
    before = counter.count
    write_tree(watched, {f"port/m{n}.py": b"x = %d\n" % n for n in range(3_000)})
    until(lambda: counter.count > before)
    time.sleep(1)
    assert counter.count - before <= 20


@pytest.mark.parametrize(
    ("path", "holds"),
    [
        ("/port/a.py", True),
        ("/port/deep/er.go", True),
        ("/port/.gitignore", True),
        ("/port/folder", True),
        ("/port/notes.md", True),
        ("/port/.github/workflows/ci.yml", True),
        ("/port/notes.txt", False),
        ("/port/.codegraph-explore/index.sqlite-wal", False),
        ("/port/.git/HEAD", False),
        ("/port/node_modules/a/b.js", False),
    ],
)
def test_what_may_change_the_index(path: str, holds: bool) -> None:
    assert is_of_interest(None, path) == holds


def test_what_cannot_be_watched_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    watch = Watch(tmp_path / "nowhere", lambda _: None, told.append)
    watch.start()
    until(lambda: bool(told))
    assert not watch.alive
    assert "cannot be watched" in told[0]


@pytest.mark.parametrize("added", ["b.py", "b.md", ".github/workflows/b.yml"])
def test_a_project_follows_its_files_and_calls_do_not_look_for_changes(tmp_path: Path, added: str) -> None:
    write_tree(tmp_path, {"a.py": b"def moor():\n    return 1\n"})
    projects = Projects(lambda _: None)
    try:
        project = projects.at(str(tmp_path))
        project.indexing.thread.join()
        until(lambda: project.watch.alive)
        write_tree(tmp_path, {added: b"def anchor():\n    return 2\n"})
        until(lambda: [file.path for file in project.explorer.search("anchor", refresh=False).files] == [added])
        (tmp_path / added).unlink()
        until(lambda: not project.explorer.search("anchor", refresh=False).files)
    finally:
        projects.close()


def test_files_that_answers_found_changed_are_indexed_anew(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": b"def moor():\n    return 1\n"})
    projects = Projects(lambda _: None)
    try:
        project = projects.at(str(tmp_path))
        project.indexing.thread.join()
        project.watch.stop()
        until(lambda: not project.watch.alive)
        (tmp_path / "a.py").write_bytes(b"def anchor():\n    return 2\n")
        project.mend()
        until(lambda: [file.path for file in project.explorer.search("anchor", refresh=False).files] == ["a.py"])
    finally:
        projects.close()


def test_an_explorer_that_does_not_write_cannot(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": b"def moor():\n    return 1\n"})
    with Explorer.open(tmp_path, exact=True) as owner:
        owner.sync()
        with Explorer.open(tmp_path, exact=True, writes=False) as reader:
            (tmp_path / "a.py").write_bytes(b"def anchor():\n    return 2\n")
            assert "anchor" in reader.explore("moor", refresh=False).text
            assert reader.take_drifted() == ("a.py",)
            assert reader.take_drifted() == ()
            assert not reader.search("anchor", refresh=False).files
