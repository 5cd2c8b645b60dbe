"""How symbols hang together: the path from one to another, step by step with the evidence, and who uses one. It looks
nothing up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class How(StrEnum):
    """On what evidence one symbol leads to the next."""

    CALLS = "calls"
    DECORATES = "decorates"
    EVENT = "event"
    IMPLEMENTS = "through an interface"
    OVERRIDES = "overrides"
    PASSES = "passes"
    RETURNS = "returns"
    THROUGH = "through a variable"


@dataclass(frozen=True, slots=True)
class Site:
    """A line of a file, and a name that stands on it."""

    path: str
    line: int
    word: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A symbol on a path: its name, where that stands, and its (file, ordinal)."""

    qualified: str
    path: str
    line: int
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Step:
    """From the stop before to `to`: how, and where that is seen; the second site is where a variable or listener, by
    which the first leads on, was given what it stands for."""

    to: Stop
    how: How
    site: Site
    given: Site | None = None


@dataclass(frozen=True, slots=True)
class CallPath:
    """A symbol and the steps from it."""

    start: Stop
    steps: tuple[Step, ...]

    @property
    def stops(self) -> tuple[Stop, ...]:
        """All symbols in order."""
        return (self.start, *(step.to for step in self.steps))


@dataclass(frozen=True, slots=True)
class Traced:
    """What a question's names have to do with each other: the paths among them."""

    paths: tuple[CallPath, ...] = ()

    @property
    def places(self) -> frozenset[tuple[int, int]]:
        """All symbols on the paths."""
        return frozenset(stop.place for path in self.paths for stop in path.stops)


NOTHING_TRACED: Final = Traced()


@dataclass(frozen=True, slots=True)
class Users:
    """Who uses a symbol: by file the lines that do, the most first, apart those in tests."""

    qualified: str
    files: tuple[tuple[str, int], ...]
    tests: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """A name that was asked for and is not there, and symbols with a name near it, as (name, path, line)."""

    name: str
    near: tuple[tuple[str, str, int], ...] = ()

    @property
    def word(self) -> str:
        """The last of its words, which a symbol of that name would have for its own."""
        return [*re.finditer(r"\w+", self.name)][-1][0]
