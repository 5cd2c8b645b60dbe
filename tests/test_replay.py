"""Written conversations: how they are read and played, and their accounts against what an agent reads off the texts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from explore.errors import BadRequest, BadRoot
from explore.explorer import Explorer
from explore.index.location import FOLDER
from explore.replay import (
    Ask,
    Conversation,
    Edit,
    Forget,
    Played,
    Spawn,
    Tells,
    Which,
    conversation_of,
    play,
    read_conversation,
)
from explore.session.record import Session
from tests.support.corpus import read_tree, write_tree
from tests.support.delivered import delivered
from tests.support.shell import environment, run

FIXTURES: Final = Path(__file__).parents[1] / "fixtures"
SCRIPTS: Final = sorted(file.stem for file in (FIXTURES / "conversations").glob("*.toml"))


def steps_of(word: str) -> bytes:
    """A function that is long enough to be pointed at."""
    body = "".join(f"    {word}_{n} = harbour.{word}({n}, {word!r})\n" for n in range(24))
    return f"def {word}(harbour):\n{body}    return {word}_23\n".encode()


PROJECT: Final = {f"{word}.py": steps_of(word) for word in ("moor", "sail", "tide")}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small project, never indexed."""
    write_tree(tmp_path / "boats", PROJECT)
    return tmp_path / "boats"


Write = Callable[[str], Path]


@pytest.fixture
def write(root: Path) -> Write:
    """Writes a script beside the project."""

    def write(steps: str) -> Path:
        script = root.parent / "script.toml"
        script.write_text(f'project = "boats"\n{steps}', encoding="utf-8")
        return script

    return write


def played(script: Path) -> list[Played]:
    return list(play(read_conversation(script)))


def paths(answer: Played) -> list[str]:
    """The files of which an answer has source."""
    return [file.path for file in answer.emission.sent]


# --- reading ------------------------------------------------------------------------------------------------------


def test_a_script_says_who_asks_what_and_what_each_can_see(write: Write, root: Path) -> None:
    script = write("""
        tells = "identifier"
        client = "some-host"
        step = [
            { ask = "moor" },
            { spawn = "scout", sees = "newest", tells = "handles" },
            { ask = "sail", agent = "scout", lists = [1], resend = ["moor.py:1-3"], max_bytes = 2_000, max_files = 2 },
            { edit = "moor.py", find = "moor", replace = "" },
            { edit = "moor.py", append = "# more" },
            { forget = "all" },
            { spawn = "second", from = "scout" },
            { forget = [1, 2], agent = "scout" },
            { ask = "tide", resend = true },
        ]
    """)
    assert read_conversation(script) == Conversation(
        root.parent / "boats",
        (
            Ask("moor"),
            Spawn("scout", "main", "newest", Tells.HANDLES),
            Ask("sail", "scout", (1,), ("moor.py:1-3",), 2_000, 2),
            Edit("moor.py", "", "moor"),
            Edit("moor.py", "# more"),
            Forget("all"),
            Spawn("second", "scout"),
            Forget((1, 2), "scout"),
            Ask("tide", resend=True),
        ),
        Tells.IDENTIFIER,
        "some-host",
    )


ASKED: Final = '[[step]]\nask = "moor"\n'

