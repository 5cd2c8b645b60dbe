"""What went wrong in comparable tools over "you already have this", each fault as a test of the right behaviour: a real
index on a real disk, asked as the connection of a server asks it.

The numbers are those of the list that the faults were collected in; each test stands for its whole kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from explore import Answer, Explorer, Session
from explore.engine import Answer as EngineAnswer
from explore.engine import Options
from explore.server.conversations import Conversations
from explore.session.standing import Claim
from tests.support.corpus import write_tree
from tests.support.delivered import delivered
from tests.support.shell import run

QUESTION: Final = "how is a berth taken in the harbour"
NOTHING: Final = Claim()


def module_of(verb: str) -> bytes:
    """A file of one function that is long enough to be pointed at."""
    body = "".join(f"    harbour.{verb}_{n}(berth)  # step {n} of the berth\n" for n in range(14))
    return f"def {verb}_berth(harbour, berth):\n{body}    return harbour\n".encode()


FILES: Final = {"main/take.py": module_of("take"), "crane.py": module_of("lift"), "notes.py": b"# of no note\n"}


class Talk:
    """One connection to one project or several."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.conversations = Conversations()

    def ask(
        self, question: str, claim: Claim = NOTHING, *, root: Path | None = None, resend: list[str] | None = None
    ) -> tuple[EngineAnswer, str]:
        """The answer, recorded, and its handle."""
        with Explorer.open(root or self.root) as explorer:
            view = self.conversations.view(claim, str(explorer.root))
            answer = explorer.answer(question, Options(resend=explorer.wanted(resend or [])), view)
            return answer, self.conversations.record(claim, view, answer.emission)


def lines_of(answer: EngineAnswer) -> dict[str, int]:
    """How many lines of each file an agent reads."""
    return {section.path: len(section.lines) for section in delivered(answer.text).sections if section.lines}


