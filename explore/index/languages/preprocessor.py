"""Takes the conditional directives of C and C# out of a text, so that a grammar sees no alternatives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_QUIET: Final = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_CONDITIONAL: Final = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b")
_CUT_OFF: Final = re.compile(r"else\b|[)\]|&,?=<>.:]")
_ABOVE: Final = 200  # Lines above a group that may hold the end of what is before it.
_PAIRS: Final = ("{}", "()")


def flatten(text: str) -> str:
    """The text with blank lines for conditional directives, and all branches one after the other.

    Of branches which are less than whole statements only the first with content stays, the others are blank too.
    """
    if "#" not in text:
        return text
    lines = text.split("\n")
    loud = _QUIET.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text).split("\n")
    groups: list[list[int]] = []
    continued = False
    for number, line in enumerate(loud):
        directive = continued or line.lstrip().startswith("#")
        conditional = None if continued else _CONDITIONAL.match(line)
        continued = directive and line.rstrip().endswith("\\")
        if directive:
            loud[number] = ""
        if conditional is None:
            continue
        if conditional[1].startswith("if"):
            groups.append([number])
        elif groups:
            groups[-1].append(number)
            if conditional[1] == "endif":
                _settle(groups.pop(), lines, loud)
    return "\n".join(lines)


def _settle(group: Sequence[int], lines: list[str], loud: list[str]) -> None:
    """Blanks the directives of a group, and the branches that cannot stand beside the first."""
    branches = [range(first + 1, last) for first, last in pairwise(group)]
    texts = ["\n".join(loud[branch.start : branch.stop]).strip() for branch in branches]
    filled = [(branch, text) for branch, text in zip(branches, texts, strict=True) if text]
    blank = set(group)
    if len(filled) > 1:
        above = range(group[0] - 1, max(group[0] - _ABOVE, 0) - 1, -1)
        before = next((loud[number].rstrip()[-1] for number in above if loud[number].strip()), ";")
        if before not in ";{}:)" or not all(_whole(text) for _, text in filled):
            blank.update(number for branch, _ in filled[1:] for number in branch)
    directives = set(group)
    for number in blank:
        end = number
        while number in directives and _goes_on(lines[end]) and end + 1 < len(lines):
            lines[end] = loud[end] = ""
            end += 1
        lines[end] = loud[end] = ""


def _goes_on(directive: str) -> bool:
    return directive.rstrip().endswith("\\") or directive.rfind("/*") > directive.rfind("*/")


def _whole(text: str) -> bool:
    """Whether it starts and ends as statements do, and closes what it opens."""
    even = all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)
    return even and text[-1] in ";}:" and text[0] != "}" and not _CUT_OFF.match(text)