WRONG: Final = [
    pytest.param("", "the script: it has no steps", id="no steps"),
    pytest.param("step = 3", "the script: it has no steps", id="a number for steps"),
    pytest.param("step = [1]", "the script: it has no steps", id="a number for a step"),
    pytest.param("[step", "is not TOML", id="no TOML"),
    pytest.param("step = " + "[" * 9_000 + "]" * 9_000, "is nested too deep", id="nested"),
    pytest.param(f"speed = 3\n{ASKED}", "the script: it does not know 'speed': here it takes project", id="unknown"),
    pytest.param(f'tells = "all"\n{ASKED}', "'tells' must be one of handles, identifier, connection", id="tells"),
    pytest.param(f'client = ""\n{ASKED}', "'client' must be text", id="client"),
    pytest.param(f"{ASKED}[[step]]", "step 2: it has none of ask, edit, forget, spawn", id="an empty step"),
    pytest.param(f'{ASKED}edit = "a"', "step 1: it has ask and edit of ask, edit", id="two in one"),
    pytest.param(
        f"{ASKED}speed = 1\nhaste = 2", "step 1: it does not know 'haste', 'speed': here it takes ask, agent", id="keys"
    ),
    pytest.param('[[step]]\nask = " "', "step 1: 'ask' must be text that is not blank", id="a blank question"),
    pytest.param("[[step]]\nask = 3", "step 1: 'ask' must be text", id="a number asked"),
    pytest.param(f'{ASKED}agent = "scout"', "step 1: 'agent' is 'scout', who is not there yet: spawn", id="a stranger"),
    pytest.param(f'{ASKED}max_bytes = "2k"', "step 1: 'max_bytes' must be a whole number", id="bytes"),
    pytest.param(f"{ASKED}max_files = true", "step 1: 'max_files' must be a whole number", id="files"),
    pytest.param(f"{ASKED}lists = [1]", "step 1: 'lists' must be 'all', 'newest', 'none', or a list", id="itself"),
    pytest.param(f"{ASKED}{ASKED}lists = [true]", "step 2: 'lists' must be", id="true for a number"),
    pytest.param(f'{ASKED}{ASKED}lists = "some"', "of which there are 1", id="an unknown word"),
    pytest.param(f"{ASKED}resend = 1", "step 1: 'resend' must be true, or a list of paths", id="resend a number"),
    pytest.param(f"{ASKED}resend = [1]", "step 1: 'resend' must be true, or a list of paths", id="resend numbers"),
    pytest.param(f"{ASKED}resend = []", "step 1: 'resend' must be true, or a list of paths", id="resend nothing"),
    pytest.param('[[step]]\nedit = "a"', "step 1: an edit takes either", id="an edit without a change"),
    pytest.param('[[step]]\nedit = "a"\nfind = "b"', "step 1: an edit takes either", id="an edit by half"),
    pytest.param('[[step]]\nedit = "a"\nfind = ""\nreplace = ""', "'find' must be text", id="nothing to find"),
    pytest.param('[[step]]\nedit = "a"\nreplace = ""\nappend = "b"', "an edit takes either", id="two changes"),
    pytest.param("[[step]]\nforget = [1]", "step 1: 'forget' must be", id="forgetting what was never there"),
    pytest.param('[[step]]\nforget = "all"\nagent = "x"', "step 1: 'agent' is 'x'", id="a stranger forgets"),
    pytest.param('[[step]]\nspawn = "main"', "step 1: 'main' is there already", id="a second main"),
    pytest.param('[[step]]\nspawn = "a"\nfrom = "a"', "step 1: 'from' is 'a'", id="its own parent"),
    pytest.param('[[step]]\nspawn = "a"\ntells = ""', "step 1: 'tells' must be one of", id="tells nothing"),
]


@pytest.mark.parametrize(("steps", "words"), WRONG)
def test_what_is_wrong_with_a_script_is_said_with_its_step(write: Write, steps: str, words: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read_conversation(write(steps))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_script_names_its_project() -> None:
    with pytest.raises(BadRequest, match="the script: 'project' must be text"):
        conversation_of({"step": [{"ask": "moor"}]}, Path())


def test_a_script_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'project = "caf\xe9"')
    for name, words in (("none.toml", "cannot be read"), (".", "cannot be read"), ("latin.toml", "is not TOML")):
        with pytest.raises(BadRequest, match=words):
            read_conversation(tmp_path / name)


# --- playing ------------------------------------------------------------------------------------------------------

TWICE: Final = '[[step]]\nask = "moor"\n[[step]]\nask = "moor sail"\n'


