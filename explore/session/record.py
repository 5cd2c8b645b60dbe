"""What a conversation was sent, as immutable records within bounds. It knows no clock, no thread and no file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import nlargest
from typing import Final

from explore.model.emission import Emission, EmittedFile
from explore.model.spans import Span, Spans
from explore.session.view import Counts, View

MOST_PROJECTS: Final = 4
MOST_CALLS: Final = 8
MOST_FILES: Final = 24
MOST_SPANS: Final = 24
"""What is kept of a conversation, a project, a call and a file. Bounds drop detail, never the counts of a kept project.
The system that inspired this one remembers well within them."""

LATEST: Final = 4
"""Answers that are taken to be still in view where nobody says which are; hosts clear old results."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An emission within bounds, and its place among all answers of the conversation, from 1."""

    emission: Emission
    place: int


@dataclass(frozen=True, slots=True)
class ProjectRecord:
    """All calls of a conversation to one project: their counts, and the recent emissions, the oldest first."""

    project: str
    counts: Counts
    recent: tuple[Kept, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """The record of one conversation, the least recently used project first. A value: `after` makes the next one."""

    projects: tuple[ProjectRecord, ...] = ()
    answers: int = 0

    def after(self, emission: Emission) -> Session:
        """The record with one more answer; the project least recently asked gives way, whole."""
        before = self._project(emission.project)
        place = self.answers + 1
        recent = (*before.recent, Kept(bounded(emission), place))[-MOST_CALLS:]
        now = ProjectRecord(emission.project, before.counts.after(emission), recent)
        others = tuple(record for record in self.projects if record.project != emission.project)
        return Session((*others, now)[-MOST_PROJECTS:], place)

    def view(self, project: str) -> View:
        """What a call to a project stands on where the conversation is known and no answer is listed."""
        record = self._project(project)
        oldest = self.answers - LATEST
        return View(tuple(kept.emission for kept in record.recent if kept.place > oldest), record.counts)

    def _project(self, project: str) -> ProjectRecord:
        found = (record for record in self.projects if record.project == project)
        return next(found, ProjectRecord(project, Counts(), ()))


def bounded(emission: Emission) -> Emission:
    """The emission as it is kept: the files with most source, and the largest spans of each."""
    files = nlargest(MOST_FILES, emission.files, key=lambda file: file.source_bytes)
    kept = tuple(_bounded_file(file) for file in files)
    dropped = emission.dropped + len(emission.files) - len(files)
    pointers = emission.has_pointers and not any(file.pointed for file in files)
    return replace(emission, files=kept, dropped=dropped, dropped_pointers=pointers)


def _bounded_file(file: EmittedFile) -> EmittedFile:
    if max(len(file.spans.parts), len(file.pointed.parts)) <= MOST_SPANS:
        return file
    spans = Spans(nlargest(MOST_SPANS, file.spans, key=len))
    dropped = file.dropped + len(file.spans.parts) - len(spans.parts)
    return replace(file, spans=spans, pointed=_hull(file.pointed), dropped=dropped)


def _hull(spans: Spans) -> Spans:
    """Few spans with at least these lines. Of what was pointed at, none is forgotten: to doubt too much costs bytes."""
    if len(spans.parts) <= MOST_SPANS:
        return spans
    rest = spans.parts[MOST_SPANS - 1 :]
    return Spans((*spans.parts[: MOST_SPANS - 1], Span(rest[0].start, rest[-1].end)))
