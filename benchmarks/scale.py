"""How the index bears many files: makes a repository of them from a seed, in a temporary folder, and measures there.

    scale.py [--files 25000] [--seed 1] [--keep DIR] [--ours COMMAND] [--peer COMMAND] [--json OUT]

Of every folder's words some are the whole repository's and some its own; files import, inherit from and call others,
and are 50 to 300 lines long. The table has: the index from nothing (wall, memory of all processes, size), a look at all
files where none changed, one changed file that is known and one that has to be found, and a warm answer over MCP, whose
questions are made of the same words. With `--peer` the same is asked of another program, as far as it can be. Nothing
is asserted. `--keep` makes the repository in this folder, and uses it again if it is there.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.peer import GOODBYE_S, MeasureError, Server, finished, size_of
from explore.explorer import Explorer

SYLLABLES: Final = "ba co di fu ga lo mi nu pe ra si to ve wo xa yo zu qui tra ble str on al er".split()
NOUNS: Final = (
    "account address agent answer batch block body bucket budget buffer bundle cache call cart channel charge chunk"
    " client code column command config context cookie count cursor customer date delay device digest document driver"
    " edge editor engine entry error event factory field file filter flag folder format frame graph group handler hash"
    " header hook host image index input invoice item job key label layer ledger limit line link list loader lock log"
    " map mark market member memory message method metric model module name network node number offset option order"
    " owner packet page panel parser part path payment period plan player plugin point policy pool port price process"
    " profile proxy query queue quota range rate record region registry relay report request response result role"
    " route row rule schedule schema scope screen script section segment server service session shard sheet signal"
    " size slot snapshot socket source stage state step store stream string switch symbol table tag target task team"
    " template tenant thread ticket timer token topic trace track transfer tree trigger user value vector version view"
    " volume watch widget window worker zone"
).split()
VERBS: Final = (
    "accept add apply attach bind build cancel check clear close collect compare compute copy create decode delete"
    " detach dispatch drop emit encode ensure expand fetch find finish flush format gather handle hold insert invoke"
    " join launch list load lock log look make match measure merge move notify open order parse pick plan poll post"
    " prepare process publish pull push read receive record refresh register release remove render replace report"
    " request reset resolve restore retry return route run save scan schedule select send settle share shift sign skip"
    " sort split start stop store submit swap sync take test track transform trim update validate verify visit wait"
    " watch write"
).split()
QUESTIONS: Final = 24


@dataclass(frozen=True)
class Unit:
    """A file to be: its language, its path without suffix, the words it is about, those of its folder, and the names of
    the type and the functions that it defines."""

    language: str
    path: str
    about: tuple[str, ...]
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    type_name: str
    functions: tuple[str, ...]


def main() -> int:
    """Makes the repository, measures, prints the table; returns the exit code."""
    args = arguments()
    try:
        with tempfile.TemporaryDirectory(prefix="scale-") as scratch:
            root = args.keep or Path(scratch, "repository")
            if not root.exists():
                make(root, args.files, args.seed)
            figures = {"ours": ours(root, args)}
            if args.peer:
                figures["peer"] = measure(root, args.peer, ["serve", "--mcp"], questions(args.files, args.seed))
            show(figures)
            if args.json:
                args.json.write_text(json.dumps(figures, indent=1) + "\n")
    except (MeasureError, OSError) as error:
        print(f"scale.py: {error}", file=sys.stderr)
        return 1
    return 0


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scale.py", description="Measure the index of a large made repository")
    parser.add_argument("--files", type=int, default=25_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--ours", type=shlex.split, default=[sys.executable, "-m", "explore"], metavar="COMMAND")
    parser.add_argument("--peer", type=shlex.split, metavar="COMMAND")
    parser.add_argument("--json", type=Path, metavar="OUT")
    return parser.parse_args()


def make(root: Path, files: int, seed: int) -> None:
    """Writes the repository; the same files for the same seed."""
    for path, text in texts(files, seed):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def texts(files: int, seed: int) -> Iterator[tuple[str, str]]:
    """Every file's path and text."""
    yield ".gitignore", "\n".join(IGNORED) + "\n"
    random = Random(seed)
    units = [*_units(random, files)]
    for at, unit in enumerate(units):
        near = [units[random.randrange(max(0, at - 30), min(files, at + 30))] for _ in range(4)]
        far = [units[random.randrange(files)] for _ in range(2)]
        used = [other for other in [*near, *far] if other.language == unit.language and other is not unit]
        yield unit.path + _SUFFIXES[unit.language], _text(random, unit, used, _STYLES[unit.language])


def questions(files: int, seed: int) -> list[str]:
    """What is asked: of some files what they are about, with common words."""
    random = Random(seed + 1)
    units = [*_units(Random(seed), files)]
    asked = []
    for unit in random.sample(units, QUESTIONS):
        *_, one, two = random.sample(unit.about, 3)
        asked.append(f"how does the {one} {random.choice(NOUNS)} {random.choice(unit.verbs)} its {two}")
    return asked


