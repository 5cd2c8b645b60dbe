"""How withheld lines come back: by asking again, by name, and by what `resend` takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.dedup.recover import Wanted, asks_again, read_wanted, without_asked
from explore.model.emission import Emission, EmittedFile
from explore.model.held import Held
from explore.model.spans import Span, Spans
from explore.session.view import View
from tests.support.strategies import held_lines, spans_within


def spans(*ends: tuple[int, int]) -> Spans:
    return Spans(Span(*pair) for pair in ends)


def answer(question: str, pointed: bool) -> Emission:
    """An answer of source; where it pointed at some too, with that."""
    held = spans((20, 40)) if pointed else spans()
    return Emission("/", question, (EmittedFile("a.py", "ab-80", spans((1, 9)), 99, held),), 200)


@pytest.mark.parametrize(
    ("answers", "again"),
    [
        pytest.param([], False, id="never asked"),
        pytest.param([("tide", False)], False, id="answered in full"),
        pytest.param([("tide", True)], True, id="answered with pointers"),
        pytest.param([("lock", True)], False, id="another question was"),
        pytest.param([("tide", False), ("tide", True)], True, id="asked, and asked again"),
        pytest.param([("tide", True), ("tide", False)], False, id="answered in full since: once is enough"),
        pytest.param([("tide", True), ("tide", False), ("tide", True)], True, id="pointers again, and asked again"),
        pytest.param([("tide", True), ("lock", False)], True, id="whatever was asked between"),
        pytest.param([("Tide", True)], True, id="in other letters"),
    ],
)
def test_the_same_words_after_an_answer_with_pointers_ask_for_it_in_full(
    answers: Sequence[tuple[str, bool]], again: bool
) -> None:
    assert asks_again(View(tuple(answer(*each) for each in answers)), "tide") is again


def test_that_an_answer_pointed_is_known_though_its_files_are_no_longer_kept() -> None:
    assert asks_again(View((replace(answer("tide", False), dropped=1, dropped_pointers=True),)), "tide")
    assert not asks_again(View((replace(answer("tide", False), dropped=1),)), "tide")


def test_asking_in_the_same_words_over_and_over_brings_pointers_and_the_full_text_by_turns() -> None:
    view, told = View(), []
    for _ in range(6):
        pointers = bool(view.emissions) and not asks_again(view, "tide")
        told.append("pointers" if pointers else "full")
        view = View((*view.emissions, answer("tide", pointers)))
    assert told == ["full", "pointers", "full", "pointers", "full", "pointers"]


@pytest.mark.parametrize(
    ("unread", "asked", "held"),
    [
        pytest.param(spans((5, 20)), spans(), spans((1, 30)), id="nothing is named"),
        pytest.param(spans(), spans((1, 30)), spans((1, 30)), id="named, and never pointed at"),
        pytest.param(spans((5, 20)), spans((10, 40)), spans((1, 9), (21, 30)), id="named, and pointed at"),
        pytest.param(spans((5, 20)), spans((21, 40)), spans((1, 30)), id="other lines are named"),
        pytest.param(spans((1, 30)), spans((1, 30)), spans(), id="all of it"),
    ],
)
def test_named_lines_that_were_pointed_at_since_they_were_sent_count_as_not_held(
    unread: Spans, asked: Spans, held: Spans
) -> None:
    assert without_asked(Held(spans((1, 30)), (), unread, unread), asked).spans == held


@given(held_lines(60), spans_within(60))
def test_naming_takes_from_what_is_held_and_from_nothing_else(held: Held, asked: Spans) -> None:
    left = without_asked(held, asked)
    assert left.spans == held.spans - (held.unread & asked)
    assert (left.answers, left.pointed, left.unread) == (held.answers, held.pointed, held.unread)


@pytest.mark.parametrize(
    ("item", "path", "lines"),
    [
        ("a.py", "a.py", spans()),
        ("port/a.py:12", "port/a.py", spans((12, 12))),
        ("a.py:10-50", "a.py", spans((10, 50))),
        ("a.py:10-50,60-80", "a.py", spans((10, 50), (60, 80))),
        ("a.py:7,60-80,9", "a.py", spans((7, 7), (9, 9), (60, 80))),
        ("a.py:5-9,8-12,13", "a.py", spans((5, 13))),
        (" a.py:3-4", " a.py", spans((3, 4))),
        ("a b/it's #1.py:3", "a b/it's #1.py", spans((3, 3))),
        ("größe/港.py:3-9", "größe/港.py", spans((3, 9))),
        ("two\nlines.py:3-9", "two\nlines.py", spans((3, 9))),
        ("a:12/b.py", "a:12/b.py", spans()),
        ("a.py:1-2:3-4", "a.py:1-2", spans((3, 4))),
        ("C:\\port\\a.py:3", "C:\\port\\a.py", spans((3, 3))),
        ("a.py:0", "a.py:0", spans()),
        ("a.py:0-9", "a.py:0-9", spans()),
        ("a.py:9-3", "a.py:9-3", spans()),
        ("a.py:1-2,9-3", "a.py:1-2,9-3", spans()),
        ("a.py:", "a.py:", spans()),
        ("a.py:x", "a.py:x", spans()),
        ("a.py:5-", "a.py:5-", spans()),
        ("a.py:1,", "a.py:1,", spans()),
        ("a.py:1234567890", "a.py:1234567890", spans()),
        ("", "", spans()),
    ],
)
def test_what_resend_names_is_read_as(item: str, path: str, lines: Spans) -> None:
    """A path, and its lines or none for the whole of it; what is no span of lines is never a wrong one."""
    assert read_wanted(item) == Wanted(path, lines)


@given(st.text(min_size=1).filter(lambda path: path == path.strip()), spans_within(10**9 - 1, least=1))
def test_any_path_and_lines_are_read_as_they_were_written(path: str, lines: Spans) -> None:
    assert read_wanted(f"{path}:{','.join(map(str, lines))}") == Wanted(path, lines)


@given(st.text())
def test_any_text_is_read_as_something(item: str) -> None:
    wanted = read_wanted(item)
    assert wanted.path in item
