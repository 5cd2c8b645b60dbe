"""The record of a conversation: it keeps to its bounds, which drop detail and no counts, and never says more than was
sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.model.emission import Emission, EmittedFile
from explore.model.spans import Span, Spans
from explore.session.record import LATEST, MOST_CALLS, MOST_FILES, MOST_PROJECTS, MOST_SPANS, Session, bounded
from explore.session.view import Counts, View
from tests.support.strategies import PROJECTS, emissions, emitted_files

many_lines = st.integers(0, 2 * MOST_SPANS).map(
    lambda count: Spans(Span(5 * n + 1, 5 * n + 1 + n % 4) for n in range(count))
)


@st.composite
def large_emissions(draw: st.DrawFn) -> Emission:
    """More files than are kept, of more spans than are kept."""
    names = [f"f{n}.py" for n in range(draw(st.integers(MOST_FILES - 2, 40)))]
    few = draw(st.lists(emitted_files("odd.py", many_lines), min_size=1, max_size=3))
    files = (replace(few[n % len(few)], path=name) for n, name in enumerate(names))
    sized = (replace(file, source_bytes=draw(st.integers(0, 9))) for file in files)
    return Emission(draw(st.sampled_from(PROJECTS)), "q", tuple(sized), 100)


def recorded(sent: Sequence[Emission]) -> Session:
    """The record after these answers."""
    session = Session()
    for emission in sent:
        session = session.after(emission)
    return session


def asked(*projects: str) -> Session:
    """The record after an answer of 10 bytes to each of these projects in turn."""
    return recorded([Emission(project, f"q{n}", (), 10, n) for n, project in enumerate(projects, 1)])


def file_of(path: str, source_bytes: int, *spans: tuple[int, int]) -> EmittedFile:
    return EmittedFile(path, "ab-80", Spans(Span(*ends) for ends in spans), source_bytes)


def is_part_of(kept: Emission, whole: Emission) -> bool:
    """Whether an emission says nothing that the other does not say."""
    files = {file.path: file for file in whole.files}
    return (
        replace(kept, files=whole.files, dropped=whole.dropped) == whole
        and kept.dropped - whole.dropped == len(whole.files) - len(kept.files)
        and all(
            file.fingerprint == files[file.path].fingerprint
            and file.source_bytes == files[file.path].source_bytes
            and not file.spans - files[file.path].spans
            for file in kept.files
        )
    )


@given(st.lists(emissions() | large_emissions(), max_size=12))
def test_a_record_never_holds_more_than_was_emitted(sent: list[Emission]) -> None:
    """Neither does what a call is handed of it."""
    session = recorded(sent)
    for record in session.projects:
        assert all(is_part_of(kept.emission, sent[kept.place - 1]) for kept in record.recent)
        view = session.view(record.project)
        latest = [emission for emission in sent[-LATEST:] if emission.project == record.project]
        assert len(view.emissions) == len(latest)
        assert all(map(is_part_of, view.emissions, latest))


@given(st.lists(emissions() | large_emissions(), max_size=12))
def test_a_record_keeps_to_its_bounds(sent: list[Emission]) -> None:
    session = recorded(sent)
    assert len(session.projects) <= MOST_PROJECTS
    for record in session.projects:
        assert len(record.recent) <= MOST_CALLS
        for kept in record.recent:
            assert len(kept.emission.files) <= MOST_FILES
            assert all(len(file.spans.parts) <= MOST_SPANS for file in kept.emission.files)
            assert all(len(file.pointed.parts) <= MOST_SPANS for file in kept.emission.files)
            assert bounded(kept.emission) == kept.emission


@given(st.lists(emissions(), max_size=40))
def test_counts_outlive_the_detail_for_as_long_as_the_project_is_kept(sent: list[Emission]) -> None:
    counts: dict[str, Counts] = {}
    for emission in sent:
        before = counts.pop(emission.project, Counts())
        counts[emission.project] = Counts(before.calls + 1, before.response_bytes + emission.response_bytes)
        if len(counts) > MOST_PROJECTS:
            del counts[next(iter(counts))]
    session = recorded(sent)
    assert {record.project: record.counts for record in session.projects} == counts
    assert all(session.view(project).counts == counts.get(project, Counts()) for project in PROJECTS)
    assert session.answers == len(sent)


@given(st.lists(emissions(), max_size=3), emissions())
def test_the_next_record_leaves_the_one_before_as_it_was(sent: list[Emission], one_more: Emission) -> None:
    session = recorded(sent)
    session.after(one_more)
    assert session == recorded(sent)


@pytest.mark.parametrize(
    ("projects", "kept"),
    [
        ("", ""),
        ("a", "a"),
        ("abcd", "abcd"),
        ("abcde", "bcde"),
        ("abcdae", "cdae"),
        ("abcdabcd", "abcd"),
        ("abcdea", "cdea"),
    ],
)
def test_of_five_projects_the_one_asked_the_longest_ago_goes(projects: str, kept: str) -> None:
    assert "".join(record.project for record in asked(*projects).projects) == kept


def test_a_project_that_comes_back_after_it_went_starts_from_nothing() -> None:
    assert asked(*"aaabcdea").view("a").counts == Counts(1, 10)
    assert [emission.question for emission in asked(*"aaabcdea").view("a").emissions] == ["q8"]
    assert asked(*"aaabcde").view("a") == View()


@pytest.mark.parametrize(
    ("projects", "questions"),
    [
        ("a", "q1"),
        ("aaaa", "q1 q2 q3 q4"),
        ("aaaaa", "q2 q3 q4 q5"),
        ("aabbb", "q2"),
        ("aabbbb", ""),
        ("ababababa", "q7 q9"),
    ],
)
def test_the_last_four_answers_of_a_conversation_are_stood_on_whatever_project_they_were_of(
    projects: str, questions: str
) -> None:
    view = asked(*projects).view("a")
    assert [emission.question for emission in view.emissions] == questions.split()
    assert view.counts.calls == projects.count("a")


def test_eight_calls_of_a_project_are_kept_and_all_are_counted() -> None:
    (record,) = asked(*"a" * 20).projects
    assert [kept.emission.question for kept in record.recent] == [f"q{n}" for n in range(13, 21)]
    assert record.counts == Counts(20, 200)


def test_of_more_than_24_files_those_with_most_source_are_kept() -> None:
    files = [file_of(f"{n}.py", n % 13, (1, 1)) for n in range(30)]
    kept = bounded(Emission("/", "q", tuple(files), 10))
    assert len(kept.files) == 24
    assert {file.path for file in files} - {file.path for file in kept.files} == {
        *("0.py", "1.py", "13.py", "14.py", "26.py", "27.py")
    }
    assert kept.dropped == 6


@given(many_lines, many_lines)
def test_of_what_was_pointed_at_nothing_is_forgotten(spans: Spans, pointed: Spans) -> None:
    """Else it would be pointed at once more when it is asked for by name."""
    (kept,) = bounded(Emission("/", "q", (EmittedFile("a.py", "ab-80", spans, 9, pointed),), 10)).files
    assert not pointed - kept.pointed
    assert len(kept.pointed.parts) == min(len(pointed.parts), MOST_SPANS)


@pytest.mark.parametrize(("count", "dropped"), [(1, 0), (24, 0), (25, 1), (60, 36)])
def test_of_more_than_24_spans_the_largest_are_kept_and_it_says_how_many_were_dropped(count: int, dropped: int) -> None:
    lengths = [1 + 7 * n % count for n in range(count)]
    spans = [(100 * n + 1, 100 * n + length) for n, length in enumerate(lengths)]
    (kept,) = bounded(Emission("/", "q", (file_of("a.py", 9, *spans),), 10)).files
    assert sorted(map(len, kept.spans)) == sorted(lengths)[dropped:]
    assert kept.dropped == dropped
    assert kept.source_bytes == 9
    assert bounded(Emission("/", "q", (kept,), 10)).files == (kept,)
