"""The projects a server has open, and the indexing that goes on in them; it speaks no protocol."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from explore.explorer import Explorer, Notice
from explore.index.location import project_root

MOST_PROJECTS: Final = 8
"""Projects kept open; the one that was asked the longest ago is closed."""


@dataclass(slots=True)
class Indexing:
    """A first indexing under way in a thread: files done and to do, and how it ended."""

    thread: threading.Thread
    done: int = 0
    total: int = 0
    error: Exception | None = None

    @property
    def running(self) -> bool:
        """Whether it still goes on."""
        return self.thread.is_alive()


@dataclass(slots=True)
class Project:
    """An open project with its first indexing."""

    explorer: Explorer
    indexing: Indexing


class Projects:
    """Open projects by their root. Safe to use from several threads."""

    def __init__(self, notice: Notice) -> None:
        self._notice = notice
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Project] = OrderedDict()

    def at(self, path: str) -> Project:
        """The project at `path`, opened and being indexed; `BadRoot` or `IndexUnavailable` where it cannot be."""
        root = str(project_root(path))
        with self._lock:
            if root not in self._open:
                self._open[root] = self._opened(root)
            self._open.move_to_end(root)
            self._close_beyond(MOST_PROJECTS)
            return self._open[root]

    def close(self) -> None:
        """Closes all of them. An indexing that still runs keeps what it has committed."""
        with self._lock:
            self._close_beyond(0)

    def _opened(self, root: str) -> Project:
        explorer = Explorer.open(root, exact=True, notice=self._notice)
        indexing = Indexing(threading.Thread(target=lambda: _index(explorer, indexing), daemon=True))
        indexing.thread.start()
        return Project(explorer, indexing)

    def _close_beyond(self, most: int) -> None:
        while len(self._open) > most:
            _, project = self._open.popitem(last=False)
            project.explorer.close()


def _index(explorer: Explorer, indexing: Indexing) -> None:
    def progress(done: int, total: int) -> None:
        indexing.done, indexing.total = done, total

    try:
        explorer.sync(progress)
    except Exception as error:  # carried to the call that waits for it, which raises it
        indexing.error = error
