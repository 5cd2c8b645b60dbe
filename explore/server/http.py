"""The MCP server over streamable HTTP, for many clients at once. It serves the projects that it was started with, and
nobody who has not the token where there is one."""

from __future__ import annotations

import hmac
import ipaddress
import signal
import socket
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Any, Final

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from explore.errors import BadRequest
from explore.explorer import Notice
from explore.index.location import project_root
from explore.server.handler import Service, make_server
from explore.server.pool import Pool
from explore.server.projects import Projects
from explore.server.registry import Note, folder

PATH: Final = "/mcp"
MOST_REQUEST_BYTES: Final = 1 << 20
"""Of the body of a request; a question is far smaller."""

MOST_SESSIONS: Final = 256
IDLE_SECONDS: Final = 30 * 60.0
"""Sessions of the older protocols that may be open, and how long one may be silent before it is closed."""

MOST_CONNECTIONS: Final = 512
LEAST_TOKEN: Final = 16
"""Characters of a token; a shorter one is soon guessed."""

GOODBYE_SECONDS: Final = 30
"""How long calls in flight may take once the server is to stop."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def serve_http(address: str, roots: Sequence[str], token_file: str | None, workers: int, notice: Notice) -> None:
    """Serves until it is told to stop (SIGTERM, Ctrl-C): calls in flight end first. Raises `BadRequest` for an address
    or a token that will not do, and `BadRoot` for what is no project."""
    host, port = read_address(address)
    token = read_token(token_file) if token_file else None
    if token is None and not is_loopback(host):
        raise BadRequest(f"{host} can be reached from elsewhere: give --token-file, or serve on 127.0.0.1")
    projects = Projects(notice, only=[project_root(root) for root in roots])
    try:
        anyio.run(_serve, projects, host, port, token, workers, notice)
    finally:
        projects.close()


async def _serve(projects: Projects, host: str, port: int, token: str | None, workers: int, notice: Notice) -> None:
    with Note(folder(), _url(host, port), workers) as note:
        await _serve_noted(projects, host, port, token, workers, notice, note)


async def _serve_noted(
    projects: Projects, host: str, port: int, token: str | None, workers: int, notice: Notice, note: Note
) -> None:
    async with Pool(workers) as pool:
        app = make_app(Service(projects, pool if workers else None, asks_roots=False, note=note), host, token)
        config = uvicorn.Config(
            app, host=host, port=port, log_level="warning", access_log=False, lifespan="on",
            limit_concurrency=MOST_CONNECTIONS, timeout_graceful_shutdown=GOODBYE_SECONDS,
        )  # fmt: skip
        server = _Uvicorn(config, lambda: notice(f"serving MCP at {_url(host, port)}"))
        with _bound(host, port) as bound:
            await server.serve(sockets=[bound])


def _bound(host: str, port: int) -> socket.socket:
    """A socket at the address; `BadRequest` where there can be none; the library prints its own error and leaves."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise BadRequest(
            f"nothing can be served at {_bracketed(host)}:{port} ({error}): give another port, or end what serves there"
        ) from None


class _Uvicorn(uvicorn.Server):
    """Tells when it is ready, and stops on the first signal."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, _: Any) -> None:
        """Lets calls in flight end, but for a second Ctrl-C. The library would raise the signal once more at the end,
        and so leave the workers behind."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def make_app(service: Service, host: str, token: str | None) -> App:
    """The application: the protocol's own, behind the token where there is one. Other sites' pages, and names that were
    made to lead here, are refused."""
    names = ["127.0.0.1", "localhost", "[::1]", *([] if is_loopback(host) else [_bracketed(host)])]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=is_loopback(host) or not _is_any(host),
        allowed_hosts=[allowed for name in names for allowed in (name, f"{name}:*")],
        allowed_origins=[f"{scheme}://{name}:*" for scheme in ("http", "https") for name in names],
    )
    app = make_server(service).streamable_http_app(
        streamable_http_path=PATH, host=host, transport_security=security, max_request_body_size=MOST_REQUEST_BYTES,
        session_idle_timeout=IDLE_SECONDS, max_sessions=MOST_SESSIONS,
    )  # fmt: skip
    return app if token is None else _behind(token, app)


def _behind(token: str, app: App) -> App:
    """Answers 401 to every request that does not bring the token."""
    wanted = f"Bearer {token}".encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        if hmac.compare_digest(given, wanted):
            await app(scope, receive, send)
            return
        body = b"the token is missing or wrong: send it as `Authorization: Bearer TOKEN`\n"
        headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode()),
                   (b"www-authenticate", b"Bearer")]  # fmt: skip
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return guarded


def read_address(address: str) -> tuple[str, int]:
    """`HOST:PORT` as its parts; an IPv6 address stands in brackets."""
    bare, _, port = address.rpartition(":")
    host = bare.removeprefix("[").removesuffix("]")
    if not host or (":" in host and host == bare) or not port.isdecimal() or not port.isascii() or int(port) > 65_535:
        raise BadRequest(f"{address!r} is no address: give HOST:PORT, as 127.0.0.1:8765")
    return host, int(port)


def read_token(file: str) -> str:
    """The token that a file holds."""
    try:
        token = Path(file).read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        raise BadRequest(f"the token cannot be read from {file!r}: {error}") from None
    if len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise BadRequest(f"the token in {file!r} must be one word of at least {LEAST_TOKEN} letters, digits and signs")
    return token


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_any(host: str) -> bool:
    return host in ("0.0.0.0", "::")  # noqa: S104


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _url(host: str, port: int) -> str:
    return f"http://{_bracketed(host)}:{port}{PATH}"