def ours(root: Path, args: argparse.Namespace) -> dict[str, float]:
    """All figures of this project's program."""
    return {**measure(root, args.ours, ["serve"], questions(args.files, args.seed)), **look(root)}


def measure(root: Path, command: list[str], serve: list[str], asked: Sequence[str]) -> dict[str, float]:
    """The index from nothing, and warm answers from a server."""
    for old in (".codegraph", ".codegraph-explore"):
        shutil.rmtree(root / old, ignore_errors=True)
    before = size_of(root)
    job = finished([*command, "init", "."], root)
    figures = {"index, s": job.seconds, **job.memory("index"), "index size, MB": (size_of(root) - before) / 1e6}
    server = Server([*command, *serve], root)
    try:
        server.initialize()
        server.ask(asked[0])
        times = sorted(server.ask(question)[0] * 1e3 for question in asked[1:])
    finally:
        server.finish(GOODBYE_S)
    figures["warm answer, ms"] = statistics.median(times)
    figures["warm answer, p95, ms"] = times[int(len(times) * 0.95)]
    return {**figures, **server.memory("server")}


def look(root: Path) -> dict[str, float]:
    """What changes cost, in this process."""
    file = next(path for path in sorted(root.rglob("*.py")) if path.stat().st_size > 2_000)
    text = file.read_text("utf-8")
    name = file.relative_to(root).as_posix()

    def edit() -> None:
        file.write_text(f"{text}\n# {time.time()}\n", encoding="utf-8")

    with Explorer.open(root, exact=True) as explorer:
        explorer.sync()
        figures = {
            "nothing changed, all looked at, ms": _median(explorer.sync),
            "one file changed, found, ms": _median(explorer.sync, edit),
            "one file changed, known, ms": _median(lambda: explorer.sync(paths=[name]), edit),
        }
    file.write_text(text, encoding="utf-8")
    return figures


def _median(do: Callable[[], object], before: Callable[[], object] = lambda: None, rounds: int = 7) -> float:
    times = []
    for _ in range(rounds):
        before()
        begin = time.perf_counter()
        do()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)


def show(figures: dict[str, dict[str, float]]) -> None:
    """A line a figure."""
    for name, value in figures["ours"].items():
        other = figures.get("peer", {}).get(name)
        print(f"{name:36}{value:12,.1f}" + (f"{other:12,.1f}{value / other:8.2f}" if other else ""))


def _units(random: Random, files: int) -> Iterator[Unit]:
    """The files by folder, each folder of one language and with words of its own."""
    made = 0
    while made < files:
        folder = f"{_common(random)}/{_common(random)}_{made // 400}"
        language = random.choices([*_SUFFIXES], [6, 6, 4, 4, 3])[0]
        nouns = (*random.sample(NOUNS, 5), *(_rare(random.randrange(20_000)) for _ in range(5)))
        verbs = (*random.sample(VERBS, 9),)
        for _ in range(min(random.randint(4, 24), files - made)):
            made += 1
            about = (*random.sample(nouns, 4),)
            functions = (*(_function(random, verbs, about) for _ in range(random.randint(4, 13))),)
            type_name = _pascal(*about[:2], *([str(made)] if random.random() < 0.2 else []))
            yield Unit(language, f"{folder}/{about[0]}_{about[1]}_{made}", about, nouns, verbs, type_name, functions)


def _common(random: Random) -> str:
    """A noun of the whole repository's, the first ones far more often, as in what people write (Zipf's law)."""
    return random.choices(NOUNS, cum_weights=_ZIPF)[0]


def _rare(number: int) -> str:
    """One of many words that few files have."""
    own = Random(number)
    return "".join(own.choice(SYLLABLES) for _ in range(own.randint(2, 4)))


def _noun(random: Random, unit: Unit) -> str:
    """A noun as it may stand in a file: mostly one of its folder's."""
    return random.choice(unit.nouns) if random.random() < 0.85 else _common(random)


def _function(random: Random, verbs: Sequence[str], about: Sequence[str]) -> str:
    return "_".join([random.choice(verbs), *random.sample(about, random.randint(1, 2))])


def _pascal(*words: str) -> str:
    return "".join(word.title().replace("_", "") for word in words)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + _pascal(*rest)


def _sentence(random: Random, unit: Unit) -> str:
    verb, other = random.choice(unit.verbs), random.choice(unit.verbs)
    link, when = random.choice(("of", "with", "for", "before")), random.choice(("when", "unless", "until", "where"))
    noun, its, the = random.choice(unit.about), _noun(random, unit), _noun(random, unit)
    return f"{verb.title()}s the {noun} {link} its {its} {when} the {the} can {other}"


def _body(random: Random, unit: Unit, used: Sequence[Unit], style: _Style) -> Iterator[str]:
    """The lines of a function's body, some of which call what is in this file or one that is imported."""
    called = [*unit.functions, *(function for other in used for function in other.functions[:2])]
    for _ in range(random.randint(4, 16)):
        filled = random.choice(style.statements).format(
            a=style.name(f"{random.choice(unit.about)}_{_noun(random, unit)}"),
            b=style.name(_noun(random, unit)),
            c=style.name(random.choice(called)),
            n=random.randrange(1_000),
            s=_sentence(random, unit),
        )
        yield from filled.split("\n")


