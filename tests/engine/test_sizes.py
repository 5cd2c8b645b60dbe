"""Answers on the fixtures over all sizes: none exceeds what was asked for, and more room brings no less source."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from explore.engine import Answer, Options, explore
from tests.support.check import check_answer
from tests.support.corpus import MemoryCorpus, read_tree
from tests.support.delivered import delivered

FIXTURES: Final = Path(__file__).parents[2] / "fixtures"
QUESTIONS: Final = {
    "board": "how are two conflicting versions of a card merged field by field",
    "clinic": "who gets the time that a cancellation has freed",
    "kvlog": "kv_store_open replay_segment",
    "ledger": "how is the running balance carried from one page to the next",
    "payroll": "how is overtime computed for hourly employees",
}
SIZES: Final = (*range(1_000, 4_000, 500), *range(4_000, 16_000, 2_000), 25_000, 37_000, 50_000)
FINE: Final = range(3_000, 3_008)


def overhead(answer: Answer) -> int:
    """The most that one section costs besides its source: its heading, its fences and its gaps."""
    sections = answer.text.split("\n\n## `")[1:]
    return max(
        (
            len(text.encode()) - read.source_bytes
            for text, read in zip(sections, delivered(answer.text).sections, strict=True)
        ),
        default=0,
    )


def check_rising(answers: list[Answer]) -> None:
    """The total of source never falls by more than a heading and its notes."""
    for before, after in pairwise(answers):
        fall = before.emission.source_bytes - after.emission.source_bytes
        assert fall <= max(overhead(before), overhead(after)), f"from {before.trace.envelope.bytes} bytes on"


@pytest.mark.parametrize(("name", "question"), QUESTIONS.items())
def test_more_room_brings_no_less_source(name: str, question: str) -> None:
    corpus = MemoryCorpus(read_tree(FIXTURES / name))
    for sizes in (SIZES, FINE):
        answers = [explore(question, corpus, "/", Options(max_bytes=size)) for size in sizes]
        for answer, size in zip(answers, sizes, strict=True):
            assert len(answer.text.encode()) <= size
        check_rising(answers)
    check_answer(answers[-1], corpus)


def test_nothing_planned_is_lost_to_the_ceiling_where_it_is_near_the_envelope() -> None:
    """From 500 files on the ceiling is 25,000 bytes and the envelope 24,000: what comes whole must stay between."""
    many = {f"stock/part_{n:03}.py": b"PART = 1\n" for n in range(500)}
    body = "".join(f"def ferry_{n:03}(tide):\n    return tide + {n:05}\n\n" for n in range(400)).encode()
    files = {f"port/ferry_{n}.py": body[: 4_200 + 300 * n] for n in range(6)}
    answer = explore("how does the ferry tide work", MemoryCorpus({**many, **files}), "/")
    planned = [share.menu.file.path for share in answer.trace.plan.shares]
    assert [file.path for file in answer.emission.files] == planned
    assert len(planned) >= 5


def test_a_notice_takes_away_no_more_source_than_its_own_bytes_and_one_heading() -> None:
    small = "".join(f"def ferry_{n:02}(tide):\n    return tide\n\n" for n in range(60)).encode()
    corpus = MemoryCorpus({f"port/ferry_{n:02}.py": small for n in range(12)})
    notice = "The index is being built: ask again in a moment for more."
    for size in range(3_000, 3_120, 20):
        bare, told = (explore("ferry", corpus, "/", Options(size, notice=words)) for words in ("", notice))
        assert told.text.endswith(notice)
        assert bare.emission.source_bytes - told.emission.source_bytes <= len(notice) + 2 + overhead(bare)
