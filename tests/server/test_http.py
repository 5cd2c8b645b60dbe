"""The server over HTTP, as a process of its own: both generations of the protocol with the official client, and what is
refused to whom."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from explore.errors import BadRequest
from explore.server.http import is_loopback, read_address
from tests.server.test_seam import HANDLE, PORT, QUESTION, handle_of, lines_of, module_of, pointers_of
from tests.support.corpus import write_tree
from tests.support.shell import command, environment, run

TOKEN = "correct-horse-battery"
GENERATIONS = ["legacy", "2026-07-28"]

sees_processes = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="it looks for workers in /proc")


@dataclass(frozen=True)
class Running:
    """A server, and how to reach it."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def stop(self) -> tuple[int, str]:
        """Asks it to stop: the exit code and what it said."""
        self.process.send_signal(signal.SIGTERM)
        _, err = self.process.communicate(timeout=40)
        return self.process.returncode, err.decode()

    def workers(self) -> list[int]:
        """The processes that it has started."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(number) for number in children.read_text().split()]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def started(*arguments: str, cwd: Path, env: Mapping[str, str] | None = None) -> Running:
    """A server on a port of its own that takes requests."""
    port = free_port()
    words = command("serve", *arguments, "--http", f"127.0.0.1:{port}")
    process = subprocess.Popen(words, cwd=cwd, env=env or environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return Running(process, port)
        time.sleep(0.05)
    raise AssertionError(process.communicate()[1].decode())


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("http") / "root"
    write_tree(root, PORT)
    write_tree(root.parent / "other", PORT)
    write_tree(root.parent / "outside", {"secret.py": b"SECRET = 1\n"})
    return root.resolve()


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Running]:
    """One for the tests that leave it as it is, of two projects."""
    running = started(str(root), str(root.parent / "other"), "--workers", "2", cwd=root)
    yield running
    code, err = running.stop()
    assert code == 0, err
    assert "Traceback" not in err


Talk = Callable[[Client], Awaitable[Any]]


def talk(url: str, mode: str, *talks: Talk) -> list[Any]:
    """What each client comes to, one after the other, all connected at once."""

    async def all_of_them() -> list[Any]:
        results = []
        async with anyio.create_task_group():
            clients = [Client(url, mode=mode) for _ in talks]
            await _entered(clients, talks, results)
        return results

    return anyio.run(all_of_them)


async def _entered(clients: Sequence[Client], talks: Sequence[Talk], results: list[Any]) -> None:
    if not clients:
        return
    async with clients[0] as client:
        results.append(await talks[0](client))
        await _entered(clients[1:], talks[1:], results)


async def ask(client: Client, question: str = QUESTION, **arguments: Any) -> str:
    result = await client.call_tool("codegraph_explore", {"query": question, **arguments})
    return str(getattr(result.content[0], "text", ""))


@pytest.mark.parametrize("mode", GENERATIONS)
def test_handles_carry_what_is_held_over_either_protocol(server: Running, mode: str) -> None:
    async def conversation(client: Client) -> list[str]:
        first = await ask(client)
        second = await ask(client, f"where: {QUESTION}", context=[handle_of(first)])
        return [first, second, await ask(client, f"what: {QUESTION}", context=[])]

    ((first, second, third),) = talk(server.url, mode, conversation)
    assert not pointers_of(first)
    assert pointers_of(second)
    assert not pointers_of(third)
    assert "emission" not in first + second
    assert "fingerprint" not in first + second


def test_a_session_of_the_older_protocol_is_a_connection_and_the_newest_has_none(server: Running) -> None:
    async def bare(client: Client) -> list[str]:
        return [await ask(client), await ask(client, f"where: {QUESTION}")]

    ((_, second),) = talk(server.url, "legacy", bare)
    assert pointers_of(second)
    ((_, second),) = talk(server.url, "2026-07-28", bare)
    assert not pointers_of(second)


@pytest.mark.parametrize("mode", GENERATIONS)
def test_no_client_sees_what_another_was_sent(server: Running, mode: str) -> None:
    first, second = talk(server.url, mode, ask, ask)
    assert HANDLE.sub("", first) == HANDLE.sub("", second)


@pytest.mark.parametrize("mode", GENERATIONS)
def test_two_projects_in_one_session(server: Running, root: Path, mode: str) -> None:
    async def both(client: Client) -> list[str]:
        first = await ask(client)
        context = [handle_of(first)]
        return [first, await ask(client, project_path=str(root.parent / "other"), context=context)]

    ((first, second),) = talk(server.url, mode, both)
    assert lines_of(first) == lines_of(second)
    assert not pointers_of(second)


@pytest.mark.parametrize("mode", GENERATIONS)
def test_a_handle_of_another_server_vouches_for_nothing(server: Running, root: Path, mode: str) -> None:
    """As behind one address, where the next call may reach the other."""
    twin = started(str(root), "--workers", "0", cwd=root)
    try:
        ((first),) = talk(twin.url, mode, ask)

        async def elsewhere(client: Client) -> str:
            return await ask(client, f"where: {QUESTION}", context=[handle_of(first)])

        (second,) = talk(server.url, mode, elsewhere)
        assert not pointers_of(second)
        assert lines_of(second) == lines_of(first)
    finally:
        assert twin.stop()[0] == 0


@pytest.mark.parametrize("path", ["/", "..", "../outside", "/etc", "{root}/../outside", "nowhere/../../outside"])
def test_only_the_projects_given_at_the_start_may_be_asked_about(server: Running, root: Path, path: str) -> None:
    async def outside(client: Client) -> str:
        return await ask(client, "secret", project_path=path.format(root=root))

    (text,) = talk(server.url, "legacy", outside)
    assert text.startswith("Not answered: ")
    assert "in none of the projects" in text
    assert not (root.parent / "outside" / ".codegraph-explore").exists()


def test_a_folder_in_a_project_is_the_project(server: Running, root: Path) -> None:
    (root / "port").mkdir(exist_ok=True)

    async def inside(client: Client) -> list[str]:
        return [await ask(client, project_path=path) for path in (str(root), "port", str(root / "port"), ".")]

    (texts,) = talk(server.url, "2026-07-28", inside)
    assert len({HANDLE.sub("", text) for text in texts}) == 1


def post(server: Running, body: bytes = b"{}", **headers: str) -> httpx2.Response:
    usual = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.post(server.url, content=body, headers={**usual, **names})


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example"])
def test_another_host_is_refused(server: Running, host: str) -> None:
    """A name of somebody else's that was made to lead here."""
    assert post(server, host=host).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1.evil.example"])
