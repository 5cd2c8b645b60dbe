"""What the answers that a call stands on prove that its caller holds. Only equal fingerprints prove anything here."""

from __future__ import annotations

from collections.abc import Iterator

from explore.model.emission import EmittedFile
from explore.model.held import Held
from explore.model.spans import Spans
from explore.session.view import View

Sending = tuple[str, EmittedFile]
"""A question, and what its answer delivered of one file."""


def held_in(view: View, path: str, fingerprint: str) -> Held:
    """What is held of a file whose bytes have this fingerprint now."""
    sendings = list(_sendings(view, path, fingerprint))
    spans = Spans(span for _, file in sendings for span in file.spans)
    pointed = Spans(span for _, file in sendings for span in file.pointed)
    unread = Spans()
    for _, file in reversed(sendings):
        unread = (unread | file.pointed) - file.spans
    return Held(spans, tuple((question, file.spans) for question, file in sendings if file.spans), pointed, unread)


def _sendings(view: View, path: str, fingerprint: str) -> Iterator[Sending]:
    """The file in the answers, the newest first. Sending it under other bytes has ended what was held of it before;
    that it was so sent is possible where files of an answer are no longer kept."""
    for emission in reversed(view.emissions):
        file = next((file for file in emission.files if file.path == path), None)
        if file is None and emission.dropped:
            return
        if file is None:
            continue
        if file.fingerprint == fingerprint:
            yield emission.question, file
        elif file.spans:
            return
