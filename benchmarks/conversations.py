"""Plays written conversations of six questions against servers, and accounts for what stays in an agent's context; it
judges no answer, and asserts nothing.

    conversations.py [--peer COMMAND] [--only SET/NAME ...] [--json]

The conversations in `benchmarks/conversations/` say for each question which lines answer it; they were written before
any server was asked. In the `broad` ones each question goes to another part of the project, in the `deep` ones all
circle around one mechanism. Each is played over MCP on a fresh copy of its project: with withholding and decay on, with
both off, and, with `--peer`, against another server in the same run. The agent keeps all answers, and lists their
handles where the tool takes them. All figures but the stages' times are read off the texts; tokens are estimated.
Conversations about real packages are played where pip and npm can fetch those.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.peer import LEFT_OUT, MeasureError, Server, finished
from explore.diagnostics.report import BYTES_PER_TOKEN
from explore.errors import ExploreError
from explore.model.spans import Spans
from explore.replay import Ask, Conversation, read_conversation

HERE: Final = Path(__file__).parent
FETCHED: Final = HERE / ".fetched"
SETS: Final = ("broad", "deep")
OURS: Final = [sys.executable, "-m", "explore"]

HANDLE: Final = re.compile(r"^context: (\S+)\s*\Z", re.MULTILINE)
HEADING: Final = re.compile(r"^(?:#{1,4} |\*\*)`([^`]+)`")
NUMBERED: Final = re.compile(r"^(\d+)\t")
POINTER: Final = re.compile(r"already sent", re.IGNORECASE)

Shown = dict[str, set[int]]
"""Lines by path."""


@dataclass(frozen=True)
class Package:
    """A real package: its folder, how its archive is fetched into a folder, what that is called, and its digest."""

    folder: str
    fetch: tuple[str, ...]
    archive: str
    sha256: str


PACKAGES: Final = (
    Package(
        "flask-3.1.2",
        (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "flask", "flask==3.1.2"),
        "flask-3.1.2.tar.gz",
        "bf656c15c80190ed628ad08cdfd3aaa35beb087855e2f494910aa3774cc4fd87",
    ),
    Package(
        "express-5.1.0",
        ("npm", "pack", "--silent", "express@5.1.0"),
        "express-5.1.0.tgz",
        "dd6bdb4d4e54d520c78443d5c35aa4ae552be1837e8650d2ec1641df99393e1b",
    ),
)


@dataclass(frozen=True)
class Side:
    """A server to play against: its name in the tables, its commands, and its environment."""

    name: str
    command: list[str]
    serve: list[str]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Call:
    """One answer. Lines: `new` to the agent and `again`; `first_seen` files; `pointers`; `own`, the share of its lines
    in files that hold an answering line; `wanted` answering lines, and `held` of them after it. `stages` are in
    milliseconds, where the server tells."""

    number: int
    question: str
    bytes: int
    new: int
    again: int
    first_seen: int
    pointers: int
    own: float
    wanted: int
    held: int
    milliseconds: float
    stages: Mapping[str, float]

    @property
    def tokens(self) -> int:
        """Estimated, by the bytes."""
        return round(self.bytes / BYTES_PER_TOKEN)


@dataclass(frozen=True)
class Played:
    """A conversation against one side. `resident`: bytes of all answers; `wanted`: all answering lines; `held`: those
    of them that the agent holds at the end."""

    conversation: str
    side: str
    calls: tuple[Call, ...]
    wanted: int
    held: int

    @property
    def resident(self) -> int:
        return sum(call.bytes for call in self.calls)

    @property
    def per_kilobyte(self) -> float:
        """Answering lines for each 1,000 bytes that stay."""
        return 1000 * self.held / self.resident


def main() -> int:
    arguments = _arguments()
    sides = [
        Side("both on", OURS, ["serve"], {"CODEGRAPH_EXPLORE_DEDUP": "1", "CODEGRAPH_EXPLORE_DECAY": "1"}),
        Side("both off", OURS, ["serve"], {"CODEGRAPH_EXPLORE_DEDUP": "0", "CODEGRAPH_EXPLORE_DECAY": "0"}),
    ]
    if arguments.peer:
        command = [str(Path(found).absolute()) if (found := shutil.which(arguments.peer[0])) else arguments.peer[0]]
        sides.append(Side("peer", command + arguments.peer[1:], ["serve", "--mcp"], {"CODEGRAPH_EXPLORE_DEDUP": "1"}))
    try:
        scripts = [script for script in _scripts() if not arguments.only or _name(script) in arguments.only]
        plays = [_played(script, side) for script in scripts for side in sides]
    except (MeasureError, ExploreError, OSError) as error:
        print(f"conversations.py: {error}", file=sys.stderr)
        return 1
    if arguments.json:
        print(json.dumps([_as_data(played) for played in plays], indent=1))
    else:
        print("\n".join([*_call_table(plays), "", *_summary(plays, [side.name for side in sides])]))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="conversations.py", description=(__doc__ or "").split(";", maxsplit=1)[0])
    parser.add_argument("--peer", type=shlex.split, metavar="COMMAND", help="takes `init .` and `serve --mcp`")
    parser.add_argument("--only", action="append", metavar="NAME", help="this conversation alone; may be repeated")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    return parser.parse_args()


def _scripts() -> Iterator[Path]:
    """Of each set those about the fixtures, then those about the packages that are there."""
    lacking = {package: _lacking(package) for package in PACKAGES}
    for package, why in lacking.items():
        if why:
            print(f"skipped: what is about {package.archive}, which cannot be fetched ({why})", file=sys.stderr)
    for folder in SETS:
        yield from sorted((HERE / "conversations" / folder).glob("*.toml"))
        for package in (package for package, why in lacking.items() if not why):
            yield HERE / "conversations" / folder / "packages" / f"{package.folder.split('-', maxsplit=1)[0]}.toml"


def _name(script: Path) -> str:
    return f"{script.relative_to(HERE / 'conversations').parts[0]}/{script.stem}"


def _lacking(package: Package) -> str:
    """Fetches and unpacks a package unless that was done before; why that cannot be, or nothing."""
    target = FETCHED / package.folder
    if target.is_dir():
        return ""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            ran = subprocess.run(package.fetch, cwd=scratch, capture_output=True, timeout=60, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        archive = Path(scratch, package.archive)
        if ran.returncode or not archive.is_file():
            return f"{package.fetch[0]} ended with code {ran.returncode}"
        if hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
            return "it is another archive than the conversation was written about"
        with tarfile.open(archive) as packed:
            packed.extractall(scratch, filter="data")
        (unpacked,) = (path for path in Path(scratch).iterdir() if path.is_dir())
        FETCHED.mkdir(exist_ok=True)
        shutil.copytree(unpacked, target)
    return ""


def _played(script: Path, side: Side) -> Played:
    """One conversation against one side, on a fresh copy of its project."""
    conversation = read_conversation(script)
    project = conversation.project if conversation.project.is_dir() else FETCHED / conversation.project.name
    with tempfile.TemporaryDirectory(prefix="conversation-") as scratch:
        tree, log = Path(scratch, project.name), Path(scratch, "reports.jsonl")
        shutil.copytree(project, tree, ignore=LEFT_OUT)
        finished([*side.command, "init", "."], tree, side.environment)
        server = Server([*side.command, *side.serve], tree, {**side.environment, "CODEGRAPH_EXPLORE_DEBUG": str(log)})
        try:
            server.initialize()
            calls = tuple(_calls(conversation, server, log))
        finally:
            server.finish(10)
    return Played(_name(script), side.name, calls, _count(_all_wanted(conversation)), calls[-1].held)


def _calls(conversation: Conversation, server: Server, log: Path) -> Iterator[Call]:
    """All questions in turn; the agent holds what it was shown."""
    takes_handles, handles, held, wanted = server.takes("context"), list[str](), Shown(), Shown()
    for number, step in enumerate(conversation.steps, 1):
        if not isinstance(step, Ask):
            raise MeasureError(f"step {number}: a conversation for this benchmark has questions only")
        seconds, text = server.ask(step.question, **({"context": handles} if takes_handles else {}))
        handles += HANDLE.findall(text)
        shown, answering = shown_in(text), _wanted(step)
        new = sum(len(lines - held.get(path, set())) for path, lines in shown.items())
        _merge(wanted, answering)
        first_seen = len(shown.keys() - held.keys())
        _merge(held, shown)
        yield Call(
            number,
            step.question,
            len(text.encode()),
            new,
            _count(shown) - new,
            first_seen,
            len(POINTER.findall(text)),
            sum(len(lines) for path, lines in shown.items() if path in answering) / max(1, _count(shown)),
            _count(wanted),
            sum(len(lines & held.get(path, set())) for path, lines in wanted.items()),
            1000 * seconds,
            _stages(log),
        )


def shown_in(text: str) -> Shown:
    """The lines that an answer shows."""
    shown: Shown = {}
    path = None
    for row in text.split("\n"):
        if heading := HEADING.match(row):
            path = heading[1]
        elif path and (numbered := NUMBERED.match(row)):
            shown.setdefault(path, set()).add(int(numbered[1]))
    return shown


def _wanted(ask: Ask) -> Shown:
    return {wanted.path: set(Spans(wanted.spans).lines()) for wanted in ask.wanted}


def _all_wanted(conversation: Conversation) -> Shown:
    wanted: Shown = {}
    for step in conversation.steps:
        _merge(wanted, _wanted(step) if isinstance(step, Ask) else {})
    return wanted


def _merge(into: Shown, more: Shown) -> None:
    for path, lines in more.items():
        into.setdefault(path, set()).update(lines)


def _count(lines: Shown) -> int:
    return sum(map(len, lines.values()))


def _stages(log: Path) -> Mapping[str, float]:
    """The newest report's stages; nothing of a server that writes none."""
    if not log.is_file():
        return {}
    return dict(json.loads(log.read_text("utf-8").splitlines()[-1]).get("milliseconds", {}))


