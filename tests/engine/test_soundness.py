"""Withholding is sound: an agent that claims what it can see is never pointed at anything else, whatever befalls it;
and where nothing can know what it sees, one more ask brings back what it lacks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from explore.dedup.recover import read_wanted
from explore.engine import DEFAULTS, Options
from tests.support.agent import (
    Agent,
    Connection,
    Habit,
    Reply,
    Way,
    check_beside_plain,
    check_reply,
    lacking_after,
    pointers_in,
)
from tests.support.corpus import MemoryCorpus
from tests.support.strategies import EDITS, Piece, file_of, harbours, projects, questions

MOST_AGENTS = 4

index = st.integers(0, 30)
asked_options = st.builds(
    Options,
    max_bytes=st.sampled_from((None, 2_000, 4_000, 13_000)),
    max_files=st.sampled_from((None, 1, 2)),
    resend=st.sampled_from(((), (), (), True)),
    withhold=st.sampled_from((True, True, True, False)),
)


def questions_to(corpus: MemoryCorpus) -> list[str]:
    """Some by files, some by symbols, some by the words in those."""
    symbols = sorted({symbol.name.lower() for record in corpus.records for symbol in record.symbols if symbol.name})[:8]
    said = sorted({word for symbol in symbols for word in symbol.split("_") if word.isalpha()})
    return [*(f"how does the {word} work" for word in said), *sorted(corpus.disk), *symbols]


class Conversing(RuleBasedStateMachine):
    """Agents over one connection who claim what they see: they ask, in turn and at once, lose answers, start others,
    and files change under them."""

    @initialize(files=harbours(), habit=st.sampled_from((Habit.ALL, Habit.NEWEST)), identifier=st.none() | st.just("a"))
    def connect(self, files: dict[str, bytes], habit: Habit, identifier: str | None) -> None:
        self.pristine = files
        self.connection = Connection(MemoryCorpus(files))
        self.questions = questions_to(self.connection.corpus)
        self.agents = [Agent(habit, identifier)]
        self.printed: list[str] = []

    @rule(who=index, what=index, options=asked_options)
    def ask(self, who: int, what: int, options: Options) -> None:
        self.deliver(self.reply(self.agent(who), what, options))

    @rule(who=index, what=index)
    def ask_and_lose_the_answer(self, who: int, what: int) -> None:
        self.connection.record(self.reply(self.agent(who), what))

    @rule(who=index, what=index)
    def ask_and_cancel(self, who: int, what: int) -> None:
        self.reply(self.agent(who), what)

    @rule(who=index, what=st.lists(index, min_size=2, max_size=3), turned=st.booleans())
    def ask_at_once(self, who: int, what: list[int], turned: bool) -> None:
        calls = [self.connection.arrive(self.agent(who), self.question(each)) for each in what]
        for call in reversed(calls) if turned else calls:
            self.deliver(self.judged(self.connection.answer(call)))

    @rule(who=index, which=index, what=index)
    def ask_for_what_is_pointed_at(self, who: int, which: int, what: int) -> None:
        if self.printed:
            wanted = read_wanted(self.printed[which % len(self.printed)])
            self.deliver(self.reply(self.agent(who), what, Options(resend=(wanted,))))

    @rule(who=index, keep=st.integers(0, 2))
    def clear_old_answers(self, who: int, keep: int) -> None:
        self.agent(who).clear(keep)

    @rule(who=index, count=st.integers(1, 2))
    def rewind(self, who: int, count: int) -> None:
        self.agent(who).rewind(count)

    @rule(habit=st.sampled_from((Habit.ALL, Habit.NEWEST, Habit.NONE)), identifier=st.sampled_from((None, "a", "b")))
    def start_a_sub_agent(self, habit: Habit, identifier: str | None) -> None:
        self.agents = [*self.agents, Agent(habit, identifier)][-MOST_AGENTS:]

    @rule(who=index)
    def fork(self, who: int) -> None:
        self.agents = [*self.agents, self.agent(who).fork()][-MOST_AGENTS:]

    @rule(which=index, edit=st.sampled_from(EDITS))
    def edit_a_file(self, which: int, edit: Callable[[bytes], bytes]) -> None:
        path = sorted(self.pristine)[which % len(self.pristine)]
        self.connection.corpus.edit(path, edit(self.pristine[path]))

    @rule(which=index)
    def change_a_file_back(self, which: int) -> None:
        path = sorted(self.pristine)[which % len(self.pristine)]
        self.connection.corpus.edit(path, self.pristine[path])

    @rule(which=index)
    def remove_a_file(self, which: int) -> None:
        path = sorted(self.pristine)[which % len(self.pristine)]
        if path in self.connection.corpus.disk:
            self.connection.corpus.remove(path)

    def agent(self, who: int) -> Agent:
        return self.agents[who % len(self.agents)]

    def question(self, what: int) -> str:
        return self.questions[what % len(self.questions)]

    def reply(self, agent: Agent, what: int, options: Options = DEFAULTS) -> Reply:
        return self.judged(self.connection.answer(self.connection.arrive(agent, self.question(what), options)))

    def judged(self, reply: Reply) -> Reply:
        event(f"pointed {bool(reply.pointed)}")
        assert not self.connection.wrong(reply)
        check_reply(self.connection, reply)
        check_beside_plain(self.connection, reply)
        return reply

    def deliver(self, reply: Reply) -> None:
        reply.call.agent.read(self.connection.record(reply))
        self.printed += [value for pointer in pointers_in(reply) for value in pointer.again]


Conversing.TestCase.settings = settings(stateful_step_count=20)
TestEveryLinePointedAtIsInSight = Conversing.TestCase


# --- where nothing can know -----------------------------------------------------------------------


def copies_handles(connection: Connection, question: str) -> Agent:
    """A sub-agent that was told its parent's handles."""
    parent = Agent()
    connection.ask(parent, question)
    return Agent(copied=tuple(answer.handle for answer in parent.seen))


