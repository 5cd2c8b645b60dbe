"""`demo`: the main job on a small repository that comes with the package. It leaves nothing behind."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from explore.cli.project import opened
from explore.errors import IndexUnavailable

REPOSITORY = "payroll"
QUESTION = "how is overtime paid for hourly employees"


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("demo", help="answer a question about a small repository that comes along")
    parser.add_argument("question", nargs="*", help=f"default: {QUESTION}")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    question = " ".join(arguments.question) or QUESTION
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / REPOSITORY
        shutil.copytree(_repository(), root)
        begin = time.perf_counter()
        with opened(str(root), exact=True) as explorer:
            indexed = time.perf_counter()
            answer = explorer.explore(question, refresh=False)
            answered = time.perf_counter()
            files = explorer.status().files
        print(answer.text)
        sys.stdout.flush()
        print(
            f"\n{files} files indexed in {indexed - begin:.2f} s, answered in {(answered - indexed) * 1000:.0f} ms: "
            f"{answer.emission.response_bytes:,} bytes, {len(answer.emission.files)} files.",
            file=sys.stderr,
        )
    return 0


def _repository() -> Path:
    """The repository as packed into the wheel, or as it stands in a checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here / "demo_repositories" / REPOSITORY, here.parents[1] / "fixtures" / REPOSITORY):
        if folder.is_dir():
            return folder
    raise IndexUnavailable("the demo's repository did not come with this installation: install it again")
