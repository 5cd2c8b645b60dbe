"""The words after the source: what else is relevant, and what there is to say where nothing was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from explore.model.calls import Missing
from explore.model.plan import Verdict
from explore.model.ranked import RankedFile
from explore.model.section import shown_name, shown_path, shown_spans
from explore.model.spans import Spans

NOTE_SHARE: Final = 0.04
MOST_NOTE_BYTES: Final = 600
RESENT_NOTE_BYTES: Final = 240
MOST_SYMBOLS: Final = 3
"""Symbols named of a file that is not shown."""


def note_room(envelope: int, *, resent: bool = False) -> int:
    """Bytes of an envelope that are kept for the note; more where it may have to say what was not sent again."""
    return min(MOST_NOTE_BYTES, int(NOTE_SHARE * envelope)) + (RESENT_NOTE_BYTES if resent else 0)


def note_of(
    left_out: Sequence[tuple[RankedFile, Verdict]],
    room: int,
    missing: Sequence[Missing] = (),
    unsent: Mapping[str, Spans] = MappingProxyType({}),
    unknown: Sequence[str] = (),
) -> str:
    """Names what was to be sent again and is not, what was asked for and occurs nowhere, and the files that are
    relevant and not shown, as many as `room` bytes hold; the others are counted. Those that the reader holds come last
    and without their symbols."""
    gone = [f"`{shown_path(file.path)}`" for file, verdict in left_out if verdict is Verdict.GONE]
    held = [f"`{shown_path(file.path)}`" for file, verdict in left_out if verdict is Verdict.HELD]
    rest = [_named(file) for file, verdict in left_out if verdict not in (Verdict.GONE, Verdict.HELD)]
    lists = (
        ("No room to send again: ", [f"`{shown_path(path)}` {shown_spans(lines)}" for path, lines in unsent.items()]),
        ("No source to send again at: ", [f"`{shown_path(path)}`" for path in unknown]),
        ("Occurs nowhere in the indexed source: ", [_missing(each) for each in missing]),
        ("Gone or unreadable by now: ", gone),
        ("Also relevant, not shown: ", rest),
        ("Also relevant, and sent before: ", held),
    )
    lines: list[str] = []
    for opening, items in lists:
        taken = len("\n".join([*lines, ""]).encode("utf-8", "replace"))
        if line := _listed(opening, items, room - taken):
            lines.append(line)
    return "\n".join(lines)


def nothing_found(files: int) -> str:
    """What to say of a question that no file answers."""
    if not files:
        return "There is no source to search here: the project has no file in a language that is read."
    return (
        f"Nothing in the {files:,} indexed files matches. Ask with words that the code itself would use, or name a "
        "symbol or a file."
    )


def _named(file: RankedFile) -> str:
    names = [shown_name(symbol.qualified) for symbol in file.symbols if symbol.qualified][:MOST_SYMBOLS]
    return f"`{shown_path(file.path)}`" + (f" ({', '.join(names)})" if names else "")


def _missing(missing: Missing) -> str:
    near = ", ".join(f"`{shown_name(name)}` {shown_path(path)}:{line}" for name, path, line in missing.near)
    return f"`{shown_name(missing.name)}`" + (f" (near: {near})" if near else "")


def _listed(opening: str, items: Sequence[str], room: int) -> str:
    """The opening with as many items as fit, then how many more there are; only how many where not one fits."""
    text = ""
    for number, item in enumerate(items):
        longer = f"{text}, {item}" if text else opening + item
        more = len(items) - number - 1
        if len((longer + _more(more)).encode("utf-8", "replace")) > room:
            return text + _more(more + 1) if text else _within(f"{opening}+{len(items)} more", room)
        text = longer
    return text


def _within(text: str, room: int) -> str:
    return text if len(text.encode("utf-8", "replace")) <= room else ""


def _more(count: int) -> str:
    return f", +{count} more" if count else ""
