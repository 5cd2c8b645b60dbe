"""Question to ranked files and symbols: what their words, names, paths and neighbours say for them.

Pure over the `Corpus`. It renders nothing and knows no sizes in bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from explore.calls.graph import Graph
from explore.calls.names import the_one
from explore.calls.trace import trace
from explore.calls.users import MOST_COUNTED as MOST_USERS
from explore.calls.users import users_of
from explore.model.calls import Missing, Traced, Users
from explore.model.corpus import Corpus, FileFacts, Mark
from explore.model.ranked import Ranked, RankedFile, RankedSymbol, Reason
from explore.model.source import BODIES, CONTAINERS, Kind, Role
from explore.retrieve.evidence import Evidence, gather
from explore.retrieve.missing import find_missing
from explore.retrieve.paths import Likeness, is_elsewhere, path_factor
from explore.retrieve.question import Question, looks_spelled
from explore.retrieve.score import Scores, add, file_scores, spread, symbol_scores
from explore.retrieve.spelled import Place, Spelled, find_spelled
from explore.retrieve.weights import MEASURED, Weights

MOST_FILES: Final = 40
MOST_SYMBOLS: Final = 60
"""What is handed on, and of each file; more is never shown."""

MOST_NAMED: Final = 2
"""Named symbols whose users are told."""

MOST_USERS_OF_FOUND: Final = 12
"""Uses of a name that are looked at where the question names no symbol, so that the best one is only a guess."""

_USED: Final = BODIES | CONTAINERS - {Kind.MODULE}

MOST_COUNTED: Final = 12
"""Symbols that count for their file; past these the fade leaves nothing."""


_BY_WORDS: Final = (Reason.WORDS,)
_BESIDE: Final = (Reason.NEIGHBOUR,)


@dataclass(frozen=True, slots=True)
class _Found:
    """All that is known before files are weighed; `by_words` are the symbols that hold a word themselves, `named` and
    `on_path` the files with symbols that the question names, and with those on a path between them."""

    question: Question
    weights: Weights
    evidence: Evidence
    spelled: Spelled
    scores: Scores
    by_words: Mapping[int, frozenset[int]]
    whole: Mapping[int, float]
    traced: Traced
    graph: Graph
    named: frozenset[int]
    on_path: frozenset[int]

    def fact(self, file: int) -> FileFacts:
        return self.evidence.facts[file]


def rank(question: Question, corpus: Corpus, weights: Weights = MEASURED) -> Ranked:
    """The files that answer, the heaviest first, each with its symbols; ties by path and place."""
    found = _find(question, corpus, weights)
    files = _file_weights(found)
    chosen = sorted(files, key=lambda file: (-files[file], found.fact(file).path))[:MOST_FILES]
    marks = corpus.marks(chosen)
    ranked_files = tuple(_ranked_file(found, file, files[file], marks.get(file, ())) for file in chosen)
    users = tuple(_users(found, ranked_files, corpus))
    return Ranked(ranked_files, question.terms, tuple(_missing(found, corpus)), found.traced, users)


def _find(question: Question, corpus: Corpus, weights: Weights) -> _Found:
    spelled = find_spelled(question, corpus, weights)
    graph = Graph(corpus)
    traced = trace(question.text, question.symbols, graph, corpus, spelled.files)
    named = frozenset(file for file, _ in spelled.places)
    on_path = frozenset(file for file, _ in traced.places)
    evidence = gather(question, corpus, weights, spelled.files | named | on_path)
    scores = symbol_scores(evidence, weights)
    add(scores, evidence.held.items())
    by_words = {file: frozenset(here) for file, here in scores.items()}
    add(scores, [*_named_gains(spelled, scores, weights)])
    add(scores, [*_path_gains(traced, spelled, scores, weights)])
    spread(scores, evidence.facts, weights)
    add(scores, _listed_gains(spelled.files, corpus, weights))
    whole = file_scores(evidence, weights)
    return _Found(question, weights, evidence, spelled, scores, by_words, whole, traced, graph, named, on_path)


def _missing(found: _Found, corpus: Corpus) -> Iterator[Missing]:
    """The names that are not there; those of files that are there can have none."""
    names = filter(looks_spelled, found.question.names)
    names_of_none = [n for n in names if not any(path.endswith(n) for path in found.spelled.paths)]
    return find_missing(names_of_none, found.evidence.postings, corpus)


def _users(found: _Found, files: tuple[RankedFile, ...], corpus: Corpus) -> Iterator[Users]:
    """Who uses the symbols that the question names; where it names none, the best one."""
    names, most = found.question.symbols, MOST_USERS
    meant = [the_one(name, found.graph.types, found.spelled.files) for name in names]
    if not names and files and files[0].symbols:
        number = next(file for file, fact in found.evidence.facts.items() if fact.path == files[0].path)
        meant, most = [corpus.symbol_at(number, files[0].symbols[0].ordinal)], MOST_USERS_OF_FOUND
    main = [s for s in dict.fromkeys(meant) if s and s.kind in _USED and not s.aside][:MOST_NAMED]
    yield from filter(None, (users_of(symbol, corpus, found.graph, most) for symbol in main))


def _path_gains(traced: Traced, spelled: Spelled, scores: Scores, weights: Weights) -> Iterator[tuple[Place, float]]:
    """What symbols on a path between named ones gain, besides those."""
    best = max((max(here.values()) for here in scores.values()), default=0.0)
    for place in sorted(traced.places - spelled.places.keys()):
        yield place, weights.on_path * (weights.named + weights.named_best * best)


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
    best = sorted(found.scores.get(file, {}).values(), reverse=True)[:MOST_COUNTED]
    weight = sum(score * weights.fade**place for place, score in enumerate(best))
    weight += weights.whole * found.whole.get(file, 0.0)
    weight *= path_factor(fact.path, likeness, weights)
    if file in found.spelled.files:
        return max(weight, 1.0) * weights.file_named
    if file in found.on_path:
        weight *= weights.path_file
    weight *= 1 + weights.names_file * found.spelled.sure.get(file, 0.0) ** 2
    if is_elsewhere(fact.path, found.question.words):
        weight *= weights.elsewhere
    return weight * role_factor(fact.role, found.question, file in found.named, weights)


def role_factor(role: Role, question: Question, names_it: bool, weights: Weights) -> float:
    """What the file is for takes from its weight, unless the question asks for such files; who spells out a generated
    symbol means it."""
    if role is Role.SOURCE:
        return 1.0
    factor = 1.0
    if role & Role.TEST and not question.tests:
        factor *= weights.test
    if role & Role.SAMPLE:
        factor *= weights.sample
    if role & Role.GENERATED and not (question.generated or names_it):
        factor *= weights.generated
    return factor


def _ranked_file(found: _Found, file: int, weight: float, marks: Sequence[Mark]) -> RankedFile:
    named = file in found.spelled.files or file in found.named
    scored = sorted(found.scores.get(file, {}).items(), key=lambda pair: (-pair[1], pair[0]))
    base = found.weights.own_file * found.whole.get(file, 0.0)
    ranked = (
        _ranked_symbol(ordinal, marks[ordinal], score + base, _symbol_reasons(found, file, ordinal))
        for ordinal, score in scored[:MOST_SYMBOLS]
        if ordinal < len(marks)
    )
    fact = found.fact(file)
    return RankedFile(
        fact.path, fact.role, weight, _file_reasons(found, file), tuple(ranked), named, file in found.on_path
    )


def _ranked_symbol(ordinal: int, mark: Mark, weight: float, reasons: tuple[Reason, ...]) -> RankedSymbol:
    return RankedSymbol(ordinal, mark.qualified, mark.start, weight, reasons, mark.line)


def _symbol_reasons(found: _Found, file: int, ordinal: int) -> tuple[Reason, ...]:
    by_words = ordinal in found.by_words.get(file, ())
    if not (found.spelled.places or found.spelled.files or found.on_path):  # most questions name nothing
        return _BY_WORDS if by_words else _BESIDE
    place = file, ordinal
    reasons = (
        (Reason.NAMED, place in found.spelled.places),
        (Reason.LINKED, place in found.spelled.members),
        (Reason.ON_PATH, file in found.on_path and place in found.traced.places),
        (Reason.FILE_NAMED, file in found.spelled.files),
        (Reason.WORDS, by_words),
    )
    return tuple(reason for reason, holds in reasons if holds) or _BESIDE


def _file_reasons(found: _Found, file: int) -> tuple[Reason, ...]:
    role = found.fact(file).role
    reasons = (
        (Reason.FILE_NAMED, file in found.spelled.files),
        (Reason.NAMED, file in found.named),
        (Reason.ON_PATH, file in found.on_path),
        (Reason.WORDS, file in found.by_words),
        (Reason.TEST, bool(role & Role.TEST)),
        (Reason.SAMPLE, bool(role & Role.SAMPLE)),
        (Reason.GENERATED, bool(role & Role.GENERATED)),
    )
    return tuple(reason for reason, holds in reasons if holds)
