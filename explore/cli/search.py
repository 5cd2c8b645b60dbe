"""`search`: the ranked files with their best symbols and lines. It prints no source."""

from __future__ import annotations

import argparse
import json

from explore.cli.project import add_project, opened
from explore.model.ranked import RankedFile, RankedSymbol
from explore.model.section import shown_path

SYMBOLS_SHOWN, SYMBOLS_LISTED = 5, 10
"""Symbols of a file, for a person and as JSON."""


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("search", help="rank the files that answer a question, without source")
    parser.add_argument("question", nargs="+", help="a sentence, or names of symbols and files")
    add_project(parser)
    parser.add_argument("--limit", type=_count, default=10, metavar="N", help="most files (default: 10)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    with opened(arguments.project) as explorer:
        ranked = explorer.search(" ".join(arguments.question), refresh=False)
    files = (*ranked.files, *ranked.aside)[: arguments.limit]
    if arguments.json:
        print(json.dumps({"files": [as_json(file) for file in files]}, ensure_ascii=False))
    elif files:
        for file in files:
            names = ", ".join(f"{s.qualified} (L{s.line})" for s in named(file)[:SYMBOLS_SHOWN])
            print(f"{file.weight:8.1f}  {shown_path(file.path)}" + (f"  {names}" if names else ""))
    else:
        print("Nothing matches.")
    return 0


def _count(text: str) -> int:
    """A number of files; nothing listed would read as nothing found."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number, 1 or more")
    return int(text)


def named(file: RankedFile) -> list[RankedSymbol]:
    """The file's symbols that have a name, the best first."""
    return [symbol for symbol in file.symbols if symbol.qualified]


def as_json(file: RankedFile) -> dict[str, object]:
    """A ranked file as plain data."""
    symbols = [
        {"name": symbol.qualified, "line": symbol.line, "weight": round(symbol.weight, 3)}
        for symbol in named(file)[:SYMBOLS_LISTED]
    ]
    return {
        "path": file.path,
        "weight": round(file.weight, 3),
        "reasons": [reason.value for reason in file.reasons],
        "symbols": symbols,
    }
