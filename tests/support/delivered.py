"""What an agent can read off an answer: the lines under each file, with their numbers. It knows the answer's shape
from its description and shares no code with what draws it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

LONGEST_LINE: Final = 2_000
_HEADING: Final = re.compile(r"## `([^`]*)`(?: (.*))?")
_FENCE: Final = re.compile(r"(`{3,})([a-z]*)")
_NUMBERED: Final = re.compile(r"(\d+)\t(.*)", re.DOTALL)
_CUT: Final = re.compile(r"(.*) \.\.\. \[line cut: ([\d,]+) characters\]", re.DOTALL)
_GAP: Final = re.compile(r"\.\.\. (\d+) lines?(?: cut from (?P<cut>.*?))?(?:: (?P<names>.*))?", re.DOTALL)
_NAMED: Final = re.compile(r"(.+?) \(L(\d+)\)(?:, |$)", re.DOTALL)
_MORE: Final = re.compile(r", \+(\d+) more$")


@dataclass(frozen=True, slots=True)
class ReadGap:
    """A gap as it reads: how many lines, of what, and which symbols start in it, with how many more."""

    lines: int
    cut: str
    names: tuple[tuple[str, int], ...]
    more: int


@dataclass(slots=True)
class ReadSection:
    """One file as it reads: its whole lines by number, its cut lines by number, and its rows in order."""

    path: str
    titles: str
    fence: str = ""
    lines: dict[int, str] = field(default_factory=dict)
    cut_lines: dict[int, str] = field(default_factory=dict)
    rows: list[int | ReadGap] = field(default_factory=list)

    @property
    def source_bytes(self) -> int:
        """Bytes of the whole lines as they stand in the text, numbers and line ends included."""
        return sum(len(f"{number}\t{line}\n".encode("utf-8", "replace")) for number, line in self.lines.items())


@dataclass(frozen=True, slots=True)
class Delivered:
    """An answer as it reads: its sections, and every line outside of a fence that is no heading."""

    sections: tuple[ReadSection, ...]
    words: tuple[str, ...]


def delivered(text: str) -> Delivered:
    """Reads an answer from its first line to its last; fails on a line in a fence that is neither source nor gap."""
    sections: list[ReadSection] = []
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
        elif row:
            words.append(row)
    assert not fence, "a fence is left open"
    return Delivered(tuple(sections), tuple(words))


def _read_row(row: str, section: ReadSection) -> None:
    if numbered := _NUMBERED.fullmatch(row):
        number, line = int(numbered[1]), numbered[2]
        section.rows.append(number)
        if len(line) <= LONGEST_LINE:
            section.lines[number] = line
        else:
            section.cut_lines[number] = line
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


def is_cut_of(shown: str, line: str) -> bool:
    """Whether a line in an answer is the beginning of a longer line, and says so with its true length."""
    cut = _CUT.fullmatch(shown)
    return bool(cut) and cut[1] == line[:LONGEST_LINE] and cut[2] == f"{len(line):,}"
