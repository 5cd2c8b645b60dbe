"""How often an answer points at what its reader cannot see, by kind of agent, and what gets it back; it times nothing.

    soundness.py --conversations 10000 --jobs 2

Every conversation is an agent, or several over one connection, asking of a small project in memory. An honest kind
lists what it can see, or loses nothing; for it one wrong pointer is one too many. Of the others nothing can know, and
the figures are what that costs. A conversation is told by its kind and seed, and can be run again alone.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import Pool
from random import Random
from typing import Final

from rich.console import Console
from rich.progress import Progress

from explore.dedup.recover import read_wanted
from explore.engine import Options
from tests.support.agent import (
    Agent,
    Call,
    Connection,
    Habit,
    Reply,
    Way,
    check_beside_plain,
    check_reply,
    lacking_after,
    pointers_in,
)
from tests.support.corpus import MemoryCorpus
from tests.support.strategies import EDITS, SHAPES, VOCABULARY, Piece, file_of

PROJECTS: Final = 8
MOST_AGENTS: Final = 4
TURNS: Final = (5, 14)
"""Fewest and most turns of a conversation."""

EVENT_SHARE: Final = 0.4
"""Of the turns, those in which something befalls an agent instead of a plain question."""

REPEATED: Final = 0.25
"""Of the questions, those asked before in the same words."""

BATCH: Final = 50
MOST_FAULTS: Final = 5
"""Conversations that one job runs at a time, and broken ones that are told in full."""

WORDS: Final = tuple(filter(str.isascii, VOCABULARY))


@dataclass(frozen=True, slots=True)
class Kind:
    """How its agents vouch for what they hold, and what befalls them, each by its weight."""

    name: str
    honest: bool
    habit: Habit = Habit.ALL
    identifier: str | None = None
    events: Mapping[str, int] = field(default_factory=dict)


EDITED: Final = {"edit": 3, "restore": 2, "remove": 1}
LOSSES: Final = {"clear": 3, "compact": 2, "rewind": 2}
ANY: Final = {**EDITED, **LOSSES, "spawn": 2, "fork": 2, "return": 2, "parallel": 3, "lose": 2, "cancel": 1}
KINDS: Final = (
    Kind("lists all it sees", honest=True),
    Kind("lists the newest", honest=True, habit=Habit.NEWEST),
    Kind("lists none", honest=True, habit=Habit.NONE),
    Kind("sub-agents given nothing", honest=True, events={"spawn": 1, "return": 1}),
    Kind("forks", honest=True, events={"fork": 1, "return": 1}),
    Kind("parallel calls", honest=True, events={"parallel": 1}),
    Kind("old results cleared", honest=True, events={"clear": 2, "compact": 1}),
    Kind("rewinds", honest=True, events={"rewind": 1}),
    Kind("lost and cancelled answers", honest=True, events={"lose": 2, "cancel": 1}),
    Kind("edited files", honest=True, events=EDITED),
    Kind("any of these", honest=True, events=ANY),
    Kind("any of these, with an identifier", honest=True, identifier="a", events=ANY),
    Kind("identifier, loses nothing", honest=True, habit=Habit.SILENT, identifier="a", events=EDITED),
    Kind("bare, alone, loses nothing", honest=True, habit=Habit.SILENT, events=EDITED),
    Kind("handles copied to sub-agents", honest=False, events={"spawn with handles": 1, "return": 1}),
    Kind("bare, with sub-agents", honest=False, habit=Habit.SILENT, events={"spawn": 1, "return": 1}),
    Kind("bare, silent clearing", honest=False, habit=Habit.SILENT, events=LOSSES),
    Kind("identifier, silent loss", honest=False, habit=Habit.SILENT, identifier="a", events=LOSSES | {"lose": 2}),
)


class Conversation:
    """One run over one connection, made of chance alone; `tally` counts what came of it."""

    def __init__(self, kind: Kind, seed: int) -> None:
        self.random = Random(f"{kind.name} {seed}")
        self.kind = kind
        number = self.random.randrange(PROJECTS)
        corpus, self.questions = project(number)
        self.pristine = pristine(number)
        corpus.disk = dict(self.pristine)
        self.connection: Connection = Connection(corpus)
        self.agents = [Agent(kind.habit, kind.identifier)]
        self.asked: list[str] = []
        self.pointers: list[str] = []
        self.tally: Counter[str] = Counter(conversations=1)

    def run(self) -> Counter[str]:
        """All turns."""
        for _ in range(self.random.randint(*TURNS)):
            if self.kind.events and self.random.random() < EVENT_SHARE:
                (event,) = self.random.choices(list(self.kind.events), list(self.kind.events.values()))
                EVENTS[event](self)
            else:
                self.ask()
        return self.tally

    @property
    def agent(self) -> Agent:
        """Any of those at work."""
        return self.random.choice(self.agents)

    def ask(self, *, arrives: bool = True) -> None:
        """One call, whose answer may be lost on its way."""
        reply = self.connection.answer(self.arrive(self.agent))
        self.deliver(reply, arrives=arrives)

    def ask_at_once(self) -> None:
        """Several calls of one agent, all on their way before the first is answered; now and then one is cancelled, and
        files that ever change may change in between."""
        agent = self.agent
        calls = [self.arrive(agent) for _ in range(self.random.randint(2, 4))]
        self.random.shuffle(calls)
        for call in calls:
            if "edit" in self.kind.events and self.random.random() < 0.2:
                self.edit()
            reply = self.connection.answer(call)
            if self.random.random() < 0.9:
                self.deliver(reply)

    def arrive(self, agent: Agent) -> Call:
        """A call reaches the server."""
        again = self.asked and self.random.random() < REPEATED
        question = self.random.choice(self.asked if again else self.questions)
        self.asked.append(question)
        return self.connection.arrive(agent, question, self.options())

    def options(self) -> Options:
        """Mostly the defaults; now and then a bound, and what a pointer says is asked for again."""
        chance = self.random
        resend = chance.choice(self.pointers) if self.pointers and chance.random() < 0.05 else ""
        return Options(
            max_bytes=chance.choice((None, None, None, 2_000, 4_000, 13_000)),
            max_files=chance.choice((None, None, None, 1, 2, 3)),
            resend=True if chance.random() < 0.03 else (read_wanted(resend),) if resend else (),
        )

    def deliver(self, reply: Reply, *, arrives: bool = True) -> None:
        """An answer is judged and recorded; then the agent reads it."""
        self.judge(reply)
        text = self.connection.record(reply)
        if not arrives:
            return
        reply.call.agent.read(text)
        self.pointers += [value for pointer in pointers_in(reply) for value in pointer.again]
        if wrong := self.connection.wrong(reply):
            self.recover(reply, len(wrong))

    def judge(self, reply: Reply) -> None:
        """The laws, and what the answer was worth to its reader."""
        check_reply(self.connection, reply)
        wrong = self.connection.wrong(reply)
        if self.kind.honest:
            assert not wrong, f"points at what its reader cannot see: {wrong}"
            check_beside_plain(self.connection, reply)
        self.tally["calls"] += 1
        self.tally["pointed"] += sum(spans.line_count for spans in reply.pointed.values())
        self.tally["wrong"] += bool(wrong)
        for path, spans in reply.sent.items():
            new = spans - self.connection.holds(reply.call.agent, path)
            self.tally["sent"] += spans.line_count
            self.tally["new"] += new.line_count

    def recover(self, reply: Reply, wrong: int) -> None:
        """Tries every way to get back what was pointed at."""
        self.tally["wrong pointers"] += wrong
        for way in Way:
            self.tally[way.value] += wrong - len(lacking_after(self.connection, reply, way))

    def spawn(self, *, with_handles: bool = False) -> None:
        """A sub-agent without any answer; it may be told handles all the same."""
        if len(self.agents) < MOST_AGENTS:
            parent = self.agent
            copied = tuple(answer.handle for answer in parent.seen) if with_handles else ()
            self.agents.append(Agent(parent.habit, parent.identifier, copied))

    def fork(self) -> None:
        """Another agent with a copy of the conversation."""
        if len(self.agents) < MOST_AGENTS:
            self.agents.append(self.agent.fork())

    def end_sub_agent(self) -> None:
        """The one started last has done its work."""
        if len(self.agents) > 1:
            self.agents.pop()

    def edit(self) -> None:
        """A file is written anew: one that was sent, if any was."""
        sent = sorted({path for answer in self.agent.seen for path in answer.lines})
        path = self.random.choice(sent or sorted(self.pristine))
        self.connection.corpus.edit(path, self.random.choice(EDITS)(self.pristine[path]))

    def restore(self) -> None:
        """A file that was edited or taken away is what it was at first."""
        disk = self.connection.corpus.disk
        if changed := [path for path, raw in self.pristine.items() if disk.get(path) != raw]:
            path = self.random.choice(changed)
            self.connection.corpus.edit(path, self.pristine[path])

    def remove(self) -> None:
        """A file goes, but for the last one."""
        corpus = self.connection.corpus
        if len(corpus.disk) > 1:
            corpus.remove(self.random.choice(sorted(corpus.disk)))


EVENTS: Final[Mapping[str, Callable[[Conversation], None]]] = {
    "clear": lambda run: run.agent.clear(run.random.randint(1, 2)),
    "compact": lambda run: run.agent.clear(),
    "rewind": lambda run: run.agent.rewind(run.random.randint(1, 2)),
    "lose": lambda run: run.ask(arrives=False),
    "cancel": lambda run: run.judge(run.connection.answer(run.arrive(run.agent))),
    "parallel": Conversation.ask_at_once,
    "spawn": Conversation.spawn,
    "spawn with handles": lambda run: run.spawn(with_handles=True),
    "fork": Conversation.fork,
    "return": Conversation.end_sub_agent,
    "edit": Conversation.edit,
    "restore": Conversation.restore,
    "remove": Conversation.remove,
}


@cache
def pristine(number: int) -> Mapping[str, bytes]:
    """The files of a project of the pool, of 20 to 150 lines each."""
    random = Random(number)
    files: dict[str, bytes] = {}
    for base in random.sample(WORDS, random.randint(3, 6)):
        shape, size, pieces = random.choice(SHAPES[:4]), random.randint(20, 150), list[Piece]()
        while sum(piece.length + 3 for piece in pieces) < size:
            name = "_".join([random.choice((base, random.choice(WORDS))), random.choice(WORDS)])
            pieces.append(Piece(name, random.randint(3, 30), random.random() < 0.3))
        files[f"port/{base}{shape.suffix}"] = file_of(pieces, shape)
    return files


@cache
def project(number: int) -> tuple[MemoryCorpus, list[str]]:
    """A project of the pool, with questions that it answers: by words, by symbols and by files."""
    corpus, random = MemoryCorpus(pristine(number)), Random(number)
    symbols = [symbol.name for record in corpus.records for symbol in record.symbols if symbol.name]
    by_words = [f"how does {' '.join(random.sample(WORDS, random.randint(1, 3)))} work" for _ in range(12)]
    by_name = [" ".join(random.sample(symbols, random.randint(1, 2))) for _ in range(6)]
    return corpus, [*by_words, *by_name, *random.sample(sorted(corpus.disk), 2)]


Batch = tuple[int, int, int]
"""The number of a kind, and the first seed and the one after the last."""


def run_batch(batch: Batch) -> tuple[int, Counter[str], list[str]]:
    """The kind's number, the sum over these conversations, and those that broke a law, told by seed."""
    number, first, end = batch
    tally: Counter[str] = Counter()
    faults: list[str] = []
    for seed in range(first, end):
        try:
            tally += Conversation(KINDS[number], seed).run()
        except AssertionError:
            faults.append(f"--kind {KINDS[number].name!r} --seed {seed}\n{traceback.format_exc(limit=-3)}")
    return number, tally, faults


