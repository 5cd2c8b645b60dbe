"""What vouches for what a caller still holds: its listed answers, its host's identifier, its connection, or nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.model.emission import Emission
from explore.session.standing import Claim, Minted, Standing, standing, view_of_listed
from explore.session.view import MOST_EMISSIONS, Counts, View

HANDLES, IDENTIFIER, CONNECTION, NOTHING = Standing


@pytest.mark.parametrize(
    ("claim", "lasting", "client", "shown", "stands_on"),
    [
        pytest.param(Claim(("h",)), True, "cursor", False, HANDLES, id="handles"),
        pytest.param(Claim(("h",)), True, "claude-code", True, HANDLES, id="handles of a client of several contexts"),
        pytest.param(Claim(("h",)), False, "", False, HANDLES, id="handles without a connection"),
        pytest.param(Claim(("h",), "thread"), True, "cursor", False, HANDLES, id="handles decide over an identifier"),
        pytest.param(Claim(()), True, "cursor", False, HANDLES, id="nothing in sight is a claim too"),
        pytest.param(Claim((), "thread"), True, "cursor", False, HANDLES, id="also beside an identifier"),
        pytest.param(Claim(None, "thread"), True, "cursor", False, IDENTIFIER, id="an identifier"),
        pytest.param(Claim(None, "thread"), True, "claude-code", True, IDENTIFIER, id="an identifier of any client"),
        pytest.param(Claim(None, "thread"), False, "", False, IDENTIFIER, id="an identifier without a connection"),
        pytest.param(Claim(), True, "cursor", False, CONNECTION, id="the connection"),
        pytest.param(Claim(), True, "", False, CONNECTION, id="the connection of a client without a name"),
        pytest.param(Claim(), True, "claude-code", False, NOTHING, id="a client of several contexts"),
        pytest.param(Claim(), True, "Claude-Code", False, NOTHING, id="its name in any case"),
        pytest.param(Claim(), True, "cursor", True, NOTHING, id="a connection that has shown a handle"),
        pytest.param(Claim(), False, "cursor", False, NOTHING, id="no connection"),
        pytest.param(Claim(), False, "", True, NOTHING, id="a stranger"),
    ],
)
def test_a_call_stands_on(claim: Claim, lasting: bool, client: str, shown: bool, stands_on: Standing) -> None:
    assert standing(claim, lasting=lasting, client=client, shown=shown) is stands_on


def minted(place: int, project: str = "/port", identifier: str | None = None, calls: int = 0) -> Minted:
    """The answer made at this place among all; its question says which it is."""
    emission = Emission(project, f"q{place}", (), 10, number=place)
    return Minted(emission, Counts(calls or place, 10 * place), identifier, place)


def questions(view: View) -> list[str]:
    return [emission.question for emission in view.emissions]


@pytest.mark.parametrize(
    ("identifier", "known", "vouched"),
    [
        pytest.param(None, [], "", id="none is known"),
        pytest.param(None, [minted(1)], "q1", id="one"),
        pytest.param(None, [minted(3), minted(1), minted(2)], "q1 q2 q3", id="the oldest first, however listed"),
        pytest.param(None, [minted(1), minted(4)], "q1 q4", id="those between are not vouched for"),
        pytest.param(
            None, [minted(n) for n in range(1, 13)], "q5 q6 q7 q8 q9 q10 q11 q12", id="of twelve the eight newest"
        ),
        pytest.param(None, [minted(1), minted(2, "/lock")], "q1", id="of this project"),
        pytest.param(
            None,
            [minted(1), *(minted(n, "/lock") for n in range(2, 10))],
            "",
            id="age counts the answers of all projects",
        ),
        pytest.param("a", [minted(1, identifier="a")], "q1", id="made under the same identifier"),
        pytest.param("a", [minted(1, identifier="b")], "", id="made under another identifier"),
        pytest.param("a", [minted(1), minted(2, identifier="b")], "q1", id="made before there was an identifier"),
        pytest.param(
            "a",
            [minted(1, identifier="a"), *(minted(n, identifier="b") for n in range(2, 12))],
            "q1",
            id="those of another identifier take no place",
        ),
    ],
)
def test_of_the_listed_answers(identifier: str | None, known: Sequence[Minted], vouched: str) -> None:
    """These vouch for what they brought."""
    listed = tuple(answer.emission.question for answer in known)
    assert questions(view_of_listed(Claim(listed, identifier), known, "/port")) == vouched.split()


@given(st.sets(st.integers(1, 30)), st.data())
def test_listed_answers_vouch_for_the_same_in_any_order(places: set[int], data: st.DataObject) -> None:
    answers = [minted(place) for place in data.draw(st.permutations(sorted(places)))]
    view = view_of_listed(Claim(tuple(map(str, places))), answers, "/port")
    assert questions(view) == [f"q{place}" for place in sorted(places)[-MOST_EMISSIONS:]]
    assert view.number == max(places, default=0)


def test_the_counts_are_those_of_the_listed_answer_that_was_sent_most() -> None:
    """Of a fork only the branch that lists an answer counts it."""
    fork = [minted(4, calls=2), minted(5, calls=4), minted(6, calls=3), minted(7, "/lock", calls=9)]
    claim = Claim(("4", "5", "6", "7"))
    assert view_of_listed(claim, fork, "/port").counts == Counts(4, 50)
    assert view_of_listed(claim, fork, "/lock").counts == Counts(9, 70)
    assert view_of_listed(claim, fork, "/tide") == View()
