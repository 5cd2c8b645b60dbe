"""Who was sent what over a connection: handles, conversations by name, and what agents that share it see of each
other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.model.emission import Emission, EmittedFile
from explore.model.spans import Span, Spans
from explore.render.answer import HANDLE_BYTES
from explore.server.conversations import HANDLE_LENGTH, MOST_CONVERSATIONS, MOST_HANDLES, Conversations, mint
from explore.session.record import LATEST
from explore.session.standing import Claim
from explore.session.view import MOST_EMISSIONS, Counts, View

UNTOLD = Claim()
SENT = 100 + HANDLE_BYTES
"""Bytes of an answer as they are counted: those of the engine, and the line with the handle."""


def in_turn() -> Callable[[], str]:
    """Handles that say which answer of the connection they are of: h1, h2, ..."""
    numbers: Iterator[int] = count(1)
    return lambda: f"h{next(numbers)}"


def connection(*, lasting: bool = True) -> Conversations:
    return Conversations(lasting=lasting, new_handle=in_turn())


def listing(*handles: str, identifier: str | None = None) -> Claim:
    return Claim(handles, identifier)


def ask(on: Conversations, question: str, claim: Claim = UNTOLD, project: str = "/port") -> str:
    """A call from its arrival to its answer of 100 bytes; the handle that it got."""
    view = on.view(claim, project)
    files = (EmittedFile("a.py", "ab-80", Spans([Span(1, 9)]), 80),)
    return on.record(claim, view, Emission(project, question, files, 100, view.number + 1))


def seen(on: Conversations, claim: Claim = UNTOLD, project: str = "/port", client: str = "cursor") -> list[str]:
    """The questions whose answers a call would stand on."""
    return [emission.question for emission in on.view(claim, project, client).emissions]


def test_handles_are_random_short_and_distinct() -> None:
    handles = {mint() for _ in range(2_000)}
    assert len(handles) == 2_000
    assert all(
        len(handle) == HANDLE_LENGTH == 8 and handle.isalnum() and handle == handle.lower() for handle in handles
    )
    assert len({handle[0] for handle in handles}) > 20
    assert len({ask(Conversations(), "tides") for _ in range(50)}) == 50


def test_a_stranger_holds_nothing() -> None:
    assert connection().view(UNTOLD, "/port") == View()
    assert connection().view(listing("h1"), "/port") == View()


def test_a_handle_vouches_for_its_answer_and_for_no_other() -> None:
    on = connection()
    handles = [ask(on, question, listing()) for question in ("tides", "locks", "cranes")]
    for handle, question in zip(handles, ("tides", "locks", "cranes"), strict=True):
        assert seen(on, listing(handle)) == [question]
    assert seen(on, listing(handles[2], handles[0])) == ["tides", "cranes"]
    assert seen(on, listing()) == []


@pytest.mark.parametrize("unknown", ["h99", "", "deadbeef", "H1", " h1", "h1 h2", "\ud800", "x" * 100_000])
def test_an_unknown_handle_vouches_for_nothing_and_is_no_error(unknown: str) -> None:
    on = connection()
    ask(on, "tides", listing())
    assert seen(on, listing(unknown)) == []
    assert seen(on, listing(unknown, "h1")) == ["tides"]


def test_of_the_listed_answers_the_eight_newest_count() -> None:
    on = connection()
    handles = [ask(on, f"q{n}", listing()) for n in range(12)]
    assert seen(on, listing(*handles)) == [f"q{n}" for n in range(12 - MOST_EMISSIONS, 12)]
    assert seen(on, listing(*handles[:3])) == ["q0", "q1", "q2"]


@pytest.mark.parametrize("claim", [UNTOLD, Claim(None, "thread")])
def test_where_no_handles_are_listed_the_last_four_answers_count(claim: Claim) -> None:
    on = connection()
    for n in range(7):
        ask(on, f"q{n}", claim)
    assert seen(on, claim) == [f"q{n}" for n in range(7 - LATEST, 7)]
    assert on.view(claim, "/port").counts == Counts(7, 7 * SENT)


@pytest.mark.parametrize(
    ("client", "lasting", "shows", "stands_on"),
    [
        pytest.param("cursor", True, None, ["q1"], id="a connection"),
        pytest.param("", True, None, ["q1"], id="of a client without a name"),
        pytest.param("claude-code", True, None, [], id="of a client that runs several contexts"),
        pytest.param("cursor", False, None, [], id="a protocol without connections"),
        pytest.param("cursor", True, listing("h1"), [], id="one that has shown a handle"),
        pytest.param("cursor", True, listing("unknown"), [], id="even one that is not known"),
        pytest.param("cursor", True, Claim(None, "thread"), [], id="one that has shown an identifier"),
        pytest.param("cursor", True, Claim((), "thread"), [], id="an identifier, and no answer in sight"),
    ],
)
def test_a_call_that_says_nothing_stands_on(
    client: str, lasting: bool, shows: Claim | None, stands_on: list[str]
) -> None:
    on = connection(lasting=lasting)
    ask(on, "q1")
    if shows:
        on.view(shows, "/port", client)
    assert seen(on, client=client) == stands_on


def test_a_call_recorded_under_one_identifier_is_not_seen_under_another() -> None:
    on = connection()
    handle = ask(on, "tides", Claim(None, "parent"))
    assert seen(on, Claim(None, "parent")) == ["tides"]
    assert seen(on, Claim(None, "sub-agent")) == []
    assert seen(on, UNTOLD) == []
    assert seen(on, listing(handle, identifier="sub-agent")) == []
    assert seen(on, listing(handle, identifier="parent")) == ["tides"]


def test_with_an_identifier_too_the_handles_decide() -> None:
    on = connection()
    first = ask(on, "tides", Claim(None, "thread"))
    ask(on, "locks", Claim(None, "thread"))
    assert seen(on, listing(first, identifier="thread")) == ["tides"]
    assert seen(on, listing(identifier="thread")) == []
    assert seen(on, Claim(None, "thread")) == ["tides", "locks"]


def test_what_was_answered_without_an_identifier_is_not_seen_under_one_unless_it_is_listed() -> None:
    on = connection()
    handle = ask(on, "tides")
    assert seen(on, Claim(None, "thread")) == []
    assert seen(on, listing(handle, identifier="thread")) == ["tides"]


def test_two_connections_never_see_each_other() -> None:
    """Not even by the other's handles."""
    here, there = Conversations(), Conversations()
    handle, other = ask(here, "tides"), ask(there, "locks")
    assert (seen(here), seen(there)) == (["tides"], ["locks"])
    assert (seen(here, listing(handle, other)), seen(there, listing(handle, other))) == (["tides"], ["locks"])
    assert ask(there, "cranes", Claim(None, "thread"))
    assert seen(here, Claim(None, "thread")) == []


