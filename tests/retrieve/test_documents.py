"""When documents are found, and that source is found as if there were none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.engine import explore
from explore.model.ranked import Ranked, Reason
from explore.model.source import Role
from explore.retrieve.documents import MOST_ASIDE, rank_all
from explore.retrieve.kinds import KINDS, kinds_asked
from explore.retrieve.question import read_question
from explore.retrieve.rank import rank
from tests.support.corpus import MemoryCorpus, tree

SOURCE = tree("""
    port/
        users.py
            | def create_user(table, name):
            |     table.insert(name)
            |
            | def install(config):
            |     return config
        ci.py
            | def configure(settings):
            |     return settings.read()
        schema.py
            | class Schema:
            |     def validate(self, value):
            |         return value
""")
DOCUMENTS = tree("""
    README.md
        | # Port
        |
        | A harbour.
        |
        | ## Installation
        |
        | Run the setup of the harbour.
        | Then moor.
    CHANGELOG.md
        | # 1.0
        |
        | - users have a table
    Dockerfile
        | FROM python
        | RUN pip install .
    Makefile
        | all:
        | 	python -m port
    pyproject.toml
        | [project]
        | name = "port"
        | dependencies = ["rope"]
    docker-compose.yml
        | services:
        |   port: 8000
    docs/
        users.md
            | # Users
            |
            | Who may create users.
    db/
        users.sql
            | CREATE TABLE users (
            |     name TEXT NOT NULL
            | );
        ships.sql
            | CREATE TABLE ships (
            |     name TEXT NOT NULL
            | );
    .github/workflows/checks.yml
        | on: push
        | jobs:
        |   unit:
        |     steps: []
    scripts/
        release.sh
            | #!/bin/sh
            | git tag "$1"
    tests/
        data.yaml
            | users: [1, 2]
    web/
        README.md
            | # Web
            |
            | Installation of the web part.
""")


def ask(question: str, files: dict[str, bytes] | None = None) -> Ranked:
    return rank_all(read_question(question), MemoryCorpus(SOURCE | DOCUMENTS if files is None else files))


ASKED = [
    ("how is the CI configured", ".github/workflows/checks.yml"),
    ("what do the GitHub Actions workflows run", ".github/workflows/checks.yml"),
    ("what does README.md say about installation", "README.md"),
    ("what does the readme say about the installation of the web part", "web/README.md"),
    ("web/README.md", "web/README.md"),
    ("which SQL creates table users", "db/users.sql"),
    ("which migration creates ships", "db/ships.sql"),
    ("what is new in the changelog", "CHANGELOG.md"),
    ("the Dockerfile", "Dockerfile"),
    ("which port does docker-compose.yml open", "docker-compose.yml"),
    ("Makefile targets", "Makefile"),
    ("which dependencies are in pyproject.toml", "pyproject.toml"),
    ("which shell script sets the tag", "scripts/release.sh"),
]


@pytest.mark.parametrize(("question", "first"), ASKED)
def test_a_document_that_is_asked_for_comes_first(question: str, first: str) -> None:
    """Before all other documents, and with its runs; source may come before it."""
    found = next(file for file in ask(question).files[:2] if Reason.DOCUMENT in file.reasons)
    assert found.path == first
    assert found.symbols


UNASKED = [
    "how is a user created",
    "create_user",
    "Schema.validate",
    "how does install read the config",
    "where are settings configured",
    "port/users.py",
    "how is a value validated",
]


@pytest.mark.parametrize("question", UNASKED)
def test_documents_that_are_not_asked_for_change_nothing_of_source(question: str) -> None:
    ranked, alone = ask(question), rank(read_question(question), MemoryCorpus(SOURCE))
    assert ranked.files == alone.files
    assert ranked.terms == alone.terms
    assert all(file.role & Role.DOCUMENT and not file.symbols for file in ranked.aside)
    assert len(ranked.aside) <= MOST_ASIDE


@pytest.mark.parametrize("question", [question for question, _ in ASKED])
def test_source_weighs_the_same_beside_documents_that_are_asked_for(question: str) -> None:
    beside = [file for file in ask(question).files if not file.role & Role.DOCUMENT]
    assert beside == list(rank(read_question(question), MemoryCorpus(SOURCE)).files)


@given(st.text("abcdeurstCI_./ \n", max_size=60))
def test_whatever_is_asked_source_is_found_as_without_documents(text: str) -> None:
    beside = tuple(file for file in ask(text).files if not file.role & Role.DOCUMENT)
    assert beside == rank(read_question(text), MemoryCorpus(SOURCE)).files


def test_documents_that_match_are_named_aside() -> None:
    assert "docs/users.md" in [file.path for file in ask("how is a user created").aside]


def test_documents_that_alone_have_a_word_are_named_first() -> None:
    """The two heaviest of them; `ruff` is nowhere in the source, and the rest of the question is."""
    files = {f"port/crane_{n}.py": b"def set_up_crane(settings):\n    return settings\n" for n in range(9)}
    files |= {f"docs/note_{n}.md": b"# Cranes\n\nThe settings of the crane.\n" * 3 for n in range(5)}
    files |= {"pyproject.toml": b"[tool.ruff]\nline-length = 120\n"}
    question = "where are the settings of ruff for the crane"
    answer = explore(question, MemoryCorpus(files), "/port")
    (named,) = (row for row in answer.text.split("\n") if row.startswith("Also relevant, not shown: "))
    assert named.startswith("Also relevant, not shown: `pyproject.toml`, `port/")
    assert "pyproject.toml" not in [file.path for file in answer.emission.files]


def test_where_no_source_is_found_documents_answer() -> None:
    assert ask("ships").files[0].path == "db/ships.sql"
    ranked = ask("how is the harbour set up", DOCUMENTS)
    assert ranked.files[0].path == "README.md"
    assert ranked.aside == ()


def test_a_path_that_names_source_names_no_document() -> None:
    ranked = ask("port/users", {**SOURCE, "port/users.md": b"# users\n"})
    assert [file.path for file in ranked.files if file.named] == ["port/users.py"]


def test_of_documents_of_one_name_the_one_at_that_path_is_meant() -> None:
    named = [file.path for file in ask("README.md").files if Reason.FILE_NAMED in file.reasons]
    assert named == ["README.md"]


def test_a_document_that_is_there_is_not_said_to_occur_nowhere() -> None:
    assert ask("docker-compose.yml").missing == ()
    assert ask("docker-swarm.yml").missing != ()


def test_a_document_among_tests_weighs_less() -> None:
    weights = {file.path: file.weight for file in ask("which yaml has users", DOCUMENTS | {
        "data.yaml": DOCUMENTS["tests/data.yaml"]}).files}  # fmt: skip
    assert weights["tests/data.yaml"] < weights["data.yaml"] / 2


WORDS = [
    ("how is json parsed", ""),
    ("the json config", "json"),
    ("what decides the order", ""),
    ("Docs of the API", "documentation docs"),
    ("the database schema", "sql"),
    ("Schema of the user", ""),
    ("schema.validate and docs/api.py", ""),
    ("a circle of friends", ""),
]


@pytest.mark.parametrize(("question", "words"), WORDS)
def test_the_words_that_ask_for_documents(question: str, words: str) -> None:
    assert " ".join(kind.words for kind in kinds_asked(question)) == words


def test_every_kind_has_documents() -> None:
    assert all(bool(kind.formats) != (kind.path.pattern != "(?!)") for kind in KINDS)
