"""Many agents at one HTTP server, while files are edited, a branch is switched and workers are killed: each agent
checks every answer by what it can see itself. It changes a copy of the repository.

    load.py --repo DIR [--clients 50] [--calls 20] [--workers 2] [--no-kills] [--no-edits] [--peer COMMAND]

Every client is a session, or a caller of the newest protocol, that asks mixed questions; some carry four agents, each
with its own answers. An agent lists the handles of all that it can see, now and then forgets the older ones, and holds
a line as it saw it last. Wrong are a numbered line that was never the file's, and a pointer to lines that the agent
does not hold as the file had them at some time. Exits with 1 where anything was wrong or not answered; a clear refusal
is an answer. With `--peer` as many clients then ask as much of another server, each over a stdio process of its own,
and are only timed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from benchmarks.peer import QUESTIONS as PEER_QUESTIONS
from explore import Explorer
from explore.dedup.recover import read_wanted
from tests.support.delivered import delivered

HANDLE: Final = re.compile(r"\n\ncontext: ([a-z0-9]{8})\Z")
AGENTS_ON_SOME: Final = 4
KILL_SECONDS: Final = 1.0
EDIT_SECONDS: Final = 0.3
SWITCH_SECONDS: Final = 5.0
GENERATIONS: Final = ("legacy", "2026-07-28")
LEFT_OUT: Final = shutil.ignore_patterns(".codegraph", ".codegraph-explore", "node_modules")


@dataclass
class Disk:
    """Every text that a line of a file has had, so that an answer from just before an edit is no misquotation."""

    root: Path
    versions: dict[str, list[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(list))

    def note(self, path: str) -> None:
        raw = (self.root / path).read_bytes()
        self.versions[path].append(tuple(raw.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")))

    def had(self, path: str, number: int, text: str) -> bool:
        """Whether the line was so in any version; of one that was cut the beginning counts."""
        if path not in self.versions:
            self.note(path)
        cut = text[:1_900] if " ... [line cut: " in text[1_900:] else None
        lines = (version[number - 1] for version in self.versions[path] if number <= len(version))
        return any(line.startswith(cut) if cut else line == text for line in lines)

    def matches(self, path: str, lines: dict[int, str]) -> bool:
        """Whether these lines stand so in one version of the file."""
        if path not in self.versions:
            self.note(path)
        return any(
            all(number <= len(version) and version[number - 1] == text for number, text in lines.items())
            for version in self.versions[path]
        )


@dataclass
class Agent:
    """What one agent can see: its answers by handle, each with the lines that it shows."""

    seen: dict[str, dict[str, dict[int, str]]] = field(default_factory=dict)

    def holds(self, path: str) -> dict[int, str]:
        lines: dict[int, str] = {}
        for answer in self.seen.values():
            lines |= answer.get(path, {})
        return lines


@dataclass
class Tally:
    counts: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def check(text: str, agent: Agent, disk: Disk, tally: Tally) -> None:
    """Judges one answer, which the agent then sees."""
    handle = HANDLE.search(text)
    if handle is None:
        tally.counts["refused"] += 1
        tally.faults.append(f"no answer: {text[:200]}")
        return
    read = delivered(text[: handle.start()])
    shown = {section.path: section.lines for section in read.sections}
    for path, lines in shown.items():
        wrong = [number for number, line in lines.items() if not disk.had(path, number, line)]
        tally.counts["misquoted"] += len(wrong)
        tally.faults += [f"misquoted: {path} {wrong[:5]}"] if wrong else []
    for pointer in read.pointers:
        (value,) = pointer.again
        wanted = read_wanted(value)
        held = agent.holds(wanted.path)
        pointed = {line: held[line] for first, last in pointer.spans for line in range(first, last + 1) if line in held}
        lacking = sum(last - first + 1 for first, last in pointer.spans) - len(pointed)
        bad = bool(lacking) or not disk.matches(wanted.path, pointed)
        tally.counts["wrong pointers"] += bad
        tally.faults += [f"wrong pointer: {pointer.path} {pointer.spans}, {lacking} lines not held"] if bad else []
    tally.counts["pointers"] += len(read.pointers)
    agent.seen[handle[1]] = shown


async def client(number: int, url: str, calls: int, questions: list[str], disk: Disk, tally: Tally) -> None:
    """One client, with one agent or several on its connection."""
    chance = random.Random(number)
    agents = [Agent() for _ in range(AGENTS_ON_SOME if number % 5 == 0 else 1)]
    async with Client(url, mode=GENERATIONS[number % 2], read_timeout_seconds=120) as connected:
        for _ in range(calls):
            agent = chance.choice(agents)
            if chance.random() < 0.1:
                agent.seen = dict(list(agent.seen.items())[-2:])
            begin = time.perf_counter()
            arguments = {"query": chance.choice(questions), "context": list(agent.seen)}
            result = await connected.call_tool("codegraph_explore", arguments)
            tally.seconds.append(time.perf_counter() - begin)
            tally.counts["answered"] += 1
            check(str(getattr(result.content[0], "text", "")), agent, disk, tally)


async def edit(disk: Disk, files: list[str]) -> None:
    """Changes a line of a file every now and then, and now and then all files at once, as a branch switch does."""
    chance, turn, last = random.Random(0), 0, time.monotonic()
    while True:
        await anyio.sleep(EDIT_SECONDS)
        turn += 1
        switch = time.monotonic() - last > SWITCH_SECONDS
        last = time.monotonic() if switch else last
        for path in files if switch else [chance.choice(files)]:
            _change(disk, path, turn)


def _change(disk: Disk, path: str, turn: int) -> None:
    """Puts a comment before the first line or takes it away; the new text is known before it can be read."""
    file = disk.root / path
    before = file.read_bytes()
    mark = f"{'#' if path.endswith(('.py', '.rb')) else '//'} turn {turn}\n".encode()
    after = before.split(b"\n", 1)[1] if b" turn " in before.split(b"\n", 1)[0] else mark + before
    disk.versions[path].append(tuple(after.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")))
    fresh = file.with_name(file.name + ".fresh")
    fresh.write_bytes(after)
    fresh.replace(file)


async def kill(server: int) -> None:
    """Kills one of the server's workers every second."""
    while True:
        await anyio.sleep(KILL_SECONDS)
        if workers := children(server):
            os.kill(random.choice(workers), signal.SIGKILL)


