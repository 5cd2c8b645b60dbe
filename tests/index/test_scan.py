"""Which files of a tree are indexed, and what each is for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from explore.index.scan import MAX_FILE_BYTES, changes_others, role_of, scan
from explore.model.source import Role
from tests.support import hostile
from tests.support.corpus import write_tree


def found(root: Path) -> list[str]:
    """The paths that a scan gives, in its order."""
    return [file.path for file in scan(root)]


def check(root: Path, files: Mapping[str, str], expected: str) -> None:
    """Writes the files, empty where nothing is said, and compares what is found with `expected`, names in any order."""
    write_tree(root, {path: dedent(text).encode() for path, text in files.items()})
    assert sorted(found(root)) == sorted(expected.split())


def files(names: str, **more: str) -> dict[str, str]:
    """Files with nothing in them."""
    return dict.fromkeys(names.split(), "")


TREES = [
    pytest.param("node_modules/a.js web/node_modules/a.js a.js", "a.js", id="node_modules anywhere"),
    pytest.param("dist/a.js web/dist/b.js distance/c.js", "distance/c.js", id="dist, but not what begins so"),
    pytest.param(".venv/a.py venv/b.py c.py", "c.py", id="virtual environments"),
    pytest.param("lib/site-packages/a.py __pycache__/b.py c.py", "c.py", id="installed and cached"),
    pytest.param("pkg.egg-info/a.py pkg/b.py", "pkg/b.py", id="egg-info"),
    pytest.param(".hidden/a.py .github/b.js c.py", "c.py", id="hidden folders"),
    pytest.param("vendor/a.go bower_components/b.js c.go", "c.go", id="vendored"),
    pytest.param("target/a.rs src/b.rs", "target/a.rs src/b.rs", id="a folder that is called target"),
    pytest.param("Cargo.toml target/a.rs src/b.rs", "Cargo.toml src/b.rs", id="what cargo builds"),
    pytest.param("setup.py build/lib/a.py b.py", "setup.py b.py", id="what setuptools builds"),
    pytest.param("build/a.py tools/build/b.py", "build/a.py tools/build/b.py", id="a folder that is called build"),
    pytest.param(
        "a.txt Makefile b.PY c.Go d.tar.gz", "Makefile b.PY c.Go", id="suffixes in any case, and nothing else"
    ),
    pytest.param("x.py/inner.py", "x.py/inner.py", id="a folder named as a file"),
]


@pytest.mark.parametrize(("names", "expected"), TREES)
def test_folders_that_hold_no_source_of_the_project_are_passed_over(tmp_path: Path, names: str, expected: str) -> None:
    check(tmp_path, files(names), expected)


IGNORED = [
    pytest.param({".gitignore": "*.py\n"}, "a.py b.go x/c.py", "b.go", id="a pattern at every depth"),
    pytest.param({".gitignore": "/a.py\n"}, "a.py x/a.py", "x/a.py", id="anchored"),
    pytest.param({".gitignore": "x/a.py\n"}, "x/a.py y/x/a.py", "y/x/a.py", id="a slash inside anchors too"),
    pytest.param({".gitignore": "**/x/a.py\n"}, "x/a.py y/x/a.py y/a.py", "y/a.py", id="two stars"),
    pytest.param({".gitignore": "gen/\n"}, "gen/a.py x/gen/b.py gen.py", "gen.py", id="folders only"),
    pytest.param({".gitignore": "x.py/\n"}, "x.py y/x.py/in.py", "x.py", id="folders only, named as a file"),
    pytest.param({".gitignore": "*.py\n!keep.py\n"}, "a.py keep.py x/keep.py", "keep.py x/keep.py", id="negation"),
    pytest.param({".gitignore": "!a.py\n*.py\n"}, "a.py", "", id="the last pattern decides"),
    pytest.param({".gitignore": "x/\n!x/a.py\n"}, "x/a.py", "", id="no way back out of an ignored folder"),
    pytest.param({".gitignore": "x/*\n!x/a.py\n"}, "x/a.py x/b.py", "x/a.py", id="but out of an ignored content"),
    pytest.param({".gitignore": "*\n!*/\n!*.go\n"}, "a.py x/b.go c.go", "x/b.go c.go", id="everything but"),
    pytest.param({"x/.gitignore": "*.py\n"}, "a.py x/b.py x/y/c.py", "a.py", id="nested"),
    pytest.param({"x/.gitignore": "/b.py\n"}, "b.py x/b.py x/y/b.py", "b.py x/y/b.py", id="nested and anchored"),
    pytest.param(
        {".gitignore": "*.py\n", "x/.gitignore": "!b.py\n"}, "a.py b.py x/b.py", "x/b.py", id="the deepest file decides"
    ),
    pytest.param({".gitignore": "# a.py\n\n\\#b.py\n"}, "a.py #b.py", "a.py", id="comments and escapes"),
    pytest.param({".gitignore": "a.py  \n"}, "a.py b.py", "b.py", id="blanks at the end"),
    pytest.param({".gitignore": "a.py\r\nb.py\r\n"}, "a.py b.py c.py", "c.py", id="CRLF"),
    pytest.param({".gitignore": "\ufeffa.py\n"}, "a.py b.py", "b.py", id="a byte-order mark"),
    pytest.param({".gitignore": "a\u2028b.py\n"}, "b.py", "b.py", id="a line separator ends no pattern"),
    pytest.param({".gitignore": "!\n\\\n[z-a]\na.py\n"}, "a.py b.py", "b.py", id="patterns that are none"),
    pytest.param({".gitignore": "A.py\n"}, "a.py", "a.py", id="case matters"),
    pytest.param({".gitignore/x.py": ""}, "a.py", "a.py", id="a folder in the place of the file"),
]


@pytest.mark.parametrize(("rules", "names", "expected"), IGNORED)
def test_ignore_files_are_followed_as_git_does(
    tmp_path: Path, rules: dict[str, str], names: str, expected: str
) -> None:
    check(tmp_path, {**files(names), **rules}, expected)


ABOVE = [
    pytest.param("/sub/a.py\n", "b.py x/a.py", id="anchored at the top"),
    pytest.param("a.py\n", "b.py", id="at every depth"),
    pytest.param("sub/x/\n", "a.py b.py", id="a folder below the root"),
    pytest.param("sub/\n", "a.py b.py x/a.py", id="a root that is ignored itself"),
    pytest.param("/*\n", "a.py b.py x/a.py", id="a root that is ignored with all else"),
]


@pytest.mark.parametrize(("rules", "expected"), ABOVE)
def test_ignore_files_above_the_root_count_inside_a_work_tree(tmp_path: Path, rules: str, expected: str) -> None:
    """A root that is ignored is indexed all the same: somebody asked for it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text(rules)
    check(tmp_path / "sub", files("a.py b.py x/a.py"), expected)


