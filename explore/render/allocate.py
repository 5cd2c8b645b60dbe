"""Shares an envelope over menus, in two passes. Pure arithmetic over steps and prices; it draws nothing and knows no
question.

The law of the first pass, a stranger's: steps are taken in one order, each where it still fits. The order depends on
the envelope in one thing, whether a file that the question names fits whole; that is one of its menu's turns. So the
sum fits; over rising envelopes the total of source does not fall by more than a heading and its
notes; and nothing on the menu of a served file that would still fit is left out.

The law of the second: what the first wanted is sent, or held and pointed at, or too little to show; what that freed
buys lines that are not held, of files not seen first, and none that would still fit is left out.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import Final, NamedTuple

from explore.model.plan import Menu, Plan, Rendition, Share, Step, Verdict
from explore.model.ranked import RankedFile
from explore.render.extent import Extent
from explore.render.price import Costs

LIGHT: Final = 0.15
"""A file under this share of the heaviest file's weight is named and gets no source."""

LEAST_BYTES: Final = 700
"""What every served file gets before others get more; its best body comes whole in any case.

The system that inspired this one answers well with it. On 320 commits of 16 repositories 400 recalls as much; in six
questions in a row about one mechanism it ends with a hundredth fewer of the answering lines.
"""

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

NEW_FILES: Final = 0.6
"""The share of an answer's places for which files that the reader has not seen come first."""

NEAR: Final = 0.5
NEAR_OF_SHORT: Final = 0.8
"""Those of them that weigh at least this share of the heaviest: more in an answer of full length than in one that has
grown shorter, which says more of few. In six questions in a row about one mechanism 0.5 for both loses a fiftieth of
the answering lines."""

LOOK_BYTES: Final = 800
"""How much of such a file comes before more of those that the reader has seen.

Chosen, as both shares above, on three questions in a row about 320 commits of 16 repositories: after the third, line
recall is 0.108 and file recall 0.081 above the first's. With 0.8 for `NEAR` file recall falls by half a point; with all
bytes going to files not seen, line recall by four.
"""

Prices = Mapping[str, Costs]
NO_GRANTS: Final[Mapping[str, Step]] = MappingProxyType({})
LeftOut = tuple[RankedFile, Verdict]


def allocate(
    menus: Sequence[Menu],
    prices: Prices,
    envelope: int,
    max_files: int,
    overshoot: int,
    granted: Mapping[str, Step] = NO_GRANTS,
    exempt_room: int = 0,
    *,
    exempt_first: bool = False,
) -> Plan:
    """The plan at this envelope (bytes of all sections, headings included). `overshoot`: bytes there are over it, of
    which files that go whole may take some; `exempt_room`: those that only exempt steps may take, after all others or
    first. `granted` steps are taken whatever they cost, by path."""
    ordered = sorted(menus, key=lambda menu: not _is_exempt(menu)) if exempt_first else menus
    served, left = _places(ordered, max_files, granted)
    taken = {menu.file.path: _granted(granted.get(menu.file.path), prices[menu.file.path]) for menu in served}
    room = envelope - sum(each.bytes for each in taken.values())
    steps = list(_order(served, prices, room))
    exempt = [(menu, step) for menu, step in steps if step.exempt] if exempt_room else []
    if exempt_first:
        exempt_room -= _take_all(exempt, taken, room + exempt_room)
        room = min(room, room + exempt_room)
    room -= _take_all(steps, taken, room)
    if exempt and not exempt_first:
        room -= _take_all(exempt, taken, room + exempt_room)
    if not granted and not exempt_first:
        _complete(served, taken, envelope, min(overshoot, int(OVERSHOOT * envelope)) + room)
    return _plan(served, taken, left)


