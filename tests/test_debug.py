"""Where reports go, and that no answer changes by them or fails."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from explore import Explorer, Session
from explore.debug import DEBUG
from explore.diagnostics.report import report_of
from explore.replay import play, read_conversation
from tests.support.corpus import write_tree
from tests.support.shell import command, environment, run
from tests.support.wire import Wire

FIXTURES = Path(__file__).parents[1] / "fixtures"
PROJECT = {f"ferry_{n}.py": b"def ferry_%d(load):\n" % n + b"    load += 1\n" * 12 for n in range(5)}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_tree(tmp_path / "port", PROJECT)
    return tmp_path / "port"


@pytest.fixture
def told() -> list[str]:
    """What a person is told."""
    return []


@pytest.fixture
def explorer(root: Path, told: list[str]) -> Iterator[Explorer]:
    with Explorer.open(root, exact=True, notice=told.append) as opened:
        yield opened


@pytest.mark.parametrize("off", ["", "0", "false", "OFF", "no", " "])
def test_by_default_nothing_is_reported(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], off: str
) -> None:
    monkeypatch.setenv(DEBUG, off)
    explorer.explore("ferry")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("on", ["1", "true", "On", "yes", "stderr"])
def test_a_table_on_stderr(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], on: str
) -> None:
    monkeypatch.setenv(DEBUG, on)
    explorer.explore("ferry")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith('explore "ferry": ')
    assert "ferry_4.py: no place left; words" in err


def test_json_on_stderr(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DEBUG, "json")
    texts = [explorer.explore("ferry", Session()).text for _ in range(2)]
    reports = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [report["delivered"] for report in reports] == [len(text.encode()) for text in texts]


def test_a_line_of_json_for_each_call_is_added_to_a_file(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(DEBUG, str(tmp_path / "log.jsonl"))
    first = explorer.explore("ferry", Session())
    explorer.explore("ferry load", first.session)
    explorer.explore("ferry load")
    reports = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines()]
    assert ["session" in report for report in reports] == [True, True, False]
    assert [report["envelope"] for report in reports] == [14_300, 10_010, 14_300]
    assert all(set(report["milliseconds"]) == {"retrieve", "allocate", "build"} for report in reports)
    assert all(sum(report["milliseconds"].values()) > 0 for report in reports)


@pytest.mark.parametrize("name", ["", "nowhere/log.jsonl", "\0"])
def test_a_file_that_cannot_be_written_is_told_and_fails_no_answer(
    explorer: Explorer, told: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    if "\0" in name:
        name = "x" * 5_000
    monkeypatch.setenv(DEBUG, str(tmp_path / name))
    assert "def ferry_0" in explorer.explore("ferry").text
    (sentence,) = told
    assert sentence.startswith("diagnostics cannot be written to ")


def test_answers_are_the_same_with_it_and_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all written conversations, whose answers have their handles; and so is what is recorded."""
    copytree(FIXTURES, tmp_path / "fixtures", ignore=ignore_patterns(".codegraph-explore"))
    log = tmp_path / "log.jsonl"
    for script in sorted((tmp_path / "fixtures" / "conversations").glob("*.toml")):
        conversation = read_conversation(script)
        monkeypatch.delenv(DEBUG, raising=False)
        without = list(play(conversation))
        monkeypatch.setenv(DEBUG, str(log))
        with_it = list(play(conversation))
        assert [played.text for played in with_it] == [played.text for played in without]
        assert [played.emission.files for played in with_it] == [played.emission.files for played in without]
        sizes = [json.loads(line)["delivered"] for line in log.read_text("utf-8").splitlines()]
        assert sizes == [played.bytes for played in without]
        log.unlink()


def test_over_mcp_the_bytes_delivered_are_those_received(root: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with Wire(root, environment(**{DEBUG: str(log)})) as wire:
        wire.initialize()
        texts = [wire.text(question) for question in ("ferry", "ferry load", "zeppelin")]
    reports = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [report["delivered"] for report in reports] == [len(text.encode()) for text in texts]
    assert [report["session"]["calls"] for report in reports] == [0, 1, 2]


def test_the_command_line_keeps_no_record_and_its_report_has_no_session_part(root: Path) -> None:
    ran = run("explore", "ferry", cwd=root, env=environment(**{DEBUG: "json"}))
    (line,) = ran.err.splitlines()
    report = json.loads(line)
    assert "session" not in report
    assert report["delivered"] + 1 == len(ran.out)
    assert run("explore", "ferry", cwd=root).out == ran.out


@pytest.mark.parametrize("target", ["{}/nowhere/log.jsonl", "{}/pipe", "1", "json"])
def test_neither_a_full_nor_a_closed_stderr_nor_a_pipe_without_a_reader_costs_an_answer(
    root: Path, tmp_path: Path, target: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    plain = run("explore", "ferry", cwd=root)
    for redirected in ("2>/dev/full", "2>&-"):
        line = f"{shlex.join(map(str, command('explore', 'ferry')))} {redirected}"
        env = environment(**{DEBUG: target.format(tmp_path)})
        done = subprocess.run(["sh", "-c", line], cwd=root, env=env, capture_output=True, timeout=60, check=False)
        assert (done.returncode, done.stdout) == (0, plain.out)


def test_what_is_not_sent_again_is_reported_with_the_reason(
    explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (explorer.root / "large.py").write_bytes(b"x = 1\n" * 9_000)
    answer = explorer.explore("ferry", resend=["large.py", "nowhere.py"])
    why = {file.path: file.why for file in report_of(answer).files}
    assert why["nowhere.py"] == "no source there to send again"
    assert [file.why for file in report_of(answer).files if file.path == "large.py"][-1].startswith("no room")
