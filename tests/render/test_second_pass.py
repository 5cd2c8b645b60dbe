"""The law of the second pass, over menus of every kind of which some lines are held: a stranger's plan is kept, what is
held of it is withheld, and the bytes so freed buy what was not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.dedup.withhold import is_due, split
from explore.model.held import Held
from explore.model.plan import Menu, Plan, Rendition, Share, Step, Verdict
from explore.model.ranked import RankedFile, Reason
from explore.model.source import Role
from explore.model.spans import Span, Spans
from explore.render.allocate import allocate, reallocate
from explore.render.build import build_section
from explore.render.price import Costs, HeldPrice, Price
from tests.support.strategies import held_lines, menus, source_of, spans_within

NOTHING = Spans()


@dataclass(frozen=True)
class Sharing:
    """Menus with what is held of them, and the bytes and places there are."""

    menus: Sequence[Menu]
    held: Mapping[str, Held]
    asked: Spans
    envelope: int
    places: int
    overshoot: int = 0

    @cached_property
    def plain(self) -> dict[str, Price]:
        return {menu.source.path: Price(menu.source) for menu in self.menus}

    @cached_property
    def prices(self) -> dict[str, Costs]:
        """Prices as planning makes them: plain ones of a file of which nothing is held."""
        prices: dict[str, Costs] = {**self.plain}
        for path, held in self.held.items():
            price = self.plain[path]
            withhold = partial(split, held=held, asked=self.asked, size_of=price.lines)
            due = partial(is_due, held=held, asked=self.asked, size_of=price.lines)
            prices[path] = HeldPrice(price, held, withhold, due)
        return prices

    @cached_property
    def first(self) -> Plan:
        return allocate(self.menus, self.plain, self.envelope, self.places, self.overshoot)

    @cached_property
    def second(self) -> Plan:
        room = max(self.envelope, sum(share.bytes for share in self.first.shares))
        return reallocate(self.first, self.menus, self.prices, room, self.places)


@st.composite
def sharings(draw: st.DrawFn) -> Sharing:
    """Of each file nothing is held, all that the first pass wants, or any lines."""
    offered = draw(menus(most=3))
    envelope = draw(st.integers(200, 2_500) | st.integers(0, 12_000))
    places, overshoot = draw(st.integers(1, 5)), draw(st.just(0) | st.integers(0, 2_000))
    stranger = Sharing(offered, {}, NOTHING, envelope, places, overshoot)
    wanted = {share.menu.source.path: share.wanted for share in stranger.first.shares}
    held = {}
    for menu in offered:
        path, last = menu.source.path, len(menu.source.lines)
        match draw(st.sampled_from(("none", "wanted", "any"))):
            case "wanted" if path in wanted:
                held[path] = Held(wanted[path], (("tides", wanted[path]),))
            case "any":
                held[path] = draw(held_lines(last))
    asked = draw(st.just(NOTHING) | spans_within(60))
    return Sharing(offered, held, asked, envelope, places, overshoot)


def by_path(plan: Plan) -> dict[str, Share]:
    return {share.menu.source.path: share for share in plan.shares}


def comes_back(sharing: Sharing, plan: Plan) -> list[str]:
    """The file of which there is source though all that is wanted of it is withheld: there would have been none."""
    showing = {path: share for path, share in by_path(plan).items() if share.spans}
    return [path for path, share in showing.items() if not sharing.prices[path].split(share.wanted).sent]


@given(sharings())
def test_the_sum_fits_and_each_share_is_what_its_section_takes(sharing: Sharing) -> None:
    """A pointer alone is priced with the empty line that sets it off, since it takes no file's place."""
    plan = sharing.second
    before = sum(share.bytes for share in sharing.first.shares)
    assert sum(share.bytes for share in plan.shares) <= max(sharing.envelope, before)
    for share in plan.shares:
        drawn = build_section(share)
        alone = 0 if share.spans else 2
        assert share.bytes == len(drawn.text.encode("utf-8", "replace")) + alone
        assert share.source_bytes == drawn.source_bytes
        assert share.split.pointed == drawn.pointed


