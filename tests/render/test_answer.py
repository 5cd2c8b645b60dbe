"""The ceiling of an answer, which nothing exceeds whatever comes in, and what has to go when it is too low."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explore.model.section import LONGEST_LINE, Block, Gap, Part, Section
from explore.model.spans import Span, Spans
from explore.render.answer import HEADER_CHARACTERS, Fitted, clipped, fit, header
from tests.support.delivered import delivered, is_cut_of
from tests.support.strategies import ODD_LINES, VOCABULARY

any_text = st.text(st.characters(), max_size=200)
lines = st.sampled_from((*ODD_LINES, *VOCABULARY)) | st.text(st.characters(exclude_characters="\n"), max_size=40)


@st.composite
def sections(draw: st.DrawFn) -> Section:
    """Blocks and gaps by turns, over lines of all sorts; a gap may name what it hides."""
    parts: list[Part] = []
    start = 1
    for shown in draw(st.lists(st.booleans(), min_size=1, max_size=5)) or [True]:
        length = draw(st.integers(1, 12))
        end = start + length - 1
        text = tuple(draw(st.lists(lines, min_size=length, max_size=length)) if shown else ())
        hidden = tuple(draw(st.lists(st.sampled_from(("ferry (L1)", "größe (L2)")), max_size=3)))
        parts.append(Block(start, text) if shown else Gap(Span(start, end), hidden))
        start = end + 1
    return Section(f"port/{draw(st.sampled_from(VOCABULARY))}.py", "python", "0-0", ("ferry",), tuple(parts))


def section_of(count: int, line: str = "x" * 40, path: str = "a.py") -> Section:
    return Section(path, "python", "0-0", (), (Block(1, (line,) * count),))


def size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def check(fitted: Fitted, given_sections: Sequence[Section], ceiling: int) -> None:
    """The text keeps its ceiling, and what it shows is what its sections say, from the first one on."""
    assert size(fitted.text) <= ceiling
    read = delivered(fitted.text).sections if fitted.sections else ()
    assert [Spans.of_lines(section.lines) for section in read] == [section.spans for section in fitted.sections]
    kept = len(fitted.sections)
    assert [section.path for section in fitted.sections] == [section.path for section in given_sections[:kept]]
    for section, before in zip(fitted.sections, given_sections, strict=False):
        assert not section.spans - before.spans
        assert section == before or kept == 1


@given(any_text, st.lists(sections(), max_size=4), any_text, st.integers(0, 6_000))
@example("", [], "", 0)
@example("\ud800" * 200, [section_of(9, "\ud800")], "\ud800" * 99, 120)
def test_the_ceiling_is_never_exceeded(question: str, given_sections: list[Section], note: str, ceiling: int) -> None:
    # A note stands outside of every fence, so one that looks like a section is not the engine's own.
    check(fit(question, 3, given_sections, "Also: " + re.sub(r"\s", " ", note), ceiling), given_sections, ceiling)


@given(sections(), st.data())
def test_a_sole_section_is_cut_at_whole_lines_and_counts_only_what_stayed(
    section: Section, data: st.DataObject
) -> None:
    whole = size(fit("q", 1, [section], "", 10**9).text)
    ceiling = data.draw(st.integers(0, whole - 1))
    fitted = fit("q", 1, [section], "", ceiling)
    check(fitted, [section], ceiling)
    for kept in fitted.sections:
        (read,) = delivered(fitted.text).sections
        last = max(number for number in (*read.lines, *read.cut_lines))
        assert kept.spans == section.spans & Spans([Span(1, last)])
        assert kept.source_bytes == read.source_bytes
        assert isinstance(kept.parts[-1], Gap)
        assert kept.parts[-1].cut
        assert kept.parts[-1].span == Span(last + 1, end_of(section))


def end_of(section: Section) -> int:
    part = section.parts[-1]
    return part.span.end if isinstance(part, Gap) else part.start + len(part.lines) - 1


@given(sections(), st.data())
def test_a_cut_still_names_or_counts_what_the_gaps_hid(section: Section, data: st.DataObject) -> None:
    whole = size(fit("q", 1, [section], "", 10**9).text)
    fitted = fit("q", 1, [section], "", data.draw(st.integers(whole // 2, whole - 1)))
    assert all(hidden_in(kept) == hidden_in(section) for kept in fitted.sections)


def hidden_in(section: Section) -> int:
    return sum(len(part.hidden) + part.more for part in section.parts if isinstance(part, Gap))


@pytest.mark.parametrize("over", range(1, 45))
def test_a_trailing_gap_shorter_than_the_mark_of_a_cut_does_not_stop_the_cutting(over: int) -> None:
    section = Section("a.py", "python", "0-0", (), (*section_of(20).parts, Gap(Span(21, 25), ())))
    ceiling = size(fit("q", 1, [section], "", 10**9).text) - over
    fitted = fit("q", 1, [section], "", ceiling)
    check(fitted, [section], ceiling)
    assert fitted.sections[0].spans.line_count >= 18


@pytest.mark.parametrize("before", [24_999, 25_000, 25_001, 50_001])
@pytest.mark.parametrize("letter", ["a", "é", "港", "🚢"])
def test_an_answer_of_so_many_bytes_before_a_ceiling_of_25_000(before: int, letter: str) -> None:
    """One that fits is left as it is; one that does not keeps its first sections whole and loses the last."""
    given_sections = [section_of(12, letter * 100, f"{n}.py") for n in range(40)]
    while size(fit("q", 40, given_sections, "", 10**9).text) > before:
        given_sections.pop()
    note = "n" * (before - 2 - size(fit("q", 40, given_sections, "", 10**9).text))
    assert size(fit("q", 40, given_sections, note, 10**9).text) == before
    fitted = fit("q", 40, given_sections, note, 25_000)
    check(fitted, given_sections, 25_000)
    assert (fitted.sections == tuple(given_sections)) == (before <= 25_000)
    assert note in fitted.text
    one_more = given_sections[: len(fitted.sections) + 1]
    assert before <= 25_000 or size(fit("q", 40, one_more, note, 10**9).text) > 25_000


@pytest.mark.parametrize("ceiling", [24_999, 25_001, 50_000])
def test_one_section_of_50_001_bytes_keeps_as_many_lines_as_fit(ceiling: int) -> None:
    fitted = fit("q", 1, [section_of(50_001 // 40)], "", ceiling)
    check(fitted, [section_of(50_001 // 40)], ceiling)
    assert size(fitted.text) > ceiling - 2 * 46


@pytest.mark.parametrize(
    ("line", "spans"),
    [("x" * 200_000, Spans()), ("x" * LONGEST_LINE, Spans([Span(1, 1)])), ("港" * (LONGEST_LINE + 1), Spans())],
)
def test_a_file_of_one_line_stays_under_the_ceiling_and_a_cut_line_is_marked_and_not_counted(
    line: str, spans: Spans
) -> None:
    fitted = fit("q", 1, [section_of(1, line)], "", 13_000)
    check(fitted, [section_of(1, line)], 13_000)
    assert fitted.sections[0].spans == spans
    assert all(is_cut_of(shown, line) for shown in delivered(fitted.text).sections[0].cut_lines.values())


def test_a_line_that_alone_is_over_the_ceiling_leaves_no_section() -> None:
    fitted = fit("q", 1, [section_of(1, "港" * LONGEST_LINE)], "", 1_000)
    assert fitted.sections == ()
    assert size(fitted.text) <= 1_000


@pytest.mark.parametrize(
    ("question", "shown", "files", "line"),
    [
        ("how", 1, 2, "Source for: how (1 of 2 files)"),
        ("  how\n\tdoes  it\u2028work ", 0, 1_234, "Source for: how does it work (0 of 1,234 files)"),
        ("x" * HEADER_CHARACTERS, 1, 1, f"Source for: {'x' * HEADER_CHARACTERS} (1 of 1 files)"),
        ("x" * (HEADER_CHARACTERS + 1), 1, 1, f"Source for: {'x' * (HEADER_CHARACTERS - 3)}... (1 of 1 files)"),
    ],
)
def test_the_header_is_one_line(question: str, shown: int, files: int, line: str) -> None:
    assert header(question, shown, files) == line


@given(any_text, st.integers(0, 300))
def test_a_clipped_text_is_a_beginning_at_a_whole_character(text: str, most: int) -> None:
    sent = text.encode("utf-8", "replace").decode()
    assert sent.startswith(clipped(text, most))
    assert most - 3 <= size(clipped(text, most)) <= most or clipped(text, most) == sent
