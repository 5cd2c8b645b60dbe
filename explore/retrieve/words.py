"""Text to the terms it is found by: words split at case, underscores and dots, lightly stemmed; no ranking here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_ASCII: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LETTER: Final = r"(?:[a-z]|[^\W\d_\x00-\x7f])"
_UNICODE: Final = re.compile(rf"[A-Z]+(?!{_LETTER})|[A-Z]?{_LETTER}+|[0-9]+")
_VOWEL: Final = re.compile(r"[aeiouy]")
_LONGEST: Final = 40
_LONGEST_NUMBER: Final = 4


LEAST_BEGINNING: Final = 3
LEAST_COMMON: Final = 4
LEAST_SHARE: Final = 0.55
"""When two words are alike: one begins with the other (an abbreviation, of 3 letters or more), or they share their
beginning: 4 letters, and this share of the longer, as `validator` and `validation` do. 0.5 to 0.6 is flat."""


def words(text: str) -> list[str]:
    """The words in `text` as written: `parseHTTPHeader_v2` gives parse, HTTP, Header, v, 2."""
    return (_ASCII if text.isascii() else _UNICODE).findall(text)


def terms(text: str) -> Iterator[str]:
    """The stemmed words of `text`, with repeats, without single letters and long numbers."""
    for word in words(text):
        if term := term_of(word):
            yield term


@lru_cache(maxsize=1 << 16)
def term_of(word: str) -> str:
    """The term of a word; empty for what is not worth finding."""
    if len(word) < 2 or len(word) > _LONGEST:
        return word.lower() if len(word) == 1 and not word.isascii() else ""
    if word.isdigit():
        return word if len(word) <= _LONGEST_NUMBER else ""
    return stem(word.lower())


def stem(word: str) -> str:
    """A lower-case word without plural, -ing, -ed and final e, so that caches, caching and cached meet in `cach`."""
    if len(word) <= 3 or not word.isascii():
        return word
    word = _singular(word)
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base is not word and len(base) >= 3 and base != word and _VOWEL.search(base):
            word = base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def alike(one: str, two: str) -> bool:
    """Whether two words, not the same, are probably of one stem."""
    short, long = sorted((one, two), key=len)
    if len(short) >= LEAST_BEGINNING and long.startswith(short):
        return True
    return letters_shared(short, long) >= max(LEAST_COMMON, LEAST_SHARE * len(long))


def letters_shared(one: str, two: str) -> int:
    """How many letters both begin with."""
    differ = (at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b)
    return next(differ, min(len(one), len(two)))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