def test_another_origin_is_refused(server: Running, origin: str) -> None:
    assert post(server, origin=origin).status_code == 403


def test_a_body_that_is_too_large_is_refused(server: Running) -> None:
    assert post(server, b'{"a": "' + b"x" * (1 << 20) + b'"}').status_code == 413


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"jsonrpc": "2.0"}', b"\xff" * 99])
def test_a_body_that_is_no_request_is_refused_and_the_server_goes_on(server: Running, body: bytes) -> None:
    assert 400 <= post(server, body).status_code < 500
    assert talk(server.url, "legacy", ask)


def test_a_session_that_is_not_known_is_said(server: Running) -> None:
    assert post(server, mcp_session_id="0" * 32, mcp_protocol_version="2025-06-18").status_code in (400, 404)


def test_without_the_token_nobody_is_served(root: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    server = started(str(root), "--token-file", str(tmp_path / "token"), "--workers", "0", cwd=root)
    try:
        for given in (
            {},
            {"authorization": "Bearer wrong"},
            {"authorization": TOKEN},
            {"authorization": f"Basic {TOKEN}"},
        ):
            refused = post(server, **given)
            assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")

        async def with_it() -> str:
            headers = {"authorization": f"Bearer {TOKEN}"}
            async with (
                httpx2.AsyncClient(headers=headers) as http,
                Client(streamable_http_client(server.url, http_client=http)) as client,
            ):
                return await ask(client)

        assert lines_of(anyio.run(with_it))
    finally:
        code, err = server.stop()
    assert (code, TOKEN in err) == (0, False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--http", "0.0.0.0:8765"], "can be reached from elsewhere"),
        (["--http", "8765"], "is no address"),
        (["--http", "127.0.0.1:http"], "is no address"),
        (["--http", "127.0.0.1:99999"], "is no address"),
        (["--http", "127.0.0.1:8765", "--token-file", "nowhere"], "the token cannot be read"),
        (["--http", "127.0.0.1:8765", "--token-file", "short"], "at least 16"),
        (["nowhere", "--http", "127.0.0.1:8765"], "there is no folder"),
        (["--token-file", "short"], "on stdio"),
        (["--workers", "-1"], "from 0 to 64"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_sentence(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "short").write_text("abc")
    ran = run("serve", *arguments, cwd=tmp_path)
    assert ran.code != 0
    assert said in ran.err


def test_an_address_that_is_taken_is_said(server: Running, root: Path) -> None:
    ran = run("serve", str(root), "--http", f"127.0.0.1:{server.port}", cwd=root)
    assert ran.code not in (0, None)
    assert f"nothing can be served at 127.0.0.1:{server.port}" in ran.err
    assert len(ran.err.strip().split("\n")) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.8.8"])
def test_addresses_of_this_machine_alone(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.org", ""])
def test_addresses_that_others_reach(host: str) -> None:
    assert not is_loopback(host)


def test_an_address_is_read() -> None:
    assert read_address("127.0.0.1:80") == ("127.0.0.1", 80)
    assert read_address("[::1]:8765") == ("::1", 8765)
    with pytest.raises(BadRequest):
        read_address("::1")


def test_status_says_which_server_runs_and_who_is_connected_in_counts(root: Path, tmp_path: Path) -> None:
    env = environment(XDG_CACHE_HOME=str(tmp_path))
    server = started(str(root), "--workers", "0", cwd=root, env=env)
    try:

        async def counted(client: Client) -> str:
            await ask(client)
            await anyio.sleep(1.1)
            await ask(client)
            return run("status", cwd=root, env=env).text

        (text,) = talk(server.url, "legacy", counted)
        line = f"process {server.process.pid} at {server.url} has this project open, and watches it: 1 clients, 2 calls"
        assert line in text
        assert QUESTION not in text
    finally:
        assert server.stop()[0] == 0
    assert "servers   none runs" in run("status", cwd=root, env=env).text


@sees_processes
def test_told_to_stop_it_lets_calls_end_and_leaves_no_process_behind(root: Path, tmp_path: Path) -> None:
    body = b"\n\n".join(module_of(f"verb_{n}") for n in range(60))
    write_tree(tmp_path, {f"m{n:03}.py": b"# %d\n" % n + body for n in range(60)})
    server = started(str(tmp_path), "--workers", "1", cwd=tmp_path)

    async def stopped(client: Client) -> str:
        await ask(client, "verb_1")
        workers.extend(server.workers())
        texts: list[str] = []

        async def late() -> None:
            texts.append(await ask(client, "how do the verbs of the port go on"))

        async with anyio.create_task_group() as group:
            group.start_soon(late)
            await anyio.sleep(0.01)
            server.process.send_signal(signal.SIGTERM)
        return texts[0]

    workers: list[int] = []
    try:
        (text,) = talk(server.url, "2026-07-28", stopped)
    finally:
        _, err = server.process.communicate(timeout=40)
        code = server.process.returncode
    assert lines_of(text)
    assert code == 0, err
    assert workers
    assert not any(Path(f"/proc/{number}").exists() for number in workers)


@sees_processes
def test_a_worker_killed_in_mid_call_costs_nothing_but_time(root: Path, tmp_path: Path) -> None:
    """That call and the next are answered, and what was sent before is still known."""
    body = b"\n\n".join(module_of(f"verb_{n}") for n in range(60))
    write_tree(tmp_path, {f"m{n:03}.py": b"# %d\n" % n + body for n in range(60)})
    server = started(str(tmp_path), "--workers", "1", cwd=tmp_path)

    async def killing(client: Client) -> list[str]:
        question = "how do the verbs of the port go on"
        first = await ask(client, question)
        texts: list[str] = []

        async def second() -> None:
            texts.append(await ask(client, f"where: {question}", context=[handle_of(first)]))

        async with anyio.create_task_group() as group:
            group.start_soon(second)
            await anyio.sleep(0.02)
            for victim in server.workers():
                os.kill(victim, signal.SIGKILL)
        context = [handle_of(text) for text in (first, *texts)]
        return [first, *texts, await ask(client, f"what: {question}", context=context)]

    try:
        (texts,) = talk(server.url, "2026-07-28", killing)
    finally:
        code, err = server.stop()
    assert code == 0, err
    assert all(map(lines_of, texts))
    assert [bool(pointers_of(text)) for text in texts] == [False, True, True]
    assert len({re.sub(r"\W", "", handle_of(text)) for text in texts}) == 3
