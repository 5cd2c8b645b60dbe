"""The MCP server on stdio: requests to calls, answers to results. It ranks and renders nothing."""

from __future__ import annotations

import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlparse

import anyio
import mcp_types as types
from anyio import to_thread
from anyio.lowlevel import checkpoint_if_cancelled
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from explore import __version__
from explore.errors import ExploreError
from explore.explorer import Notice
from explore.server import work
from explore.server.conversations import Conversations
from explore.server.projects import Project, Projects
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


def serve(notice: Notice) -> None:
    """Serves until the client closes its end."""
    projects = Projects(notice)
    try:
        anyio.run(_serve, projects)
    finally:
        projects.close()


async def _serve(projects: Projects) -> None:
    server = make_server(projects, one_client=True)
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


def make_server(
    projects: Projects, patience: float = PATIENCE_SECONDS, *, one_client: bool = False
) -> Server[dict[str, Any]]:
    """The server with its one tool, over any transport; `patience` in seconds, for a first indexing. `one_client`: the
    transport carries a single client, as stdio does, so that it is a connection even where the protocol knows none."""
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
        try:
            call = read_call(params.arguments, context.meta)
            return _result(await _answer(call, projects, conversations, context, patience))
        except ExploreError as error:
            return _result(f"Not answered: {error}.")

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


async def _answer(
    call: Call, projects: Projects, conversations: Conversations, context: Context, patience: float
) -> str:
    """The answer with its handle. It is recorded once nothing but the writing is left: whoever cancels a call before
    then has not been sent anything."""
    path = call.project_path or await _client_root(context) or "."
    project = await to_thread.run_sync(projects.at, path)
    claim = Claim(call.handles, call.identifier)
    view = conversations.view(claim, str(project.explorer.root), _client_name(context))
    await _wait(project, context, patience)
    done = await to_thread.run_sync(_run, work.job_of(call, _unfinished(project), view), project)
    await checkpoint_if_cancelled()  # a thread is not stopped by it, and comes back as if nothing had happened
    emission = emission_from_plain(done["emission"])
    assert emission is not None
    return f"{done['text']}\n\ncontext: {conversations.record(claim, view, emission)}"


def _run(job: Plain, project: Project) -> Plain:
    if not project.indexing.running:
        project.explorer.refresh()
    return work.do(job, project.explorer)


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
