"""How wanted lines part into sent, pointed at and folded: laws over any lines, and cases as pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explore.dedup.withhold import LEAST_LINES, SLIVER_BYTES, split
from explore.model.held import Held, Split
from explore.model.spans import Span, Spans
from tests.support.strategies import spans_within


@dataclass(frozen=True, slots=True)
class Case:
    """Wanted lines, what is held, what the question names, and the bytes of each line from 1."""

    wanted: Spans
    held: Held
    asked: Spans
    sizes: tuple[int, ...]

    def size_of(self, spans: Spans) -> int:
        return sum(self.sizes[line - 1] for line in spans.lines())

    @property
    def parted(self) -> Split:
        return split(self.wanted, self.held, self.asked, self.size_of)


MARKS: Final = {"n": "new", "a": "new and named", "h": "held", "H": "held and pointed at before", ".": "not wanted"}


def case_of(picture: str, *sizes: int) -> Case:
    """A letter a line, each of 20 bytes where nothing else is said: so seven lines are a sliver and eight are none."""
    lines = {mark: Spans.of_lines(n for n, found in enumerate(picture, 1) if found == mark) for mark in MARKS}
    wanted = Spans([Span(1, len(picture))]) - lines["."]
    return Case(wanted, Held(lines["h"] | lines["H"], (), lines["H"]), lines["a"], sizes or (20,) * len(picture))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A few runs, with lines of 20 bytes or of any size; now and then held lines are not wanted."""
    held = st.tuples(st.sampled_from("hhhH"), st.integers(6, 14))
    few = st.tuples(st.sampled_from("nnaa.hH"), st.integers(1, 3))
    many = st.tuples(st.sampled_from("na."), st.integers(6, 10))
    kinds = draw(st.lists(held | few | many, min_size=1, max_size=9))
    picture = "".join(kind * length for kind, length in kinds)
    size = draw(st.sampled_from((20, 20, 9, 0)))
    case = case_of(picture, *(size or draw(st.integers(3, 90)) for _ in picture))
    if not case.wanted:
        return case_of("n" + picture)
    return replace(case, wanted=case.wanted - draw(st.just(Spans()) | spans_within(len(picture))))


def runs_of(spans: Spans, least: int) -> list[Span]:
    return [run for run in spans if len(run) >= least]


def beside(span: Span, spans: Spans) -> bool:
    return span.start - 1 in spans or span.end + 1 in spans


def is_due(case: Case, run: Span) -> bool:
    """Whether new lines are sent, however few: named ones, and those that may have been folded away before, with all
    between them and a line that was pointed at."""
    folds = (Span(min(line + 1, run.start), max(line - 1, run.end)) for line in case.held.pointed.lines())
    return case.asked.meets(run) or any(case.size_of(Spans([fold])) < SLIVER_BYTES for fold in folds)


@given(cases())
def test_the_three_parts_are_disjoint_and_together_the_wanted_lines(case: Case) -> None:
    parted = case.parted
    lines = [line for part in (parted.sent, parted.pointed, parted.folded) for line in part.lines()]
    assert sorted(lines) == list(case.wanted.lines())


@given(cases())
@example(case_of("hhhhhhhhaa.hh"))
def test_only_held_lines_are_pointed_at_in_runs_of_eight_or_as_whole_blocks_beside_such_a_run(case: Case) -> None:
    pointed = case.parted.pointed
    assert not pointed - case.held.spans
    assert all(len(run) >= LEAST_LINES or run in case.wanted.parts for run in pointed)
    assert not pointed or runs_of(pointed, LEAST_LINES)


@given(cases())
@example(case_of("ahhhhhhhhhn"))
def test_only_new_lines_too_few_for_a_fence_and_beside_pointed_ones_fold_away(case: Case) -> None:
    """Not if the question names them, nor if they came up before."""
    parted = case.parted
    assert not parted.folded & case.held.spans
    for run in parted.folded:
        assert case.size_of(Spans([run])) < SLIVER_BYTES
        assert beside(run, parted.pointed)
        assert not beside(run, parted.sent)
        assert not is_due(case, run)


@given(cases())
def test_what_is_sent_beside_pointed_lines_is_worth_a_fence(case: Case) -> None:
    """Or it holds held lines that were too few to be pointed at."""
    parted = case.parted
    for run in parted.sent:
        small = case.size_of(Spans([run])) < SLIVER_BYTES
        assert not (small and beside(run, parted.pointed)) or Spans([run]) & case.held.spans


@given(cases())
def test_held_runs_of_eight_are_withheld_but_for_what_fills_up_a_named_remainder(case: Case) -> None:
    parted = case.parted
    for run in runs_of(parted.sent & case.held.spans, LEAST_LINES):
        (around,) = (sent for sent in parted.sent if sent.holds(run))
        assert any(is_due(case, new) for new in Spans([around]) - case.held.spans)
    if not case.asked and not case.held.pointed:
        assert all(not Spans([run]) - parted.pointed for run in runs_of(case.wanted & case.held.spans, LEAST_LINES))


