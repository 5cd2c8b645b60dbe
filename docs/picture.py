"""Draws the README's picture from a real answer; it invents no line of it.

python docs/picture.py docs/demo.svg
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from explore import Explorer
from explore.cli.demo import QUESTION

REPOSITORY = Path(__file__).resolve().parents[1] / "fixtures" / "payroll"
SHOWN_LINES = 46
WIDTH = 112
WEB_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""A picture that shows itself must not fetch a font from anywhere."""


def main(target: str) -> None:
    """Writes the picture to `target`."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.assemble(("$ ", "green"), (f'codegraph-explore explore "{QUESTION}"', "bold")))
    lines = answer_lines()
    for line in lines[:SHOWN_LINES]:
        console.print(styled(line.expandtabs(4)), no_wrap=True, overflow="ellipsis")
    console.print(Text(f"[{len(lines) - SHOWN_LINES} more lines]", "dim"))
    picture = console.export_svg(title="codegraph-explore")
    Path(target).write_text(WEB_FONT.sub("", picture), "utf-8")


def answer_lines() -> list[str]:
    """The answer to the demo's question, on a copy of its repository."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / REPOSITORY.name
        shutil.copytree(REPOSITORY, root)
        with Explorer.open(root, exact=True) as explorer:
            return explorer.explore(QUESTION).text.split("\n")


def styled(line: str) -> Text:
    """Headings bold, line numbers dim, what stands for left-out lines in a colour of its own."""
    if line.startswith("## "):
        return Text(line, "bold cyan")
    if line.startswith("..."):
        return Text(line, "yellow")
    if number := re.match(r"\d+ +", line):
        return Text.assemble((number[0], "dim"), line[number.end() :])
    return Text(line)


if __name__ == "__main__":
    main(sys.argv[1])