def test_two_projects_in_one_conversation_are_held_and_counted_apart() -> None:
    on = connection()
    handles = [ask(on, f"q{n}", project=f"/{'ab'[n % 2]}") for n in range(4)]
    for claim in (UNTOLD, listing(*handles)):
        assert seen(on, claim, "/a") == ["q0", "q2"]
        assert seen(on, claim, "/b") == ["q1", "q3"]
        assert on.view(claim, "/c") == View()
    assert on.view(listing(*handles), "/a").number == 2


def test_overlapping_calls_each_stand_on_the_record_at_their_arrival() -> None:
    on = connection()
    ask(on, "q1")
    views = [on.view(UNTOLD, "/port") for _ in range(3)]
    handles = [
        on.record(UNTOLD, view, Emission("/port", f"parallel {n}", (), 100, view.number + 1))
        for n, view in enumerate(views)
    ]
    assert all([emission.question for emission in view.emissions] == ["q1"] for view in views)
    assert seen(on) == ["q1", "parallel 0", "parallel 1", "parallel 2"]
    assert on.view(UNTOLD, "/port").counts == Counts(4, 4 * SENT)
    assert on.view(listing(*handles), "/port").counts == Counts(2, 2 * SENT)
    assert on.view(listing(*handles), "/port").number == 2


def test_a_call_that_is_never_recorded_leaves_no_trace() -> None:
    on = connection()
    ask(on, "q1")
    on.view(UNTOLD, "/port")
    assert seen(on) == ["q1"]
    assert ask(on, "q2") == "h2"


def test_the_answer_that_was_of_use_the_longest_ago_is_forgotten() -> None:
    on = connection()
    for n in range(MOST_HANDLES):
        ask(on, f"q{n}", listing())
    assert seen(on, listing("h1")) == ["q0"]
    ask(on, "one more", listing())
    assert seen(on, listing("h1")) == ["q0"]
    assert seen(on, listing("h2")) == []
    assert seen(on, listing("h3", f"h{MOST_HANDLES + 1}")) == ["q2", "one more"]


