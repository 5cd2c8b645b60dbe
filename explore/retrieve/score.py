"""Scores by words: BM25 for each symbol over its own lines and names, and for each file as one text; it looks nothing
up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from explore.model.corpus import COUNT_MASK, IN_NAME, IN_SCOPE, FileFacts
from explore.retrieve.evidence import Evidence
from explore.retrieve.spelled import Place
from explore.retrieve.weights import Weights

Scores = dict[int, dict[int, float]]
"""For each file, by its number, the score of each of its symbols, by ordinal."""


def symbol_scores(evidence: Evidence, weights: Weights) -> Scores:
    """BM25 over symbols, with occurrences in a name counting for more."""
    mean = evidence.totals.terms / max(1, evidence.totals.symbols)
    counts, k1, b = _Counts(weights), weights.k1, weights.b
    scores: Scores = {}
    for term, postings in evidence.postings.items():
        worth = evidence.symbol_rarity(term) * evidence.says[term]
        for file, hits in postings:
            if fact := evidence.facts.get(file):
                here, lengths = scores.setdefault(file, {}), fact.lengths
                for ordinal, how in zip(hits[::2], hits[1::2], strict=True):
                    count, length = counts[how], lengths[ordinal] / mean
                    share = count * (k1 + 1) / (count + k1 * (1 - b + b * length))  # `_saturated`, for its speed
                    here[ordinal] = here.get(ordinal, 0.0) + worth * share
    return scores


def file_scores(evidence: Evidence, weights: Weights) -> dict[int, float]:
    """BM25 over files by their text alone."""
    mean = evidence.totals.terms / max(1, evidence.totals.files)
    lengths = {file: sum(fact.lengths) / mean for file, fact in evidence.facts.items()} if mean else {}
    scores: dict[int, float] = defaultdict(float)
    for term, postings in evidence.postings.items():
        worth = evidence.file_rarity(term) * evidence.says[term]
        for posting in postings:
            if posting.file in lengths:
                count = sum(how & COUNT_MASK for how in posting.hits[1::2])
                scores[posting.file] += worth * _saturated(count, lengths[posting.file], weights.k1, weights.file_b)
    return scores


def add(scores: Scores, gains: Iterable[tuple[Place, float]]) -> None:
    """Adds to the scores of these symbols."""
    for (file, ordinal), gain in gains:
        here = scores.setdefault(file, {})
        here[ordinal] = here.get(ordinal, 0.0) + gain


def spread(scores: Scores, facts: Mapping[int, FileFacts], weights: Weights) -> None:
    """Adds to the symbols directly before and after each what it gives them."""
    for file, here in scores.items():
        after = len(facts[file].lengths)
        for ordinal, score in [*here.items()]:
            gain = weights.beside * score
            if ordinal > 0:
                here[ordinal - 1] = here.get(ordinal - 1, 0.0) + gain
            if ordinal + 1 < after:
                here[ordinal + 1] = here.get(ordinal + 1, 0.0) + gain


class _Counts(dict[int, float]):
    """How often a term counts in a symbol, by how it occurs there; few ways are common, so each is worked out once."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self._weights = weights

    def __missing__(self, how: int) -> float:
        named = self._weights.name if how & IN_NAME else 0.0
        self[how] = (how & COUNT_MASK) + named + (self._weights.scope if how & IN_SCOPE else 0.0)
        return self[how]


def _saturated(count: float, length: float, k1: float, b: float) -> float:
    """BM25's share of a term's worth for a count in a text of this length, the mean being 1."""
    return count * (k1 + 1) / (count + k1 * (1 - b + b * length))
