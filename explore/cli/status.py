"""`status`: what is indexed, and where. It changes nothing."""

from __future__ import annotations

import argparse
import dataclasses
import json

from explore.cli.project import add_project, notice
from explore.explorer import Explorer
from explore.index.location import is_indexed, project_root


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("status", help="say what is indexed, and where")
    add_project(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    root = project_root(arguments.project)
    if not is_indexed(root):
        print(
            json.dumps({"root": str(root), "indexed": False})
            if arguments.json
            else f"{root} is not indexed: run `codegraph-explore init {root}`, or just ask"
        )
        return 0
    with Explorer.open(root, exact=True, notice=notice) as explorer:
        status = explorer.status()
    if arguments.json:
        print(json.dumps({**dataclasses.asdict(status), "indexed": True}))
    else:
        print(f"project   {status.root}")
        print(f"index     {status.index} ({status.index_bytes / 1e6:.1f} MB)")
        languages = ", ".join(f"{name} {count:,}" for name, count in status.languages.items())
        print(f"files     {status.files:,}" + (f" ({languages})" if languages else ""))
        print(f"symbols   {status.symbols:,}")
    return 0
