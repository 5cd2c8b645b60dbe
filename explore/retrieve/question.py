"""A question read: its terms, and the names and files it spells out; it looks nothing up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import xxhash

from explore.retrieve.words import term_of, words

LONGEST_NORMALISED: Final = 400
MOST_CHARACTERS: Final = 20_000
MOST_TERMS: Final = 48
MOST_NAMES: Final = 24
"""What of a question counts; a longer one is a paste, and its beginning stands for it."""

_COMMON: Final = frozenset(
    "a an and any are as at be been but by can do does each else for from get give had has have how i if implement"
    " implemented in into involved is it its like me my not of on or other our out over should show so such than that"
    " the their them then there these they this those to up us use used uses using via was we were what when where"
    " which while who why will with within without work works would you your also only instead some about".split()
)
"""Words that name nothing in code."""

_JOINING: Final = frozenset(
    "a an and are by do does from how in into is of on or reach reaches the through to via what where which who".split()
)
"""Words that stand between the names of a short question."""

_ORDERS: Final = frozenset(
    term_of(word)
    for word in (
        "add allow avoid better call called caller callers change cleanup correct document drop enhance ensure expose"
        " fix fixed guard handle implement improve instead limit make missing modernize move optimize prevent refactor"
        " reject remove rename replace review rewrite simplify skip support update upgrade use used using"
    ).split()
)
"""Words that say what to do with code, and little of where it is."""

_TEST_WORDS: Final = frozenset({"test", "spec", "fixture", "mock", "unittest"})
_GENERATED_WORD: Final = term_of("generated")
_IDENTIFIER: Final = re.compile(r"[$#~]?[^\W\d][\w$]*(?:(?:\.|::|->|#)[~$#]?[^\W\d][\w$]*)*[!?]?")
_WORD: Final = re.compile(r"\w+")
_JOINT: Final = re.compile(r"\.|::|->|#")
_PATH: Final = re.compile(r"[\w.@~+$\[\]-]*(?:[/\\][\w.@~+$\[\]-]+)+|[\w.$\[\]-]*[\w\]]\.[A-Za-z]\w{0,3}\b")
_QUOTED_PATH: Final = re.compile(r"`([^`\n]*[^`\n\s](?:[/\\][^`\n/\\]+|\.[A-Za-z]\w{0,3}))`")
_GOES_ON: Final = re.compile(r"[^\s(*&\"'\[</,\\]$")
"""What stands before a word that is a part of something else."""

_BEGINS: Final = re.compile(r"(?:^|[.?!:] )$")
"""What stands before the first word of a sentence."""
_LONGEST_NAME: Final = 300
"""Characters of a word that count; the patterns, which start anew at each letter, would be long over longer ones."""

_QUOTED: Final = re.compile(r"`([^`\n]{1,200})`")
_SHORT_QUESTION: Final = 3
"""Words of a question up to which each may be a name."""


@dataclass(frozen=True, slots=True)
class Question:
    """`terms` in the order of the question; `names` as spelled; `paths` as spelled, with `/`; `proper`: words with a
    capital where a sentence has none, which name something only in that spelling. `tests` and `generated`: whether it
    asks for such files. `words` are all of it, in lower case."""

    text: str
    terms: tuple[str, ...]
    names: tuple[str, ...]
    paths: tuple[str, ...]
    tests: bool = False
    generated: bool = False
    proper: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()

    def weight(self, term: str, order: float) -> float:
        """How much a term counts: `order` where it is one, else 1."""
        return order if term in _ORDERS else 1.0

    @property
    def symbols(self) -> tuple[str, ...]:
        """What may be the name of a symbol: the names but for what joins them; where there are not two, also what only
        has a capital."""
        names = tuple(name for name in self.names if name not in _JOINING)
        return names if len(names) > 1 else tuple(dict.fromkeys((*names, *self.proper)))

    @property
    def normalised(self) -> str:
        """The words, without what stands between them; of many the beginning and a digest. Questions whose words differ
        in case alone are the same."""
        words = " ".join(self.text.split())
        if len(words) <= LONGEST_NORMALISED:
            return words
        return f"{words[:LONGEST_NORMALISED]}... {xxhash.xxh3_128_hexdigest(words.lower().encode('utf-8', 'replace'))}"


def read_question(text: str) -> Question:
    """Reads a question, or a bag of names; of a very long one the beginning."""
    spoken = text.split(maxsplit=MOST_CHARACTERS // 2)
    text = " ".join(word[:_LONGEST_NAME] for word in spoken)[:MOST_CHARACTERS]
    terms = _terms(text)
    paths = dict.fromkeys(path.replace("\\", "/") for path in [*_QUOTED_PATH.findall(text), *_PATH.findall(text)])
    return Question(
        text=text,
        terms=terms,
        names=tuple(dict.fromkeys(_names(text)))[:MOST_NAMES],
        paths=tuple(paths)[:MOST_NAMES],
        tests=not _TEST_WORDS.isdisjoint(terms),
        generated=_GENERATED_WORD in terms,
        proper=tuple(dict.fromkeys(_proper(text)))[:MOST_NAMES],
        words=frozenset(_WORD.findall(text.lower())),
    )


def _terms(text: str) -> tuple[str, ...]:
    """The terms that say something; where none does, all."""
    spoken = words(text)
    telling = [word for word in spoken if word.lower() not in _COMMON]
    found = _stemmed(telling) or _stemmed(spoken)
    return tuple(found)[:MOST_TERMS]


def _stemmed(spoken: list[str]) -> list[str]:
    return [term for term in dict.fromkeys(map(term_of, spoken)) if term]


def _names(text: str) -> Iterator[str]:
    """Identifiers that are not plain words: by their case, underscores, dots, back-quotes or parentheses. In a
    question of a word or three, each word may be one."""
    quoted = {name for quote in _QUOTED.findall(text) for name in _IDENTIFIER.findall(quote)}
    short = len(text.split()) <= _SHORT_QUESTION
    for match in _IDENTIFIER.finditer(text):
        name = match[0] if short else match[0].rstrip("!?")
        called = text[match.end() : match.end() + 1] == "("
        if short or called or match[0] in quoted or looks_spelled(name):
            yield name
            if name != match[0]:  # a sentence may end there, and so may a name
                yield match[0]


def _proper(text: str) -> Iterator[str]:
    """Words with a capital that no sentence gives them; of a sentence's first words those that are neither common nor
    orders. Words of nothing but capitals are mostly no names (URL, JSON), and cost recall where they are taken for one.
    """
    for match in _IDENTIFIER.finditer(text):
        name, before = match[0].rstrip("!?"), text[max(0, match.start() - 2) : match.start()]
        if len(name) < 3 or not name.isidentifier() or not name[0].isupper() or _GOES_ON.search(before):
            continue
        plain = name.lower() in _COMMON or term_of(name) in _ORDERS
        capital = name[1:] == name[1:].lower() and not (plain and _BEGINS.search(before))
        if capital and text[match.end() : match.end() + 1] != "-":
            yield name


def looks_spelled(name: str) -> bool:
    """Whether no plain word is written so: `snake_case`, `camelCase`, `dotted.name`, `HTTPError`."""
    mixed = any(letter.isupper() for letter in name[1:]) and any(letter.islower() for letter in name)
    return mixed or "_" in name.strip("_") or name[:1] in "$#~" or _JOINT.search(name) is not None
