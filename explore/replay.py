"""A written conversation, read from TOML and played over one connection: what agents ask, what each of them can see,
and edits between their calls. It reads no clock, prints nothing, and edits nothing but a copy of the project."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from explore.dedup.recover import Wanted, read_wanted
from explore.engine import Answer, Options
from explore.errors import BadRequest
from explore.explorer import Explorer
from explore.index.location import project_root, relative_to
from explore.index.scan import scan
from explore.model.emission import Emission, EmittedFile
from explore.model.spans import Spans
from explore.render.answer import HANDLE_BYTES
from explore.server.conversations import Conversations
from explore.session.standing import Claim

MAIN: Final = "main"
"""The agent that is there from the start; others are spawned."""

Which = Literal["all", "newest", "none"] | tuple[int, ...]
"""Answers: of those that an agent can see, or by their numbers in the script, from 1."""

OpenProject = Callable[[Path], AbstractContextManager[Explorer]]
"""Opens the project at a folder, for as long as the conversation takes."""

OPEN: Final[OpenProject] = partial(Explorer.open, exact=True)
"""Opens it without a word to anybody."""


class Tells(StrEnum):
    """How an agent makes itself known: by the handles of the answers that it can see, by an identifier from its host,
    which changes when it forgets all, or not at all."""

    HANDLES = "handles"
    IDENTIFIER = "identifier"
    CONNECTION = "connection"


@dataclass(frozen=True, slots=True)
class Ask:
    """A call. `lists` are the answers whose handles it gives, None where that follows from how its agent tells.
    `wanted` are the lines that answer it, by path, for who measures; they have no part in playing it."""

    question: str
    agent: str = MAIN
    lists: Which | None = None
    resend: bool | tuple[str, ...] = False
    max_bytes: int | None = None
    max_files: int | None = None
    wanted: tuple[Wanted, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to a file, by its path from the root: `text` in the place of `find`, or at the end where that is
    None."""

    path: str
    text: str
    find: str | None = None


@dataclass(frozen=True, slots=True)
class Forget:
    """Answers that an agent can no longer see: cleared, rewound, or all of them, which is a compaction."""

    answers: Which
    agent: str = MAIN


@dataclass(frozen=True, slots=True)
class Spawn:
    """A new agent, which can see these answers of its parent's; `tells` None: as all do."""

    agent: str
    parent: str = MAIN
    sees: Which = "none"
    tells: Tells | None = None


Step = Ask | Edit | Forget | Spawn


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is played: on which project, over the connection of a client of this name."""

    project: Path
    steps: tuple[Step, ...]
    tells: Tells = Tells.HANDLES
    client: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """An answer by its number in the script, and the account of it. `text` is what the agent gets, with its handle.

    In lines: `sent`; `held`, those of them that the agent can still see in answers before, at the same bytes of the
    file; `pointed` at; `unseen`, those pointed at that it cannot see; `wanted`, where the script says which lines
    answer the question, and `wanted_held`, those of them that the agent can see with this answer. `symbols` are those
    whose name it shows, as `path::name`; of files and symbols, the new ones are shown by no answer that the agent can
    see.
    """

    number: int
    agent: str
    question: str
    text: str
    handle: str
    emission: Emission
    symbols: tuple[str, ...]
    sent: int
    held: int
    pointed: int
    unseen: int
    new_files: tuple[str, ...]
    new_symbols: tuple[str, ...]
    wanted: int = 0
    wanted_held: int = 0

    @property
    def bytes(self) -> int:
        """Bytes of the text as sent."""
        return len(self.text.encode("utf-8", "replace"))


# --- reading ------------------------------------------------------------------------------------------------------


def read_conversation(script: Path) -> Conversation:
    """The conversation that a file holds; `BadRequest` says which step is wrong and what to do."""
    try:
        table = tomllib.loads(script.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRequest(f"{str(script)!r} cannot be read ({error.strerror}): give a conversation in TOML") from None
    except ValueError as error:
        raise BadRequest(f"{str(script)!r} is not TOML in UTF-8: {error}") from None
    except RecursionError:
        raise BadRequest(f"{str(script)!r} is nested too deep: write a conversation as in `replay --help`") from None
    return conversation_of(table, script.parent)


def conversation_of(plain: Mapping[str, object], folder: Path) -> Conversation:
    """The conversation that TOML's data says, `project` being a path from `folder`; raises as `read_conversation`."""
    table = _Table("the script", plain)
    table.refuse_others("project", "tells", "client", "step")
    project = folder / table.text("project")
    tells = Tells(table.one_of("tells", tuple(Tells), Tells.HANDLES))
    client = table.text("client") if "client" in plain else ""
    steps = plain.get("step")
    if not isinstance(steps, list) or not steps or not all(isinstance(step, dict) for step in steps):
        raise table.error("it has no steps: write each as a table [[step]]")
    return Conversation(project, tuple(_steps(steps)), tells, client)


