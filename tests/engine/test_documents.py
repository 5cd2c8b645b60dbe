"""Answers where there are documents: shown where they are asked for, else named behind the same source."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from explore.dedup.recover import read_wanted
from explore.engine import Answer, Options, explore
from explore.explorer import Explorer
from explore.model.source import Role
from tests.support.check import check_answer
from tests.support.corpus import MemoryCorpus, read_tree, write_tree

FIXTURES: Final = Path(__file__).parents[2] / "fixtures"
CLINIC: Final = read_tree(FIXTURES / "clinic")
SOURCE: Final = {record.path: CLINIC[record.path] for record in MemoryCorpus(CLINIC).records
                 if not record.role & Role.DOCUMENT}  # fmt: skip


def ask(question: str, files: dict[str, bytes] = CLINIC, **options: object) -> Answer:
    corpus = MemoryCorpus(files)
    answer = explore(question, corpus, "/clinic", Options(**options))  # type: ignore[arg-type]
    check_answer(answer, corpus)
    return answer


ASKED = [
    ("how is the CI configured", ".github/workflows/checks.yml", "python: "),
    ("what does README.md say about running the tests", "README.md", "# "),
    ("which SQL creates table appointments", "clinic/migrations/0001_init.sql", "CREATE TABLE appointments"),
    ("which python version does pyproject.toml want", "pyproject.toml", "requires-python"),
]


@pytest.mark.parametrize(("question", "path", "line"), ASKED)
def test_a_document_that_is_asked_for_is_shown(question: str, path: str, line: str) -> None:
    answer = ask(question)
    assert path in [file.path for file in answer.emission.files]
    assert line in answer.text
    assert f"of {len(CLINIC)} files)" in answer.text.split("\n")[0]


@pytest.mark.parametrize("most", [1_000, 4_000, None, 50_000])
@pytest.mark.parametrize(
    "question",
    [
        "how are the free times of a clinician computed",
        "TokenAuthority.verify",
        "reject double booking when slots overlap",
        "clinic/booking.py",
        "what stops a single client from flooding the service",
    ],
)
def test_the_source_in_an_answer_is_the_same_without_documents(question: str, most: int | None) -> None:
    """All but the names of what is not shown."""
    both = [ask(question, files, max_bytes=most) for files in (CLINIC, SOURCE)]
    with_them, without = ([section.text for section in answer.trace.sections] for answer in both)
    assert with_them == without
    assert both[0].text.split("\n")[0] == both[1].text.split("\n")[0]
    assert both[0].emission.files == both[1].emission.files


def test_a_later_answer_has_no_document_that_nobody_asked_for(tmp_path: Path) -> None:
    write_tree(tmp_path / "root", CLINIC)
    with Explorer.open(tmp_path / "root", exact=True) as clinic:
        session = None
        for _ in range(4):
            answer = clinic.explore("how is an appointment moved to another time", session)
            session = answer.session
            assert not [file.path for file in answer.emission.files if not file.path.endswith(".py")]


def test_documents_alone_answer_for_themselves() -> None:
    files = {"README.md": b"# Harbour\n\nShips moor at the quay.\n", "quay.toml": b"[quay]\nlength = 3\n"}
    text = ask("where do ships moor", files).text
    assert text.split("\n")[:5] == [
        "Source for: where do ships moor (1 of 2 files)",
        "",
        "## `README.md`",
        "```markdown",
        "1\t# Harbour",
    ]
    assert "Nothing in the 2 indexed files matches" in ask("zebra crossing", files).text


def test_a_document_is_sent_again_by_its_path() -> None:
    answer = ask("Router", resend=(read_wanted("README.md"),))
    assert answer.emission.files[0].path == "README.md"


def test_a_document_follows_its_file_and_is_pointed_at(tmp_path: Path) -> None:
    """Cut from the bytes that are there now, whether or not the index has seen them."""
    root = tmp_path / "root"
    write_tree(root, CLINIC)
    with Explorer.open(root, exact=True) as clinic:
        first = clinic.explore("what does README.md say")
        again = clinic.explore("what is in README.md on the whole", first.session)
        assert "> Already sent" in again.text
        (root / "README.md").write_text("# New\n\nNothing else.\n")
        changed = clinic.explore("what does README.md say", again.session, refresh=False)
        assert "3\tNothing else." in changed.text
        assert "README.md" in clinic.take_drifted()
        (root / "README.md").unlink()
        clinic.sync()
        assert "README.md" not in [file.path for file in clinic.search("what does README.md say").files]
