"""A worker process: answers jobs that come as lines of JSON on stdin, in lines of JSON on stdout. It keeps no record of
anybody, and writes to no index."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections import OrderedDict
from typing import BinaryIO, Final

from explore.errors import ExploreError, IndexUnavailable
from explore.explorer import Explorer
from explore.server import work
from explore.session.view import Plain

MOST_PROJECTS: Final = 8
"""Projects kept open; the one that was asked the longest ago is closed."""

YOUNG_OBJECTS: Final = 50_000
"""New objects after which Python looks for cycles. An answer makes hundreds of thousands and no cycles; to look for
them at every 700, as is the default, was a tenth of its time."""


def main() -> None:
    """Answers until stdin ends. Nothing but answers reaches stdout."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    answer(sys.stdin.buffer, answers)


def answer(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Answers each job before it reads the next."""
    projects = _Projects()
    for line in jobs:
        answers.write(json.dumps(_done(json.loads(line), projects)).encode() + b"\n")
        answers.flush()


class _Projects:
    """Open projects by their root, for reading."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Explorer] = OrderedDict()

    def at(self, root: str) -> Explorer:
        if root not in self._open:
            self._open[root] = Explorer.open(root, exact=True, writes=False)
        self._open.move_to_end(root)
        while len(self._open) > MOST_PROJECTS:
            _, oldest = self._open.popitem(last=False)
            oldest.close()
        return self._open[root]


def _done(job: Plain, projects: _Projects) -> Plain:
    """What `work.do` says, or why not, by the kind of error."""
    try:
        done = work.do(job, projects.at(job["root"]))
    except IndexUnavailable as error:
        done = {"unavailable": str(error)}
    except ExploreError as error:
        done = {"refused": str(error)}
    return {**done, "peak": _peak()}


def _peak() -> int:
    """The most bytes of memory that this process has had; 0 where that cannot be known."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    main()
