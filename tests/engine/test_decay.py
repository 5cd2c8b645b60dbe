"""Answers shrink as a conversation goes on, and a precise question is answered in full all the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explore import Explorer, Session
from explore.dedup.recover import Wanted
from explore.engine import Answer, Options, explore
from explore.explorer import DECAY, DEDUP
from explore.model.emission import Emission
from explore.model.spans import Span, Spans
from explore.session.view import View
from tests.support.agent import Agent, Connection, Habit
from tests.support.corpus import MemoryCorpus, write_tree
from tests.support.strategies import SHAPES, Piece, file_of, harbours

FLOOR, FULL = 5_005, 14_300


def after(number: int) -> View:
    """Who was sent so many answers with source, and can see none of it."""
    return View((Emission("/", "", (), 0, number),))


@st.composite
def crowds(draw: st.DrawFn) -> dict[str, bytes]:
    """Two functions of up to 11,000 bytes together, and several files that speak of the same."""
    shape = draw(st.sampled_from(SHAPES[:4]))
    lines = draw(st.integers(3, 300))
    more = draw(st.integers(3, 303 - lines))
    others = draw(st.lists(st.integers(5, 60), min_size=2, max_size=12))
    crowd = {
        f"port/quay_{n}.py": file_of([Piece(f"load_quay_{n}", size), Piece(f"quay_load_{n}", size)])
        for n, size in enumerate(others)
    }
    beside = [Piece("load_tide", draw(st.integers(3, 40)))] if draw(st.booleans()) else []
    kept = {f"port/keeper{shape.suffix}": file_of([*beside, Piece("keep_load", lines)], shape)}
    return {**crowd, **kept, "port/tide.py": file_of([Piece("hold_load", more)])}


@given(
    crowds(),
    st.integers(0, 60),
    st.sampled_from(
        ("keep_load", "keep_load hold_load", "how does keep_load with hold_load use load_quay_0 quay load")
    ),
)
@example({"port/keeper.py": file_of([Piece("keep_load", 150)]), **{
    f"port/tide{n or ''}.py": file_of([Piece(f"hold_load{n or ''}", 150)]) for n in range(3)
}}, 1, "where does keep_load load what the hold_load loads")  # fmt: skip
def test_symbols_that_the_question_names_come_whole_at_any_number(
    files: dict[str, bytes], number: int, question: str
) -> None:
    corpus = MemoryCorpus(files)
    answer = explore(question, corpus, "/", view=after(number))
    sent = {file.path: file.spans for file in answer.emission.files}
    for path, source in corpus.sources(list(files)).items():
        for symbol in source.symbols:
            if symbol.name in question.split() and symbol.name in ("keep_load", "hold_load"):
                assert not Spans([symbol.span]) - sent[path]


@pytest.mark.parametrize("number", [1, 2, 3, 9])
@pytest.mark.parametrize("methods", [3, 12, 24, 30])
def test_a_class_that_the_question_names_comes_with_its_methods(methods: int, number: int) -> None:
    """Up to nearly all of the envelope that there was at first, whatever else has its words."""
    bodies = (f"    def step_{n}(self, load):\n" + 10 * "        load += self.keep(load)\n" for n in range(methods))
    keeper = ("class Keeper:\n" + "\n".join(bodies)).encode()
    crowd = {f"port/quay_{n}.py": file_of([Piece(f"load_{n}", 60), Piece(f"quay_{n}", 60)]) for n in range(8)}
    answer = explore("how does Keeper load the quay", MemoryCorpus({"a.py": keeper, **crowd}), "/", view=after(number))
    assert {file.path: file.spans for file in answer.emission.files}["a.py"].line_count == 12 * methods


@given(harbours(), st.integers(0, 40), st.integers(0, 40))
def test_answers_never_grow_with_the_number_nor_fall_under_the_floor(
    files: dict[str, bytes], one: int, other: int
) -> None:
    """Of words alone, so that nothing is exempt."""
    corpus, question = MemoryCorpus(files), "how does all of the work in there get to be done well"
    earlier, later = (explore(question, corpus, "/", view=after(number)) for number in sorted((one, other)))
    assert FLOOR <= later.trace.envelope.bytes <= earlier.trace.envelope.bytes <= FULL
    assert later.trace.plan.source_bytes <= earlier.trace.plan.source_bytes + 200


def in_turn(agent: Agent, count: int) -> list[Answer]:
    """So many answers of one conversation over a harbour with a lot to show."""
    files = {f"port/{n}.py": file_of([Piece(f"load_{n}_{k}", 25) for k in range(12)]) for n in range(12)}
    connection = Connection(MemoryCorpus(files))
    return [connection.ask(agent, f"how does the load come to pass at place {n}").answer for n in range(count)]


@pytest.mark.parametrize("agent", [Agent(), Agent(Habit.SILENT), Agent(Habit.SILENT, "a"), Agent(Habit.NEWEST)])
def test_a_long_conversation_stays_at_the_floor_though_its_detail_is_bounded(agent: Agent) -> None:
    answers = in_turn(agent, 40)
    assert [answer.trace.envelope.bytes for answer in answers] == [FULL, 10_010, 7_007, *[FLOOR] * 37]
    assert [answer.emission.number for answer in answers] == list(range(1, 41))


@pytest.mark.parametrize("agent", [Agent(Habit.NONE), Agent(Habit.SILENT)])
def test_who_holds_nothing_starts_afresh(agent: Agent) -> None:
    """A stranger, and whoever is known by nothing."""
    files = {"port/quay.py": file_of([Piece("load_quay", 25)])}
    connection = Connection(MemoryCorpus(files), client="claude-code")
    envelopes = [connection.ask(agent, f"load {n}").answer.trace.envelope.bytes for n in range(5)]
    assert envelopes == [FULL] * 5


FILES = {f"port/{n}.py": file_of([Piece(f"load_{n}_{k}", 25) for k in range(6)]) for n in range(6)}
OTHERS = "how does it load in there"


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(Options(resend=True), id="all again"),
        pytest.param(Options(resend=(Wanted("port/1.py"),)), id="a file again"),
        pytest.param(Options(resend=(Wanted("port/1.py", Spans([Span(3, 9)])),)), id="lines again"),
        pytest.param(Options(withhold=False), id="nothing withheld"),
        pytest.param(Options(decay=False), id="switched off"),
    ],
)
def test_these_calls_get_all_of_it(options: Options) -> None:
    assert explore(OTHERS, MemoryCorpus(FILES), "/", options, after(9)).trace.envelope.bytes == FULL


def test_bytes_that_the_caller_sets_do_not_shrink() -> None:
    answer = explore(OTHERS, MemoryCorpus(FILES), "/", Options(max_bytes=7_000), after(9))
    assert (answer.trace.envelope.bytes, answer.trace.envelope.ceiling) == (7_000, 7_000)


def test_the_same_question_after_pointers_gets_all_of_it_once() -> None:
    connection, agent = Connection(MemoryCorpus(FILES)), Agent()
    for question in (OTHERS, "what does it load in there", "what is it in there"):
        connection.ask(agent, question)
    assert connection.ask(agent, OTHERS).answer.emission.has_pointers
    again = connection.ask(agent, OTHERS)
    assert again.answer.text == connection.plain(again.call).text
    assert connection.ask(agent, OTHERS).answer.trace.envelope.bytes == FLOOR


@pytest.mark.parametrize(
    ("options", "count"), [(Options(resend=True), 0), (Options(max_bytes=2_000), 1), (Options(), 1)]
)
def test_calls_that_count(options: Options, count: int) -> None:
    assert explore(OTHERS, MemoryCorpus(FILES), "/", options, after(2)).emission.number == 2 + count


def test_an_answer_without_source_does_not_count() -> None:
    assert explore("zeppelin", MemoryCorpus(FILES), "/", Options(), after(2)).emission.number == 2


@pytest.mark.parametrize("switch", [DECAY, DEDUP])
@pytest.mark.parametrize("off", ["0", "false", "OFF", "no"])
def test_the_switches_are_read_at_each_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switch: str, off: str
) -> None:
    write_tree(tmp_path, FILES)
    with Explorer.open(tmp_path, exact=True) as explorer:
        first = explorer.explore(OTHERS)
        monkeypatch.setenv(switch, off)
        whole = explorer.explore(OTHERS, first.session)
        monkeypatch.delenv(switch)
        shrunk = explorer.explore(OTHERS, first.session)
    assert (whole.trace.envelope.bytes, shrunk.trace.envelope.bytes) == (FULL, 10_010)
    assert (whole.text == first.text) == (switch == DEDUP)


@pytest.mark.parametrize("session", [lambda: None, Session])
def test_who_keeps_no_record_never_gets_less(tmp_path: Path, session: Callable[[], Session | None]) -> None:
    write_tree(tmp_path, FILES)
    with Explorer.open(tmp_path, exact=True) as explorer:
        texts = {explorer.explore(OTHERS, session()).text for _ in range(6)}
    assert len(texts) == 1


def long_body(name: str, lines: int) -> bytes:
    return f"def {name}(a):\n".encode() + b"".join(
        b"    a = a + %d  # some words of text here\n" % n for n in range(lines)
    )


OTHER = {f"zz/other_{n}.py": file_of([Piece(f"zebra_{n}_{k}", 2) for k in range(3)]) for n in range(10)}


@pytest.mark.parametrize("question", ["compare one.py with two.py", "how does keep_load follow hold_load"])
def test_what_is_held_takes_no_room_from_what_is_named_and_unseen(question: str) -> None:
    files = {**OTHER, "one.py": long_body("hold_load", 150), "two.py": long_body("keep_load", 150)}
    connection, agent = Connection(MemoryCorpus(files)), Agent()
    connection.ask(agent, "one.py")
    for turn in range(3):
        connection.ask(agent, f"zebra_{turn}_1 zebra")
    reply = connection.ask(agent, question)
    assert reply.answer.trace.envelope.bytes == FLOOR
    assert reply.sent["two.py"].line_count == 151
    assert reply.pointed["one.py"].line_count == 151


MEMBERS = "".join(f"    def step_{n}(self, load):\n        return load + {n}\n" for n in range(130))
NESTED = "    class Inner:\n" + "".join(
    f"        def step_{n}(self, load):\n" + 6 * "            load = load + 1  # quay\n" for n in range(16)
)


@pytest.mark.parametrize("inside", [MEMBERS, NESTED], ids=["130 members", "a class in it"])
def test_all_of_a_named_class_comes_however_it_is_built(inside: str) -> None:
    keeper = f"class Keeper:\n{inside}".encode()
    crowd = {f"port/quay_{n}.py": file_of([Piece(f"load_{n}", 30), Piece(f"quay_{n}", 30)]) for n in range(8)}
    corpus = MemoryCorpus({**crowd, "a.py": keeper})
    answer = explore("how does Keeper load the quay", corpus, "/", view=after(5))
    assert {file.path: file.spans for file in answer.emission.files}["a.py"].line_count == keeper.count(b"\n")