def reallocate(
    first: Plan,
    menus: Sequence[Menu],
    prices: Prices,
    envelope: int,
    max_files: int,
    doubted: Mapping[str, Step] = NO_GRANTS,
    most: int = 0,
    exempt_room: int = 0,
) -> Plan:
    """The plan for a reader who holds some of the first one: what it wanted, with the held lines withheld, and what the
    bytes so freed buy. A file that sends nothing gives up its place. `doubted` steps, by path, may take all up to
    `most` bytes, and exempt ones `exempt_room` besides the envelope.

    Where that would show no source at all, the best file comes as if nothing were held.
    """
    wanted = {share.menu.file.path: share for share in first.shares}
    taken = {menu.file.path: _again(wanted.get(menu.file.path), prices[menu.file.path]) for menu in menus}
    heavy, left = _with_more(menus, prices)
    spent = sum(each.bytes for each in taken.values())
    again = [(menu, doubted[menu.file.path]) for menu in menus if menu.file.path in doubted]
    spent += _take_all(again, taken, max(envelope, most) - spent, max_files)
    if exempt_room:
        exempt = [(menu, step) for menu in menus for step in menu.steps if step.exempt]
        spent += _take_all(exempt, taken, envelope + exempt_room - spent, max_files)
    near = NEAR_OF_SHORT if exempt_room else NEAR
    _take_all(list(_second_order(heavy, prices, max_files, near)), taken, envelope - spent, max_files)
    left_out = {file.path for file, _ in left}
    served = [menu for menu in menus if menu.file.path not in left_out or taken[menu.file.path].steps]
    still_left = [(file, why) for file, why in left if not taken[file.path].steps]
    plan = _plan(served, taken, still_left, max_files)
    return replace(plan, shares=_with_some_source(first, plan.shares))


def _is_exempt(menu: Menu) -> bool:
    return any(step.exempt for step in menu.steps)


def _plan(
    served: Sequence[Menu], taken: Mapping[str, Extent], left: Sequence[LeftOut], max_files: float = math.inf
) -> Plan:
    shares = tuple(_share(menu, taken[menu.file.path]) for menu in served if taken[menu.file.path].steps)
    why = Verdict.NO_PLACE if sum(bool(share.spans) for share in shares) >= max_files else Verdict.NO_ROOM
    empty = [(menu.file, why) for menu in served if not taken[menu.file.path].steps]
    return Plan(shares, (*empty, *left))


def _granted(step: Step | None, price: Costs) -> Extent:
    """What a file has before anything is shared out."""
    return Extent(price, [step], step.spans) if step else Extent(price)


def _again(share: Share | None, price: Costs) -> Extent:
    """What a file has after the first pass, at what that costs now."""
    return Extent(price, share.steps, share.wanted) if share else Extent(price)


def _with_more(menus: Sequence[Menu], prices: Prices) -> tuple[list[Menu], list[LeftOut]]:
    """The files with lines that are not held, but for the light ones; and the others."""
    more = [menu for menu in menus if prices[menu.file.path].new(menu.source.whole)]
    best = max((menu.file.weight for menu in more), default=0.0)
    heavy = [menu for menu in more if menu.file.weight >= LIGHT * best or menu.file.named or menu.file.on_path]
    paths, more_paths = {menu.file.path for menu in heavy}, {menu.file.path for menu in more}
    left = [
        (menu.file, Verdict.LIGHT if menu.file.path in more_paths else Verdict.HELD)
        for menu in menus
        if menu.file.path not in paths
    ]
    return heavy, left


def _places(menus: Sequence[Menu], max_files: int, granted: Mapping[str, Step]) -> tuple[list[Menu], list[LeftOut]]:
    """The files that are served, those with a grant and then by weight, and those that are only named. Places are kept
    for the files on a call path that are still to come."""
    best = max((menu.file.weight for menu in menus), default=0.0)
    served = [menu for menu in menus if menu.file.path in granted]
    left: list[LeftOut] = []
    waiting = [menu for menu in menus if menu.file.path not in granted]
    kept = sum(menu.file.on_path for menu in waiting)
    for menu in waiting:
        kept -= menu.file.on_path
        if menu.file.weight < LIGHT * best and not (menu.file.named or menu.file.on_path):
            left.append((menu.file, Verdict.LIGHT))
        elif len(served) + (0 if menu.file.on_path else kept) >= max_files:
            left.append((menu.file, Verdict.NO_PLACE))
        else:
            served.append(menu)
    return served, left


