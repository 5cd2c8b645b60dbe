"""For each ranked file the steps by which it could be shown, from one symbol's body to the whole file; it shares
nothing out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from explore.model.plan import Menu, Rendition, Step
from explore.model.ranked import Ranked, RankedFile, RankedSymbol, Reason
from explore.model.source import BODIES, CONTAINERS, Kind, Source, Symbol, own_lines_of
from explore.model.spans import Span, Spans
from explore.render.price import Price

SMALL_CLASS_BYTES: Final = 5_000
"""A class up to this size comes with its methods; of a larger one its own lines come, and methods as they match. On 320
commits of 16 repositories 4,000 to 8,000 recall equal shares of the lines, 1,500 half a point less."""

MOST_SHARE: Final = 0.50
"""A symbol that takes more than this share of an answer is cut, unless the question names its file or what is in it. On
the same commits 0.4 and 0.6 lose half a point, 0.7 nearly a whole one."""

PIECE_BYTES: Final = 400
"""The size of the pieces of a symbol that is cut; small enough for the smallest answer. On the same commits 300 to 500
are equal, 600 and 200 lose half a point."""

MOST_PIECES: Final = 250
"""Pieces of one symbol; the largest answer holds no more."""

SMALL_BODY_BYTES: Final = 1_500
"""A function inside one up to this size comes with the whole of it."""

EXEMPT: Final = frozenset({Reason.NAMED, Reason.LINKED, Reason.FILE_NAMED})
"""Why a symbol's body comes also where answers have grown short: the question names it, or what it is in."""

FADE: Final = 0.8
"""What each further piece of a cut symbol is worth, by the one before."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What selecting needs to know of the question and the answer: its terms (lower-case stems), the bytes there are
    for sections, and those that there are besides for what the question names. `turns`: whether menus tell theirs."""

    terms: tuple[str, ...]
    room: int
    exempt_room: int = 0
    turns: bool = False

    def room_for(self, *, exempt: bool) -> int:
        """The bytes there are for the section that shows a body."""
        return self.room + self.exempt_room if exempt else self.room


def select(ranked: Ranked, asked: Asked, prices: Mapping[str, Price]) -> tuple[Menu, ...]:
    """A menu for each ranked file that has a source, and with it a price."""
    return tuple(_menu(file, asked, prices[file.path]) for file in ranked.files if file.path in prices)


def asked_lines(file: RankedFile, source: Source) -> Spans:
    """The lines that the question asks for by name: all of a file that it names, else the symbols that it names."""
    if Reason.FILE_NAMED in file.reasons:
        return source.whole
    named = (_locate(found, source) for found in file.symbols if Reason.NAMED in found.reasons)
    return Spans(source.symbols[ordinal].span for ordinal in named if ordinal is not None)


def _menu(file: RankedFile, asked: Asked, price: Price) -> Menu:
    bodies = list(_bodies(file, asked, price))
    steps = [step for body in bodies for step in _body_steps(body, asked, price)]
    if asked.exempt_room:
        steps += _named_wholes(file, bodies, price)
    exempt = Reason.FILE_NAMED in file.reasons
    if outline := _outline(price.source):
        steps.append(Step(Rendition.OUTLINE, outline, 0.0, exempt=exempt))
    steps.append(Step(Rendition.WHOLE, price.source.whole, 0.0, exempt=exempt))
    return Menu(file, price.source, tuple(steps), tuple(_turns(file, bodies, steps, price) if asked.turns else ()))


def _turns(file: RankedFile, bodies: Sequence[_Body], steps: Sequence[Step], price: Price) -> Iterator[int]:
    """The bytes that an answer must have for each body, or all of a file that is named, to come uncut."""
    for body in bodies:
        yield math.ceil(price.section(body.spans, [_step(body, body.spans)]) / _most_share(file))
    if Reason.FILE_NAMED in file.reasons:
        yield price.section(price.source.whole, steps)


@dataclass(frozen=True, slots=True)
class _Body:
    """The lines to show of a symbol, what they are worth, whether the question names it, or what it is in, and whether
    it comes in pieces."""

    symbol: Symbol
    spans: Spans
    worth: float
    exempt: bool
    cut: bool


def _bodies(file: RankedFile, asked: Asked, price: Price) -> Iterator[_Body]:
    """The bodies of the symbols found, without those whose lines are all in the pieces of one that is cut."""
    source = price.source
    cut = Spans()
    for found in file.symbols:
        if (ordinal := _locate(found, source)) is None:
            continue
        symbol = source.symbols[ordinal := _outer(ordinal, source, price)]
        if not Spans([symbol.span]) - cut:
            continue
        spans = _body(ordinal, price)
        exempt = not EXEMPT.isdisjoint(found.reasons)
        fits = price.fits(spans, symbol.qualified, asked.room_for(exempt=exempt) * _most_share(file))
        if not fits:
            cut |= spans
        yield _Body(symbol, spans, found.weight, exempt, not fits)


