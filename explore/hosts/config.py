"""The configuration of agent hosts: where each keeps it, and our entry put into it or taken out. It reads what it is
given to read, and writes nothing."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from explore.errors import BadRequest

SERVER: Final = "explore"
"""What our server is called in every host."""

Data = dict[str, Any]

CLAUDE_CODE: Final = "claude-code"
HOSTS: Final = (CLAUDE_CODE, "cursor", "codex", "vscode")

_TOOL: Final = f"mcp__{SERVER}__codegraph_explore"
_EVENTS: Final[Mapping[str, str]] = {"PreToolUse": _TOOL, "PreCompact": "", "SessionStart": "compact|clear"}
"""The events that our hook is called for, each with what it matches."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file as it is and as it is to be; None: not there. Both are text."""

    file: Path
    before: str | None
    after: str | None


Edit = Callable[[Data], Data]


def installed(
    host: str, command: list[str], home: Path, project: Path | None, read: Callable[[Path], str | None]
) -> list[Change]:
    """What is to change for a host to start our server, for the user or for one project. What else is there stays.
    Raises `BadRequest` for a file that cannot be understood."""
    return _changes(host, home, project, read, lambda part: _with(part, command))


def uninstalled(host: str, home: Path, project: Path | None, read: Callable[[Path], str | None]) -> list[Change]:
    """What is to change to undo that."""
    return _changes(host, home, project, read, lambda part: _WITHOUT[part])


def snippet(host: str, command: list[str]) -> str:
    """What stands in a host's configuration, by itself."""
    if host == "codex":
        return _toml_table(command)
    return json.dumps(_with(_PARTS[host][0][0], command)({}), indent=2) + "\n"


def _changes(
    host: str, home: Path, project: Path | None, read: Callable[[Path], str | None], edit: Callable[[str], Edit]
) -> list[Change]:
    changes = []
    for part, of_user, of_project in _PARTS[host]:
        file = (project / of_project) if project else (home / of_user)
        before = read(file)
        after = _toml_after(before, edit(part)({}), file) if part == "toml" else _json_after(before, edit(part), file)
        if after != before:
            changes.append(Change(file, before, after))
    return changes


_PARTS: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    CLAUDE_CODE: (
        ("mcpServers", ".claude.json", ".mcp.json"),
        ("hooks", ".claude/settings.json", ".claude/settings.json"),
    ),
    "cursor": (("mcpServers", ".cursor/mcp.json", ".cursor/mcp.json"),),
    "codex": (("toml", ".codex/config.toml", ".codex/config.toml"),),
    "vscode": (("servers", ".config/Code/User/mcp.json", ".vscode/mcp.json"),),
}
"""Of each host what is written, and where: for the user (from the home folder) and for a project."""


def _with(part: str, command: list[str]) -> Edit:
    entry: Data = {"command": command[0], "args": [*command[1:], "serve"]}
    match part:
        case "hooks":
            return lambda data: _with_hooks(data, shlex.join([*command, "hook", CLAUDE_CODE]))
        case "toml":
            return lambda _: {"table": _toml_table(command)}
        case "servers":
            return lambda data: {**data, part: {**_table(data, part), SERVER: {"type": "stdio", **entry}}}
    return lambda data: {**data, part: {**_table(data, part), SERVER: entry}}


def _without_server(part: str) -> Edit:
    def edit(data: Data) -> Data:
        servers = {name: entry for name, entry in _table(data, part).items() if name != SERVER}
        return {**data, part: servers} if servers else {key: value for key, value in data.items() if key != part}

    return edit


def _with_hooks(data: Data, command: str) -> Data:
    """Our hooks, in the place of older ones of ours, after those of others."""
    hooks = dict(_table(_without_hooks(data), "hooks"))
    for event, matcher in _EVENTS.items():
        ours = {"hooks": [{"type": "command", "command": command, "timeout": 5}]}
        hooks[event] = [*_list(hooks, event), {"matcher": matcher, **ours} if matcher else ours]
    return {**data, "hooks": hooks}


def _without_hooks(data: Data) -> Data:
    hooks = {}
    for event, groups in _table(data, "hooks").items():
        left = [kept for group in _list({event: groups}, event) if (kept := _without_ours(group)) is not None]
        if left:
            hooks[event] = left
    return {**data, "hooks": hooks} if hooks else {key: value for key, value in data.items() if key != "hooks"}


def _without_ours(group: Any) -> Any:
    """A group of hooks without ours; None where nothing else is in it."""
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    others = [hook for hook in group["hooks"] if not _is_ours(hook)]
    return group if len(others) == len(group["hooks"]) else {**group, "hooks": others} if others else None


def _is_ours(hook: Any) -> bool:
    return isinstance(hook, dict) and str(hook.get("command", "")).endswith(f" hook {CLAUDE_CODE}")


_WITHOUT: Final[Mapping[str, Edit]] = {
    "mcpServers": _without_server("mcpServers"),
    "servers": _without_server("servers"),
    "hooks": _without_hooks,
    "toml": lambda _: {},
}


def _table(data: Data, key: str) -> Data:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise BadRequest(f"its {key!r} is no table: mend it by hand")
    return found


def _list(data: Data, key: str) -> list[Any]:
    found = data.get(key, [])
    if not isinstance(found, list):
        raise BadRequest(f"its {key!r} is no list: mend it by hand")
    return found


def _json_after(before: str | None, edit: Edit, file: Path) -> str | None:
    try:
        data = json.loads(before) if before and before.strip() else {}
        if not isinstance(data, dict):
            raise BadRequest("it holds no table: mend it and try again; nothing was changed")
        after = edit(data)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"{file} is not plain JSON ({error}): mend it and try again; nothing was changed") from None
    except BadRequest as error:
        raise BadRequest(f"{file} cannot be changed: {error}") from None
    if after == data:
        return before
    return json.dumps(after, indent=2, ensure_ascii=False) + "\n" if after else None if not data else "{}\n"


_TOML_HEAD: Final = f"[mcp_servers.{SERVER}]"


def _toml_table(command: list[str]) -> str:
    args = ", ".join(json.dumps(word) for word in [*command[1:], "serve"])
    return f"{_TOML_HEAD}\ncommand = {json.dumps(command[0])}\nargs = [{args}]\n"


def _toml_after(before: str | None, entry: Data, file: Path) -> str | None:
    """The text with our table at its end, or without it; all else, comments too, stays letter by letter."""
    text = before or ""
    try:
        tomllib.loads(text)
    except ValueError as error:
        raise BadRequest(f"{file} is not TOML ({error}): mend it and try again; nothing was changed") from None
    rows, kept, ours = text.splitlines(keepends=True), list[str](), False
    for row in rows:
        if row.lstrip().startswith("["):
            ours = row.strip() == _TOML_HEAD
        if not ours:
            kept.append(row)
    rest = "".join(kept).rstrip("\n")
    after = "\n\n".join(filter(None, [rest, entry.get("table", "").rstrip("\n")]))
    after = after + "\n" if after else ""
    return before if after == text else after or None