def children(process: int) -> list[int]:
    return [int(number) for number in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def memory(process: int) -> float:
    """Megabytes of a process and its children."""
    pages = 0
    for number in (process, *children(process)):
        try:
            pages += int(Path(f"/proc/{number}/statm").read_text().split()[1])
        except OSError:  # a worker that has just ended
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def watch_memory(process: int, samples: list[tuple[float, float]]) -> None:
    begin = time.monotonic()
    while True:
        samples.append((time.monotonic() - begin, memory(process)))
        await anyio.sleep(0.5)


async def run(
    arguments: argparse.Namespace, root: Path, url: str, server: int
) -> tuple[Tally, list[tuple[float, float]], float]:
    tally, disk, samples = Tally(), Disk(root), []
    with Explorer.open(root, exact=True) as explorer:
        explorer.sync()
        ranked = [file for question in QUESTIONS for file in explorer.search(question, refresh=False).files]
    questions = [*QUESTIONS, *sorted({s.qualified for file in ranked for s in file.symbols[:2] if s.qualified})[:40]]
    files = sorted({file.path for file in ranked})
    for path in files:
        disk.note(path)
    async with anyio.create_task_group() as around:
        around.start_soon(watch_memory, server, samples)
        if not arguments.no_edits:
            around.start_soon(edit, disk, files)
        if not arguments.no_kills:
            around.start_soon(kill, server)
        begin = time.perf_counter()
        async with anyio.create_task_group() as clients:
            for number in range(arguments.clients):
                clients.start_soon(client, number, url, arguments.calls, questions, disk, tally)
        seconds = time.perf_counter() - begin
        around.cancel_scope.cancel()
    return tally, samples, seconds


async def run_peer(arguments: argparse.Namespace, root: Path) -> tuple[Tally, float]:
    """The same number of clients and calls against another server; what they get is not judged."""
    tally = Tally()
    environment = {**os.environ, "CODEGRAPH_TELEMETRY": "off"}
    words = [*arguments.peer[1:], "serve", "--mcp"]
    server = StdioServerParameters(command=arguments.peer[0], args=words, cwd=str(root), env=environment)
    ready, begin = anyio.Semaphore(0), anyio.Event()

    async def one(number: int) -> None:
        chance = random.Random(number)
        async with Client(server, mode="legacy", read_timeout_seconds=120) as connected:
            await connected.call_tool("codegraph_explore", {"query": QUESTIONS[0]})
            ready.release()
            await begin.wait()
            for _ in range(arguments.calls):
                start = time.perf_counter()
                await connected.call_tool("codegraph_explore", {"query": chance.choice(QUESTIONS)})
                tally.seconds.append(time.perf_counter() - start)
                tally.counts["answered"] += 1

    async with anyio.create_task_group() as clients:
        for number in range(arguments.clients):
            clients.start_soon(one, number)
        for _ in range(arguments.clients):
            await ready.acquire()
        start = time.perf_counter()
        begin.set()
    return tally, time.perf_counter() - start


def peer_report(arguments: argparse.Namespace) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="load-") as scratch:
        root = (Path(scratch) / "tree").resolve()
        shutil.copytree(arguments.repo, root, ignore=LEFT_OUT)
        subprocess.run([*arguments.peer, "init", "."], cwd=root, check=True, capture_output=True)
        tally, seconds = anyio.run(run_peer, arguments, root)
    yield "peer:"
    yield from timing(tally, seconds)


