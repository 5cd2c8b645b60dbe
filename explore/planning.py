"""Shares the envelope of one call: joins what dedup says is held with what render prices. It draws nothing and reads
files only as the `Corpus` gives them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest
from typing import Final, Literal

from explore.decay.tiers import Envelope
from explore.dedup.held import held_in
from explore.dedup.recover import Wanted, without_asked
from explore.dedup.withhold import is_due, split
from explore.model.corpus import Corpus
from explore.model.held import Held
from explore.model.plan import Menu, Plan, Rendition, Share, Step, Verdict
from explore.model.ranked import Ranked, RankedFile, Reason
from explore.model.source import Role, Source
from explore.model.spans import NO_LINES, Spans
from explore.render.allocate import LIGHT, NEW_FILES, allocate, reallocate
from explore.render.answer import HANDLE_BYTES, header, size
from explore.render.grant import Grants, grant
from explore.render.notes import note_room
from explore.render.price import BETWEEN_SECTIONS, Costs, HeldPrice, Price
from explore.render.select import Asked, asked_lines, select
from explore.retrieve.question import Question
from explore.session.view import View

SPARE_FILES: Final = 4
"""Files read besides those that have a place, for the case that some of those are gone."""

MOST_ALONE_FIRST: Final = 2
"""Documents with a word that no source has, that are named before other source."""

MOST_TURNS: Final = 4
"""Smaller answers tried in the place of one; the nearest tell."""

Prices = Mapping[str, Price]


@dataclass(frozen=True, slots=True)
class Call:
    """One question with all that was said besides: what is to be sent again (True: all that is held), whether what is
    held is withheld, a sentence that the answer ends with, what the reader holds, and the envelope over a project of so
    many files."""

    question: Question
    resend: tuple[Wanted, ...] | Literal[True]
    withhold: bool
    notice: str
    view: View
    envelope: Envelope
    files: int
    told: int = 0
    """Bytes for what is told besides the source and the notes: call paths, and who uses what."""

    @property
    def room(self) -> int:
        """Bytes of the envelope for sections: less the header, the note, the notice, and what stands between."""
        return self.envelope.bytes - self._around

    @property
    def exempt_room(self) -> int:
        """Bytes besides, for what the question names alone."""
        return self.envelope.full - self.envelope.bytes

    @property
    def overshoot(self) -> int:
        """Bytes between the envelope and the ceiling."""
        return self.envelope.ceiling - self.envelope.bytes

    @property
    def most_room(self) -> int:
        """As `room`, of the ceiling."""
        return self.envelope.ceiling - self._around

    @property
    def places(self) -> int:
        """Files that an answer may show to a reader who holds some; one that has grown shorter says more of few."""
        return self.envelope.max_files + (0 if self.exempt_room else self.envelope.more_files)

    @property
    def note_room(self) -> int:
        """Bytes for the words after the source."""
        return note_room(self.envelope.bytes, resent=bool(self.resend))

    @property
    def wanted(self) -> dict[str, Spans]:
        """The lines to be sent again by path; none stand for all."""
        lines: dict[str, list[Spans]] = {}
        for wanted in () if self.resend is True else self.resend:
            lines.setdefault(wanted.path, []).append(wanted.spans)
        return {
            path: Spans(span for spans in given for span in spans) if all(given) else NO_LINES
            for path, given in lines.items()
        }

    @property
    def withholds(self) -> bool:
        """Whether there is anything to withhold."""
        return self.withhold and bool(self.view.emissions)

    @property
    def _around(self) -> int:
        head = size(header(self.question.text, self.envelope.max_files, self.files))
        last = size(f"\n\n{self.notice}") if self.notice else 0
        return head + self.note_room + self.told + last + 2 * (self.envelope.max_files + 1) + HANDLE_BYTES


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and what was to be sent again and is not: lines without room, and paths that lead to no source."""

    plan: Plan
    left: Mapping[str, Spans]
    unknown: tuple[str, ...]

    @property
    def not_again(self) -> dict[str, Verdict]:
        """Why each path that was to be sent again is not, or not as a whole."""
        return {**dict.fromkeys(self.left, Verdict.NO_ROOM_AGAIN), **dict.fromkeys(self.unknown, Verdict.NO_SOURCE)}


def make_plan(call: Call, ranked: Ranked, corpus: Corpus) -> Planned:
    """The envelope shared over the files as they are on disk now: as for a stranger; then, for a reader who holds some
    of that, with more in its place."""
    shortlist = [file.path for file in ranked.files[: call.envelope.max_files + SPARE_FILES]]
    wanted = call.wanted
    prices = _prices([*shortlist, *wanted], corpus)
    known = {path: lines for path, lines in wanted.items() if _is_there(lines, prices.get(path))}
    grants = grant(known, prices, call.most_room)
    offer = _Offer(call, ranked, prices, grants)
    menus = offer.menus(call.room)
    plan = _precise(offer, menus) if call.exempt_room else _fullest(offer, menus)
    if call.withholds:
        plan = _withheld(plan, menus, offer, corpus)
    unknown = tuple(_asked_for(path, lines) for path, lines in wanted.items() if path not in known)
    shares = _granted_first(plan.shares, grants)
    return Planned(replace(plan, shares=shares, named_only=_all_named(plan, offer, shortlist)), grants.left, unknown)


