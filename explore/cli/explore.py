"""`explore`: answers one question on stdout. It keeps no state between runs."""

from __future__ import annotations

import argparse
import json

from explore.cli.project import add_project, opened
from explore.engine import Answer


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("explore", help="answer a question with the source that matters")
    parser.add_argument("question", nargs="+", help="a sentence, or names of symbols and files")
    add_project(parser)
    parser.add_argument(
        "--max-bytes",
        type=int,
        metavar="N",
        help="most bytes of the answer, 1000 to 50000 (default: by the size of the project, 14300 to 24000)",
    )
    parser.add_argument(
        "--max-files",
        type=int,
        metavar="N",
        help="most files with source, 1 to 40 (default: by the size of the project, 4 to 8)",
    )
    parser.add_argument("--json", action="store_true", help="print the text and what it delivered as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    with opened(arguments.project) as explorer:
        answer = explorer.explore(
            " ".join(arguments.question),
            max_bytes=arguments.max_bytes,
            max_files=arguments.max_files,
            refresh=False,
        )
    print(json.dumps(as_json(answer), ensure_ascii=False) if arguments.json else answer.text)
    return 0


def as_json(answer: Answer) -> dict[str, object]:
    """The answer as plain data: its text, and per file the lines that it delivered."""
    files = [
        {"path": file.path, "fingerprint": file.fingerprint, "lines": [[span.start, span.end] for span in file.spans],
         "source_bytes": file.source_bytes}
        for file in answer.emission.files
    ]  # fmt: skip
    return {"text": answer.text, "files": files, "bytes": answer.emission.response_bytes}
