"""Who uses a symbol, counted by file over references that mean it and nothing else. It draws nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from explore.calls.graph import Graph
from explore.calls.types import CONSTRUCTORS, family, scope_of
from explore.model.calls import Users
from explore.model.corpus import MOST_USES, Corpus, Located, Use
from explore.model.source import CONTAINERS, EdgeKind, Role

MOST_COUNTED: Final = 40
"""Uses of a name that are looked at, at up to half a millisecond each; of a name with more it is not said who means
which, but for the one definition of its name: whoever calls that by itself means it."""

_USING: Final = (EdgeKind.CALLS, EdgeKind.DECORATES, EdgeKind.INHERITS, EdgeKind.PASSES)


def users_of(symbol: Located, corpus: Corpus, graph: Graph, most: int = MOST_COUNTED) -> Users | None:
    """The files whose references mean a symbol, but for those inside of it; None where there are none, or where the
    name has more than `most` uses and is that of several, or has as many as are looked up."""
    name = symbol.name
    if name in CONSTRUCTORS.get(family(symbol.language), ()):
        name = scope_of(symbol).rsplit(".", 1)[-1]
    if (uses := _uses(name, corpus)) is None:
        return None
    meaning = _plain_calls(uses, symbol, corpus) if len(uses) > most else _resolved(uses, symbol, graph)
    lines = {(use.user.path, use.reference.line) for use in meaning if _is_outside(use, symbol)}
    counts = Counter(path for path, _ in lines)
    tests = {use.user.path for use in uses if use.user.role & Role.TEST}
    apart = _sorted((path, count) for path, count in counts.items() if path in tests)
    others = _sorted((path, count) for path, count in counts.items() if path not in tests)
    return Users(symbol.qualified, others, apart) if counts else None


def _sorted(counts: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts, key=lambda pair: (-pair[1], pair[0])))


def _is_outside(use: Use, symbol: Located) -> bool:
    return not (use.user.file == symbol.file and symbol.start <= use.reference.line <= symbol.end)


def _uses(name: str, corpus: Corpus) -> list[Use] | None:
    """All uses of a name, where there are too many without those in tests and the like, so that nothing is counted in
    part; None where there are too many still."""
    for aside in (True, False):
        found = [corpus.uses(name, kind, aside=aside) for kind in _USING]
        if all(len(uses) < MOST_USES for uses in found):
            return [use for uses in found for use in uses]
    return None


def _plain_calls(uses: Iterable[Use], symbol: Located, corpus: Corpus) -> Iterator[Use]:
    """Of uses of the only symbol of a name, which is in no other, the calls by that name and on nothing."""
    if symbol.parent is None and len(corpus.located(symbol.name)) == 1:
        calls = (use for use in uses if use.reference.kind is EdgeKind.CALLS and not use.reference.module)
        yield from (use for use in calls if family(use.user.language) == family(symbol.language))


def _resolved(uses: Iterable[Use], symbol: Located, graph: Graph) -> Iterator[Use]:
    """The uses that mean a symbol, each looked at."""
    return (use for use in uses if _means(use, symbol, graph))


def _means(use: Use, symbol: Located, graph: Graph) -> bool:
    kind = use.reference.kind
    if kind is EdgeKind.INHERITS:
        of = graph.types.meant(use.reference.name, use.user) if symbol.kind in CONTAINERS else None
        return of is not None and symbol in of.symbols
    if kind is EdgeKind.PASSES:
        return symbol in graph.meaning.handed_on(use.user, use.reference)
    meant = graph.meaning.called(use.user, use.reference)
    if symbol.kind in CONTAINERS:
        return any(m == symbol or (m.file == symbol.file and scope_of(m) == symbol.qualified) for m in meant)
    return symbol in meant
