"""The command line from outside: what it prints where, how it ends, and that it never shows its insides."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import hostile
from tests.support.corpus import tree, write_tree
from tests.support.delivered import delivered
from tests.support.dump import index_folder, is_sound
from tests.support.shell import command, environment, run

PROJECT = tree("""
    boat.py
        | class Boat:
        |     def moor(self, harbour):
        |         return harbour.take(self)
    src/
        tide.go
            | package src
            |
            | func Tide() int {
            |     return 3
            | }
""")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small project on disk, never indexed."""
    write_tree(tmp_path / "root", PROJECT)
    return tmp_path / "root"


# --- each verb ----------------------------------------------------------------------------------------------------


def test_init_makes_a_folder_a_project(root: Path) -> None:
    ran = run("init", "root", cwd=root.parent)
    assert (ran.code, ran.err) == (0, "")
    assert ran.text == f"2 files, 4 symbols indexed in {index_folder(root)}\n"
    assert is_sound(index_folder(root))


def test_init_takes_the_folder_itself_also_inside_of_a_project(root: Path) -> None:
    run("init", cwd=root)
    ran = run("init", "src", cwd=root)
    assert ran.text.startswith("1 files, ")
    assert index_folder(root / "src").is_dir()
    assert json.loads(run("status", "--json", cwd=root / "src").out)["root"] == str(root / "src")


def test_explore_indexes_what_was_never_indexed_and_answers(root: Path) -> None:
    ran = run("explore", "how does a boat moor", cwd=root)
    assert (ran.code, ran.err) == (0, "")
    (section,) = delivered(ran.text).sections
    assert section.path == "boat.py"
    assert section.lines[2] == "    def moor(self, harbour):"


def test_explore_takes_the_nearest_indexed_folder_above(root: Path) -> None:
    run("init", cwd=root)
    inside = run("explore", "moor", cwd=root / "src")
    assert inside.text == run("explore", "moor", "--project", str(root), cwd=root.parent).text
    assert "boat.py" in inside.text
    assert not index_folder(root / "src").exists()


def test_explore_as_json_tells_what_the_text_delivered(root: Path) -> None:
    ran = run("explore", "moor", "--json", cwd=root)
    answer = json.loads(ran.out)
    assert answer["text"] + "\n" == run("explore", "moor", cwd=root).text
    assert answer["bytes"] == len(answer["text"].encode())
    (file,) = answer["files"]
    assert (file["path"], file["lines"]) == ("boat.py", [[1, 3]])
    assert file["source_bytes"] == delivered(answer["text"]).sections[0].source_bytes


def test_search_ranks_without_source(root: Path) -> None:
    ran = run("search", "boat moor", cwd=root)
    assert "boat.py  Boat.moor (L2)" in ran.text
    assert "harbour.take" not in ran.text
    found = json.loads(run("search", "boat moor", "--json", cwd=root).out)["files"]
    assert found[0]["path"] == "boat.py"
    assert found[0]["weight"] > 0
    assert found[0]["symbols"][0] == {"name": "Boat.moor", "line": 2, "weight": found[0]["symbols"][0]["weight"]}


@pytest.mark.parametrize(("limit", "files"), [("1", 1), ("2", 2)])
def test_search_lists_no_more_than_asked(root: Path, limit: str, files: int) -> None:
    assert len(run("search", "boat tide", "--limit", limit, cwd=root).text.splitlines()) == files


@pytest.mark.parametrize("limit", ["0", "-1", "x"])
def test_search_refuses_a_limit_that_lists_nothing(root: Path, limit: str) -> None:
    """It would have to say that nothing matches, which is not so."""
    ran = run("search", "boat", f"--limit={limit}", cwd=root)
    assert ran.code == 2
    assert ran.out == b""


