"""What a question spells out: the symbols and files that its names mean; it scores no words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from explore.model.corpus import Corpus
from explore.model.source import Symbol
from explore.retrieve.question import Question, looks_spelled
from explore.retrieve.weights import Weights

MOST_PLACES: Final = 200
"""Places of one name that are looked at; a name in more places means none of them."""

MOST_FILES: Final = 50
"""Files of one name, of which the shortest paths count (`index`, `__init__`)."""

Place = tuple[int, int]
"""A symbol as (file, ordinal)."""

_JOINT: Final = re.compile(r"\.|::|->|#")


@dataclass(frozen=True, slots=True)
class Spelled:
    """The named symbols with the share of a name that each carries (up to 1), the members of those, the named files,
    and the paths that name them; and the largest share in each file of a name that no plain word is written like."""

    places: Mapping[Place, float]
    members: Mapping[Place, float]
    files: frozenset[int]
    paths: tuple[str, ...]
    sure: Mapping[int, float]


def find_spelled(question: Question, corpus: Corpus, weights: Weights) -> Spelled:
    """Looks the question's names and paths up."""
    found = {path: corpus.files_named(path)[:MOST_FILES] for path in question.paths}
    files = frozenset(file for numbers in found.values() for file in numbers)
    names = [name for name in question.names if not found.get(name)]
    places: dict[Place, float] = {}
    sure: dict[int, float] = {}
    for name in names:
        meant = _meant(name, corpus, weights)
        _keep_larger(places, meant)
        if looks_spelled(name):
            for (file, _), share in meant.items():
                sure[file] = max(share, sure.get(file, 0.0))
    for name in question.proper:
        _keep_larger(places, _meant(name, corpus, replace(weights, other_case=0.0)))
    return Spelled(places, _members(places, corpus), files, tuple(path for path in found if found[path]), sure)


def _meant(name: str, corpus: Corpus, weights: Weights) -> dict[Place, float]:
    """The symbols of that name; the more there are, and the less they look like what is spelled, the less is each."""
    *around, last = _JOINT.split(name)
    places = corpus.defined(last)[:MOST_PLACES]
    symbols = corpus.symbols({file for file, _ in places})
    fits = {(file, at): _fit(symbols[file][at], around, last, weights) for file, at in places if file in symbols}
    if around and 1.0 in fits.values():  # it stands where it was spelled to stand, so no other is meant
        fits = {place: fit for place, fit in fits.items() if fit == 1.0}
    crowd = max(1.0, sum(fits.values())) ** 0.5
    return {place: fit / crowd for place, fit in fits.items() if fit}


def _fit(symbol: Symbol, around: Iterable[str], last: str, weights: Weights) -> float:
    scopes = {part.lower() for part in _JOINT.split(symbol.qualified)}
    elsewhere = bool(around) and not any(part.lower() in scopes for part in around)
    return (1.0 if symbol.name == last else weights.other_case) * (weights.other_scope if elsewhere else 1.0)


def _members(places: Mapping[Place, float], corpus: Corpus) -> dict[Place, float]:
    """The symbols directly inside the named ones, at the share of those."""
    symbols = corpus.symbols({file for file, _ in places})
    members: dict[Place, float] = {}
    for file, inside in symbols.items():
        shares = {
            (file, at): places[file, symbol.parent]
            for at, symbol in enumerate(inside)
            if symbol.parent is not None and (file, symbol.parent) in places
        }
        _keep_larger(members, shares)
    return members


def _keep_larger(shares: dict[Place, float], more: Mapping[Place, float]) -> None:
    for place, share in more.items():
        shares[place] = max(share, shares.get(place, 0.0))
