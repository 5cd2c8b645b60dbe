"""What a file is found by: for each term, how it occurs in each of the file's symbols; it ranks nothing."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from explore.model.corpus import COUNT_MASK, IN_HEAD, IN_NAME, IN_SCOPE
from explore.model.section import LONGEST_LINE
from explore.model.source import Symbol, own_lines
from explore.model.spans import Spans
from explore.retrieve.words import term_of, words

MOST_SYMBOLS: Final = 0xFFFF
"""Symbols of a file past this many are not found by their words."""

MOST_WORDS: Final = 1 << 16
"""Words of which the terms are remembered."""


def postings(symbols: tuple[Symbol, ...], lines: Sequence[str]) -> tuple[dict[str, array[int]], array[int]]:
    """For each term pairs of (ordinal, occurrences) in one flat array of 16-bit numbers, rising; and the number of
    terms in each symbol's own lines. An occurrence is a count of the own lines joined with the flags `IN_NAME`,
    `IN_SCOPE` (a name around it) and `IN_HEAD` (its declaration). Symbols that share a line are counted once."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    lengths = array("H")
    counted: dict[Spans, dict[str, int]] = {}
    for ordinal, (symbol, own) in enumerate(zip(symbols[:MOST_SYMBOLS], own_lines(symbols), strict=False)):
        if own not in counted:
            counted[own] = _counts(own, lines)
        counts = counted[own]
        lengths.append(min(0xFFFF, total := sum(counts.values())))
        if total > COUNT_MASK:
            counts = {term: min(count, COUNT_MASK) for term, count in counts.items()}
        for term, count in counts.items():
            hits = found[term]
            hits.append(ordinal)
            hits.append(count)
        for term, flag in _flags(symbol).items():
            hits = found[term]
            if term in counts:
                hits[-1] |= flag
            else:
                hits += ordinal, flag
    return {term: array("H", hits) for term, hits in found.items()}, lengths


def add_called(found: dict[str, array[int]], called: Iterable[str]) -> None:
    """Lets a document be found by its path, and by what such documents are called: at its first run, as by a name."""
    for term in {_TERMS[word] for text in called for word in words(text)} - {""}:
        hits = found.setdefault(term, array("H"))
        if hits and not hits[0]:
            hits[1] |= IN_NAME
        else:
            found[term] = array("H", (0, IN_NAME)) + hits


class _Terms(dict[str, str]):
    """The term of each word met so far: a file has few words, many times each."""

    def __missing__(self, word: str) -> str:
        if len(self) >= MOST_WORDS:
            self.clear()
        term = self[word] = term_of(word)
        return term


_TERMS: Final = _Terms()


def _counts(own: Spans, lines: Sequence[str]) -> dict[str, int]:
    """How often each term occurs in these lines, as far as they can be shown: what follows in a line is data."""
    text = "\n".join(line[:LONGEST_LINE] for span in own for line in lines[span.start - 1 : span.end])
    counts: dict[str, int] = Counter(map(_TERMS.__getitem__, words(text)))
    counts.pop("", None)
    return counts


def _flags(symbol: Symbol) -> dict[str, int]:
    flags: dict[str, int] = {}
    for text, flag in (
        (symbol.name, IN_NAME),
        (symbol.qualified.removesuffix(symbol.name), IN_SCOPE),
        (symbol.signature if symbol.name else "", IN_HEAD),
    ):
        for term in map(_TERMS.__getitem__, words(text)) if text else ():
            if term:
                flags[term] = flags.get(term, 0) | flag
    return flags
