"""What passes between selecting, sharing and drawing: menus of renditions and the plan made over them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from explore.model.ranked import RankedFile
from explore.model.source import Source
from explore.model.spans import Spans


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


@dataclass(frozen=True, slots=True)
class Step:
    """Lines that come together or not at all, their worth (in the unit of a symbol's weight) and what they are."""

    rendition: Rendition
    spans: Spans
    worth: float
    title: str = ""


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
    """What one file got: its lines, the bytes that they take, and that the whole section takes, and why."""

    menu: Menu
    rendition: Rendition
    spans: Spans
    source_bytes: int
    bytes: int
    verdict: Verdict
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Shares in the order of the answer, and the files that are named only."""

    shares: tuple[Share, ...]
    named_only: tuple[tuple[RankedFile, Verdict], ...] = ()

    @property
    def source_bytes(self) -> int:
        """Bytes of source in all shares."""
        return sum(share.source_bytes for share in self.shares)