def _is_there(lines: Spans, price: Price | None) -> bool:
    """Whether a file has any of the lines asked for; where none are, whether there is the file."""
    return price is not None and bool(lines & price.whole if lines else price.whole)


def _asked_for(path: str, lines: Spans) -> str:
    return f"{path}:{','.join(map(str, lines))}" if lines else path


def _granted_first(shares: Sequence[Share], grants: Grants) -> tuple[Share, ...]:
    """The shares, those of which something was asked for by path in the order of asking, before the others."""
    places = {path: place for place, path in enumerate(grants.steps)}
    return tuple(sorted(shares, key=lambda share: places.get(share.menu.file.path, len(places))))


def _prices(paths: Iterable[str], corpus: Corpus) -> dict[str, Price]:
    return {path: Price(source) for path, source in corpus.sources(list(dict.fromkeys(paths))).items()}


@dataclass(frozen=True, slots=True)
class _Offer:
    """What there is to share out: the ranked files, those read with their prices, and what is granted before all."""

    call: Call
    ranked: Ranked
    prices: Prices
    grants: Grants

    def menus(self, room: int) -> tuple[Menu, ...]:
        """The menus of an answer of so many bytes; files that are only granted have nothing else to show."""
        known = {file.path for file in self.ranked.files}
        granted = (self.prices[path].source for path in self.grants.steps if path not in known)
        asked = Asked(self.call.question.terms, room, self.call.exempt_room, self.call.envelope.exact)
        return (*select(self.ranked, asked, self.prices), *map(_granted_only, granted))


def _granted_only(source: Source) -> Menu:
    return Menu(RankedFile(source.path, Role.SOURCE, 0.0, (Reason.ASKED_AGAIN,), ()), source, ())


def _fullest(offer: _Offer, menus: tuple[Menu, ...]) -> Plan:
    """The plan for a stranger; where the caller swept over the room, at a smaller one if that shows more source.

    More room shows more, but for the turns where a symbol stops being cut: whole, it can push others out. What the
    answer just below such a turn would have shown is not lost.
    """
    call = offer.call

    def plan_at(room: int, menus: tuple[Menu, ...]) -> Plan:
        room -= BETWEEN_SECTIONS * len(offer.grants.steps)
        return allocate(menus, offer.prices, room, call.envelope.max_files, call.overshoot, offer.grants.steps)

    best = plan_at(call.room, menus)
    turns = {turn for menu in menus for turn in menu.turns if turn <= call.room}
    for turn in nlargest(MOST_TURNS, turns):
        if turn - 1 <= best.source_bytes:
            break
        best = max(best, plan_at(turn - 1, offer.menus(turn - 1)), key=lambda plan: plan.source_bytes)
    return best


def _precise(offer: _Offer, menus: tuple[Menu, ...]) -> Plan:
    """The plan for a stranger at an envelope that has shrunk: what the question names comes besides; where there is no
    room for all of that besides, it comes first."""
    call = offer.call

    def plan(*, exempt_first: bool) -> Plan:
        bounds = call.room, call.envelope.max_files, call.overshoot
        return allocate(menus, offer.prices, *bounds, exempt_room=call.exempt_room, exempt_first=exempt_first)

    besides = plan(exempt_first=False)
    named = {menu.file.path: Spans(span for step in menu.steps if step.exempt for span in step.spans) for menu in menus}
    if _of_these(named, besides) == sum(lines.line_count for lines in named.values()):
        return besides
    return max(besides, plan(exempt_first=True), key=partial(_of_these, named))


def _of_these(lines: Mapping[str, Spans], plan: Plan) -> int:
    """How many of these lines a plan shows."""
    return sum((lines[share.menu.file.path] & share.wanted).line_count for share in plan.shares)


def _withheld(plan: Plan, menus: tuple[Menu, ...], offer: _Offer, corpus: Corpus) -> Plan:
    """The plan for a reader who holds some of what a stranger would get: that withheld, and more in its place."""
    held = _held_of(offer)
    if not any(lines.spans for lines in held.values()):
        return plan
    prices, gone = _read_further(offer, held, corpus)
    more = replace(offer, prices=prices, grants=Grants({}, {}))
    held |= _held_of(more)
    wider = replace(offer, prices={**offer.prices, **prices})
    costs: dict[str, Costs] = dict(wider.prices)
    costs |= {path: _held_price(path, lines, wider) for path, lines in held.items() if lines.spans}
    all_menus = (*menus, *more.menus(offer.call.room))
    places = offer.call.places
    room = offer.call.room - BETWEEN_SECTIONS * (len(offer.grants.steps) + places - offer.call.envelope.max_files)
    if not offer.call.exempt_room:
        room = max(room, sum(share.bytes for share in plan.shares))
    doubted = _doubted(wider, held)
    bounds = room, places
    plan = reallocate(plan, all_menus, costs, *bounds, doubted, offer.call.most_room, offer.call.exempt_room)
    named = (_not_held(file, why, held) for file, why in plan.named_only)
    return replace(plan, named_only=(*((file, Verdict.GONE) for file in gone), *named))


