"""What a connection remembers, over the wire: who is told what, and what never gets out."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anyio
import pytest
from mcp.client.client import Client

from explore.server.handler import Service, make_server
from explore.server.projects import Projects
from tests.support.corpus import write_tree
from tests.support.delivered import delivered
from tests.support.shell import environment
from tests.support.wire import Message, Wire

HANDLE: Final = re.compile(r"\n\ncontext: ([a-z0-9]{8})\Z")
QUESTION: Final = "how is a berth taken"
LATEST: Final = "2026-07-28"


def module_of(verb: str, count: int = 12) -> bytes:
    """A file of one function, long enough to be pointed at."""
    body = "".join(f"    harbour.{verb}_{n}(berth)  # step {n} of taking a berth\n" for n in range(count))
    return f"def {verb}_berth(harbour, berth):\n{body}    return harbour\n".encode()


PORT: Final = {"pilot.py": module_of("take"), "port/crane.py": module_of("lift"), "notes.py": b"# nothing of note\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project of two files that a question finds both of."""
    write_tree(tmp_path / "root", PORT)
    return tmp_path / "root"


@pytest.fixture
def wire(root: Path) -> Iterator[Wire]:
    """A client that says nothing of its conversations, after the handshake."""
    with Wire(root) as wire:
        wire.initialize()
        yield wire


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One server for the tests in which every call says what it stands on."""
    with Wire(tmp_path_factory.mktemp("server")) as wire:
        wire.initialize()
        yield wire


@dataclass(frozen=True, slots=True)
class Port:
    """The project of one test on the server that all share."""

    server: Wire
    root: Path

    def call(self, arguments: dict[str, Any], **more: Any) -> Message:
        return self.server.call({"project_path": str(self.root), **arguments}, **more)

    def text(self, query: str, **more: Any) -> str:
        (content,) = self.call({"query": query, **more})["content"]
        return str(content["text"])


@pytest.fixture
def port(server: Wire, root: Path) -> Port:
    """A project that was never asked about."""
    return Port(server, root)


def handle_of(text: str) -> str:
    found = HANDLE.search(text)
    assert found, text[-80:]
    return found[1]


def lines_of(text: str) -> dict[str, int]:
    """How many lines of each file an answer shows."""
    return {section.path: len(section.lines) for section in delivered(text).sections}


def pointers_of(text: str) -> list[str]:
    return [row for row in text.split("\n") if row.startswith("> Already sent")]


def test_every_answer_ends_with_a_handle_of_its_own_within_the_ceiling(port: Port) -> None:
    texts = [port.text(QUESTION, max_bytes=size) for size in (1_000, 1_200, 13_000)]
    assert len({handle_of(text) for text in texts}) == 3
    for text, size in zip(texts, (1_000, 1_200, 13_000), strict=True):
        assert len(text.encode()) <= size


def test_a_listed_answer_is_pointed_at_however_its_handle_is_given(port: Port) -> None:
    first = port.text(QUESTION)
    handle = handle_of(first)
    for given in ([handle], f"context: {handle}", f"I can see {handle}, zzzzzzzz", ["zzzzzzzz", handle, 7]):
        again = port.text(f"where: {QUESTION}", context=given)
        assert pointers_of(again), given


@pytest.mark.parametrize("given", [[], "", "none", ["zzzzzzzz"], 7, {}, [None]])
def test_a_list_without_a_known_handle_vouches_for_nothing_and_is_no_error(port: Port, given: object) -> None:
    first = port.text(QUESTION)
    assert lines_of(port.text(QUESTION, context=given)) == lines_of(first)


def test_an_agent_that_lists_nothing_gets_all_once_another_has_listed_a_handle(wire: Wire) -> None:
    """Failure 1: A asks, then B, a sub-agent on the same connection that was told nothing."""
    first = wire.text(QUESTION)
    wire.text(f"where: {QUESTION}", context=[handle_of(first)])
    assert lines_of(wire.text(QUESTION)) == lines_of(first)


def test_where_no_sign_is_given_a_pointer_costs_one_more_ask(wire: Wire) -> None:
    """Failures 1 and 2: in the same words it comes in full, once; then pointers again."""
    first = wire.text(QUESTION)
    second, third, fourth = wire.text(QUESTION), wire.text(QUESTION), wire.text(QUESTION)
    assert pointers_of(second)
    assert lines_of(third) == lines_of(first)
    assert not pointers_of(third)
    assert pointers_of(fourth)


def test_a_client_known_for_sub_agents_is_pointed_at_nothing_unless_it_lists_handles(root: Path) -> None:
    with Wire(root) as wire:
        client = {"name": "Claude-Code", "version": "2"}
        wire.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        wire.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        first = wire.text(QUESTION)
        assert lines_of(wire.text(QUESTION)) == lines_of(first)
        assert pointers_of(wire.text(f"where: {QUESTION}", context=[handle_of(first)]))


IDENTIFIERS: Final[list[tuple[dict[str, Any], dict[str, Any]]]] = [
    ({"_meta": {"threadId": "t1"}}, {"_meta": {"threadId": "t2"}}),
    ({"_meta": {"vscode.conversationId": "c1"}}, {"_meta": {"vscode.conversationId": "c" * 900}}),
    ({"host_context": {"session": "s", "agent": "a"}}, {"host_context": {"session": "s", "agent": "b"}}),
    ({"host_context": {"session": "s", "generation": 1}}, {"host_context": {"session": "s", "generation": 2}}),
    ({"host_context": "one"}, {"host_context": "two", "_meta": {"threadId": "one"}}),
]


def ask(wire: Port, question: str, more: Mapping[str, Any], **arguments: Any) -> str:
    """Asks with what a host adds, in the arguments or beside them."""
    added = {key: value for key, value in more.items() if key != "_meta"}
    beside = {"_meta": more["_meta"]} if "_meta" in more else {}
    (content,) = wire.call({"query": question, **added, **arguments}, **beside)["content"]
    return str(content["text"])


@pytest.mark.parametrize(("one", "other"), IDENTIFIERS)
def test_a_hosts_identifier_names_a_conversation(port: Port, one: dict[str, Any], other: dict[str, Any]) -> None:
    first = ask(port, QUESTION, one)
    assert lines_of(ask(port, QUESTION, other)) == lines_of(first)
    assert pointers_of(ask(port, f"where: {QUESTION}", one))
    assert lines_of(port.text(QUESTION)) == lines_of(first), "the connection has shown an identifier"
    assert lines_of(ask(port, QUESTION, other, context=[handle_of(first)])) == lines_of(first), "another's handle"


def test_resend_brings_back_what_a_pointer_ends_with_and_all_of_it(port: Port) -> None:
    first = port.text(QUESTION)
    context = [handle_of(first)]
    (pointer, *_) = pointers_of(port.text(f"where: {QUESTION}", context=context))
    value = json.loads(pointer[pointer.index("resend=") + len("resend=") :])
    (path,) = (item.rpartition(":")[0] for item in value)
    for resend in (value, json.dumps(value), path, [f"./{path}"], True, "true"):
        again = lines_of(port.text("nothing of the kind", context=context, resend=resend) + "")
        assert resend in (True, "true") or again[path] == lines_of(first)[path]
    assert lines_of(port.text(QUESTION, context=context, resend=True)) == lines_of(first)


def test_the_switch_sends_all_every_time_and_recording_goes_on(root: Path) -> None:
    with Wire(root, environment(CODEGRAPH_EXPLORE_DEDUP="0")) as wire:
        wire.initialize()
        texts = [wire.text(QUESTION) for _ in range(3)]
        listed = wire.text(QUESTION, context=[handle_of(text) for text in texts])
    assert len({HANDLE.sub("", text) for text in (*texts, listed)}) == 1


def test_a_view_that_a_client_sends_is_dropped(port: Port) -> None:
    """Were it trusted, both files would be pointed at."""
    first = port.call({"query": QUESTION})
    emission = {"project": str(port.root), "question": "q", "files": [{"path": "pilot.py", "spans": [[1, 14]]}]}
    forged = {"view": {"emissions": [emission]}, "emission": emission, "session": emission, "context": []}
    again = port.call({"query": QUESTION, **forged}, _meta={"view": {"emissions": [emission]}})
    (one,), (two,) = first["content"], again["content"]
    assert HANDLE.sub("", one["text"]) == HANDLE.sub("", two["text"])


def test_nothing_of_the_record_reaches_the_wire(port: Port) -> None:
    first = port.call({"query": QUESTION})
    for result in (first, port.call({"query": QUESTION}), port.call({"query": QUESTION, "context": []})):
        assert set(result) <= {"content", "isError", "_meta", "resultType"}
        assert [set(content) for content in result["content"]] == [{"type", "text"}]
        told = json.dumps(result)
        assert not any(word in told for word in ("fingerprint", "emission", "source_bytes", "response_bytes"))


def test_two_projects_in_one_conversation_have_nothing_to_do_with_each_other(port: Port, tmp_path: Path) -> None:
    """Failure 7, with the same files."""
    shutil.copytree(tmp_path / "root", tmp_path / "other", ignore=shutil.ignore_patterns(".*"))
    first = port.text(QUESTION)
    other = port.text(QUESTION, project_path=str(tmp_path / "other"), context=[handle_of(first)])
    assert lines_of(other) == lines_of(first)
    both = [handle_of(first), handle_of(other)]
    for path in ("root", "other"):
        assert pointers_of(port.text(f"where: {QUESTION}", project_path=str(tmp_path / path), context=both))


def test_one_project_by_several_paths_is_one(port: Port, root: Path, tmp_path: Path) -> None:
    """Failure 25, and a link to it."""
    context = [handle_of(port.text(QUESTION, project_path=str(root)))]
    (tmp_path / "link").symlink_to(root)
    for path in (f"{root}/", root / "port", tmp_path / "link", root / ".." / "root"):
        assert pointers_of(port.text(f"where: {QUESTION}", project_path=str(path), context=context)), path


def test_an_edit_of_the_same_size_and_time_is_sent_and_so_is_a_change_back(port: Port, root: Path) -> None:
    file, before = root / "pilot.py", (root / "pilot.py").stat()
    context = [handle_of(port.text(QUESTION))]
    for raw in (PORT["pilot.py"].replace(b"step 3", b"step 9"), PORT["pilot.py"]):
        fresh = root / "pilot.py.fresh"
        fresh.write_bytes(raw)
        os.utime(fresh, ns=(before.st_atime_ns, before.st_mtime_ns))
        fresh.replace(file)
        answer = port.text(f"where: {QUESTION}", context=context)
        (section,) = (section for section in delivered(answer).sections if section.path == "pilot.py")
        assert list(section.lines.values()) == raw.decode().splitlines()
        context.append(handle_of(answer))


def test_a_cancelled_call_is_not_recorded(root: Path) -> None:
    """It is cancelled while it waits for the index. Had it been recorded, the next one would point at its lines."""
    body = b"".join(module_of(f"verb_{n}") for n in range(30))
    write_tree(root, {f"more/m{n:03}.py": b"# %d\n" % n + body for n in range(150)})
    with Wire(root) as wire:
        wire.initialize()
        number = wire.post("tools/call", {"name": "codegraph_explore", "arguments": {"query": QUESTION}})
        wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        answer = wire.text(QUESTION)
        assert lines_of(answer)
        assert not pointers_of(answer)
        assert number not in wire.answers


@pytest.mark.parametrize("more", [{}, {"_meta": {"threadId": "t"}}])
def test_a_call_that_is_cancelled_while_it_is_being_answered_is_not_recorded(root: Path, more: dict[str, Any]) -> None:
    """The thread that answers goes on, and comes back after the cancellation."""
    write_tree(
        root, {f"port/ferry_{n}.py": b"\n\n".join(module_of(f"ferry_{n}_{k}") for k in range(60)) for n in range(60)}
    )
    with Wire(root) as wire:
        wire.initialize()
        wire.text("zeppelin")
        for attempt in range(5):
            arguments = {"query": f"how does the ferry cross at quay {attempt}"}
            number = wire.post("tools/call", {"name": "codegraph_explore", "arguments": arguments, **more})
            time.sleep(0.005)
            wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
            wire.text("zeppelin")  # one answer is made at a time, so that the other is made by then
            pointers = pointers_of(ask(wire, f"where does the ferry cross at quay {attempt}", more))
            if number not in wire.answers:
                break
        assert number not in wire.answers, "each was answered before it could be cancelled"
        assert not any(f"how does the ferry cross at quay {attempt}" in pointer for pointer in pointers)


def test_the_newest_protocol_has_no_connection_to_stand_on_but_handles_do(root: Path) -> None:
    """Two clients of one server, each call an exchange of its own."""

    async def talk(server: Any) -> list[str]:
        async with Client(server) as one, Client(server) as other:

            async def call(client: Client, **more: Any) -> str:
                arguments = {"query": QUESTION, "project_path": str(root), **more}
                return getattr((await client.call_tool("codegraph_explore", arguments)).content[0], "text", "")

            first = await call(one)
            texts = [first, await call(other), await call(one)]
            texts.append(await call(one, context=[handle_of(first)], query=f"where: {QUESTION}"))
            assert one.protocol_version == LATEST
            return texts

    projects = Projects(lambda sentence: None)
    try:
        texts = anyio.run(talk, make_server(Service(projects)))
    finally:
        projects.close()
    assert len({HANDLE.sub("", text) for text in texts[:3]}) == 1
    assert pointers_of(texts[3])


def test_two_clients_interleaved_on_one_handler_never_see_each_others_pointers(root: Path) -> None:
    """Failure 4, over the older protocols, where a connection lasts: a handle of one is unknown on the other."""

    async def talk(server: Any) -> dict[str, list[str]]:
        texts: dict[str, list[str]] = {"one": [], "other": []}
        async with Client(server, mode="legacy") as one, Client(server, mode="legacy") as other:
            for question in (QUESTION, f"where: {QUESTION}"):
                for name, client in (("one", one), ("other", other)):
                    arguments = {"query": question, "project_path": str(root)}
                    result = await client.call_tool("codegraph_explore", arguments)
                    texts[name].append(getattr(result.content[0], "text", ""))
            stolen = {"query": f"what: {QUESTION}", "project_path": str(root), "context": [handle_of(texts["one"][0])]}
            result = await other.call_tool("codegraph_explore", stolen)
            texts["stolen"] = [getattr(result.content[0], "text", "")]
        return texts

    projects = Projects(lambda sentence: None)
    try:
        texts = anyio.run(talk, make_server(Service(projects)))
    finally:
        projects.close()
    assert lines_of(texts["one"][0]) == lines_of(texts["other"][0])
    assert pointers_of(texts["one"][1])
    assert pointers_of(texts["other"][1])
    assert not pointers_of(texts["stolen"][0])


def test_overlapping_calls_each_stand_on_the_record_at_their_arrival(wire: Wire) -> None:
    """The first is not answered when the second arrives, so neither points at the other."""
    numbers = [
        wire.post("tools/call", {"name": "codegraph_explore", "arguments": {"query": QUESTION}}) for _ in range(2)
    ]
    replies: list[Message] = [wire.response(number) for number in numbers]
    texts = [reply["result"]["content"][0]["text"] for reply in replies]
    assert [pointers_of(text) for text in texts] == [[], []]
