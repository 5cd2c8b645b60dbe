"""Shares an envelope over menus. Pure arithmetic over steps and prices; it draws nothing and knows no question.

The law: steps are taken in one order that does not depend on the envelope, each where it still fits. So the sum fits;
over rising envelopes the total of source does not fall by more than a heading and its notes; and nothing on the menu of
a served file that would still fit is left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from explore.model.plan import Menu, Plan, Rendition, Share, Step, Verdict
from explore.model.ranked import RankedFile
from explore.model.spans import Spans
from explore.render.price import Price

LIGHT: Final = 0.15
"""A file under this share of the heaviest file's weight is named and gets no source."""

LEAST_BYTES: Final = 700
"""What every served file gets before others get more."""

MOST_SHARE: Final = 0.70
"""No file takes more of what is sent while others have more to show, unless the question names it."""

WHOLE_FROM: Final = 0.60
"""A file whose share by weight covers this much of it is sent whole, where an overshoot is allowed."""

OVERSHOOT: Final = 0.15
"""All such overshoots together, as a share of the envelope."""

SIZE_POWER: Final = 0.1
"""A symbol's weight is divided by its bytes to this power: a little for the small ones."""

FILE_POWER: Final = 1.0
"""A symbol's weight is multiplied by its file's share of the heaviest file's weight, to this power."""

LeftOut = tuple[RankedFile, Verdict]


@dataclass(slots=True)
class _Taken:
    """What a file has so far; `gap_bytes` of its bytes stand for lines that are not shown."""

    steps: list[Step] = field(default_factory=list)
    spans: Spans = field(default_factory=Spans)
    bytes: int = 0
    gap_bytes: int = 0


def allocate(menus: Sequence[Menu], prices: Mapping[str, Price], envelope: int, max_files: int, overshoot: int) -> Plan:
    """The plan at this envelope (bytes of all sections, headings included). `overshoot`: bytes there are over it, of
    which files that go whole may take some."""
    served, left = _places(menus, max_files)
    taken = {menu.file.path: _Taken() for menu in served}
    spent = _spend(served, taken, prices, envelope)
    _complete(served, taken, prices, envelope, min(overshoot, int(OVERSHOOT * envelope)) + envelope - spent)
    shares = tuple(_share(menu, taken[menu.file.path], prices) for menu in served if taken[menu.file.path].spans)
    empty = [(menu.file, Verdict.NO_ROOM) for menu in served if not taken[menu.file.path].spans]
    return Plan(shares, (*empty, *left))


def _places(menus: Sequence[Menu], max_files: int) -> tuple[list[Menu], list[LeftOut]]:
    """The files that are served, by weight, and those that are only named."""
    best = max((menu.file.weight for menu in menus), default=0.0)
    served: list[Menu] = []
    left: list[LeftOut] = []
    for menu in menus:
        if menu.file.weight < LIGHT * best and not menu.file.named:
            left.append((menu.file, Verdict.LIGHT))
        elif len(served) >= max_files:
            left.append((menu.file, Verdict.NO_PLACE))
        else:
            served.append(menu)
    return served, left


def _spend(served: Sequence[Menu], taken: Mapping[str, _Taken], prices: Mapping[str, Price], envelope: int) -> int:
    """Takes every step that fits, in order, until none does: a step can come to fit once its neighbours are there."""
    spent = 0
    steps = list(_order(served, prices))
    took, before = 0, -1
    while took > before:
        before = took
        for menu, step in steps:
            spent += _take(taken[menu.file.path], step, prices[menu.file.path], envelope - spent)
        took = sum(len(each.steps) for each in taken.values())
    return spent


def _order(served: Sequence[Menu], prices: Mapping[str, Price]) -> Iterator[tuple[Menu, Step]]:
    """Every step of every menu: each file's best up to the least it gets, then all bodies by worth for their size,
    none far ahead of the others, then outlines, then whole files."""
    best = max((menu.file.weight for menu in served), default=0.0) or 1.0
    given = dict.fromkeys((menu.file.path for menu in served), 0)
    later: dict[str, deque[_Offer]] = {}
    for menu in served:
        offers = _offers(menu, prices[menu.file.path], best)
        first = _first(offers)
        given[menu.file.path] = sum(offer.size for offer in first)
        yield from ((menu, offer.step) for offer in first)
        rest = (offer for offer in offers if offer not in first)
        later[menu.file.path] = deque(sorted(rest, key=lambda offer: -offer.worth))
    yield from _in_turn(served, later, given)
    for rendition in (Rendition.OUTLINE, Rendition.WHOLE):
        yield from ((menu, step) for menu in served for step in menu.steps if step.rendition is rendition)