def test_what_was_sent_is_pointed_at_and_counted(write: Write) -> None:
    first, second = played(write(TWICE))
    assert (first.number, first.agent, first.question) == (1, "main", "moor")
    assert (first.sent, first.held, first.pointed) == (26, 0, 0)
    assert (first.new_files, first.new_symbols) == (("moor.py",), ("moor.py::moor",))
    assert (second.sent, second.held, second.pointed, second.unseen) == (26, 0, 26, 0)
    assert (second.new_files, second.new_symbols) == (("sail.py",), ("sail.py::sail",))
    assert second.text.endswith(f"\n\ncontext: {second.handle}")
    assert second.handle != first.handle


def test_what_is_sent_again_is_not_new(write: Write) -> None:
    last = played(write(f"{TWICE}lists = []"))[-1]
    assert (last.sent, last.held) == (52, 26)
    assert (last.new_files, last.new_symbols) == (("sail.py",), ("sail.py::sail",))


def test_two_plays_make_the_same_bytes(write: Write) -> None:
    script = write(TWICE)
    assert [answer.text for answer in played(script)] == [answer.text for answer in played(script)]


CASES: Final = [
    pytest.param('{ ask = "moor sail" }', (26, 0, 26, 0), id="an agent that lists what it sees is pointed at it"),
    pytest.param('{ ask = "moor sail", lists = [] }', (52, 26, 0, 0), id="one that lists nothing is sent it again"),
    pytest.param(
        '{ ask = "sail" }, { ask = "moor tide", lists = "newest" }', (52, 26, 0, 0), id="the newest vouches for itself"
    ),
    pytest.param('{ forget = "newest" }, { ask = "moor sail" }', (52, 0, 0, 0), id="what was rewound is sent as new"),
    pytest.param('{ spawn = "s" }, { ask = "moor sail", agent = "s" }', (52, 0, 0, 0), id="a new agent holds nothing"),
    pytest.param(
        '{ spawn = "s", sees = "all" }, { ask = "moor sail", agent = "s" }', (26, 0, 26, 0), id="a copy holds as much"
    ),
    pytest.param(
        '{ spawn = "s" }, { ask = "moor sail", agent = "s", lists = [1] }', (26, 0, 26, 26), id="a copied handle lies"
    ),
    pytest.param(
        '{ ask = "tide" }, { spawn = "s", sees = "all", tells = "connection" }, { ask = "moor sail", agent = "s" }',
        (52, 26, 0, 0),
        id="one that tells nothing beside one that lists is a stranger",
    ),
    pytest.param('{ ask = "moor", resend = true }', (26, 26, 0, 0), id="resend brings all of it back"),
    pytest.param(
        '{ ask = "moor sail", resend = ["./moor.py:1-9"] }', (35, 9, 17, 0), id="resend brings some lines back"
    ),
]
"""Steps after a question for `moor`; and of the last answer the lines sent, held, pointed at and unseen."""


@pytest.mark.parametrize(("steps", "lines"), CASES)
def test_an_answer_stands_on_what_its_agent_lists(write: Write, steps: str, lines: tuple[int, int, int, int]) -> None:
    last = played(write(f'step = [{{ ask = "moor" }}, {steps}]'))[-1]
    assert (last.sent, last.held, last.pointed, last.unseen) == lines


def test_agents_without_a_sign_share_what_their_connection_was_sent(write: Write) -> None:
    """As the record of one conversation has it, whoever asks."""
    questions = ("moor", "moor sail", "tide moor", "moor sail")
    agents = ("main", "scout", "main", "scout")
    asks = "".join(f'[[step]]\nask = "{q}"\nagent = "{agent}"\n' for q, agent in zip(questions, agents, strict=True))
    script = write(f'tells = "connection"\n[[step]]\nspawn = "scout"\n{asks}')
    with Explorer.open(read_conversation(script).project, exact=True) as explorer:
        session = Session()
        for answer, question in zip(played(script), questions, strict=True):
            expected = explorer.explore(question, session)
            assert answer.text == f"{expected.text}\n\ncontext: {answer.handle}"
            session = expected.session


