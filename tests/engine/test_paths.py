"""What an answer says of how symbols hang together: where it stands, what it rests on, and that it takes no more than
its part."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.calls.graph import Graph
from explore.engine import Options, explore
from explore.model.calls import CallPath
from explore.model.ranked import Reason
from tests.support.check import check_answer
from tests.support.corpus import MemoryCorpus, tree
from tests.support.delivered import delivered

FILES = tree("""
    port/
        harbour.py
            | from port.pilot import Pilot
            |
            | class Harbour:
            |     def __init__(self):
            |         self.pilot = Pilot()
            |
            |     def admit(self, ship):
            |         return self.pilot.bring_in(ship)
        pilot.py
            | from port.berth import moor_at
            |
            | class Pilot:
            |     def bring_in(self, ship):
            |         return moor_at(1, ship)
        berth.py
            | def moor_at(place, ship):
            |     return place, ship
            |
            | def cast_off(ship):
            |     return ship
        other.py
            | def admit_guest(guest):
            |     return guest
    tests/
        test_port.py
            | from port.berth import moor_at
            |
            | def test_mooring():
            |     assert moor_at(1, 2)
""")
PATH = """\
Path: `Harbour.admit` (port/harbour.py:7)
  → `Pilot.bring_in` (port/pilot.py:4): called at line 8
  → `moor_at` (port/berth.py:1): called at line 5"""


def answer(question: str, size: int | None = None, files: dict[str, bytes] = FILES) -> str:
    return explore(question, MemoryCorpus(files), "/", Options(max_bytes=size)).text


def test_the_path_stands_between_the_header_and_the_first_section() -> None:
    header, path, first, *_ = answer("how does Harbour.admit reach moor_at").split("\n\n")
    assert header.startswith("Source for: ")
    assert path == PATH
    assert first.startswith("## `")


@pytest.mark.parametrize("question", ["how does moor_at reach Harbour.admit", "moor_at cast_off"])
def test_where_there_is_none_nothing_is_said_of_it(question: str) -> None:
    assert answer(question).split("\n\n")[1].startswith("## `")


def test_the_files_of_a_path_are_shown_and_say_why() -> None:
    corpus = MemoryCorpus(FILES)
    found = explore("how does Harbour.admit reach moor_at", corpus, "/")
    assert {"port/harbour.py", "port/pilot.py", "port/berth.py"} <= {file.path for file in found.emission.files}
    (pilot,) = (file for file in found.trace.ranked.files if file.path == "port/pilot.py")
    assert pilot.on_path
    assert Reason.ON_PATH in pilot.reasons
    assert any(Reason.ON_PATH in symbol.reasons for symbol in pilot.symbols)


def test_who_uses_what_is_named_is_told_after_the_source() -> None:
    used = "Used by: `moor_at` ← port/pilot.py (1); tests: tests/test_port.py (1)"
    assert answer("moor_at").split("\n")[-1] == used
    assert "Used by" not in answer("moor_at", 1_000)
    assert "Used by" not in answer("cast_off")


def test_a_name_near_one_that_is_not_there_is_told() -> None:
    said = "Occurs nowhere in the indexed source: `mor_at` (near: `moor_at` port/berth.py:1)"
    assert said in answer("how does mor_at work").split("\n")


def test_a_small_answer_has_the_short_form_or_none() -> None:
    forms = [answer("Harbour.admit moor_at", size).split("\n\n")[1] for size in (50_000, 1_050, 1_000)]
    assert forms[0] == PATH
    for form in forms[1:]:
        assert form in (PATH, "Path: `Harbour.admit` → `Pilot.bring_in` → `moor_at`") or form.startswith("## `")


def test_more_room_brings_no_less_source_where_there_are_paths() -> None:
    filler = {
        f"port/more_{n}.py": f"def admit_{n}(ship):\n    return ship  # {'x' * 40}\n\n".encode() * 9 for n in range(9)
    }
    corpus = MemoryCorpus({**FILES, **filler})
    answers = [
        explore("how does Harbour.admit of a ship reach moor_at", corpus, "/", Options(max_bytes=size))
        for size in range(1_000, 4_000, 50)
    ]
    for before, after in pairwise(answers):
        assert before.emission.source_bytes - after.emission.source_bytes <= 200
        check_answer(after, corpus)


NAMES = ("alpha_run", "beta_run", "gamma_run", "delta_run", "Epsilon.run_it", "Zeta.run_it", "Zeta.more_of")


@st.composite
def call_files(draw: st.DrawFn) -> dict[str, bytes]:
    """Files of a package, whose functions call, hand on and override one another as it comes."""
    texts = {}
    for at in range(draw(st.integers(1, 3))):
        pieces = [f"from part_{n} import *" for n in range(3) if draw(st.booleans())]
        here = draw(st.lists(st.sampled_from(NAMES[:4]), unique=True))
        pieces += [f"def {name}(act):\n    {draw(_bodies)}" for name in here]
        for name, base in (("Epsilon", ""), ("Zeta", "(Epsilon)")):
            if draw(st.booleans()):
                inner = "\n".join(f"    def {m}(self, act):\n        {draw(_bodies)}" for m in ("run_it", "more_of"))
                pieces.append(f"class {name}{base}:\n{inner}")
        texts[f"src/part_{at}.py"] = ("\n\n".join(pieces) + "\n").encode()
    return texts


_bodies = st.sampled_from(
    [
        "return alpha_run(beta_run)",
        "return beta_run(act)",
        "return gamma_run(delta_run)",
        "return act()",
        "return self.run_it(act)",
        "return self.more_of(act)",
        "return Zeta().run_it(1)",
        "act.run_it()",
        "self.kept = alpha_run",
        "self.kept()",
        "return 1",
    ]
)


@given(call_files(), st.lists(st.sampled_from(NAMES), min_size=2, max_size=3, unique=True), st.booleans())
def test_every_step_is_an_edge_that_the_files_show(files: dict[str, bytes], names: list[str], spoken: bool) -> None:
    corpus = MemoryCorpus(files)
    question = f"how does `{names[0]}` reach `{names[-1]}`" if spoken else " ".join(names)
    found = explore(question, corpus, "/")
    check_answer(found, corpus)
    assert explore(question, MemoryCorpus(files), "/").text == found.text
    for path in found.trace.ranked.traced.paths:
        check_path(path, corpus)
        assert {path.start.qualified, path.steps[-1].to.qualified} <= set(names)
        if spoken:
            assert (path.start.qualified, path.steps[-1].to.qualified) == (names[0], names[-1])


def check_path(path: CallPath, corpus: MemoryCorpus) -> None:
    """A path goes over edges of the corpus, each with a line that says the name, and over no symbol twice."""
    graph = Graph(corpus)
    assert len({stop.place for stop in path.stops}) == len(path.stops) <= 9
    for before, step in zip(path.stops, path.steps, strict=False):
        symbol = corpus.symbol_at(*before.place)
        assert symbol
        edges = {(edge.target.place, edge.how, edge.site) for edge in graph.out_of(symbol)}
        assert (step.to.place, step.how, step.site) in edges
        for site in filter(None, (step.site, step.given)):
            assert site.word in corpus.lines(site.path)[site.line - 1]
        assert step.to.qualified.rsplit(".", 1)[-1] in corpus.lines(step.to.path)[step.to.line - 1]


@pytest.mark.parametrize("question", ["Harbour.admit moor_at", "how does Harbour.admit reach moor_at", "moor_at"])
def test_no_word_of_it_is_source(question: str) -> None:
    corpus = MemoryCorpus(FILES)
    found = explore(question, corpus, "/")
    check_answer(found, corpus)
    assert not any("\t" in word for word in delivered(found.text).words)


@pytest.mark.parametrize(
    "edited",
    [
        "class Harbour:\n    def admit(self, ship):\n        # bring_in was here\n        return ship\n",
        "\n\n" + "\n".join(MemoryCorpus(FILES).lines("port/harbour.py")) + "\n",
    ],
    ids=["the call is gone", "the call has moved"],
)
def test_no_step_stands_on_a_line_of_a_file_that_is_other_than_indexed(edited: str) -> None:
    corpus = MemoryCorpus(FILES)
    corpus.edit("port/harbour.py", edited.encode())
    assert "Path:" not in explore("how does Harbour.admit reach moor_at", corpus, "/").text


def test_a_name_that_a_file_got_since_it_was_indexed_is_not_said_to_be_nowhere() -> None:
    corpus = MemoryCorpus(FILES)
    corpus.edit("port/berth.py", b"def moor_bt(place, ship):\n    return place\n")
    text = explore("moor_bt moor_at", corpus, "/").text
    assert "def moor_bt" in text
    assert "Occurs nowhere" not in text


@pytest.mark.parametrize(
    ("edited", "near"),
    [
        (None, "(near: `cast_off` port/berth.py:4)"),
        (b"\n\n\ndef cast_off(ship):\n    return ship\n", "(near: `cast_off` port/berth.py:4)"),
        (b"# berths\n\ndef cast_off(ship):\n    return ship\n", "(near: `cast_off` port/berth.py:3)"),
        (b"def cast(ship):\n    return ship\n", "`cast_of`"),
    ],
)
def test_a_near_name_is_told_where_it_stands_now(edited: bytes | None, near: str) -> None:
    corpus = MemoryCorpus(FILES)
    if edited is not None:
        corpus.edit("port/berth.py", edited)
    (said,) = (row for row in explore("how does cast_of work", corpus, "/").text.split("\n") if "Occurs nowhere" in row)
    assert said.endswith(near)


def test_a_near_name_in_a_file_that_is_gone_is_not_told() -> None:
    corpus = MemoryCorpus(FILES)
    corpus.remove("port/berth.py")
    assert "near:" not in explore("how does cast_of work", corpus, "/").text
