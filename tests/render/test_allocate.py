"""The law of sharing, over menus of every kind: the sum fits, more room never means less source, nothing that fits is
left out, and ties are stable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.model.plan import Menu, Plan, Rendition, Share, Step, Verdict
from explore.model.ranked import RankedFile, Reason
from explore.model.source import Role
from explore.model.spans import Span, Spans
from explore.render.allocate import LIGHT, OVERSHOOT, allocate
from explore.render.build import build_section
from explore.render.price import Price
from tests.support.strategies import envelopes, menus, source_of

Prices = Mapping[str, Price]
RISING = (0.7, 0.8, 0.9, 0.97, 1.0, 1.03, 1.1, 1.3)

places = st.integers(1, 6)
overshoots = st.just(0) | st.integers(0, 4_000)


def prices_of(offered: Sequence[Menu]) -> Prices:
    return {menu.source.path: Price(menu.source) for menu in offered}


def overhead(share: Share) -> int:
    """What a section costs besides its source: its heading, its fences and its gaps."""
    section = build_section(share)
    return len(section.text.encode()) - section.source_bytes


@given(menus(), envelopes, places, overshoots)
def test_the_sum_of_the_shares_fits_and_each_share_is_what_its_section_takes(
    offered: tuple[Menu, ...], envelope: int, most: int, overshoot: int
) -> None:
    plan = allocate(offered, prices_of(offered), envelope, most, overshoot)
    assert sum(share.bytes for share in plan.shares) <= envelope + min(overshoot, OVERSHOOT * envelope)
    for share in plan.shares:
        section = build_section(share)
        assert share.bytes == len(section.text.encode())
        assert all(not step.spans - share.spans for step in share.steps)
        assert (share.rendition is Rendition.WHOLE) == (share.spans == share.menu.source.whole)
        assert (share.verdict is Verdict.WHOLE) == (share.rendition is Rendition.WHOLE)


@given(menus(), envelopes, places)
def test_more_room_brings_no_less_source_but_for_one_heading_and_its_gaps(
    offered: tuple[Menu, ...], envelope: int, most: int
) -> None:
    prices = prices_of(offered)
    plans = [allocate(offered, prices, int(envelope * rise), most, overshoot=0) for rise in RISING]
    for before, after in pairwise(plans):
        allowed = max(map(overhead, after.shares), default=0)
        assert after.source_bytes >= before.source_bytes - allowed


@given(menus(), envelopes, places)
def test_nothing_on_the_menu_of_a_served_file_that_still_fits_is_left_out(
    offered: tuple[Menu, ...], envelope: int, most: int
) -> None:
    prices = prices_of(offered)
    plan = allocate(offered, prices, envelope, most, overshoot=0)
    room = envelope - sum(share.bytes for share in plan.shares)
    left = {file.path for file, verdict in plan.named_only if verdict is not Verdict.NO_ROOM}
    given_to = {share.menu.file.path: share for share in plan.shares}
    for menu in offered:
        share, price = given_to.get(menu.file.path), prices[menu.file.path]
        for step in menu.steps if menu.file.path not in left else ():
            assert not step.spans - (share.spans if share else Spans()) or added_by(step, share, price) > room


def added_by(step: Step, share: Share | None, price: Price) -> int:
    """Bytes that a section would grow by with this step."""
    before, steps = (share.spans, share.steps) if share else (Spans(), ())
    return price.section(price.tidy(before | step.spans), (*steps, step)) - (share.bytes if share else 0)


@given(menus(), envelopes, places, overshoots)
def test_every_file_is_either_shared_to_or_named_with_a_reason_and_the_same_way_each_time(
    offered: tuple[Menu, ...], envelope: int, most: int, overshoot: int
) -> None:
    plan = allocate(offered, prices_of(offered), envelope, most, overshoot)
    assert plan == allocate(offered, prices_of(offered), envelope, most, overshoot)
    assert len(plan.shares) <= most
    assert all(share.spans for share in plan.shares)
    shared, named = [share.menu.file for share in plan.shares], [file for file, _ in plan.named_only]
    assert sorted(file.path for file in shared + named) == sorted(menu.file.path for menu in offered)
    assert shared == [menu.file for menu in offered if menu.file in shared]


@given(menus(), envelopes, places, overshoots)
def test_a_light_file_gets_no_source_unless_the_question_names_it(
    offered: tuple[Menu, ...], envelope: int, most: int, overshoot: int
) -> None:
    plan = allocate(offered, prices_of(offered), envelope, most, overshoot)
    best = max(menu.file.weight for menu in offered)
    assert all(share.menu.file.named or share.menu.file.weight >= LIGHT * best for share in plan.shares)
    light = {file.path for file, verdict in plan.named_only if verdict is Verdict.LIGHT}
    assert light == {m.file.path for m in offered if m.file.weight < LIGHT * best and not m.file.named}


# --- tables: files of plain lines, each line of 8 bytes with its line end, and its number --------------


def file_of(path: str, weight: float, *sizes: int, named: bool = False) -> Menu:
    """A file made of bodies of so many lines each, all of one worth, with the whole file as its last step."""
    raw = b"".join(b"# %05d\n" % n for n in range(sum(sizes)))
    steps, start = [], 1
    for size in sizes:
        steps.append(Step(Rendition.BODIES, Spans([Span(start, start + size - 1)]), weight))
        start += size
    source = source_of(path, raw)
    ranked = RankedFile(path, Role.SOURCE, weight, (Reason.WORDS,), (), named)
    return Menu(ranked, source, (*steps, Step(Rendition.WHOLE, source.whole, 0.0)))


def lines_of(plan: Plan) -> dict[str, int]:
    return {share.menu.file.path: share.spans.line_count for share in plan.shares}


@pytest.mark.parametrize(
    ("offered", "envelope", "overshoot", "lines"),
    [
        pytest.param([file_of("a.py", 9, 20)], 50, 0, {}, id="no room for anything"),
        pytest.param([file_of("a.py", 9, 20)], 500, 0, {"a.py": 20}, id="one file comes whole"),
        pytest.param([file_of("a.py", 9, 20), file_of("b.py", 1, 20)], 900, 0, {"a.py": 20}, id="a light file"),
        pytest.param(
            [file_of("a.py", 9, 20), file_of("b.py", 1, 20, named=True)],
            900,
            0,
            {"a.py": 20, "b.py": 20},
            id="a light file that is named",
        ),
        pytest.param([file_of("a.py", 9, 95, 5)], 1_100, 0, {"a.py": 95}, id="the whole does not fit"),
        pytest.param([file_of("a.py", 9, 95, 5)], 1_100, 200, {"a.py": 100}, id="the whole nearly fits"),
        pytest.param(
            [file_of("a.py", 9, 70, 70), file_of("b.py", 8, 70)], 1_800, 0, {"a.py": 70, "b.py": 70}, id="in turn"
        ),
        pytest.param(
            [file_of("a.py", 9, 10, 10), file_of("b.py", 8, 300)], 500, 0, {"a.py": 20}, id="what is too large waits"
        ),
    ],
)
def test_shares_of(offered: Sequence[Menu], envelope: int, overshoot: int, lines: dict[str, int]) -> None:
    """Each set of files gets this many lines."""
    assert lines_of(allocate(offered, prices_of(offered), envelope, 4, overshoot)) == lines


def test_of_equal_files_those_that_come_first_are_served() -> None:
    offered = [file_of(f"{name}.py", 5, 20) for name in "dbca"]
    plan = allocate(offered, prices_of(offered), 2_000, 2, overshoot=0)
    assert list(lines_of(plan)) == ["d.py", "b.py"]
    assert [(file.path, verdict) for file, verdict in plan.named_only] == [
        ("c.py", Verdict.NO_PLACE),
        ("a.py", Verdict.NO_PLACE),
    ]


def test_no_file_takes_most_of_an_answer_while_others_have_more_to_show() -> None:
    crowd, answer = file_of("crowd.py", 10, *[60] * 20), file_of("answer.py", 9, *[60] * 20)
    plan = allocate([crowd, answer], prices_of([crowd, answer]), 8_000, 4, overshoot=0)
    got = lines_of(plan)
    assert got["answer.py"] >= 0.25 * sum(got.values())
