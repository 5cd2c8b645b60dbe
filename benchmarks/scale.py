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
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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
    """A file to be: its language, path without suffix, the words that it is about, and the names of what it defines."""

    language: str
    path: str
    words: tuple[str, ...]
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
                figures["peer"] = measure(root, args.peer, ["serve", "--mcp"], questions(args.seed))
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
    random = Random(seed)
    units = [*_units(random, files)]
    for at, unit in enumerate(units):
        near = [units[random.randrange(max(0, at - 30), min(files, at + 30))] for _ in range(4)]
        far = [units[random.randrange(files)] for _ in range(2)]
        used = [other for other in [*near, *far] if other.language == unit.language and other is not unit]
        yield unit.path + _SUFFIXES[unit.language], _WRITERS[unit.language](random, unit, used)


def questions(seed: int) -> list[str]:
    """What is asked: common words, each with some that few files have."""
    random = Random(seed + 1)
    rare = [_rare(Random(seed), number) for number in range(400)]
    asked = []
    for _ in range(QUESTIONS):
        verb, one, two = random.choice(VERBS), *random.sample(NOUNS, 2)
        asked.append(f"how does the {random.choice(rare)} {one} {verb} its {two}")
    return asked


def ours(root: Path, args: argparse.Namespace) -> dict[str, float]:
    """All figures of this project's program."""
    return {**measure(root, args.ours, ["serve"], questions(args.seed)), **look(root)}


def measure(root: Path, command: list[str], serve: list[str], asked: Sequence[str]) -> dict[str, float]:
    """The index from nothing, and warm answers from a server."""
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
    with Explorer.open(root, exact=True) as explorer:
        explorer.sync()

        def edit() -> None:
            file.write_text(f"{text}\n# {time.time()}\n", encoding="utf-8")

        return {
            "nothing changed, all looked at, ms": _median(explorer.sync),
            "one file changed, found, ms": _median(explorer.sync, edit),
            "one file changed, known, ms": _median(lambda: explorer.sync(paths=[name]), edit),
        }


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
        area, part = _word(random), _word(random)
        language = random.choices([*_SUFFIXES], [6, 6, 4, 4, 3])[0]
        own = [*random.sample(NOUNS, 6), *(_rare(random, random.randrange(4_000)) for _ in range(4))]
        for _ in range(min(random.randint(4, 24), files - made)):
            made += 1
            words = (*random.sample(own, 3), _word(random))
            type_name = _pascal(*words[:2], str(made) if random.random() < 0.2 else "")
            functions = tuple(_unlike(random, words) for _ in range(random.randint(3, 12)))
            yield Unit(
                language, f"{area}/{part}_{made // 400}/{words[0]}_{words[1]}_{made}", words, type_name, functions
            )


def _word(random: Random) -> str:
    """A noun, the first ones far more often."""
    return (
        NOUNS[min(int(random.paretovariate(0.7)) - 1, len(NOUNS) - 1)]
        if random.random() < 0.6
        else random.choice(NOUNS)
    )


def _rare(random: Random, number: int) -> str:
    """One of some thousand words that few files have."""
    own = Random(number)
    return "".join(own.choice(SYLLABLES) for _ in range(own.randint(2, 4)))


def _unlike(random: Random, words: Sequence[str]) -> str:
    return "_".join([random.choice(VERBS), random.choice(words), *([_word(random)] if random.random() < 0.5 else [])])


def _pascal(*words: str) -> str:
    return "".join(word.title().replace("_", "") for word in words)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + _pascal(*rest)


def _sentence(random: Random, unit: Unit) -> str:
    return " ".join(
        [random.choice(VERBS).title() + "s", "the", random.choice(unit.words), random.choice(("of", "with", "for", "before")),
         "its", _word(random), random.choice(("when", "unless", "until", "where")), "the", _word(random), "is", random.choice(VERBS)]
    )  # fmt: skip


def _statements(
    random: Random, unit: Unit, called: Sequence[str], forms: Sequence[str], name: Callable[[str], str]
) -> Iterator[str]:
    """Lines of a body: each form has places for names, a call and a number."""
    for _ in range(random.randint(4, 16)):
        yield random.choice(forms).format(
            a=name(f"{random.choice(unit.words)}_{_word(random)}"), b=name(_word(random)),
            c=random.choice(called), n=random.randrange(1_000), s=_sentence(random, unit),
        )  # fmt: skip


def _python(random: Random, unit: Unit, used: Sequence[Unit]) -> str:
    called = [*unit.functions, *(function for other in used for function in other.functions[:2])]
    forms = ("{a} = {c}({b}, {n})", "if {a} is None:\n    return {b}", "for {b} in {a}:\n    {c}({b})", "# {s}", "self.{a} = {b}",
             "raise ValueError(f\"{s}: {{{a}}}\")", "return {c}({a})", "{a}[{n}] = self.{b}")  # fmt: skip
    lines = [f'"""{_sentence(random, unit)}."""', "", "from __future__ import annotations", ""]
    lines += [f"from {other.path.replace('/', '.')} import {other.functions[0]}, {other.type_name}" for other in used]
    base = f"({used[0].type_name})" if used else ""
    lines += ["", "", f"class {unit.type_name}{base}:", f'    """{_sentence(random, unit)}."""', ""]
    for number, function in enumerate(unit.functions):
        inside = number % 3 != 2
        pad = "    " if inside else ""
        lines += ["", f"{pad}def {function}({'self, ' if inside else ''}{_word(random)}, {unit.words[0]}=None):",
                  f'{pad}    """{_sentence(random, unit)}."""']  # fmt: skip
        for statement in _statements(random, unit, called, forms, str):
            lines += [f"{pad}    {line}" for line in statement.split("\n")]
    return "\n".join(lines) + "\n"