def test_status_changes_nothing(root: Path) -> None:
    assert run("status", cwd=root).text.startswith(f"{root} is not indexed: ")
    assert json.loads(run("status", "--json", cwd=root).out).items() >= {"root": str(root), "indexed": False}.items()
    assert not index_folder(root).exists()
    run("init", cwd=root)
    (root / "late.py").write_text("x = 1\n")
    status = json.loads(run("status", "--json", cwd=root / "src").out)
    assert (status["root"], status["indexed"], status["files"]) == (str(root), True, 2)
    assert status["languages"] == {"go": 1, "python": 1}
    assert "files     2 (go 1, python 1)" in run("status", cwd=root).text
    assert status["behind"] == 1
    assert "freshness 1 files are other than indexed: the next question" in run("status", cwd=root).text
    run("explore", "late", cwd=root)
    assert "freshness in step with the files" in run("status", cwd=root).text


def test_demo_plays_a_conversation_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """What comes once, what is pointed at, what that pays for, and how the answers shrink, on one screen."""
    ran = run("demo", cwd=tmp_path, env=environment(TMPDIR=str(tmp_path)))
    assert (ran.code, ran.err) == (0, "")
    assert ran.text.isascii()
    rows = ran.text.splitlines()
    assert len(rows) <= 40
    assert all(re.search(rf"^   \S+ .*  {words}", ran.text, re.MULTILINE) for words in DEMO_KINDS)
    sizes = [int(row.split()[0].replace(",", "")) for row in rows if row.endswith("#")]
    assert len(sizes) == 4
    assert sizes == sorted(sizes, reverse=True)
    assert rows[-2].startswith(f"{sum(sizes):,} bytes in all. ")
    assert list(tmp_path.iterdir()) == []


DEMO_KINDS = (
    "new: ",
    "new, in the place of what was sent before: ",
    "more of it: ",
    r"already sent, instead of [\d,]+: ",
)


def test_demo_answers_a_question(tmp_path: Path) -> None:
    ran = run("demo", "how is overtime paid", cwd=tmp_path, env=environment(TMPDIR=str(tmp_path)))
    assert ran.code == 0
    assert delivered(ran.text).sections
    assert "files indexed, answered in" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_the_installed_command_is_the_same(root: Path) -> None:
    installed = Path(sys.executable).with_name("codegraph-explore")
    done = subprocess.run([installed, "explore", "moor"], cwd=root, capture_output=True, check=True)
    assert done.stdout == run("explore", "moor", cwd=root).out


def test_two_runs_print_the_same_bytes(root: Path) -> None:
    first, second = (run("explore", "boat", "tide", "moor", cwd=root) for _ in range(2))
    assert first == second


def test_an_edit_between_two_runs_is_seen(root: Path) -> None:
    run("explore", "moor", cwd=root)
    (root / "boat.py").write_text("# moved\n\ndef moor():\n    return 'edited'\n")
    assert "4\t    return 'edited'" in run("explore", "moor", cwd=root).text


# --- what is wrong, said in a sentence ----------------------------------------------------------------------------

REFUSED = [
    pytest.param(["explore", "x", "-p", "nowhere"], 1, "there is no folder 'nowhere'", id="no such folder"),
    pytest.param(["explore", "x", "-p", "boat.py"], 1, "'boat.py' is a file", id="a file for a folder"),
    pytest.param(["init", "boat.py"], 1, "'boat.py' is a file", id="init of a file"),
    pytest.param(["status", "-p", "nowhere"], 1, "there is no folder", id="status of nothing"),
    pytest.param(["explore", ""], 1, "the question is empty", id="an empty question"),
    pytest.param(["explore", " \t"], 1, "the question is empty", id="a blank question"),
    pytest.param(["search", ""], 1, "the question is empty", id="an empty search"),
    pytest.param(["explore", "x", "--max-bytes", "999"], 1, "max_bytes must be from 1,000", id="few bytes"),
    pytest.param(["explore", "x", "--max-bytes", "50001"], 1, "max_bytes must be", id="too many bytes"),
    pytest.param(["explore", "x", "--max-files", "0"], 1, "max_files must be", id="no files"),
    pytest.param(["explore", "x", "--max-bytes", "much"], 2, "invalid int value", id="no number"),
    pytest.param(["explore"], 2, "question", id="no question at all"),
    pytest.param(["explore", "x", "--loud"], 2, "unrecognized arguments: --loud", id="an unknown option"),
    pytest.param(["dance"], 2, "invalid choice: 'dance'", id="an unknown verb"),
    pytest.param([], 2, "VERB", id="no verb"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), REFUSED)
