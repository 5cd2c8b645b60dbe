"""Bytes of a file to the lines that are shown; it never opens the file, and only `\\n` ends a line here."""

from __future__ import annotations

import codecs
from typing import Final

_UTF16_MARKS: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def decode(raw: bytes) -> str:
    """The text of a file, without its byte-order mark.

    UTF-16 is known by its mark; all else is UTF-8, with U+FFFD for what is not, so that the number of lines holds.
    """
    for mark, encoding in _UTF16_MARKS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(encoding, "replace")
    return raw.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def split_lines(text: str) -> tuple[str, ...]:
    """Lines without their end: `\\n` or `\\r\\n`. `str.splitlines` would end lines at form feeds and U+2028 too."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return tuple(lines)


def is_binary(raw: bytes) -> bool:
    """Whether the first 8,192 bytes hold a NUL that no UTF-16 mark explains (git's test)."""
    return b"\0" in raw[:8192] and not raw.startswith(tuple(mark for mark, _ in _UTF16_MARKS))
