"""Who was sent what over one connection: the conversations on it, and the answers by their handles. It speaks no
protocol, reads no file, and is shared by no two connections."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from explore.model.emission import Emission
from explore.render.answer import HANDLE_BYTES
from explore.session.record import Session, bounded
from explore.session.standing import Claim, Minted, Standing, standing, view_of_listed
from explore.session.view import View

MOST_HANDLES: Final = 512
MOST_CONVERSATIONS: Final = 64
"""Answers and conversations that are known; the one used the longest ago is forgotten, which costs its bytes again."""

MOST_OF_ALL: Final = 16
"""So many times as much is known of all calls of a server together, where they have no connections."""

HANDLE_LENGTH: Final = 8
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not taken for each other."""


def mint() -> str:
    """A new handle, as good as impossible to guess: 8 of 31 characters."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(HANDLE_LENGTH))


class Conversations:
    """The state of one connection; of a server whose protocol has no connections, of all its calls.

    `lasting`: it is a connection's, so that its calls come from one client. Used from one thread.
    """

    def __init__(self, *, lasting: bool = True, new_handle: Callable[[], str] = mint) -> None:
        self._lasting = lasting
        self._times = 1 if lasting else MOST_OF_ALL
        self._new_handle = new_handle
        self._answers: OrderedDict[str, Minted] = OrderedDict()
        self._named: OrderedDict[str, Session] = OrderedDict()
        self._own = Session()
        self._shown = False
        self._minted = 0

    def view(self, claim: Claim, project: str, client: str = "") -> View:
        """What a call to a project stands on, as it arrives; `client` is the name that the client gives itself."""
        stands_on = standing(claim, lasting=self._lasting, client=client, shown=self._shown)
        self._shown |= claim.handles is not None or claim.identifier is not None
        match stands_on:
            case Standing.HANDLES:
                known = [handle for handle in dict.fromkeys(claim.handles or ()) if handle in self._answers]
                for handle in known:
                    self._answers.move_to_end(handle)
                return view_of_listed(claim, (self._answers[handle] for handle in known), project)
            case Standing.IDENTIFIER:
                return self._named.get(claim.identifier or "", Session()).view(project)
            case Standing.CONNECTION:
                return self._own.view(project)
            case Standing.NOTHING:
                return View()

    def record(self, claim: Claim, view: View, emission: Emission) -> str:
        """Keeps what an answer delivered that stood on `view`, and gives it a handle, which is sent with it."""
        emission = replace(emission, response_bytes=emission.response_bytes + HANDLE_BYTES)
        self._minted += 1
        while (handle := self._new_handle()) in self._answers:
            pass
        counts = view.counts.after(emission)
        self._answers[handle] = Minted(bounded(emission), counts, claim.identifier, self._minted)
        if claim.identifier is None:
            self._own = self._own.after(emission)
        else:
            self._named[claim.identifier] = self._named.pop(claim.identifier, Session()).after(emission)
        _forget(self._answers, self._times * MOST_HANDLES)
        _forget(self._named, self._times * MOST_CONVERSATIONS)
        return handle


def _forget(kept: OrderedDict[str, Minted] | OrderedDict[str, Session], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)
