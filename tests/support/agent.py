"""An agent as a host runs it, and the laws of what may be withheld from it. It knows what it holds from the text of the
answers in its sight alone, and never looks into what a server recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from explore.dedup.recover import read_wanted
from explore.engine import DEFAULTS, Answer, Options, explore
from explore.model.emission import Emission, EmittedFile
from explore.model.section import MOST_NAMED_SPANS, shown_path
from explore.model.spans import NO_LINES, Span, Spans
from explore.server.conversations import HANDLE_LENGTH, Conversations
from explore.session.standing import Claim
from explore.session.view import View
from tests.support.check import check_answer
from tests.support.corpus import MemoryCorpus
from tests.support.delivered import ReadPointer, delivered

PROJECT: Final = "/port"

LEAST_POINTED: Final = 8
"""Lines of the shortest held run that a pointer may stand for."""

LEAST_NEW: Final = 160
"""Bytes of new source beside held lines from which on it is always sent."""

Lines = Mapping[str, Mapping[int, str]]
"""Text by the path as it is shown, and the line's number."""


class Habit(Enum):
    """What an agent says of the answers that it can see."""

    ALL = "lists every answer it sees"
    NEWEST = "lists the newest"
    NONE = "lists none"
    SILENT = "is not asked"


@dataclass(frozen=True, slots=True)
class Seen:
    """An answer in a conversation: its handle, and its lines."""

    handle: str
    lines: Lines


@dataclass(slots=True)
class Agent:
    """One conversation. `copied` are handles that it was told without their answers; `identifier` is what its host
    calls it."""

    habit: Habit = Habit.ALL
    identifier: str | None = None
    copied: tuple[str, ...] = ()
    seen: list[Seen] = field(default_factory=list)

    @property
    def claim(self) -> Claim:
        """What it says of its conversation with its next call."""
        handles = tuple(answer.handle for answer in self.seen)
        match self.habit:
            case Habit.ALL:
                return Claim((*self.copied, *handles), self.identifier)
            case Habit.NEWEST:
                return Claim((*self.copied, *handles[-1:]), self.identifier)
            case Habit.NONE:
                return Claim(self.copied, self.identifier)
            case Habit.SILENT:
                return Claim(None, self.identifier)

    def read(self, text: str) -> None:
        """Takes an answer into its conversation."""
        answer, _, handle = text.rpartition("\n\ncontext: ")
        assert len(handle) == HANDLE_LENGTH
        self.seen.append(Seen(handle, {section.path: section.lines for section in delivered(answer).sections}))

    def sees(self, path: str) -> dict[int, str]:
        """The lines of a file as it saw them last."""
        lines: dict[int, str] = {}
        for answer in self.seen:
            lines.update(answer.lines.get(shown_path(path), {}))
        return lines

    def clear(self, keep: int = 0) -> None:
        """Loses all but the newest answers, as when old results are cleared; all of them, as by a summary."""
        self.seen = self.seen[max(0, len(self.seen) - keep) :]

    def rewind(self, count: int = 1) -> None:
        """Loses the newest answers."""
        self.seen = self.seen[: max(0, len(self.seen) - count)]

    def fork(self) -> Agent:
        """Another agent with a copy of the conversation."""
        return replace(self, seen=list(self.seen))


@dataclass(frozen=True, slots=True)
class Call:
    """A call that has arrived: what it asks, and what it stands on."""

    agent: Agent
    question: str
    options: Options
    project: str
    claim: Claim
    view: View


@dataclass(frozen=True, slots=True)
class Reply:
    """A call and its answer, not yet recorded and not yet read."""

    call: Call
    answer: Answer

    @property
    def pointed(self) -> dict[str, Spans]:
        """The lines that it points at by path."""
        return {file.path: file.pointed for file in self.answer.emission.files if file.pointed}

    @property
    def sent(self) -> dict[str, Spans]:
        """The lines that it sends by path."""
        return {file.path: file.spans for file in self.answer.emission.files if file.spans}


class _Handles:
    """Handles in order, so that a run can be told again."""

    def __init__(self) -> None:
        self._made = 0

    def __call__(self) -> str:
        self._made += 1
        return f"h{self._made:0{HANDLE_LENGTH - 1}}"


