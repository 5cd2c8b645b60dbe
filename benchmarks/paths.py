"""Asks how code hangs together, where the true path is known; it judges by names and never asks an engine's index.

    paths.py --clones DIR --ours codegraph-explore [--peer /path/to/codegraph] [--questions FILE ...]

`paths/questions.json` and `paths/more_questions.json` were written from the sources, with the true paths, before any
engine ran on them. DIR holds the clones (OWNER/NAME, NAME or OWNER+NAME/repo); each is laid out at the question's
revision and indexed. A side gives a true path where a run of its lines that hold an arrow names the steps in order, or
where for one line of such a run the whole of it does. What it draws besides for a question that it did not answer truly
is printed, for a reader to judge: it may be true in another way, a part, or false.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent / "paths"
ENVIRONMENT: Final = {"CODEGRAPH_TELEMETRY": "off", "CODEGRAPH_NO_DAEMON": "1"}
ARROW: Final = re.compile(r"→|->|⟶")
NUMBERED: Final = re.compile(r"^\d+\t")

Question = dict[str, Any]
"""As in the files: `repo`, `revision`, `question`, and `paths`, each a list of steps with their `symbol`."""


def main() -> int:
    arguments = _arguments()
    commands = {"ours": arguments.ours} | ({"peer": arguments.peer} if arguments.peer else {})
    try:
        questions = [each for file in arguments.questions for each in json.loads(Path(file).read_text("utf-8"))]
        true: dict[str, int] = defaultdict(int)
        for question, drawn in _asked(questions, arguments.clones, commands):
            print(f"{question['repo']}: {question['question']}")
            for side, runs in drawn.items():
                found = any(_tells(run, path) for run in runs for path in question["paths"])
                true[side] += found
                print(f"  {side}: {'true' if found else 'control' if not question['paths'] else 'not told'}")
                if not found:
                    print("".join(f"    {line}\n" for run in runs for line in run), end="")
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"paths.py: {error}", file=sys.stderr)
        return 1
    total = sum(bool(question["paths"]) for question in questions)
    print("; ".join(f"{side}: {true[side]} of {total}" for side in commands))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--clones", required=True, type=Path)
    parser.add_argument("--ours", required=True, type=_command)
    parser.add_argument("--peer", type=_command)
    parser.add_argument(
        "--questions", nargs="+", default=[HERE / "questions.json", HERE / "more_questions.json"], type=Path
    )
    return parser.parse_args()


def _command(text: str) -> list[str]:
    """A command that can be run from any folder."""
    program, *rest = shlex.split(text)
    return [str(Path(program).resolve()) if Path(program).exists() else program, *rest]


def _asked(
    questions: Sequence[Question], clones: Path, commands: dict[str, list[str]]
) -> Iterator[tuple[Question, dict[str, list[list[str]]]]]:
    """Each question with the runs of arrows that each side draws for it; a repository is laid out once."""
    by_tree: dict[tuple[str, str], list[Question]] = defaultdict(list)
    for question in questions:
        by_tree[question["repo"], question["revision"]].append(question)
    for (repo, revision), asked in by_tree.items():
        with tempfile.TemporaryDirectory() as scratch:
            _lay_out(_clone(clones, repo), revision, Path(scratch))
            for command in commands.values():
                _run([*command, "init", "."], scratch)
            for question in asked:
                answers = {
                    side: _run([*cmd, "explore", question["question"]], scratch) for side, cmd in commands.items()
                }
                yield question, {side: list(_runs(answer)) for side, answer in answers.items()}


def _clone(clones: Path, repo: str) -> Path:
    name = repo.split("/")[1]
    for candidate in (clones / repo, clones / name, clones / repo.replace("/", "+") / "repo"):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"no clone of {repo} in {clones}")


def _lay_out(clone: Path, revision: str, into: Path) -> None:
    packed = subprocess.run(["git", "-C", str(clone), "archive", revision], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(into, filter="data")


def _run(command: Sequence[str], root: str) -> str:
    done = subprocess.run(command, cwd=root, env={**os.environ, **ENVIRONMENT}, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def _runs(answer: str) -> Iterator[list[str]]:
    """Lines in a row that draw arrows, each run with the line before it; source is none of it."""
    run: list[str] = []
    before = ""
    for line in answer.split("\n"):
        if ARROW.search(line) and not NUMBERED.match(line):
            run += [line] if run else [before, line]
        elif run:
            yield run
            run = []
        before = line
    if run:
        yield run


def _tells(run: Sequence[str], path: Sequence[dict[str, str]]) -> bool:
    """Whether a run names all steps in order, over its lines or within one of them."""
    return any(_in_order(text, path) for text in ("\n".join(run), *run))


def _in_order(text: str, path: Sequence[dict[str, str]]) -> bool:
    at = 0
    for step in path:
        name = re.compile(rf"(?<![\w$]){re.escape(step['symbol'].split('.')[-1])}(?![\w$])")
        found = name.search(text, at)
        if found is None:
            return False
        at = found.end()
    return True


if __name__ == "__main__":
    sys.exit(main())