def _text(random: Random, unit: Unit, used: Sequence[Unit], style: _Style) -> str:
    """A file: what it is for, its imports, a type, and functions in it or beside it."""
    names = {"type": unit.type_name, "base": used[0].type_name if used else "Base", "folder": unit.path.split("/")[0]}
    lines = [style.comment.format(_sentence(random, unit)), style.head.format(**names)]
    for other in used:
        path = other.path.replace("/", style.separator)
        lines.append(style.imports.format(path=path, type=other.type_name, function=style.name(other.functions[0])))
    lines += ["", style.opening.format(**names)]
    for function in unit.functions:
        argument = style.name(_noun(random, unit))
        lines += ["", "    " + style.comment.format(_sentence(random, unit))]
        lines.append("    " + style.function.format(name=style.name(function), argument=argument, **names))
        lines += [f"        {line}" for line in _body(random, unit, used, style)]
        lines += [f"    {style.end}"] * bool(style.end)
    return "\n".join([*lines, style.closing, ""])


@dataclass(frozen=True)
class _Style:
    """How a language writes things. In statements stand names (a, b), a call (c), a number (n) and a sentence (s)."""

    name: Callable[[str], str]
    comment: str
    head: str
    imports: str
    separator: str
    opening: str
    function: str
    end: str
    closing: str
    statements: tuple[str, ...]


_PYTHON: Final = _Style(
    str, "# {}", "from __future__ import annotations", "from {path} import {type}, {function}", ".",
    "class {type}({base}):", "def {name}(self, {argument}=None):", "", "",
    ("{a} = {c}({b}, {n})", "if {a} is None:\n    return {b}", "for {b} in {a}:\n    self.{c}({b})", "# {s}",
     "self.{a} = {b}", 'raise ValueError("{s}")', "return {c}({a})", "{a}[{n}] = self.{b}"),
)  # fmt: skip
_TYPESCRIPT: Final = _Style(
    _camel, "// {}", "'use strict'", "import {{ {type}, {function} }} from '../../{path}'", "/",
    "export class {type} extends {base} {{", "async {name}({argument}: string): Promise<number> {{", "}", "}",
    ("const {a} = await this.{c}({b}, {n})", "if (!{a}) {{\n    return {b}\n}}", "{b}.map(({a}) => {c}({a}))", "// {s}",
     "this.{a} = {{ {b}: {n} }}", "throw new Error('{s}')", "return {c}({a})"),
)  # fmt: skip
_JAVA: Final = _Style(
    _camel, "// {}", "package com.example.{folder};", "import com.example.{path}.{type};", ".",
    "public class {type} extends {base} {{", "public int {name}(String {argument}) {{", "}", "}",
    ("int {a} = {c}({b}, {n});", "if ({a} == null) {{\n    return {b};\n}}", "// {s}", "return {c}({a});",
     "for (var {b} : {a}) {{\n    {c}({b});\n}}", "this.{a} = {b};", 'throw new IllegalStateException("{s}");'),
)  # fmt: skip
_GO: Final = _Style(
    _camel, "// {}", "package {folder}", 'import "example.com/{path}"', "/",
    "type {type} struct {{\n    *{base}\n    limit int\n    order int\n}}",
    "func (t *{type}) {name}({argument} string) error {{", "}", "",
    ("{a} := t.{c}({b}, {n})", "if {a} == nil {{\n    return {b}\n}}", "for _, {b} := range {a} {{\n    {c}({b})\n}}",
     "// {s}", "t.{a} = {b}", 'panic("{s}")', "return {c}({a})"),
)  # fmt: skip
_RUST: Final = _Style(
    _camel, "// {}", "mod {folder};", "use crate::{path}::{type};", "::",
    "impl {base} for {type} {{", "fn {name}(&self, {argument}: &str) -> usize {{", "}", "}",
    ("let {a} = self.{c}({b}, {n})?;", "if {a}.is_none() {{\n    return {b};\n}}", "// {s}", "self.{a} = {b};",
     "for {b} in {a}.iter() {{\n    {c}({b});\n}}", 'panic!("{s}");', "let {b} = {c}({a});"),
)  # fmt: skip
_STYLES: Final = {"python": _PYTHON, "typescript": _TYPESCRIPT, "go": _GO, "java": _JAVA, "rust": _RUST}
_SUFFIXES: Final = {"python": ".py", "typescript": ".ts", "go": ".go", "java": ".java", "rust": ".rs"}
_ZIPF: Final = [*accumulate(1 / rank**1.4 for rank in range(1, len(NOUNS) + 1))]

IGNORED: Final = (
    "node_modules/ dist/ build/ target/ out/ .venv/ __pycache__/ *.pyc *.class *.log *.tmp *.swp .env .idea/ .vscode/"
    " coverage/ /bin/ /vendor/ *.generated.ts *_pb2.py !keep.log docs/_build/ .DS_Store"
).split()


if __name__ == "__main__":
    sys.exit(main())
