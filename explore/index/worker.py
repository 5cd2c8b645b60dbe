"""A process that reads and parses: files come in batches, as lines of JSON on stdin, and what became of them goes
out on stdout in the same way. It never writes to an index."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, Final

from explore.index.read import news_to_plain, read, task_from_plain

READY: Final = b"ready\n"
"""The line that it begins with, when all that parsing needs is loaded."""


def main() -> None:
    """Reads until stdin ends. Nothing but its answers reaches stdout."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(BrokenPipeError):  # who asked has ended, or wants no more
        answer(sys.stdin.buffer, answers)


def answer(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Answers each job, a root and tasks, before it reads the next."""
    import_module("explore.index.record")
    answers.write(READY)
    answers.flush()
    for line in jobs:
        root, tasks = json.loads(line)
        news = read(map(task_from_plain, tasks), Path(root))
        answers.write(json.dumps(news_to_plain(news)).encode() + b"\n")
        answers.flush()