@given(cases())
def test_a_reader_who_holds_nothing_gets_all_of_it(case: Case) -> None:
    assert split(case.wanted, Held(), case.asked, case.size_of) == Split(case.wanted)


# --- pictures of what goes in and what comes out -----------------------------------------------------------


def drawn(parted: Split, length: int) -> str:
    letters = {line: mark for mark, part in zip("spf", parts_of(parted), strict=True) for line in part.lines()}
    return "".join(letters.get(line, ".") for line in range(1, length + 1))


def parts_of(parted: Split) -> tuple[Spans, Spans, Spans]:
    return parted.sent, parted.pointed, parted.folded


@pytest.mark.parametrize(
    ("picture", "parts"),
    [
        pytest.param("nnnn", "ssss", id="nothing is held"),
        pytest.param("hhhhhhh", "sssssss", id="seven held lines"),
        pytest.param("hhhhhhhh", "pppppppp", id="eight held lines"),
        pytest.param("hhhhhhhhnnnnnnnn", "ppppppppssssssss", id="new lines worth a fence"),
        pytest.param("hhhhhhhhnnnnnnn", "ppppppppfffffff", id="new lines too few for a fence"),
        pytest.param("nnhhhhhhhhnn", "ffppppppppff", id="on both sides"),
        pytest.param("hhhhhhhhnhhhhhhhh", "ppppppppfpppppppp", id="between"),
        pytest.param("nhhhhhhh", "ssssssss", id="seven held lines and a new one"),
        pytest.param("nhhhhhhhn" * 3, "s" * 27, id="no run of eight anywhere"),
        pytest.param("hhhhhhhh.n", "pppppppp.s", id="new lines in a place of their own"),
        pytest.param("hhhhhhhh.hh", "pppppppp.pp", id="a smaller block that is held whole joins"),
        pytest.param("hhhhhhhh.nhh", "pppppppp.sss", id="one that is not held whole does not"),
        pytest.param("hhh.hhh.hhh", "sss.sss.sss", id="blocks held whole, and no run of eight"),
        pytest.param("hhhhhhhhnhhnn", "ppppppppsssss", id="a remainder that holds held lines is sent"),
        pytest.param("h" * 20 + "aa", "p" * 14 + "s" * 8, id="named: with held lines before it"),
        pytest.param("aa" + "h" * 20, "s" * 8 + "p" * 14, id="named: with held lines after it"),
        pytest.param("h" * 20 + "H" * 10 + "n", "p" * 23 + "s" * 8, id="it comes up a second time"),
        pytest.param("H" * 10 + "h" * 10 + "n", "p" * 20 + "f", id="other lines were pointed at before"),
        pytest.param("H" * 10 + "....." + "n" + "h" * 20, "p" * 10 + "....." + "s" * 8 + "p" * 13, id="part of one"),
        pytest.param("H" * 10 + "......." + "n" + "h" * 10, "p" * 10 + "......." + "f" + "p" * 10, id="too far away"),
        pytest.param("hhhhhhhhaa", "s" * 10, id="what filling up leaves is too short to point at"),
        pytest.param("h" * 20 + "a" * 8, "p" * 20 + "s" * 8, id="named, and worth a fence"),
        pytest.param("ahhhhhhhhhn", "s" * 11, id="nothing folds beside a run that filling up has used"),
        pytest.param("hhhhhhhhaa.hh", "s" * 10 + ".ss", id="a small block points at nothing alone"),
        pytest.param(
            "h" * 20 + ".nhhhhhhhha",
            "p" * 20 + ".ssssssssss",
            id="nothing folds there though another run is pointed at",
        ),
    ],
)
def test_lines_part_into(picture: str, parts: str) -> None:
    """Letters: new, asked for and new, held, Held and pointed at before; then sent, pointed at, folded."""
    assert drawn(case_of(picture).parted, len(picture)) == parts


@pytest.mark.parametrize(("bytes_of_it", "folds"), [(SLIVER_BYTES - 1, True), (SLIVER_BYTES, False)])
def test_a_remainder_of_160_bytes_is_worth_a_fence(bytes_of_it: int, folds: bool) -> None:
    case = Case(Spans([Span(1, 9)]), Held(Spans([Span(1, 8)])), Spans(), (*[20] * 8, bytes_of_it))
    assert bool(case.parted.folded) == folds


def test_each_mark_of_a_picture_means_its_lines() -> None:
    case = case_of("nahH.")
    assert case.wanted == Spans([Span(1, 4)])
    assert case.held == Held(Spans([Span(3, 4)]), (), Spans([Span(4, 4)]))
    assert case.asked == Spans([Span(2, 2)])