def batches(kinds: Iterable[int], conversations: int, seed: int) -> list[Batch]:
    """So many conversations of each kind, in parts."""
    starts = range(seed, seed + conversations, BATCH)
    return [(kind, start, min(start + BATCH, seed + conversations)) for kind in kinds for start in starts]


def row(name: str, tally: Counter[str]) -> str:
    """One kind in the table."""
    calls, wrong = tally["calls"] or 1, tally["wrong pointers"]
    back = [f"{tally[way.value] / wrong:>10.1%}" if wrong else f"{'-':>10}" for way in Way]
    rates = f"{1_000 * tally['wrong'] / calls:>12.1f} {' '.join(back)} {tally['new'] / (tally['sent'] or 1):>8.1%}"
    return f"{name:<38}{tally['conversations']:>8,}{tally['calls']:>9,}{tally['pointed']:>10,}{rates}"


HEAD: Final = (
    f"{'kind of agent':<38}{'convers.':>8}{'calls':>9}{'pointed':>10}{'wrong/1,000':>12} "
    f"{' '.join(f'{way.value:>10}' for way in Way)} {'new/sent':>8}"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--conversations", type=int, default=1_000, help="in all, shared evenly over the kinds")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, default=0, help="of the first conversation of each kind")
    parser.add_argument("--kind", choices=[kind.name for kind in KINDS], help="this one alone")
    arguments = parser.parse_args()
    kinds = [number for number, kind in enumerate(KINDS) if arguments.kind in (None, kind.name)]
    work = batches(kinds, max(1, arguments.conversations // len(kinds)), arguments.seed)
    tallies: dict[int, Counter[str]] = {number: Counter() for number in kinds}
    faults: list[str] = []
    console = Console(stderr=True)
    with Pool(arguments.jobs) as pool, Progress(console=console, disable=not console.is_terminal) as progress:
        for number, tally, broken in progress.track(pool.imap_unordered(run_batch, work), total=len(work)):
            tallies[number] += tally
            faults += broken
    print(HEAD)
    for number, tally in tallies.items():
        print(row(KINDS[number].name, tally))
    for fault in faults[:MOST_FAULTS]:
        print(f"\n{fault}", file=sys.stderr)
    if faults:
        print(f"{len(faults)} conversations broke a law", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