def test_what_cannot_be_done_is_said_on_stderr(root: Path, arguments: list[str], code: int, words: str) -> None:
    ran = run(*arguments, cwd=root)
    assert (ran.code, ran.out) == (code, b"")
    assert words in ran.err
    if code == 1:
        assert ran.err.count("\n") == 1


def test_a_question_that_finds_nothing_is_an_answer(root: Path) -> None:
    ran = run("explore", "zebra", cwd=root)
    assert (ran.code, ran.err) == (0, "")
    assert "Nothing in the 2 indexed files matches" in ran.text
    assert run("search", "zebra", cwd=root).text == "Nothing matches.\n"


def test_a_damaged_index_is_mentioned_on_stderr_only(root: Path) -> None:
    before = run("explore", "moor", cwd=root)
    (index_folder(root) / "index.sqlite").write_bytes(b"no database" * 100)
    after = run("explore", "moor", cwd=root)
    assert (after.code, after.out) == (0, before.out)
    assert after.err.count("\n") == 1
    assert "is rebuilt" in after.err


# --- odd words and places -----------------------------------------------------------------------------------------

QUESTIONS: list[str | bytes] = [
    "'; DROP TABLE file; --",
    "$(touch owned) `touch owned` && moor",
    '"moor',
    "moor*",
    "NEAR(moor, 2) OR (",
    "%s %d {0} \\n \\0",
    "港口 moor 🚢",
    "\u202emoor\u2028line\x0bend",
    b"caf\xe9 moor",
    b"\xff\xfe\xed\xa0\x80",
    "moor " * 5_000,
]


def test_any_question_is_answered(root: Path) -> None:
    for question in QUESTIONS:
        ran = run("explore", "--", question, cwd=root)
        assert (ran.code, ran.err) == (0, ""), question
        assert ran.text.startswith("Source for: "), question
    assert not (root / "owned").exists()


@pytest.mark.parametrize("verb", ["explore", "search"])
def test_json_can_be_read_whatever_was_asked(root: Path, verb: str) -> None:
    ran = run(verb, "--json", b"caf\xe9 \xff moor", '"quoted" \u2028', cwd=root)
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.text)["files"]


LOCALES = [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]


@pytest.mark.parametrize("locale", LOCALES)
def test_answers_are_utf_8_in_every_locale(root: Path, locale: dict[str, str]) -> None:
    (root / "hafen.py").write_text("def hafen():\n    return '港口 🚢'\n", "utf-8")
    ran = run("explore", "hafen", cwd=root, env=environment(**locale))
    assert ran.code == 0
    assert "2\t    return '港口 🚢'" in ran.text


NAMES = ["a folder", "größe #1", "-rf", "two\nlines", "[a]*'$HOME\"%20"]


