"""The server as hosts start it: a process that speaks JSON-RPC on its pipes and nothing else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.support.corpus import tree, write_tree
from tests.support.delivered import delivered
from tests.support.shell import command, environment
from tests.support.wire import Wire

PROJECT = tree("""
    boat.py
        | class Boat:
        |     def moor(self, harbour):
        |         return harbour.take(self)
    tide.py
        | def tide():
        |     return 3
""")
OTHER = tree("""
    plane.py
        | def land(runway):
        |     return runway
""")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small project on disk, never indexed."""
    write_tree(tmp_path / "root", PROJECT)
    return tmp_path / "root"


@pytest.fixture
def wire(root: Path) -> Iterator[Wire]:
    """A server in the project, after the handshake."""
    with Wire(root) as wire:
        wire.initialize()
        yield wire


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One server for the tests that change no file of its project."""
    root = tmp_path_factory.mktemp("shared") / "root"
    write_tree(root, PROJECT)
    with Wire(root) as wire:
        wire.initialize()
        yield wire


@pytest.mark.parametrize("protocol", ["2024-11-05", "2025-06-18"])
def test_the_handshake_of_older_protocols_is_answered(root: Path, protocol: str) -> None:
    with Wire(root) as wire:
        result = wire.initialize(protocol)
        assert result["protocolVersion"] == protocol
        assert result["serverInfo"]["name"] == "codegraph-explore"
        assert "codegraph_explore" in result["instructions"]
        assert "tools" in result["capabilities"]
        assert "def moor" in wire.text("moor")


def test_one_tool_is_listed_with_its_schema(shared: Wire) -> None:
    (tool,) = shared.request("tools/list", {})["result"]["tools"]
    schema = tool["inputSchema"]
    assert tool["name"] == "codegraph_explore"
    assert schema["required"] == ["query"]
    assert {"query", "project_path", "max_files", "max_bytes"} <= set(schema["properties"])
    assert all(described["description"] for described in schema["properties"].values())
    assert tool["annotations"]["readOnlyHint"] is True


def test_no_word_of_it_counts_calls_or_speaks_of_a_budget(shared: Wire) -> None:
    shown = json.dumps(shared.request("tools/list", {})["result"]).lower()
    for word in ("budget", "remaining", "limit of", "sparingly", "few calls", "only call"):
        assert word not in shown


def test_a_call_answers_from_the_working_directory(shared: Wire) -> None:
    (section,) = delivered(shared.text("how does a boat moor")).sections
    assert section.path == "boat.py"
    assert section.lines[2] == "    def moor(self, harbour):"


READABLE: list[Any] = [
    pytest.param({}, "give 'query'", id="no query"),
    pytest.param(None, "give 'query'", id="no arguments"),
    pytest.param({"query": 7}, "give 'query'", id="a number"),
    pytest.param({"query": None}, "give 'query'", id="null"),
    pytest.param({"query": ["moor"]}, "give 'query'", id="a list"),
    pytest.param({"query": " \n"}, "give 'query'", id="blank"),
    pytest.param({"query": "moor " * 2_000_000}, "10,000,000 characters", id="10 MB"),
    pytest.param({"query": "x", "project_path": "/no/such/place"}, "there is no folder", id="an unknown project"),
    pytest.param({"query": "x", "project_path": "boat.py"}, "is a file", id="a file for a project"),
    pytest.param({"query": "x", "project_path": "a\0b"}, "there is no folder", id="a path that is none"),
    pytest.param({"query": "x", "project_path": 7}, "'project_path' must be", id="a number for a path"),
    pytest.param({"query": "x", "max_bytes": 999}, "max_bytes must be from 1,000", id="too few bytes"),
    pytest.param({"query": "x", "max_bytes": 10**400}, "'max_bytes' must be", id="a huge number"),
    pytest.param({"query": "x", "max_bytes": "9" * 5_000}, "'max_bytes' must be", id="a huge number in words"),
    pytest.param({"query": "x", "max_bytes": "many"}, "'max_bytes' must be a whole number", id="a word for a number"),
    pytest.param({"query": "x", "max_files": True}, "'max_files' must be a whole number", id="a flag for a number"),
    pytest.param({"query": "x", "max_files": 0}, "max_files must be from 1", id="no files"),
    pytest.param({"query": "zebra"}, "Nothing in the 2 indexed files matches", id="a question that finds nothing"),
]


def test_expected_conditions_are_readable_results(shared: Wire) -> None:
    """One server for all of them: none may spoil the next."""
    for case in READABLE:
        arguments, words = case.values
        result = shared.call(arguments)
        assert not result.get("isError"), case.id
        assert words in result["content"][0]["text"], case.id
        assert len(result["content"][0]["text"]) < 500, case.id
    assert "def moor" in shared.text("moor")


def test_unknown_arguments_are_ignored(shared: Wire) -> None:
    plain = shared.source("moor")
    assert shared.source("moor", depth=3, view={"files": ["boat.py"]}, session={"calls": 9}) == plain
    assert shared.source("moor", max_bytes="13000") == shared.source("moor", max_bytes=13000.0)


def test_an_unknown_tool_is_an_error(shared: Wire) -> None:
    result = shared.request("tools/call", {"name": "grep", "arguments": {"query": "x"}})["result"]
    assert result["isError"] is True
    assert "codegraph_explore" in result["content"][0]["text"]


def test_an_unknown_method_and_a_torn_line_end_nothing(shared: Wire) -> None:
    assert shared.request("tools/dance", {})["error"]["code"] == -32601
    assert shared.process.stdin is not None
    shared.process.stdin.write(b'{"jsonrpc": "2.0", "id": \n')
    shared.process.stdin.write(b"\xff\xfe\n")
    shared.process.stdin.flush()
    assert "def moor" in shared.text("moor")


def test_a_question_that_is_no_text_ends_nothing(shared: Wire) -> None:
    """A lone surrogate is no JSON to the SDK, which drops the message; odd characters are like any other."""
    shared.post("tools/call", {"name": "codegraph_explore", "arguments": {"query": "caf\udce9 moor"}})
    assert "def moor" in shared.text("moor \x00 \u2028 \u202e\x1b[2J")


def test_a_clients_root_is_the_default_project(tmp_path: Path, root: Path) -> None:
    other = tmp_path / "the other #1 größe"
    write_tree(other, OTHER)
    with Wire(root) as wire:
        roots = [{"uri": (tmp_path / "gone").as_uri()}, {"uri": other.as_uri()}]
        wire.replies["roots/list"] = lambda: {"result": {"roots": roots}}
        wire.initialize(roots={"listChanged": True})
        assert "def land" in wire.text("land")
        assert wire.asked == ["roots/list"]
        assert "def moor" in wire.text("moor", project_path=str(root))


REFUSALS = {
    "an error": lambda: {"error": {"code": -32603, "message": "not now"}},
    "no roots": lambda: {"result": {"roots": []}},
    "a root that is no folder": lambda: {"result": {"roots": [{"uri": "file:///no/such/place"}]}},
}


@pytest.mark.parametrize("reply", REFUSALS)
def test_a_client_that_does_not_tell_its_root_is_answered_from_the_working_directory(root: Path, reply: str) -> None:
    with Wire(root) as wire:
        wire.replies["roots/list"] = REFUSALS[reply]
        wire.initialize(roots={})
        assert "def moor" in wire.text("moor")


def test_two_projects_in_one_session_do_not_mix(tmp_path: Path, shared: Wire) -> None:
    write_tree(tmp_path / "other", OTHER)
    for _ in range(2):
        assert "def moor" in shared.text("moor land")
        there = shared.text("moor land", project_path=str(tmp_path / "other"))
        assert "def land" in there
        assert "def moor" not in there


def test_a_file_edited_between_calls_is_quoted_as_it_is(wire: Wire, root: Path) -> None:
    assert "2\t    def moor(self, harbour):" in wire.text("moor")
    (root / "boat.py").write_text("# new\n" * 45 + "def moor():\n    return 'as it is now'\n")
    text = wire.text("moor")
    (section,) = delivered(text).sections
    lines = (root / "boat.py").read_text().split("\n")
    assert section.lines[47] == "    return 'as it is now'"
    assert all(lines[number - 1] == line for number, line in section.lines.items())


def test_a_file_deleted_between_calls_is_not_quoted(wire: Wire, root: Path) -> None:
    assert "def moor" in wire.text("moor")
    (root / "boat.py").unlink()
    assert "def moor" not in wire.text("moor")
    assert "def tide" in wire.text("tide")


def test_a_file_that_appears_is_found_within_seconds(wire: Wire, root: Path) -> None:
    wire.text("moor")
    (root / "late.py").write_text("def late_arrival(): pass\n")
    for _ in range(100):
        if "def late_arrival" in wire.text("late_arrival"):
            return
        anyio.run(anyio.sleep, 0.1)
    pytest.fail("a new file is not found after ten seconds")


def test_calls_at_the_same_time_are_all_answered(tmp_path: Path, shared: Wire) -> None:
    write_tree(tmp_path / "other", OTHER)
    arguments = [{"query": "moor"}, {"query": "land", "project_path": str(tmp_path / "other")}, {"query": 7}] * 5
    numbers = [shared.post("tools/call", {"name": "codegraph_explore", "arguments": given}) for given in arguments]
    words = ["def moor", "def land", "give 'query'"] * 5
    for number, word in reversed(list(zip(numbers, words, strict=True))):
        assert word in shared.response(number)["result"]["content"][0]["text"]


def test_more_projects_than_are_kept_open_are_all_answered(tmp_path: Path, shared: Wire) -> None:
    """At the same time, so that each is closed for another while it is in use."""
    count = 24
    for n in range(count):
        write_tree(tmp_path / f"p{n}", {"a.py": f"def only_{n}(): pass\n".encode()})
    for _ in range(2):
        numbers = [
            shared.post("tools/call", {"name": "codegraph_explore", "arguments": arguments})
            for arguments in ({"query": f"only_{n}", "project_path": str(tmp_path / f"p{n}")} for n in range(count))
        ]
        for n, number in enumerate(numbers):
            assert f"def only_{n}()" in shared.response(number)["result"]["content"][0]["text"]


def many_files(root: Path, count: int) -> None:
    """Enough to index for some seconds."""
    body = "".join(f"def step_{n}(load):\n    return load + step_{n + 1}({n})\n\n" for n in range(60))
    write_tree(root, {f"m{n:04}.py": f"# {n}\n{body}".encode() for n in range(count)})


def test_a_first_indexing_is_reported_as_it_goes(root: Path, wire: Wire) -> None:
    many_files(root, 400)
    result = wire.call({"query": "moor"}, _meta={"progressToken": "mine"})
    assert "def moor" in result["content"][0]["text"]
    told = [n["params"] for n in wire.notifications if n["method"] == "notifications/progress"]
    assert told
    assert {params["progressToken"] for params in told} == {"mine"}
    assert {params["total"] for params in told} == {402}
    done = [params["progress"] for params in told]
    assert done == sorted(set(done))
    wire.notifications.clear()
    wire.call({"query": "moor"}, _meta={"progressToken": "again"})
    assert wire.notifications == []


def test_the_server_ends_with_its_stdin_also_while_it_indexes(root: Path) -> None:
    many_files(root, 1_000)
    with Wire(root) as wire:
        wire.initialize()
        wire.post("tools/call", {"name": "codegraph_explore", "arguments": {"query": "moor"}})
        anyio.run(anyio.sleep, 0.3)
        code, err = wire.end()
        assert (code, err) == (0, "")


def test_a_damaged_index_is_mentioned_on_stderr_and_the_call_answered(root: Path) -> None:
    with Wire(root) as wire:
        wire.initialize()
        wire.text("moor")
    (root / ".codegraph-explore/index.sqlite").write_bytes(b"no database" * 100)
    with Wire(root) as wire:
        wire.initialize()
        assert "def moor" in wire.text("moor")
        code, err = wire.end()
    assert code == 0
    assert "is rebuilt" in err


def test_a_project_that_is_taken_away_is_a_readable_result(shared: Wire, tmp_path: Path) -> None:
    write_tree(tmp_path / "other", OTHER)
    assert "def land" in shared.text("land", project_path=str(tmp_path / "other"))
    shutil.rmtree(tmp_path / "other")
    assert "there is no folder" in shared.text("land", project_path=str(tmp_path / "other"))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_gets_an_answer(root: Path, mode: str) -> None:
    """Over the newest protocol and over the handshake before it."""
    many_files(root, 150)
    words = [str(word) for word in command("serve")]
    parameters = StdioServerParameters(command=words[0], args=words[1:], cwd=root, env=environment())
    told: list[tuple[float, float | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total))

    async def talk() -> None:
        async with Client(parameters, mode=mode) as client:
            (tool,) = (await client.list_tools()).tools
            assert tool.name == "codegraph_explore"
            result = await client.call_tool("codegraph_explore", {"query": "moor"}, progress_callback=progress)
            assert not result.is_error
            assert "def moor" in getattr(result.content[0], "text", "")
            refused = await client.call_tool("codegraph_explore", {"query": "x", "project_path": "/no/such/place"})
            assert not refused.is_error

    anyio.run(talk)
    assert all(total == 152 for _, total in told)
