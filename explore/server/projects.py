"""The projects a server has open: each is indexed once, and then kept in step with its files. It speaks no protocol."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from explore.errors import BadRoot, ExploreError
from explore.explorer import Explorer, Notice
from explore.index.location import project_root
from explore.server.watch import Paths, Watch

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
    """An open project with its first indexing, and the watch over its files."""

    explorer: Explorer
    indexing: Indexing
    watch: Watch
    mending: threading.Lock = field(default_factory=threading.Lock)

    def refresh(self) -> None:
        """Brings the index in step, where nobody watches the files."""
        if not self.indexing.running and not self.watch.alive:
            self.explorer.refresh()

    def mend(self) -> None:
        """Brings the index in step in a thread, unless one is at it: somebody found files that are not as indexed."""
        if self.mending.acquire(blocking=False):
            threading.Thread(target=self._mend, daemon=True).start()

    def close(self) -> None:
        """Stops watching and closes the index."""
        self.watch.stop()
        self.explorer.close()

    def _mend(self) -> None:
        try:
            self.explorer.sync()
        except ExploreError:
            self.explorer.forget_look()  # the next call tries, and tells its client why it cannot
        finally:
            self.mending.release()


class Projects:
    """Open projects by their root; `only` these, where it names any, of which the first is the default. Safe to use
    from several threads."""

    def __init__(self, notice: Notice, only: Collection[Path] = ()) -> None:
        self._notice = notice
        self._only = tuple(only)
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Project] = OrderedDict()

    def at(self, path: str | None) -> Project:
        """The project at `path`, or the default one, opened and being indexed; `BadRoot` or `IndexUnavailable` where it
        cannot be."""
        root = self._root(path)
        with self._lock:
            if root not in self._open:
                self._open[root] = self._opened(root)
            self._open.move_to_end(root)
            self._close_beyond(MOST_PROJECTS)
            return self._open[root]

    @property
    def roots(self) -> tuple[str, ...]:
        """Those that are open."""
        return tuple(self._open)

    @property
    def watched(self) -> tuple[str, ...]:
        """Those of which changes are seen as they happen."""
        return tuple(root for root, project in list(self._open.items()) if project.watch.alive)

    def close(self) -> None:
        """Closes all of them. An indexing that still runs keeps what it has committed."""
        with self._lock:
            self._close_beyond(0)

    def _root(self, path: str | None) -> str:
        if not self._only:
            return str(project_root(path or "."))
        if path is None:
            return str(self._only[0])
        asked = Path(path).resolve() if Path(path).is_absolute() else (self._only[0] / path).resolve()
        within = [root for root in self._only if asked.is_relative_to(root)]
        if not within:  # said of what is there and of what is not alike
            raise BadRoot(f"{path!r} is in none of the projects that this server serves")
        return str(max(within, key=lambda root: len(root.parts)))

    def _opened(self, root: str) -> Project:
        explorer = Explorer.open(root, exact=True, notice=self._notice)
        indexing = Indexing(threading.Thread(target=lambda: _index(explorer, indexing), daemon=True))
        watch = Watch(explorer.root, lambda paths: _sync(explorer, paths), self._notice)
        watch.start()
        indexing.thread.start()
        return Project(explorer, indexing, watch)

    def _close_beyond(self, most: int) -> None:
        while len(self._open) > most:
            _, project = self._open.popitem(last=False)
            project.close()


def _index(explorer: Explorer, indexing: Indexing) -> None:
    def progress(done: int, total: int) -> None:
        indexing.done, indexing.total = done, total

    try:
        explorer.sync(progress)
    except Exception as error:  # carried to the call that waits for it, which raises it
        indexing.error = error


def _sync(explorer: Explorer, paths: Paths | None) -> None:
    try:
        explorer.sync(paths=paths)
    except ExploreError:
        explorer.forget_look()
