"""A report as text: a table for people, plain data for machines. It writes nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from explore.diagnostics.report import FileReport, Report, SessionReport
from explore.model.section import shown_path, shown_question, shown_spans
from explore.model.spans import Spans

HEADINGS: Final = (
    "weight",
    "share",
    "wanted",
    "allotted",
    "delivered",
    "shown",
    "lines",
    "sent",
    "pointed at",
    "again",
)
LEFT: Final = frozenset({"shown", "sent", "pointed at", "again"})
"""Columns whose entries begin at the left."""


def as_table(report: Report) -> str:
    """Several lines: the totals, the conversation before, and a row a file."""
    return "\n".join([*_totals(report), *_rows(report.files)])


def as_json(report: Report) -> str:
    """One line."""
    return json.dumps(as_data(report), ensure_ascii=False)


def as_data(report: Report) -> dict[str, Any]:
    """The report as JSON can say it; lines are pairs of the first and the last. Without a record there is no key
    `session`."""
    session = {"session": _session_data(report.session)} if report.session else {}
    return {
        "question": report.question,
        "project": report.project,
        "envelope": report.envelope,
        "full_envelope": report.full,
        "ceiling": report.ceiling,
        "decay": round(report.decay, 3),
        "delivered": report.delivered,
        "tokens": report.tokens,
        "milliseconds": {stage: round(1000 * seconds, 2) for stage, seconds in report.seconds.items()},
        **session,
        "files": [_file_data(file) for file in report.files],
    }


def _file_data(file: FileReport) -> dict[str, Any]:
    return {
        "path": file.path,
        "weight": round(file.weight, 3),
        "reasons": list(file.reasons),
        "share": round(file.share, 3),
        "wanted": file.wanted,
        "allotted": file.allotted,
        "delivered": file.delivered,
        "rendition": file.rendition,
        "sent": _pairs(file.sent),
        "pointed": _pairs(file.pointed),
        "again": _pairs(file.again),
        "why": file.why,
    }


def _session_data(session: SessionReport) -> dict[str, Any]:
    files = [{"path": path, "lines": _pairs(spans)} for path, spans in session.files]
    return {"number": session.number, "calls": session.calls, "bytes": session.bytes, "files": files}


def _pairs(spans: Spans) -> list[list[int]]:
    return [[span.start, span.end] for span in spans]


def _totals(report: Report) -> Iterator[str]:
    stages = ", ".join(f"{stage} {1000 * seconds:.1f}" for stage, seconds in report.seconds.items())
    yield (
        f'explore "{shown_question(report.question)}": {report.delivered:,} bytes, about {report.tokens:,} tokens; '
        f"envelope {report.envelope:,} ({report.decay:.0%} of {report.full:,}), ceiling {report.ceiling:,}; "
        f"ms: {stages}"
    )
    if session := report.session:
        yield f"call number {session.number}; calls before: {session.calls:,}, of {session.bytes:,} bytes in all"
        yield from (f"  sent before: {shown_path(path)} {shown_spans(spans)}" for path, spans in session.files)


def _rows(files: Sequence[FileReport]) -> Iterator[str]:
    """The columns side by side, each as wide as its widest entry; last the file with why, and its reasons."""
    cells = [HEADINGS, *map(_cells, files)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    ends = ["file: why; reasons", *map(_end, files)]
    for row, end in zip(cells, ends, strict=True):
        yield "  ".join([*map(_placed, HEADINGS, row, widths), end])


def _placed(heading: str, cell: str, width: int) -> str:
    return cell.ljust(width) if heading in LEFT else cell.rjust(width)


def _cells(file: FileReport) -> tuple[str, ...]:
    sizes = (f"{count:,}" if count else "" for count in (file.wanted, file.allotted, file.delivered))
    lines = f"{file.sent.line_count:,}" if file.sent else ""
    spans = map(shown_spans, (file.sent, file.pointed, file.again))
    return f"{file.weight:.2f}", f"{file.share:.0%}" if file.share else "", *sizes, file.rendition, lines, *spans


def _end(file: FileReport) -> str:
    return f"{shown_path(file.path)}: {file.why}; {', '.join(file.reasons)}"
