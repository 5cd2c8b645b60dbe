"""A question read: its terms, and the names and files it spells out; it looks nothing up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from explore.retrieve.words import term_of, words

MOST_TERMS: Final = 48
"""Terms of a question that count; a longer one is a paste, and its first terms stand for it."""

MOST_CHARACTERS: Final = 20_000

_COMMON: Final = frozenset(
    "a an and any are as at be been but by can do does each else for from get give had has have how i if implement"
    " implemented in into involved is it its like me my not of on or other our out over should show so such than that"
    " the their them then there these they this those to up us use used uses using via was we were what when where"
    " which while who why will with within without work works would you your also only instead some about".split()
)
_ORDERS: Final = frozenset(
    term_of(word)
    for word in "add allow avoid change cleanup correct document drop enhance ensure fix fixed handle implement improve"
    " make modernize move optimize refactor reject remove rename replace review rewrite simplify support update upgrade"
    " use using used guard limit prevent expose skip better missing instead".split()
)
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*(?:(?:\.|::|->|#)[^\W\d]\w*)*[!?]?")
_PATH: Final = re.compile(r"[\w.@~+-]*(?:[/\\][\w.@~+-]+)+|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,3}\b")
_QUOTED: Final = re.compile(r"`([^`\n]{1,200})`")
_TEST_WORDS: Final = frozenset({"test", "spec", "fixture", "mock", "unittest"})
_SHORT_QUESTION: Final = 3


@dataclass(frozen=True, slots=True)
class Question:
    """`terms` in the order of the question; `names` as spelled, with their last part for dotted ones; `paths` as
    spelled, with `/`. `tests` and `generated`: whether it asks for such files."""

    text: str
    terms: tuple[str, ...]
    names: tuple[str, ...]
    paths: tuple[str, ...]
    tests: bool = False
    generated: bool = False

    def weight(self, term: str, order: float) -> float:
        """How much a term says: verbs that say what to do with the code tell little of where it is."""
        return order if term in _ORDERS else 1.0

    @property
    def normalised(self) -> str:
        """What makes two questions the same words."""
        return " ".join(self.text.lower().split())


def read_question(text: str) -> Question:
    """Reads a question, or a bag of names; of a very long one the beginning."""
    text = text[:MOST_CHARACTERS]
    spoken = [word for word in words(text)]
    found = dict.fromkeys(term_of(word) for word in spoken if word.lower() not in _COMMON)
    found.pop("", None)
    if not found:
        found = dict.fromkeys(filter(None, map(term_of, spoken)))
    terms = tuple(found)[:MOST_TERMS]
    return Question(
        text=text,
        terms=terms,
        names=tuple(_names(text)),
        paths=tuple(dict.fromkeys(match.replace("\\", "/") for match in _PATH.findall(text))),
        tests=any(term in _TEST_WORDS for term in terms),
        generated="generat" in terms,
    )


def _names(text: str) -> dict[str, None]:
    """Identifiers that are not plain words: by their case, underscores, dots, back-quotes or parentheses. In a
    question of a word or three, each word may be one."""
    quoted = {name for quote in _QUOTED.findall(text) for name in _IDENTIFIER.findall(quote)}
    tokens = list(_IDENTIFIER.finditer(text))
    short = len(text.split()) <= _SHORT_QUESTION
    names: dict[str, None] = {}
    for match in tokens:
        name = match[0].rstrip("!?") if not short else match[0]
        called = text[match.end() : match.end() + 1] == "("
        if short or called or name in quoted or _looks_spelled(name):
            names[name] = None
            last = re.split(r"\.|::|->|#", name)[-1]
            names[last] = None
    return names


def _looks_spelled(name: str) -> bool:
    inner = name[1:]
    return (
        "_" in name.strip("_")
        or any(mark in name for mark in (".", "::", "->", "#"))
        or (any(c.isupper() for c in inner) and any(c.islower() for c in name))
    )
