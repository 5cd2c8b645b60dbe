"""The command line: arguments to a verb, and every expected error to one sentence. It does none of the work itself."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from explore import __version__
from explore.errors import ExploreError

VERBS = ("init", "explore", "search", "status", "serve", "install", "hook", "replay", "demo")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one verb; the exit code: 0, 1 for what could not be done, 2 for wrong arguments, 130 when interrupted."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # answers are UTF-8 in every locale, as their sizes say
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    words = sys.argv[1:] if argv is None else argv
    # A hook runs at every call of its host, and must not wait for what it does not use.
    arguments = _parser(["hook"] if words[:1] == ["hook"] else VERBS).parse_args(words)
    try:
        code: int = arguments.run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except ExploreError as error:
        print(f"codegraph-explore: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone, which is how `| head` ends; Python must not complain of it at exit.
        _silence()
        return 0
    except OSError as error:
        _silence()
        print(f"codegraph-explore: the answer could not be written: {error.strerror}", file=sys.stderr)
        return 1


def _silence() -> None:
    """Lets what is still to be written to stdout go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(names: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="codegraph-explore",
        description="Answers questions about a repository with the source that matters, verbatim and numbered.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for name in names:
        import_module(f"explore.cli.{name}").add_to(verbs)
    return parser


def run() -> NoReturn:
    """The entry point of the installed command."""
    sys.exit(main())
