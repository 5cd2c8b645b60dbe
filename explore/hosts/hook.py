"""A host's hook: tells the server which conversation a call is of, and when that was summarised. It decides nothing
about the call, and never fails."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

TOOL_SUFFIX: Final = "codegraph_explore"
"""The end of the tool's name as hosts write it, after the server's."""

MAIN_AGENT: Final = "main"
MOST_KEPT: Final = 512
"""Conversations whose number is kept."""


def reply_to(event: object, folder: Path) -> dict[str, Any] | None:
    """What a hook of Claude Code answers to an event, None for nothing to say; `folder` keeps the numbers.

    Before a call of our tool: its arguments with `host_context` beside them (session, agent, and as generation a number
    that each summary raises). Permissions stay the user's. Around a summary the number rises. The host does not say
    whose summary it is, so that it counts for all agents of the session: what they are taken to hold is less, not more.
    """
    match event:
        case {"hook_event_name": "PreToolUse", "tool_name": str(name), "session_id": str(session), **rest}:
            given = rest.get("tool_input")
            if name.endswith(TOOL_SUFFIX) and isinstance(given, Mapping):
                return _with_context(given, session, rest.get("agent_id"), folder)
        case {"hook_event_name": "PreCompact" | "PostCompact", "session_id": str(session)}:
            _raise_generation(session, folder)
        case {"hook_event_name": "SessionStart", "source": "compact" | "clear", "session_id": str(session)}:
            _raise_generation(session, folder)
    return None


def _with_context(given: Mapping[str, Any], session: str, agent: object, folder: Path) -> dict[str, Any]:
    name = agent if isinstance(agent, str) and agent else MAIN_AGENT
    context = {"session": session, "agent": name, "generation": _generation(session, folder)}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {**given, "host_context": context}}}


def _generation(session: str, folder: Path) -> int:
    """The number of a session since its last summary; 0 before the first."""
    with suppress(OSError, ValueError):
        return int(_file_of(session, folder).read_text("utf-8")[:20])
    return 0


def _raise_generation(session: str, folder: Path) -> None:
    """Gives the session a higher number than it ever had: the time, so that one whose number was forgotten gets none
    that it had before."""
    folder.mkdir(parents=True, exist_ok=True)
    file = _file_of(session, folder)
    fresh = file.with_suffix(f".{os.getpid()}")
    fresh.write_text(str(max(_generation(session, folder) + 1, int(time.time()))), "utf-8")
    fresh.replace(file)
    _forget_oldest(folder)


def _forget_oldest(folder: Path) -> None:
    kept = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime)
    for file in kept[:-MOST_KEPT]:
        file.unlink(missing_ok=True)


def _file_of(session: str, folder: Path) -> Path:
    return folder / hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:32]


def answered(text: str, folder: Path) -> str:
    """The hook from its input to its output, both as text; nothing for what is no event of its own."""
    try:
        reply = reply_to(json.loads(text), folder)
    except (ValueError, RecursionError, OSError):
        return ""
    return json.dumps(reply, ensure_ascii=False) if reply else ""
