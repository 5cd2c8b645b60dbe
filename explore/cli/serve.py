"""`serve`: the MCP server on stdio. It prints nothing else on stdout."""

from __future__ import annotations

import argparse
import sys

from explore.cli.project import notice
from explore.errors import BadRequest


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("serve", help="serve MCP on stdio")
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    if sys.stdin is None or sys.stdout is None:
        raise BadRequest("serve speaks over stdin and stdout, and one of them is closed")
    from explore.server.stdio import serve  # the protocol costs more to import than most verbs take

    serve(notice)
    return 0
