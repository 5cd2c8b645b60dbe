"""How far a file's path is what was asked for: the words of its name and of its folders; it reads no index."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Set
from functools import lru_cache
from typing import Final

from explore.retrieve.evidence import Evidence
from explore.retrieve.weights import Weights
from explore.retrieve.words import LEAST_BEGINNING, alike, terms

_NAMED_BY_FOLDER: Final = frozenset({"index", "mod", "__init__", "lib", "main"})
"""Files that stand for their folder, in one language or another, and so are called what it is called."""

_WINDOWS: Final = frozenset({"win", "win32", "win64", "windows", "mingw", "cygwin"})
_PLATFORMS: Final = {
    **dict.fromkeys(_WINDOWS, _WINDOWS),
    **{
        name: frozenset({name})
        for name in ("aix", "haiku", "hpux", "ibmi", "os390", "plan9", "solaris", "sunos", "zos")
    },
}
"""Names in paths of platforms that this program itself does not run on, each with the words that ask for it."""


def is_elsewhere(path: str, asked: Set[str]) -> bool:
    """Whether a file is for another platform than Linux and macOS, and no word that was asked (lower-case) names it."""
    return any(asked_for.isdisjoint(asked) for asked_for in _platforms(path))


@lru_cache(maxsize=1 << 14)
def _platforms(path: str) -> tuple[frozenset[str], ...]:
    parts = re.split(r"[/_.-]", path.lower())
    return tuple(_PLATFORMS[part] for part in parts if part in _PLATFORMS)


def path_factor(path: str, likeness: Likeness, weights: Weights) -> float:
    """What a file's weight is multiplied by for its path: 1 where nothing in it was asked for."""
    name, folders = path_words(path)
    if not name:
        return 1.0
    by_name = sum(likeness.best(word) for word in name) / len(name)
    by_folder = likeness.share(folders, name)
    return (1 + weights.file_name * by_name) * (1 + weights.folder * by_folder)


class Likeness:
    """How much the words of paths are like the terms of one question; each word is compared once."""

    def __init__(self, evidence: Evidence, weights: Weights) -> None:
        self._says = evidence.says
        self._worth = {term: evidence.file_rarity(term) * said for term, said in evidence.says.items()}
        self._sum = sum(self._worth.values()) or 1.0
        self._alike = weights.alike
        self._known: dict[str, Mapping[str, float]] = {}
        self._best: dict[str, float] = {}
        self._said: dict[frozenset[str], Mapping[str, float]] = {}
        self._beginning: dict[str, list[str]] = {}
        for term in evidence.says:
            self._beginning.setdefault(term[:LEAST_BEGINNING], []).append(term)

    def terms(self, word: str) -> Mapping[str, float]:
        """The terms that a word is like, and how much, up to 1."""
        if word not in self._known:
            near = self._beginning.get(word[:LEAST_BEGINNING], ())
            found = ((term, 1.0 if term == word else self._alike * alike(word, term)) for term in near)
            self._known[word] = {term: much for term, much in found if much}
        return self._known[word]

    def best(self, word: str) -> float:
        """The most that a word says of the question."""
        if word not in self._best:
            said = (much * self._says[term] for term, much in self.terms(word).items())
            self._best[word] = max(said, default=0.0)
        return self._best[word]

    def share(self, words: frozenset[str], but: Collection[str]) -> float:
        """The share of the question's worth that words make up, but for these terms."""
        if words not in self._said:
            self._said[words] = self._said_by(words)
        return sum(worth for term, worth in self._said[words].items() if term not in but) / self._sum

    def _said_by(self, words: frozenset[str]) -> Mapping[str, float]:
        """The terms that words are like, and what they say by that."""
        terms = sorted({term for word in words for term in self.terms(word)})
        return {term: self._worth[term] * max(self.terms(word).get(term, 0.0) for word in words) for term in terms}


@lru_cache(maxsize=1 << 14)
def path_words(path: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The terms of a file's name, once each, and those of its folders."""
    folders, _, name = path.rpartition("/")
    base = name.rsplit(".", 1)[0]
    if base.lower() in _NAMED_BY_FOLDER and folders:
        folders, _, base = folders.rpartition("/")
    return tuple(dict.fromkeys(terms(base))), frozenset(terms(folders))