def test_a_client_known_to_run_several_agents_is_pointed_at_nothing(write: Write) -> None:
    last = played(write(f'tells = "connection"\nclient = "claude-code"\n{TWICE}'))[-1]
    assert (last.sent, last.held, last.pointed) == (52, 26, 0)


def test_a_compaction_changes_the_name_that_a_host_gives(write: Write) -> None:
    steps = '{ ask = "moor" }, { ask = "moor sail" }, { forget = "all" }, { ask = "sail moor" }'
    answers = played(write(f'tells = "identifier"\nstep = [{steps}]'))
    assert [(answer.sent, answer.pointed) for answer in answers] == [(26, 0), (26, 26), (52, 0)]


def test_a_conversation_uses_the_index_of_its_project_where_that_is(write: Write, root: Path) -> None:
    """Which is the nearest folder with an index; with edits, a copy of that one."""
    with Explorer.open(root.parent, exact=True) as around:
        around.sync()
    edit = '[[step]]\nedit = "boats/moor.py"\nappend = "# more"\n'
    for steps in (TWICE, TWICE + edit):
        (answer, _) = played(write(steps))
        assert paths(answer) == ["boats/moor.py"]
    assert not (root / FOLDER).exists()


def test_a_bound_out_of_range_is_said_with_its_step(write: Write) -> None:
    script = write(f'{TWICE}[[step]]\nask = "tide"\nmax_bytes = 10')
    answers = play(read_conversation(script))
    assert [next(answers).number, next(answers).number] == [1, 2]
    with pytest.raises(BadRequest, match="step 3: max_bytes must be from 1,000"):
        next(answers)


# --- edits --------------------------------------------------------------------------------------------------------

EDITED: Final = """
[[step]]
ask = "moor sail"

[[step]]
edit = "./moor.py"
find = "moor_3 ="
replace = "moored = moor_3 ="

[[step]]
edit = "sail.py"
append = '''

def reef(harbour):
    return harbour.reef()
'''

[[step]]
ask = "moor sail"

[[step]]
ask = "reef"
"""