def points(answer: EngineAnswer) -> bool:
    return answer.emission.has_pointers


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project on disk, indexed when it is first asked about."""
    write_tree(tmp_path / "harbour", FILES)
    return tmp_path / "harbour"


@pytest.fixture
def talk(root: Path) -> Talk:
    return Talk(root)


def test_01_a_sub_agent_that_lists_nothing_or_has_another_identifier_gets_all_the_source(talk: Talk) -> None:
    first, handle = talk.ask(QUESTION, Claim(identifier="parent"))
    assert points(talk.ask(f"where: {QUESTION}", Claim((handle,), "parent"))[0])
    for sub_agent in (Claim(), Claim(()), Claim(identifier="child"), Claim((handle,), "child")):
        assert lines_of(talk.ask(QUESTION, sub_agent)[0]) == lines_of(first)


def test_01_where_the_client_gives_no_sign_a_pointer_costs_one_more_ask(talk: Talk) -> None:
    first, _ = talk.ask(QUESTION)
    assert points(talk.ask(QUESTION)[0])
    assert lines_of(talk.ask(QUESTION)[0]) == lines_of(first)


def test_02_what_was_pointed_at_and_is_asked_for_again_comes_in_full_once_then_pointers_again(talk: Talk) -> None:
    full, *others = [talk.ask(QUESTION, Claim(identifier="one"))[0] for _ in range(4)]
    assert [points(answer) for answer in others] == [True, False, True]
    assert lines_of(others[1]) == lines_of(full)


def test_02_a_doubt_about_one_question_does_not_wipe_the_rest(talk: Talk) -> None:
    _, handle = talk.ask("crane.py lift_berth")
    talk.ask(QUESTION, Claim((handle,)))
    assert points(talk.ask("where does the crane lift a berth", Claim((handle,)))[0])


def test_03_what_cleared_answers_brought_is_sent_again(talk: Talk) -> None:
    first, _ = talk.ask(QUESTION, Claim(()))
    _, other = talk.ask("notes.py", Claim(()))
    assert lines_of(talk.ask(QUESTION, Claim((other,)))[0]) == lines_of(first)


def test_03_where_no_handles_are_listed_what_was_sent_more_than_four_answers_ago_is_sent_again(talk: Talk) -> None:
    first, _ = talk.ask(QUESTION)
    for n in range(4):
        talk.ask(f"notes.py {n}")
    assert lines_of(talk.ask(f"where: {QUESTION}")[0]) == lines_of(first)


def test_04_two_clients_that_interleave_a_question_do_not_see_each_others_pointers(root: Path) -> None:
    one, other = Talk(root), Talk(root)
    (first, handle), (second, _) = one.ask(QUESTION), other.ask(QUESTION)
    assert first.text == second.text
    assert points(one.ask(f"where: {QUESTION}", Claim((handle,)))[0])
    assert not points(other.ask(f"where: {QUESTION}", Claim((handle,)))[0])


def test_05_the_command_line_run_twice_prints_the_source_twice(root: Path) -> None:
    texts = [run("explore", QUESTION, cwd=root).text for _ in range(2)]
    assert texts[0] == texts[1]
    assert "return harbour" in texts[1]


def test_06_the_same_bytes_under_another_path_are_another_file(talk: Talk, root: Path) -> None:
    _, handle = talk.ask("take_berth")
    write_tree(root, {"worktree/take.py": FILES["main/take.py"]})
    again, _ = talk.ask("how does worktree/take.py take a berth", Claim((handle,)))
    assert lines_of(again)["worktree/take.py"] == 16


def test_07_a_second_project_in_the_conversation_has_nothing_withheld(talk: Talk, tmp_path: Path) -> None:
    first, handle = talk.ask(QUESTION)
    write_tree(tmp_path / "other", FILES)
    for claim in (Claim((handle,)), NOTHING):
        answer, _ = talk.ask(QUESTION, claim, root=tmp_path / "other")
        assert lines_of(answer) == lines_of(first)
        talk = Talk(talk.root)
        _, handle = talk.ask(QUESTION)


def test_08_a_pointer_never_forbids_reading(talk: Talk) -> None:
    _, handle = talk.ask(QUESTION)
    answer, _ = talk.ask(f"where: {QUESTION}", Claim((handle,)))
    pointers = [row for row in answer.text.split("\n") if row.startswith("> Already sent")]
    assert pointers
    forbidding = re.compile(r"\b(do not|don't|never|no need|must not|not be read|instead of reading)\b", re.IGNORECASE)
    assert not any(forbidding.search(row) for row in pointers)


def test_09_an_answer_is_never_made_of_pointers_alone(talk: Talk) -> None:
    handles: list[str] = []
    for n in range(7):
        answer, handle = talk.ask(f"{QUESTION} {n}", Claim(tuple(handles)))
        handles.append(handle)
        assert lines_of(answer)


def test_25_a_folder_of_a_project_is_that_project(talk: Talk, root: Path) -> None:
    _, handle = talk.ask(QUESTION)
    assert points(talk.ask(f"where: {QUESTION}", Claim((handle,)), root=root / "main")[0])


@pytest.mark.parametrize("written", ["./main/take.py", "main/take.py", "{root}/main/take.py"])
def test_26_a_file_is_the_same_however_its_path_is_written(talk: Talk, root: Path, written: str) -> None:
    path = written.format(root=root)
    _, handle = talk.ask(QUESTION)
    again, _ = talk.ask("zeppelin", Claim((handle,)), resend=[f"{path}:1-9"])
    assert lines_of(again) == {"main/take.py": 9}
    assert "main/take.py" in lines_of(talk.ask(f"what is in {path}", Claim(()))[0])


@pytest.fixture
def linked(root: Path, tmp_path: Path) -> Path:
    """The project with links: to a file in it, out of it, and to itself."""
    write_tree(tmp_path, {"secret.py": b"def take_berth_secretly():\n    return 1\n"})
    (root / "alias.py").symlink_to(root / "main" / "take.py")
    (root / "out.py").symlink_to(tmp_path / "secret.py")
    (root / "round").symlink_to(root)
    return root


def test_27_a_link_to_a_file_has_its_record_and_one_out_of_the_root_is_not_followed(linked: Path) -> None:
    talk = Talk(linked)
    first, handle = talk.ask(QUESTION)
    assert set(lines_of(first)) <= set(FILES)
    aliased, _ = talk.ask("zeppelin", Claim((handle,)), resend=["alias.py:1-9", "round/crane.py"])
    assert lines_of(aliased) == {"main/take.py": 9, "crane.py": 16}
    for outside in ("out.py", "../secret.py", str(linked.parent / "secret.py")):
        answer, _ = talk.ask("zeppelin", Claim((handle,)), resend=[outside])
        assert "secretly" not in answer.text
        assert "No source to send again at: " in answer.text


def answers(root: Path, session: Session | None) -> Iterator[Answer]:
    """The same question in other words, each answered by what the record before it says."""
    with Explorer.open(root) as explorer:
        for words in ("", "where: ", "what: "):
            answer = explorer.explore(words + QUESTION, session)
            session = answer.session
            yield answer


def test_a_record_is_a_value_so_that_a_rewind_is_to_use_the_one_before(root: Path) -> None:
    first, second, _ = answers(root, Session())
    assert points(second)
    with Explorer.open(root) as explorer:
        assert explorer.explore(f"where: {QUESTION}", first.session).text == second.text
        assert explorer.explore(QUESTION).text == first.text
        assert lines_of(explorer.explore(QUESTION, Session())) == lines_of(first)
