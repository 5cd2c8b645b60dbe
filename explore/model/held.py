"""What a context holds of a file, and how wanted lines part into sent, pointed at and folded; it proves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from explore.model.spans import NO_LINES, Spans

SLIVER_BYTES: Final = 160
"""New source smaller than this beside held lines is not worth a fence: one that holds `228` alone reads as broken."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a context was sent of a file, at the bytes that it has now.

    `answers` are the questions whose answers sent it, each with its lines, the newest first. `pointed` are lines that
    an answer pointed at; `unread` those of them that were not sent since.
    """

    spans: Spans = NO_LINES
    answers: tuple[tuple[str, Spans], ...] = ()
    pointed: Spans = NO_LINES
    unread: Spans = NO_LINES

    def sender(self, spans: Spans) -> tuple[str, bool]:
        """The question of the answer that sent these lines, the newest; where none sent all, of the one that sent most,
        and that there are others."""
        shares = [((sent & spans).line_count, question) for question, sent in self.answers]
        most = max((count for count, _ in shares), default=0)
        question = next((question for count, question in shares if count == most), "") if most else ""
        return question, 0 < most < spans.line_count


@dataclass(frozen=True, slots=True)
class Split:
    """Wanted lines: those that are sent, those that a pointer stands for, and those too few to be worth a fence, which
    come a second time round."""

    sent: Spans
    pointed: Spans = NO_LINES
    folded: Spans = NO_LINES

    @property
    def withheld(self) -> Spans:
        """The lines that are not in the text."""
        return self.pointed | self.folded
