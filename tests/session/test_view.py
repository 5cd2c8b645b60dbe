"""What a call is handed, as plain data and back: nothing is lost, and nothing malformed raises or stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.model.emission import Emission, EmittedFile
from explore.model.spans import Span, Spans
from explore.session.view import (
    MOST_EMISSIONS,
    Counts,
    View,
    emission_from_plain,
    emission_to_plain,
    view_from_plain,
    view_to_plain,
)
from tests.support.strategies import emissions, views

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
keys = st.sampled_from(("emissions", "files", "spans", "project", "path", "number")) | st.text(max_size=5)
anything_json = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)
anything = anything_json | st.binary(max_size=5) | st.just(object()) | st.just({1: {2}}) | st.just((1, 2))


@st.composite
def damaged(draw: st.DrawFn, plain: Any, depth: int = 0) -> Any:
    """The same data with something else in one place, at any depth, or with a place taken away."""
    if not plain or not isinstance(plain, dict | list) or (depth and draw(st.integers(0, 5)) == 0):
        return draw(anything)
    place = draw(st.sampled_from(sorted(plain) if isinstance(plain, dict) else range(len(plain))))
    copy = plain.copy()
    if draw(st.integers(0, 5)) == 0:
        del copy[place]
    else:
        copy[place] = draw(damaged(plain[place], depth + 1))
    return copy


def check_sound(view: View) -> None:
    """A view holds only what one can hold, and so goes through JSON unchanged."""
    assert len(view.emissions) <= MOST_EMISSIONS
    assert view_from_plain(json.loads(json.dumps(view_to_plain(view)))) == view
    counts = [view.counts.calls, view.counts.response_bytes]
    for emission in view.emissions:
        assert type(emission.project) is type(emission.question) is str
        counts += [emission.number, emission.response_bytes]
        for file in emission.files:
            assert type(file.path) is type(file.fingerprint) is str
            assert file.fingerprint
            counts += [file.source_bytes, file.dropped]
            assert all(type(end) is int for span in (*file.spans, *file.pointed) for end in (span.start, span.end))
    assert all(type(count) is int and count >= 0 for count in counts)


@given(views)
def test_a_view_goes_through_json_unchanged(view: View) -> None:
    assert view_from_plain(json.loads(json.dumps(view_to_plain(view)))) == view
    check_sound(view)


@given(emissions())
def test_an_emission_goes_through_json_unchanged(emission: Emission) -> None:
    assert emission_from_plain(json.loads(json.dumps(emission_to_plain(emission)))) == emission


@given(anything)
def test_whatever_comes_in_a_view_comes_out(plain: object) -> None:
    check_sound(view_from_plain(plain))
    assert emission_from_plain(plain) is None or isinstance(plain, dict)


@given(views.flatmap(lambda view: damaged(view_to_plain(view))))
def test_what_is_damaged_in_one_place_is_normalised_and_not_raised(plain: object) -> None:
    check_sound(view_from_plain(plain))


@given(views, anything)
def test_what_is_beside_a_damaged_emission_stays(view: View, junk: object) -> None:
    plain = view_to_plain(view)
    plain["emissions"].insert(0, junk)
    read = view_from_plain(plain).emissions
    assert read[len(read) - len(view.emissions) :] == view.emissions


def of_one_file(**other: object) -> dict[str, object]:
    """A view of one answer with one file, with other data in place of some."""
    file = {"path": "a.py", "fingerprint": "ab-80", "spans": [[1, 2]], "source_bytes": 9, "pointed": [], "dropped": 0}
    emission = {"project": "/", "question": "q", "files": [file | other], "response_bytes": 50, "number": 1}
    return {"emissions": [emission], "calls": 1, "response_bytes": 50}


@pytest.mark.parametrize(
    "pair",
    [
        *([0, 3], [-4, 9], [5, 2], [-2, -1], [0, 0]),
        *([1.0, 2], [1, 2.5], ["1", 2], ["1", "2"], [True, 3], [1, True], [None, 3], [[1], [2]]),
        *([], [1], [1, 2, 3], "12", "1-2", 12, None, True, {"start": 1, "end": 2}, {0: 1, 1: 2}),
    ],
)
def test_a_pair_that_is_no_span_is_dropped_and_not_clamped_and_those_beside_it_stay(pair: object) -> None:
    for name in ("spans", "pointed"):
        view = view_from_plain(of_one_file(**{name: [[7, 9], pair, (20, 20)]}))
        assert getattr(view.emissions[0].files[0], name) == Spans([Span(7, 9), Span(20, 20)])


@pytest.mark.parametrize("spans", [None, "1-2", 5, {}, {"1": 2}, [1, 2], True])
def test_spans_that_are_no_list_of_pairs_are_none(spans: object) -> None:
    assert view_from_plain(of_one_file(spans=spans)).emissions[0].files[0].spans == Spans()


def test_spans_that_overlap_or_touch_become_one() -> None:
    view = view_from_plain(of_one_file(spans=[[5, 9], [1, 4], [8, 12], [20, 20], [20, 20]]))
    assert view.emissions[0].files[0].spans == Spans([Span(1, 12), Span(20, 20)])


@pytest.mark.parametrize("other", [{"path": 3}, {"path": None}, {"fingerprint": ""}, {"fingerprint": 5}])
def test_a_file_without_a_path_or_a_fingerprint_proves_nothing_and_is_dropped(other: dict[str, object]) -> None:
    assert view_from_plain(of_one_file(**other)) == View((Emission("/", "q", (), 50, 1),), Counts(1, 50))


@pytest.mark.parametrize("other", [-1, 1.5, True, "7", None, [], float("nan"), float("inf")])
def test_a_count_that_is_none_is_nought(other: object) -> None:
    view = view_from_plain(of_one_file(source_bytes=other, dropped=other) | {"calls": other, "response_bytes": other})
    assert view.counts == Counts(0, 0)
    assert view.emissions[0].files == (EmittedFile("a.py", "ab-80", Spans([Span(1, 2)]), 0),)


@pytest.mark.parametrize("plain", [None, [], "view", 3, {}, {"emissions": {}}, {"emissions": "ab"}, {"calls": -3}])
def test_what_is_no_view_is_a_strangers(plain: object) -> None:
    assert view_from_plain(plain) == View()
    assert View().number == 0


@pytest.mark.parametrize("emission", [{}, {"project": "/"}, {"question": "q"}, {"project": 1, "question": "q"}, [], 7])
def test_what_is_no_emission_is_none(emission: object) -> None:
    assert emission_from_plain(emission) is None
    assert view_from_plain({"emissions": [emission], "calls": 2}) == View((), Counts(2, 0))


def test_of_more_emissions_than_a_call_stands_on_the_newest_stay() -> None:
    plain = [emission_to_plain(Emission("/", f"q{n}", (), 1, n)) for n in range(20)]
    view = view_from_plain({"emissions": plain})
    assert [emission.number for emission in view.emissions] == list(range(12, 20))
    assert view.number == 19
