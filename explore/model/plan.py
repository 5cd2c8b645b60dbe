"""What passes between selecting, sharing and drawing: menus of renditions and the plan made over them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from explore.model.held import Split
from explore.model.ranked import RankedFile
from explore.model.section import MOST_TITLED
from explore.model.source import Source
from explore.model.spans import NO_LINES, Spans


class Rendition(StrEnum):
    """How much of a file is shown, from poor to rich."""

    OUTLINE = "outline"
    BODIES = "bodies"
    WHOLE = "whole"


class Verdict(StrEnum):
    """Why a file got what it got."""

    SERVED = "served"
    WHOLE = "sent whole"
    LIGHT = "weighs too little"
    NO_PLACE = "no place left"
    NO_ROOM = "no room left"
    GONE = "no longer on disk"
    HELD = "all of it is held"
    NO_ROOM_AGAIN = "no room to send more of it again"
    NO_SOURCE = "no source there to send again"


class Step(NamedTuple):
    """Lines that come together or not at all, their worth (in the unit of a symbol's weight) and what they are.
    `exempt`: the question names them, so that they come also where answers have grown short."""

    rendition: Rendition
    spans: Spans
    worth: float
    title: str = ""
    exempt: bool = False


def titles(steps: Sequence[Step], withheld: Spans = NO_LINES) -> tuple[str, ...]:
    """The symbols that the steps show, each once, in the order taken; where lines are withheld, the first of those that
    are still shown."""
    names = tuple(dict.fromkeys(step.title for step in steps if step.title))
    if not withheld:
        return names
    return still_shown(names, {step.title for step in steps if not withheld.holds(step.spans)})


def still_shown(names: Sequence[str], shown: Collection[str]) -> tuple[str, ...]:
    """As many of the names that are shown as take no more than the first of all names would: a heading never grows by
    withholding."""
    room = sum(map(_bytes, names[:MOST_TITLED]))
    kept: list[str] = []
    for name in names:
        if name in shown and len(kept) < MOST_TITLED and _bytes(name) <= room:
            kept.append(name)
            room -= _bytes(name)
    return tuple(kept)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Menu:
    """A file and the steps by which more of it can be shown, the best first; later steps may hold earlier ones.

    `turns` are, where they were asked for, the bytes of an answer from which on one of the symbols, or a file that the
    question names, is no longer cut.
    """

    file: RankedFile
    source: Source
    steps: tuple[Step, ...]
    turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """What one file got: what becomes of the lines wanted of it, the bytes that those sent take, and that the whole
    section takes, and why. `question` is the one whose answer sent what is pointed at, or most of it where there are
    `others`."""

    menu: Menu
    rendition: Rendition
    split: Split
    source_bytes: int
    bytes: int
    verdict: Verdict
    steps: tuple[Step, ...] = ()
    question: str = ""
    others: bool = False

    @property
    def spans(self) -> Spans:
        """The lines that are sent."""
        return self.split.sent

    @property
    def wanted(self) -> Spans:
        """The lines that an answer to a stranger would show of it."""
        return self.split.sent | self.split.withheld


@dataclass(frozen=True, slots=True)
class Plan:
    """Shares in the order of the answer, and the files that are named only."""

    shares: tuple[Share, ...]
    named_only: tuple[tuple[RankedFile, Verdict], ...] = ()

    @property
    def source_bytes(self) -> int:
        """Bytes of source in all shares."""
        return sum(share.source_bytes for share in self.shares)
