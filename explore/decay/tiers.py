"""How large an answer may be, by the size of the project; it knows no files and no history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from explore.errors import BadRequest

HIGHEST_CEILING: Final = 25_000
"""Hosts move larger results out of the conversation, and a result that was moved is one not delivered."""

CEILING_FACTOR: Final = 1.5
LEAST_MAX_BYTES: Final = 1_000
MOST_MAX_BYTES: Final = 50_000
MOST_MAX_FILES: Final = 40

MORE_FILES: Final = 4
"""Files that an answer of full length may show besides, to a reader who holds some of what it would show a stranger.

On three questions in a row about 320 commits of 16 repositories, file recall is 0.022 higher for it, and line recall
0.005 lower.
"""


@dataclass(frozen=True, slots=True)
class Tier:
    """Projects of fewer than `below` files: calls before answers shrink, bytes aimed at, files served."""

    below: float
    calls: int
    envelope: int
    max_files: int


TIERS: Final = (
    Tier(150, 1, 14_300, 4),
    Tier(500, 1, 19_800, 5),
    Tier(5_000, 2, 24_000, 8),
    Tier(15_000, 3, 24_000, 8),
    Tier(25_000, 4, 24_000, 8),
    Tier(float("inf"), 5, 24_000, 8),
)
"""The system that inspired this one answers well with these, but for the bytes of the first two: it aims at 13,000 and
18,000, and then sends a tenth more. On 320 commits of 16 repositories line recall of the first answer is 0.012 higher
for that tenth, with decay that of the third by 0.005."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """Bytes an answer aims for, bytes it may never exceed, and files it may show. `full`: the bytes that what is exempt
    from decay may take. `exact`: the caller set the bytes, so that they are all three. `more_files`: those that it may
    show besides where some is withheld."""

    bytes: int
    ceiling: int
    max_files: int
    full: int
    exact: bool = False
    more_files: int = 0


def tier_of(files: int) -> Tier:
    """The tier of a project with so many indexed files."""
    return next(tier for tier in TIERS if files < tier.below)


def envelope_for(files: int, max_bytes: int | None = None, max_files: int | None = None) -> Envelope:
    """The envelope of a first call on a project of so many files; `BadRequest` where a bound is out of its range."""
    tier = tier_of(files)
    if max_files is not None and not 1 <= max_files <= MOST_MAX_FILES:
        raise BadRequest(f"max_files must be from 1 to {MOST_MAX_FILES}, not {max_files}")
    places = tier.max_files if max_files is None else max_files
    if max_bytes is None:
        ceiling = min(int(CEILING_FACTOR * tier.envelope), HIGHEST_CEILING)
        more = MORE_FILES if max_files is None else 0
        return Envelope(tier.envelope, ceiling, places, tier.envelope, more_files=more)
    if not LEAST_MAX_BYTES <= max_bytes <= MOST_MAX_BYTES:
        raise BadRequest(f"max_bytes must be from {LEAST_MAX_BYTES:,} to {MOST_MAX_BYTES:,}, not {max_bytes:,}")
    return Envelope(max_bytes, max_bytes, places, max_bytes, exact=True)
