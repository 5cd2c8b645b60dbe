"""What the index knows of a question's words: where they occur and how much each one says; it scores no symbol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from explore.model.corpus import Corpus, FileFacts, Posting, Totals
from explore.retrieve.question import Question
from explore.retrieve.rarity import rarity
from explore.retrieve.spelled import Place
from explore.retrieve.weights import Weights
from explore.retrieve.widen import widened
from explore.retrieve.words import term_of, terms, words

MOST_CANDIDATES: Final = 1_500
"""Files that are scored. A word in more files than are left brings in none of its own: it counts where others lead."""

LEAST_PART: Final = 4
MOST_PARTS, MOST_NAMES = 6, 10
"""Which words are looked for inside longer ones: their least letters, how many words, and names for each."""

MOST_PAIRS: Final = 24

Postings = Mapping[str, Sequence[Posting]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """`says` is what each term counts beside others (1 for a plain word); `held` are symbols in whose names a term is
    part of a longer word, with what that adds; `facts` cover every candidate file and every file of `held`."""

    totals: Totals
    says: Mapping[str, float]
    postings: Postings
    held: Mapping[Place, float]
    facts: Mapping[int, FileFacts]

    def file_rarity(self, term: str) -> float:
        """BM25's inverse document frequency, a document being a file."""
        return rarity(self.totals.files, len(self.postings.get(term, ())))

    def symbol_rarity(self, term: str) -> float:
        """The same, a document being a symbol."""
        return rarity(self.totals.symbols, sum(len(posting.hits) // 2 for posting in self.postings[term]))


def gather(question: Question, corpus: Corpus, weights: Weights, more: frozenset[int]) -> Evidence:
    """Looks the question's words up; `more` are files to know the facts of besides those found."""
    totals = corpus.totals()
    says = {term: question.weight(term, weights.order) for term in question.terms}
    postings = {term: corpus.postings(term) for term in says}
    for term in _joined_pairs(question):
        if term not in says and (found := corpus.postings(term)):
            says[term], postings[term] = weights.pair, found
    spoken = [term for term in says if says[term] >= 1]
    for term, said, found in widened(spoken, postings, corpus, weights):
        says[term], postings[term] = said, found
    held = _held(says, postings, totals, corpus, weights)
    files = candidates(postings) | {file for file, _ in held} | more
    return Evidence(totals, says, postings, held, corpus.facts(files))


def _joined_pairs(question: Question) -> list[str]:
    """Words that stand in a row, written as one."""
    spoken = [word.lower() for word in words(question.text)]
    joined = (term_of(one + two) for one, two in pairwise(spoken) if len(one) > 1 and len(two) > 1)
    return [term for term in dict.fromkeys(joined) if term][:MOST_PAIRS]


def _held(
    says: Mapping[str, float], postings: Postings, totals: Totals, corpus: Corpus, weights: Weights
) -> dict[Place, float]:
    """Symbols that have a term inside a longer word of their name, as `errorhandler` has `error`."""
    held: dict[Place, float] = {}
    for term in _rarest_parts(says, postings):
        worth = weights.held * rarity(totals.files, len(postings[term]))
        names = (name for name in corpus.names_holding(term) if term not in terms(name))
        for name in [*names][:MOST_NAMES]:
            for place in corpus.defined(name)[:MOST_NAMES]:
                held[place] = held.get(place, 0.0) + worth
    return held


def _rarest_parts(says: Mapping[str, float], postings: Postings) -> list[str]:
    parts = [term for term, said in says.items() if said >= 1 and len(term) >= LEAST_PART]
    return sorted(parts, key=lambda term: (len(postings[term]), term))[:MOST_PARTS]


def candidates(postings: Postings, most: int = MOST_CANDIDATES) -> set[int]:
    """The files of the rarer terms, up to the bound; of the rarest term all."""
    files: set[int] = set()
    for found in sorted(postings.values(), key=len):
        if files and len(files) + len(found) > most:
            break
        files.update(posting.file for posting in found)
    return files
