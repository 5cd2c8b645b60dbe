"""The MCP server on stdio, for one client. It prints nothing else on stdout."""

from __future__ import annotations

import anyio
from mcp.server.stdio import stdio_server

from explore.explorer import Notice
from explore.server.handler import Service, make_server
from explore.server.pool import Pool
from explore.server.projects import Projects
from explore.server.registry import Note, folder


def serve(notice: Notice, workers: int) -> None:
    """Serves until the client closes its end; `workers` 0 answers in this process."""
    projects = Projects(notice)
    try:
        anyio.run(_serve, projects, workers)
    finally:
        projects.close()


async def _serve(projects: Projects, workers: int) -> None:
    async with Pool(workers) as pool, stdio_server() as (read_stream, write_stream):
        with Note(folder(), "stdio", workers) as note:
            server = make_server(Service(projects, pool if workers else None, note=note), one_client=True)
            await server.run(read_stream, write_stream, server.create_initialization_options())
