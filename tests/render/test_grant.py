"""What is sent whatever the question finds: as much of what was asked for as fits, and a word on the rest."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.model.source import Source
from explore.model.spans import Span, Spans
from explore.render.grant import Grants, grant
from explore.render.price import BETWEEN_SECTIONS, Price
from tests.support.strategies import source_of, sources, spans_within

Wanted = dict[str, Spans]


@st.composite
def asked(draw: st.DrawFn) -> tuple[Wanted, dict[str, Price]]:
    """Lines of a few files, some of them past the end; none stand for the whole file."""
    found = draw(st.lists(sources(), max_size=3, unique_by=lambda source: source.path))
    wanted = {source.path: draw(st.just(Spans()) | spans_within(len(source.lines) + 9)) for source in found}
    return wanted, {source.path: Price(source) for source in found}


def meant(lines: Spans, source: Source) -> Spans:
    """The lines that are there; where none are, all of the file."""
    return lines & source.whole or source.whole


def taken(grants: Grants, prices: Mapping[str, Price]) -> int:
    return sum(prices[path].section(step.spans, [step]) + BETWEEN_SECTIONS for path, step in grants.steps.items())


@given(asked(), st.integers(-50, 500) | st.integers(0, 20_000))
def test_what_is_granted_fits_and_the_rest_is_told(call: tuple[Wanted, dict[str, Price]], room: int) -> None:
    wanted, prices = call
    grants = grant(wanted, prices, room)
    assert taken(grants, prices) <= max(0, room)
    for path, lines in wanted.items():
        sent = grants.steps[path].spans if path in grants.steps else Spans()
        left = grants.left.get(path, Spans())
        assert sent | left == meant(lines, prices[path].source)
        assert not sent & left
        assert not (sent and left) or max(sent.lines()) < min(left.lines())
    assert all(step.spans for step in grants.steps.values())
    assert all(grants.left.values())


@given(asked())
def test_with_room_for_all_all_is_granted_in_order(call: tuple[Wanted, dict[str, Price]]) -> None:
    wanted, prices = call
    grants = grant(wanted, prices, 10**9)
    assert list(grants.steps) == list(wanted)
    assert grants.left == {}
    assert grant(wanted, prices, taken(grants, prices)) == grants


@given(sources(), st.data())
def test_as_many_lines_are_granted_as_fit(source: Source, data: st.DataObject) -> None:
    lines = data.draw(spans_within(len(source.lines), least=1))
    price, room = Price(source), data.draw(st.integers(0, Price(source).section(lines, [])))
    beginnings = (Spans.of_lines([*lines.lines()][:count]) for count in range(1, lines.line_count + 1))
    most = max(
        (each.line_count for each in beginnings if price.section(each, []) + BETWEEN_SECTIONS <= room), default=0
    )
    grants = grant({source.path: lines}, {source.path: price}, room)
    assert sum(step.spans.line_count for step in grants.steps.values()) == most


def plain(path: str, count: int) -> Price:
    """A file of lines that each take 9 bytes besides their number; the rest of a section takes 23, and gaps."""
    return Price(source_of(path, b"# %05d\n" % 0 * count))


@pytest.mark.parametrize(
    ("wanted", "room", "sent", "left"),
    [
        pytest.param({}, 900, {}, {}, id="nothing"),
        pytest.param({"a.py": Spans()}, 900, {"a.py": "1-20"}, {}, id="the whole file"),
        pytest.param({"a.py": Spans([Span(3, 5)])}, 900, {"a.py": "3-5"}, {}, id="some lines"),
        pytest.param({"a.py": Spans([Span(18, 40)])}, 900, {"a.py": "18-20"}, {}, id="lines past the end"),
        pytest.param({"a.py": Spans([Span(30, 40)])}, 900, {"a.py": "1-20"}, {}, id="only lines past the end"),
        pytest.param({"a.py": Spans()}, 20, {}, {"a.py": "1-20"}, id="no room"),
        pytest.param({"a.py": Spans()}, 136, {"a.py": "1-9"}, {"a.py": "10-20"}, id="room for some"),
        pytest.param(
            {"a.py": Spans([Span(1, 2), Span(9, 12)]), "b.py": Spans()},
            155,
            {"a.py": "1-2, 9-12"},
            {"b.py": "1-20"},
            id="the first comes first",
        ),
        pytest.param(
            {"a.py": Spans.of_lines((1, 3, 5, 7, 9))}, 90, {"a.py": "1, 3, 5"}, {"a.py": "7, 9"}, id="lines with gaps"
        ),
        pytest.param(
            {"a.py": Spans(), "b.py": Spans([Span(1, 1)])},
            284,
            {"a.py": "1-20", "b.py": "1"},
            {},
            id="both",
        ),
    ],
)
def test_granted(wanted: Wanted, room: int, sent: dict[str, str], left: dict[str, str]) -> None:
    """Of two files of 20 lines, with this room."""
    grants = grant(wanted, {path: plain(path, 20) for path in ("a.py", "b.py")}, room)
    assert {path: spelled(step.spans) for path, step in grants.steps.items()} == sent
    assert {path: spelled(lines) for path, lines in grants.left.items()} == left


def spelled(spans: Spans) -> str:
    return ", ".join(map(str, spans))