def shares_a_bare_connection(connection: Connection, question: str) -> Agent:
    """A sub-agent where nobody is asked what it sees."""
    connection.ask(Agent(Habit.SILENT), question)
    return Agent(Habit.SILENT)


def loses_answers_on_a_bare_connection(connection: Connection, question: str) -> Agent:
    """Its old results are cleared without a sign."""
    agent = Agent(Habit.SILENT)
    connection.ask(agent, question)
    agent.clear()
    return agent


def loses_answers_under_an_identifier(connection: Connection, question: str) -> Agent:
    """The same, where the host gives the conversation a name that does not change."""
    agent = Agent(Habit.SILENT, "a")
    connection.ask(agent, question)
    agent.clear()
    return agent


UNKNOWING = (
    copies_handles,
    shares_a_bare_connection,
    loses_answers_on_a_bare_connection,
    loses_answers_under_an_identifier,
)


@pytest.mark.parametrize("way", Way)
@given(files=harbours(), start=st.sampled_from(UNKNOWING), what=index, options=asked_options)
def test_one_more_ask_brings_back_what_a_pointer_wrongly_stands_for(
    way: Way, files: dict[str, bytes], start: Callable[[Connection, str], Agent], what: int, options: Options
) -> None:
    connection = Connection(MemoryCorpus(files))
    agent = start(connection, " ".join(files))
    questions = questions_to(connection.corpus)
    reply = connection.ask(agent, questions[what % len(questions)], replace(options, withhold=True, resend=()))
    check_reply(connection, reply)
    event(f"wrong: {bool(connection.wrong(reply))}")
    assert not lacking_after(connection, reply, way)


@given(files=projects(), what=st.data(), options=asked_options)
def test_odd_files_are_pointed_at_as_soundly_as_plain_ones(
    files: dict[str, bytes], what: st.DataObject, options: Options
) -> None:
    """Line ends, encodings, lines too long to be sent, and paths that cannot be shown as they are."""
    connection, agent = Connection(MemoryCorpus(files)), Agent()
    for _ in range(3):
        call = connection.arrive(agent, what.draw(questions(tuple(files))), options)
        reply = connection.answer(call)
        assert not connection.wrong(reply)
        check_reply(connection, reply)
        check_beside_plain(connection, reply)
        agent.read(connection.record(reply))


# --- what went wrong elsewhere --------------------------------------------------------------------

