"""Withholding takes nothing away: after a call an agent holds what a caller without any state would have been shown,
but for slivers, and those only once."""

from __future__ import annotations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from explore.dedup.recover import Wanted
from explore.engine import Options
from explore.model.spans import NO_LINES, Span, Spans
from tests.support.agent import Agent, Connection, Habit, check_beside_plain, check_reply
from tests.support.corpus import MemoryCorpus
from tests.support.strategies import EDITS, Piece, file_of, harbours, projects, questions, spans_within

# An answer of bytes that the caller sets is of that size in every conversation, so that the two can be compared.
sizes = st.sampled_from((1_000, 2_000, 4_000, 13_000)) | st.integers(1_000, 6_000)
some_options = st.builds(Options, max_bytes=sizes, max_files=st.sampled_from((None, 1, 2, 3)))


def questions_in(files: dict[str, bytes]) -> st.SearchStrategy[str]:
    """By files, by the words and symbols in them, and in any other words."""
    symbols = sorted({s.name for record in MemoryCorpus(files).records for s in record.symbols if s.name})
    words = sorted({word for symbol in symbols for word in symbol.lower().split("_") if word.isalpha()})
    if not symbols:
        return questions(tuple(files))
    said = st.lists(st.sampled_from([*words, *symbols]), min_size=1, max_size=3).map(" ".join)
    return said.filter(str.strip) | questions(tuple(files))


def ask_on(connection: Connection, agent: Agent, data: st.DataObject, files: dict[str, bytes]) -> None:
    """A few questions, after each of which the agent lacks nothing but slivers, and none of these a second time."""
    left_out: dict[str, Spans] = {}
    for _ in range(data.draw(st.integers(2, 5))):
        call = connection.arrive(agent, data.draw(questions_in(files)), data.draw(some_options))
        reply = connection.answer(call)
        check_reply(connection, reply)
        slivers = check_beside_plain(connection, reply)
        event(f"slivers: {bool(slivers)}")
        assert not any(lines & left_out.get(path, NO_LINES) for path, lines in slivers.items())
        left_out |= {path: lines | left_out.get(path, NO_LINES) for path, lines in slivers.items()}
        agent.read(connection.record(reply))


@given(files=harbours() | projects(), data=st.data())
def test_after_a_call_an_agent_holds_what_a_plain_answer_shows_but_slivers_and_those_only_once(
    files: dict[str, bytes], data: st.DataObject
) -> None:
    ask_on(Connection(MemoryCorpus(files)), Agent(), data, files)


@given(files=harbours(), data=st.data())
def test_so_it_does_whatever_lines_it_held_before(files: dict[str, bytes], data: st.DataObject) -> None:
    """Any lines of every file, as they are got by asking for them; most slivers come of such."""
    connection, agent = Connection(MemoryCorpus(files)), Agent()
    spans = {path: data.draw(spans_within(len(connection.corpus.lines(path)), least=1)) for path in files}
    wanted = tuple(Wanted(path, lines) for path, lines in spans.items())
    reply = connection.ask(agent, "nothing else", Options(resend=wanted))
    assert reply.sent == spans
    ask_on(connection, agent, data, files)


@given(files=harbours(), data=st.data())
def test_edited_files_are_held_as_they_are_after_the_call(files: dict[str, bytes], data: st.DataObject) -> None:
    connection, agent = Connection(MemoryCorpus(files)), Agent()
    for _ in range(data.draw(st.integers(2, 5))):
        path = data.draw(st.sampled_from(sorted(files)))
        change = data.draw(st.none() | st.sampled_from(EDITS))
        connection.corpus.edit(path, change(files[path]) if change else files[path])
        reply = connection.ask(agent, data.draw(questions_in(files)), data.draw(some_options))
        check_beside_plain(connection, reply)


@given(files=harbours() | projects(), data=st.data(), habit=st.sampled_from(Habit))
def test_who_wants_nothing_withheld_gets_the_plain_text_whatever_was_sent(
    files: dict[str, bytes], data: st.DataObject, habit: Habit
) -> None:
    connection, agent = Connection(MemoryCorpus(files)), Agent(habit)
    connection.ask(agent, data.draw(questions_in(files)))
    reply = connection.ask(agent, data.draw(questions_in(files)), Options(withhold=False))
    assert reply.answer.text == connection.plain(reply.call).text
    assert not reply.pointed


@given(
    files=harbours(), data=st.data(), agent=st.sampled_from((Agent(), Agent(Habit.SILENT), Agent(Habit.SILENT, "a")))
)
def test_the_first_text_of_a_conversation_is_the_plain_one(
    files: dict[str, bytes], data: st.DataObject, agent: Agent
) -> None:
    connection = Connection(MemoryCorpus(files))
    call = connection.arrive(agent, data.draw(questions_in(files)), data.draw(some_options))
    assert connection.answer(call).answer.text == connection.plain(call).text


# --- slivers --------------------------------------------------------------------------------------

LIMIT = b"""

LIMIT = (
    "as many as the quay will bear at once",
    "and not one more",
)


"""
QUAY = MemoryCorpus(
    {
        "port/quay.py": file_of([Piece("quay_load", 24)]) + LIMIT + file_of([Piece("quay_unload", 24)]),
        "port/tide.py": file_of([Piece("tide_load", 20)]),
    }
)
SLIVER = Spans([Span(29, 33)])
ALL_BUT_THE_SLIVER = Options(max_bytes=1_700)
ALL = Options(decay=False)


@pytest.fixture
def quay() -> tuple[Connection, Agent]:
    """An agent that has seen two functions, and the head of the constant between them."""
    connection, agent = Connection(QUAY), Agent()
    reply = connection.ask(agent, "quay_load quay_unload", ALL_BUT_THE_SLIVER)
    assert reply.sent["port/quay.py"] == Spans([Span(1, 58)]) - SLIVER
    return connection, agent


def test_a_sliver_beside_held_lines_is_left_out_once_and_then_sent_with_held_lines_beside_it(
    quay: tuple[Connection, Agent],
) -> None:
    connection, agent = quay
    first = connection.ask(agent, "how does load work", ALL)
    assert check_beside_plain(connection, first) == {"port/quay.py": SLIVER}
    assert "beside them and not sent: 29-33" in first.answer.text
    second = connection.ask(agent, "how does load work well", ALL)
    sent = second.sent["port/quay.py"]
    assert not SLIVER - sent
    assert len(second.answer.text) < len(connection.plain(second.call).text)
    check_reply(connection, second)


def test_a_sliver_that_the_question_names_is_sent_at_once(quay: tuple[Connection, Agent]) -> None:
    connection, agent = quay
    reply = connection.ask(agent, "where does `LIMIT` stop the load")
    assert check_beside_plain(connection, reply) == {}
    assert reply.pointed["port/quay.py"]
