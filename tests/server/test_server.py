"""The server in this process: what a call gets before all is indexed, and projects that come and go."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client

from explore.errors import BadRequest, BadRoot
from explore.server.handler import Service, make_server
from explore.server.projects import MOST_PROJECTS, Projects
from explore.server.tool import Call, read_call
from tests.support.corpus import write_tree


def many_files(root: Path, count: int) -> None:
    """Enough to index for some seconds, the file asked about first."""
    body = "".join(f"def step_{n}(load):\n    return load + step_{n + 1}({n})\n\n" for n in range(60))
    write_tree(root, {"a.py": b"def moor(): pass\n"})
    write_tree(root, {f"m{n:04}.py": f"# {n}\n{body}".encode() for n in range(count)})


def test_a_call_before_all_is_indexed_is_answered_from_what_is_ready(tmp_path: Path) -> None:
    """And says so; a later one is answered from all, and does not."""
    many_files(tmp_path, 300)
    projects = Projects(lambda sentence: None)
    arguments = {"query": "moor", "project_path": str(tmp_path)}

    async def talk() -> tuple[str, str, str]:
        async with Client(make_server(Service(projects, patience=0.0))) as client:
            first = await client.call_tool("codegraph_explore", arguments)
            indexing = projects.at(str(tmp_path)).indexing
            while indexing.running and not indexing.done:
                await anyio.sleep(0.01)
            second = await client.call_tool("codegraph_explore", arguments)
            indexing.thread.join()
            last = await client.call_tool("codegraph_explore", arguments)
            return tuple(getattr(result.content[0], "text", "") for result in (first, second, last))  # type: ignore[return-value]

    try:
        first, second, last = anyio.run(talk)
    finally:
        projects.close()
    assert "Still indexing: " in first
    assert "def moor" in second
    assert "of 301 files are ready; this answer is from those." in second
    assert "def moor" in last
    assert "Still indexing" not in last


def test_projects_are_known_by_their_root(tmp_path: Path) -> None:
    write_tree(tmp_path / "root", {"a.py": b"", "sub/b.py": b""})
    (tmp_path / "link").symlink_to(tmp_path / "root")
    projects = Projects(lambda sentence: None)
    try:
        first = projects.at(str(tmp_path / "root"))
        first.indexing.thread.join()
        for path in ("root/", "root/sub", "link", "link/sub/.."):
            assert projects.at(str(tmp_path / path)) is first
        with pytest.raises(BadRoot):
            projects.at(str(tmp_path / "nowhere"))
    finally:
        projects.close()


def test_a_project_that_gave_up_its_place_still_answers_whoever_holds_it(tmp_path: Path) -> None:
    projects = Projects(lambda sentence: None)
    try:
        held = []
        for n in range(MOST_PROJECTS + 1):
            write_tree(tmp_path / str(n), {"a.py": f"def only_{n}(): pass\n".encode()})
            held.append(projects.at(str(tmp_path / str(n))))
        for n, project in enumerate(held):
            project.indexing.thread.join()
            assert f"def only_{n}()" in project.explorer.explore(f"only_{n}").text
        assert projects.at(str(tmp_path / "0")) is not held[0]
    finally:
        projects.close()
        for project in held:
            project.explorer.close()


LONG = "conversation-" * 9
DIGEST = sha256(LONG.encode()).hexdigest()

CALLS: list[tuple[dict[str, object], dict[str, object], Call]] = [
    ({"query": "x"}, {}, Call("x")),
    ({"query": "x", "max_files": "3", "max_bytes": 2000.0}, {}, Call("x", max_files=3, max_bytes=2000)),
    ({"query": "x", "max_files": None, "project_path": None, "context": None, "resend": None}, {}, Call("x")),
    ({"query": "x", "depth": 9, "view": {}}, {}, Call("x")),
    ({"query": "x" * 100_000}, {}, Call("x" * 100_000)),
    ({"query": "x", "context": []}, {}, Call("x", handles=())),
    ({"query": "x", "context": ["ab2", " cd3 ", 7, None, "ab2"]}, {}, Call("x", handles=("ab2", "cd3"))),
    ({"query": "x", "context": "context: ab2, cd3"}, {}, Call("x", handles=("context", "ab2", "cd3"))),
    ({"query": "x", "context": {"a": 1}}, {}, Call("x", handles=())),
    ({"query": "x", "resend": True}, {}, Call("x", resend=True)),
    ({"query": "x", "resend": "false"}, {}, Call("x", resend=False)),
    ({"query": "x", "resend": "a.py:1-9"}, {}, Call("x", resend=("a.py:1-9",))),
    ({"query": "x", "resend": '["a.py", 7, ""]'}, {}, Call("x", resend=("a.py",))),
    ({"query": "x", "resend": 7}, {}, Call("x")),
    ({"query": "x", "host_context": "s"}, {"threadId": "t"}, Call("x", identifier="host:s")),
    ({"query": "x", "host_context": {"b": 1, "a": 2}}, {}, Call("x", identifier='host:{"a": 2, "b": 1}')),
    ({"query": "x"}, {"threadId": "t", "vscode.conversationId": "v"}, Call("x", identifier="thread:t")),
    ({"query": "x"}, {"vscode.conversationId": "v"}, Call("x", identifier="vscode:v")),
    ({"query": "x"}, {"threadId": LONG}, Call("x", identifier=f"thread digest:{DIGEST}")),
    ({"query": "x"}, {"threadId": DIGEST}, Call("x", identifier=f"thread:{DIGEST}")),
    *(({"query": "x", "host_context": given}, {}, Call("x")) for given in (None, 7, "", " ", {}, [], True)),
    *(({"query": "x"}, {"threadId": given}, Call("x")) for given in (None, 7, "", {}, [])),
]


@pytest.mark.parametrize(("arguments", "meta", "call"), CALLS)
def test_arguments_are_read_with_goodwill(arguments: dict[str, object], meta: dict[str, object], call: Call) -> None:
    assert read_call(arguments, meta) == call


BAD = [
    {"query": "x" * 100_001},
    {"query": b"x"},
    {"query": "x", "max_files": 1.5},
    {"query": "x", "project_path": " "},
    {"query": "x", "resend": ["a.py"] * 201},
]


@pytest.mark.parametrize("arguments", BAD)
def test_arguments_that_mean_nothing_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(BadRequest):
        read_call(arguments)
