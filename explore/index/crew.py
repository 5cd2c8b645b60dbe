"""Processes that read and parse side by side for the one that writes the index. One that dies or hangs is replaced, and
the file it was lost over is taken without a grammar; this knows no row and no query."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, Self

from explore.index.documents import format_of
from explore.index.process import command
from explore.index.read import News, Task, news_from_plain, read
from explore.index.worker import READY

COMMAND: Final = command("explore.index.worker")

MOST_PROCESSES: Final = 4
"""More than these hand in more than one process can write."""

WORTH_BYTES: Final = 1_000_000
"""Source from which on processes pay for their start (0.2 s each, on the machine this was measured on); documents,
which no grammar reads, add little."""

PATIENCE_SECONDS: Final = 30.0
"""How long a process may be at one batch before it counts as hung; a batch takes a tenth of a second."""

AHEAD: Final = 8
"""Batches for each process that may be under way or done before their turn to be written."""

_LOOK_SECONDS: Final = 0.5
_LOST: Final = (OSError, ValueError, TypeError)
"""What talking to a process can raise: it is gone, or says what is no answer."""

Batch = Sequence[Task]


def processes_for(tasks: Iterable[Task]) -> int:
    """How many processes are worth their start for these files; 0 where this one does better alone."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    worth = sum(task.file.size for task in tasks if format_of(task.file.path) is None) >= WORTH_BYTES
    return min(cores, MOST_PROCESSES) if worth and cores > 1 and sys.executable else 0


class Crew:
    """So many processes, each tended by a thread. Used in a `with`, at whose end nothing of them is left."""

    def __init__(
        self, root: Path, size: int, patience: float = PATIENCE_SECONDS, command: Sequence[str] = COMMAND
    ) -> None:
        self._jobs: SimpleQueue[tuple[int, Batch] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[int, _Result]] = SimpleQueue()
        self._root = root
        self._workers = [_Worker(root, command) for _ in range(size)]
        self._threads = [threading.Thread(target=self._tend, args=[worker], daemon=True) for worker in self._workers]
        self._patience = patience

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.dismiss()
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    @property
    def processes(self) -> tuple[int, ...]:
        """The numbers of the processes that run now."""
        return tuple(number for worker in self._workers if (number := worker.number) is not None)

    def read(self, batches: Iterable[Batch]) -> Iterator[News]:
        """What became of each batch, in their order, whichever is done first."""
        early: dict[int, _Result] = {}
        given = taken = 0
        for batch in batches:
            self._jobs.put((given, batch))
            given += 1
            if given - taken >= AHEAD * len(self._workers):
                yield self._next(taken, early)
                taken += 1
        for number in range(taken, given):
            yield self._next(number, early)

    def _next(self, number: int, early: dict[int, _Result]) -> News:
        while number not in early:
            try:
                done, result = self._done.get(timeout=_LOOK_SECONDS)
                early[done] = result
            except Empty:
                self._look_after()
        batch, news, lost = early.pop(number)
        if news is None:
            return read(batch, self._root)
        news += read(lost, self._root, grammar=False)
        return news

    def _look_after(self) -> None:
        for worker in self._workers:
            worker.end_after(self._patience)
        if not any(thread.is_alive() for thread in self._threads) and self._done.empty():
            raise ChildProcessError("nobody is left who talks to the processes that parse")

    def _tend(self, worker: _Worker) -> None:
        try:
            while (job := self._jobs.get()) is not None:
                number, batch = job
                self._done.put((number, worker.read(batch)))
        finally:
            worker.end()


class _Result(NamedTuple):
    """A batch and what became of it: None where no process could be started; `lost` are the files that one was lost
    over."""

    batch: Batch
    news: News | None
    lost: Batch


class _Worker:
    """A place for a process, which is started when it is asked and none runs. It belongs to one thread, but for what
    ends its process."""

    def __init__(self, root: Path, command: Sequence[str]) -> None:
        self._root = root
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()
        self._since = float("inf")
        self._usable = True
        self._dismissed = False

    @property
    def number(self) -> int | None:
        """The number of its process, where one runs."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    def read(self, batch: Batch) -> _Result:
        """What became of a batch; where a process was lost over it, it is taken one file after the other."""
        if (news := self._asked(batch)) is not None:
            return _Result(batch, news, ())
        news, lost = News([], [], []), []
        for task in batch:
            if (one := self._asked([task])) is not None:
                news += one
            else:
                lost.append(task)
        return _Result(batch, news if self._usable else None, lost)

    def end_after(self, patience: float) -> None:
        """Kills the process if it has been at one job for longer. Any thread may ask for it."""
        process = self._process
        if process is not None and time.monotonic() - self._since > patience:
            process.kill()

    def dismiss(self) -> None:
        """Kills the process, and no other is started. Any thread may ask for it."""
        with self._starting:
            self._dismissed = True
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """Kills and reaps the process, where there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in filter(None, (process.stdin, process.stdout)):
            with suppress(OSError):  # it was not all written
                pipe.close()
        process.wait()

    def _asked(self, batch: Batch) -> News | None:
        """The process's answer; None where it was lost, or none can be started."""
        self._since = time.monotonic()
        try:
            if (process := self._process or self._started()) is None:
                return None
            self._since = time.monotonic()
            return news_from_plain(_said(process, [str(self._root), batch]))
        except _LOST:
            self.end()
            return None
        finally:
            self._since = float("inf")

    def _started(self) -> subprocess.Popen[bytes] | None:
        """A process that is ready; where it does not come to that, no other is tried."""
        with self._starting:
            if self._dismissed or not self._usable:
                return None
            self._usable = False
            self._process = process = _start(self._command)
        self._usable = _line(process) == READY
        if not self._usable:
            self.end()
            return None
        return process


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """In a group of its own: what interrupts this process in a terminal ends that one by its end, and quietly."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=flags)
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)


def _said(process: subprocess.Popen[bytes], job: object) -> Any:
    assert process.stdin is not None
    process.stdin.write(json.dumps(job).encode() + b"\n")
    process.stdin.flush()
    return json.loads(_line(process))


def _line(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline()
