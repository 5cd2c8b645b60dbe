"""How withheld text comes back: the question again in the same words, or by the name of what was pointed at."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from explore.model.held import Held
from explore.model.spans import NO_LINES, Span, Spans
from explore.session.view import View

_WITH_LINES: Final = re.compile(r"(.+):(\d{1,9}(?:-\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?)*)", re.DOTALL)


def asks_again(view: View, question: str) -> bool:
    """Whether the same words were last answered with pointers, so that they are answered in full this time.

    `question` is in normalised words, as in the emissions.
    """
    words = question.lower()
    same = (emission for emission in reversed(view.emissions) if emission.question.lower() == words)
    return next((emission.has_pointers for emission in same), False)


def without_asked(held: Held, asked: Spans) -> Held:
    """What still counts as held where the question asks for these lines by name: not those that were pointed at since
    they were last sent."""
    doubted = held.unread & asked
    return replace(held, spans=held.spans - doubted) if doubted else held


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be sent again of a file, by its path from the root: these lines, or all of it where there are none."""

    path: str
    spans: Spans = NO_LINES


def read_wanted(item: str) -> Wanted:
    """Reads `path`, `path:12`, `path:10-50` or `path:10-50,60-80`; with a span that is none, it is all a path."""
    found = _WITH_LINES.fullmatch(item)
    if found is None:
        return Wanted(item)
    ends = [tuple(map(int, span.split("-"))) for span in found[2].split(",")]
    if any(not 1 <= pair[0] <= pair[-1] for pair in ends):
        return Wanted(item)
    return Wanted(found[1], Spans(Span(pair[0], pair[-1]) for pair in ends))
