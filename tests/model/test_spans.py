"""Spans of lines, checked against plain sets of line numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.model.spans import Span, Spans
from tests.support.strategies import spans_anywhere

OPERATIONS = (
    pytest.param(Spans.__or__, set.__or__, id="union"),
    pytest.param(Spans.__and__, set.__and__, id="intersection"),
    pytest.param(Spans.__sub__, set.__sub__, id="difference"),
)

Lines = set[int]


def check(spans: Spans, lines: Lines) -> None:
    """Spans hold exactly these lines, sorted, and no two of them overlap or touch."""
    assert set(spans.lines()) == lines
    assert list(spans.lines()) == sorted(lines)
    assert all(before.end + 1 < after.start for before, after in pairwise(spans))
    assert spans.line_count == len(lines)
    assert bool(spans) == bool(lines)


@pytest.mark.parametrize(("of_spans", "of_sets"), OPERATIONS)
@given(left=spans_anywhere, right=spans_anywhere)
def test_operations_agree_with_those_of_sets(
    of_spans: Callable[[Spans, Spans], Spans], of_sets: Callable[[Lines, Lines], Lines], left: Spans, right: Spans
) -> None:
    check(of_spans(left, right), of_sets(set(left.lines()), set(right.lines())))


@given(left=spans_anywhere, right=spans_anywhere)
def test_what_is_without_and_what_is_in_common_make_the_whole(left: Spans, right: Spans) -> None:
    assert (left - right) | (left & right) == left


@given(st.lists(st.integers(1, 60)))
def test_spans_of_lines_hold_these_lines(lines: list[int]) -> None:
    check(Spans.of_lines(lines), set(lines))


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 9))))
def test_the_order_and_overlap_of_what_is_given_do_not_matter(given_spans: list[tuple[int, int]]) -> None:
    made = [Span(start, start + more) for start, more in given_spans]
    check(Spans(made), {line for span in made for line in range(span.start, span.end + 1)})
    assert Spans(made) == Spans(reversed(made))
    assert hash(Spans(made)) == hash(Spans(reversed(made)))


@given(spans_anywhere, st.integers(-2, 90))
def test_a_line_is_in_spans_as_in_a_set(spans: Spans, line: int) -> None:
    assert (line in spans) == (line in set(spans.lines()))


@given(spans_anywhere, spans_anywhere)
def test_a_span_holds_another_where_all_its_lines_are_in_it(left: Spans, right: Spans) -> None:
    for outer in left:
        for inner in right:
            lines = range(inner.start, inner.end + 1)
            assert outer.holds(inner) == all(line in outer for line in lines)
            assert len(inner) == len(lines)


@pytest.mark.parametrize(("start", "end"), [(0, 1), (-1, 3), (2, 1), (0, 0)])
def test_what_is_no_span_of_lines_is_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=f"not a span of lines: {start}-{end}"):
        Span(start, end)


@pytest.mark.parametrize(("span", "text"), [(Span(7, 7), "7"), (Span(7, 9), "7-9")])
def test_a_span_reads_as_an_agent_would_write_it(span: Span, text: str) -> None:
    assert str(span) == text


def test_spans_are_equal_to_spans_only() -> None:
    assert Spans([Span(1, 2), Span(3, 4)]) == Spans([Span(1, 4)])
    assert Spans([Span(1, 2)]) != Spans([Span(1, 3)])
    assert Spans([Span(1, 2)]) != {1, 2}
