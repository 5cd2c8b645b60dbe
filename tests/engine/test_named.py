"""What a question names, by symbol or file, comes: however it is written, and whatever is held beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from explore import Explorer, Session
from explore.decay.tiers import MORE_FILES
from explore.dedup.recover import Wanted
from explore.engine import Answer, Options
from explore.model.spans import NO_LINES, Span, Spans
from tests.support.agent import Agent, Connection, Reply
from tests.support.corpus import MemoryCorpus, write_tree
from tests.support.strategies import Piece, file_of

FERRY = file_of([Piece("ferry_cross", 20)])
SMALL = b"def crane_small(load):\n    return load * 2 + 1  # the drum turns twice\n"
CRANE = (
    file_of([Piece("crane_big", 13)]) + b"\n\n" + SMALL + b"\n\n" + file_of([Piece(f"misc_{n}", 40) for n in range(9)])
)
TIDE = file_of([Piece("tide_gauge", 14)])


def lines(first: int, last: int) -> Spans:
    return Spans([Span(first, last)])


def after_sending(files: dict[str, bytes], **spans: Spans) -> tuple[Connection, Agent]:
    """An agent that was sent these lines of files by their names without a suffix."""
    connection, agent = Connection(MemoryCorpus(files)), Agent()
    connection.ask(agent, "zeppelin", Options(resend=tuple(Wanted(f"{name}.py", each) for name, each in spans.items())))
    return connection, agent


def sent(reply: Reply | Answer, path: str) -> Spans:
    emission = reply.answer.emission if isinstance(reply, Reply) else reply.emission
    return next((file.spans for file in emission.files if file.path == path), NO_LINES)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_small_function_beside_held_lines_comes_when_it_is_named(most: int) -> None:
    """Also where only what withholding frees pays for it."""
    connection, agent = after_sending({"ferry.py": FERRY, "crane.py": CRANE}, ferry=lines(1, 21), crane=lines(1, 14))
    reply = connection.ask(agent, "`ferry_cross` and `crane_small`", Options(max_bytes=3_000, max_files=most))
    assert not lines(17, 18) - sent(reply, "crane.py")


def test_what_a_named_file_was_pointed_at_comes_beside_what_was_never_sent() -> None:
    files = {"big.py": file_of([Piece(f"crane_{n}", 13) for n in range(40)]), "tide.py": TIDE}
    connection, agent = after_sending(files, big=lines(1, 140))
    pointing = connection.ask(agent, "tide_gauge and crane_1() crane_2() crane_3()")
    pointed = pointing.pointed["big.py"]
    assert pointed.line_count >= 40
    reply = connection.ask(agent, "what is there in big.py")
    assert not pointed - sent(reply, "big.py")
    assert not connection.ask(agent, "what else is there in big.py").sent.get("big.py", NO_LINES) & pointed


@pytest.mark.parametrize(
    "written", ["port/ferry.py", "./port/ferry.py", "port//ferry.py", "{root}/port/ferry.py", "`{root}/port/ferry.py`"]
)
def test_a_file_in_a_question_is_the_same_however_its_path_is_written(tmp_path: Path, written: str) -> None:
    write_tree(tmp_path, {"port/ferry.py": FERRY, "tide.py": TIDE, "crane.py": CRANE})
    root = tmp_path.resolve()
    with Explorer.open(root, exact=True) as explorer:
        first = explorer.explore("ferry", Session())
        pointing = explorer.explore("is the ferry late with that tide_gauge", first.session)
        assert any(file.pointed for file in pointing.emission.files if file.path == "port/ferry.py")
        named = explorer.explore(f"what of {written.format(root=root)} at such a tide", pointing.session)
    assert sent(named, "port/ferry.py") == sent(first, "port/ferry.py")


@pytest.mark.parametrize(
    "question", ["the class Router and its tide_gauge", "how does (Router) route", "is it `Router`"]
)
def test_a_class_is_named_by_its_capital(question: str) -> None:
    router = b"class Router:\n    def handle(self, load):\n" + b"        load += step()\n" * 20
    connection, agent = after_sending({"a.py": router, "tide.py": TIDE}, a=lines(1, 22))
    assert connection.ask(agent, "where does a router handle the tide").pointed
    assert sent(connection.ask(agent, question), "a.py") == lines(1, 22)


def test_a_file_that_is_there_is_not_said_to_occur_nowhere() -> None:
    connection = Connection(MemoryCorpus({"port/ferry.py": FERRY}))
    assert "Occurs nowhere" not in connection.ask(Agent(), "port/ferry.py").answer.text
    assert "`barge.py`" in connection.ask(Agent(), "port/barge.py ferry").answer.text


# --- nothing relevant is silent, and no place stays empty -----------------------------------------------------------


def test_what_is_held_and_relevant_is_named_at_least() -> None:
    files = {f"ferry_{n}.py": file_of([Piece(f"ferry_{n}", 12)]) for n in range(4)}
    connection, agent = Connection(MemoryCorpus(files)), Agent()
    for n in range(4):
        text = connection.ask(agent, f"ferry number {n}", Options(max_bytes=3_000, max_files=1)).answer.text
        assert all(f"`{path}`" in text for path in files)


@pytest.mark.parametrize("files", [24, 170])
def test_all_places_are_taken_while_there_are_files_as_relevant(files: int) -> None:
    corpus = MemoryCorpus({f"ferry_{n:03}.py": file_of([Piece(f"ferry_{n}", 12)]) for n in range(files)})
    connection, agent = Connection(corpus), Agent()
    replies = [connection.ask(agent, f"ferry turn{n}", Options(decay=False)) for n in range(4)]
    envelope = replies[0].answer.trace.envelope
    places = [envelope.max_files, *[envelope.max_files + envelope.more_files] * 3]
    left = [files - sum(places[:turn]) for turn in range(4)]
    assert [len(reply.sent) for reply in replies] == [min(pair) for pair in zip(places, left, strict=True)]


def test_in_the_place_of_files_that_are_gone_others_are_read() -> None:
    corpus = MemoryCorpus({f"ferry_{n:02}.py": file_of([Piece(f"ferry_{n}", 12)]) for n in range(24)})
    connection, agent = Connection(corpus), Agent()
    for turn in range(2):
        connection.ask(agent, f"ferry turn{turn}", Options(decay=False))
    gone = [path for path in corpus.disk if not agent.sees(path)][:3]
    for path in gone:
        corpus.remove(path)
    reply = connection.ask(agent, "ferry turn2", Options(decay=False))
    assert len(reply.sent) == reply.answer.trace.envelope.max_files + MORE_FILES
    (said,) = (row for row in reply.answer.text.split("\n") if row.startswith("Gone or unreadable by now: "))
    assert said == f"Gone or unreadable by now: {', '.join(f'`{path}`' for path in gone)}"


def test_an_answer_of_many_files_without_pointers_is_pointed_at_the_next_time() -> None:
    corpus = MemoryCorpus({f"ferry_{n:02}.py": file_of([Piece(f"ferry_{n}", 12)]) for n in range(40)})
    connection, agent = Connection(corpus), Agent()
    options = Options(max_bytes=50_000, max_files=30)
    assert len(connection.ask(agent, "ferry", options).sent) == 30
    assert connection.ask(agent, "ferry", options).pointed


@pytest.mark.parametrize("question", ["port/large.py", "what does port/large.py have to do with quay_0 and quay_1"])
@pytest.mark.parametrize("pieces", [3, 9, 14])
def test_a_named_file_comes_whole_where_it_fits(question: str, pieces: int) -> None:
    """Whatever else is relevant; up to nearly all of the answer."""
    large = file_of([Piece(f"part_{n}", 24) for n in range(pieces)])
    files = {f"port/quay_{n}.py": file_of([Piece(f"quay_{n}", 30)]) for n in range(6)}
    connection = Connection(MemoryCorpus({**files, "port/large.py": large}))
    reply = connection.ask(Agent(), question)
    assert sent(reply, "port/large.py").line_count == large.count(b"\n")
    assert "## `port/large.py` part_" in reply.answer.text
