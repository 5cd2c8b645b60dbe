"""The MCP server over any transport: requests to calls, answers to results. It ranks and renders nothing."""

from __future__ import annotations

import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlparse
from weakref import WeakSet

import anyio
import mcp_types as types
from anyio import to_thread
from anyio.lowlevel import checkpoint_if_cancelled
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from explore import __version__
from explore.errors import BadRequest, ExploreError, IndexUnavailable
from explore.server import work
from explore.server.conversations import Conversations
from explore.server.pool import Pool
from explore.server.projects import Project, Projects
from explore.server.registry import Note
from explore.server.tool import DESCRIPTION, INPUT_SCHEMA, INSTRUCTIONS, NAME, Call, read_call
from explore.session.standing import Claim
from explore.session.view import Plain, emission_from_plain

PATIENCE_SECONDS: Final = 20.0
"""How long a call waits for a first indexing; then it is answered from what is ready."""

POLL_SECONDS: Final = 0.02
ROOTS_SECONDS: Final = 2.0

STATE: Final = "conversations"
"""Where a connection keeps its conversations."""

Context = ServerRequestContext[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Service:
    """What all clients of a server share: the projects, the workers that answer (None: a thread of this process does),
    and the note that says that it runs. `patience` in seconds, for a first indexing. `asks_roots`: whether a client's
    own root is asked for where a call names no project."""

    projects: Projects
    pool: Pool | None = None
    patience: float = PATIENCE_SECONDS
    asks_roots: bool = True
    note: Note | None = None
    connections: WeakSet[Conversations] = field(default_factory=WeakSet)

    def count(self) -> None:
        """Notes one more call."""
        if self.note is not None:
            self.note.count(self.projects.roots, len(self.connections), self.projects.watched)


def make_server(service: Service, *, one_client: bool = False) -> Server[dict[str, Any]]:
    """The server with its one tool. `one_client`: the transport carries a single client, as stdio does, so that it is a
    connection even where the protocol knows none."""
    without_connection = Conversations(lasting=one_client)

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        tool = types.Tool(
            name=NAME,
            title="Explore the code",
            description=DESCRIPTION,
            input_schema=INPUT_SCHEMA,
            annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
        )
        return types.ListToolsResult(tools=[tool])

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name != NAME:
            return _result(f"there is no tool {params.name!r}: call {NAME}", error=True)
        conversations = _conversations(context) or without_connection
        service.connections.add(conversations)
        try:
            call = read_call(params.arguments, context.meta)
            return _result(await _answer(call, service, conversations, context))
        except ExploreError as error:
            return _result(f"Not answered: {error}.")
        finally:
            service.count()  # the project is open by now

    return Server(
        "codegraph-explore",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _conversations(context: Context) -> Conversations | None:
    """The state of the client's connection; None over a protocol in which each call is a connection of its own."""
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return None
    # What a handler gets is made anew for each request; the library (2.3) has no public way to what lasts.
    state = context.session._connection.state
    if STATE not in state:
        state[STATE] = Conversations()
    found = state[STATE]
    assert isinstance(found, Conversations)
    return found


def _client_name(context: Context) -> str:
    client = context.session.client_params
    return client.client_info.name if client else ""


async def _answer(call: Call, service: Service, conversations: Conversations, context: Context) -> str:
    """The answer with its handle. It is recorded once nothing but the writing is left: whoever cancels a call before
    then has not been sent anything."""
    path = call.project_path or (await _client_root(context) if service.asks_roots else None)
    project = await to_thread.run_sync(service.projects.at, path)
    claim = Claim(call.handles, call.identifier)
    view = conversations.view(claim, str(project.explorer.root), _client_name(context))
    await _wait(project, context, service.patience)
    done = await _done(work.job_of(call, str(project.explorer.root), _unfinished(project), view), project, service.pool)
    await checkpoint_if_cancelled()  # a thread is not stopped by it, and comes back as if nothing had happened
    emission = emission_from_plain(done["emission"])
    assert emission is not None
    return f"{done['text']}\n\ncontext: {conversations.record(claim, view, emission)}"


async def _done(job: Plain, project: Project, pool: Pool | None) -> Plain:
    """The job done, by a worker where there are any; what that found to be other than indexed is then indexed anew."""
    await to_thread.run_sync(project.refresh)
    if pool is None:
        done = await to_thread.run_sync(work.do, job, project.explorer)
    else:
        done = await pool.do(job)
        if "unavailable" in done:  # the index is being made anew, or has to be: only its owner can do that
            await to_thread.run_sync(project.explorer.sync)
            done = await pool.do(job)
    if "unavailable" in done:
        raise IndexUnavailable(done["unavailable"])
    if "refused" in done:
        raise BadRequest(done["refused"])
    if done["drifted"]:
        project.mend()
    return done


async def _wait(project: Project, context: Context, patience: float) -> None:
    """Waits for the first indexing, telling the client how far it is; raises what ended it."""
    told = -1
    with anyio.move_on_after(patience):
        while project.indexing.running:
            done, total = project.indexing.done, project.indexing.total
            if total and done != told:
                told = done
                await context.session.report_progress(done, total, f"{done:,} of {total:,} files indexed")
            await anyio.sleep(POLL_SECONDS)
    if error := project.indexing.error:
        project.indexing.error = None
        raise error


def _unfinished(project: Project) -> str:
    """What to say of an answer given before all is indexed."""
    indexing = project.indexing
    if not indexing.running:
        return ""
    return f"Still indexing: {indexing.done:,} of {indexing.total:,} files are ready; this answer is from those."


async def _client_root(context: Context) -> str | None:
    """The first folder that the client names as its root, where it can be asked."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None or not context.session.can_send_request:
        return None
    with anyio.move_on_after(ROOTS_SECONDS), suppress(MCPError), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # clients of older protocols still tell their root this way
        roots = (await context.session.list_roots()).roots
        paths = [unquote(urlparse(str(root.uri)).path) for root in roots]
        return next((path for path in paths if Path(path).is_dir()), None)
    return None


def _result(text: str, *, error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=error)
