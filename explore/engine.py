"""The stages of one answer, in order. It knows no database, no protocol and no terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from typing import Final

from explore.decay.tiers import Envelope, envelope_for
from explore.errors import BadRequest
from explore.model.corpus import Corpus
from explore.model.emission import Emission, SentFile
from explore.model.plan import Menu, Plan, Verdict
from explore.model.ranked import Ranked
from explore.model.section import Section
from explore.render.allocate import allocate
from explore.render.answer import fit, header, size
from explore.render.build import build_section
from explore.render.notes import note_of, note_room, nothing_found
from explore.render.price import Price
from explore.render.select import Asked, select
from explore.retrieve.question import Question, read_question
from explore.retrieve.rank import rank

SPARE_FILES: Final = 4
"""Files read besides those that have a place, for the case that some of those are gone."""

MOST_TURNS: Final = 4
"""Smaller answers tried in the place of one; the nearest tell."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may set: the most bytes (1,000 to 50,000) and files (1 to 40) of the answer, where None leaves it
    to the engine; and a sentence that the answer ends with."""

    max_bytes: int | None = None
    max_files: int | None = None
    notice: str = ""


DEFAULTS: Final = Options()


@dataclass(frozen=True, slots=True)
class Trace:
    """How an answer came about, for those who explain it: the envelope, what was found and what was planned."""

    envelope: Envelope
    ranked: Ranked
    plan: Plan


@dataclass(frozen=True, slots=True)
class Answer:
    """The engine's text, what it delivered, and how it came about."""

    text: str
    emission: Emission
    trace: Trace


def explore(text: str, corpus: Corpus, project: str, options: Options = DEFAULTS) -> Answer:
    """Answers a question from a corpus.

    `project` is the resolved root, by which the emission is known. Raises `BadRequest` for an empty question or a
    bound out of its range; a question that finds nothing is an answer like any other.
    """
    question = _read(text)
    files = corpus.totals().files
    envelope = envelope_for(files, options.max_bytes, options.max_files)
    ranked = rank(question, corpus)
    plan = _plan(question, ranked, corpus, envelope, files, options.notice)
    sections = [build_section(share) for share in plan.shares]
    fitted = fit(text, files, sections, _note(ranked, plan, files, envelope, options.notice), envelope.ceiling)
    emission = _emission(project, question, fitted.sections, size(fitted.text))
    return Answer(fitted.text, emission, Trace(envelope, ranked, plan))


def search(text: str, corpus: Corpus) -> Ranked:
    """The ranked files and symbols for a question, without source; `BadRequest` where it is empty."""
    return rank(_read(text), corpus)


def _read(text: str) -> Question:
    if not text.strip():
        raise BadRequest("the question is empty: ask how something works, or name symbols or files")
    return read_question(text)


def _plan(question: Question, ranked: Ranked, corpus: Corpus, envelope: Envelope, files: int, notice: str) -> Plan:
    """The envelope, less its header, note and notice, shared over the files as they are on disk now."""
    wanted = [file.path for file in ranked.files[: envelope.max_files + SPARE_FILES]]
    prices = {path: Price(source) for path, source in corpus.sources(wanted).items()}
    head, last = size(header(question.text, envelope.max_files, files)), size(f"\n\n{notice}") if notice else 0
    room = envelope.bytes - head - note_room(envelope.bytes) - last - 2 * (envelope.max_files + 1)
    plan = _fullest(ranked, question, prices, envelope, room)
    gone = tuple((file, Verdict.GONE) for file in ranked.files if file.path in wanted and file.path not in prices)
    rest = tuple((file, Verdict.NO_PLACE) for file in ranked.files if file.path not in wanted)
    return replace(plan, named_only=(*gone, *plan.named_only, *rest))


def _fullest(ranked: Ranked, question: Question, prices: Mapping[str, Price], envelope: Envelope, room: int) -> Plan:
    """The plan at this room; where the caller swept over it, at a smaller one if that shows more source.

    More room shows more, but for the turns where a symbol stops being cut: whole, it can push others out. What the
    answer just below such a turn would have shown is not lost.
    """

    def plan_at(room: int) -> tuple[Plan, tuple[Menu, ...]]:
        menus = select(ranked, Asked(question.terms, room), prices)
        return allocate(menus, prices, room, envelope.max_files, overshoot=envelope.ceiling - envelope.bytes), menus

    best, menus = plan_at(room)
    turns = {turn for menu in menus for turn in menu.turns if turn <= room} if envelope.exact else ()
    for turn in nlargest(MOST_TURNS, turns):
        if turn - 1 <= best.source_bytes:
            break
        best = max(best, plan_at(turn - 1)[0], key=lambda plan: plan.source_bytes)
    return best


def _note(ranked: Ranked, plan: Plan, files: int, envelope: Envelope, notice: str) -> str:
    room = note_room(envelope.bytes)
    note = note_of(plan.named_only, room, ranked.missing) if ranked.files else nothing_found(files)
    return "\n\n".join(filter(None, (note, notice)))


def _emission(project: str, question: Question, sections: Sequence[Section], response_bytes: int) -> Emission:
    """Read off the sections that survived, never from the plan."""
    sent = tuple(SentFile(s.path, s.fingerprint, s.spans, s.source_bytes) for s in sections if s.spans)
    return Emission(project, question.normalised, sent, response_bytes)
