"""Files that other processes parse are as if this one had parsed them, whatever happens to those processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from explore.index.crew import WORTH_BYTES, Crew, processes_for
from explore.index.read import News, Task, news_from_plain, news_to_plain, read
from explore.index.scan import Found, scan
from explore.index.store import Store
from explore.index.sync import sync
from tests.support import hostile
from tests.support.corpus import write_tree
from tests.support.dump import dump, file_numbers, is_sound

FILES, BATCH = 60, 7

FAILING = """
import os, sys, time
from explore.index import worker
plain = worker.read
def failing(tasks, root):
    tasks = list(tasks)
    if any("bad" in task.file.path for task in tasks):
        {}
    return plain(tasks, root)
worker.read = failing
worker.main()
"""
"""A process that does something to itself over a file called bad."""

WAYS = [
    pytest.param("os.kill(os.getpid(), 9)", id="killed"),
    pytest.param("sys.exit(3)", id="ended"),
    pytest.param("time.sleep(600)", id="hung"),
    pytest.param("os.write(answers, b'nonsense\\n')", id="no answer"),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project of several batches, and of everything hostile."""
    root = tmp_path / "root"
    write_tree(root, {f"m{n:02}.py": b"def f%d():\n    return g%d()\n" % (n, n + 1) for n in range(FILES)})
    write_tree(root, {f"h/{path}": raw for path, raw in hostile.FILES.items()})
    return root


def tasks_of(root: Path) -> list[Task]:
    """All files of a project, as none of them is indexed."""
    return [Task(file, None) for file in scan(root)]


def batches_of(tasks: Sequence[Task]) -> list[Sequence[Task]]:
    """Files in small batches."""
    return [tasks[at : at + BATCH] for at in range(0, len(tasks), BATCH)]


def said(news: Iterator[News] | Sequence[News]) -> list[str]:
    """News as they can be compared, whether they are made of tuples or of lists."""
    return [json.dumps(news_to_plain(each)) for each in news]


def here(root: Path) -> list[str]:
    """What this process makes of all files."""
    return said([read(batch, root) for batch in batches_of(tasks_of(root))])


def left(processes: Sequence[int]) -> list[int]:
    """Those of the processes that are still there, be it as zombies."""
    return [number for number in processes if Path("/proc", str(number)).exists()]


def test_what_became_of_files_is_the_same_after_being_plain_data(root: Path) -> None:
    news = read(tasks_of(root), root)
    news += News([], [Found("touched.py", 1, 2)], ["gone.py"])
    (plain,) = said([news])
    again = news_from_plain(json.loads(plain))
    assert said([again]) == [plain]
    assert [[*rows.postings()] for rows in again.changed] == [[*rows.postings()] for rows in news.changed]
    assert (again.touched, again.unreadable, len(again)) == (news.touched, news.unreadable, len(news))


def test_processes_give_what_this_one_would_in_the_same_order(root: Path) -> None:
    with Crew(root, 3) as crew:
        found = said(crew.read(batches_of(tasks_of(root))))
        processes = crew.processes
    assert len(processes) == 3
    assert found == here(root)
    assert left(processes) == []


def test_processes_that_are_killed_again_and_again_lose_nothing(root: Path) -> None:
    found, killed = [], 0
    with Crew(root, 2) as crew:
        for news in crew.read(batches_of(tasks_of(root))):
            found.append(news)
            if killed < 3:
                for number in crew.processes:
                    with suppress(ProcessLookupError):  # it was reaped since
                        os.kill(number, signal.SIGKILL)
                        killed += 1
    assert killed
    assert len(found) == len(here(root))
    # A file that a process is lost over comes at the end of its batch.
    paths = [rows.path for news in found for rows in news.changed]
    assert sorted(paths) == sorted(rows.path for rows in read(tasks_of(root), root).changed)


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_a_process_is_lost_over_has_lines_and_no_names(tmp_path: Path, way: str) -> None:
    """The others are as ever, also those of its batch."""
    files = dict.fromkeys(("a.py", "bad.py", "c.py"), b"def f():\n    return wonder()\n")
    write_tree(tmp_path, files)
    program = FAILING.format(way).replace("worker.main()", "answers = os.dup(1)\nworker.main()")
    with Crew(tmp_path, 1, patience=2.0, command=(sys.executable, "-c", program)) as crew:
        (news,) = crew.read([tasks_of(tmp_path)])
    names = {rows.path: [row[1] for row in rows.symbols] for rows in news.changed}
    assert names == {"a.py": ["f"], "bad.py": [""], "c.py": ["f"]}
    assert all("wonder" in rows.vocabulary.split() for rows in news.changed)


@pytest.mark.parametrize("command", [("/nowhere",), (sys.executable, "-c", "pass"), (sys.executable, "-c", "print(1)")])
def test_where_no_process_can_be_started_this_one_does_the_work(root: Path, command: tuple[str, ...]) -> None:
    with Crew(root, 2, command=command) as crew:
        assert said(crew.read(batches_of(tasks_of(root)))) == here(root)
        assert crew.processes == ()


def test_nothing_is_left_of_a_crew_that_is_not_needed_any_more(root: Path) -> None:
    with Crew(root, 2) as crew:
        next(crew.read(batches_of(tasks_of(root))))
        processes = crew.processes
    assert processes
    assert left(processes) == []


def test_the_index_is_the_same_however_many_processes_parse(root: Path, tmp_path: Path) -> None:
    """Row numbers of files too, which rise with their paths."""
    numbers = []
    for processes in (0, 1, 3):
        (tmp_path / str(processes)).mkdir()
        store = Store.open(tmp_path / str(processes))
        sync(store, root, processes=processes)
        store.close()
        assert is_sound(tmp_path / str(processes))
        numbers.append(file_numbers(tmp_path / str(processes)))
    assert numbers[0] == numbers[1] == numbers[2]
    assert dump(tmp_path / "0") == dump(tmp_path / "1") == dump(tmp_path / "3")


def test_a_few_files_are_not_worth_a_process() -> None:
    few = [Task(Found("a.py", WORTH_BYTES // 2 - 1, 0), None)] * 2
    assert processes_for(few) == 0
    assert processes_for(few * 2) == processes_for(few * 20)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks for processes in /proc")
def test_an_interrupt_ends_all_processes_without_a_word_of_theirs(tmp_path: Path) -> None:
    """As Ctrl-C does in a terminal: to the group in front, which the processes that parse are not in."""
    write_tree(tmp_path, {f"m{n:03}.py": b"def f(x):\n    return g(x)[x]\n" * 400 for n in range(300)})
    job = subprocess.Popen(
        [sys.executable, "-m", "explore", "init", str(tmp_path)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True, text=True,
    )  # fmt: skip
    while job.poll() is None and len(of_session(job.pid)) < 2:
        time.sleep(0.01)
    time.sleep(0.2)
    os.killpg(job.pid, signal.SIGINT)
    _, complaints = job.communicate(timeout=60)
    assert "Traceback" not in complaints
    assert job.returncode == 130
    assert of_session(job.pid) == []


def of_session(session: int) -> list[int]:
    """The processes of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            found.append(int(stat.parent.name))
    return found