WORDS = ("ferry", "tide", "pilot", "crane", "buoy", "lock")
PORT = {f"port/{word}.py": file_of([Piece(f"{word}_load", 14), Piece(f"{word}_unload", 14)]) for word in WORDS}
LOADING = "how does load and unload work"
TWO = Options(max_files=2)


def port(*, client: str = "") -> Connection:
    """A connection to six files alike, of which an answer shows four."""
    return Connection(MemoryCorpus(PORT), client=client)


def about(*words: str) -> str:
    """A question that these files answer."""
    return " ".join(f"port/{word}.py" for word in words)


STRANGERS = (
    (Agent(), Agent(), ""),
    (Agent(), Agent(Habit.NONE), ""),
    (Agent(), Agent(Habit.SILENT), ""),
    (Agent(Habit.SILENT, "a"), Agent(Habit.SILENT, "b"), ""),
    (Agent(Habit.SILENT), Agent(Habit.SILENT), "claude-code"),
)


@pytest.mark.parametrize(("parent", "child", "client"), STRANGERS)
def test_a_sub_agent_gets_what_a_stranger_gets(parent: Agent, child: Agent, client: str) -> None:
    connection, parent, child = port(client=client), parent.fork(), child.fork()
    for _ in range(2):
        connection.ask(parent, LOADING)
    reply = connection.ask(child, LOADING)
    assert reply.answer.text == connection.plain(reply.call).text


def test_a_handle_copied_from_under_another_identifier_vouches_for_nothing() -> None:
    connection, parent = port(), Agent(identifier="a")
    connection.ask(parent, LOADING)
    child = Agent(identifier="b", copied=parent.claim.handles or ())
    reply = connection.ask(child, LOADING)
    assert reply.answer.text == connection.plain(reply.call).text


@pytest.mark.parametrize("way", Way)
def test_where_the_client_gives_no_sign_a_wrong_pointer_costs_a_sub_agent_one_more_ask(way: Way) -> None:
    connection, child = port(), Agent(Habit.SILENT)
    connection.ask(Agent(Habit.SILENT), LOADING)
    reply = connection.ask(child, LOADING)
    assert connection.wrong(reply)
    assert not lacking_after(connection, reply, way)


def test_asking_again_brings_back_also_what_a_plain_answer_would_not_show() -> None:
    """Of a file that gets a place only because another one is held, what is pointed at is in no plain answer."""
    files = {"port/ferry.py": file_of([Piece("ferry_load", 14)]), "port/tide.py": file_of([Piece("tide_load", 50)])}
    connection, parent, child = Connection(MemoryCorpus(files)), Agent(Habit.SILENT), Agent(Habit.SILENT)
    for name in ("tide_load", "ferry_load"):
        connection.ask(parent, name, Options(max_bytes=1_200))
    reply = connection.ask(child, "ferry_load and the tide", Options(max_files=1))
    assert connection.wrong(reply)
    assert not lacking_after(connection, reply, Way.SAME_WORDS)


def test_what_a_pointer_stands_for_comes_back_by_the_name_of_a_symbol_in_it() -> None:
    connection, child = port(), Agent(Habit.SILENT)
    connection.ask(Agent(Habit.SILENT), LOADING)
    pointer = pointers_in(connection.ask(child, LOADING))[0]
    connection.ask(child, pointer.symbols[0])
    assert set(range(1, 16)) <= set(connection.holds(child, pointer.path).lines())


def test_after_a_summary_the_same_question_comes_in_full_once_and_then_with_pointers_again() -> None:
    connection, agent = port(), Agent(Habit.SILENT, "a")
    connection.ask(agent, LOADING)
    agent.clear()
    assert connection.wrong(connection.ask(agent, LOADING))
    again = connection.ask(agent, LOADING)
    assert again.answer.text == connection.plain(again.call).text
    after = connection.answer(connection.arrive(agent, LOADING))
    assert after.pointed
    assert not connection.wrong(after)


def test_a_doubt_about_one_file_is_none_about_the_others() -> None:
    connection, agent = port(), Agent(Habit.SILENT, "a")
    connection.ask(agent, about("ferry", "tide", "pilot"))
    agent.clear()
    connection.ask(agent, about("ferry", "tide", "crane"))
    reply = connection.ask(agent, about("ferry", "pilot", "buoy"))
    assert "port/ferry.py" in reply.sent
    assert set(reply.pointed) == {"port/pilot.py"}


