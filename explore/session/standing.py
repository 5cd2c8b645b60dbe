"""What a call stands on: the answers that the caller vouches for, a conversation known by name, the connection, or
nothing. Pure: it is told what is known and keeps none of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from explore.model.emission import Emission
from explore.session.view import MOST_EMISSIONS, Counts, View

SEVERAL_CONTEXTS: Final = frozenset({"claude-code"})
"""Clients known to run several contexts over one connection: sub-agents that share their parent's."""


class Standing(StrEnum):
    """What vouches for what the caller holds."""

    HANDLES = "listed answers"
    IDENTIFIER = "the host's identifier"
    CONNECTION = "the connection"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Claim:
    """What one call says of its conversation: the handles of the answers that it can see, None where it does not say;
    and the identifier that its host gives the conversation."""

    handles: tuple[str, ...] | None = None
    identifier: str | None = None


@dataclass(frozen=True, slots=True)
class Minted:
    """An answer that can be vouched for by its handle: what it delivered, what its context had been sent with it, the
    identifier it was made under, and its place in the order of minting."""

    emission: Emission
    counts: Counts
    identifier: str | None
    place: int


def standing(claim: Claim, *, lasting: bool, client: str, shown: bool) -> Standing:
    """What a call stands on.

    `lasting`: the connection outlives the call; `client`: the name that it gave; `shown`: a call on it has listed
    handles (or none) or had an identifier before, so that one without either comes from somebody who was not told.
    """
    if claim.handles is not None:
        return Standing.HANDLES
    if claim.identifier is not None:
        return Standing.IDENTIFIER
    if lasting and not shown and client.lower() not in SEVERAL_CONTEXTS:
        return Standing.CONNECTION
    return Standing.NOTHING


def view_of_listed(claim: Claim, known: Iterable[Minted], project: str) -> View:
    """What the listed answers, as far as they are known, vouch for in a project: the newest ones count, but for those
    made under another identifier."""
    vouched = (minted for minted in known if claim.identifier in (None, minted.identifier) or minted.identifier is None)
    newest = sorted(vouched, key=lambda minted: minted.place)[-MOST_EMISSIONS:]
    of_project = [minted for minted in newest if minted.emission.project == project]
    counts = max((minted.counts for minted in of_project), key=lambda counts: counts.calls, default=Counts())
    return View(tuple(minted.emission for minted in of_project), counts)
