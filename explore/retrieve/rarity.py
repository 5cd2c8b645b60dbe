"""What a term's rarity says: BM25's inverse document frequency, and nothing else of BM25."""

from __future__ import annotations

import math


def rarity(documents: int, holding: int) -> float:
    """The inverse document frequency in its form that is never negative."""
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))
