"""What retrieval found: files and their symbols by weight, each with its reasons; no source and no sizes in bytes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from explore.model.calls import NOTHING_TRACED, Missing, Traced, Users
from explore.model.source import Role


class Reason(StrEnum):
    """Why something was found, or why it weighs less."""

    NAMED = "named in the question"
    FILE_NAMED = "file named in the question"
    WORDS = "words"
    NEIGHBOUR = "beside a match"
    LINKED = "linked to a match"
    ON_PATH = "on a path between named symbols"
    TEST = "test"
    GENERATED = "generated"
    SAMPLE = "sample"
    DOCUMENT = "document"
    ALONE = "has a word that no source has"
    ASKED_AGAIN = "asked to be sent again"


class RankedSymbol(NamedTuple):
    """A symbol by its ordinal in the indexed file, where it starts (with its comments), its weight (unbounded, rising),
    the reasons, and the line of its name."""

    ordinal: int
    qualified: str
    start: int
    weight: float
    reasons: tuple[Reason, ...] = (Reason.WORDS,)
    line: int = 1


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file with its weight and its found symbols, the heaviest first. `named`: the question spells it or one of its
    symbols out; `on_path`: one of its symbols is on a call path between such."""

    path: str
    role: Role
    weight: float
    reasons: tuple[Reason, ...]
    symbols: tuple[RankedSymbol, ...]
    named: bool = False
    on_path: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """All that was found, the heaviest file first; the names that the question spells out and that are not there; the
    call paths among those that are; and who uses the symbols that it is about. `aside` are documents that it does not
    ask for, which are only ever named."""

    files: tuple[RankedFile, ...]
    terms: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
    traced: Traced = NOTHING_TRACED
    users: tuple[Users, ...] = ()
    aside: tuple[RankedFile, ...] = ()
