"""How answers shrink as a conversation about a project goes on: a pure function of counts. It knows no files."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from explore.decay.tiers import Envelope, tier_of

STEP: Final = 0.7
"""What each answer after the tier's calls keeps of the envelope of the one before."""

LEAST_SHARE: Final = 0.35
"""The share of the envelope that every answer keeps. Three steps lead there."""

_MOST_STEPS: Final = 99


def share_of(number: int, calls: int) -> float:
    """The share of its envelope that the `number`-th answer with source gets (from 1), where the first `calls` get all
    of it."""
    return max(LEAST_SHARE, STEP ** min(max(0, number - calls), _MOST_STEPS))


def decayed(envelope: Envelope, files: int, number: int) -> Envelope:
    """The envelope of the `number`-th answer (from 1) about a project of so many files; one that the caller set stays,
    and so does the ceiling."""
    if envelope.exact:
        return envelope
    return replace(envelope, bytes=round(share_of(number, tier_of(files).calls) * envelope.full))
