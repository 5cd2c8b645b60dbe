"""Ranks documents, and puts them behind the source unless the question asks for them; it renders nothing.

What is found of source is the same without them: they are weighed by themselves, and come to what `rank` has found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from typing import Final

from explore.model.corpus import Corpus, FileFacts, Mark, Posting, Totals
from explore.model.ranked import Ranked, RankedFile, RankedSymbol, Reason
from explore.model.source import Role
from explore.retrieve.evidence import Evidence, candidates
from explore.retrieve.kinds import DocumentKind, kinds_asked
from explore.retrieve.paths import Likeness, path_factor
from explore.retrieve.question import Question
from explore.retrieve.rank import MOST_COUNTED, MOST_FILES, MOST_SYMBOLS, rank, role_factor
from explore.retrieve.score import Scores, add, file_scores, spread, symbol_scores
from explore.retrieve.spelled import MOST_FILES as MOST_OF_A_NAME
from explore.retrieve.weights import MEASURED, Weights
from explore.retrieve.words import terms

MOST_ASIDE: Final = 5
"""Documents that are named behind the source."""

MOST_ALONE: Final = 12
LEAST_ALONE: Final = 3
"""Documents that a word may be in which no source has, and its letters: one in more is a word like any other."""

MOST_CANDIDATES: Final = 400
"""Documents that are scored, bounded as `evidence.MOST_CANDIDATES` bounds source."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a question asks for of documents: those it names, by path, and kinds; `all_` where no source is found. Those
    that are `alone` with a word, which no source has, it may ask for."""

    named: Mapping[str, frozenset[int]]
    kinds: tuple[DocumentKind, ...]
    alone: frozenset[int]
    all_: bool

    @property
    def files(self) -> frozenset[int]:
        return frozenset().union(*self.named.values())

    @property
    def any_(self) -> bool:
        return self.all_ or bool(self.kinds) or bool(self.files)

    def holds(self, fact: FileFacts) -> bool:
        """Whether a document is asked for."""
        return self.all_ or fact.file in self.files or any(kind.holds(fact.path, fact.language) for kind in self.kinds)

    def is_sole(self, fact: FileFacts) -> bool:
        """Whether it is as good as named."""
        return any(kind.sole and kind.holds(fact.path, fact.language) for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known before documents are weighed: `scores` of their runs only where any may be served."""

    question: Question
    weights: Weights
    wanted: _Wanted
    evidence: Evidence
    scores: Scores
    by_words: Mapping[int, frozenset[int]]
    whole: Mapping[int, float]
    likeness: Likeness


def rank_all(question: Question, corpus: Corpus, weights: Weights = MEASURED) -> Ranked:
    """Source, and among it by their weight the documents that the question asks for, or any where no source is found;
    the heaviest of the others are aside. Ties by path and place."""
    ranked = rank(question, corpus, weights)
    named, alone = _named(question, corpus), _alone(question, corpus, weights)
    wanted = _Wanted(named, kinds_asked(question.text), alone, not ranked.files)
    found = _find(question, corpus, wanted, weights)
    heaviest = sorted(_weighed(found), key=lambda pair: (-pair[1], pair[0].path))
    asked = [(fact, weight) for fact, weight in heaviest if wanted.holds(fact)][:MOST_FILES]
    aside = [(fact, weight) for fact, weight in heaviest if not wanted.holds(fact)]
    aside = sorted(aside, key=lambda pair: pair[0].file not in wanted.alone)[:MOST_ASIDE]
    marks = corpus.documents.marks(fact.file for fact, _ in asked)
    served = (_ranked_file(found, fact, weight, marks.get(fact.file, ())) for fact, weight in asked)
    files = sorted([*ranked.files, *served], key=lambda file: (-file.weight, file.path))[:MOST_FILES]
    behind = tuple(_ranked_file(found, fact, weights.document * weight, ()) for fact, weight in aside)
    missing = tuple(each for each in ranked.missing if not any(path.endswith(each.name) for path in wanted.named))
    return replace(ranked, files=tuple(files), aside=behind, missing=missing)


def _named(question: Question, corpus: Corpus) -> dict[str, frozenset[int]]:
    """The documents that the question's paths name, where those name no source; of several the one at that very
    path."""
    found = {}
    for path in question.paths:
        files = () if corpus.files_named(path) else corpus.documents.files_named(path)[:MOST_OF_A_NAME]
        facts = corpus.documents.facts(files)
        exact = [file for file in files if facts[file].path.lower() == path.lower()]
        if files:
            found[path] = frozenset(exact or files)
    return found