def test_the_conversation_that_was_asked_the_longest_ago_is_forgotten() -> None:
    on = connection()
    names = [Claim(None, f"thread {n}") for n in range(MOST_CONVERSATIONS)]
    for claim in names:
        ask(on, "q", claim)
    ask(on, "again", names[0])
    ask(on, "q", Claim(None, "one more"))
    assert seen(on, names[0]) == ["q", "again"]
    assert seen(on, names[1]) == []
    assert seen(on, names[2]) == ["q"]


@st.composite
def talks(draw: st.DrawFn) -> list[tuple[str, int, str]]:
    """What several agents do over one connection, in turn: who, what, and in which project."""
    deed = st.sampled_from(("ask", "ask", "ask", "fork", "compact", "lose", "overlap"))
    return draw(st.lists(st.tuples(deed, st.integers(0, 3), st.sampled_from(("/a", "/b"))), max_size=40))


@given(talks(), st.sampled_from(("cursor", "claude-code")), st.booleans())
def test_agents_that_list_what_they_see_stand_on_that_and_on_nothing_else(
    talk: Sequence[tuple[str, int, str]], client: str, lasting: bool
) -> None:
    """Whoever forks, forgets or asks in parallel, over one connection or none."""
    on = connection(lasting=lasting)
    sight: list[list[tuple[int, str, str]]] = [[], [], [], []]
    made = count(1)
    for deed, agent, project in talk:
        mine = sight[agent]
        claim = listing(*(handle for _, handle, _ in mine))
        if deed == "fork":
            sight[(agent + 1) % 4] = mine.copy()
        elif deed == "compact":
            mine.clear()
        elif deed == "lose":
            del mine[: len(mine) // 2]
        else:
            calls = [on.view(claim, project, client) for _ in range(2 if deed == "overlap" else 1)]
            newest = sorted(mine)[-MOST_EMISSIONS:]
            for view in calls:
                assert [each.question for each in view.emissions] == [h for _, h, where in newest if where == project]
            for view in calls:
                number = next(made)
                handle = on.record(claim, view, Emission(project, f"h{number}", (), 100, view.number + 1))
                mine.append((number, handle, project))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(("/x", "/y"))), max_size=25))
def test_conversations_by_name_see_their_own_last_answers_and_count_their_own(calls: list[tuple[str, str]]) -> None:
    on = connection()
    asked: dict[str, list[tuple[str, str]]] = {name: [] for name in "abc"}
    for place, (name, project) in enumerate(calls):
        view = on.view(Claim(None, name), project, "claude-code")
        latest = [question for question, where in asked[name][-LATEST:] if where == project]
        assert [emission.question for emission in view.emissions] == latest
        assert view.counts.calls == sum(where == project for _, where in asked[name])
        ask(on, f"q{place}", Claim(None, name), project)
        asked[name].append((f"q{place}", project))


def test_once_a_call_has_listed_nothing_one_that_says_nothing_stands_on_nothing() -> None:
    """Somebody on this connection lists handles, so whoever does not was not told, and may be anybody."""
    on = connection()
    ask(on, "tides")
    assert seen(on) == ["tides"]
    ask(on, "locks", listing())
    assert seen(on) == []


def test_a_handle_that_is_listed_twice_counts_once() -> None:
    on = connection()
    handles = [ask(on, f"q{n}", listing()) for n in range(MOST_EMISSIONS)]
    assert seen(on, listing(*handles, *handles[-1:] * 5)) == [f"q{n}" for n in range(MOST_EMISSIONS)]


def test_no_handle_is_given_twice() -> None:
    """Were it, the older answer would be vouched for by whoever lists the newer."""
    drawn = iter(("aa", "aa", "aa", "bb"))
    on = Conversations(new_handle=lambda: next(drawn))
    assert [ask(on, question, listing()) for question in ("tides", "locks")] == ["aa", "bb"]
    assert seen(on, listing("aa")) == ["tides"]


def test_of_all_calls_of_a_server_without_connections_more_is_known() -> None:
    on = connection(lasting=False)
    first = ask(on, "q")
    for n in range(MOST_HANDLES + 10):
        ask(on, f"q{n}")
    assert seen(on, listing(first)) == ["q"]
