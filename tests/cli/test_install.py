"""Installing into hosts: what is written where, that what was there stays, and that it is undone."""

from __future__ import annotations

import json
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from explore.hosts.config import HOSTS, snippet
from tests.support.corpus import write_tree
from tests.support.shell import Ran, environment, run
from tests.support.wire import Wire

WRITTEN = {
    "claude-code": [".claude.json", ".claude/settings.json"],
    "cursor": [".cursor/mcp.json"],
    "codex": [".codex/config.toml"],
    "vscode": [".config/Code/User/mcp.json"],
}
IN_PROJECT = WRITTEN | {"claude-code": [".mcp.json", ".claude/settings.json"], "vscode": [".vscode/mcp.json"]}

OTHERS = {
    "claude-code": {
        ".claude.json": json.dumps({"numStartups": 7, "mcpServers": {"other": {"command": "x"}}}),
        ".claude/settings.json": json.dumps(
            {
                "model": "m",
                "hooks": {
                    "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]}],
                    "Stop": [{"hooks": [{"type": "command", "command": "bell"}]}],
                },
            }
        ),
    },
    "cursor": {".cursor/mcp.json": json.dumps({"mcpServers": {"other": {"url": "http://x"}}, "more": [1]})},
    "codex": {
        ".codex/config.toml": '# mine\nmodel = "m"\n\n[mcp_servers.other] # keep\ncommand = "x"\n\n[tui]\nx = 1\n'
    },
    "vscode": {".config/Code/User/mcp.json": json.dumps({"servers": {"other": {"command": "x"}}, "inputs": []})},
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def said(home: Path, *words: str) -> Ran:
    return run(*words, cwd=home, env=environment(HOME=str(home), XDG_CACHE_HOME=str(home / "cache")))


def files_in(home: Path) -> dict[str, str]:
    return {str(file.relative_to(home)): file.read_text() for file in sorted(home.rglob("*")) if file.is_file()}


def put(home: Path, files: dict[str, str]) -> None:
    write_tree(home, {path: text.encode() for path, text in files.items()})


def server_of(host: str, text: str) -> dict[str, Any]:
    """Our entry as the host reads it."""
    if host == "codex":
        return dict(tomllib.loads(text)["mcp_servers"]["explore"])
    return dict(json.loads(text)["servers" if host == "vscode" else "mcpServers"]["explore"])


@pytest.mark.parametrize("host", HOSTS)
def test_it_is_written_where_nothing_was_and_taken_away_again(home: Path, host: str) -> None:
    assert said(home, "install", host, "--yes").code == 0
    assert sorted(files_in(home)) == sorted(WRITTEN[host])
    again = said(home, "install", host, "--yes")
    assert (again.code, again.text) == (0, "It is installed already: nothing to change.\n")
    assert said(home, "uninstall", host, "--yes").code == 0
    left = {path: text for path, text in files_in(home).items() if text.strip() not in ("", "{}")}
    assert left == {}
    assert said(home, "uninstall", host, "--yes").text == "It is not installed there: nothing to change.\n"


@pytest.mark.parametrize("host", HOSTS)
def test_what_was_there_stays(home: Path, host: str) -> None:
    put(home, OTHERS[host])
    said(home, "install", host, "--yes")
    for path, text in OTHERS[host].items():
        now = files_in(home)[path]
        assert "explore" in now
        if host == "codex":
            assert now.startswith(text)
    said(home, "uninstall", host, "--yes")
    for path, text in OTHERS[host].items():
        now = files_in(home)[path]
        assert now == text if host == "codex" else json.loads(now) == json.loads(text)


@pytest.mark.parametrize("host", HOSTS)
def test_a_project_has_its_own_files(home: Path, host: str) -> None:
    (home / "work").mkdir()
    assert said(home, "install", host, "--project", "work", "--yes").code == 0
    assert sorted(files_in(home)) == sorted(f"work/{path}" for path in IN_PROJECT[host])


@pytest.mark.parametrize("host", HOSTS)
def test_nothing_is_changed_unasked(home: Path, host: str) -> None:
    ran = said(home, "install", host)
    assert files_in(home) == {}
    if host == "claude-code":
        assert ran.code != 0
        assert "say --yes" in ran.err
        assert '+    "explore"' in ran.text
    else:
        assert ran.code == 0
        assert snippet(host, ["codegraph-explore"]).split("codegraph-explore", maxsplit=1)[0] in ran.text
        assert WRITTEN[host][0] in ran.text


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("text", ["{", "// mine\n{}", "[]", "[[", "= 3"])
def test_a_file_that_cannot_be_understood_is_left_as_it_is(home: Path, host: str, text: str) -> None:
    if (host, text) == ("codex", "[]"):
        text = "[x"
    put(home, {WRITTEN[host][-1]: text})
    before = files_in(home)
    ran = said(home, "install", host, "--yes")
    assert ran.code == 1
    assert "nothing was changed" in ran.err
    assert files_in(home) == before


@pytest.mark.parametrize("host", HOSTS)
def test_a_client_that_starts_what_is_written_gets_an_answer(home: Path, host: str) -> None:
    write_tree(home / "work", {"boat.py": b"def moor(harbour):\n    return harbour\n"})
    said(home, "install", host, "--yes")
    entry = server_of(host, files_in(home)[WRITTEN[host][0]])
    with Wire(home / "work", environment(HOME=str(home)), command=[entry["command"], *entry["args"]]) as wire:
        wire.initialize()
        assert "def moor" in wire.text("how does it moor")


def test_the_hook_that_is_written_names_the_conversation(home: Path) -> None:
    said(home, "install", "claude-code", "--yes")
    hooks = json.loads(files_in(home)[".claude/settings.json"])["hooks"]
    assert set(hooks) == {"PreToolUse", "PreCompact", "SessionStart"}
    (group,) = hooks["PreToolUse"]
    assert group["matcher"] == "mcp__explore__codegraph_explore"
    event = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "tool_name": group["matcher"],
        "tool_input": {"query": "x"},
    }
    words = shlex.split(group["hooks"][0]["command"])
    done = subprocess.run(
        words, input=json.dumps(event).encode(), env=environment(HOME=str(home)), capture_output=True, check=True
    )
    assert json.loads(done.stdout)["hookSpecificOutput"]["updatedInput"]["host_context"]["session"] == "s"
