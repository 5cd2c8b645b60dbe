"""The words that show how symbols hang together: call paths before the source, who uses a symbol after it. No word of
them is source, and no line looks like it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from explore.model.calls import CallPath, How, Site, Step, Stop, Traced, Users
from explore.model.section import shown_name, shown_path

PATH_SHARE: Final = 0.2
"""The share of an answer that call paths may take; of longer ones the short form comes, or none."""

USERS_SHARE: Final = 0.022
MOST_USERS_BYTES: Final = 300
"""The share of an answer, and the bytes, for who uses a symbol."""

MOST_FILES: Final = 3
"""Files that are named of those that use a symbol; the others are counted."""


def path_forms(traced: Traced) -> tuple[str, ...]:
    """What there is to say before the source, from the longest form to the shortest; nothing where there is nothing."""
    if traced.paths:
        return "\n".join(map(_full, traced.paths)), "\n".join(map(_short, traced.paths)), _short(traced.paths[0])
    return ()


def path_room(traced: Traced, envelope: int) -> int:
    """Bytes of an envelope that are kept for `path_of`, a line end after it included: no more than all of it takes, and
    rising with the envelope."""
    forms = path_forms(traced)
    return min(_size(forms[0]) + 2, int(PATH_SHARE * envelope)) if forms else 0


def path_of(traced: Traced, room: int) -> str:
    """The longest form that fits."""
    return next((form for form in path_forms(traced) if _size(form) + 2 <= room), "")


def users_room(users: Sequence[Users], envelope: int) -> int:
    """Bytes of an envelope that are kept for `users_note`, a line end before it included."""
    return min(MOST_USERS_BYTES, int(USERS_SHARE * envelope), sum(_size(_used_by(each)) + 1 for each in users))


def users_note(users: Sequence[Users], room: int) -> str:
    """A line for each symbol, as far as whole lines fit."""
    text = ""
    for each in users:
        longer = f"{text}\n{_used_by(each)}" if text else _used_by(each)
        if _size(longer) + 1 > room:
            break
        text = longer
    return text


def _full(path: CallPath) -> str:
    rows = [f"Path: {_named(path.start)}"]
    here = path.start.path
    for step in path.steps:
        rows.append(f"  → {_named(step.to)}: {_evidence(step, here)}")
        here = step.to.path
    return "\n".join(rows)


def _short(path: CallPath) -> str:
    return "Path: " + " → ".join(f"`{shown_name(stop.qualified)}`" for stop in path.stops)


def _named(stop: Stop) -> str:
    return f"`{shown_name(stop.qualified)}` ({shown_path(stop.path)}:{stop.line})"


def _evidence(step: Step, here: str) -> str:
    """How a step is seen, with its line, and the file where that is not the one which the step starts in."""
    word, at = shown_name(step.site.word), _at(step.site, here)
    given = _at(step.given, step.site.path) if step.given else ""
    return {
        How.CALLS: f"called at {at}",
        How.DECORATES: f"decorated with it at {at}",
        How.EVENT: f"event `{word}` sent at {at}, awaited at {given}",
        How.IMPLEMENTS: f"called at {at} through what it implements",
        How.OVERRIDES: f"overrides it at {at}",
        How.PASSES: f"passed on at {at}",
        How.RETURNS: f"returned at {at}",
        How.THROUGH: f"called as `{word}` at {at}, passed at {given}",
    }[step.how]


def _at(site: Site, here: str) -> str:
    return f"line {site.line}" if site.path == here else f"{shown_path(site.path)}:{site.line}"


def _used_by(users: Users) -> str:
    parts = [_counted(users.files, "")] if users.files else []
    parts += [_counted(users.tests, "tests: ")] if users.tests else []
    return f"Used by: `{shown_name(users.qualified)}` ← {'; '.join(parts)}"


def _counted(files: Sequence[tuple[str, int]], opening: str) -> str:
    named = ", ".join(f"{shown_path(path)} ({count})" for path, count in files[:MOST_FILES])
    more = len(files) - MOST_FILES
    return f"{opening}{named}" + (f", +{more} more" if more > 0 else "")


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