@dataclass(frozen=True, slots=True)
class _Offer:
    """A body: the bytes of its lines, and what it is worth for them."""

    step: Step
    size: int
    worth: float


def _offers(menu: Menu, price: Price, best: float) -> list[_Offer]:
    """The bodies on a menu; `best` is the weight of the heaviest file."""
    share = (menu.file.weight / best) ** FILE_POWER
    offers = []
    for step in menu.steps:
        if step.rendition is Rendition.BODIES:
            size = price.lines(step.spans)
            offers.append(_Offer(step, size, float(step.worth * share / max(size, 1) ** SIZE_POWER)))
    return offers


def _first(offers: Iterable[_Offer]) -> list[_Offer]:
    """The best of a file, and more up to the least that it gets."""
    first: list[_Offer] = []
    has = 0
    for offer in offers:
        if not first or (has < LEAST_BYTES and has + offer.size < 2 * LEAST_BYTES):
            first.append(offer)
            has += offer.size
    return first


def _in_turn(
    served: Sequence[Menu], later: Mapping[str, deque[_Offer]], given: dict[str, int]
) -> Iterator[tuple[Menu, Step]]:
    """Of the files' best offers the best, of a file that would not have too much of all that was given; where each
    would, of any."""
    total = sum(given.values())
    while waiting := [menu for menu in served if later[menu.file.path]]:
        fair = [menu for menu in waiting if _is_fair(menu, later, given, total)]
        menu = max(fair or waiting, key=lambda menu: later[menu.file.path][0].worth)
        offer = later[menu.file.path].popleft()
        given[menu.file.path] += offer.size
        total += offer.size
        yield menu, offer.step


def _is_fair(menu: Menu, later: Mapping[str, deque[_Offer]], given: Mapping[str, int], total: int) -> bool:
    size = later[menu.file.path][0].size
    return menu.file.named or given[menu.file.path] + size <= MOST_SHARE * (total + size)


def _take(taken: _Taken, step: Step, price: Price, room: int) -> int:
    """Adds the step where what it adds fits in `room`; the bytes that it added, which gaps closed can make negative."""
    new = step.spans - taken.spans
    if not new or price.lines(new) - taken.gap_bytes > room:
        return 0
    spans = price.tidy(taken.spans | step.spans)
    added = price.section(spans, titles((*taken.steps, step))) - taken.bytes
    if added > room:
        return 0
    taken.steps.append(step)
    taken.spans = spans
    taken.bytes += added
    taken.gap_bytes = price.hidden(spans)
    return added


def _complete(
    served: Sequence[Menu], taken: Mapping[str, _Taken], prices: Mapping[str, Price], envelope: int, room: int
) -> None:
    """Files that their share by weight nearly covers come whole, where they fit in `room`."""
    total = sum(menu.file.weight for menu in served) or 1.0
    for menu in served:
        mine, price = taken[menu.file.path], prices[menu.file.path]
        whole = price.section(menu.source.whole, titles(mine.steps))
        if menu.steps and envelope * menu.file.weight / total >= WHOLE_FROM * whole:
            room -= _take(mine, menu.steps[-1], price, room)


def titles(steps: Iterable[Step]) -> tuple[str, ...]:
    """The symbols that the steps show, each once, in the order taken."""
    return tuple(dict.fromkeys(step.title for step in steps if step.title))


def _share(menu: Menu, taken: _Taken, prices: Mapping[str, Price]) -> Share:
    whole = taken.spans == menu.source.whole
    rendition = Rendition.WHOLE if whole else max((s.rendition for s in taken.steps), key=list(Rendition).index)
    verdict = Verdict.WHOLE if whole else Verdict.SERVED
    source_bytes = prices[menu.file.path].delivered(taken.spans)
    return Share(menu, rendition, taken.spans, source_bytes, taken.bytes, verdict, tuple(taken.steps))