def test_ignore_files_above_the_root_do_not_count_outside_of_a_work_tree(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("a.py\n")
    check(tmp_path / "sub", files("a.py b.py"), "a.py b.py")


def test_ignore_files_above_the_work_tree_do_not_count(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("a.py\n")
    (tmp_path / "sub/.git").mkdir(parents=True)
    check(tmp_path / "sub", files("a.py b.py"), "a.py b.py")


@pytest.mark.parametrize("name", ["node_modules", "dist", ".hidden"])
def test_a_root_with_such_a_name_is_indexed(tmp_path: Path, name: str) -> None:
    check(tmp_path / name, files("a.py"), "a.py")


@pytest.mark.parametrize(("size", "is_found"), [(0, True), (MAX_FILE_BYTES, True), (MAX_FILE_BYTES + 1, False)])
def test_files_over_a_million_bytes_are_left_out(tmp_path: Path, size: int, is_found: bool) -> None:
    assert MAX_FILE_BYTES == 1_000_000
    (tmp_path / "a.py").write_bytes(b"#" * size)
    assert found(tmp_path) == ["a.py"] * is_found


LINKS = [
    pytest.param({"alias.py": "real.py"}, id="to a file inside"),
    pytest.param({"alias.py": "{root}/real.py"}, id="to a file inside, absolute"),
    pytest.param({"folder": "inner"}, id="to a folder inside"),
    pytest.param({"out.py": "../outside/out.py"}, id="to a file outside"),
    pytest.param({"outside": "../outside"}, id="to a folder outside"),
    pytest.param({"loop": "."}, id="to itself"),
    pytest.param({"inner/up": "..", "inner/down": "up/inner"}, id="in a circle"),
    pytest.param({"lost.py": "nowhere.py", "self.py": "self.py"}, id="to nothing"),
]


@pytest.mark.parametrize("links", LINKS)
def test_links_are_not_followed(tmp_path: Path, links: dict[str, str]) -> None:
    """What one leads to inside the root has its record there, and what lies outside is not the project's."""
    root = tmp_path / "root"
    write_tree(tmp_path, {"root/real.py": b"", "root/inner/in.py": b"", "outside/out.py": b""})
    for path, target in links.items():
        (root / path).symlink_to(target.replace("{root}", str(root)))
    assert found(root) == ["real.py", "inner/in.py"]


def test_what_is_no_plain_file_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    check(tmp_path, files("a.py"), "a.py")


def test_names_that_are_no_text_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.py")).touch()
    (tmp_path / os.fsdecode(b"caf\xe9")).mkdir()
    (tmp_path / os.fsdecode(b"caf\xe9/in.py")).touch()
    check(tmp_path, files("a.py"), "a.py")


def test_the_order_is_the_same_whatever_the_disk_says(tmp_path: Path) -> None:
    for name in ("b.py", "a.py", "z/a.py", "b/c.py", "b/a.py", "a/z.py"):
        write_tree(tmp_path, {name: b""})
    assert found(tmp_path) == ["a.py", "b.py", "a/z.py", "b/a.py", "b/c.py", "z/a.py"]


def test_the_hostile_repository_gives_its_own_files_and_no_others(tmp_path: Path) -> None:
    root = tmp_path / "hostile"
    hostile.write_hostile(root)
    paths = found(root)
    assert len(paths) == len(set(paths))
    assert {place.path for place in hostile.PLACES} <= set(paths)
    assert not set(paths) & {*hostile.NEVER_INDEXED, *hostile.LINKS, hostile.STRAY_BYTE_NAME, hostile.PIPE}
    assert set(hostile.NAMES) - {hostile.STRAY_BYTE_NAME} <= set(paths)
    assert hostile.OVER_A_MEGABYTE.path not in paths


ROLES = [
    ("src/app.py", "", Role.SOURCE),
    ("src/latest.py", "", Role.SOURCE),
    ("src/contest/entry.go", "", Role.SOURCE),
    ("test_app.py", "", Role.TEST),
    ("src/app_test.go", "", Role.TEST),
    ("src/app.test.ts", "", Role.TEST),
    ("src/app.spec.tsx", "", Role.TEST),
    ("conftest.py", "", Role.TEST),
    ("src/AppTest.java", "", Role.TEST),
    ("tests/helpers.py", "", Role.TEST),
    ("src/__tests__/app.js", "", Role.TEST),
    ("Tests/App.cs", "", Role.TEST),
    ("examples/app.py", "", Role.SAMPLE),
    ("docs/conf.py", "", Role.SAMPLE),
    ("bench/run.go", "", Role.SAMPLE),
    ("examples/tests/app.py", "", Role.SAMPLE | Role.TEST),
    ("api/app.pb.go", "", Role.GENERATED),
    ("api/app_pb2.py", "", Role.GENERATED),
    ("api/app_pb2_grpc.py", "", Role.GENERATED),
    ("web/app.min.js", "", Role.GENERATED),
    ("web/app.generated.ts", "", Role.GENERATED),
    ("Form.Designer.cs", "", Role.GENERATED),
    ("a.go", "// Code generated by stringer. DO NOT EDIT.\npackage a\n", Role.GENERATED),
    ("a.go", "// Code generated by x\n// from y.\n// DO NOT EDIT.\n", Role.GENERATED),
    ("a.js", "/**\n * @generated\n */\n", Role.GENERATED),
    ("a.cs", "// <auto-generated/>\n// auto-generated file\n", Role.GENERATED),
    ("a.c", "/* A Bison parser, made by GNU Bison 3.8. */\n", Role.GENERATED),
    ("a.py", "# This file was automatically generated.\n", Role.GENERATED),
    ("a.py", "# The report is generated by the accountant.\n", Role.SOURCE),
    ("a.py", "# Nothing here is generated; do edit it.\n", Role.SOURCE),
    ("a.go", "x" * 1_000 + "// Code generated by stringer. DO NOT EDIT.\n", Role.SOURCE),
]


@pytest.mark.parametrize(("path", "head", "role"), ROLES)
def test_a_file_is_known_by_its_name_folders_and_banner(path: str, head: str, role: Role) -> None:
    assert role_of(path, head) == role


@pytest.mark.parametrize(("rules", "names", "expected"), IGNORED)
def test_a_look_at_some_paths_finds_of_them_what_a_look_at_all_does(
    tmp_path: Path, rules: Mapping[str, str], names: str, expected: str
) -> None:
    """Each path alone, those that are ignored, and one that is not there."""
    write_tree(tmp_path, {path: dedent(text).encode() for path, text in {**files(names), **rules}.items()})
    whole = list(scan(tmp_path))
    for path in [*names.split(), "never.py", "no/such/folder.py"]:
        assert list(scan(tmp_path, {path})) == [file for file in whole if file.path == path]
    assert list(scan(tmp_path, set(names.split()))) == whole


@pytest.mark.parametrize(("names", "expected"), TREES)
def test_a_look_at_some_paths_passes_over_the_same_folders(tmp_path: Path, names: str, expected: str) -> None:
    write_tree(tmp_path, dict.fromkeys(names.split(), b""))
    assert [file.path for path in names.split() for file in scan(tmp_path, {path})] == [
        path for path in names.split() if path in expected.split()
    ]


@pytest.mark.parametrize(
    ("path", "others"),
    [
        ("a.py", False),
        ("x/a.go", False),
        (".gitignore", True),
        ("x/.gitignore", True),
        ("x/folder", True),
        ("setup.py", True),
        ("x/Cargo.toml", True),
        ("x/README.md", False),
        (".github/workflows/ci.yml", False),
    ],
)
def test_what_a_path_can_change_besides_itself(path: str, others: bool) -> None:
    assert changes_others(path) is others
