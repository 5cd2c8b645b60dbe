"""Watches a project's files in a thread, and calls where any of its own changed; it reads none of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from explore.explorer import Notice
from explore.index.location import FOLDER
from explore.index.scan import is_read

DEBOUNCE_MS: Final = 400
STEP_MS: Final = 50
TIMEOUT_MS: Final = 300
"""Changes that follow each other within a step are one, for at most so long: a branch switch is one. And how long the
library waits for one before it looks whether it is to end."""


_OTHERS: Final = frozenset({FOLDER, ".git", "node_modules", "__pycache__", ".venv"})
"""Folders that hold nothing of the project's own; the index lies in one of them."""


def is_of_interest(_: object, path: str) -> bool:
    """Whether the index may change with what is at a path: a file that is read, one that says what is
    ignored, or what may be a folder."""
    *folders, name = Path(path).parts
    if not _OTHERS.isdisjoint([*folders, name]):
        return False
    return is_read(name) or name == ".gitignore" or "." not in name[1:]


Paths = frozenset[str]
"""Paths from the root, with `/`."""


class Watch:
    """The watch over one folder. `changed` is called in its thread, never twice at once, with the paths that changed;
    None where any may have."""

    def __init__(self, root: Path, changed: Callable[[Paths | None], None], notice: Notice) -> None:
        self._root = root
        self._changed = changed
        self._notice = notice
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ready = False

    @property
    def alive(self) -> bool:
        """Whether changes are seen as they happen, and all before have been."""
        return self._thread.is_alive() and self._ready

    def start(self) -> None:
        """Begins to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the watch, soon."""
        self._stop.set()

    def _run(self) -> None:
        from watchfiles import watch

        try:
            self._root.stat()  # the library would watch what is not there without a word
            # It yields for the first time once it watches: what changed before that is looked for then.
            changes = watch(
                self._root, watch_filter=is_of_interest, debounce=DEBOUNCE_MS, step=STEP_MS, stop_event=self._stop,
                rust_timeout=TIMEOUT_MS, yield_on_timeout=True, raise_interrupt=False, ignore_permission_denied=True,
            )  # fmt: skip
            for changed in changes:
                if changed or not self._ready:
                    self._changed(self._paths(changed) if self._ready else None)
                self._ready = True
        except (OSError, RuntimeError) as error:  # as where there are more folders than the system watches
            self._ready = False
            self._notice(f"{self._root} cannot be watched, and is looked at now and then instead: {error}")

    def _paths(self, changed: Iterable[tuple[object, str]]) -> Paths | None:
        paths = [Path(path) for _, path in changed]
        if not all(path.is_relative_to(self._root) for path in paths):  # a system that calls the root otherwise
            return None
        return frozenset(path.relative_to(self._root).as_posix() for path in paths)
