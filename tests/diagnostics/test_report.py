"""An answer explained: the report says of the answer what its text and its emission say."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.diagnostics.report import BYTES_PER_TOKEN, report_of
from explore.diagnostics.shown import as_data, as_json, as_table
from explore.engine import Options, explore
from explore.model.spans import NO_LINES
from explore.render.answer import HANDLE_BYTES
from explore.session.view import Counts, View
from tests.support.agent import Agent, Connection
from tests.support.corpus import MemoryCorpus
from tests.support.strategies import harbours, projects, questions

FILES = {f"port/ferry_{n}.py": b"def ferry_%d(load):\n" % n + b"    load += 1\n" * 20 for n in range(9)}


@given(files=harbours() | projects(), data=st.data())
def test_a_report_says_what_the_text_says(files: dict[str, bytes], data: st.DataObject) -> None:
    connection, agent = Connection(MemoryCorpus(files)), Agent()
    for _ in range(2):
        call = connection.arrive(agent, data.draw(questions(tuple(files))), Options())
        reply = connection.answer(call)
        answer, report = reply.answer, report_of(reply.answer, call.view, HANDLE_BYTES)
        served = {file.path: file for file in report.files if file.delivered}
        assert {path: file.sent for path, file in served.items() if file.sent} == reply.sent
        assert {path: file.pointed for path, file in served.items() if file.pointed} == reply.pointed
        assert {path: file.again for path, file in served.items() if file.again} == {
            path: again for path, spans in reply.sent.items() if (again := spans & connection.holds(agent, path))
        }
        assert len(report.files) == len({file.path for file in report.files})
        assert {file.path for file in report.files} >= {file.path for file in answer.trace.ranked.files}
        text = connection.record(reply)
        assert report.delivered == len(text.encode("utf-8", "replace"))
        agent.read(text)


@given(files=harbours(), data=st.data())
def test_any_report_can_be_shown(files: dict[str, bytes], data: st.DataObject) -> None:
    answer = explore(data.draw(questions(tuple(files))), MemoryCorpus(files), "/")
    report = report_of(answer)
    assert json.loads(as_json(report)) == as_data(report)
    assert "\n" not in as_json(report)
    rows = as_table(report).split("\n")
    assert len(rows) == 2 + len(report.files)


def test_without_a_record_there_is_no_session_part_and_with_a_new_one_there_is() -> None:
    answer = explore("ferry", MemoryCorpus(FILES), "/")
    assert report_of(answer).session is None
    assert "session" not in as_data(report_of(answer))
    assert "calls before" not in as_table(report_of(answer))
    assert as_data(report_of(answer, View()))["session"] == {"number": 1, "calls": 0, "bytes": 0, "files": []}


def test_the_session_part_has_the_files_sent_before_the_newest_first() -> None:
    corpus, view, sent = MemoryCorpus(FILES), View(), []
    for turn in range(3):
        answer = explore(f"ferry turn{turn}", corpus, "/", Options(max_files=2), view)
        view = View((*view.emissions, answer.emission), Counts(turn + 1, 100 * (turn + 1)))
        sent.append([(file.path, file.spans) for file in answer.emission.sent])
    session = report_of(explore("ferry", corpus, "/", view=view), view).session
    assert session is not None
    assert (session.number, session.calls, session.bytes) == (4, 3, 300)
    newest, *_ = sent[::-1]
    assert session.files[: len(newest)] == tuple(newest)
    assert {path for path, _ in session.files} == {path for turn in sent for path, _ in turn}


def test_of_a_file_that_changed_the_session_part_has_what_was_sent_last() -> None:
    corpus, view = MemoryCorpus(FILES), View()
    for raw in (FILES["port/ferry_0.py"], b"def ferry_0(load):\n    return load\n"):
        corpus.edit("port/ferry_0.py", raw)
        view = View((*view.emissions, explore("ferry_0", corpus, "/", Options(max_files=1), view).emission))
    session = report_of(explore("ferry", corpus, "/", view=view), view).session
    assert session is not None
    assert dict(session.files)["port/ferry_0.py"].line_count == 2


def test_the_totals() -> None:
    view = View((explore("ferry", MemoryCorpus(FILES), "/").emission,))
    report = report_of(explore("ferries", MemoryCorpus(FILES), "/", view=view), view, HANDLE_BYTES)
    assert (report.envelope, report.full, report.ceiling) == (10_010, 14_300, 21_450)
    assert report.decay == pytest.approx(0.7)
    assert report.tokens == round(report.delivered / BYTES_PER_TOKEN)


def test_why_something_was_left_out() -> None:
    files = {**FILES, "port/tide.py": b"def tide(load):\n    return load\n"}
    report = report_of(explore("ferry_1 ferry_2 tide", MemoryCorpus(files), "/", Options(max_files=2)))
    why = {file.path: file.why for file in report.files}
    assert list(why.values())[:2] == ["sent whole"] * 2
    assert set(list(why.values())[2:]) <= {"no place left", "weighs too little"}
    assert all(file.sent == NO_LINES and not file.delivered for file in report.files[2:])
    assert "named in the question" in report.files[0].reasons
