"""Worker processes for calls, which are plain data in and out. A worker that dies, hangs or grows is replaced; it knows
no client and keeps no record."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from explore.errors import CallLost
from explore.index.process import command as command_of
from explore.session.view import Plain

COMMAND: Final = command_of("explore.server.worker")

PATIENCE_SECONDS: Final = 60.0
"""How long a worker may be at one call before it counts as hung."""

MOST_BYTES: Final = 1 << 30
"""Memory from which on a worker gives way to a fresh one; a few times what a large project takes."""

TRIES: Final = 3
"""Workers that a call is given to, one after the other, before it is given up."""

_LONGEST_REPLY: Final = 1 << 26

_LOST: Final = (
    anyio.EndOfStream,
    anyio.IncompleteRead,
    anyio.DelimiterNotFound,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    OSError,
    TimeoutError,
    ValueError,
)
"""What talking to a worker can raise: it is gone, silent, or says what is no answer."""


class Pool:
    """So many workers, each started when it is needed first. Used from one event loop, within `async with`."""

    def __init__(
        self,
        size: int,
        patience: float = PATIENCE_SECONDS,
        most_bytes: int = MOST_BYTES,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self._idle = [_Worker(command) for _ in range(size)]
        self._all = tuple(self._idle)
        self._places = anyio.Semaphore(size)
        self._patience = patience
        self._most_bytes = most_bytes

    async def __aenter__(self) -> Pool:
        return self

    async def __aexit__(self, *_: object) -> None:
        with anyio.CancelScope(shield=True):
            for worker in self._all:
                await worker.end()

    @property
    def processes(self) -> tuple[int, ...]:
        """The numbers of the processes that run now."""
        return tuple(worker.number for worker in self._all if worker.number is not None)

    async def do(self, job: Plain) -> Plain:
        """What a worker makes of a job; `CallLost` where several were lost over it."""
        line = json.dumps(job).encode() + b"\n"
        for _ in range(TRIES):
            async with self._worker() as worker:
                try:
                    with anyio.fail_after(self._patience):
                        done: Plain = await worker.ask(line)
                except _LOST:
                    await worker.end()
                    continue
                except BaseException:  # cancelled: what it is at is nobody's any more
                    with anyio.CancelScope(shield=True):
                        await worker.end()
                    raise
                if done.get("peak", 0) > self._most_bytes:
                    await worker.end()
                return done
        raise CallLost("each process that was to answer ended before it did: ask again, or for less")

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[_Worker]:
        """A worker that nobody else uses, the one used last where there are several."""
        async with self._places:
            worker = self._idle.pop()
            try:
                yield worker
            finally:
                self._idle.append(worker)


class _Worker:
    """A place for a process, which is started when it is asked and none runs."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: Process | None = None
        self._replies: BufferedByteReceiveStream | None = None

    @property
    def number(self) -> int | None:
        """The number of its process, where one runs."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def ask(self, line: bytes) -> Plain:
        """Sends a job and waits for the answer; raises one of `_LOST`, after which it must be ended."""
        if self.number is None:
            await self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._replies is not None
        await self._process.stdin.send(line)
        reply = json.loads(await self._replies.receive_until(b"\n", _LONGEST_REPLY))
        if not isinstance(reply, dict):
            raise ValueError("a worker's answer is an object")
        return reply

    async def _start(self) -> None:
        await self.end()
        # A session of its own: what interrupts the server in a terminal must not end calls in flight.
        self._process = await anyio.open_process(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None, start_new_session=True
        )
        assert self._process.stdout is not None
        self._replies = BufferedByteReceiveStream(self._process.stdout)

    async def end(self) -> None:
        """Kills and reaps the process, where there is one."""
        process, self._process, self._replies = self._process, None, None
        if process is None:
            return
        if process.returncode is None:
            _kill(process)
        await process.aclose()


def _kill(process: Process) -> None:
    """Not by the library's own way: that reaps a process that has just ended, and its watcher then complains."""
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
