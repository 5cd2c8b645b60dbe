"""Names that a question spells out and that are not there, each with the names nearest to it. None of those takes the
place of what was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from explore.calls.types import Types
from explore.model.calls import Missing
from explore.model.corpus import Corpus, Located, Posting
from explore.model.source import CONTAINERS
from explore.retrieve.words import terms

MOST_READ: Final = 12
"""Files that are read to see whether a name stands in them; where more might hold it, nothing is said."""

MOST_NEAR: Final = 3
LEAST_NEAR: Final = 4
"""Letters of a name from which on others are near it."""

TWO_FROM: Final = 6
"""Letters from which on two may differ."""

_JOINT: Final = re.compile(r"\.|::|->|#")
_LONGEST: Final = 60


def find_missing(names: Sequence[str], postings: Mapping[str, Sequence[Posting]], corpus: Corpus) -> Iterator[Missing]:
    """Of these names those that no symbol has and that stand nowhere in the source; of a type's members those that
    neither it nor what it inherits has."""
    types = Types(corpus)
    for name in names:
        *around, last = [part.strip("$#~@!?") for part in _JOINT.split(name)]
        if not last:
            continue
        if any(term in postings and not postings[term] for term in terms(name)) or _is_nowhere(last, corpus):
            yield Missing(name, tuple(_near(last, around[-1:], corpus)))
        elif around and (owner := _lacking(around[-1], last, types, corpus)):
            yield Missing(name, tuple(_near(last, [owner.name], corpus)))


def _is_nowhere(name: str, corpus: Corpus) -> bool:
    """Whether no symbol has a name, and no file that has its words in one symbol has it either."""
    if corpus.defined(name):
        return False
    places: set[tuple[int, int]] | None = None
    for term in dict.fromkeys(terms(name)):
        here = {(p.file, at) for p in corpus.postings(term) for at in list(p.hits)[::2]}
        places = here if places is None else places & here
    files = sorted({file for file, _ in places or ()})
    if places is None or len(files) > MOST_READ:
        return False
    paths = [fact.path for fact in corpus.facts(files).values()]
    return not any(_holds(source.lines, name) for source in corpus.sources(paths).values())


def _holds(lines: Sequence[str], name: str) -> bool:
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return any(whole.search(line) for line in lines)


def _lacking(owner: str, name: str, types: Types, corpus: Corpus) -> Located | None:
    """The type of this name, where there is one and neither it nor what it inherits knows the member; None also where
    some of that is not in the project."""
    owners = [s for s in types.named(owner) if s.kind in CONTAINERS and not s.aside]
    if len(owners) != 1 or (of := types.meant(owners[0].qualified, owners[0])) is None or not types.is_closed(of):
        return None
    every = (of, *types.above(of), *types.below(of))
    if any(types.members(one, name) for one in every):
        return None
    paths = sorted({s.path for one in every for s in one.symbols})
    if len(paths) > MOST_READ or any(_holds(source.lines, name) for source in corpus.sources(paths).values()):
        return None
    return owners[0]


def _near(name: str, owners: Sequence[str], corpus: Corpus) -> Iterator[tuple[str, str, int]]:
    """Symbols with nearly this name: those of the owners first, then by how near, by name and by place."""
    ranked = []
    for other in _candidates(name.lower(), corpus):
        if (distance := _distance_to(name.lower(), other)) is None:
            continue
        for file, ordinal in corpus.defined(other)[:MOST_READ]:
            if symbol := corpus.symbol_at(file, ordinal):
                inside = any(part in owners for part in symbol.qualified.split(".")[:-1])
                ranked.append((not inside, distance, symbol.aside, other, symbol.path, symbol.line, symbol.qualified))
    shown: set[str] = set()
    for *_, path, line, qualified in sorted(ranked)[:MOST_READ]:
        if qualified not in shown and len(shown) < MOST_NEAR and (now := _line_now(qualified, path, line, corpus)):
            shown.add(qualified)
            yield qualified, path, now


def _line_now(qualified: str, path: str, line: int, corpus: Corpus) -> int | None:
    """Where a symbol stands in its file as it is on disk; None where it does not any more."""
    source = corpus.sources([path]).get(path)
    if source is None or source.as_indexed:
        return line if source else None
    lines = (symbol.line for symbol in source.symbols if symbol.qualified == qualified)
    return min(lines, key=lambda at: abs(at - line), default=None)


def _candidates(name: str, corpus: Corpus) -> set[str]:
    """Names that share a part with this one that two changes must leave whole, or that go on where it ends."""
    if not LEAST_NEAR <= len(name) <= _LONGEST:
        return set()
    pieces = 3 if len(name) >= 9 else 2
    size = max(len(name) // pieces, 3)
    parts = {name[at : at + size] for at in range(0, len(name) - size + 1, size)} | {name[-size:]}
    near = {other for part in sorted(parts) for other in corpus.names_near(part, len(name) - 2, len(name) + 2)}
    return near | set(corpus.names_near(name[:size], len(name), len(name) * 3))


def _distance_to(name: str, other: str) -> tuple[int, int] | None:
    """How far another name is: the letters that differ, and whether it goes on; None where it is not near."""
    most = 2 if len(name) >= TWO_FROM else 1
    if other == name:
        return 0, 0
    if (apart := _apart(name, other, most)) <= most:
        return apart, 0
    begins = min(_apart(name, other[:end], most) for end in (len(name) - 1, len(name), len(name) + 1))
    return (begins, 1) if begins <= most and len(name) >= TWO_FROM else None


def _apart(one: str, two: str, most: int) -> int:
    """Letters to change, add, leave out or swap with the next to make one word of the other; more than `most` where it
    is more."""
    if abs(len(one) - len(two)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(two, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == two[j - 2] and one[i - 2] == b:
                row[j] = min(row[j], older[j - 2] + 1)
        if min(row) > most:
            return most + 1
    return row[-1]