def _most_share(file: RankedFile) -> float:
    """The most of an answer that a body of the file may take before it is cut."""
    return 1.0 if file.named else MOST_SHARE


def _locate(found: RankedSymbol, source: Source) -> int | None:
    """The symbol's place in the file as it is now: the same place, else the same name, else nowhere."""
    symbols = source.symbols
    if found.ordinal < len(symbols):
        there = symbols[found.ordinal]
        if (there.qualified, there.span.start) == (found.qualified, found.start):
            return found.ordinal
    same = [i for i, symbol in enumerate(symbols) if symbol.qualified == found.qualified and found.qualified]
    if same:
        return min(same, key=lambda i: abs(symbols[i].span.start - found.start))
    return next((i for i, s in enumerate(symbols) if s.kind is Kind.CODE and found.start in s.span), None)


def _outer(ordinal: int, source: Source, price: Price) -> int:
    """The outermost small function around a symbol: an inner function says little without it."""
    parent = source.symbols[ordinal].parent
    while parent is not None and source.symbols[parent].kind in BODIES:
        if price.lines(Spans([source.symbols[parent].span])) > SMALL_BODY_BYTES:
            break
        ordinal, parent = parent, source.symbols[parent].parent
    return ordinal


def _body_steps(body: _Body, asked: Asked, price: Price) -> Iterator[Step]:
    """One step for a body that can be sent whole; else one for each of its pieces, the telling ones first."""
    if not body.cut:
        yield _step(body, price.tidy(body.spans))
        return
    worth = 1.0
    for piece in _pieces(body, asked, price):
        yield _step(body, piece, worth)
        worth *= FADE


def _step(body: _Body, spans: Spans, worth: float = 1.0) -> Step:
    """Lines of a body; `worth` is their share of what it is worth."""
    return Step(Rendition.BODIES, spans, worth * body.worth, body.symbol.qualified, body.exempt)


def _named_wholes(file: RankedFile, bodies: Sequence[_Body], price: Price) -> Iterator[Step]:
    """All of each class that the question names: not all members of a large one are among the symbols found."""
    named = {found.qualified for found in file.symbols if Reason.NAMED in found.reasons}
    for body in bodies:
        if body.symbol.qualified in named and body.symbol.kind in CONTAINERS:
            whole = Spans([body.symbol.span])
            if whole - body.spans:
                yield Step(Rendition.BODIES, price.tidy(whole), 0.0, body.symbol.qualified, exempt=True)


def _body(ordinal: int, price: Price) -> Spans:
    symbol = price.source.symbols[ordinal]
    whole = Spans([symbol.span])
    if symbol.kind not in CONTAINERS or price.lines(whole) <= SMALL_CLASS_BYTES:
        return whole
    own = own_lines_of(ordinal, price.source.symbols)
    return whole if own == whole else _telling(own, price.source) or own


def _telling(own: Spans, source: Source) -> Spans:
    """The runs of lines that hold more than blanks and brackets, as stand between the members of a class."""
    return Spans(span for span in own if any(map(str.isalnum, "".join(source.lines[span.start - 1 : span.end]))))


def _pieces(body: _Body, asked: Asked, price: Price) -> list[Spans]:
    """The lines in pieces of whole lines, each with the declaration: the one with the name first, then those that hold
    more of the question."""
    head = Spans([Span(body.symbol.line, body.symbol.head_end)]) & body.spans
    if price.lines(head) > PIECE_BYTES:  # a long declaration is cut like the rest, but for the line with the name
        head = Spans([Span(body.symbol.line, body.symbol.line)]) & body.spans
    pieces = price.pieces(body.spans, PIECE_BYTES)
    told = [_terms_in(piece, asked.terms, price.source) for piece in pieces]
    order = sorted(range(len(pieces)), key=lambda at: (body.symbol.line not in pieces[at], -_with_next(told, at), at))
    return [pieces[at] | head for at in order[:MOST_PIECES]]


def _with_next(told: Sequence[int], at: int) -> float:
    """What a piece tells, with half of what those beside it tell: runs of pieces read better than scattered ones."""
    return told[at] + sum(told[i] for i in (at - 1, at + 1) if 0 <= i < len(told)) / 2


def _terms_in(piece: Spans, terms: tuple[str, ...], source: Source) -> int:
    text = "\n".join("\n".join(source.lines[start - 1 : end]) for start, end in piece).lower()
    return sum(term in text for term in terms)


def _outline(source: Source) -> Spans:
    """The declarations of all named symbols, without bodies."""
    return Spans(
        Span(symbol.line, max(symbol.line, symbol.head_end))
        for symbol in source.symbols
        if symbol.kind is not Kind.CODE
    )
