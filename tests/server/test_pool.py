"""Workers are real processes: they are killed, hang, grow and talk nonsense, and the call is answered all the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from explore.errors import CallLost
from explore.explorer import Explorer
from explore.index.crew import COMMAND as INDEXING
from explore.server import work
from explore.server.pool import COMMAND, Pool
from explore.server.tool import Call
from explore.session.view import View, emission_from_plain
from tests.support.corpus import write_tree

PROJECT = {f"ferry_{n}.py": b"def ferry_%d(load):\n" % n + b"    load += 1\n" * 12 for n in range(5)}

# On its first run this worker does as it is told on the command line; from the second on it answers.
ODD_WORKER = """
import json, pathlib, sys, time
mark, first = pathlib.Path(sys.argv[1]), sys.argv[2]
for line in sys.stdin:
    if mark.exists():
        print(json.dumps({"text": "answered", "peak": 0}), flush=True)
        continue
    mark.touch()
    if first == "hang":
        time.sleep(60)
    if first == "die":
        sys.exit(3)
    said = {"junk": "no answer" + chr(10), "list": "[1]" + chr(10), "half": '{"text": '}[first]
    print(said, end="", flush=True)
    if first == "half":
        sys.exit(0)
"""


def odd(tmp_path: Path, first: str) -> list[str]:
    return [sys.executable, "-c", ODD_WORKER, str(tmp_path / "mark"), first]


def within(pool: Pool, talk: Callable[[Pool], Awaitable[Any]]) -> Any:
    """What a talk with a pool comes to; no process is left behind."""

    async def run() -> Any:
        async with pool:
            result = await talk(pool)
            running = pool.processes
        assert not any(map(is_running, running))
        return result

    return anyio.run(run)


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An indexed project."""
    write_tree(tmp_path / "port", PROJECT)
    with Explorer.open(tmp_path / "port", exact=True) as explorer:
        explorer.sync()
    return (tmp_path / "port").resolve()


def test_a_worker_answers_as_this_process_does_and_the_emission_comes_back(root: Path) -> None:
    job = work.job_of(Call("how does the ferry load"), str(root), "", View())
    done = within(Pool(1), lambda pool: pool.do(job))
    with Explorer.open(root, exact=True) as explorer:
        here = work.do(job, explorer)
    assert {key: done[key] for key in here} == here
    emission = emission_from_plain(done["emission"])
    assert emission is not None
    assert emission.sent


def test_a_worker_writes_nothing_and_reports_what_is_not_as_indexed(root: Path) -> None:
    before = {
        file.name: file.read_bytes() for file in (root / ".codegraph-explore").iterdir() if file.suffix != ".sqlite-shm"
    }
    (root / "ferry_1.py").write_bytes(b"def ferry_1(load):\n    return 'changed'\n")
    (root / "ferry_2.py").unlink()
    job = work.job_of(Call("ferry_1 ferry_2"), str(root), "", View())
    done = within(Pool(1), lambda pool: pool.do(job))
    assert "2\t    return 'changed'" in done["text"]
    assert done["drifted"] == ["ferry_1.py", "ferry_2.py"]
    assert {name: (root / ".codegraph-explore" / name).read_bytes() for name in before if "sqlite-" not in name} == {
        name: raw for name, raw in before.items() if "sqlite-" not in name
    }


@pytest.mark.parametrize("command", [COMMAND, INDEXING])
def test_a_process_of_ours_takes_no_module_from_the_folder_it_is_started_in(
    tmp_path: Path, command: Sequence[str]
) -> None:
    """That is somebody's repository."""
    trap = b"import os\nopen(os.path.join(os.path.dirname(__file__), 'ran'), 'w').close()\n"
    names = ("explore/__init__.py", "json.py", "sqlite3.py", "xxhash.py", "resource.py", "sitecustomize.py")
    write_tree(tmp_path, dict.fromkeys(names, trap))
    ran = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, b""), ran.stdout
    assert not list(tmp_path.rglob("ran"))


@pytest.mark.parametrize(("query", "said"), [("  ", "the question is empty"), ("x", "")])
def test_what_is_refused_is_said_and_not_raised_over_there(root: Path, query: str, said: str) -> None:
    job = work.job_of(Call(query, max_bytes=None if said else 10), str(root), "", View())
    done = within(Pool(1), lambda pool: pool.do(job))
    assert said in done["refused"]


def test_an_index_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "nowhere").mkdir()
    job = work.job_of(Call("x"), str(tmp_path / "nowhere"), "", View())
    assert "cannot be used" in within(Pool(1), lambda pool: pool.do(job))["unavailable"]


@pytest.mark.parametrize("first", ["die", "junk", "list", "half"])
def test_a_worker_that_ends_or_talks_nonsense_is_replaced_and_the_call_answered(tmp_path: Path, first: str) -> None:
    assert within(Pool(1, command=odd(tmp_path, first)), lambda pool: pool.do({}))["text"] == "answered"


def test_a_worker_that_hangs_is_replaced_and_the_call_answered(tmp_path: Path) -> None:
    pool = Pool(1, patience=2.0, command=odd(tmp_path, "hang"))
    assert within(pool, lambda pool: pool.do({}))["text"] == "answered"


def test_a_worker_that_is_killed_in_mid_call_is_replaced_and_the_call_answered(tmp_path: Path) -> None:
    async def talk(pool: Pool) -> Any:
        answers = []

        async def ask() -> None:
            answers.append(await pool.do({}))

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            while not (tmp_path / "mark").exists():
                await anyio.sleep(0.01)
            (victim,) = pool.processes
            os.kill(victim, signal.SIGKILL)
        assert victim not in pool.processes
        return answers

    assert within(Pool(1, command=odd(tmp_path, "hang")), talk) == [{"text": "answered", "peak": 0}]


def test_a_call_that_kills_every_worker_fails_clearly_and_the_next_one_is_answered(tmp_path: Path) -> None:
    dying = [sys.executable, "-c", "import sys; sys.exit(0 if sys.stdin.readline() else 1)"]
    with pytest.raises(CallLost, match="ask again"):
        within(Pool(1, command=dying), lambda pool: pool.do({}))


def test_after_a_cancelled_call_the_next_one_gets_its_own_answer(tmp_path: Path) -> None:
    async def talk(pool: Pool) -> Any:
        with anyio.move_on_after(1.0) as scope:
            await pool.do({})
        assert scope.cancelled_caught
        return await pool.do({})

    assert within(Pool(1, command=odd(tmp_path, "hang")), talk)["text"] == "answered"


def test_a_worker_that_has_grown_gives_way_to_a_fresh_one(root: Path) -> None:
    async def talk(pool: Pool) -> list[tuple[int, ...]]:
        job = work.job_of(Call("ferry"), str(root), "", View())
        seen = []
        for _ in range(2):
            assert (await pool.do(job))["text"]
            seen.append(pool.processes)
        return seen

    assert within(Pool(1, most_bytes=1), talk) == [(), ()]
    assert len(set(within(Pool(1), talk))) == 1


def test_calls_at_the_same_time_are_shared_among_the_workers(root: Path) -> None:
    async def talk(pool: Pool) -> int:
        job = work.job_of(Call("ferry"), str(root), "", View())
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(pool.do, job)
        return len(pool.processes)

    assert within(Pool(2), talk) == 2
    assert COMMAND[0] == sys.executable