QUESTIONS: Final = [*PEER_QUESTIONS, "what happens when a handler fails", "how is a session or cookie kept"]


def report(tally: Tally, samples: list[tuple[float, float]], seconds: float) -> Iterator[str]:
    counts = tally.counts
    yield from timing(tally, seconds)
    half = samples[len(samples) // 2 :]
    middle = half[: max(1, len(half) // 2)], half[len(half) // 2 :] or half
    means = [statistics.fmean(value for _, value in part) for part in middle]
    yield f"memory of all processes: third quarter {means[0]:.0f} MB, last quarter {means[1]:.0f} MB"
    yield ", ".join(f"{counts[what]} {what}" for what in ("pointers", "wrong pointers", "misquoted", "refused"))
    yield from tally.faults[:10]


def timing(tally: Tally, seconds: float) -> Iterator[str]:
    times, counts = sorted(tally.seconds), tally.counts
    yield f"{counts['answered']} calls in {seconds:.1f} s: {counts['answered'] / seconds:.1f} a second"
    most = times[int(0.95 * len(times))]
    yield f"median {1000 * statistics.median(times):.0f} ms, 95th percentile {1000 * most:.0f} ms"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":", maxsplit=1)[0])
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-kills", action="store_true")
    parser.add_argument("--no-edits", action="store_true")
    parser.add_argument("--peer", type=shlex.split, metavar="COMMAND", help="takes `init .` and `serve --mcp`")
    arguments = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="load-") as scratch:
        root = (Path(scratch) / "tree").resolve()
        shutil.copytree(arguments.repo, root, ignore=LEFT_OUT)
        words = [sys.executable, "-m", "explore", "serve", str(root), "--http", f"127.0.0.1:{port}"]
        process = subprocess.Popen([*words, "--workers", str(arguments.workers)])
        try:
            while process.poll() is None and socket.socket().connect_ex(("127.0.0.1", port)):
                time.sleep(0.05)
            tally, samples, seconds = anyio.run(run, arguments, root, f"http://127.0.0.1:{port}/mcp", process.pid)
        finally:
            process.terminate()
            code = process.wait(60)
    print("\n".join(report(tally, samples, seconds)))
    print(f"the server ended with code {code}")
    if arguments.peer:
        print("\n".join(peer_report(arguments)))
    wrong = tally.counts["wrong pointers"] + tally.counts["misquoted"]
    return 1 if wrong or code or tally.counts["answered"] != arguments.clients * arguments.calls else 0


if __name__ == "__main__":
    sys.exit(main())
