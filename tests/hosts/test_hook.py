"""The hook of a host: what it adds to a call, what changes with a summary, and that nothing makes it fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.hosts.hook import MOST_KEPT, answered, reply_to
from explore.server.tool import read_call
from tests.support.shell import command, environment

CALL = {
    "hook_event_name": "PreToolUse",
    "session_id": "s1",
    "tool_name": "mcp__explore__codegraph_explore",
    "tool_input": {"query": "how is it done", "context": ["abc"]},
}


def context(event: dict[str, Any], folder: Path) -> dict[str, Any]:
    reply = reply_to(event, folder)
    assert reply is not None
    return dict(reply["hookSpecificOutput"]["updatedInput"]["host_context"])


def test_a_call_gets_its_conversation_beside_what_the_model_wrote(tmp_path: Path) -> None:
    assert reply_to(CALL, tmp_path) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "updatedInput": {
                "query": "how is it done",
                "context": ["abc"],
                "host_context": {"session": "s1", "agent": "main", "generation": 0},
            },
        }
    }


def test_the_server_takes_each_agent_and_each_summary_for_another_conversation(tmp_path: Path) -> None:
    events = [CALL, CALL | {"agent_id": "a1"}, CALL | {"session_id": "s2"}]
    names = [read_call({"query": "x", "host_context": context(event, tmp_path)}).identifier for event in events]
    reply_to({"hook_event_name": "PreCompact", "session_id": "s1"}, tmp_path)
    names += [read_call({"query": "x", "host_context": context(event, tmp_path)}).identifier for event in events[:2]]
    assert len(set(names)) == 5
    assert None not in names
    again = read_call({"query": "x", "host_context": context(events[2], tmp_path)}).identifier
    assert again == names[2], "the other session was not summarised"


@pytest.mark.parametrize(
    ("event", "changes"),
    [
        ({"hook_event_name": "PreCompact"}, True),
        ({"hook_event_name": "PostCompact"}, True),
        ({"hook_event_name": "SessionStart", "source": "compact"}, True),
        ({"hook_event_name": "SessionStart", "source": "clear"}, True),
        ({"hook_event_name": "SessionStart", "source": "startup"}, False),
        ({"hook_event_name": "SessionStart", "source": "resume"}, False),
        ({"hook_event_name": "Stop"}, False),
    ],
)
def test_what_ends_what_an_agent_can_see(tmp_path: Path, event: dict[str, str], changes: bool) -> None:
    before = context(CALL, tmp_path)
    assert reply_to(event | {"session_id": "s1"}, tmp_path) is None
    first = context(CALL, tmp_path)
    assert (first["generation"] > before["generation"]) == changes
    reply_to(event | {"session_id": "s1"}, tmp_path)
    assert (context(CALL, tmp_path)["generation"] > first["generation"]) == changes


@pytest.mark.parametrize(
    "event",
    [
        None,
        [],
        {},
        CALL | {"tool_name": "Read"},
        CALL | {"tool_input": "x"},
        CALL | {"session_id": 7},
        {"hook_event_name": "PreCompact"},
        CALL | {"tool_name": None},
    ],
)
def test_other_events_are_none_of_its_business(tmp_path: Path, event: object) -> None:
    assert reply_to(event, tmp_path) is None
    assert list(tmp_path.iterdir()) == []


@given(
    st.text()
    | st.recursive(
        st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    ).map(json.dumps)
)
def test_any_junk_comes_to_nothing(text: str) -> None:
    assert answered(text, Path("/dev/null/nowhere")) == ""


def test_marks_are_kept_for_so_many_conversations(tmp_path: Path) -> None:
    for number in range(MOST_KEPT + 20):
        reply_to({"hook_event_name": "PreCompact", "session_id": f"s{number}"}, tmp_path)
    assert len(list(tmp_path.iterdir())) == MOST_KEPT


@pytest.mark.parametrize("given", [b"", b"\xff\xfe", b"{", b"[" * 100_000, json.dumps(CALL).encode()])
def test_the_command_ends_well_whatever_comes_in(tmp_path: Path, given: bytes) -> None:
    import subprocess

    env = environment(HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "cache"))
    done = subprocess.run(
        command("hook", "claude-code"), input=given, env=env, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) == given.startswith(b'{"')