def _take_all(
    steps: Sequence[tuple[Menu, Step]], taken: Mapping[str, Extent], room: int, max_files: float = math.inf
) -> int:
    """Takes every step that fits, in order, until none does: a step can come to fit once its neighbours are there. At
    most `max_files` files send anything. The bytes that they added."""
    spent = 0
    refused: dict[int, tuple[int, int]] = {}
    sending = {path for path, each in taken.items() if each.sends}
    took = True
    while took:
        took = False
        for at, (menu, step) in enumerate(steps):
            path, mine = menu.file.path, taken[menu.file.path]
            has, least = refused.get(at, (-1, 0))
            hopeless = has == len(mine.steps) and room - spent <= least
            if hopeless or (path not in sending and len(sending) >= max_files):
                continue
            if (added := mine.take(step, room - spent)) is not None:
                spent, took = spent + added, True
                sending.add(path)
            else:
                refused[at] = len(mine.steps), room - spent
    return spent


def _comes_whole(menu: Menu, prices: Prices, room: int) -> bool:
    """Whether the question names the file, and all of it fits."""
    whole = menu.steps[-1] if menu.steps else None
    return whole is not None and whole.exempt and prices[menu.file.path].section(whole.spans, menu.steps) <= room


def _order(served: Sequence[Menu], prices: Prices, room: int) -> Iterator[tuple[Menu, Step]]:
    """Every step of every menu: files named by their paths that fit whole, all bodies, then outlines, then whole
    files."""
    yield from ((menu, step) for menu in served if _comes_whole(menu, prices, room) for step in menu.steps)
    yield from _bodies(served, prices)
    yield from _rest(served)


def _second_order(
    menus: Sequence[Menu], prices: Prices, max_files: int, least_share: float
) -> Iterator[tuple[Menu, Step]]:
    """A look at files not seen, then all of those seen, then the others."""
    unseen = [menu for menu in menus if not prices[menu.file.path].seen]
    seen = [menu for menu in menus if prices[menu.file.path].seen]
    least = least_share * max((menu.file.weight for menu in unseen), default=0.0)
    near = [menu for menu in unseen[: math.ceil(NEW_FILES * max_files)] if menu.file.weight >= least]
    yield from ((menu, look) for menu in near for look in _look(menu, prices))
    for each in (seen, unseen):
        yield from _bodies(each, prices)
        yield from _rest(each)


def _look(menu: Menu, prices: Prices) -> list[Step]:
    """The best body of a file that is not large, where there is one; else the best."""
    bodies = [step for step in menu.steps if step.rendition is Rendition.BODIES]
    small = (step for step in bodies if prices[menu.file.path].new(step.spans) <= LOOK_BYTES)
    return [step for step in (next(small, None), *bodies[:1]) if step is not None][:1]


def _rest(served: Sequence[Menu]) -> Iterator[tuple[Menu, Step]]:
    for rendition in (Rendition.OUTLINE, Rendition.WHOLE):
        yield from ((menu, step) for menu in served for step in menu.steps if step.rendition is rendition)


def _bodies(served: Sequence[Menu], prices: Prices) -> Iterator[tuple[Menu, Step]]:
    """Each file's best up to the least it gets, then all bodies by worth for their size, no file far ahead."""
    best = max((menu.file.weight for menu in served), default=0.0) or 1.0
    given = dict.fromkeys((menu.file.path for menu in served), 0)
    later: dict[str, deque[_Offer]] = {}
    for menu in served:
        first, rest = _parted(_offers(menu, prices[menu.file.path], best))
        given[menu.file.path] = sum(offer.size for offer in first)
        yield from ((menu, offer.step) for offer in first)
        later[menu.file.path] = deque(sorted(rest, key=lambda offer: -offer.worth))
    yield from _in_turn(served, later, given)


