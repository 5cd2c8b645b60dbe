"""Of the lines that real commits went on to change, the share in the first answer; it changes no repository.

    mine_cases.py --repo CLONE --most 20 > cases.json
    recall.py --repo CLONE --cases cases.json

Each case is a commit: its files are laid out as they were before it, indexed, and its subject is asked. Line recall is
the share of the lines it changed or deleted that the answer shows, file recall that of its files with five or more
lines shown.
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from explore import Answer, Explorer

ENOUGH_LINES = 5
"""Lines shown of a file from which on it counts as found."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares from 0 to 1, and bytes of the answer."""

    line: float
    file: float
    size: int


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repo", required=True, type=Path, help="a clone with its history")
    parser.add_argument("--cases", required=True, type=Path, help="cases as mine_cases.py prints them")
    arguments = parser.parse_args()
    try:
        cases = json.loads(arguments.cases.read_text("utf-8"))
        rows = [measure(arguments.repo, case) for case in cases]
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"recall.py: {error}", file=sys.stderr)
        return 1
    mean = [statistics.fmean(getattr(row, name) for row in rows) for name in ("line", "file", "size")]
    print(f"{arguments.cases.stem}: line {mean[0]:.3f}  file {mean[1]:.3f}  bytes {mean[2]:,.0f}  of {len(rows)} cases")
    return 0


def measure(repo: Path, case: dict[str, object]) -> Figures:
    """Asks for one commit at its parent."""
    with tempfile.TemporaryDirectory() as scratch:
        lay_out(repo, str(case["parent"]), Path(scratch))
        with Explorer.open(scratch, exact=True) as explorer:
            answer = explorer.explore(str(case["query"]))
    return figures(answer, case["gold"])  # type: ignore[arg-type]


def lay_out(repo: Path, commit: str, target: Path) -> None:
    """Writes a commit's files out."""
    packed = subprocess.run(["git", "-C", repo, "archive", commit], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(target, filter="data")


def figures(answer: Answer, gold: dict[str, list[int]]) -> Figures:
    """What the answer shows of the lines asked for."""
    shown = {file.path: set(file.spans.lines()) for file in answer.emission.files}
    found = sum(len(shown.get(path, set()) & set(lines)) for path, lines in gold.items())
    files = sum(len(shown.get(path, ())) >= ENOUGH_LINES for path in gold)
    return Figures(found / sum(map(len, gold.values())), files / len(gold), answer.emission.response_bytes)


if __name__ == "__main__":
    sys.exit(main())
