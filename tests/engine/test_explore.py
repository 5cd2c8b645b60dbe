"""The engine as a whole, over projects in memory: what an answer says it delivered is what an agent can read off it,
and every line of it is the line on disk at that moment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from explore.engine import Options, explore
from explore.model.section import shown_path
from tests.support.check import check_answer
from tests.support.corpus import MemoryCorpus
from tests.support.delivered import delivered
from tests.support.strategies import SHAPES, files, max_bytes, max_files, projects, questions

notices = st.just("") | st.just("The index is being built.")
options = st.builds(Options, max_bytes=st.none() | max_bytes, max_files=max_files, notice=notices)


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
    check_answer(answer, corpus)
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
    check_answer(explore(question, corpus, "/port", chosen), corpus)
