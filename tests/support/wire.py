"""A client of the server that knows no SDK: JSON-RPC, one message a line, over a real process's pipes."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.shell import command, environment

Message = dict[str, Any]
SECONDS = 60.0
SERVE = command("serve")


class Wire:
    """A server process and the messages that came from it. Every line on its stdout must be JSON-RPC."""

    def __init__(self, cwd: Path, env: Mapping[str, str] | None = None, command: Sequence[str | bytes] = SERVE) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env or environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.notifications: list[Message] = []
        self.answers: dict[int, Message] = {}
        self.asked: list[str] = []
        self.replies: dict[str, Callable[[], Message]] = {}
        self._buffer = b""
        self._last = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        code, err = self.end()
        if error is None:
            assert code == 0
            assert "Traceback" not in err, err

    def initialize(self, protocol: str = "2025-06-18", **capabilities: Any) -> Message:
        """The handshake of the older protocols."""
        client = {"name": "wire", "version": "1"}
        result = self.request(
            "initialize", {"protocolVersion": protocol, "capabilities": capabilities, "clientInfo": client}
        )["result"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert isinstance(result, dict)
        return result

    def send(self, message: Message) -> None:
        """Writes one message."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def post(self, method: str, params: Message) -> int:
        """Sends a request without waiting; its number."""
        self._last += 1
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        return self._last

    def request(self, method: str, params: Message) -> Message:
        """Sends a request and waits for its response."""
        return self.response(self.post(method, params))

    def call(self, arguments: object, **more: Any) -> Message:
        """Calls the tool; the result."""
        result = self.request("tools/call", {"name": "codegraph_explore", "arguments": arguments, **more})["result"]
        assert isinstance(result, dict)
        return result

    def text(self, query: str, **more: Any) -> str:
        """Calls the tool, which must answer well; the text."""
        result = self.call({"query": query, **more})
        assert not result.get("isError"), result
        (content,) = result["content"]
        return str(content["text"])

    def source(self, query: str, **more: Any) -> str:
        """The same without the line that names the answer."""
        text, line, _ = self.text(query, **more).rpartition("\n\ncontext: ")
        assert line
        return text

    def response(self, number: int) -> Message:
        """Waits for the response to a request, taking in what else comes."""
        deadline = time.monotonic() + SECONDS
        while number not in self.answers:
            self._take(json.loads(self._line(deadline)))
        return self.answers.pop(number)

    def end(self) -> tuple[int, str]:
        """Closes stdin and waits: the exit code and all of stderr. What is left on stdout must be JSON-RPC, too."""
        if self.process.returncode is not None:
            return self.process.returncode, ""
        try:
            rest, err = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise
        for line in (self._buffer + rest).splitlines():
            assert json.loads(line)["jsonrpc"] == "2.0"
        return self.process.returncode, err.decode()

    def _take(self, message: Message) -> None:
        assert message["jsonrpc"] == "2.0"
        if "method" not in message:
            self.answers[message["id"]] = message
        elif "id" in message:
            self.asked.append(message["method"])
            self.send({"jsonrpc": "2.0", "id": message["id"], **self.replies[message["method"]]()})
        else:
            self.notifications.append(message)

    def _line(self, deadline: float) -> bytes:
        assert self.process.stdout is not None
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], deadline - time.monotonic())
            assert ready, "the server does not answer"
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            assert more, "the server has ended"
            self._buffer += more
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line
