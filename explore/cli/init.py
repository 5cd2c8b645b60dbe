"""`init`: makes a folder a project and indexes it. It asks nothing and prints no source."""

from __future__ import annotations

import argparse

from explore.cli.project import opened


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser("init", help="make a folder a project, and index it")
    parser.add_argument("directory", nargs="?", default=".", metavar="DIR", help="default: the working directory")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    with opened(arguments.directory, exact=True) as explorer:
        status = explorer.status()
        print(f"{status.files:,} files, {status.symbols:,} symbols indexed in {status.index}")
    return 0