def test_what_cleared_answers_brought_is_sent_again() -> None:
    connection, agent = port(), Agent()
    connection.ask(agent, about("ferry", "tide"), TWO)
    connection.ask(agent, about("pilot", "crane"), TWO)
    agent.clear(keep=1)
    reply = connection.ask(agent, about("ferry", "pilot", "buoy"))
    assert "port/ferry.py" in reply.sent
    assert set(reply.pointed) == {"port/pilot.py"}


@pytest.mark.parametrize(("between", "points"), [(3, True), (4, False)])
def test_where_nothing_is_listed_what_was_last_sent_more_than_four_answers_ago_is_sent_again(
    between: int, points: bool
) -> None:
    connection, agent = port(), Agent(Habit.SILENT)
    connection.ask(agent, about("ferry"), Options(max_files=1))
    for word in WORDS[1 : 1 + between]:
        connection.ask(agent, about(word), Options(max_files=1))
    reply = connection.ask(agent, about("ferry", "lock"))
    assert ("port/ferry.py" in reply.pointed) is points
    assert ("port/ferry.py" in reply.sent) is not points


def test_two_clients_of_one_server_do_not_see_each_others_pointers() -> None:
    corpus = MemoryCorpus(PORT)
    clients = [(Connection(corpus), Agent(Habit.SILENT)) for _ in range(2)]
    texts = [[connection.ask(agent, LOADING).answer.text for connection, agent in clients] for _ in range(3)]
    assert all(first == second for first, second in texts)
    assert texts[0][0] == clients[0][0].plain(clients[0][0].arrive(Agent(Habit.NONE), LOADING)).text


@pytest.mark.parametrize("edit", EDITS)
def test_a_file_that_was_changed_sent_and_changed_back_is_sent_again(edit: Callable[[bytes], bytes]) -> None:
    connection, agent, path = port(), Agent(), "port/ferry.py"
    for raw in (PORT[path], edit(PORT[path]), PORT[path]):
        connection.corpus.edit(path, raw)
        reply = connection.ask(agent, about("ferry", "tide"), TWO)
        assert path in reply.sent
        assert path not in reply.pointed


@pytest.mark.parametrize("habit", [Habit.ALL, Habit.SILENT])
def test_the_same_bytes_under_another_path_are_another_file(habit: Habit) -> None:
    raw = PORT["port/ferry.py"]
    connection, agent = Connection(MemoryCorpus({"main/a.py": raw, "worktree/a.py": raw})), Agent(habit)
    connection.ask(agent, "main/a.py", Options(max_files=1))
    reply = connection.ask(agent, "main/a.py worktree/a.py")
    assert set(reply.sent) == {"worktree/a.py"}
    assert set(reply.pointed) == {"main/a.py"}


@pytest.mark.parametrize(
    "agent", [Agent(), Agent(Habit.SILENT), Agent(Habit.SILENT, "a"), Agent(Habit.ALL, "a")], ids=str
)
def test_another_project_is_asked_as_if_nothing_had_been_sent(agent: Agent) -> None:
    connection, agent = Connection(MemoryCorpus(PORT), MemoryCorpus(PORT)), agent.fork()
    first, second = connection.corpora
    connection.ask(agent, LOADING, project=first)
    reply = connection.ask(agent, LOADING, project=second)
    assert not reply.pointed
    assert reply.answer.text == connection.plain(reply.call).text


@pytest.mark.parametrize("max_bytes", [None, 2_000, 4_000])
def test_an_answer_always_has_source_while_there_is_any(max_bytes: int | None) -> None:
    """Asked so long that all is held, and in other words each time, so that it is never taken for a doubt."""
    connection, agent = port(), Agent()
    for number in range(12):
        reply = connection.ask(agent, f"{LOADING} {number}", Options(max_bytes=max_bytes))
        check_reply(connection, reply)
        assert reply.sent


def test_a_pointer_never_forbids_reading() -> None:
    connection, agent = port(), Agent()
    connection.ask(agent, LOADING)
    reply = connection.ask(agent, LOADING)
    assert pointers_in(reply)
    assert not re.search(r"(?i)\b(do not|don't|never|no need|must not|should not|avoid)\b", reply.answer.text)