@given(sharings())
def test_what_the_first_pass_wanted_is_sent_pointed_at_or_folded(sharing: Sharing) -> None:
    """Only what is held is pointed at, and where that costs no more than sending."""
    plain, second = sharing.plain, by_path(sharing.second)
    assert all(not share.wanted - second[path].wanted for path, share in by_path(sharing.first).items())
    for path, share in second.items():
        parted, held = share.split, sharing.held[path].spans if path in sharing.held else NOTHING
        assert parted.sent | parted.pointed | parted.folded == share.wanted
        assert not parted.pointed - held
        assert not parted.folded & held
        assert bool(parted.pointed) or not parted.folded
        assert share.bytes <= plain[path].section(share.wanted, share.steps)


@given(sharings())
def test_places_order_and_reasons(sharing: Sharing) -> None:
    """No more files have source than there are places; they come before pointers alone, each in the order of the menus;
    every other file has a reason; and it is the same each time."""
    plan, order = sharing.second, [menu.file.path for menu in sharing.menus]
    assert sum(bool(share.spans) for share in plan.shares) <= sharing.places
    assert all(share.wanted for share in plan.shares)
    places = [(not share.spans, order.index(share.menu.file.path)) for share in plan.shares]
    assert places == sorted(places)
    shared, named = [share.menu.file for share in plan.shares], [file for file, _ in plan.named_only]
    assert sorted(file.path for file in shared + named) == sorted(order)
    assert plan == replace(sharing).second


@given(sharings())
def test_an_answer_with_anything_to_show_shows_source(sharing: Sharing) -> None:
    """Where all is held, of the best of its files."""
    first, second = sharing.first, sharing.second
    assert bool(first.shares) <= any(share.spans for share in second.shares)
    if back := comes_back(sharing, second):
        assert [path for path, share in by_path(second).items() if share.spans] == back
        assert second.shares[0] == first.shares[0]


@given(sharings())
def test_nothing_unseen_that_still_fits_is_left_out(sharing: Sharing) -> None:
    """Of files with a place or for which there is one, all but the light."""
    plan, prices = sharing.second, sharing.prices
    room = sharing.envelope - sum(share.bytes for share in plan.shares)
    shares = by_path(plan)
    light = {file.path for file, verdict in plan.named_only if verdict in (Verdict.LIGHT, Verdict.HELD)}
    full = sum(bool(share.spans) for share in plan.shares) >= sharing.places
    for menu in [] if comes_back(sharing, plan) else sharing.menus:
        share, price = shares.get(menu.file.path), prices[menu.file.path]
        has_place = share is not None and bool(share.spans)
        if menu.file.path in light or (full and not has_place):
            continue
        for step in menu.steps:
            assert not fits(step, share, price, sharing.plain[menu.file.path], room), (menu.file.path, step)


def fits(step: Step, share: Share | None, price: Costs, plain: Price, room: int) -> bool:
    """Whether what is new in a step, but for slivers beside held lines, would be shown, and the section grow by no more
    than the room."""
    before, steps = (share.wanted, share.steps) if share else (NOTHING, ())
    fresh = price.fresh(step.spans)
    if not price.new(fresh - before):
        return False
    spans = plain.tidy(before | fresh)
    grown = price.section(spans, (*steps, step._replace(spans=fresh))) - (share.bytes if share else 0)
    return price.sent_new(spans) > price.sent_new(before) and grown <= room


@given(menus(), st.integers(0, 9_000), st.integers(1, 5))
def test_a_stranger_loses_nothing_by_a_second_pass(offered: tuple[Menu, ...], envelope: int, places: int) -> None:
    sharing = Sharing(offered, {}, NOTHING, envelope, places)
    first, second = by_path(sharing.first), by_path(sharing.second)
    assert all(not share.spans - second[path].spans for path, share in first.items())


