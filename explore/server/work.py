"""One call as plain data in and out, so that it can run in another thread or process. It keeps nothing and trusts
nothing that comes in as a view."""

from __future__ import annotations

from explore.engine import Options
from explore.explorer import Explorer
from explore.render.answer import HANDLE_BYTES
from explore.server.tool import Call
from explore.session.view import Plain, View, emission_to_plain, view_from_plain, view_to_plain


def job_of(call: Call, root: str, notice: str, view: View) -> Plain:
    """The call on the project at `root` as JSON can say it, with what it stands on."""
    return {
        "root": root,
        "query": call.query,
        "max_bytes": call.max_bytes,
        "max_files": call.max_files,
        "resend": call.resend if isinstance(call.resend, bool) else list(call.resend),
        "notice": notice,
        "view": view_to_plain(view),
    }


def do(job: Plain, explorer: Explorer) -> Plain:
    """Answers it: `text`; `emission`, which is for the owner of the record and goes no further; and `drifted`, the
    files that are no longer as they were indexed, for the owner of the index."""
    options = Options(job["max_bytes"], job["max_files"], resend=explorer.wanted(job["resend"]), notice=job["notice"])
    view = view_from_plain(job["view"])
    answer = explorer.answer(job["query"], options, view, added=HANDLE_BYTES, refresh=False)
    return {
        "text": answer.text,
        "emission": emission_to_plain(answer.emission),
        "drifted": list(explorer.take_drifted()),
    }
