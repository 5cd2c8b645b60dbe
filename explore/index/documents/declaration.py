"""What the index needs to know of a format of documents: file names, and where a section starts; it reads no text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

NEVER: Final = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Format:
    """A format, declared.

    `name` is also what a fence around it says. `suffixes` are in lower case and with their dot; `names` are whole file
    names in lower case, and stand too for those that go on after a dot (`Dockerfile.dev`).

    The patterns are matched at the beginning of a line: `start` where it starts a section, `underline` where it makes
    the line above a heading, `leading` where it belongs to the section that starts below it (a comment), `fence` where
    it opens or closes a part in which nothing starts. With `outermost`, of the lines that start a section only those
    count that stand furthest left. Larger files than `most_bytes` are data, and left out.
    """

    name: str
    suffixes: tuple[str, ...]
    names: tuple[str, ...] = ()
    start: re.Pattern[str] = NEVER
    underline: re.Pattern[str] = NEVER
    leading: re.Pattern[str] = NEVER
    fence: re.Pattern[str] = NEVER
    outermost: bool = False
    most_bytes: int = 300_000
