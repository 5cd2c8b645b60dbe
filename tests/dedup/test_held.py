"""What is held of a file by the proof of its bytes, against a plain memory of sets of lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.dedup.held import held_in
from explore.model.emission import Emission, EmittedFile
from explore.model.held import Held
from explore.model.spans import Span, Spans
from explore.session.view import View
from tests.support.strategies import FINGERPRINTS, PATHS, emissions, spans_anywhere

A, B, NONE = "aa-80", "bb-80", Spans()


def spans(*ends: tuple[int, int]) -> Spans:
    return Spans(Span(*pair) for pair in ends)


def sent(mark: str, *ends: tuple[int, int], pointed: Spans = NONE, path: str = "a.py") -> EmittedFile:
    return EmittedFile(path, mark, spans(*ends), 9, pointed)


def view_of(*files: EmittedFile) -> View:
    """Answers of one file each, the oldest first; their questions count them."""
    return View(tuple(Emission("/", f"q{n}", (file,), 10) for n, file in enumerate(files, 1)))


@given(st.lists(emissions(), max_size=8), st.sampled_from(PATHS), st.sampled_from(FINGERPRINTS), spans_anywhere)
def test_what_is_held_is_what_a_plain_memory_holds(answers: list[Emission], path: str, mark: str, some: Spans) -> None:
    """It forgets a file that comes under other bytes, or may have, and keeps which question brought which lines."""
    brought: list[tuple[str, set[int]]] = []
    pointed: set[int] = set()
    unread: set[int] = set()
    for answer in answers:
        files = [file for file in answer.files if file.path == path]
        if answer.dropped and not files:
            brought, pointed, unread = [], set(), set()
        for file in files:
            if file.fingerprint == mark:
                brought.append((answer.question, set(file.spans.lines())))
                pointed |= set(file.pointed.lines())
                unread = (unread | set(file.pointed.lines())) - set(file.spans.lines())
            elif file.spans:
                brought, pointed, unread = [], set(), set()
    held = held_in(View(tuple(answers)), path, mark)
    assert (set(held.spans.lines()), set(held.pointed.lines()), set(held.unread.lines())) == (
        set().union(*(lines for _, lines in brought)),
        pointed,
        unread,
    )
    counts = [(len(lines & set(some.lines())), place, question) for place, (question, lines) in enumerate(brought)]
    most, _, question = max(counts, default=(0, 0, ""))
    assert held.sender(some) == (question if most else "", 0 < most < some.line_count)


@pytest.mark.parametrize(
    ("files", "held"),
    [
        pytest.param([], spans(), id="nothing was sent"),
        pytest.param([sent(A, (1, 9))], spans((1, 9)), id="sent at these bytes"),
        pytest.param([sent(B, (1, 9))], spans(), id="sent at others"),
        pytest.param([sent(A, (1, 9), path="b.py")], spans(), id="the same bytes under another path"),
        pytest.param([sent(A, (1, 4)), sent(A, (5, 9))], spans((1, 9)), id="in two answers"),
        pytest.param([sent(A, (1, 9)), sent(B, (20, 30))], spans(), id="sent since at others"),
        pytest.param([sent(A, (1, 9)), sent(B, (1, 1)), sent(A, (3, 4))], spans((3, 4)), id="changed and back again"),
        pytest.param([sent(A, (1, 9)), sent(B, pointed=spans((1, 9)))], spans((1, 9)), id="no line sent at others"),
        pytest.param([sent(A, pointed=spans((1, 9)))], spans(), id="only pointed at"),
    ],
)
def test_held_of_a_file(files: Sequence[EmittedFile], held: Spans) -> None:
    assert held_in(view_of(*files), "a.py", A).spans == held


def test_without_a_fingerprint_nothing_is_held() -> None:
    assert held_in(view_of(sent(A, (1, 9))), "a.py", "") == Held()


@pytest.mark.parametrize(
    ("files", "unread"),
    [
        pytest.param([sent(A, (1, 9))], spans(), id="never pointed at"),
        pytest.param([sent(A, (1, 20)), sent(A, pointed=spans((3, 12)))], spans((3, 12)), id="pointed at"),
        pytest.param(
            [sent(A, (1, 20)), sent(A, pointed=spans((3, 12))), sent(A, (5, 8))],
            spans((3, 4), (9, 12)),
            id="some of it sent since",
        ),
        pytest.param(
            [sent(A, (1, 20)), sent(A, pointed=spans((1, 20))), sent(A, (1, 20)), sent(A, pointed=spans((2, 9)))],
            spans((2, 9)),
            id="sent since, and pointed at again",
        ),
    ],
)
def test_pointed_at_since_it_was_last_sent(files: Sequence[EmittedFile], unread: Spans) -> None:
    assert held_in(view_of(*files), "a.py", A).unread == unread


@pytest.mark.parametrize(
    ("lines", "question", "others"),
    [
        ((1, 2), "q1", False),
        ((4, 5), "q3", False),
        ((4, 9), "q1", False),
        ((9, 30), "q2", False),
        ((1, 30), "q2", True),
        ((31, 40), "", False),
    ],
)
def test_the_newest_answer_that_sent_most_of_the_lines_is_named(
    lines: tuple[int, int], question: str, others: bool
) -> None:
    """One that only pointed at them is not."""
    view = view_of(sent(A, (1, 9)), sent(A, (6, 30)), sent(A, (4, 5)), sent(A, pointed=spans((1, 30))))
    assert held_in(view, "a.py", A).sender(spans(lines)) == (question, others)


@pytest.mark.parametrize(
    ("later", "held"),
    [
        pytest.param(sent(A, (30, 39)), spans((1, 9), (30, 39)), id="it is among those kept"),
        pytest.param(sent(A, (30, 39), path="b.py"), NONE, id="it is not, and may have been sent under other bytes"),
    ],
)
def test_an_answer_of_which_files_are_no_longer_kept_proves_only_what_is_kept(later: EmittedFile, held: Spans) -> None:
    first, second = view_of(sent(A, (1, 9)), later).emissions
    assert held_in(View((first, replace(second, dropped=1))), "a.py", A).spans == held
