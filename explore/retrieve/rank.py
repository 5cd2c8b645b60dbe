"""Question to ranked files and symbols: BM25 over symbols' own lines, with what their names, files and neighbours add.

Pure over the `Corpus`. It renders nothing and knows no sizes in bytes.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from explore.model.corpus import COUNT_MASK, IN_HEAD, IN_NAME, IN_SCOPE, Corpus, FileFacts, Posting, Totals
from explore.model.ranked import Ranked, RankedFile, RankedSymbol, Reason
from explore.model.source import Role, Symbol
from explore.retrieve.question import Question
from explore.retrieve.words import terms


@dataclass(frozen=True, slots=True)
class Weights:
    """The figures of ranking. Each was measured on the two benchmarks; see `benchmarks/`."""

    k1: float = 1.2
    b: float = 0.4
    name: float = 4.0
    scope: float = 1.0
    head: float = 0.0
    path: float = 0.0
    beside: float = 0.1
    file: float = 0.15
    fade: float = 0.5
    file_name: float = 0.5
    test: float = 0.2
    sample: float = 0.5
    generated: float = 0.2
    named: float = 6.0
    file_named: float = 3.0
    linked: float = 0.0
    link_seeds: int = 8
    size: float = 0.0
    folder: float = 0.5
    whole: float = 2.0
    order: float = 0.4
    file_b: float = 0.75


MOST_FILES: Final = 40
MOST_SYMBOLS: Final = 60
"""What is handed on: more is never shown."""

Scores = dict[int, dict[int, float]]


def rank(question: Question, corpus: Corpus, weights: Weights = Weights()) -> Ranked:
    totals = corpus.totals()
    postings = {term: corpus.postings(term) for term in question.terms}
    facts = corpus.facts({posting.file for found in postings.values() for posting in found})
    names, missing = _named(question, corpus)
    named_files = _named_files(question, corpus)
    more = ({file for file, _ in names} | named_files) - facts.keys()
    facts = {**facts, **corpus.facts(more)}
    scores = _symbol_scores(question, postings, facts, totals, weights)
    whole = _file_scores(question, postings, facts, totals, weights)
    for (file, ordinal), worth in names.items():
        scores[file][ordinal] = scores[file].get(ordinal, 0.0) + weights.named * worth
    _spread(scores, facts, weights)
    files = _file_weights(
        question,
        scores,
        whole,
        facts,
        named_files,
        weights,
        {t: _idf(totals.files, len(p)) for t, p in postings.items()},
    )
    chosen = sorted(files, key=lambda file: (-files[file], facts[file].path))[:MOST_FILES]
    symbols = corpus.symbols(chosen)
    return Ranked(
        tuple(
            _ranked_file(
                facts[file],
                files[file],
                scores[file],
                symbols.get(file, ()),
                whole.get(file, 0.0),
                file in named_files,
                {o for f, o in names if f == file},
                weights,
            )
            for file in chosen
        ),
        question.terms,
        missing,
    )


def _named(question: Question, corpus: Corpus) -> tuple[dict[tuple[int, int], float], tuple[str, ...]]:
    found: dict[tuple[int, int], float] = {}
    missing = []
    for name in question.names:
        last = name.replace("::", ".").replace("->", ".").replace("#", ".").split(".")[-1]
        places = corpus.defined(last)
        if not places:
            missing.append(name)
        share = 1 / math.sqrt(len(places)) if places else 0.0
        for place in places[:200]:
            found[place] = max(found.get(place, 0.0), share)
    return found, tuple(missing)


def _named_files(question: Question, corpus: Corpus) -> set[int]:
    return {file for path in question.paths for file in corpus.files_named(path)}


def _idf(documents: int, holding: int) -> float:
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))


def _symbol_scores(
    question: Question,
    postings: Mapping[str, list[Posting]],
    facts: Mapping[int, FileFacts],
    totals: Totals,
    weights: Weights,
) -> Scores:
    mean = totals.terms / totals.symbols if totals.symbols else 1.0
    scores: Scores = defaultdict(dict)
    for term, found in postings.items():
        idf = _idf(totals.symbols, sum(len(posting.hits) // 2 for posting in found)) * question.weight(
            term, weights.order
        )
        for posting in found:
            fact = facts.get(posting.file)
            if fact is None:
                continue
            lengths, here, hits = fact.lengths, scores[posting.file], posting.hits
            path = weights.path if term in _path_terms(fact.path) else 0.0
            for at in range(0, len(hits), 2):
                ordinal, how = hits[at], hits[at + 1]
                count = (how & COUNT_MASK) + path
                if how & IN_NAME:
                    count += weights.name
                if how & IN_SCOPE:
                    count += weights.scope
                if how & IN_HEAD:
                    count += weights.head
                norm = weights.k1 * (1 - weights.b + weights.b * lengths[ordinal] / mean)
                here[ordinal] = here.get(ordinal, 0.0) + idf * count * (weights.k1 + 1) / (count + norm)
    return scores


def _file_scores(
    question: Question,
    postings: Mapping[str, list[Posting]],
    facts: Mapping[int, FileFacts],
    totals: Totals,
    weights: Weights,
) -> dict[int, float]:
    mean = totals.terms / totals.files if totals.files else 1.0
    scores: dict[int, float] = defaultdict(float)
    for term, found in postings.items():
        idf = _idf(totals.files, len(found)) * question.weight(term, weights.order)
        for posting in found:
            fact = facts.get(posting.file)
            if fact is None:
                continue
            count = sum(how & COUNT_MASK for how in posting.hits[1::2])
            norm = weights.k1 * (1 - weights.file_b + weights.file_b * sum(fact.lengths) / mean)
            scores[posting.file] += idf * count * (weights.k1 + 1) / (count + norm)
    return scores


def _path_terms(path: str) -> frozenset[str]:
    return frozenset(terms(path))


def _spread(scores: Scores, facts: Mapping[int, FileFacts], weights: Weights) -> None:
    """A share of each symbol's score goes to the symbols directly before and after it."""
    for file, here in scores.items():
        last = len(facts[file].lengths) - 1
        gains: dict[int, float] = defaultdict(float)
        for ordinal, score in here.items():
            for beside in (ordinal - 1, ordinal + 1):
                if 0 <= beside <= last:
                    gains[beside] += weights.beside * score
        for ordinal, gain in gains.items():
            here[ordinal] = here.get(ordinal, 0.0) + gain


