"""Measures this engine and a peer side by side, in one run; it judges no answer and changes no repository.

    peer.py --repo DIR [--repo DIR ...] --ours codegraph-explore --peer /path/to/codegraph [--json OUT]

Each round copies a repository afresh for either side, without `.git` and earlier indexes. Both sides take a
step before either takes the next, in an order that changes with the round, so that they share the noise. The
steps: `CMD init .`; `CMD explore QUESTION`, a whole process; an MCP server on stdio that gets all questions,
the first one to warm up, with the median and the 95th percentile of the rest as its figures. The questions are
those that `peer_questions.json` has for a folder of this name, else six that any web framework answers. The table
shows medians over the rounds; the same program on both sides tells how much of a ratio is noise.

Memory is resident memory. "All" is the largest sum over the processes of the command's session, polled every
10 ms in Linux's /proc (a page that two share counts twice), left out elsewhere. "Largest" is the kernel's own
peak, by wait4, of the largest process among the command and the children it waited for; it cannot fall below
this script's own memory, some 20 MB. Index size is what indexing added to the copy.

The environment is passed on: CODEGRAPH_EXPLORE_DECAY=0 keeps our later answers from growing shorter. Read the
times beside the sizes of the answers: less is sooner said.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

QUESTIONS = (
    "how is a request matched to its route",
    "where are errors caught and turned into a response",
    "how does middleware call the next handler",
    "how is the request body parsed",
    "how are headers and the status code written",
    "how are path parameters read",
)
TOOL = "codegraph_explore"
ENVIRONMENT = {"CODEGRAPH_TELEMETRY": "off", "CODEGRAPH_NO_DAEMON": "1"}
LEFT_OUT = shutil.ignore_patterns(".git", ".codegraph", ".codegraph-explore")
PATIENCE_S, GOODBYE_S, POLL_S = 600, 10, 0.01

NOTHING_MORE: Mapping[str, str] = MappingProxyType({})
Figures = dict[str, float]  # a figure's name, which ends in its unit, and its value


class MeasureError(Exception):
    """A measured command did not do its work; the message is one line for the user."""


@dataclass(frozen=True)
class Side:
    """One of the two programs: its name in the table, its command, and what makes that a server."""

    name: str
    command: list[str]
    serve: list[str]


def main() -> int:
    """Measure, print the table, and return the exit code."""
    args = arguments()
    try:
        rows = []
        for repo in args.repo:
            rows += compare(repo, args.sides, args.question or questions_for(repo), args.rounds)
        print(table(rows))
        if args.json:
            commands = {side.name: shlex.join(side.command) for side in args.sides}
            report = {**commands, "cores": os.cpu_count(), "figures": rows}
            args.json.write_text(json.dumps(report, indent=1) + "\n")
    except (MeasureError, OSError) as error:
        print(f"peer.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def arguments() -> argparse.Namespace:
    """Read the command line, and leave with code 2 where it makes no sense."""
    parser = argparse.ArgumentParser(prog="peer.py", description="Measure two engines side by side")
    option = parser.add_argument
    option("--repo", type=Path, action="append", required=True, help="may be given several times")
    for name, serve in (("ours", "serve"), ("peer", "serve --mcp")):
        option(f"--{name}", type=shlex.split, required=True, metavar="CMD", help="takes init, explore, serve")
        option(f"--{name}-serve", type=shlex.split, default=serve, metavar="ARGS", help=f"by default: {serve}")
    option("--rounds", type=int, default=3, metavar="N", help="by default: 3")
    option("--question", action="append", help="two at least; the first warms up, and is the one-shot's")
    option("--json", type=Path, metavar="OUT", help="write all figures of all rounds to this file")
    args = parser.parse_args()
    if args.rounds < 1 or (args.question and len(args.question) == 1):
        parser.error("at least one round and two questions are needed")
    for folder in [*args.repo, *([args.json.parent] if args.json else [])]:
        if not folder.is_dir():
            parser.error(f"not a directory: {folder}")
    for name, command in (("ours", args.ours), ("peer", args.peer)):
        if not command or not (found := shutil.which(command[0])):
            parser.error(f"--{name}: no such command: {shlex.join(command)}")
        command[0] = str(Path(found).absolute())  # it will run in another directory
    args.sides = [Side("ours", args.ours, args.ours_serve), Side("peer", args.peer, args.peer_serve)]
    return args


def questions_for(repo: Path) -> list[str]:
    """The questions written for this repository, else those for any."""
    written: dict[str, list[str]] = json.loads(Path(__file__).with_name("peer_questions.json").read_text())
    return written.get(repo.resolve().name, list(QUESTIONS))


def compare(repo: Path, sides: list[Side], questions: list[str], rounds: int) -> list[dict[str, Any]]:
    """One row a figure: both medians, their ratio, and the values of all rounds."""
    name = repo.resolve().name
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: {side.name: [] for side in sides})
    for number in range(rounds):
        print(f"{name}: round {number + 1} of {rounds}", file=sys.stderr)
        with tempfile.TemporaryDirectory(prefix="peer-") as scratch:
            trees = {side.name: Path(scratch, side.name) for side in sides}
            for tree in trees.values():
                shutil.copytree(repo, tree, symlinks=True, ignore=LEFT_OUT)
            for step in (index, ask_once, ask_server):
                for side in sides if number % 2 == 0 else sides[::-1]:
                    for figure, value in step(side, trees[side.name], questions).items():
                        values[figure][side.name].append(value)
    rows = []
    for figure, by_side in values.items():
        ours, peer = (statistics.median(by_side[side.name]) for side in sides)
        medians = {"ours": ours, "peer": peer, "ours/peer": ours / peer if peer else float("inf")}
        rows.append({"repository": name, "figure": figure, **medians, "rounds": by_side})
    return rows


def index(side: Side, tree: Path, _questions: list[str]) -> Figures:
    """Index the tree from nothing."""
    before = size_of(tree)
    job = finished([*side.command, "init", "."], tree)
    return {"index, s": job.seconds, **job.memory("index"), "index size, MB": (size_of(tree) - before) / 1e6}


def ask_once(side: Side, tree: Path, questions: list[str]) -> Figures:
    """Answer the first question in a process of its own."""
    job = finished([*side.command, "explore", questions[0]], tree)
    printed = os.fstat(job.output.fileno()).st_size
    return {"one-shot, ms": job.seconds * 1e3, **job.memory("one-shot"), "one-shot answer, kB": printed / 1e3}


def ask_server(side: Side, tree: Path, questions: list[str]) -> Figures:
    """Answer all questions from one MCP server."""
    server = Server([*side.command, *side.serve], tree)
    try:
        ready = server.initialize()
        answers = [server.ask(question) for question in questions]
        first, *warm = [(seconds, len(text.encode())) for seconds, text in answers]
    finally:
        server.finish(GOODBYE_S)
    times, sizes = zip(*warm, strict=True)
    return {
        "server ready, ms": ready * 1e3,
        "first answer, ms": first[0] * 1e3,
        "warm answer, ms": statistics.median(times) * 1e3,
        "warm answer, 95 %, ms": sorted(times)[math.ceil(0.95 * len(times)) - 1] * 1e3,
        "warm answer, kB": statistics.median(sizes) / 1e3,
        **server.memory("server"),
    }


def table(rows: list[dict[str, Any]]) -> str:
    """All figures as aligned plain text."""
    width = max(len(row["repository"]) for row in rows) + 2
    lines = [f"{'':{width}}{'':30}{'ours':>10}{'peer':>10}{'ours/peer':>11}"]
    for row in rows:
        numbers = f"{row['ours']:>10,.2f}{row['peer']:>10,.2f}{row['ours/peer']:>11.2f}"
        lines.append(f"{row['repository']:{width}}{row['figure']:30}{numbers}")
    return "\n".join(lines)


def finished(command: list[str], tree: Path, environment: Mapping[str, str] = NOTHING_MORE) -> Job:
    """A command that ran to its end, and well."""
    job = Job(command, tree, environment=environment)
    if code := job.finish(PATIENCE_S):
        raise job.error(f"ended with code {code} after {job.seconds:.1f} s")
    return job


def size_of(tree: Path) -> int:
    """Bytes of all files below a directory."""
    return sum(path.lstat().st_size for path in tree.rglob("*") if not path.is_dir())


class Job:
    """A process in a session of its own, its memory watched, which is killed if it outlives our patience."""

    def __init__(
        self, command: list[str], tree: Path, *, talk: bool = False, environment: Mapping[str, str] = NOTHING_MORE
    ) -> None:
        self.command, self.seconds, self.peaks = command, 0.0, {"all": 0, "largest": 0}
        self.output, self.complaints = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.begin = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            cwd=tree,
            env={**os.environ, **ENVIRONMENT, **environment},
            stdin=subprocess.PIPE if talk else subprocess.DEVNULL,
            stdout=subprocess.PIPE if talk else self.output,
            stderr=self.complaints,
            start_new_session=True,
        )
        self._deadline = self.begin + PATIENCE_S
        self._done = threading.Event()
        self._watch = threading.Thread(target=self._poll, daemon=True)
        self._watch.start()

    def finish(self, patience: float) -> int:
        """Close its input and wait for its end, for `patience` seconds at most; returns the exit code."""
        self._deadline = time.perf_counter() + patience
        with suppress(OSError):
            if self.process.stdin:
                self.process.stdin.close()
        try:
            _, status, usage = os.wait4(self.process.pid, 0)  # Popen.wait tells nothing of memory
            self.seconds = time.perf_counter() - self.begin
        finally:
            self._done.set()
            self._watch.join()
            self._kill()  # the command, if we were interrupted, and what it left running
        self.peaks["largest"] = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        if sys.platform == "linux":  # the peak of a short process may fall between two polls
            self.peaks["all"] = max(self.peaks.values())
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode

    def memory(self, step: str) -> Figures:
        """Both peaks, as far as they are known."""
        return {f"{step} memory, {what}, MB": peak / 1e6 for what, peak in self.peaks.items() if peak}

    def error(self, why: str) -> MeasureError:
        """What went wrong, with the last line that the command wrote to stderr."""
        said = os.pread(self.complaints.fileno(), 1 << 20, 0).decode(errors="replace").strip().split("\n")[-1]
        return MeasureError(f"{shlex.join(self.command)}: {why}{': ' if said else ''}{said[:300]}")

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # macOS has the latter for a group of zombies
            os.killpg(self.process.pid, signal.SIGKILL)

    def _poll(self) -> None:
        strangers: set[str] = set()
        while not self._done.wait(POLL_S):
            if sys.platform == "linux":
                self.peaks["all"] = max(self.peaks["all"], resident(self.process.pid, strangers))
            if time.perf_counter() > self._deadline:
                self._kill()


def resident(session: int, strangers: set[str]) -> int:
    """Bytes of a session's processes in memory; `strangers` gathers the others, which are read but once."""
    pages = 0
    for pid in set(filter(str.isdigit, os.listdir("/proc"))) - strangers:
        with suppress(OSError):  # it may have ended by now
            # proc(5): field 2 is a name that may hold spaces, 6 is the session, 24 the pages in memory.
            fields = Path("/proc", pid, "stat").read_bytes().rpartition(b")")[2].split()
            if int(fields[3]) != session:
                strangers.add(pid)
            else:
                pages += int(fields[21])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Server(Job):
    """An MCP server on stdio, and a raw JSON-RPC client for it that offers nothing a server could ask for."""

    def __init__(self, command: list[str], tree: Path, environment: Mapping[str, str] = NOTHING_MORE) -> None:
        super().__init__(command, tree, talk=True, environment=environment)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._requests, self._replies, self._last_id = self.process.stdin, self.process.stdout, 0

    def initialize(self) -> float:
        """Open the connection: the seconds from the start of the process until the server is ready."""
        about = {"name": "peer.py", "version": "1"}
        self._request("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=about)
        self._send(method="notifications/initialized")
        return time.perf_counter() - self.begin

    def takes(self, argument: str) -> bool:
        """Whether the tool has an argument of this name."""
        tools = self._request("tools/list")["tools"]
        return any(argument in tool["inputSchema"].get("properties", {}) for tool in tools if tool["name"] == TOOL)

    def ask(self, question: str, **more: Any) -> tuple[float, str]:
        """Seconds and text of an answer; `more` are further arguments."""
        begin = time.perf_counter()
        result = self._request("tools/call", name=TOOL, arguments={"query": question, **more})
        seconds = time.perf_counter() - begin
        text = "".join(part.get("text", "") for part in result.get("content", []))
        if result.get("isError") or not text:
            raise self.error(f"no answer to {question!r}: {text[:200]}")
        return seconds, text

    def _request(self, method: str, **params: Any) -> dict[str, Any]:
        self._last_id += 1
        self._send(id=self._last_id, method=method, params=params)
        for line in self._replies:  # ends at the latest when a silent server is killed
            with suppress(ValueError):  # a server may print what is no JSON
                reply = json.loads(line)
                if isinstance(reply, dict) and reply.get("id") == self._last_id and "method" not in reply:
                    if "result" in reply:
                        return dict(reply["result"] or {})
                    raise self.error(f"{method} failed: {reply.get('error')}")
        raise self.error(f"gave no reply to {method}")

    def _send(self, **message: Any) -> None:
        try:
            self._requests.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            self._requests.flush()
        except OSError:
            raise self.error("takes no requests") from None


if __name__ == "__main__":
    sys.exit(main())
