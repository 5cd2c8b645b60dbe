"""The Python front: an `Explorer` joins a project's index and the engine. It ranks nothing and renders nothing."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, Self, TypeVar

from explore import engine
from explore.debug import explain
from explore.dedup.recover import Wanted, read_wanted
from explore.engine import STRANGER, Options
from explore.errors import BadRequest, IndexUnavailable
from explore.index.corpus import IndexCorpus
from explore.index.location import Location, locate, project_root, relative_to, resolve_root
from explore.index.scan import changes_others
from explore.index.store import FAULTS, FILE_NAME, Store, discard, generation_of, is_damage
from explore.index.sync import Progress, Synced, count_behind, sync
from explore.model.ranked import Ranked
from explore.session.record import Session
from explore.session.view import View

LOOK_AGAIN_SECONDS: Final = 2.0
"""How long the list of files may be out of date; what is shown is checked at every answer."""

LOOK_AT_ALL_SECONDS: Final = 300.0
"""After so long one look at all files is due even for who is told what changed: some changes go unseen."""

MOST_PATHS: Final = 200
"""Changed paths up to which a look at those alone is less than one at all files; so many may also not be all."""

DEDUP: Final = "CODEGRAPH_EXPLORE_DEDUP"
DECAY: Final = "CODEGRAPH_EXPLORE_DECAY"
"""The environment variables that switch withholding off, and that later answers shrink."""

T = TypeVar("T")

Notice = Callable[[str], None]
"""Told, in a sentence, what a person should know: that an index was rebuilt, or lives elsewhere."""


@dataclass(frozen=True, slots=True)
class Status:
    """What is indexed: the root, the folder of the index, files (documents too), symbols, bytes of the index on disk,
    and how many files are other than indexed (changed, new or gone)."""

    root: str
    index: str
    files: int
    symbols: int
    languages: dict[str, int]
    index_bytes: int
    behind: int


@dataclass(frozen=True, slots=True)
class Answer(engine.Answer):
    """The text, what it delivered, how it came about, and the record of the conversation after it."""

    session: Session


class Explorer:
    """A project that can be asked. Safe to use from several threads; close it, or use it in a `with`."""

    def __init__(self, root: Path, location: Location, notice: Notice, *, writes: bool = True) -> None:
        self.root = root
        self._writes = writes
        self._drifted: set[str] = set()
        self._location = location
        self._notice = notice
        self._lock = threading.Lock()
        self._syncing = threading.Lock()
        self._looked = float("-inf")
        self._store = self._open_store()

    @classmethod
    def open(
        cls,
        root: str | os.PathLike[str],
        *,
        exact: bool = False,
        writes: bool = True,
        notice: Notice = lambda _: None,
    ) -> Self:
        """Opens the project at `root`: the nearest folder from it upwards that has an index, unless `exact`.

        Nothing is indexed yet: `explore`, `search` and `sync` do that. Without `writes` nothing ever is, and only an
        index that somebody else keeps in step can be asked. Raises `BadRoot` for what is no readable folder and
        `IndexUnavailable` where no index can be kept, or read.
        """
        real = resolve_root(root) if exact else project_root(root)
        location = locate(real)
        if location.elsewhere:
            notice(f"{real} cannot be written to: its index is kept in {location.folder}")
        return cls(real, location, notice, writes=writes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection to the index. Harmless when done twice; a later question opens it again."""
        with self._lock:
            self._store.close()

    def sync(self, progress: Progress | None = None, *, paths: Collection[str] | None = None) -> Synced:
        """Brings the index in step with the files; `progress` is called with the files done and to do.

        Where `paths` are given, from the root and with `/`, only those have changed since the last sync, so that the
        others need no look. They get one all the same where the last is long ago, or where what is at these paths
        can say what is indexed elsewhere.
        """
        with self._syncing:
            only = paths if paths is not None and self._suffice(paths) else None
            synced = self._mended(lambda: self._sync(progress, only))
            if only is None:
                self._looked = time.monotonic()
            return synced

    def refresh(self, progress: Progress | None = None) -> None:
        """Brings the index in step unless that was done a moment ago, or somebody is at it."""
        current = self._store.is_current()
        if current and (time.monotonic() - self._looked < LOOK_AGAIN_SECONDS or self._syncing.locked()):
            return
        self.sync(progress)

    def forget_look(self) -> None:
        """Lets the next `refresh` look at the files, however short the last look is ago."""
        self._looked = float("-inf")

    def explore(
        self,
        question: str,
        session: Session | None = None,
        *,
        max_bytes: int | None = None,
        max_files: int | None = None,
        resend: bool | Iterable[str] = (),
        refresh: bool = True,
    ) -> Answer:
        """Answers a question with numbered source, from the index as it is and the files as they are now.

        `session` is the record of the conversation so far; what its last answers sent is pointed at instead of sent
        again, and the answer has the record after it. `max_bytes` (1,000 to 50,000) and `max_files` (1 to 40) bound the
        answer. `resend` brings text back: paths, `path:start-end`, or True for all. With `refresh` the index is brought
        in step first. Raises `BadRequest` for an empty question and for options out of their range.
        """
        if not isinstance(session, Session | None):
            raise BadRequest(f"'session' must be the session of an answer, or None, not {type(session).__name__}")
        view = None if session is None else session.view(str(self.root))
        options = Options(max_bytes, max_files, self.wanted(resend))
        answer = self.answer(question, options, view, refresh=refresh)
        after = (session or Session()).after(answer.emission)
        return Answer(answer.text, answer.emission, answer.trace, after)

    def answer(
        self, question: str, options: Options, view: View | None = None, *, added: int = 0, refresh: bool = True
    ) -> engine.Answer:
        """Answers as `explore` does, for callers who keep the record themselves: `view` is what a call stands on, None
        where no record is kept; `added` bytes will go out besides the engine's text."""
        if refresh:
            self.refresh()
        withhold, decay = options.withhold and is_on(DEDUP), options.decay and is_on(DECAY)
        options = replace(options, withhold=withhold, decay=decay)

        def ask(corpus: IndexCorpus) -> engine.Answer:
            return engine.explore(question, corpus, str(self.root), options, view or STRANGER, time.perf_counter)

        answer = self._mended(lambda: self._asked(ask))
        explain(answer, view, added, self._notice)
        return answer

    def wanted(self, resend: bool | Iterable[str]) -> tuple[Wanted, ...] | Literal[True]:
        """What `resend` names, each file by its path from the root however it was written."""
        if isinstance(resend, bool):
            return True if resend else ()
        items = [resend] if isinstance(resend, str) else list(resend)
        if not all(isinstance(item, str) for item in items):
            raise BadRequest("'resend' takes True, or paths as text, each with lines or without: 'src/a.py:10-20'")
        wanted = map(read_wanted, items)
        return tuple(replace(item, path=relative_to(self.root, item.path)) for item in wanted)

    def take_drifted(self) -> tuple[str, ...]:
        """The files that answers found to be other than indexed, since the last time, for who writes the index."""
        with self._lock:
            drifted, self._drifted = self._drifted, set()
        return tuple(sorted(drifted))

    def search(self, question: str, *, refresh: bool = True) -> Ranked:
        """The files that answer a question, the best first, each with its best symbols, and no source."""
        if refresh:
            self.refresh()
        return self._mended(lambda: self._asked(lambda corpus: engine.search(question, corpus)))

    def status(self) -> Status:
        """What is indexed at this moment."""

        def read(corpus: IndexCorpus) -> Status:
            totals, folder = corpus.totals(), self._location.folder
            files = totals.files + corpus.documents.totals().files
            size = sum(file.stat().st_size for file in folder.glob(FILE_NAME + "*"))
            languages = corpus.languages()
            behind = count_behind(self._store, self.root)
            return Status(str(self.root), str(folder), files, totals.symbols, languages, size, behind)

        return self._mended(lambda: self._asked(read))

    def _asked(self, ask: Callable[[IndexCorpus], T]) -> T:
        with self._lock:
            self._keep_current()
            with self._store.reading():
                corpus = IndexCorpus(self._store, self.root)
                try:
                    return ask(corpus)
                finally:
                    self._drifted |= corpus.drifted

    def _suffice(self, paths: Collection[str]) -> bool:
        """Whether a look at these paths alone brings in step an index that was so a while ago."""
        recent = time.monotonic() - self._looked < LOOK_AT_ALL_SECONDS
        few = len(paths) <= MOST_PATHS and not any(map(changes_others, paths))
        return recent and few and not any((self.root / path).is_dir() for path in paths)

    def _sync(self, progress: Progress | None, only: Collection[str] | None = None) -> Synced:
        """Writes over a connection of its own, so that answers go on meanwhile."""
        with self._lock:
            current = self._store.is_current()
            self._keep_current()
        store = Store.open(self._location.folder)
        try:
            return sync(store, self.root, progress, only=only if current else None)
        finally:
            store.close()

    def _keep_current(self) -> None:
        """Opens the index again where another process has built it anew, or taken it away."""
        if not self._store.is_current():
            self._store.close()
            self._location = locate(self.root)
            self._store = self._open_store()

    def _open_store(self) -> Store:
        generation = generation_of(self._location.folder)
        try:
            return (Store.open if self._writes else Store.open_to_read)(self._location.folder)
        except FAULTS as error:
            return self._started_anew(error, generation)

    def _mended(self, do: Callable[[], T]) -> T:
        """Does it; where the index turns out to be damaged, once more with one built anew."""
        store = self._store
        try:
            return do()
        except FAULTS as error:
            with self._lock:
                if self._store is store and store.is_current():  # else it has been mended meanwhile
                    store.close()
                    self._store = self._started_anew(error, store.generation)
        try:
            self._sync(None)
            return do()
        except FAULTS as error:
            raise self._unusable(error) from error

    def _started_anew(self, error: Exception, generation: int) -> Store:
        """An empty index in the place of the damaged one of this generation, or the one that another process has put
        there; `IndexUnavailable` for what building anew cannot mend."""
        folder = self._location.folder
        if not self._writes or (not is_damage(error) and generation_of(folder) == generation):
            raise self._unusable(error) from error
        self._notice(f"the index in {folder} is rebuilt: {error}")
        try:
            discard(folder, generation)
            return Store.open(folder)
        except (OSError, *FAULTS) as again:
            raise self._unusable(again) from again

    def _unusable(self, error: Exception) -> IndexUnavailable:
        return IndexUnavailable(f"the index in {self._location.folder} cannot be used: {error}")


def is_on(switch: str) -> bool:
    """Whether a switch of the environment is on, as all are unless it says `0`, `false`, `off` or `no`."""
    return os.environ.get(switch, "").strip().lower() not in {"0", "false", "off", "no"}