# --- tables: files of plain lines of about 30 bytes; a letter is a file ---------------


def file_of(path: str, weight: float, *sizes: int, named: bool = False) -> Menu:
    """A file made of bodies of so many lines each, all of one worth, with the whole file as its last step."""
    raw = b"".join(b"# a line of the harbour %05d\n" % n for n in range(sum(sizes)))
    steps, start = [], 1
    for size in sizes:
        steps.append(Step(Rendition.BODIES, Spans([Span(start, start + size - 1)]), weight))
        start += size
    source = replace(source_of("x.py", raw), path=path)
    ranked = RankedFile(path, Role.SOURCE, weight, (Reason.WORDS,), (), named)
    return Menu(ranked, source, (*steps, Step(Rendition.WHOLE, source.whole, 0.0)))


def sharing_of(
    *offered: Menu, held: Mapping[str, Spans | None], envelope: int = 9_000, places: int = 4, overshoot: int = 0
) -> Sharing:
    """None is held: all of the file."""
    whole = {menu.file.path: menu.source.whole for menu in offered}
    known = {path: Held(lines or whole[path], (("tides", lines or whole[path]),)) for path, lines in held.items()}
    return Sharing(offered, known, NOTHING, envelope, places, overshoot)


def told(plan: Plan) -> dict[str, str]:
    """For each share what is sent of it and what is pointed at."""
    return {
        share.menu.file.path: " ".join(
            f"{word} {', '.join(map(str, lines))}"
            for word, lines in (("sent", share.spans), ("pointed", share.split.pointed), ("folded", share.split.folded))
            if lines
        )
        for share in plan.shares
    }


def lines_of(first: int, last: int) -> Spans:
    return Spans([Span(first, last)])


@pytest.mark.parametrize(
    ("sharing", "shares"),
    [
        pytest.param(
            sharing_of(file_of("a", 9, 20), file_of("b", 8, 20), held={"a": None}),
            {"b": "sent 1-20", "a": "pointed 1-20"},
            id="a file that is held is pointed at, after those with source",
        ),
        pytest.param(
            sharing_of(file_of("a", 9, 20, 20), held={"a": lines_of(1, 20)}),
            {"a": "sent 21-40 pointed 1-20"},
            id="half of a file is held",
        ),
        pytest.param(
            sharing_of(file_of("a", 9, 20), file_of("b", 8, 20), file_of("c", 7, 20), held={"a": None}, places=1),
            {"b": "sent 1-20", "a": "pointed 1-20"},
            id="a file that sends nothing gives up its place, to the next best",
        ),
        pytest.param(
            sharing_of(file_of("a", 9, 20), file_of("b", 8, 20), held={"a": lines_of(1, 17)}, places=1),
            {"b": "sent 1-20", "a": "pointed 1-17 folded 18-20"},
            id="so does one of which all that is new folds away",
        ),
        pytest.param(
            sharing_of(
                *(file_of(name, weight, 20) for name, weight in (("a", 9), ("b", 8), ("c", 7))),
                held={"a": None, "b": lines_of(1, 17), "c": lines_of(1, 5)},
                places=1,
            ),
            {"c": "sent 6-20", "a": "pointed 1-20"},
            id="one of which all that is new would fold away takes none",
        ),
        pytest.param(
            sharing_of(file_of("a", 9, 20, 20), file_of("b", 2, 20), held={"a": lines_of(1, 20)}, places=1),
            {"a": "sent 21-40 pointed 1-20"},
            id="one that sends something keeps it",
        ),
        pytest.param(
            sharing_of(
                file_of("a", 9, 20, 20), file_of("b", 8, 22), held={"a": lines_of(1, 20)}, envelope=1_000, places=2
            ),
            {"b": "sent 1-22", "a": "pointed 1-20"},
            id="files not seen come before more of the others",
        ),
        pytest.param(
            sharing_of(file_of("a", 9, 20), file_of("b", 1, 20), held={"a": None}),
            {"b": "sent 1-20", "a": "pointed 1-20"},
            id="a light file counts where all that is heavier is held",
        ),
        pytest.param(
            sharing_of(file_of("a", 9, 20), file_of("b", 8, 20), held={"a": None, "b": None}),
            {"a": "sent 1-20", "b": "pointed 1-20"},
            id="nothing would be sent: the best comes in full",
        ),
        pytest.param(
            sharing_of(file_of("a", 9, 20), held={"a": lines_of(1, 17)}),
            {"a": "sent 1-20"},
            id="all that is new would fold away: it comes in full",
        ),
        pytest.param(
            sharing_of(file_of("a", 9, 20), held={"a": lines_of(1, 7)}), {"a": "sent 1-20"}, id="seven lines are sent"
        ),
        pytest.param(sharing_of(file_of("a", 9, 20), held={"a": None}, envelope=50), {}, id="no room for anything"),
    ],
)
def test_shares_of(sharing: Sharing, shares: dict[str, str]) -> None:
    """Each reader gets this, in this order."""
    assert told(sharing.second) == shares
    assert list(told(sharing.second)) == list(shares)