def _held_of(offer: _Offer) -> dict[str, Held]:
    return {file.path: _held(file, offer) for file in offer.ranked.files if file.path in offer.prices}


def _doubted(offer: _Offer, held: Mapping[str, Held]) -> dict[str, Step]:
    """By path, the lines that the question asks for by name and that were pointed at since they were last sent."""
    asked = {file.path: asked_lines(file, offer.prices[file.path].source) for file in offer.ranked.files
             if file.path in held and held[file.path].unread}  # fmt: skip
    lines = {path: held[path].unread & spans for path, spans in asked.items()}
    return {path: Step(Rendition.BODIES, spans, 0.0) for path, spans in lines.items() if spans}


def _not_held(file: RankedFile, why: Verdict, held: Mapping[str, Held]) -> tuple[RankedFile, Verdict]:
    """A file that is only named, with those of its symbols that the reader does not hold; of none, all is held."""
    lines = held[file.path].spans if file.path in held else NO_LINES
    symbols = tuple(symbol for symbol in file.symbols if symbol.line not in lines)
    return replace(file, symbols=symbols), why if symbols or not lines else Verdict.HELD


def _held(file: RankedFile, offer: _Offer) -> Held:
    """What the reader holds of a file, but for what the call asks for by name or grants."""
    source = offer.prices[file.path].source
    held = held_in(offer.call.view, file.path, source.fingerprint)
    if not held.spans:
        return held
    held = without_asked(held, asked_lines(file, source))
    granted = offer.grants.steps.get(file.path)
    return replace(held, spans=held.spans - granted.spans) if granted else held


def _held_price(path: str, held: Held, offer: _Offer) -> HeldPrice:
    price = offer.prices[path]
    file = next(file for file in offer.ranked.files if file.path == path)
    granted = offer.grants.steps.get(path)
    asked = asked_lines(file, price.source) | (granted.spans if granted else NO_LINES)
    withhold = partial(split, held=held, asked=asked, size_of=price.lines)
    return HeldPrice(price, held, withhold, partial(is_due, held=held, asked=asked, size_of=price.lines))


def _read_further(offer: _Offer, held: Mapping[str, Held], corpus: Corpus) -> tuple[dict[str, Price], list[RankedFile]]:
    """Files further down, so many that there are new ones for the places kept for them, and some with more to show for
    all places; and those that are gone."""
    places = offer.call.places
    unseen = sum(not lines.spans for lines in held.values())
    with_more = sum(lines.spans != offer.prices[path].source.whole for path, lines in held.items())
    lacking = max(math.ceil(NEW_FILES * places) - unseen, places - with_more)
    prices: dict[str, Price] = {}
    gone = []
    for file in _further(offer, held):
        if len(prices) >= lacking:
            break
        found = _prices([file.path], corpus)
        prices |= found
        gone += [] if found else [file]
    return prices, gone


def _further(offer: _Offer, held: Mapping[str, Held]) -> list[RankedFile]:
    """The ranked files not looked at yet that weigh enough beside the heaviest that may have more to show; those of
    which nothing was ever sent first."""
    weights = {file.path: file.weight for file in offer.ranked.files}
    left = [path for path in held if held[path].spans != offer.prices[path].source.whole]
    least = LIGHT * max((weights[path] for path in left), default=0.0)
    seen = {file.path for emission in offer.call.view.emissions for file in emission.sent}
    heavy = [file for file in offer.ranked.files if file.path not in offer.prices and file.weight >= least]
    return sorted(heavy, key=lambda file: file.path in seen)


def _all_named(plan: Plan, offer: _Offer, shortlist: list[str]) -> tuple[tuple[RankedFile, Verdict], ...]:
    """Every ranked file that got nothing, with the reason: those gone from disk first, then the documents which alone
    have a word of the question; those not looked at, and other documents, last."""
    files = offer.ranked.files
    gone = tuple((file, Verdict.GONE) for file in files if file.path in shortlist and file.path not in offer.prices)
    ranked = {file.path for file in files}
    named = tuple((file, why) for file, why in plan.named_only if file.path in ranked)
    known = {file.path for file, _ in (*gone, *named)} | {share.menu.file.path for share in plan.shares}
    rest = ((file, Verdict.NO_PLACE) for file in files if file.path not in known)
    aside = [(file, Verdict.LIGHT) for file in offer.ranked.aside if file.path not in known]
    alone = [pair for pair in aside if Reason.ALONE in pair[0].reasons][:MOST_ALONE_FIRST]
    return (*gone, *alone, *named, *rest, *(pair for pair in aside if pair not in alone))
