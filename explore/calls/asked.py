"""What a question asks of the symbols it names: in which order they are to follow each other, and whether it asks for
that at all. It looks nothing up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MOST_NAMES: Final = 5
"""Names that are joined; a question with more is a list, of which the first count."""

_LEAST_WORDS: Final = 3
"""Words besides the names from which on a question is a sentence."""

MOST_PLAIN: Final = 400
"""Characters of a question in which plain words are taken for names."""

NEAR: Final = 160
"""Characters before a name that say how it is meant."""

_ASKING: Final = re.compile(
    r"\b(?:reach(?:es|ed)?|call(?:s|ed|ing|ers?)?|invok\w+|end(?:s|ing)? up|path|flow\w*|leads?|leading|arrives?"
    r"|trigger\w*|chain|hang\w*|travels?|goes|go|gets?|comes?|way|from|passed|dispatch\w*|route[sd]?|between|through|via)\b",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(
    r"\b(?:reach(?:es)?|call(?:s|ing)?|invok(?:es|ing)|to|into|from) (?:the )?([a-z]\w{3,})(?![\w./-]| \w+ing\b)"
)
"""A word that may name where a call goes, or where it comes from."""

_PASSIVE: Final = re.compile(
    r"\b(?:called|reached|invoked|triggered|used|run|entered|hit|executed|started)\b[^.?!]*"
    r"\b(?:by|from|in|inside|within|under)\W*(?:\w+\W+)?$",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r"\b(?:from|by)\W*(?:(?:the|a|an)\W+)?(?:\w+\W+)?$", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\b(?:through|via|by way of|passing)\W*(?:\w+\W+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """The names in the order in which they are to follow each other. `strict`: the question says so in a sentence, so
    that no other order answers it."""

    names: tuple[str, ...]
    strict: bool


def plain_words(text: str) -> tuple[str, ...]:
    """Words that stand where the name of a function would, and are written as any word is."""
    return tuple(dict.fromkeys(_PLAIN.findall(text[:MOST_PLAIN])))


def what_is_asked(text: str, names: Sequence[str]) -> Asked:
    """Reads off the words between the names which comes first."""
    found = _placed(text, names)
    around = _words_around(text, found)
    strict = len(re.findall(r"\w+", " ".join(around))) >= _LEAST_WORDS and bool(_ASKING.search(" ".join(around)))
    order: list[str] = []
    middle: list[str] = []
    turned = False
    for at, (_, name) in enumerate(found):
        before = around[at][-NEAR:]
        if at and _BETWEEN.search(before):
            middle.append(name)
        else:
            turned = turned or (at == 1 and _turns(around[0][-NEAR:], before))
            order.append(name)
    if turned:
        order[:2] = order[1::-1]
    order[max(len(order) - 1, 1) : max(len(order) - 1, 1)] = middle
    return Asked(tuple(order), strict)


def _turns(first: str, between: str) -> bool:
    """Whether the second name comes first, as in `where is b called from a`."""
    if _PASSIVE.search(between) or (_PASSIVE.search(first + " x " + between) and _FROM.search(between)):
        return not re.search(r"\bfrom\W*(?:the\W+)?$", first, re.IGNORECASE)
    return bool(_FROM.search(between)) and not re.search(r"\bfrom\W*(?:\w+\W+)?$", first, re.IGNORECASE)


def _placed(text: str, names: Sequence[str]) -> list[tuple[int, str]]:
    """The names by where they first stand, those in longer ones left out."""
    found: list[tuple[int, str]] = []
    for name in sorted(dict.fromkeys(names), key=len, reverse=True):
        for match in re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w)", text):
            if not any(at <= match.start() < at + len(other) for at, other in found):
                found.append((match.start(), name))
                break
    return sorted(found)[:MOST_NAMES]


def _words_around(text: str, found: Sequence[tuple[int, str]]) -> list[str]:
    """The text before each name, and after the last."""
    around, start = [], 0
    for at, name in found:
        around.append(text[start:at])
        start = at + len(name)
    return [*around, text[start:]]
