"""What a file's path says: of which platform it is, and whether that was asked for."""

from __future__ import annotations

import pytest

from explore.retrieve.paths import is_elsewhere
from explore.retrieve.question import read_question
from explore.retrieve.rank import rank
from tests.support.corpus import MemoryCorpus


def check(path: str, question: str, expected: bool) -> None:
    assert is_elsewhere(path, read_question(question).words) is expected


@pytest.mark.parametrize(
    ("path", "question", "expected"),
    [
        ("src/win/tty.c", "how is the terminal read", True),
        ("src/unix/tty.c", "how is the terminal read", False),
        ("lock_windows.go", "how are files locked", True),
        ("src/win/tty.c", "how is the terminal read on Windows", False),
        ("src/win/tty.c", "src/win tty", False),
        ("src/unix/os390.c", "interfaces of os390", False),
        ("src/unix/os390.c", "interfaces", True),
        ("src/window/draw.c", "how is it drawn", False),
        ("winner.py", "who is first", False),
    ],
)
def test_a_path_tells_another_platform(path: str, question: str, expected: bool) -> None:
    check(path, question, expected)


def test_of_twins_the_one_that_can_run_here_comes_first_unless_the_other_is_asked_for() -> None:
    source = b"int tty_read(int fd) {\n  return fd;\n}\n"
    corpus = MemoryCorpus({"src/unix/tty.c": source, "src/win/tty.c": source})
    first = [rank(read_question(question), corpus).files[0].path for question in ("tty read", "tty read windows win")]
    assert first == ["src/unix/tty.c", "src/win/tty.c"]
