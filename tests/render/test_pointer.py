"""The words that stand in for lines: one line, which names what it stands for and says how to have it again."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.dedup.recover import read_wanted
from explore.model.held import Split
from explore.model.plan import Menu, Rendition, Share, Step, Verdict
from explore.model.ranked import RankedFile, Reason
from explore.model.section import CONTROLS, Pointer
from explore.model.source import Kind, Role, Source, Symbol
from explore.model.spans import Span, Spans
from explore.render.build import build_section
from explore.render.gaps import Gaps
from tests.support.delivered import delivered
from tests.support.strategies import source_of, spans_within

LAST: Final = 60
SAME, AGAIN = ", same on disk: ", "; resend="
NASTY: Final = (
    "\n",
    "\r",
    "\u2028",
    "\x85",
    "\x1b[2J",
    "`",
    '"',
    "\\",
    "]",
    "> Already sent",
    "resend",
    "\u202e",
    "\t",
)
texts: Final = st.lists(st.sampled_from(NASTY) | st.text(max_size=12), max_size=8).map("".join)
file_names: Final = st.lists(st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
paths: Final = file_names.map("".join).filter(lambda path: path and path == path.strip())


@st.composite
def pointers(draw: st.DrawFn) -> Pointer:
    """A pointer into a file of any name with symbols of any names, sent for any question."""
    symbols = tuple(
        Symbol(Kind.FUNCTION, name, name, Span(line, line), line, line, name)
        for line, name in enumerate(draw(st.lists(texts, max_size=12)), 1)
    )
    source = Source(draw(paths), "python", "0-0", ("x",) * LAST, symbols)
    pointed = draw(spans_within(LAST, least=1))
    split = Split(Spans(), pointed, draw(spans_within(LAST)) - pointed)
    return Gaps(source).pointer(split, draw(texts))


def resend_in(text: str) -> Any:
    """The JSON value that the text ends with: from the first bracket that opens one."""
    for found in re.finditer(r"\[", text):
        try:
            return json.loads(text[found.start() :])
        except ValueError:
            continue
    raise AssertionError(f"no value at the end of {text!r}")


@given(pointers())
def test_a_pointer_is_one_line_whatever_its_parts_hold(pointer: Pointer) -> None:
    assert len(pointer.text.splitlines()) == 1
    assert not CONTROLS.search(pointer.text)
    assert pointer.text.startswith("> Already sent")
    assert pointer.text.count("`") == 2


@given(pointers())
def test_it_ends_with_the_value_that_brings_its_lines_back(pointer: Pointer) -> None:
    (item,) = resend_in(pointer.text)
    wanted = read_wanted(item)
    assert wanted.path == pointer.path
    assert not pointer.spans - wanted.spans
    if len(pointer.spans.parts) <= 4:
        assert wanted.spans == pointer.spans


@pytest.mark.parametrize(
    "path",
    [
        *("a.py", "a b.py", "it's #1.py", 'a"b.py', "a`b.py", "a\nb.py", "a\\b.py", "größe/港.py", "a\u2028b.py"),
        *("a:12.py", "a.py:3-4", " a.py", "\u3000a.py", "a.py ", "[a].py", "C:\\a.py", "🚢.py", "\x07.py"),
    ],
)
def test_a_file_of_any_name_can_be_had_again(path: str) -> None:
    (item,) = resend_in(Pointer(path, Spans([Span(3, 12)]), (), 0, "tide").text)
    assert (read_wanted(item).path, read_wanted(item).spans) == (path, Spans([Span(3, 12)]))


def pointer_to(*runs: tuple[int, int], question: str = "how do tides work", symbols: int = 0) -> str:
    """The pointer to these runs of a file whose lines 1, 2, ... hold a symbol each."""
    found = (Symbol(Kind.FUNCTION, f"f{n}", f"A.f{n}", Span(n, n), n, n, "") for n in range(1, symbols + 1))
    source = Source("port/a.py", "python", "0-0", ("x",) * 99, tuple(found))
    return Gaps(source).pointer(Split(Spans(), Spans(Span(*run) for run in runs)), question).text


def test_a_pointer_reads_like_this() -> None:
    assert pointer_to((1, 9), (20, 30), symbols=2) == (
        '> Already sent for "how do tides work", same on disk: `port/a.py` 1-9, 20-30 (A.f1, A.f2); '
        'resend=["port/a.py:1-9,20-30"]'
    )


@pytest.mark.parametrize(
    ("runs", "named", "value"),
    [
        (1, " 10-18", "10-18"),
        (4, " 10-18, 20-28, 30-38, 40-48", "10-18,20-28,30-38,40-48"),
        (5, " 10-18, 20-28, 30-38, 40-48, +1 more", "10-18,20-28,30-38,40-48,50-58"),
        (13, " 10-18, 20-28, 30-38, 40-48, +9 more", "10-138"),
    ],
)
def test_four_spans_are_named_and_the_others_counted_and_all_can_be_had_again(
    runs: int, named: str, value: str
) -> None:
    text = pointer_to(*((10 * n, 10 * n + 8) for n in range(1, runs + 1)))
    assert f"`port/a.py`{named}{AGAIN}" in text
    assert resend_in(text) == [f"port/a.py:{value}"]


@pytest.mark.parametrize(
    ("symbols", "named"),
    [
        (0, "1-9"),
        (1, "1-9 (A.f1)"),
        (5, "1-9 (A.f1, A.f2, A.f3, A.f4, A.f5)"),
        (6, "1-9 (A.f1, A.f2, A.f3, A.f4, A.f5, +1 more)"),
        (9, "1-9 (A.f1, A.f2, A.f3, A.f4, A.f5, +4 more)"),
        (30, "1-9 (A.f1, A.f2, A.f3, A.f4, A.f5, +4 more)"),
    ],
)
def test_five_symbols_are_named_and_the_others_counted(symbols: int, named: str) -> None:
    assert f"`port/a.py` {named}{AGAIN}" in pointer_to((1, 9), symbols=symbols)


def test_lines_inside_of_a_symbol_name_it() -> None:
    source = source_of("a.py", b"def ferry(load):\n" + b"    load += 1\n" * 30)
    assert f"`a.py` 5-20 (ferry){AGAIN}" in Gaps(source).pointer(Split(Spans(), Spans([Span(5, 20)])), "q").text


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("", "sent"),
        ("x" * 60, f'sent for "{"x" * 60}"'),
        ("x" * 61, f'sent for "{"x" * 57}..."'),
        ("港" * 400, f'sent for "{"港" * 57}..."'),
        ('where is "tide" set', "sent for \"where is 'tide' set\""),
        ("two\nlines\u2028and `more`", 'sent for "two lines and more"'),
        ("  much \t\n  room ", 'sent for "much room"'),
    ],
)
def test_the_question_is_told_on_one_line_and_in_60_characters(question: str, shown: str) -> None:
    assert f"> Already {shown}{SAME}" in pointer_to((1, 9), question=question)


@pytest.mark.parametrize(
    ("folded", "left"),
    [
        (Spans(), "1-9"),
        (Spans([Span(10, 12)]), "1-9; beside them and not sent: 10-12: dock (L12)"),
        (Spans([Span(10, 10)]), "1-9; beside them and not sent: 10"),
        (Spans([Span(11, 11)]), "1-9"),
        (Spans([Span(10, 10), Span(12, 12)]), "1-9; beside them and not sent: 10; 12: dock (L12)"),
    ],
)
def test_new_lines_that_fold_away_are_named_as_gaps_unless_they_are_blank(folded: Spans, left: str) -> None:
    """They are in what it names beside its spans, and not in what it would bring again."""
    dock = Symbol(Kind.FUNCTION, "dock", "dock", Span(12, 13), 12, 12, "def dock()")
    source = Source("a.py", "python", "0-0", (*["x"] * 10, " \t", "def dock():", "    1"), (dock,))
    text = Gaps(source).pointer(Split(Spans(), Spans([Span(1, 9)]), folded), "q").text
    assert f"`a.py` {left}{AGAIN}" in text
    assert resend_in(text) == ["a.py:1-9"]


@pytest.mark.parametrize(
    "word", ["not", "never", "need", "must", "should", "instead", "avoid", "skip", "don't", "read"]
)
def test_it_forbids_nothing(word: str) -> None:
    """Hosts require that a file was read before it is edited."""
    text = pointer_to((1, 9), (20, 30), (40, 50), (60, 70), (80, 90), symbols=9)
    assert not re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)


def share_of(source: Source, split: Split) -> Share:
    menu = Menu(RankedFile(source.path, Role.SOURCE, 1.0, (Reason.WORDS,), ()), source, ())
    steps = (Step(Rendition.BODIES, split.sent | split.withheld, 1.0, "ferry"),)
    return Share(menu, Rendition.BODIES, split, 0, 0, Verdict.SERVED, steps, "tides")


def test_a_section_with_a_pointer_reads_like_this() -> None:
    source = source_of("a.py", b"def ferry(load):\n" + b"    load += 1\n" * 19 + b"\n\ndef dock():\n    return 1\n")
    section = build_section(share_of(source, Split(Spans([Span(1, 2)]), Spans([Span(3, 20)]), Spans([Span(21, 21)]))))
    assert section.text.split("\n") == [
        "## `a.py` ferry",
        "```python",
        "1\tdef ferry(load):",
        "2\t    load += 1",
        "... 3-20: already sent",
        "... 3 lines: dock (L23)",
        "```",
        '> Already sent for "tides", same on disk: `a.py` 3-20 (ferry); resend=["a.py:3-20"]',
    ]
    assert (section.spans, section.pointed) == (Spans([Span(1, 2)]), Spans([Span(3, 20)]))


def test_a_section_that_only_points_is_the_pointer_and_nothing_else() -> None:
    source = source_of("a.py", b"def ferry(load):\n" + b"    load += 1\n" * 19)
    section = build_section(share_of(source, Split(Spans(), source.whole)))
    assert section.text.startswith("> Already sent")
    assert section.text.count("\n") == 0
    assert (section.spans, section.pointed, section.source_bytes) == (Spans(), source.whole, 0)
    (pointer,) = delivered(section.text).pointers
    assert (pointer.path, pointer.spans, pointer.again) == ("a.py", ((1, 20),), ("a.py:1-20",))
