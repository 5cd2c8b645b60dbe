"""`status`: what is indexed and how fresh that is, which servers run, what is wrong and what mends it. It changes
nothing."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explore.cli.project import add_project, notice
from explore.explorer import Explorer
from explore.index.location import is_indexed, project_root
from explore.server.registry import Running, folder, running


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("status", help="say what is indexed, how fresh that is, and which servers run")
    add_project(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    root = project_root(arguments.project)
    about = _about(root)
    servers = running(folder())
    if arguments.json:
        print(json.dumps({**about, "servers": [dataclasses.asdict(server) for server in servers]}))
    else:
        print("\n".join([*_lines(about), *_server_lines(servers, str(root))]))
    return 0


def _about(root: Path) -> dict[str, Any]:
    if not is_indexed(root):
        return {"root": str(root), "indexed": False}
    with Explorer.open(root, exact=True, notice=notice) as explorer:
        return {**dataclasses.asdict(explorer.status()), "indexed": True}


def _lines(about: dict[str, Any]) -> Iterator[str]:
    root = about["root"]
    if not about["indexed"]:
        yield f"{root} is not indexed: run `codegraph-explore init {root}`, or just ask"
        return
    yield f"project   {root}"
    yield f"index     {about['index']} ({about['index_bytes'] / 1e6:.1f} MB)"
    languages = ", ".join(f"{name} {count:,}" for name, count in about["languages"].items())
    yield f"files     {about['files']:,}" + (f" ({languages})" if languages else "")
    yield f"symbols   {about['symbols']:,}"
    mend = f"the next question reads them, or run `codegraph-explore init {root}`"
    behind = about["behind"]
    yield f"freshness {behind:,} files are other than indexed: {mend}" if behind else "freshness in step with the files"


def _server_lines(servers: list[Running], root: str) -> Iterator[str]:
    """Those that have the project open first."""
    if not servers:
        yield "servers   none runs"
    for server in sorted(servers, key=lambda server: root not in server.roots):
        open_here = "has this project open" if root in server.roots else "does not have this project open"
        watching = ", and watches it" if root in server.watched else ""
        yield (
            f"servers   process {server.process} at {server.at} {open_here}{watching}: {server.clients} clients, "
            f"{server.calls:,} calls, {server.workers} workers"
        )
