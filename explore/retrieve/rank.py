"""Question to ranked files and symbols: what their words, names, paths and neighbours say for them.

Pure over the `Corpus`. It renders nothing and knows no sizes in bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nlargest
from typing import Final

from explore.model.corpus import Corpus, FileFacts
from explore.model.ranked import Ranked, RankedFile, RankedSymbol, Reason
from explore.model.source import Role, Symbol
from explore.retrieve.evidence import Evidence, gather
from explore.retrieve.paths import Likeness, path_factor
from explore.retrieve.question import Question, looks_spelled
from explore.retrieve.score import Scores, add, beside, file_scores, symbol_scores
from explore.retrieve.spelled import Place, Spelled, find_spelled
from explore.retrieve.weights import MEASURED, Weights
from explore.retrieve.words import terms

MOST_FILES: Final = 40
MOST_SYMBOLS: Final = 60
"""What is handed on, and of each file; more is never shown."""

MOST_COUNTED: Final = 12
"""Symbols that count for their file; past these the fade leaves nothing."""


@dataclass(frozen=True, slots=True)
class _Found:
    """All that is known before files are weighed; `by_words` are the symbols that hold a word themselves."""

    question: Question
    weights: Weights
    evidence: Evidence
    spelled: Spelled
    scores: Scores
    by_words: Mapping[int, frozenset[int]]
    whole: Mapping[int, float]

    def fact(self, file: int) -> FileFacts:
        return self.evidence.facts[file]


def rank(question: Question, corpus: Corpus, weights: Weights = MEASURED) -> Ranked:
    """The files that answer, the heaviest first, each with its symbols; ties by path and place."""
    found = _find(question, corpus, weights)
    files = _file_weights(found)
    chosen = sorted(files, key=lambda file: (-files[file], found.fact(file).path))[:MOST_FILES]
    symbols = corpus.symbols(chosen)
    ranked = (_ranked_file(found, file, files[file], symbols.get(file, ())) for file in chosen)
    return Ranked(tuple(ranked), question.terms, tuple(_missing(found)))


def _find(question: Question, corpus: Corpus, weights: Weights) -> _Found:
    spelled = find_spelled(question, corpus, weights)
    named = spelled.files | {file for file, _ in spelled.places}
    evidence = gather(question, corpus, weights, named)
    scores = symbol_scores(evidence, weights)
    add(scores, evidence.held.items())
    by_words = {file: frozenset(here) for file, here in scores.items()}
    add(scores, [*_named_gains(spelled, scores, weights)])
    add(scores, beside(scores, evidence.facts, weights))
    add(scores, _listed_gains(spelled.files, corpus, weights))
    return _Found(question, weights, evidence, spelled, scores, by_words, file_scores(evidence, weights))


def _missing(found: _Found) -> Iterator[str]:
    """The names of which a word occurs nowhere, so that nothing can have them; those of files that are there can."""
    postings = found.evidence.postings
    for name in filter(looks_spelled, found.question.names):
        of_a_file = any(path.endswith(name) for path in found.spelled.paths)
        if not of_a_file and any(term in postings and not postings[term] for term in terms(name)):
            yield name


def _named_gains(spelled: Spelled, scores: Scores, weights: Weights) -> Iterator[tuple[Place, float]]:
    """What symbols gain that the question names, and the members of those."""
    best = max((max(here.values()) for here in scores.values()), default=0.0)
    for place, share in spelled.places.items():
        yield place, share * (weights.named + weights.named_best * best)
    for place, share in spelled.members.items():
        yield place, share * weights.member


def _listed_gains(files: Iterable[int], corpus: Corpus, weights: Weights) -> Iterator[tuple[Place, float]]:
    """What the outer symbols of a named file gain: any of them may be meant."""
    for file, symbols in corpus.symbols(files).items():
        yield from (((file, at), weights.listed) for at, symbol in enumerate(symbols) if symbol.parent is None)


def _file_weights(found: _Found) -> dict[int, float]:
    likeness = Likeness(found.evidence, found.weights)
    return {file: _file_weight(found, file, likeness) for file in found.scores.keys() | found.spelled.files}


def _file_weight(found: _Found, file: int, likeness: Likeness) -> float:
    """A file's best symbols, each next one for less, and its text as a whole; then its path, and what it is for."""
    weights, fact = found.weights, found.fact(file)
    best = nlargest(MOST_COUNTED, found.scores.get(file, {}).values())
    weight = sum(score * weights.fade**place for place, score in enumerate(best))
    weight += weights.whole * found.whole.get(file, 0.0)
    weight *= path_factor(fact.path, likeness, weights)
    if file in found.spelled.files:
        return max(weight, 1.0) * weights.file_named
    names_it = any(file == other for other, _ in found.spelled.places)
    return weight * role_factor(fact.role, found.question, names_it, weights)


def role_factor(role: Role, question: Question, names_it: bool, weights: Weights) -> float:
    """What the file is for takes from its weight, unless the question asks for such files; who spells out a generated
    symbol means it."""
    factor = 1.0
    if role & Role.TEST and not question.tests:
        factor *= weights.test
    if role & Role.SAMPLE:
        factor *= weights.sample
    if role & Role.GENERATED and not (question.generated or names_it):
        factor *= weights.generated
    return factor


def _ranked_file(found: _Found, file: int, weight: float, symbols: tuple[Symbol, ...]) -> RankedFile:
    named = file in found.spelled.files or any(file == other for other, _ in found.spelled.places)
    scored = sorted(found.scores.get(file, {}).items(), key=lambda pair: (-pair[1], pair[0]))
    base = found.weights.own_file * found.whole.get(file, 0.0)
    ranked = (
        _ranked_symbol(ordinal, symbols[ordinal], score + base, _symbol_reasons(found, file, ordinal))
        for ordinal, score in scored[:MOST_SYMBOLS]
        if ordinal < len(symbols)
    )
    fact = found.fact(file)
    return RankedFile(fact.path, fact.role, weight, _file_reasons(found, file), tuple(ranked), named)


def _ranked_symbol(ordinal: int, symbol: Symbol, weight: float, reasons: tuple[Reason, ...]) -> RankedSymbol:
    return RankedSymbol(ordinal, symbol.qualified, symbol.span.start, weight, reasons, symbol.line)


def _symbol_reasons(found: _Found, file: int, ordinal: int) -> tuple[Reason, ...]:
    place = file, ordinal
    reasons = (
        (Reason.NAMED, place in found.spelled.places),
        (Reason.LINKED, place in found.spelled.members),
        (Reason.FILE_NAMED, file in found.spelled.files),
        (Reason.WORDS, ordinal in found.by_words.get(file, ())),
    )
    return tuple(reason for reason, holds in reasons if holds) or (Reason.NEIGHBOUR,)


def _file_reasons(found: _Found, file: int) -> tuple[Reason, ...]:
    role = found.fact(file).role
    reasons = (
        (Reason.FILE_NAMED, file in found.spelled.files),
        (Reason.NAMED, any(file == other for other, _ in found.spelled.places)),
        (Reason.WORDS, file in found.by_words),
        (Reason.TEST, bool(role & Role.TEST)),
        (Reason.SAMPLE, bool(role & Role.SAMPLE)),
        (Reason.GENERATED, bool(role & Role.GENERATED)),
    )
    return tuple(reason for reason, holds in reasons if holds)
