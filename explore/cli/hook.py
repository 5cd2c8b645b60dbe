"""`hook`: what a host's hook runs. Silent, fast, and harmless: whatever comes in, it ends well."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress

from explore.hosts.config import CLAUDE_CODE


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("hook", help="for a host's hooks: tells the server which conversation a call is of")
    parser.add_argument("host", choices=[CLAUDE_CODE])
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    from platformdirs import user_cache_path

    from explore.hosts.hook import answered

    with suppress(OSError, ValueError, AttributeError):  # a hook that fails would stand in the way of the call
        text = sys.stdin.buffer.read(1 << 24).decode("utf-8", "replace")
        reply = answered(text, user_cache_path("codegraph-explore", appauthor=False) / "conversations")
        sys.stdout.write(reply + "\n" if reply else "")
        sys.stdout.flush()
    return 0
