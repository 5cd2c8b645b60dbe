"""What a call is handed of a conversation, as a value and as plain data. It trusts no data and raises nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from explore.model.emission import Emission, EmittedFile
from explore.model.spans import Span, Spans

MOST_EMISSIONS: Final = 8
"""Answers that a call stands on at the most."""

Plain = dict[str, Any]
"""What JSON can say."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Answers of a project that a context was sent, and their bytes in all; they outlive the detail."""

    calls: int = 0
    response_bytes: int = 0

    def after(self, emission: Emission) -> Counts:
        """The counts with one more answer."""
        return Counts(self.calls + 1, self.response_bytes + emission.response_bytes)


@dataclass(frozen=True, slots=True)
class View:
    """The answers of one project that a call stands on, the oldest first, and what was sent in all."""

    emissions: tuple[Emission, ...] = ()
    counts: Counts = Counts()

    @property
    def number(self) -> int:
        """The highest number among the answers; 0 for a stranger."""
        return max((emission.number for emission in self.emissions), default=0)


def view_to_plain(view: View) -> Plain:
    """A view as JSON can say it."""
    return {
        "emissions": [emission_to_plain(emission) for emission in view.emissions],
        "calls": view.counts.calls,
        "response_bytes": view.counts.response_bytes,
    }


def view_from_plain(plain: object) -> View:
    """The view that the data says; what is malformed in it is left out, down to a stranger's."""
    if not isinstance(plain, dict):
        return View()
    emissions = tuple(filter(None, map(emission_from_plain, _items(plain.get("emissions")))))
    return View(emissions[-MOST_EMISSIONS:], Counts(_count(plain.get("calls")), _count(plain.get("response_bytes"))))


def emission_to_plain(emission: Emission) -> Plain:
    """An emission as JSON can say it; spans are pairs of lines."""
    return {
        "project": emission.project,
        "question": emission.question,
        "files": [_file_to_plain(file) for file in emission.files],
        "response_bytes": emission.response_bytes,
        "number": emission.number,
        "dropped": emission.dropped,
        "dropped_pointers": emission.dropped_pointers,
    }


def emission_from_plain(plain: object) -> Emission | None:
    """The emission that the data says; None for what is none. Files and spans that make no sense are dropped."""
    match plain:
        case {"project": str(project), "question": str(question), **rest}:
            files = tuple(filter(None, map(_file_from_plain, _items(rest.get("files")))))
            size, number, dropped = (_count(rest.get(key)) for key in ("response_bytes", "number", "dropped"))
            pointers = rest.get("dropped_pointers") is True
            return Emission(project, question, files, size, number, dropped, pointers)
    return None


def _file_to_plain(file: EmittedFile) -> Plain:
    return {
        "path": file.path,
        "fingerprint": file.fingerprint,
        "spans": _pairs(file.spans),
        "source_bytes": file.source_bytes,
        "pointed": _pairs(file.pointed),
        "dropped": file.dropped,
    }


def _file_from_plain(plain: object) -> EmittedFile | None:
    match plain:
        case {"path": str(path), "fingerprint": str(fingerprint), **rest} if fingerprint:
            spans, pointed = _spans(rest.get("spans")), _spans(rest.get("pointed"))
            source_bytes, dropped = _count(rest.get("source_bytes")), _count(rest.get("dropped"))
            return EmittedFile(path, fingerprint, spans, source_bytes, pointed, dropped)
    return None


def _pairs(spans: Spans) -> list[list[int]]:
    return [[span.start, span.end] for span in spans]


def _spans(plain: object) -> Spans:
    return Spans(_read_spans(plain))


def _read_spans(plain: object) -> Iterator[Span]:
    """The pairs that are spans. Others are dropped, not clamped: a wrong line is worse than a missing one."""
    for pair in _items(plain):
        match pair:
            case [int(start), int(end)] if _is_number(start) and _is_number(end) and 1 <= start <= end:
                yield Span(start, end)


def _items(plain: object) -> list[object]:
    return list(plain) if isinstance(plain, list | tuple) else []


def _count(plain: object) -> int:
    return plain if isinstance(plain, int) and _is_number(plain) and plain >= 0 else 0


def _is_number(value: object) -> bool:
    return not isinstance(value, bool)
