"""Documents: which files are such, where they are cut, and that every line is in some run of them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.index.corpus import IndexCorpus
from explore.index.documents import format_of
from explore.index.documents.cut import MOST_LINES, cut
from explore.index.documents.formats import FORMATS, MOST_DATA_BYTES
from explore.index.record import record_of
from explore.index.scan import Found, is_read, role_of, scan
from explore.index.store import Store
from explore.index.sync import sync
from explore.model.source import Kind, Role, Source
from explore.model.text import split_lines
from tests.support.corpus import MemoryCorpus, write_tree
from tests.support.dump import dump

NAMES = [
    ("README.md", "markdown"),
    ("docs/Guide.Markdown", "markdown"),
    ("CHANGES.rst", "rst"),
    ("pyproject.toml", "toml"),
    (".pre-commit-config.yaml", "yaml"),
    (".github/workflows/ci.yml", "yaml"),
    ("package.json", "json"),
    (".eslintrc.json", "json"),
    ("tsconfig.jsonc", "json"),
    ("db/0001_init.SQL", "sql"),
    ("scripts/release.sh", "sh"),
    ("setup.cfg", "ini"),
    (".editorconfig", "ini"),
    ("Dockerfile", "dockerfile"),
    ("deploy/Dockerfile.dev", "dockerfile"),
    ("api.dockerfile", "dockerfile"),
    ("Makefile", "make"),
    ("rules.mk", "make"),
    (".github/workflows/lock.yml", "yaml"),
    ("docs/lock.md", "markdown"),
    ("package-lock.json", None),
    ("web/pnpm-lock.yaml", None),
    ("npm-shrinkwrap.json", None),
    ("packages.lock.json", None),
    ("theme.min.json", None),
    ("app.js.map", None),
    ("notes.txt", None),
    (".env", None),
    (".yml", None),
    ("Dockerfile/app", None),
    ("app.py", None),
]


@pytest.mark.parametrize(("path", "form"), NAMES)
def test_the_format_of_a_file_by_its_name(path: str, form: str | None) -> None:
    found = format_of(path)
    assert (found.name if found else None) == form
    assert is_read(path) == (form is not None or path.endswith(".py"))


def check(path: str, text: str, expected: str) -> None:
    """The runs of a text, by their first and last lines; four lines and more make a section of its own."""
    form = format_of(path)
    assert form is not None
    assert " ".join(str(symbol.span) for symbol in cut(form, split_lines(dedent(text)))) == expected


MORE = "x\n" * 4
CUTS = [
    pytest.param("a.md", f"# One\n{MORE}\n## Two\n{MORE}", "1-5 7-11", id="headings"),
    pytest.param("a.md", f"One\n===\n{MORE}\nTwo\n---\n{MORE}", "1-6 8-13", id="underlined headings"),
    pytest.param("a.md", f"# One\n{MORE}```sh\n# no heading\n```\n{MORE}", "1-12", id="a comment in a fence"),
    pytest.param("a.md", "# One\n\n## Two\n\n## Three\n", "1-3 5", id="few lines stay with the next"),
    pytest.param("a.rst", f"One\n===\n{MORE}\n***\nTwo\n***\n{MORE}", "1-6 8-14", id="a line above the heading too"),
    pytest.param("a.toml", f"[one]\n{MORE}\n# about two\n[[two]]\n{MORE}", "1-5 7-12", id="tables, with what is above"),
    pytest.param("a.ini", f"[one]\n{MORE}; about two\n[two]\n{MORE}", "1-5 6-11", id="sections"),
    pytest.param("a.yaml", "on:\n  a: 1\n  b: 2\n  c: 3\njobs:\n  - d: 1\n", "1-4 5-6", id="top-level keys"),
    pytest.param("a.yaml", f"a: 1\n{MORE}---\nb: 1\n{MORE}", "1-5 6-11", id="documents of one file"),
    pytest.param(
        "a.json", '{\n  "a": {\n    "b": 1,\n    "c": 2\n  },\n  "d": 3\n}\n', "1-5 6-7", id="top-level keys of JSON"
    ),
    pytest.param("a.sql", "CREATE TABLE a(\n  b,\n  c\n);\n-- d\ncreate view d\nas e;\n", "1-4 5-7", id="statements"),
    pytest.param("a.sh", f"#!/bin/sh\n{MORE}\n# does it\ndo_it() {{\n{MORE}}}\n", "1-5 7-13", id="functions"),
    pytest.param("Dockerfile", f"FROM a AS b\n{MORE}\nfrom c\n{MORE}", "1-5 7-11", id="stages"),
    pytest.param("Makefile", f"A := 1\n{MORE}\nall: one two\n\t{MORE}", "1-5 7-11", id="targets, and no variables"),
    pytest.param("a.md", "x\n" * 100, "1-48 49-96 97-100", id="a long run without a blank"),
    pytest.param("a.md", ("x\n" * 24 + "\n") * 3, "1-24 26-49 51-74", id="a long run at blanks") ,
    pytest.param("a.md", "\n\n \n", "", id="blanks alone"),
    pytest.param("a.md", "", "", id="nothing"),
    pytest.param("a.json", '{"a": "' + "x" * 5_000 + '"}\n', "", id="one line of data"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), CUTS)
def test_a_document_is_cut_where_its_sections_start(path: str, text: str, expected: str) -> None:
    check(path, text, expected)


PIECES = (
    "# h", "h", "===", "---", "```", "", " ", "[t]", "k: v", '  "k": 1', "{", "a() {", "FROM x", "t: u", "select 1;",
    "-- c", "; c", "\ttext", "text", "\u2028", "\x0c", "é: é", "~~~", "...",
)  # fmt: skip


@given(st.sampled_from(FORMATS), st.lists(st.sampled_from(PIECES), max_size=120))
def test_every_line_that_is_not_blank_is_in_one_run(form: object, lines: list[str]) -> None:
    """In order, apart, of bounded size, and without blank edges."""
    runs = [symbol.span for symbol in cut(form, lines)]  # type: ignore[arg-type]
    covered = [line for run in runs for line in range(run.start, run.end + 1)]
    assert covered == sorted(set(covered))
    assert {n for n, line in enumerate(lines, 1) if line.strip()} <= set(covered)
    assert all(run.end - run.start < MOST_LINES for run in runs)
    assert all(lines[run.start - 1].strip() and lines[run.end - 1].strip() for run in runs)


HOSTILE = [
    pytest.param("a.md", b"# x\n" * 10_000, 2_500, id="ten thousand headings"),
    pytest.param("a.md", b"\x00\x01# x\n" * 10, 0, id="binary"),
    pytest.param("a.json", b"[" + b"1," * 45_000 + b"1]", 0, id="one line of JSON"),
    pytest.param("a.md", b"\xef\xbb\xbf# One\r\ntext\r\n", 1, id="a byte-order mark and CRLF"),
    pytest.param("a.yaml", b"a" * 1_900 + b"\n", 1, id="a long word"),
    pytest.param("a.sh", b"a " * 700 + b"(\n" + b"a" * 1_500 + b"(\n", 1, id="a function that is none"),
    pytest.param("a.rst", b"=" * 1_900 + b"\n" + b"=" * 1_900 + b"x\n", 1, id="a line of a heading without one"),
    pytest.param("a.toml", b"\xff\xfe[\x00a\x00]\x00\n\x00", 1, id="UTF-16"),
]


@pytest.mark.parametrize(("path", "raw", "runs"), HOSTILE)
def test_whatever_a_document_holds_it_is_indexed(path: str, raw: bytes, runs: int) -> None:
    record = record_of(Found(path, len(raw), 1), raw)
    assert len(record.symbols) == runs
    assert record.role & Role.DOCUMENT
    assert all((symbol.kind, symbol.name) == (Kind.CODE, "") for symbol in record.symbols)
    assert bool(record.postings) == bool(runs)


def test_the_lines_of_a_marked_file_are_shown_without_mark_and_returns() -> None:
    corpus = MemoryCorpus({"a.md": b"\xef\xbb\xbf# One\r\ntext\r\n"})
    source: Source = corpus.sources(["a.md"])["a.md"]
    assert (source.language, source.lines) == ("markdown", ("# One", "text"))


SIZES = [("a.md", 300_000), ("a.sql", 300_000), ("a.json", MOST_DATA_BYTES), ("a.yml", MOST_DATA_BYTES)]


@pytest.mark.parametrize(("path", "most"), SIZES)
def test_large_documents_are_data(tmp_path: Path, path: str, most: int) -> None:
    write_tree(tmp_path, {path: b"x" * most})
    assert [file.path for file in scan(tmp_path)] == [path]
    write_tree(tmp_path, {path: b"x" * (most + 1)})
    assert list(scan(tmp_path)) == []


def test_of_a_hidden_folder_for_those_who_run_checks_the_documents_are_read(tmp_path: Path) -> None:
    write_tree(tmp_path, dict.fromkeys((".github/a.js", ".github/w/b.yml", ".other/c.yml", "d.js"), b""))
    assert [file.path for file in scan(tmp_path)] == ["d.js", ".github/w/b.yml"]
    assert [file.path for file in scan(tmp_path, {".github/w/b.yml", ".github/a.js"})] == [".github/w/b.yml"]


ROLES = [
    ("README.md", Role.DOCUMENT),
    ("docs/guide.md", Role.DOCUMENT),
    ("examples/guide.md", Role.DOCUMENT | Role.SAMPLE),
    ("tests/data/a.yaml", Role.DOCUMENT | Role.TEST),
    (".github/workflows/ci-test.yml", Role.DOCUMENT),
]


@pytest.mark.parametrize(("path", "role"), ROLES)
def test_what_a_document_is_for(path: str, role: Role) -> None:
    assert role_of(path, "") == role


def test_documents_count_on_their_own_shelf_and_have_no_names(tmp_path: Path) -> None:
    files = {"moor.py": b"def moor():\n    return 1\n", "README.md": b"# Mooring\n\nHow to moor.\n"}
    write_tree(tmp_path / "root", files)
    (tmp_path / "index").mkdir()
    store = Store.open(tmp_path / "index")
    sync(store, tmp_path / "root")
    corpus = IndexCorpus(store, tmp_path / "root")
    assert (corpus.totals().files, corpus.documents.totals().files) == (1, 1)
    paths = {shelf: [corpus.facts([p.file])[p.file].path for p in shelf.postings("moor")] for shelf in
             (corpus, corpus.documents)}  # fmt: skip
    assert paths == {corpus: ["moor.py"], corpus.documents: ["README.md"]}
    assert corpus.names_holding("moor") == ["moor"]
    assert len(corpus.documents.postings("readm")) == 1
    assert corpus.files_named("README.md") == []
    assert len(corpus.documents.files_named("README.md")) == 1
    assert corpus.languages() == {"markdown": 1, "python": 1}
    (tmp_path / "root/README.md").unlink()
    (tmp_path / "root/moor.py").unlink()
    sync(store, tmp_path / "root")
    store.close()
    assert not any(dump(tmp_path / "index").values())


def test_documents_change_no_row_of_source(tmp_path: Path) -> None:
    """What is indexed of source beside documents is what is without them."""
    source = {"a.py": b"def moor():\n    return 1\n", "b/c.go": b"package b\n\nfunc Moor() {}\n"}
    kept = {}
    for name, files in (("with", source | {"a.md": b"# moor\n", "b/c.json": b'{"moor": 1}\n'}), ("without", source)):
        write_tree(tmp_path / name, files)
        (tmp_path / f"{name}-index").mkdir()
        store = Store.open(tmp_path / f"{name}-index")
        sync(store, tmp_path / name)
        store.close()
        rows = dump(tmp_path / f"{name}-index")
        kept[name] = {table: rows[table] for table in ("posting", "name_part", "reference")}
    assert kept["with"] == kept["without"]