def _file_weights(
    question: Question,
    scores: Scores,
    whole: Mapping[int, float],
    facts: Mapping[int, FileFacts],
    named: set[int],
    weights: Weights,
    idfs,
) -> dict[int, float]:
    found = {}
    asked = set(question.terms)
    for file in scores.keys() | named:
        fact = facts[file]
        best = sorted(scores.get(file, {}).values(), reverse=True)[:12]
        weight = sum(score * weights.fade**rank for rank, score in enumerate(best))
        weight += weights.whole * whole.get(file, 0.0)
        folders, _, name = fact.path.rpartition("/")
        base, around = set(terms(name.rsplit(".", 1)[0])), set(terms(folders))
        if base:
            weight *= 1 + weights.file_name * sum(question.weight(t, weights.order) for t in base & asked) / len(base)
        if around and asked:
            weight *= 1 + weights.folder * sum(
                idfs[t] * question.weight(t, weights.order) for t in around & asked - base
            ) / sum(idfs[t] * question.weight(t, weights.order) for t in asked)
        if file in named:
            weight = max(weight, 1.0) * weights.file_named
        else:
            weight *= _role_factor(fact.role, question, weights)
        found[file] = weight
    return found


def _role_factor(role: Role, question: Question, weights: Weights) -> float:
    factor = 1.0
    if role & Role.TEST and not question.tests:
        factor *= weights.test
    if role & Role.SAMPLE:
        factor *= weights.sample
    if role & Role.GENERATED and not question.generated:
        factor *= weights.generated
    return factor


def _ranked_file(
    fact: FileFacts,
    weight: float,
    scores: Mapping[int, float],
    symbols: tuple[Symbol, ...],
    whole: float,
    named: bool,
    names: set[int],
    weights: Weights,
) -> RankedFile:
    found = []
    for ordinal, score in scores.items():
        if ordinal < len(symbols):
            symbol = symbols[ordinal]
            found.append(
                RankedSymbol(
                    ordinal,
                    symbol.qualified,
                    symbol.span.start,
                    score + weights.file * whole,
                    (Reason.NAMED,) if ordinal in names else (Reason.WORDS,),
                )
            )
    found.sort(key=lambda s: (-s.weight, s.ordinal))
    return RankedFile(
        fact.path,
        fact.role,
        weight,
        (Reason.FILE_NAMED,) if named else (Reason.WORDS,),
        tuple(found[:MOST_SYMBOLS]),
        named or bool(names),
    )
