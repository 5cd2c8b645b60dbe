"""What somebody else's repository or question may hold must neither stall the engine nor lead it out of the project."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from explore.explorer import Explorer
from explore.index.location import FOLDER
from explore.index.store import FILE_NAME
from explore.retrieve.question import read_question
from tests.support.corpus import write_tree

LEDGER = {"ledger.py": b"def post():\n    return 1\n"}


@pytest.mark.parametrize("word", ["x", "a-", "aB", "~", "a/", "a.", "`"])
def test_a_question_of_one_long_word_is_read_as_its_beginning(word: str) -> None:
    """Patterns start anew at each letter, so that the whole of a long word would take minutes."""
    assert len(read_question(word * 20_000 + " ledger").text) < 400


def test_a_class_of_many_methods_shows_methods_and_not_the_blanks_between_them(tmp_path: Path) -> None:
    methods = "".join(f"    def post_{n}(self, amount):\n        self.total += amount\n\n" for n in range(300))
    write_tree(tmp_path / "root", {"ledger.py": f"class Ledger:\n{methods}".encode()})
    with Explorer.open(tmp_path / "root", exact=True) as project:
        rows = project.explore("how does the ledger post an amount").text.split("\n")
    shown = [row.partition("\t")[2] for row in rows if row[:1].isdigit()]
    assert sum(not line.strip() for line in shown) < len(shown) / 2
    assert sum("self.total += amount" in line for line in shown) > 20


@pytest.mark.parametrize(
    "files",
    [
        {".gitignore": b"*a*a*a*a*a*a*a*a*a*a*a*b\n", f"{'a' * 60}.py": b"x = 1\n"},
        {"ledger.c": b";//" * 30_000 + b"\n"},
        {"ledger.h": b"\n" * 100_000},
        {"ledger.c": b"#if A\n" + b"#elif B\n" * 50_000 + b"#endif\n"},
        {"ledger.js": b"function f() {\n" * 500 + b"}\n" * 500},
        {"ledger.cpp": b"void " + b"A<" * 2_000 + b">" * 2_000 + b"::f() {}\n"},
    ],
    ids=["stars", "long line", "empty lines", "branches", "nested functions", "nested arguments"],
)
def test_a_file_made_to_stall_is_indexed(tmp_path: Path, files: dict[str, bytes]) -> None:
    """Each of these took minutes, or would not end, before what it exploits was bounded."""
    write_tree(tmp_path / "root", files)
    with Explorer.open(tmp_path / "root", exact=True) as project:
        assert project.sync().indexed == len([path for path in files if path != ".gitignore"])


@pytest.mark.parametrize("linked", ["", "/.gitignore", "/generation", f"/{FILE_NAME}"])
def test_a_link_in_the_place_of_the_index_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linked: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_tree(tmp_path / "root", LEDGER)
    outside, place = tmp_path / "outside", tmp_path / "root" / (FOLDER + linked)
    outside.mkdir()
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(outside if not linked else outside / "file")
    with Explorer.open(tmp_path / "root", exact=True) as project:
        assert project.explore("post").emission.files
    assert not list(outside.iterdir())


def test_an_index_that_came_with_a_repository_is_not_trusted(tmp_path: Path) -> None:
    """Its rows could say anything; what is brought from elsewhere is built anew."""
    write_tree(tmp_path / "one", LEDGER)
    with Explorer.open(tmp_path / "one", exact=True) as project:
        project.sync()
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    told: list[str] = []
    with Explorer.open(tmp_path / "two", exact=True, notice=told.append) as project:
        assert project.explore("post").emission.files
    assert ["it was made in another place" in sentence for sentence in told] == [True]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE symbol SET kind = 'bogus'",
        "UPDATE symbol SET parent = ordinal",
        "UPDATE symbol SET parent = -1",
        'UPDATE symbol SET "end" = 99999',
        "UPDATE symbol SET line = -1",
        "UPDATE posting SET hits = x'010203'",
        "UPDATE posting SET hits = x'0102'",
    ],
)
def test_rows_that_make_no_sense_are_damage(tmp_path: Path, damage: str) -> None:
    write_tree(tmp_path / "root", LEDGER)
    told: list[str] = []
    with Explorer.open(tmp_path / "root", exact=True, notice=told.append) as project:
        project.sync()
        with closing(sqlite3.connect(tmp_path / "root" / FOLDER / FILE_NAME)) as raw, raw:
            raw.execute(damage)
        assert project.explore("post").emission.files
    assert ["makes no sense" in sentence for sentence in told] == [True]


def test_a_symbol_of_a_very_long_name_leaves_room_for_source(tmp_path: Path) -> None:
    long = b"function alpha() { return 1 }\nfunction " + b"z" * 30_000 + b"() {\n  return 2\n}\n"
    write_tree(tmp_path / "root", {"a.js": long})
    with Explorer.open(tmp_path / "root", exact=True) as project:
        answer = project.explore("alpha")
    assert "1\tfunction alpha() { return 1 }" in answer.text.split("\n")
    assert len(answer.text) < 3_000


def test_a_home_folder_is_no_project_by_accident(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is the root of the file system; `init` makes either one."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder in (tmp_path, Path("/")):
        with pytest.raises(Exception, match="hardly one project"):
            Explorer.open(folder)
    Explorer.open(tmp_path, exact=True).close()
    Explorer.open(tmp_path).close()
