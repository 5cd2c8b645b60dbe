"""The words after the source: they keep to their room and name or count every file that is left out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.model.plan import Verdict
from explore.model.ranked import RankedFile, RankedSymbol, Reason
from explore.model.source import Role
from explore.render.notes import MOST_NOTE_BYTES, note_of, note_room, nothing_found
from tests.support.strategies import paths

verdicts = st.sampled_from((Verdict.GONE, Verdict.LIGHT, Verdict.NO_PLACE, Verdict.NO_ROOM))
left_out = st.lists(st.tuples(paths().map(lambda place: place[0]), verdicts), max_size=40)


def file_of(path: str, *symbols: str) -> RankedFile:
    found = tuple(RankedSymbol(ordinal, name, 1, 1.0) for ordinal, name in enumerate(symbols))
    return RankedFile(path, Role.SOURCE, 1.0, (Reason.WORDS,), found)


@given(left_out, st.integers(1_000, 50_000))
def test_a_note_keeps_to_its_room_and_names_or_counts_every_file(
    files: list[tuple[str, Verdict]], envelope: int
) -> None:
    room = note_room(envelope)
    note = note_of([(file_of(path, "ferry"), verdict) for path, verdict in files], room)
    assert len(note.encode()) <= room <= MOST_NOTE_BYTES
    for row in filter(None, note.split("\n")):
        gone = row.startswith("Gone or unreadable by now: ")
        more = re.search(r"\+(\d+) more$", row)
        named = len(re.findall(r"`[^`]+`", row))
        assert named + (int(more[1]) if more else 0) == sum((v is Verdict.GONE) == gone for _, v in files)


@pytest.mark.parametrize(
    ("files", "room", "note"),
    [
        ([], 600, ""),
        ([(file_of("a.py", "f", "A.g"), Verdict.LIGHT)], 600, "Also relevant, not shown: `a.py` (f, A.g)"),
        ([(file_of("a.py", *"fghi"), Verdict.NO_ROOM)], 600, "Also relevant, not shown: `a.py` (f, g, h)"),
        ([(file_of("a.py", ""), Verdict.NO_PLACE)], 600, "Also relevant, not shown: `a.py`"),
        ([(file_of("a.py"), Verdict.NO_PLACE)] * 3, 46, "Also relevant, not shown: `a.py`, +2 more"),
        ([(file_of("a.py"), Verdict.NO_PLACE)] * 3, 30, ""),
        (
            [(file_of("a.py"), Verdict.GONE), (file_of("b`c.py"), Verdict.LIGHT)],
            600,
            "Gone or unreadable by now: `a.py`\nAlso relevant, not shown: `b?c.py`",
        ),
    ],
)
def test_note_of(files: list[tuple[RankedFile, Verdict]], room: int, note: str) -> None:
    """Each of these reads so."""
    assert note_of(files, room) == note


def test_an_empty_project_and_a_question_without_a_match_are_told_apart() -> None:
    assert nothing_found(0) != nothing_found(1)
    assert "1,234 indexed files" in nothing_found(1_234)
