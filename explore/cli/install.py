"""`install` and `uninstall`: our entry in a host's configuration. It shows what it changes, and asks first."""

from __future__ import annotations

import argparse
import difflib
import os
import shutil
import sys
from pathlib import Path

from explore.errors import BadRequest
from explore.hosts.config import CLAUDE_CODE, HOSTS, Change, installed, snippet, uninstalled


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    for name, help_text in (("install", "make an agent host start the server"), ("uninstall", "undo that")):
        parser = verbs.add_parser(name, help=help_text)
        parser.add_argument("host", choices=HOSTS)
        parser.add_argument(
            "--project",
            metavar="DIR",
            help="for this project alone, in a file that can be committed (default: for you)",
        )
        parser.add_argument("--yes", action="store_true", help="change the files without asking")
        parser.add_argument(
            "--write", action="store_true", help=f"change the file (for {CLAUDE_CODE} that is the default)"
        )
        parser.set_defaults(run=run_install if name == "install" else run_uninstall)


def run_install(arguments: argparse.Namespace) -> int:
    """Puts our entry in, or says what it is and where it goes."""
    project = _folder(arguments.project)
    changes = installed(arguments.host, _command(), Path.home(), project, _read)
    if arguments.host != CLAUDE_CODE and not (arguments.write or arguments.yes):
        (file,) = (change.file for change in changes or [Change(_place(arguments.host, project), None, None)])
        print(f"Put this into {file} (or say --write):\n\n{snippet(arguments.host, _command())}", end="")
        return 0
    return _apply(changes, arguments.yes, "It is installed already: nothing to change.")


def run_uninstall(arguments: argparse.Namespace) -> int:
    """Takes our entry out."""
    changes = uninstalled(arguments.host, Path.home(), _folder(arguments.project), _read)
    return _apply(changes, arguments.yes, "It is not installed there: nothing to change.")


def _place(host: str, project: Path | None) -> Path:
    """The file that a host's entry goes into."""
    return installed(host, ["-"], Path.home(), project, lambda _: None)[0].file


def _folder(project: str | None) -> Path | None:
    if project is None:
        return None
    folder = Path(project).resolve()
    if not folder.is_dir():
        raise BadRequest(f"there is no folder {project!r}: give the project's")
    return folder


def _command() -> list[str]:
    """How the host is to start us: by the installed command where it can be found, as it is found from here."""
    found = shutil.which("codegraph-explore")
    beside = Path(sys.executable).with_name("codegraph-explore")
    if found:
        return [str(Path(found).absolute())]
    return [str(beside)] if beside.is_file() else [sys.executable, "-m", "explore"]


def _read(file: Path) -> str | None:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BadRequest(f"{file} cannot be read: {error}") from None


def _apply(changes: list[Change], yes: bool, nothing: str) -> int:
    if not changes:
        print(nothing)
        return 0
    for change in changes:
        print("".join(_difference(change)), end="")
    if not yes and not _agreed():
        print("Nothing was changed.")
        return 1
    for change in changes:
        _write(change)
        print(f"{'removed' if change.after is None else 'written'}: {change.file}")
    return 0


def _difference(change: Change) -> list[str]:
    before, after = ((text or "").splitlines(keepends=True) for text in (change.before, change.after))
    return [line if line.endswith("\n") else line + "\n" for line in
            difflib.unified_diff(before, after, str(change.file), f"{change.file} (new)")]  # fmt: skip


def _agreed() -> bool:
    if not sys.stdin or not sys.stdin.isatty():
        raise BadRequest("nobody is there to be asked: look at the change above, and say --yes")
    return input("Change this? [y/N] ").strip().lower() in {"y", "yes"}


def _write(change: Change) -> None:
    """In one step, so that a file is never half written; its permissions and, for a link, its place stay."""
    file = change.file.resolve()
    try:
        if change.after is None:
            file.unlink()
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
        fresh.write_text(change.after, "utf-8")
        if file.exists():
            shutil.copymode(file, fresh)
        fresh.replace(file)
    except OSError as error:
        raise BadRequest(f"{file} cannot be written: {error.strerror}") from None
