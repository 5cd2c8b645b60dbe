"""Mines recall cases from a repository's history; it asks no engine anything and never changes the repository.

    mine_cases.py --repo CLONE [--most 20] [--past COMMIT] > cases/NAME.json

A case is a commit whose subject reads like a question: the subject is what is asked at the commit's parent, and the
lines of the parent that the commit changes or deletes are what an answer ought to hold. Where a commit only inserts,
the line before the insertion stands for it. Left out are merges, releases, changes of documents or dependencies, and
changes that touch tests or samples alone, too many files or too many lines to be one question.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from explore.index.languages import language_of
from explore.index.scan import role_of

LEAST_WORDS: Final = 4
MOST_FILES: Final = 3
LEAST_LINES, MOST_LINES = 2, 130
"""Bounds on what is one question with one answer; the cases of the first eight repositories lie within them."""

_PREFIX: Final = re.compile(r"^(?:\w+(?:\([\w ./,-]+\))?!?|\[[^\]]+\]):\s*")
_TRAILER: Final = re.compile(r"\s*\(#\d+\)$")
_NOT_A_QUESTION: Final = re.compile(
    r"\b(?:bump|release|version|changelog|readme|merge|revert|typos?|lint|dependabot|prettier|reformat|copyright)\b"
    r"|^(?:docs?|chore|ci|test|tests|style|build)\b",
    re.IGNORECASE,
)
_FILE: Final = re.compile(r"^--- a/(.+)$")
_HUNK: Final = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+")


@dataclass(frozen=True, slots=True)
class Case:
    """One commit: `gold` holds, for each source file of the parent, the lines that the commit touched."""

    commit: str
    parent: str
    query: str
    gold: dict[str, list[int]]


def cases(repo: Path, past: str) -> Iterator[Case]:
    """Every commit that makes a case, the newest first."""
    for line in _git(repo, "log", "--no-merges", "--format=%H %P\t%s", past).splitlines():
        commits, _, subject = line.partition("\t")
        commit, *parents = commits.split()
        query = question(subject)
        if query and len(parents) == 1:
            gold = touched(_git(repo, "diff", "-U0", "--no-renames", "--no-color", "--no-ext-diff", parents[0], commit))
            if is_one_question(gold):
                yield Case(commit, parents[0], query, gold)


def question(subject: str) -> str:
    """The subject without its label and number; empty where it asks nothing."""
    text = _PREFIX.sub("", _TRAILER.sub("", subject))
    return "" if _NOT_A_QUESTION.search(subject) or len(text.split()) < LEAST_WORDS else text


def touched(diff: str) -> dict[str, list[int]]:
    """For each source file that was there before, the lines that the diff changes, deletes or inserts after."""
    gold: dict[str, list[int]] = {}
    path = ""
    for line in diff.splitlines():
        if line.startswith("--- "):
            path = found[1] if (found := _FILE.match(line)) and _is_source(found[1]) else ""
        elif path and (hunk := _HUNK.match(line)):
            start, count = int(hunk[1]), int(hunk[2] or 1)
            gold.setdefault(path, []).extend(range(max(start, 1), max(start, 1) + max(count, 1)))
    return gold


def is_one_question(gold: dict[str, list[int]]) -> bool:
    """Whether a change is of a size that one answer can hold."""
    lines = sum(map(len, gold.values()))
    return 1 <= len(gold) <= MOST_FILES and LEAST_LINES <= lines <= MOST_LINES


def _is_source(path: str) -> bool:
    return language_of(path) is not None and not role_of(path, "")


def _git(repo: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repo), *arguments], check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")


def main() -> None:
    """Prints the cases of one repository as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repo", type=Path, required=True, help="a clone with its history")
    parser.add_argument("--most", type=int, default=20, help="how many cases")
    parser.add_argument("--past", default="HEAD", help="the newest commit that counts")
    options = parser.parse_args()
    found = islice(cases(options.repo, options.past), options.most)
    print(json.dumps([asdict(case) for case in found], indent=1))


if __name__ == "__main__":
    main()