def test_what_was_edited_is_sent_again_and_the_files_of_the_project_stay(
    write: Write, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    _, again, reef = played(write(EDITED))
    assert "5\t    moored = moor_3 = harbour" in again.text
    assert (again.held, again.pointed) == (0, 0)
    assert again.sent >= 52
    assert paths(reef) == ["sail.py"]
    assert "sail.py::reef" in (*again.new_symbols, *reef.new_symbols)
    assert read_tree(root) == PROJECT
    assert not (root / FOLDER).exists()
    assert list(scratch.iterdir()) == []


UNDONE: Final = [
    pytest.param('edit = "moor.py"\nfind = "anchor"\nreplace = ""', "is in moor.py 0 times", id="not there"),
    pytest.param('edit = "moor.py"\nfind = "moor_23"\nreplace = ""', "is in moor.py 2 times", id="there twice"),
    pytest.param('edit = "gone.py"\nappend = "x"', "no source at 'gone.py'", id="no file"),
    pytest.param('edit = "."\nappend = "x"', "no source at '.'", id="a folder"),
    pytest.param('edit = "notes.txt"\nappend = "x"', "no source at 'notes.txt'", id="no source"),
    pytest.param('edit = "a\\u0000b"\nappend = "x"', "no source at ", id="no path at all"),
    pytest.param('edit = "../outside.py"\nappend = "x"', "no source at '../outside.py'", id="outside"),
    pytest.param('edit = "ROOT/moor.py"\nappend = "x"', "no source at ", id="the file itself"),
]


@pytest.mark.parametrize(("edit", "words"), UNDONE)
def test_an_edit_that_cannot_be_done_is_said_with_its_step(write: Write, root: Path, edit: str, words: str) -> None:
    files = {"boats/notes.txt": b"x", "outside.py": b"x"}
    write_tree(root.parent, files)
    script = write(f"{ASKED}[[step]]\n{edit.replace('ROOT', str(root))}")
    with pytest.raises(BadRequest) as refused:
        played(script)
    assert str(refused.value).startswith("step 2: ")
    assert words in str(refused.value)
    assert read_tree(root) == PROJECT
    assert {path: (root.parent / path).read_bytes() for path in files} == files


def test_a_project_that_is_not_there_is_named(write: Write, root: Path) -> None:
    shutil.rmtree(root)
    for steps in (TWICE, EDITED):
        with pytest.raises(BadRoot, match="there is no folder"):
            played(write(steps))


# --- the account, as an agent makes it ----------------------------------------------------------------------------

Lines = set[tuple[str, int, int]]
"""Lines by path, the number of edits that the file had seen, and number."""


class Reader:
    """What the agents of a conversation see, kept from the texts alone."""

    def __init__(self) -> None:
        self.edits: defaultdict[str, int] = defaultdict(int)
        self.sees: dict[str, list[int]] = {"main": []}
        self.answers: list[Lines] = []

    def follow(self, step: Edit | Forget | Spawn) -> None:
        match step:
            case Edit():
                self.edits[step.path] += 1
            case Forget():
                gone = self.chosen(step.agent, step.answers)
                self.sees[step.agent] = [number for number in self.sees[step.agent] if number not in gone]
            case Spawn():
                self.sees[step.agent] = list(self.chosen(step.parent, step.sees))

    def chosen(self, agent: str, which: Which) -> list[int]:
        if isinstance(which, tuple):
            return list(which)
        return {"all": self.sees[agent], "newest": self.sees[agent][-1:], "none": []}[which]

    def check(self, answer: Played) -> None:
        """The account of an answer is what its reader would say of it, who then sees it too."""
        read = delivered(answer.text)
        lines = {(s.path, self.edits[s.path], number) for s in read.sections for number in s.lines}
        seen: Lines = set().union(*(self.answers[number - 1] for number in self.sees[answer.agent]))
        assert (answer.sent, answer.held) == (len(lines), len(lines & seen))
        pointed = {
            (pointer.path, self.edits[pointer.path], number)
            for pointer in read.pointers
            for first, last in pointer.spans
            for number in range(first, last + 1)
        }
        counted, read_off = (answer.pointed, answer.unseen), (len(pointed), len(pointed - seen))
        assert counted >= read_off if any(pointer.more for pointer in read.pointers) else counted == read_off
        assert set(answer.new_files) == {path for path, *_ in lines} - {path for path, *_ in seen}
        for symbol in answer.new_symbols:
            path, name = symbol.split("::")
            (section,) = (section for section in read.sections if section.path == path)
            assert any(name.split(".")[-1] in line for line in section.lines.values())
        assert answer.bytes == len(answer.text.encode())
        self.answers.append(lines)
        self.sees[answer.agent].append(answer.number)


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the fixtures, so that no index is left in them."""
    copy = tmp_path_factory.mktemp("replay") / "fixtures"
    shutil.copytree(FIXTURES, copy, ignore=shutil.ignore_patterns(FOLDER))
    return copy


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_account_is_what_a_reader_of_the_texts_makes_of_them(fixtures: Path, name: str) -> None:
    conversation = read_conversation(fixtures / "conversations" / f"{name}.toml")
    answers, reader = play(conversation), Reader()
    for step in conversation.steps:
        if isinstance(step, Ask):
            reader.check(next(answers))
        else:
            reader.follow(step)
    assert next(answers, None) is None


# --- the verb -----------------------------------------------------------------------------------------------------


def test_the_account_says_how_many_of_the_wanted_lines_are_held(write: Write, root: Path) -> None:
    script = write("""
        step = [
            { ask = "moor", max_files = 1, wanted = ["moor.py:1-9", "sail.py:1-4,7"] },
            { ask = "sail", max_files = 1, wanted = ["moor.py:2-3", "sail.py:1-4,7", "tide.py"] },
        ]
    """)
    assert [(answer.wanted_held, answer.wanted) for answer in played(script)] == [(9, 14), (7, 7)]
    assert "  9 of  14 wanted  moor" in run("replay", str(script), "--summary", cwd=root).text
    (line, _) = run("replay", str(script), "--json", cwd=root).text.splitlines()
    assert (json.loads(line)["wanted"], json.loads(line)["wanted_held"]) == (14, 9)


def test_the_verb_says_what_happens_between_the_answers(write: Write, root: Path) -> None:
    steps = """
        step = [
            { ask = "moor" },
            { edit = "moor.py", append = "# more" },
            { spawn = "scout", sees = "newest" },
            { spawn = "second", from = "scout" },
            { forget = "all" },
            { ask = "sail", agent = "scout" },
            { forget = [1, 2], agent = "scout" },
        ]
    """
    lines = run("replay", str(write(steps)), "--summary", cwd=root).text.splitlines()
    assert [line for line in lines if line.startswith("--- ")] == [
        "--- moor.py is edited",
        "--- scout starts and can see of main's answers: the newest",
        "--- second starts and can see of scout's answers: none",
        "--- main can no longer see its answers: all",
        "--- scout can no longer see its answers: 1, 2",
    ]
    assert len(lines) == 7
    assert len(run("replay", str(write(steps)), "--json", cwd=root).text.splitlines()) == 2


def test_the_verb_prints_each_answer_with_its_account(write: Write, root: Path) -> None:
    script = write(TWICE)
    ran = run("replay", str(script), cwd=root)
    assert (ran.code, ran.err) == (0, "")
    accounts = run("replay", "script.toml", "--summary", cwd=root.parent).text.splitlines()
    assert accounts[0].split()[:6] == ["1", "main", "26", "sent", "0", "held"]
    assert accounts[1].endswith("moor sail")
    assert ran.text == "".join(
        f"=== {account}\n\n{answer.text}\n\n" for account, answer in zip(accounts, played(script), strict=True)
    )


def test_the_verb_prints_json_a_line(write: Write, root: Path) -> None:
    script = write(TWICE)
    rows = [json.loads(line) for line in run("replay", "--json", str(script), cwd=root).text.splitlines()]
    answers = played(script)
    assert [(row["text"], row["bytes"]) for row in rows] == [(answer.text, answer.bytes) for answer in answers]
    last = rows[-1]
    assert [last[key] for key in ("number", "agent", "sent", "held", "pointed", "unseen")] == [2, "main", 26, 0, 26, 0]
    assert [(file["path"], file["lines"], file["pointed"]) for file in last["files"]] == [
        ("sail.py", [[1, 26]], []),
        ("moor.py", [], [[1, 26]]),
    ]
    short = [json.loads(line) for line in run("replay", "--json", "--summary", str(script), cwd=root).text.splitlines()]
    assert short == [{key: row[key] for key in row if key != "text"} for row in rows]


def test_the_verb_says_in_a_sentence_what_is_wrong(write: Write, root: Path) -> None:
    script = write(f"{TWICE}[[step]]\nmax_bytes = 10")
    ran = run("replay", str(script), cwd=root)
    assert (ran.code, ran.out) == (1, b"")
    assert ran.err == "codegraph-explore: step 3: it has none of ask, edit, forget, spawn: give exactly one\n"


LOADED: Final = (
    "import sys; from explore.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
)


def test_the_verb_does_not_load_the_protocol(write: Write, root: Path) -> None:
    words = [sys.executable, "-c", LOADED, "replay", str(write(TWICE))]
    done = subprocess.run(words, cwd=root, env=environment(), capture_output=True, check=True, text=True)
    assert not {"mcp", "anyio", "pydantic"} & {module.partition(".")[0] for module in done.stderr.split()}
