"""What withholding adds to a warm answer: the same follow-up question, asked by turns with it and without it.

    withholding.py --repo DIR --cases CASES.json

`DIR` is a project that is indexed or will be; the questions are the first ones of a file that `mine_cases.py` writes.
Prints milliseconds a question, medians over the rounds, and their mean.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, median

from explore.engine import Options
from explore.explorer import Explorer
from explore.session.view import View

PREFIX = "where is this implemented: "


def milliseconds(ask: Callable[[], object]) -> float:
    begin = time.perf_counter()
    ask()
    return (time.perf_counter() - begin) * 1000


def follow_up(explorer: Explorer, question: str, rounds: int) -> tuple[float, float]:
    """Median milliseconds of the second question without and with withholding, after one that was answered."""
    view = View((explorer.answer(question, Options(), refresh=False).emission,))
    second = PREFIX + question

    def ask(withhold: bool) -> float:
        return milliseconds(lambda: explorer.answer(second, Options(withhold=withhold), view, refresh=False))

    pairs = [(ask(False), ask(True)) for _ in range(rounds)]
    return median(without for without, _ in pairs), median(with_it for _, with_it in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    questions = [case["query"] for case in json.loads(arguments.cases.read_text())[: arguments.limit]]
    with Explorer.open(arguments.repo) as explorer:
        explorer.sync()
        rows = [follow_up(explorer, question, arguments.rounds) for question in questions]
    for question, (without, with_it) in zip(questions, rows, strict=True):
        print(f"{without:7.1f} without {with_it:7.1f} with {with_it - without:+6.1f}  {question[:70]}")
    without, with_it = fmean(row[0] for row in rows), fmean(row[1] for row in rows)
    print(f"{without:7.1f} without {with_it:7.1f} with {with_it - without:+6.1f}  mean of {len(rows)}")


if __name__ == "__main__":
    main()