class Connection:
    """What several agents share: one connection to a server of these projects."""

    def __init__(self, *corpora: MemoryCorpus, client: str = "") -> None:
        self.corpora = {PROJECT + "s" * number: corpus for number, corpus in enumerate(corpora)}
        self.client = client
        self.conversations = Conversations(new_handle=_Handles())

    @property
    def corpus(self) -> MemoryCorpus:
        """The first project."""
        return self.corpora[PROJECT]

    def arrive(self, agent: Agent, question: str, options: Options = DEFAULTS, project: str = PROJECT) -> Call:
        """A call reaches the server. Others may be answered before it is."""
        claim = agent.claim
        view = self.conversations.view(claim, project, self.client)
        return Call(agent, question, options, project, claim, view)

    def answer(self, call: Call) -> Reply:
        """The server answers, from the disk as it is now. A cancelled call ends here."""
        answer = explore(call.question, self.corpora[call.project], call.project, call.options, call.view)
        return Reply(call, answer)

    def record(self, reply: Reply) -> str:
        """The server sends the answer and records it. This is what it sends; it may still be lost on the way."""
        handle = self.conversations.record(reply.call.claim, reply.call.view, reply.answer.emission)
        return f"{reply.answer.text}\n\ncontext: {handle}".encode("utf-8", "replace").decode()

    def ask(self, agent: Agent, question: str, options: Options = DEFAULTS, project: str = PROJECT) -> Reply:
        """A call from its first to its last step."""
        reply = self.answer(self.arrive(agent, question, options, project))
        agent.read(self.record(reply))
        return reply

    def plain(self, call: Call, number: int = 0) -> Answer:
        """What a caller without any state would be answered; with a number, one who holds nothing after so many answers
        with source."""
        nothing = (Emission(call.project, "", (), 0, number),) if number else ()
        return explore(call.question, self.corpora[call.project], call.project, call.options, View(nothing))

    def wrong(self, reply: Reply) -> dict[str, Spans]:
        """The lines pointed at that the agent cannot see, or saw last with another text than they have on disk."""
        return {path: wrong for path, spans in reply.pointed.items() if (wrong := spans - self._holds(reply, path))}

    def lacking(self, reply: Reply, plain: Answer) -> dict[str, Spans]:
        """The lines that the plain answer sends and that the agent does not hold once it has read the reply."""
        sent = {file.path: file.spans - self._holds(reply, file.path) for file in plain.emission.sent}
        sent = {path: lines - reply.sent.get(path, NO_LINES) for path, lines in sent.items()}
        return {path: lines for path, lines in sent.items() if lines}

    def holds(self, agent: Agent, path: str, project: str = PROJECT) -> Spans:
        """The lines that an agent saw last as they are on disk now."""
        now = _as_sent(self.corpora[project].lines(path))
        seen = agent.sees(path)
        return Spans.of_lines(line for line in sorted(seen) if line <= len(now) and seen[line] == now[line - 1])

    def _holds(self, reply: Reply, path: str) -> Spans:
        return self.holds(reply.call.agent, path, reply.call.project)

    def branch(self, agent: Agent) -> tuple[Connection, Agent]:
        """Both as they are now, to try what comes next more than once. Files are not copied."""
        branch = Connection(*self.corpora.values(), client=self.client)
        branch.conversations = deepcopy(self.conversations)
        return branch, agent.fork()


def check_reply(connection: Connection, reply: Reply) -> None:
    """The laws that hold whatever the caller claimed: sizes, lines as they are on disk, and the shape of pointers."""
    answer = reply.answer
    files = tuple(replace(file, pointed=NO_LINES) for file in answer.emission.sent)
    unpointed = replace(answer, emission=replace(answer.emission, files=files))
    check_answer(unpointed, connection.corpora[reply.call.project])
    handle_line = len("\n\ncontext: ") + HANDLE_LENGTH
    assert answer.emission.response_bytes + handle_line <= answer.trace.envelope.ceiling
    read = delivered(answer.text.encode("utf-8", "replace").decode())
    pointing = [file for file in answer.emission.files if file.pointed]
    assert not pointing or read.sections, "an answer of pointers alone"
    by_path = {_path_of(pointer): pointer for pointer in read.pointers}
    assert len(by_path) == len(read.pointers), "two pointers to one file"
    assert set(by_path) == {file.path for file in pointing}
    for file in pointing:
        _check_pointer(by_path[file.path], file)
    _check_runs(reply)


def check_beside_plain(connection: Connection, reply: Reply) -> dict[str, Spans]:
    """Who holds nothing, and who wants nothing withheld, gets the text that a caller without any state gets. All others
    hold afterwards what that caller was sent, but for slivers beside lines that are pointed at, which are handed back.

    The second only of an agent that sees what it claims.
    """
    plain = connection.plain(reply.call)
    if not reply.call.view.emissions or not reply.call.options.withhold:
        assert reply.answer.text == plain.text
        return {}
    if plain.trace.envelope != reply.answer.trace.envelope:
        plain = connection.plain(reply.call, reply.call.view.number)
    assert plain.trace.envelope == reply.answer.trace.envelope
    lacking = connection.lacking(reply, plain)
    for path, lines in lacking.items():
        assert not lines - _slivers(reply, path, connection.corpora[reply.call.project]), f"{path} {lines} is left out"
    return lacking


