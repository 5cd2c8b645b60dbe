"""The stages of one answer, in order. It knows no database, no protocol and no terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from explore.decay.curve import decayed
from explore.decay.tiers import Envelope, envelope_for
from explore.dedup.recover import Wanted, asks_again
from explore.errors import BadRequest
from explore.model.calls import Missing
from explore.model.corpus import Corpus
from explore.model.emission import Emission, EmittedFile
from explore.model.plan import Plan, Verdict
from explore.model.ranked import Ranked
from explore.model.section import Section
from explore.model.source import Role
from explore.planning import Call, Planned, make_plan
from explore.render.answer import HANDLE_BYTES, fit, size
from explore.render.build import build_section
from explore.render.notes import note_of, nothing_found
from explore.render.paths import path_of, path_room, users_note, users_room
from explore.retrieve.documents import rank_all
from explore.retrieve.question import Question, read_question
from explore.session.view import View

STRANGER: Final = View()
"""What a reader holds who was sent nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may set: the most bytes (1,000 to 50,000) and files (1 to 40) of the answer, where None leaves it
    to the engine; what is to be sent again, where True is all that is held; whether what is held is withheld at all,
    and whether answers then shrink as the conversation goes on; and a sentence that the answer ends with."""

    max_bytes: int | None = None
    max_files: int | None = None
    resend: tuple[Wanted, ...] | Literal[True] = ()
    withhold: bool = True
    decay: bool = True
    notice: str = ""


DEFAULTS: Final = Options()


Clock = Callable[[], float]
"""Seconds from any beginning."""


def no_clock() -> float:
    """For who does not ask how long the stages take."""
    return 0.0


@dataclass(frozen=True, slots=True)
class Trace:
    """How an answer came about, for those who explain it: the envelope, what was found and planned, what was to be sent
    again and is not, the sections that survived, and the seconds that the stages took."""

    envelope: Envelope
    ranked: Ranked
    plan: Plan
    not_again: Mapping[str, Verdict]
    sections: tuple[Section, ...]
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Answer:
    """The engine's text, what it delivered, and how it came about."""

    text: str
    emission: Emission
    trace: Trace


def explore(
    text: str,
    corpus: Corpus,
    project: str,
    options: Options = DEFAULTS,
    view: View = STRANGER,
    clock: Clock = no_clock,
) -> Answer:
    """Answers a question from a corpus, for a reader who holds what is in `view`.

    `project` is the resolved root, by which the emission is known; `clock` is read between the stages. Raises
    `BadRequest` for an empty question or a bound out of its range; a question that finds nothing is an answer like any
    other.
    """
    begin = clock()
    call = _call(_read(text), corpus.totals().files, options, view)
    ranked = rank_all(call.question, corpus)
    call = replace(call, files=_counted(call, ranked, corpus))
    call = replace(call, told=_path_room(call, ranked) + _users_room(call, ranked))
    found = clock()
    planned = make_plan(call, ranked, corpus)
    shared = clock()
    sections = [build_section(share) for share in planned.plan.shares]
    ceiling = call.envelope.ceiling - HANDLE_BYTES
    path = path_of(ranked.traced, _path_room(call, ranked))
    fitted = fit(call.question.text, call.files, sections, _note(call, ranked, planned), ceiling, path)
    emission = _emission(project, call, fitted.sections, size(fitted.text))
    seconds = {"retrieve": found - begin, "allocate": shared - found, "build": clock() - shared}
    trace = Trace(call.envelope, ranked, planned.plan, planned.not_again, fitted.sections, seconds)
    return Answer(fitted.text, emission, trace)


def search(text: str, corpus: Corpus) -> Ranked:
    """The ranked files and symbols for a question, without source; `BadRequest` where it is empty."""
    return rank_all(_read(text), corpus)


def _read(text: str) -> Question:
    if not isinstance(text, str):
        raise BadRequest(f"a question is text, not {type(text).__name__}")
    if not text.strip():
        raise BadRequest("the question is empty: ask how something works, or name symbols or files")
    return read_question(text)


def _call(question: Question, files: int, options: Options, view: View) -> Call:
    """The call with its envelope, over a project of so many files: what is asked for again comes at full length."""
    again = options.resend is True or asks_again(view, question.normalised)
    envelope = envelope_for(files, options.max_bytes, options.max_files)
    if options.decay and options.withhold and not (again or options.resend):
        envelope = decayed(envelope, files, view.number + 1)
    return Call(question, options.resend, options.withhold and not again, options.notice, view, envelope, files)


def _counted(call: Call, ranked: Ranked, corpus: Corpus) -> int:
    """The files that an answer says it is from: documents count where it may show any, or there is nothing else."""
    counts = not call.files or any(file.role & Role.DOCUMENT for file in ranked.files)
    return call.files + (corpus.documents.totals().files if counts else 0)


def _path_room(call: Call, ranked: Ranked) -> int:
    return path_room(ranked.traced, call.envelope.bytes)


def _users_room(call: Call, ranked: Ranked) -> int:
    return users_room(ranked.users, call.envelope.bytes)


def _note(call: Call, ranked: Ranked, planned: Planned) -> str:
    missing = _still_missing(ranked, planned)
    note = note_of(planned.plan.named_only, call.note_room, missing, planned.left, planned.unknown)
    if not ranked.files and not planned.plan.shares:
        note = "\n".join(filter(None, (note, nothing_found(call.files))))
    users = users_note(ranked.users, _users_room(call, ranked)) if planned.plan.shares else ""
    return "\n\n".join(filter(None, ("\n".join(filter(None, (note, users))), call.notice)))


def _still_missing(ranked: Ranked, planned: Planned) -> tuple[Missing, ...]:
    """The names that are not there, without those that files got since they were indexed, as far as those are shown."""
    sources = [share.menu.source for share in planned.plan.shares if not share.menu.source.as_indexed]
    names = {symbol.name for source in sources for symbol in source.symbols}
    return tuple(missing for missing in ranked.missing if missing.word not in names)


def _emission(project: str, call: Call, sections: Sequence[Section], response_bytes: int) -> Emission:
    """Read off the sections that survived, never from the plan."""
    files = tuple(
        EmittedFile(section.path, section.fingerprint, section.spans, section.source_bytes, section.pointed)
        for section in sections
        if section.spans or section.pointed
    )
    counts = any(file.spans for file in files) and not call.resend
    return Emission(project, call.question.normalised, files, response_bytes, call.view.number + counts)
