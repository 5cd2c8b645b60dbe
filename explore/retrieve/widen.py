"""Terms that a question does not say and that code may say in their place: of the same stem, or of the same meaning.
It scores nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from explore.model.corpus import Corpus, Posting
from explore.retrieve.rarity import rarity
from explore.retrieve.thesaurus import synonyms
from explore.retrieve.weights import Weights
from explore.retrieve.words import alike, letters_shared

LEAST_LETTERS: Final = 6
"""Letters of a term from which on its relatives count; with 4 half a point is lost on N."""

LEAST_STEM: Final = 0.6
"""The share of a term that its relatives begin with."""

MOST_LONGER: Final = 6
"""Letters by which a relative may be longer or shorter."""

MOST_RELATIVES: Final = 12
"""Relatives of one term that count, the nearest first."""

MOST_WIDENED: Final = 16
"""Terms of one question that are widened, the first ones."""

Widened = tuple[str, float, Sequence[Posting]]
"""A term, what it counts beside a plain word of the question (under 1), and where it occurs."""


def widened(
    spoken: Iterable[str], found: Mapping[str, Sequence[Posting]], corpus: Corpus, weights: Weights
) -> list[Widened]:
    """What else to look for, where `spoken` are the terms that are looked for and `found` where those occur; of a term
    that comes in more than one way the first counts."""
    files = corpus.totals().files
    terms = list(spoken)[:MOST_WIDENED]
    wider: dict[str, Widened] = {}
    for term in terms:
        for each in _relatives(term, found[term], files, corpus, weights):
            wider.setdefault(each[0], each)
    for term in terms:
        for each in _synonyms(term, found[term], corpus, weights):
            wider.setdefault(each[0], each)
    return [each for term, each in wider.items() if term not in found]


def _relatives(term: str, found: Sequence[Posting], files: int, corpus: Corpus, weights: Weights) -> Iterator[Widened]:
    """Terms of the same stem (`validation` and `validator`). One that is rarer than the term counts for no more."""
    for other in _of_one_stem(term, corpus):
        postings = corpus.postings(other)
        rarer = rarity(files, len(found)) / rarity(files, len(postings)) if found else 1.0
        yield other, weights.relative * min(1.0, rarer), postings


def _of_one_stem(term: str, corpus: Corpus) -> list[str]:
    if len(term) < LEAST_LETTERS:
        return []
    known = corpus.terms_beginning(term[: math.ceil(LEAST_STEM * len(term))])
    near = [other for other in known if alike(term, other) and abs(len(other) - len(term)) <= MOST_LONGER]
    near.sort(key=lambda other: (-letters_shared(term, other), len(other), other))
    return [other for other in near if other != term][:MOST_RELATIVES]


def _synonyms(term: str, found: Sequence[Posting], corpus: Corpus, weights: Weights) -> Iterator[Widened]:
    """Terms of the same meaning that the code says more often, and the more the rarer the one asked for is: who asks in
    the words of the code is not led away from them."""
    for other in sorted(synonyms(term)):
        postings = corpus.postings(other)
        if len(postings) > len(found):
            yield other, weights.synonym * (1 - len(found) / len(postings)), postings