def test_a_remainder_that_grows_large_enough_gives_back_the_held_lines_that_filled_it_up() -> None:
    """Line 10 comes up a second time and is sent with held lines beside it, until the lines before it are sent too."""
    menu = file_of("a", 9, 9, 31)
    before, after, whole = menu.steps
    held = Held(lines_of(11, 40), (("tides", lines_of(11, 40)),), lines_of(11, 40))
    sharing = Sharing([replace(menu, steps=(after, before, whole))], {"a": held}, NOTHING, 1_200, 1)
    assert told(sharing.first) == {"a": "sent 10-40"}
    assert sharing.prices["a"].split(lines_of(10, 40)).sent == lines_of(10, 14)
    (share,) = sharing.second.shares
    assert told(sharing.second) == {"a": "sent 1-10 pointed 11-40"}
    assert share.bytes == len(build_section(share).text)


def test_where_pointing_would_cost_more_the_lines_are_sent() -> None:
    short = source_of("a.py", b"x\n" * 8)
    menu = Menu(
        RankedFile("a.py", Role.SOURCE, 9.0, (Reason.WORDS,), ()), short, (Step(Rendition.WHOLE, short.whole, 0.0),)
    )
    other = file_of("b", 8, 20)
    second = sharing_of(menu, other, held={"a.py": None}).second
    assert told(second) == {"a.py": "sent 1-8", "b": "sent 1-20"}


def test_of_equal_files_those_that_come_first_are_served() -> None:
    offered = [file_of(name, 5, 20) for name in "dbca"]
    plan = sharing_of(*offered, held={"d": None}, places=2).second
    assert told(plan) == {"b": "sent 1-20", "c": "sent 1-20", "d": "pointed 1-20"}


def test_files_left_out_have_their_reasons() -> None:
    offered = [file_of("a", 9, 20), file_of("b", 8, 20), file_of("c", 7, 20), file_of("d", 1, 20), file_of("e", 7, 9)]
    plan = sharing_of(*offered, held={"a": None, "e": None}, places=1).second
    assert told(plan) == {"b": "sent 1-20", "a": "pointed 1-20"}
    assert {file.path: verdict for file, verdict in plan.named_only} == {
        "c": Verdict.NO_PLACE,
        "d": Verdict.LIGHT,
        "e": Verdict.HELD,
    }


def test_the_question_whose_answer_sent_it_or_most_of_it_is_told() -> None:
    whole = file_of("a", 9, 20)
    held = Held(whole.source.whole, (("newest", lines_of(1, 3)), ("older", whole.source.whole)))
    plan = Sharing([whole, file_of("b", 8, 20)], {"a": held}, NOTHING, 9_000, 4).second
    assert (by_path(plan)["a"].question, by_path(plan)["a"].others) == ("older", False)
    assert by_path(plan)["a"].verdict is Verdict.HELD