def _steps(tables: Sequence[Mapping[str, object]]) -> Iterator[Step]:
    answers, agents = 0, frozenset({MAIN})
    for number, plain in enumerate(tables, 1):
        step = _step(_Table(f"step {number}", plain, answers, agents))
        yield step
        match step:
            case Ask():
                answers += 1
            case Spawn():
                agents |= {step.agent}


def _step(table: _Table) -> Step:
    kinds = [kind for kind in _KINDS if kind in table.plain]
    if len(kinds) != 1:
        raise table.error(f"it has {' and '.join(kinds) or 'none'} of {', '.join(_KINDS)}: give exactly one")
    keys, read = _KINDS[kinds[0]]
    table.refuse_others(kinds[0], *keys)
    return read(table)


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the script and what was there before it: the number of answers, and the agents."""

    place: str
    plain: Mapping[str, object]
    answers: int = 0
    agents: Collection[str] = ()

    def error(self, sentence: str) -> BadRequest:
        return BadRequest(f"{self.place}: {sentence}")

    def refuse_others(self, *known: str) -> None:
        if others := sorted(set(self.plain) - set(known)):
            raise self.error(f"it does not know {', '.join(map(repr, others))}: here it takes {', '.join(known)}")

    def text(self, key: str, default: str | None = None) -> str:
        value = self.plain.get(key, default)
        if not isinstance(value, str) or not value.strip():
            raise self.error(f"{key!r} must be text that is not blank, in quotes")
        return value

    def one_of(self, key: str, words: Sequence[str], default: str) -> str:
        value = self.plain.get(key, default)
        if not isinstance(value, str) or value not in words:
            raise self.error(f"{key!r} must be one of {', '.join(words)}")
        return value

    def texts(self, key: str, or_else: str = "", least: int = 0) -> tuple[str, ...]:
        items = self.plain.get(key, [])
        if isinstance(items, list) and len(items) >= least and all(isinstance(item, str) for item in items):
            return tuple(items)
        example = "each with lines or without ('src/a.py:10-20')"
        raise self.error(f"{key!r} must be {or_else}a list of paths, {example}")

    def number(self, key: str) -> int | None:
        value = self.plain.get(key)
        if isinstance(value, bool) or not isinstance(value, int | None):
            raise self.error(f"{key!r} must be a whole number")
        return value

    def agent(self, key: str = "agent") -> str:
        name = self.text(key, MAIN)
        if name not in self.agents:
            raise self.error(f"{key!r} is {name!r}, who is not there yet: spawn it in a step before")
        return name

    def which(self, key: str, default: Which) -> Which:
        match self.plain.get(key, default):
            case "all" | "newest" | "none" as word:
                return word
            case [*items]:
                numbers = tuple(n for n in items if isinstance(n, int) and not isinstance(n, bool))
                if len(numbers) == len(items) and all(1 <= n <= self.answers for n in numbers):
                    return numbers
        raise self.error(
            f"{key!r} must be 'all', 'newest', 'none', or a list of numbers of answers before it, of which there are "
            f"{self.answers}"
        )


def _ask(table: _Table) -> Ask:
    lists = table.which("lists", "all") if "lists" in table.plain else None
    bounds = table.number("max_bytes"), table.number("max_files")
    wanted = tuple(map(read_wanted, table.texts("wanted")))
    return Ask(table.text("ask"), table.agent(), lists, _resend(table), *bounds, wanted)


def _resend(table: _Table) -> bool | tuple[str, ...]:
    everything = table.plain.get("resend", False)
    return everything if isinstance(everything, bool) else table.texts("resend", "true, or ", least=1)


def _edit(table: _Table) -> Edit:
    path, keys = table.text("edit"), set(table.plain) - {"edit"}
    if keys == {"append"}:
        return Edit(path, table.text("append"))
    text = table.plain.get("replace")
    if keys != {"find", "replace"} or not isinstance(text, str):
        raise table.error("an edit takes either 'find' and 'replace', or 'append', as text")
    return Edit(path, text, table.text("find"))


def _forget(table: _Table) -> Forget:
    return Forget(table.which("forget", "none"), table.agent())


def _spawn(table: _Table) -> Spawn:
    name = table.text("spawn")
    if name in table.agents:
        raise table.error(f"{name!r} is there already: give the new agent another name")
    tells = Tells(table.one_of("tells", tuple(Tells), "")) if "tells" in table.plain else None
    return Spawn(name, table.agent("from"), table.which("sees", "none"), tells)


_KINDS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[_Table], Step]]]] = {
    "ask": (("agent", "lists", "resend", "max_bytes", "max_files", "wanted"), _ask),
    "edit": (("find", "replace", "append"), _edit),
    "forget": (("agent",), _forget),
    "spawn": (("from", "sees", "tells"), _spawn),
}
"""What a step can be, with the keys it takes besides."""


# --- playing ------------------------------------------------------------------------------------------------------


def play(conversation: Conversation, open_project: OpenProject = OPEN) -> Iterator[Played]:
    """Plays a conversation from its start and yields each answer as it is made.

    A conversation with edits is played on a copy of the project, which is gone at the end; any other one in place.
    Handles count up, so that two plays make the same bytes. Raises `BadRequest` for a step that cannot be done, and
    what opening the project raises.
    """
    with _played_in(conversation) as folder, open_project(folder) as explorer:
        explorer.refresh()
        stage = _Stage(conversation, explorer)
        for number, step in enumerate(conversation.steps, 1):
            try:
                played = stage.play(step)
            except BadRequest as error:
                raise BadRequest(f"step {number}: {error}") from error
            if played is not None:
                yield played


@contextmanager
def _played_in(conversation: Conversation) -> Iterator[Path]:
    """The root of the project, or of a copy of its source where that is going to be edited."""
    root = project_root(conversation.project)
    if not any(isinstance(step, Edit) for step in conversation.steps):
        yield root
        return
    with TemporaryDirectory() as scratch:
        copy = Path(scratch).resolve() / (root.name or "root")
        copy.mkdir()
        for found in scan(root):
            _copy(root / found.path, copy / found.path)
        yield copy


def _copy(file: Path, to: Path) -> None:
    try:
        raw = file.read_bytes()
    except OSError:
        return  # as the index leaves out what cannot be read
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(raw)


@dataclass(frozen=True, slots=True)
class _Agent:
    """An agent: how it makes itself known, the answers that it can see, and how often it forgot all."""

    name: str
    tells: Tells
    sees: tuple[int, ...] = ()
    compactions: int = 0

    def chosen(self, which: Which) -> tuple[int, ...]:
        match which:
            case "all":
                return self.sees
            case "newest":
                return self.sees[-1:]
            case "none":
                return ()
        return which

    def without(self, which: Which) -> _Agent:
        gone = self.chosen(which)
        left = tuple(number for number in self.sees if number not in gone)
        return replace(self, sees=left, compactions=self.compactions + (which == "all"))

    @property
    def identifier(self) -> str | None:
        return f"{self.name} {self.compactions}" if self.tells is Tells.IDENTIFIER else None


class _Stage:
    """The agents on one connection, and the answers so far."""

    def __init__(self, conversation: Conversation, explorer: Explorer) -> None:
        handles = count(1)
        self._tells = conversation.tells
        self._client = conversation.client
        self._explorer = explorer
        self._conversations = Conversations(new_handle=lambda: f"{next(handles):08}")
        self._agents = {MAIN: _Agent(MAIN, conversation.tells)}
        self._answers: list[Played] = []

    def play(self, step: Step) -> Played | None:
        """Does one step; its answer where it is a call."""
        match step:
            case Ask():
                return self._ask(step)
            case Edit():
                _change(self._explorer.root, step)
                self._explorer.sync()
            case Forget():
                self._agents[step.agent] = self._agents[step.agent].without(step.answers)
            case Spawn():
                sees = self._agents[step.parent].chosen(step.sees)
                self._agents[step.agent] = _Agent(step.agent, step.tells or self._tells, sees)
        return None

    def _ask(self, ask: Ask) -> Played:
        """As a server does it: what the call stands on, its answer, and what is kept of that."""
        agent = self._agents[ask.agent]
        claim = self._claim(agent, ask.lists)
        view = self._conversations.view(claim, str(self._explorer.root), self._client)
        options = Options(ask.max_bytes, ask.max_files, self._explorer.wanted(ask.resend))
        answer = self._explorer.answer(ask.question, options, view, added=HANDLE_BYTES, refresh=False)
        handle = self._conversations.record(claim, view, answer.emission)
        seen = [self._answers[number - 1] for number in agent.sees]
        played = _account(len(self._answers) + 1, ask, answer, handle, seen)
        self._answers.append(played)
        self._agents[ask.agent] = replace(agent, sees=(*agent.sees, played.number))
        return played

    def _claim(self, agent: _Agent, lists: Which | None) -> Claim:
        if lists is None and agent.tells is Tells.HANDLES:
            lists = "all"
        if lists is None:
            return Claim(None, agent.identifier)
        handles = (self._answers[number - 1].handle for number in agent.chosen(lists))
        return Claim(tuple(handles), agent.identifier)


def _change(root: Path, edit: Edit) -> None:
    path = relative_to(root, edit.path)
    if all(found.path != path for found in scan(root)):  # so that nothing outside is reached, however it is written
        raise BadRequest(f"the project has no source at {edit.path!r}: give a file's path from its root")
    file = root / path
    raw, text = file.read_bytes(), edit.text.encode()
    if edit.find is not None:
        places = raw.count(edit.find.encode())
        if places != 1:
            raise BadRequest(f"the text to find is in {edit.path} {places} times: give text that is there once")
        file.write_bytes(raw.replace(edit.find.encode(), text))
    else:
        file.write_bytes(raw + text)


# --- accounting ---------------------------------------------------------------------------------------------------


def _account(number: int, ask: Ask, answer: Answer, handle: str, seen: Sequence[Played]) -> Played:
    """The answer with its account, for an agent that can see these answers."""
    files = [(file, _seen_lines(seen, file)) for file in answer.emission.files]
    symbols = _symbols(answer)
    seen_files = {file.path for played in seen for file in played.emission.sent}
    seen_symbols = {symbol for played in seen for symbol in played.symbols}
    return Played(
        number=number,
        agent=ask.agent,
        question=ask.question,
        text=f"{answer.text}\n\ncontext: {handle}",
        handle=handle,
        emission=answer.emission,
        symbols=symbols,
        sent=sum(file.spans.line_count for file, _ in files),
        held=sum((file.spans & before).line_count for file, before in files),
        pointed=sum(file.pointed.line_count for file, _ in files),
        unseen=sum((file.pointed - before).line_count for file, before in files),
        new_files=tuple(file.path for file in answer.emission.sent if file.path not in seen_files),
        new_symbols=tuple(symbol for symbol in symbols if symbol not in seen_symbols),
        wanted=sum(wanted.spans.line_count for wanted in ask.wanted),
        wanted_held=sum((wanted.spans & _shown(wanted.path, answer, seen)).line_count for wanted in ask.wanted),
    )


def _shown(path: str, answer: Answer, seen: Sequence[Played]) -> Spans:
    """The lines of a file that an answer or those before it show."""
    emissions = (answer.emission, *(played.emission for played in seen))
    return Spans(span for emission in emissions for file in emission.files if file.path == path for span in file.spans)


def _seen_lines(seen: Sequence[Played], file: EmittedFile) -> Spans:
    """The lines of a file that these answers sent, at the bytes that it has now."""
    before = (sent for played in seen for sent in played.emission.files)
    now = (file.path, file.fingerprint)
    return Spans(span for sent in before if (sent.path, sent.fingerprint) == now for span in sent.spans)


def _symbols(answer: Answer) -> tuple[str, ...]:
    """The symbols whose name stands in a line that was sent, each once."""
    sources = {share.menu.file.path: share.menu.source for share in answer.trace.plan.shares}
    return tuple(
        dict.fromkeys(
            f"{file.path}::{symbol.qualified}"
            for file in answer.emission.sent
            for symbol in sources[file.path].symbols
            if symbol.name and symbol.line in file.spans
        )
    )