def _braces(
    random: Random, unit: Unit, called: Sequence[str], head: list[str], heads: tuple[str, str], forms: Sequence[str]
) -> str:
    """A file in a language with braces: its head, a type with its functions in it or beside it."""
    opening, function_head = heads
    inside = "{{" not in function_head and opening.endswith("{")
    lines = [f"// {_sentence(random, unit)}.", *head, "", opening]
    for function in unit.functions:
        lines += [
            "",
            f"  // {_sentence(random, unit)}.",
            "  "
            + function_head.replace("NAME", _camel(function))
            .replace("ARG", _word(random))
            .replace("TYPE", unit.type_name),
        ]
        for statement in _statements(random, unit, [_camel(name) for name in called], forms, _camel):
            lines += [f"    {line}" for line in statement.split("\n")]
        lines.append("  }")
    return "\n".join([*lines, "}"] if inside else lines) + "\n"


def _names(unit: Unit, used: Sequence[Unit]) -> list[str]:
    return [*unit.functions, *(function for other in used for function in other.functions[:2])]


def _typescript(random: Random, unit: Unit, used: Sequence[Unit]) -> str:
    head = [f"import {{ {other.type_name}, {_camel(other.functions[0])} }} from '../../{other.path}'" for other in used]
    base = f" extends {used[0].type_name}" if used else ""
    forms = ("const {a} = await this.{c}({b}, {n})", "if (!{a}) {{\n  return {b}\n}}", "{b}.map(({a}) => {c}({a}))", "// {s}",
             "this.{a} = {{ {b}: {n} }}", "throw new Error(`{s} ${{{a}}}`)", "return {c}({a})")  # fmt: skip
    return _braces(
        random,
        unit,
        _names(unit, used),
        head,
        (f"export class {unit.type_name}{base} {{", "async NAME(ARG: string): Promise<number> {"),
        forms,
    )


def _java(random: Random, unit: Unit, used: Sequence[Unit]) -> str:
    head = [f"package com.example.{unit.path.rsplit('/', 1)[0].replace('/', '.')};", ""]
    head += [
        f"import com.example.{other.path.rsplit('/', 1)[0].replace('/', '.')}.{other.type_name};" for other in used
    ]
    base = f" extends {used[0].type_name}" if used else ""
    forms = ("int {a} = {c}({b}, {n});", "if ({a} == null) {{\n  return {b};\n}}", "for (var {b} : {a}) {{\n  {c}({b});\n}}", "// {s}",
             "this.{a} = new {b}({n});", 'throw new IllegalStateException("{s}" + {a});', "return {c}({a});")  # fmt: skip
    return _braces(
        random,
        unit,
        _names(unit, used),
        head,
        (f"public class {unit.type_name}{base} {{", "public int NAME(String ARG) {"),
        forms,
    )


def _go(random: Random, unit: Unit, used: Sequence[Unit]) -> str:
    head = [f"package {unit.words[0]}", "", "import ("]
    head += [f'  "example.com/{other.path.rsplit("/", 1)[0]}"' for other in used] + [")"]
    fields = "\n".join(f"  {_camel(word + '_' + _word(random))} string" for word in unit.words)
    forms = ("{a} := t.{c}({b}, {n})", "if {a} == nil {{\n  return {b}\n}}", "for _, {b} := range {a} {{\n  {c}({b})\n}}", "// {s}",
             "t.{a} = {b}", 'panic("{s}")', "return {c}({a})")  # fmt: skip
    opening = f"type {unit.type_name} struct {{\n{fields}\n}}\n"
    return _braces(random, unit, _names(unit, used), head, (opening, "func (t *TYPE) NAME(ARG string) error {"), forms)


def _rust(random: Random, unit: Unit, used: Sequence[Unit]) -> str:
    head = [f"use crate::{other.path.replace('/', '::')}::{other.type_name};" for other in used]
    forms = ("let {a} = self.{c}({b}, {n})?;", "if {a}.is_none() {{\n  return Ok({b});\n}}", "for {b} in {a}.iter() {{\n  {c}({b});\n}}",
             "// {s}", "self.{a} = {b};", 'panic!("{s}");', "let {b} = {c}({a});")  # fmt: skip
    return _braces(
        random,
        unit,
        _names(unit, used),
        head,
        (f"impl {unit.type_name} {{", "pub fn NAME(&self, ARG: &str) -> usize {"),
        forms,
    )


_SUFFIXES: Final = {"python": ".py", "typescript": ".ts", "go": ".go", "java": ".java", "rust": ".rs"}
_WRITERS: Final = {"python": _python, "typescript": _typescript, "go": _go, "java": _java, "rust": _rust}


if __name__ == "__main__":
    sys.exit(main())
