"""Draws the README's picture: the demo as a terminal shows it; it invents no line.

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
from explore.cli.demo import as_lines, conversation
from explore.index.location import FOLDER

REPOSITORY = Path(__file__).resolve().parents[1] / "fixtures" / "payroll"
WIDTH = 92
WEB_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""A picture that shows itself must not fetch a font from anywhere."""


def main(target: str) -> None:
    """Writes the picture to `target`."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.assemble(("$ ", "green"), ("codegraph-explore demo", "bold")))
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / REPOSITORY.name
        shutil.copytree(REPOSITORY, root, ignore=shutil.ignore_patterns(FOLDER))
        with Explorer.open(root, exact=True) as explorer:
            explorer.sync()
            for text, style in as_lines(tuple(conversation(explorer)), explorer.status().files):
                console.print(Text(text.replace("#", "\u2588"), style), no_wrap=True, overflow="ellipsis")
    Path(target).write_text(WEB_FONT.sub("", console.export_svg(title="codegraph-explore")), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
