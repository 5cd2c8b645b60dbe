"""`replay`: plays a written conversation and prints each answer with its account. It changes no file of the project."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from explore.cli.project import opened
from explore.replay import Ask, Edit, Forget, Played, Spawn, Which, play, read_conversation

SCRIPT: Final = """\
A script is TOML: the project, as a path from the script's folder, and its steps.

  project = "../payroll"
  tells = "handles"              how agents make themselves known: handles, identifier, or connection
  client = "some-host"           the name that the client gives (default: none)

  [[step]]
  ask = "how is overtime paid"   with agent (default: main), lists (the answers whose handles the call gives: all,
                                 newest, none, or their numbers; default: all in sight), resend, max_bytes, max_files,
                                 wanted (the lines that answer it, as "src/pay.py:10-20,30-34"; the account says how
                                 many of them the agent then holds)
  [[step]]
  forget = "all"                 answers that an agent can no longer see; with agent
  [[step]]
  spawn = "reviewer"             a new agent; with from (default: main), sees (default: none), tells
  [[step]]
  edit = "src/pay.py"            with find and replace, or append; done in a copy of the project

The account of an answer: lines sent, those of them that the agent held already (sent again), lines pointed at, those of
them that the agent cannot see, and files and symbols that are new to it.
"""


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "replay", help="play a written conversation, with an account of each answer", epilog=SCRIPT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("script", type=Path, metavar="SCRIPT.toml", help="the conversation")
    parser.add_argument("--summary", action="store_true", help="print the accounts without the answers")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, for each answer")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    conversation = read_conversation(arguments.script)
    answers = play(conversation, lambda folder: opened(str(folder), exact=True))
    for step in conversation.steps:
        if isinstance(step, Ask):
            print(_shown(next(answers), arguments))
        elif not arguments.json:
            print(f"--- {told(step)}")
    assert next(answers, None) is None  # what comes after the last question is done, too
    return 0


def _shown(played: Played, arguments: argparse.Namespace) -> str:
    if arguments.json:
        return json.dumps(as_json(played, text=not arguments.summary), ensure_ascii=False)
    return account(played) if arguments.summary else f"=== {account(played)}\n\n{played.text}\n"


def told(step: Edit | Forget | Spawn) -> str:
    """What happens between two answers, in a line."""
    match step:
        case Edit():
            return f"{step.path} is edited"
        case Forget():
            return f"{step.agent} can no longer see its answers: {_answers(step.answers)}"
        case Spawn():
            return f"{step.agent} starts and can see of {step.parent}'s answers: {_answers(step.sees)}"


def _answers(which: Which) -> str:
    if isinstance(which, tuple):
        return ", ".join(map(str, which)) or "none"
    return "the newest" if which == "newest" else which


def account(played: Played) -> str:
    """One line: the answer's number and agent, lines sent (of those held), lines pointed at (of those not in sight),
    new files and symbols, bytes, and the question."""
    lines = f"{played.sent:4} sent {played.held:3} held {played.pointed:4} pointed at {played.unseen:3} unseen"
    new = f"{len(played.new_files):2} new files {len(played.new_symbols):3} new symbols"
    wanted = f"{played.wanted_held:3} of {played.wanted:3} wanted  " if played.wanted else ""
    question = " ".join(played.question.split())
    return f"{played.number:2} {played.agent:8} {lines} {new} {played.bytes:6,} bytes  {wanted}{question}"


def as_json(played: Played, *, text: bool = True) -> dict[str, object]:
    """An answer, with its text or without, and its account as plain data; lines are pairs of the first and the last."""
    files = [
        {"path": file.path, "fingerprint": file.fingerprint,
         "lines": [[span.start, span.end] for span in file.spans],
         "pointed": [[span.start, span.end] for span in file.pointed]}
        for file in played.emission.files
    ]  # fmt: skip
    return {
        "number": played.number,
        "agent": played.agent,
        "question": played.question,
        **({"text": played.text} if text else {}),
        "files": files,
        "sent": played.sent,
        "held": played.held,
        "pointed": played.pointed,
        "unseen": played.unseen,
        "new_files": played.new_files,
        "new_symbols": played.new_symbols,
        **({"wanted": played.wanted, "wanted_held": played.wanted_held} if played.wanted else {}),
        "bytes": played.bytes,
    }
