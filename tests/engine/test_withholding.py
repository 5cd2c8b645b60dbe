"""Small conversations, and what each answer in them sends again, points at, and says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from explore.engine import Answer, Options, explore
from explore.model.spans import Span, Spans
from explore.session.record import Session
from explore.session.view import Counts, View
from tests.support.corpus import MemoryCorpus
from tests.support.delivered import delivered
from tests.support.strategies import EDITS, Piece, file_of, same_size

ROOT = "/port"
PLENTY = Options(max_bytes=6_000)
FERRY = file_of([Piece("ferry_cross", 20), Piece("ferry_dock", 20)])
FILES = {
    "port/ferry.py": FERRY,
    "port/crane.py": file_of([Piece("crane_lift", 20)]),
    "port/tide.py": file_of([Piece("tide_gauge", 20)]),
}
CROSS, DOCK = Spans([Span(1, 21)]), Spans([Span(24, 44)])


@dataclass
class Talk:
    """A conversation with one project, of which the answers are recorded."""

    corpus: MemoryCorpus = field(default_factory=lambda: MemoryCorpus(FILES))
    session: Session = field(default_factory=Session)

    def ask(self, question: str, options: Options = PLENTY, root: str = ROOT) -> Answer:
        answer = explore(question, self.corpus, root, options, self.session.view(root))
        self.session = self.session.after(answer.emission)
        return answer


def sent(answer: Answer) -> dict[str, Spans]:
    return {file.path: file.spans for file in answer.emission.files if file.spans}


def pointed(answer: Answer) -> dict[str, Spans]:
    return {file.path: file.pointed for file in answer.emission.files if file.pointed}


def bodies(answer: Answer) -> str:
    """All but the first line, which repeats the question."""
    return answer.text.partition("\n")[2]


STRANGERS = [
    pytest.param(View(), id="nothing is known"),
    pytest.param(Session().view(ROOT), id="a new record"),
    pytest.param(View((), Counts(7, 90_000)), id="a record whose answers are no longer in sight"),
]


@pytest.mark.parametrize("view", STRANGERS)
@pytest.mark.parametrize("options", [Options(), PLENTY, Options(max_files=1)])
def test_the_first_text_of_a_conversation_is_the_one_that_an_untracked_caller_gets(
    view: View, options: Options
) -> None:
    untracked = explore("ferry dock", MemoryCorpus(FILES), ROOT, options)
    assert explore("ferry dock", MemoryCorpus(FILES), ROOT, options, view).text == untracked.text


def test_whoever_wants_nothing_withheld_gets_that_text_each_time_and_it_is_recorded() -> None:
    talk, options = Talk(), Options(max_bytes=6_000, withhold=False)
    untracked = explore("ferry dock", MemoryCorpus(FILES), ROOT, PLENTY)
    assert [talk.ask("ferry dock", options).text for _ in range(4)] == [untracked.text] * 4
    assert talk.session.view(ROOT).counts.calls == 4
    assert pointed(talk.ask("ferry and tide"))


def test_another_question_about_what_was_sent_points_at_it_and_sends_what_was_not() -> None:
    talk = Talk()
    first = talk.ask("ferry", Options(max_bytes=6_000, max_files=1))
    second = talk.ask("is the ferry late with that tide", Options(max_bytes=6_000, max_files=2))
    assert sent(first) == {"port/ferry.py": Spans([Span(1, 44)])}
    assert pointed(second) == sent(first)
    assert sent(second) == {"port/tide.py": Spans([Span(1, 21)])}


def test_a_pointer_names_the_file_the_lines_the_symbols_the_answer_and_how_to_have_them_again() -> None:
    talk = Talk()
    talk.ask("Ferry \n dock?", Options(max_bytes=6_000, max_files=1))
    (pointer,) = delivered(talk.ask("is the ferry late with that tide").text).pointers
    assert (pointer.path, pointer.spans, pointer.more) == ("port/ferry.py", ((1, 44),), 0)
    assert pointer.symbols == ("ferry_cross", "ferry_dock")
    assert pointer.question == "Ferry dock?"
    assert pointer.again == ("port/ferry.py:1-44",)


def test_the_answer_that_is_named_is_the_newest_that_sent_the_lines() -> None:
    talk = Talk()
    for question in ("ferry first", "ferry second"):
        talk.ask(question, Options(max_bytes=6_000, max_files=1, withhold=False))
    talk.ask("ferry and tide", Options(max_bytes=6_000))
    (pointer,) = (p for p in delivered(talk.ask("ferry crane").text).pointers if p.path == "port/ferry.py")
    assert pointer.question == "ferry second"


@pytest.mark.parametrize("question", ["ferry late", "a late ferry", "late ferry crossing by night"])
@pytest.mark.parametrize("files", [["port/ferry.py"], ["port/ferry.py", "port/crane.py"]])
def test_an_answer_is_never_pointers_alone(question: str, files: list[str]) -> None:
    """Not even where all there is was sent before, as often as it is asked for."""
    talk = Talk(MemoryCorpus({path: FILES[path] for path in files}))
    for turn in range(4):
        assert sent(talk.ask(f"{question} {turn}")) == {"port/ferry.py": Spans([Span(1, 44)])}


def test_what_comes_back_so_that_there_is_source_keeps_the_ceiling() -> None:
    long = file_of([Piece(f"ferry_{n}", 30) for n in range(20)])
    talk = Talk(MemoryCorpus({"port/ferry.py": long}))
    for turn in range(12):
        answer = talk.ask(f"ferry {turn}", Options(max_bytes=2_000))
        assert len(answer.text.encode()) <= 2_000
        assert sent(answer)


@pytest.mark.parametrize("edit", EDITS)
def test_a_file_that_was_edited_between_two_calls_is_sent_in_full(edit: Callable[[bytes], bytes]) -> None:
    talk = Talk()
    talk.ask("ferry")
    talk.corpus.edit("port/ferry.py", edit(FERRY))
    plain = explore("is the ferry late", talk.corpus, ROOT, PLENTY)
    answer = talk.ask("is the ferry late")
    assert sent(answer)["port/ferry.py"] == sent(plain)["port/ferry.py"]
    assert "port/ferry.py" not in pointed(answer)


def test_an_edit_that_keeps_the_size_is_an_edit() -> None:
    assert len(same_size(FERRY)) == len(FERRY)
    assert same_size(FERRY) != FERRY


def test_a_file_that_was_changed_and_sent_and_changed_back_is_sent_again() -> None:
    talk = Talk()
    for raw in (FERRY, same_size(FERRY), FERRY):
        talk.corpus.edit("port/ferry.py", raw)
        answer = talk.ask(f"ferry turn{talk.session.answers}")
        assert "port/ferry.py" in sent(answer)
        assert "port/ferry.py" not in pointed(answer)
    assert "port/ferry.py" in pointed(talk.ask("ferry and tide"))


def test_a_file_that_was_changed_and_changed_back_unseen_is_still_held() -> None:
    talk = Talk()
    talk.ask("ferry")
    talk.corpus.edit("port/ferry.py", same_size(FERRY))
    talk.corpus.edit("port/ferry.py", FERRY)
    assert "port/ferry.py" in pointed(talk.ask("ferry tide late"))


def asked_until_all_is_held(corpus: MemoryCorpus, turns: int) -> View:
    """What is held after so many answers of one file each."""
    view = View()
    for turn in range(turns):
        answer = explore(f"ferry turn{turn}", corpus, ROOT, ONE_FILE, view)
        view = View((*view.emissions, answer.emission))
    return view


ONE_FILE = Options(max_bytes=2_000, max_files=1)
SIX = {f"port/ferry_{n}.py": file_of([Piece(f"ferry_{n}", 12)]) for n in range(6)}
FAR_DOWN = "port/ferry_5.py"


def test_an_edited_file_far_down_is_sent_before_anything_is_sent_again() -> None:
    """Also where so many better ones are held that it would not be looked at for a stranger."""
    corpus = MemoryCorpus(SIX)
    view = asked_until_all_is_held(corpus, 6)
    assert [file.path for emission in view.emissions for file in emission.sent] == sorted(SIX)
    corpus.edit(FAR_DOWN, same_size(SIX[FAR_DOWN]))
    assert list(sent(explore("ferry once more", corpus, ROOT, ONE_FILE, view))) == [FAR_DOWN]


def test_what_was_not_sent_of_a_file_far_down_is_sent_before_anything_is_sent_again() -> None:
    large = file_of([Piece("boat", 45), Piece("hull", 45)]).replace(b"(44)", b"(44) + ferry")
    corpus = MemoryCorpus({**SIX, FAR_DOWN: large})
    view = asked_until_all_is_held(corpus, 6)
    assert {file.path for emission in view.emissions for file in emission.sent} == set(SIX)
    answer = explore("ferry once more", corpus, ROOT, ONE_FILE, view)
    assert list(sent(answer)) == [FAR_DOWN]
    assert sent(answer)[FAR_DOWN] - view.emissions[-1].sent[0].spans


def test_asking_again_in_the_same_words_brings_all_once_and_then_pointers_again() -> None:
    talk = Talk()
    talk.ask("ferry", Options(max_bytes=6_000, max_files=1))
    question = "is the ferry late with that tide"
    plain = explore(question, talk.corpus, ROOT, PLENTY)
    told = [talk.ask(words) for words in (question, question, f" {question.upper()}\n", question)]
    assert [bool(pointed(answer)) for answer in told] == [True, False, True, False]
    assert told[1].text == told[3].text == plain.text


def test_what_was_pointed_at_comes_back_once_by_the_name_of_its_symbol() -> None:
    talk = Talk()
    talk.ask("ferry", Options(max_bytes=6_000, max_files=1))
    assert pointed(talk.ask("is the ferry late with that tide")) == {"port/ferry.py": Spans([Span(1, 44)])}
    named = talk.ask("what of ferry_dock() at such a tide")
    assert not DOCK - sent(named)["port/ferry.py"]
    assert not pointed(named)["port/ferry.py"] & DOCK
    again = talk.ask("where does ferry_dock() end, and the crane")
    assert not DOCK - pointed(again)["port/ferry.py"]


def test_what_was_pointed_at_comes_back_once_by_the_name_of_its_file() -> None:
    talk = Talk()
    talk.ask("ferry", Options(max_bytes=6_000, max_files=1))
    talk.ask("is the ferry late with that tide")
    named = talk.ask("what of port/ferry.py at such a tide")
    assert sent(named)["port/ferry.py"] == Spans([Span(1, 44)])
    assert "port/ferry.py" in pointed(talk.ask("show port/ferry.py and the crane"))


def test_what_was_sent_and_never_pointed_at_is_pointed_at_though_it_is_named() -> None:
    talk = Talk()
    talk.ask("ferry", Options(max_bytes=6_000, max_files=1))
    answer = talk.ask("what of ferry_dock() and tide_gauge()")
    assert not DOCK - pointed(answer)["port/ferry.py"]


def test_what_was_sent_in_one_project_is_not_held_in_another() -> None:
    talk = Talk()
    talk.ask("ferry")
    plain = explore("ferry late", talk.corpus, "/lock", PLENTY)
    assert talk.ask("ferry late", root="/lock").text == plain.text
    assert pointed(talk.ask("ferry tide late"))


def test_only_answers_that_delivered_source_raise_the_number() -> None:
    talk = Talk()
    numbers = [talk.ask(question).emission.number for question in ("ferry", "zeppelin", "tide", "zeppelin", "crane")]
    assert numbers == [1, 1, 2, 2, 3]


def test_freed_bytes_bring_files_that_would_not_have_fitted() -> None:
    files = {f"port/ferry_{n}.py": file_of([Piece(f"ferry_{n}", 30)]) for n in range(8)}
    talk, options = Talk(MemoryCorpus(files)), Options(max_bytes=2_600, max_files=2)
    seen: set[str] = set()
    for turn in range(4):
        new = set(sent(talk.ask(f"ferry turn{turn}", options)))
        assert len(new) == 2
        assert not new & seen
        seen |= new
    assert seen == set(files)


def test_a_conversation_reads_like_this() -> None:
    talk = Talk(MemoryCorpus({"ferry.py": file_of([Piece("ferry", 9)]), "tide.py": b"def tide():\n    return 1\n"}))
    talk.ask("ferry")
    pointer = '> Already sent for "ferry", same on disk: `ferry.py` 1-10 (ferry); '
    assert bodies(talk.ask("ferry at tide")).split("\n") == [
        *("", "## `tide.py` tide", "```python", "1\tdef tide():", "2\t    return 1", "```"),
        *("", pointer + 'resend=["ferry.py:1-10"]'),
    ]
