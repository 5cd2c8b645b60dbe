"""`serve`: the MCP server, on stdio or over HTTP. It prints nothing else on stdout."""

from __future__ import annotations

import argparse
import os
import sys

from explore.cli.project import notice
from explore.errors import BadRequest

MOST_WORKERS = 64


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("serve", help="serve MCP on stdio, or over HTTP")
    parser.add_argument(
        "root", nargs="*", help="with --http: the projects that may be asked about (default: the working directory)"
    )
    parser.add_argument(
        "--http", metavar="HOST:PORT", help="serve many clients over streamable HTTP at this address, under /mcp"
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="clients must send the token in it; needed for any address but this machine's",
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes that answer, 0 for none but the server (default: by cores)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    workers = _workers(arguments.workers)
    if arguments.http is not None:
        from explore.server.http import serve_http  # the protocol costs more to import than most verbs take

        serve_http(arguments.http, arguments.root or ["."], arguments.token_file, workers, notice)
        return 0
    if arguments.root or arguments.token_file:
        raise BadRequest("on stdio serve takes neither projects nor a token: those are for --http HOST:PORT")
    if sys.stdin is None or sys.stdout is None:
        raise BadRequest("serve speaks over stdin and stdout, and one of them is closed")
    from explore.server.stdio import serve

    serve(notice, workers)
    return 0


def _workers(asked: int | None) -> int:
    """As many as are asked for; by default one for each core, up to four."""
    if asked is None:
        return min(4, os.cpu_count() or 1)
    if not 0 <= asked <= MOST_WORKERS:
        raise BadRequest(f"--workers must be from 0 to {MOST_WORKERS}, not {asked}")
    return asked