@pytest.mark.parametrize("name", [*NAMES, os.fsdecode(b"caf\xe9")])
def test_a_project_may_be_called_anything(tmp_path: Path, name: str) -> None:
    write_tree(tmp_path / name, PROJECT)
    ran = run("explore", "moor", f"--project={name}", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert "def moor" in ran.text
    assert run("status", f"-p{name}", cwd=tmp_path).code == 0


def test_files_may_be_called_anything(tmp_path: Path) -> None:
    hostile_names = {path: f"def {symbol}(): pass\n".encode() for path, symbol in hostile.NAMES.items()}
    write_tree(tmp_path, hostile_names)
    ran = run("explore", "--max-files=40", *hostile.NAMES.values(), cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    for path, symbol in hostile.NAMES.items():
        assert (f"def {symbol}" in ran.text) == (path != hostile.STRAY_BYTE_NAME), path


# --- ends ---------------------------------------------------------------------------------------------------------


def test_a_reader_that_goes_away_ends_it_quietly(root: Path) -> None:
    """As in `| head -1`, with an answer larger than a pipe holds."""
    for n in range(60):
        (root / f"moor{n}.py").write_text(f"def moor_{n}():\n" + "    moor = 'moor'\n" * 200)
    words = [sys.executable, "-m", "explore", "explore", "--max-bytes=50000", "--max-files=40", "moor"]
    process = subprocess.Popen(words, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 0


def many_files(root: Path, count: int) -> None:
    """Enough to index for some seconds."""
    body = "".join(f"def step_{n}(load):\n    return load + step_{n + 1}({n})\n\n" for n in range(60))
    write_tree(root, {f"m{n:04}.py": f"# {n}\n{body}".encode() for n in range(count)})


def test_ctrl_c_while_indexing_ends_at_once_and_leaves_a_sound_index(root: Path) -> None:
    many_files(root, 600)
    process = subprocess.Popen(
        command("init"), cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    file = index_folder(root) / "index.sqlite"
    deadline = time.monotonic() + 30
    while not (file.exists() and sum(f.stat().st_size for f in file.parent.glob("index*")) > 500_000):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert is_sound(index_folder(root))
    status = json.loads(run("status", "--json", cwd=root).out)
    assert 0 < status["files"] < 602


def on_a_terminal(root: Path, *arguments: str) -> tuple[bytes, bytes]:
    """What a run prints on stdout, a pipe, and on stderr, a terminal."""
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        command(*arguments), cwd=root, stdout=subprocess.PIPE, stderr=end, env=environment(TERM="xterm", COLUMNS="80")
    )
    os.close(end)
    shown = bytearray()
    while select.select([terminal], [], [], 30)[0]:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # how a terminal says that nobody holds its other end
            break
    os.close(terminal)
    assert process.stdout is not None
    out = process.stdout.read()
    process.stdout.close()
    assert process.wait(30) == 0
    return out, bytes(shown)


def test_a_bar_is_drawn_on_a_terminal_and_nowhere_else(root: Path) -> None:
    many_files(root, 110)
    out, shown = on_a_terminal(root, "explore", "moor")
    assert b"112/112" in shown
    assert b"indexing" in shown
    assert b"indexing" not in out
    out_again, shown_again = on_a_terminal(root, "explore", "moor")
    assert out_again == out
    assert b"indexing" not in shown_again  # nothing was to do
    write_tree(root, {"more.py": b"x = 1\n"})
    assert run("explore", "moor", cwd=root).err == ""


LOADED = "import sys; from explore.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"


def loaded(root: Path, *arguments: str) -> set[str]:
    """The top-level modules that a verb has loaded at its end."""
    words = [sys.executable, "-c", LOADED, *arguments]
    done = subprocess.run(words, cwd=root, env=environment(), capture_output=True, check=True, text=True)
    return {module.partition(".")[0] for module in done.stderr.split()}


def test_what_a_verb_does_not_need_is_not_loaded(root: Path) -> None:
    """The protocol costs as much to load as an answer takes, and the grammars are for what changed."""
    heavy = {"mcp", "mcp_types", "anyio", "pydantic", "rich", "tree_sitter", "tree_sitter_python", "asyncio"}
    assert "tree_sitter" in loaded(root, "explore", "moor")
    for arguments in (["explore", "moor"], ["search", "moor"], ["status"], ["explore", "moor", "--json"]):
        assert not loaded(root, *arguments) & heavy
