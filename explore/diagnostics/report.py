"""An answer explained, as a value: what each file got and why, the totals, and what the conversation had been sent. It
is drawn from the answer's trace afterwards and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from explore.dedup.held import held_in
from explore.engine import STRANGER, Answer, Trace
from explore.model.plan import Plan, Share, Verdict
from explore.model.ranked import RankedFile
from explore.model.section import Section
from explore.model.spans import NO_LINES, Spans
from explore.render.answer import size
from explore.render.price import Price
from explore.session.view import View

BYTES_PER_TOKEN: Final = 3.6
"""Bytes of an answer for each token, by which tokens are estimated: between the 3.1 of C and Go and the 4.2 of Python
that `benchmarks/tokens.py` measures with the o200k_base encoding, and so off by up to a fifth. Others count more: some
2.3 characters a token are published for Claude."""

CUT_OFF: Final = "dropped at the ceiling"


@dataclass(frozen=True, slots=True)
class FileReport:
    """What one file got. `share` is its part of the weight of all files with a place; in bytes: `wanted`, what its
    section would take for a stranger; `allotted`, what it takes in the plan; `delivered`, what it took in the text. In
    lines: `sent`, those of them sent `again` that the record says were sent before, and `pointed` at. `why` it got what
    it got."""

    path: str
    weight: float
    reasons: tuple[str, ...]
    share: float
    wanted: int
    allotted: int
    delivered: int
    rendition: str
    sent: Spans
    pointed: Spans
    again: Spans
    why: str


@dataclass(frozen=True, slots=True)
class SessionReport:
    """The conversation before the answer: the number of this call about the project, from 1, as decay counts; calls and
    bytes before it; and the files that the answers it stands on sent, with their lines, the most recent first."""

    number: int
    calls: int
    bytes: int
    files: tuple[tuple[str, Spans], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """An answer explained. Sizes are bytes: `envelope` aimed at, which is `decay` (a share) of `full`; `ceiling`;
    `delivered`, the text as received. `tokens` are estimated; `seconds` are those of the stages. `session` is None
    where no record is kept."""

    question: str
    project: str
    files: tuple[FileReport, ...]
    envelope: int
    full: int
    ceiling: int
    delivered: int
    seconds: Mapping[str, float]
    session: SessionReport | None

    @property
    def decay(self) -> float:
        """The share of the envelope that is left."""
        return self.envelope / self.full

    @property
    def tokens(self) -> int:
        """An estimate, by the text's size."""
        return round(self.delivered / BYTES_PER_TOKEN)


def report_of(answer: Answer, view: View | None = None, added: int = 0) -> Report:
    """The report of an answer to a reader who held what is in `view`, None where no record is kept; `added` bytes go
    out beyond the engine's text, as a handle's line does."""
    trace, emission = answer.trace, answer.emission
    return Report(
        question=emission.question,
        project=emission.project,
        files=(*_files(trace.plan, trace.sections, view or STRANGER), *_not_again(trace)),
        envelope=trace.envelope.bytes,
        full=trace.envelope.full,
        ceiling=trace.envelope.ceiling,
        delivered=size(answer.text) + added,
        seconds=trace.seconds,
        session=None if view is None else _session(view),
    )


def _files(plan: Plan, sections: tuple[Section, ...], view: View) -> Iterator[FileReport]:
    """Those with a place, in the order of the answer; then those that are only named or left out."""
    by_path = {section.path: section for section in sections}
    total = sum(share.menu.file.weight for share in plan.shares) or 1.0
    for share in plan.shares:
        yield _served(share, by_path.get(share.menu.file.path), total, view)
    yield from (_left_out(file, why) for file, why in plan.named_only)


def _served(share: Share, section: Section | None, total: float, view: View) -> FileReport:
    file, source = share.menu.file, share.menu.source
    sent = section.spans if section else NO_LINES
    return FileReport(
        path=file.path,
        weight=file.weight,
        reasons=tuple(reason.value for reason in file.reasons),
        share=file.weight / total,
        wanted=Price(source).section(share.wanted, share.steps),
        allotted=share.bytes,
        delivered=size(section.text) if section else 0,
        rendition=share.rendition.value,
        sent=sent,
        pointed=section.pointed if section else NO_LINES,
        again=sent & held_in(view, file.path, source.fingerprint).spans,
        why=share.verdict.value if section else CUT_OFF,
    )


def _left_out(file: RankedFile, why: Verdict) -> FileReport:
    reasons = tuple(reason.value for reason in file.reasons)
    return FileReport(file.path, file.weight, reasons, 0.0, 0, 0, 0, "name", NO_LINES, NO_LINES, NO_LINES, why.value)


def _not_again(trace: Trace) -> Iterator[FileReport]:
    """What was to be sent again and is not, or only in part."""
    for path, why in trace.not_again.items():
        yield FileReport(path, 0.0, (), 0.0, 0, 0, 0, "name", NO_LINES, NO_LINES, NO_LINES, why.value)


def _session(view: View) -> SessionReport:
    sent: dict[str, Spans] = {}
    marks: dict[str, str] = {}
    for emission in reversed(view.emissions):
        for file in emission.sent:
            if marks.setdefault(file.path, file.fingerprint) == file.fingerprint:
                sent[file.path] = sent.get(file.path, NO_LINES) | file.spans
    return SessionReport(view.number + 1, view.counts.calls, view.counts.response_bytes, tuple(sent.items()))