def _as_data(played: Played) -> dict[str, Any]:
    calls = [{**asdict(call), "tokens": call.tokens} for call in played.calls]
    more = {"resident": played.resident, "wanted_per_kilobyte": round(played.per_kilobyte, 2)}
    return {**asdict(played), "calls": calls, **more}


def _call_table(plays: Sequence[Played]) -> Iterator[str]:
    """A row a call, under a row a conversation and side."""
    yield "call  bytes tokens  new again first pointers own wanted  held    ms  retrieve allocate build  question"
    for played in plays:
        yield f"{played.conversation}, {played.side}"
        for call in played.calls:
            stages = "".join(f"{call.stages.get(name, 0):9.1f}" for name in ("retrieve", "allocate", "build"))
            yield (
                f"{call.number:4} {call.bytes:6,} {call.tokens:6,} {call.new:4} {call.again:5} {call.first_seen:5} "
                f"{call.pointers:8} {call.own:3.0%} {call.wanted:6} {call.held:5} {call.milliseconds:5.0f}{stages}  "
                f"{call.question[:60]}"
            )


def _summary(plays: Sequence[Played], sides: Sequence[str]) -> Iterator[str]:
    """A row a conversation, with the sides beside each other, and the sums."""
    by_name = {(played.conversation, played.side): played for played in plays}
    names = list(dict.fromkeys(played.conversation for played in plays))
    yield f"{'':16}" + "".join(f"{side + ': resident':>20}{'held':>12}{'lines/kB':>10}" for side in sides)
    for folder in SETS:
        of_set = [name for name in names if name.startswith(folder)]
        for some in (*([name] for name in of_set), of_set if len(of_set) > 1 else []):
            sums = [_sums([by_name[name, side] for name in some]) for side in sides]
            name = some[0] if len(some) == 1 else f"{folder}, in all"
            if some:
                yield f"{name:16}" + "".join(_cell(*each, off=sums[1][0]) for each in sums)
    yield "resident: bytes of all six answers, and as a share of `both off`; held: answering lines at the end"


def _sums(plays: Sequence[Played]) -> tuple[int, int, int]:
    """Resident bytes, lines held, and lines wanted."""
    return sum(p.resident for p in plays), sum(p.held for p in plays), sum(p.wanted for p in plays)


def _cell(resident: int, held: int, wanted: int, off: int) -> str:
    share = f"{resident:,} {resident / off:4.0%}"
    return f"{share:>20}{f'{held}/{wanted}':>12}{1000 * held / resident:10.2f}"


if __name__ == "__main__":
    sys.exit(main())