class _Offer(NamedTuple):
    """A body: the bytes of its lines that are not held, and what it is worth for them."""

    step: Step
    size: int
    worth: float


def _offers(menu: Menu, price: Costs, best: float) -> list[_Offer]:
    """The bodies on a menu; `best` is the weight of the heaviest file."""
    share = (menu.file.weight / best) ** FILE_POWER
    offers = []
    for step in menu.steps:
        if step.rendition is Rendition.BODIES:
            size = price.new(step.spans)
            offers.append(_Offer(step, size, float(step.worth * share / max(size, 1) ** SIZE_POWER)))
    return offers


def _parted(offers: Iterable[_Offer]) -> tuple[list[_Offer], list[_Offer]]:
    """The best of a file, with more up to the least that it gets; and the rest."""
    first: list[_Offer] = []
    rest: list[_Offer] = []
    has = 0
    for offer in offers:
        if not first or (has < LEAST_BYTES and has + offer.size < 2 * LEAST_BYTES):
            first.append(offer)
            has += offer.size
        else:
            rest.append(offer)
    return first, rest


def _in_turn(
    served: Sequence[Menu], later: Mapping[str, deque[_Offer]], given: dict[str, int]
) -> Iterator[tuple[Menu, Step]]:
    """Of the files' best offers the best, of a file that would not have too much of all that was given; where each
    would, of any."""
    total = sum(given.values())
    best = [(-later[menu.file.path][0].worth, at) for at, menu in enumerate(served) if later[menu.file.path]]
    heapify(best)
    while best:
        passed = []
        while best and not _is_fair(served[best[0][1]].file, later, given, total):
            passed.append(heappop(best))
        _, at = heappop(best) if best else passed.pop(0)
        for each in passed:
            heappush(best, each)
        path = served[at].file.path
        offer = later[path].popleft()
        given[path] += offer.size
        total += offer.size
        if later[path]:
            heappush(best, (-later[path][0].worth, at))
        yield served[at], offer.step


def _is_fair(file: RankedFile, later: Mapping[str, deque[_Offer]], given: Mapping[str, int], total: int) -> bool:
    size = later[file.path][0].size
    return file.named or given[file.path] + size <= MOST_SHARE * (total + size)


def _complete(served: Sequence[Menu], taken: Mapping[str, Extent], envelope: int, room: int) -> None:
    """Files that their share by weight nearly covers come whole, where they fit in `room`."""
    total = sum(menu.file.weight for menu in served) or 1.0
    for menu in served:
        mine = taken[menu.file.path]
        whole = mine.price.section(menu.source.whole, mine.steps)
        if menu.steps and envelope * menu.file.weight / total >= WHOLE_FROM * whole:
            room -= mine.take(menu.steps[-1], room) or 0


def _share(menu: Menu, taken: Extent) -> Share:
    price, steps, wanted = taken.price, tuple(taken.steps), taken.wanted
    split, whole = price.split(wanted), wanted == menu.source.whole
    rendition = Rendition.WHOLE if whole else max((step.rendition for step in steps), key=list(Rendition).index)
    verdict = Verdict.HELD if not split.sent else Verdict.WHOLE if whole else Verdict.SERVED
    source_bytes, (question, others) = price.delivered(split.sent), price.sender(split)
    return Share(menu, rendition, split, source_bytes, taken.bytes, verdict, steps, question, others)


def _with_some_source(first: Plan, shares: Sequence[Share]) -> tuple[Share, ...]:
    """The shares, those with source before those that only point; where none has source, the best comes in full."""
    showing = [share for share in shares if share.split.sent]
    pointing = [share for share in shares if not share.split.sent]
    if not showing and pointing:
        best = next(share for share in first.shares if share.menu.file.path == pointing[0].menu.file.path)
        showing, pointing = [best], pointing[1:]
    return (*showing, *pointing)