class Way(Enum):
    """How an agent gets back what a pointer stands for."""

    SAME_WORDS = "same words"
    BY_NAME = "by name"
    BY_RESEND = "resend"


def lacking_after(connection: Connection, reply: Reply, way: Way) -> dict[str, Spans]:
    """The lines wrongly pointed at that the agent still does not hold after one more ask: in the same words for all of
    them, else one for each pointer. Each is tried by itself on what was recorded."""
    call, wrong = reply.call, connection.wrong(reply)
    left: dict[str, Spans] = {}
    for paths, question, options in _asks(reply, wrong, way):
        branch, agent = connection.branch(call.agent)
        branch.ask(agent, question, options, call.project)
        left |= {path: wrong[path] - branch.holds(agent, path, call.project) for path in paths}
    return {path: lines for path, lines in left.items() if lines}


def _asks(reply: Reply, wrong: Mapping[str, Spans], way: Way) -> Iterator[tuple[list[str], str, Options]]:
    call = reply.call
    if way is Way.SAME_WORDS:
        yield list(wrong), call.question, replace(call.options, resend=())
        return
    for pointer in pointers_in(reply):
        if (path := _path_of(pointer)) not in wrong:
            continue
        if way is Way.BY_NAME:
            yield [path], path, DEFAULTS
        else:
            yield [path], call.question, Options(resend=tuple(map(read_wanted, pointer.again)))


def pointers_in(reply: Reply) -> tuple[ReadPointer, ...]:
    """The pointers as they read."""
    return delivered(reply.answer.text.encode("utf-8", "replace").decode()).pointers


def _path_of(pointer: ReadPointer) -> str:
    (value,) = pointer.again
    return read_wanted(value).path


def _check_pointer(pointer: ReadPointer, file: EmittedFile) -> None:
    """The text names the lines that the emission says, as far as it names them all; `resend` brings back no fewer."""
    named = Spans(Span(*pair) for pair in pointer.spans)
    assert pointer.path == shown_path(file.path)
    assert named.parts == file.pointed.parts[: len(named.parts)]
    assert len(named.parts) + pointer.more == len(file.pointed.parts)
    (value,) = pointer.again
    brought = read_wanted(value).spans
    assert not file.pointed - brought
    assert not file.pointed & file.spans
    assert brought == file.pointed or len(file.pointed.parts) > MOST_NAMED_SPANS


def _check_runs(reply: Reply) -> None:
    """A pointer stands for a run of 8 lines or more, and for shorter ones only where they are a block of their own."""
    wanted = {share.menu.file.path: share.wanted for share in reply.answer.trace.plan.shares}
    for path, spans in reply.pointed.items():
        assert any(len(run) >= LEAST_POINTED for run in spans), f"{path} {spans} are all short"
        short = {run for run in spans if len(run) < LEAST_POINTED}
        assert short <= set(wanted[path]), f"{path} {short} are short and no blocks"


def _slivers(reply: Reply, path: str, corpus: MemoryCorpus) -> Spans:
    """The lines that are folded away, each run of them small and beside lines that are pointed at, and named with the
    pointer unless it is blank."""
    lines, pointed = _as_sent(corpus.lines(path)), reply.pointed.get(path, NO_LINES)
    folds = {share.menu.file.path: share.split.folded for share in reply.answer.trace.plan.shares}
    folded = folds.get(path, NO_LINES)
    named = next((pointer.folded for pointer in pointers_in(reply) if _path_of(pointer) == path), "")
    for run in folded:
        text = "".join(lines[run.start - 1 : run.end])
        assert _bytes(lines, run) < LEAST_NEW
        assert run.start - 1 in pointed or run.end + 1 in pointed
        assert not text.strip() or re.search(rf"(^|; ){run}(:|;|$)", named), f"{run} is not named in {named!r}"
    return folded


def _as_sent(lines: Sequence[str]) -> list[str]:
    return [line.encode("utf-8", "replace").decode() for line in lines]


def _bytes(lines: Sequence[str], run: Span) -> int:
    return sum(len(f"{number}\t{lines[number - 1]}\n".encode()) for number in range(run.start, run.end + 1))
