"""What a signature says besides its parameters; it looks nothing up."""

from __future__ import annotations

import re
from typing import Final

_AFTER: Final = {
    "go": re.compile(r"\)\s*\(?\s*(?:\w+\s+)?\*?([\w.]+)[\s,)\[]*"),
    "python": re.compile(r"->\s*['\"]?(?:t\.|typing\.)?(?:Optional\[)?['\"]?([\w.]+)"),
    "rust": re.compile(r"->\s*(?:&(?:'\w+ )?(?:mut )?)?(?:Option<|Result<|Box<)?(?:impl |dyn )?&?([\w:]+)"),
    "typescript": re.compile(r"\)\s*:\s*(?:Promise<)?([\w.]+)"),
    "tsx": re.compile(r"\)\s*:\s*(?:Promise<)?([\w.]+)"),
    "kotlin": re.compile(r"\)\s*:\s*([\w.]+)"),
    "php": re.compile(r"\)\s*:\s*\??\\?([\w\\]+)"),
}
"""What follows the parameters, by language."""

_LISTED: Final = {
    "python": re.compile(
        r"->\s*['\"]?(?:\w+\.)*(?:Generator|Iterable|Iterator|List|Sequence|Set|list|set|tuple)"
        r"\[\s*['\"]?([\w.]+)(?:\s*\|[\w\s.|]+|, \.\.\.)?['\"]?\s*[,\]]"
    ),
}
"""What follows the parameters of a function that gives several values of one type."""

_BEFORE: Final = re.compile(r"([\w.]+)(?:<[^<>]*(?:<[^<>]*>)?[^<>]*>)?[\s*&]*$")
"""What stands before the name, in other languages."""


def returned_type(signature: str, name: str, language: str) -> str:
    """The name of the type that a function returns, as its signature says; empty where it says none."""
    at = signature.find(f"{name}(") if f"{name}(" in signature else signature.find(name)
    if at < 0:
        return ""
    if (after := _AFTER.get(language)) is not None:
        end = _closing(signature, signature.find("(", at))
        found = (
            after.match(signature, end)
            if language in ("go", "kotlin", "php", "typescript", "tsx")
            else after.search(signature, end)
        )
    else:
        found = _BEFORE.search(signature[:at])
    given = found[1].replace("::", ".").replace("\\", ".").strip(".") if found else ""
    return given if given.rsplit(".", 1)[-1] not in ("void", "None", "new", "async", "static", "public", "def") else ""


def element_type(signature: str, name: str, language: str) -> str:
    """The name of the type of each of the values that a function says it returns; empty where it says none."""
    at = signature.find("(", signature.find(name))
    listed = _LISTED.get(language)
    found = listed.search(signature, _closing(signature, at)) if listed and at >= 0 else None
    return found[1] if found else ""


def _closing(text: str, start: int) -> int:
    """Where the parenthesis that opens at `start` closes; the end of the text where it does not."""
    depth = 0
    for at in range(max(start, 0), len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return at
    return len(text)
