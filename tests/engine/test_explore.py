"""The engine as a whole, over projects in memory: what an answer says it delivered is what an agent can read off it,
and every line of it is the line on disk at that moment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from explore.dedup.fingerprint import fingerprint
from explore.engine import Answer, Options, explore
from explore.model.emission import SentFile
from explore.model.section import shown_path
from explore.model.spans import Spans
from tests.support.corpus import MemoryCorpus
from tests.support.delivered import delivered, is_cut_of
from tests.support.strategies import SHAPES, files, max_bytes, max_files, projects, questions

options = st.builds(Options, st.none() | max_bytes, max_files, st.just("") | st.just("The index is being built."))


def check(answer: Answer, corpus: MemoryCorpus) -> None:
    """An answer keeps its ceiling, and an agent that reads it holds what the emission says, as it is on disk."""
    sent = answer.text.encode("utf-8", "replace")
    assert len(sent) <= answer.trace.envelope.ceiling
    assert len(sent) == answer.emission.response_bytes
    shown = {section.path: section for section in delivered(sent.decode()).sections}
    by_shown_path = {shown_path(path): path for path in corpus.disk}
    assert {shown_path(file.path) for file in answer.emission.files} == {p for p, s in shown.items() if s.lines}
    for file in answer.emission.files:
        section = shown[shown_path(file.path)]
        assert file == SentFile(
            file.path, fingerprint(corpus.disk[file.path]), Spans.of_lines(section.lines), section.source_bytes
        )
    for path, section in shown.items():
        lines = corpus.lines(by_shown_path[path])
        assert section.lines == {number: lines[number - 1] for number in section.lines}
        assert all(is_cut_of(cut, lines[number - 1]) for number, cut in section.cut_lines.items())


@st.composite
def asked(draw: st.DrawFn) -> tuple[dict[str, bytes], str, Options]:
    """A project, a question to it and the options of the call."""
    project = draw(projects())
    return project, draw(questions(tuple(project))), draw(options)


@given(asked())
def test_what_is_said_to_be_delivered_is_in_the_text_within_the_ceiling(
    call: tuple[dict[str, bytes], str, Options],
) -> None:
    project, question, chosen = call
    corpus = MemoryCorpus(project)
    answer = explore(question, corpus, "/port", chosen)
    check(answer, corpus)
    assert answer == explore(question, MemoryCorpus(project), "/port", chosen)
    assert len(answer.trace.plan.shares) <= answer.trace.envelope.max_files


@given(asked())
def test_all_that_was_planned_is_sent_and_every_other_file_that_was_found_has_a_reason(
    call: tuple[dict[str, bytes], str, Options],
) -> None:
    """The ceiling is the last word on size, not the one that decides: what it takes away would go unnamed."""
    project, question, chosen = call
    answer = explore(question, MemoryCorpus(project), "/port", chosen)
    plan, read = answer.trace.plan, delivered(answer.text.encode("utf-8", "replace").decode())
    assert [section.path for section in read.sections] == [shown_path(share.menu.file.path) for share in plan.shares]
    accounted = [share.menu.file.path for share in plan.shares] + [file.path for file, _ in plan.named_only]
    assert sorted(accounted) == sorted(file.path for file in answer.trace.ranked.files)


@given(asked(), st.data())
def test_lines_are_those_on_disk_now_whatever_was_indexed(
    call: tuple[dict[str, bytes], str, Options], data: st.DataObject
) -> None:
    """Files are moved down, written anew or taken away between indexing and asking."""
    project, question, chosen = call
    corpus = MemoryCorpus(project)
    for path, raw in project.items():
        match data.draw(st.sampled_from(("same", "moved", "other", "gone"))):
            case "moved":
                corpus.edit(path, b"# one more line\n" * data.draw(st.integers(1, 45)) + raw)
            case "other":
                shape = next(shape for shape in SHAPES if path.endswith(shape.suffix))
                corpus.edit(path, data.draw(files(shape)))
            case "gone":
                corpus.remove(path)
    check(explore(question, corpus, "/port", chosen), corpus)
