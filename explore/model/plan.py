"""What passes between selecting, sharing and drawing: menus of renditions and the plan made over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True, slots=True)
class Step:
    """Lines that come together or not at all, their worth (in the unit of a symbol's weight) and what they are."""

    rendition: Rendition
    spans: Spans
    worth: float
    title: str = ""


def titles(steps: Sequence[Step], withheld: Spans = NO_LINES) -> tuple[str, ...]:
    """The symbols that the steps show, each once, in the order taken. Where lines are withheld, of the first ones those
    that are still shown: so a heading never grows by withholding."""
    names = tuple(dict.fromkeys(step.title for step in steps if step.title))
    if not withheld:
        return names
    first = names[:MOST_TITLED]
    shown = {step.title for step in steps if step.title in first and step.spans - withheld}
    return tuple(name for name in first if name in shown)


@dataclass(frozen=True, slots=True)
class Menu:
    """A file and the steps by which more of it can be shown, the best first; later steps may hold earlier ones.

    `turns` are the bytes of an answer from which on one of the symbols is no longer cut.
    """

    file: RankedFile
    source: Source
    steps: tuple[Step, ...]
    turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """What one file got: what becomes of the lines wanted of it, the bytes that those sent take, and that the whole
    section takes, and why. `question` is the one whose answer sent what is pointed at."""

    menu: Menu
    rendition: Rendition
    split: Split
    source_bytes: int
    bytes: int
    verdict: Verdict
    steps: tuple[Step, ...] = ()
    question: str = ""

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
