"""What an agent can read off an answer: the lines under each file, with their numbers, and the pointers. It knows the
answer's shape from its description and shares no code with what draws it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Final

LONGEST_LINE: Final = 2_000
_HEADING: Final = re.compile(r"## `([^`]*)`(?: (.*))?")
_FENCE: Final = re.compile(r"(`{3,})([a-z]*)")
_NUMBERED: Final = re.compile(r"(\d+)\t(.*)", re.DOTALL)
_CUT: Final = re.compile(r"(.*) \.\.\. \[line cut: ([\d,]+) characters\]", re.DOTALL)
_GAP: Final = re.compile(r"\.\.\. (\d+) lines?(?: cut from (?P<cut>.*?))?(?:: (?P<names>.*))?", re.DOTALL)
_WITHHELD: Final = re.compile(r"\.\.\. (\d+)(?:-(\d+))?: (?:already sent|not sent, see below)")
_NAMED: Final = re.compile(r"(.+?) \(L(\d+)\)(?:, |$)", re.DOTALL)
_MORE: Final = re.compile(r", \+(\d+) more$")
_POINTER_OPENS: Final = "> Already sent"
_SPANS: Final = r"\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*"
_POINTER: Final = re.compile(
    rf'{_POINTER_OPENS}(?: for "(?P<question>[^"]*)"(?P<others> and others)?)?, [^`]* on disk: `(?P<path>[^`]*)` '
    rf"(?P<spans>{_SPANS})(?:, \+(?P<more>\d+) more)?(?: \((?P<symbols>.*?)\))?"
    r"(?:; beside them and not sent: (?P<folded>.*?))?"
    r"[;.] [^`;]*\bresend[ =](?P<again>\[.*\])",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class ReadGap:
    """A gap as it reads: how many lines, of what, and which symbols start in it, with how many more."""

    lines: int
    cut: str
    names: tuple[tuple[str, int], ...]
    more: int


@dataclass(frozen=True, slots=True)
class ReadWithheld:
    """How many lines a pointer below stands for."""

    lines: int


@dataclass(frozen=True, slots=True)
class ReadPointer:
    """A pointer as it reads: the file, the first of its spans (first and last line) with how many more there are, the
    symbols in them, the question whose answer sent them, what is not with them, and what `resend` takes."""

    path: str
    spans: tuple[tuple[int, int], ...]
    more: int
    symbols: tuple[str, ...]
    question: str
    folded: str
    again: tuple[str, ...]


@dataclass(slots=True)
class ReadSection:
    """One file as it reads: its whole lines by number, its cut lines by number, and its rows in order."""

    path: str
    titles: str
    fence: str = ""
    lines: dict[int, str] = field(default_factory=dict)
    cut_lines: dict[int, str] = field(default_factory=dict)
    rows: list[int | ReadGap | ReadWithheld] = field(default_factory=list)

    @property
    def source_bytes(self) -> int:
        """Bytes of the whole lines as they stand in the text, numbers and line ends included."""
        return sum(len(f"{number}\t{line}\n".encode("utf-8", "replace")) for number, line in self.lines.items())


@dataclass(frozen=True, slots=True)
class Delivered:
    """An answer as it reads: its sections, its pointers, and every other line outside of a fence that is no heading."""

    sections: tuple[ReadSection, ...]
    words: tuple[str, ...]
    pointers: tuple[ReadPointer, ...] = ()


def delivered(text: str) -> Delivered:
    """Reads an answer from its first line to its last; fails on a line in a fence that is neither source nor gap, and
    on a pointer that does not say all that a pointer says."""
    sections: list[ReadSection] = []
    pointers: list[ReadPointer] = []
    words: list[str] = []
    fence = ""
    for row in text.split("\n"):
        if fence:
            fence = "" if row == fence else fence
            if fence:
                _read_row(row, sections[-1])
        elif heading := _HEADING.fullmatch(row):
            sections.append(ReadSection(heading[1], heading[2] or ""))
        elif sections and not sections[-1].fence and (opening := _FENCE.fullmatch(row)):
            sections[-1].fence = fence = opening[1]
        elif row.startswith(_POINTER_OPENS):
            pointers.append(_pointer(row))
        elif row:
            words.append(row)
    assert not fence, "a fence is left open"
    return Delivered(tuple(sections), tuple(words), tuple(pointers))


def _read_row(row: str, section: ReadSection) -> None:
    if numbered := _NUMBERED.fullmatch(row):
        number, line = int(numbered[1]), numbered[2]
        section.rows.append(number)
        if len(line) <= LONGEST_LINE:
            section.lines[number] = line
        else:
            section.cut_lines[number] = line
        return
    if withheld := _WITHHELD.fullmatch(row):
        section.rows.append(ReadWithheld(int(withheld[2] or withheld[1]) - int(withheld[1]) + 1))
        return
    gap = _GAP.fullmatch(row)
    assert gap, f"neither a line nor a gap: {row!r}"
    section.rows.append(_gap(gap))


def _gap(found: re.Match[str]) -> ReadGap:
    names = found["names"] or ""
    more = _MORE.search(names)
    listed = _NAMED.findall(names.removesuffix(more[0]) if more else names)
    return ReadGap(
        int(found[1]),
        found["cut"] or "",
        tuple((name, int(line)) for name, line in listed),
        int(more[1]) if more else 0,
    )


def _pointer(row: str) -> ReadPointer:
    found = _POINTER.fullmatch(row)
    assert found, f"no pointer: {row!r}"
    ends = [tuple(map(int, span.split("-"))) for span in found["spans"].split(", ")]
    names = found["symbols"] or ""
    return ReadPointer(
        found["path"],
        tuple((pair[0], pair[-1]) for pair in ends),
        int(found["more"] or 0),
        tuple(_MORE.sub("", names).split(", ")) if names else (),
        found["question"] or "",
        found["folded"] or "",
        tuple(json.loads(found["again"])),
    )


def is_cut_of(shown: str, line: str) -> bool:
    """Whether a line in an answer is the beginning of a longer line, and says so with its true length."""
    cut = _CUT.fullmatch(shown)
    return bool(cut) and cut[1] == line[:LONGEST_LINE] and cut[2] == f"{len(line):,}"