def _alone(question: Question, corpus: Corpus, weights: Weights) -> frozenset[int]:
    """The documents with a word that no source has, as "ruff" is said of a project's settings and of nothing else; of a
    word in many documents none."""
    found: set[int] = set()
    for term in question.terms:
        if question.weight(term, weights.order) == 1 and len(term) >= LEAST_ALONE and not corpus.postings(term):
            postings = corpus.documents.postings(term)
            found |= {posting.file for posting in postings} if len(postings) <= MOST_ALONE else set()
    return frozenset(found)


def _find(question: Question, corpus: Corpus, wanted: _Wanted, weights: Weights) -> _Found:
    evidence = _gather(question, corpus, wanted, weights)
    scores = symbol_scores(evidence, weights) if wanted.any_ else {}
    by_words = {file: frozenset(here) for file, here in scores.items()}
    spread(scores, evidence.facts, weights)
    listed = (evidence.facts[file] for file in sorted(wanted.files))
    add(scores, (((fact.file, at), weights.listed) for fact in listed for at in range(len(fact.lengths))))
    whole = file_scores(evidence, weights)
    return _Found(question, weights, wanted, evidence, scores, by_words, whole, Likeness(evidence, weights))


def _gather(question: Question, corpus: Corpus, wanted: _Wanted, weights: Weights) -> Evidence:
    """What the index knows of the question's words in documents. Where these are weighed against source, a word is as
    rare as it is in both together."""
    shelf = corpus.documents
    says = {term: question.weight(term, weights.order) for term in question.terms}
    for kind in wanted.kinds:  # that a document is one of many says little for it
        says |= dict.fromkeys(terms(kind.words), 1.0 if kind.sole else weights.order)
    postings = {term: shelf.postings(term) for term in says}
    facts = shelf.facts(candidates(postings, MOST_CANDIDATES) | wanted.files)
    if not wanted.any_ or wanted.all_ or not facts:
        return Evidence(shelf.totals(), says, postings, {}, facts)
    both: dict[str, list[Posting]] = {term: [*postings[term], *corpus.postings(term)] for term in says}
    return Evidence(_sum(shelf.totals(), corpus.totals()), says, both, {}, facts)


def _sum(one: Totals, two: Totals) -> Totals:
    return Totals(one.files + two.files, one.symbols + two.symbols, one.terms + two.terms)


def _weighed(found: _Found) -> list[tuple[FileFacts, float]]:
    weighed = ((fact, _weight(found, fact)) for fact in found.evidence.facts.values())
    return [(fact, weight) for fact, weight in weighed if weight]


def _weight(found: _Found, fact: FileFacts) -> float:
    """As source is weighed: the best runs, each next one for less, and the text as a whole; then the path, and what it
    is for."""
    weights = found.weights
    best = nlargest(MOST_COUNTED, found.scores.get(fact.file, {}).values())
    weight = sum(score * weights.fade**place for place, score in enumerate(best))
    weight += weights.whole * found.whole.get(fact.file, 0.0)
    weight *= path_factor(fact.path, found.likeness, weights)
    named = fact.file in found.wanted.files
    if named or found.wanted.is_sole(fact):
        weight = max(weight, 1.0) * weights.file_named
    return weight if named else weight * role_factor(fact.role, found.question, False, weights)


def _ranked_file(found: _Found, fact: FileFacts, weight: float, marks: Sequence[Mark]) -> RankedFile:
    scored = sorted(found.scores.get(fact.file, {}).items(), key=lambda pair: (-pair[1], pair[0]))
    base = found.weights.own_file * found.whole.get(fact.file, 0.0)
    ranked = (
        RankedSymbol(at, "", marks[at].start, score + base, _why(found, fact, at), marks[at].line)
        for at, score in scored[:MOST_SYMBOLS]
        if at < len(marks)
    )
    named = fact.file in found.wanted.files or found.wanted.is_sole(fact)
    return RankedFile(fact.path, fact.role, weight, _reasons(found, fact), tuple(ranked), named)


def _why(found: _Found, fact: FileFacts, at: int) -> tuple[Reason, ...]:
    reasons = (
        (Reason.FILE_NAMED, fact.file in found.wanted.files),
        (Reason.WORDS, at in found.by_words.get(fact.file, ())),
    )
    return tuple(reason for reason, holds in reasons if holds) or (Reason.NEIGHBOUR,)


def _reasons(found: _Found, fact: FileFacts) -> tuple[Reason, ...]:
    reasons = (
        (Reason.FILE_NAMED, fact.file in found.wanted.files),
        (Reason.WORDS, fact.file in found.whole),
        (Reason.DOCUMENT, True),
        (Reason.ALONE, fact.file in found.wanted.alone),
        (Reason.TEST, bool(fact.role & Role.TEST)),
        (Reason.SAMPLE, bool(fact.role & Role.SAMPLE)),
        (Reason.GENERATED, bool(fact.role & Role.GENERATED)),
    )
    return tuple(reason for reason, holds in reasons if holds)
