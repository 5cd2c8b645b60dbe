"""The house's rules that import contracts cannot see, read off the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import explore

PACKAGE: Final = Path(explore.__file__).parent
MODULES: Final = sorted(file for file in PACKAGE.rglob("*.py") if "demo_repositories" not in file.parts)
PURE: Final = (
    "calls",
    "decay",
    "dedup",
    "diagnostics",
    "model",
    "render",
    "retrieve",
    "session",
    "engine.py",
    "errors.py",
)
MOST_FUNCTION_LINES: Final = 50
MOST_FILE_LINES: Final = 500

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(file: Path) -> str:
    """A module as its path in the package."""
    return file.relative_to(PACKAGE).as_posix()


def parsed(file: Path) -> ast.Module:
    """A module's tree."""
    return ast.parse(file.read_text("utf-8"))


def functions(module: ast.Module) -> Iterator[Function]:
    """Every function of a module, methods and inner ones too."""
    return (node for node in ast.walk(module) if isinstance(node, Function))


def public(module: ast.Module) -> Iterator[Function | ast.ClassDef]:
    """What a module offers: public functions and classes, and the public methods of those."""
    for node in module.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef) and not implements(node):
                yield from (n for n in node.body if isinstance(n, Function) and not is_plain(n))


def is_plain(node: Function) -> bool:
    """Whether a method is private, or a property whose name may say all."""
    return node.name.startswith("_") or bool(node.decorator_list)


def implements(node: ast.ClassDef) -> bool:
    """Whether a class says what its methods say elsewhere: `IndexCorpus` is a `Corpus`, described there."""
    return node.name.endswith("Corpus") and node.name != "Corpus"


def called(module: ast.Module) -> Iterator[str]:
    """The plain names that a module calls."""
    calls = (node.func for node in ast.walk(module) if isinstance(node, ast.Call))
    return (function.id for function in calls if isinstance(function, ast.Name))


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_module_opens_with_a_sentence(file: Path) -> None:
    """It says what the module is; a package that only holds others has nothing to say."""
    module = parsed(file)
    if module.body:
        opening = ast.get_docstring(module)
        assert opening
        assert opening[0].isupper() or opening[0] == "`"
        assert "." in opening


@pytest.mark.parametrize("file", [file for file in MODULES if name_of(file).startswith(PURE)], ids=name_of)
def test_the_pure_folders_neither_open_nor_print(file: Path) -> None:
    assert not {"open", "print", "input", "exec", "eval", "__import__"} & set(called(parsed(file)))


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_only_the_command_line_prints(file: Path) -> None:
    assert name_of(file).startswith("cli/") or "print" not in set(called(parsed(file)))


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_no_error_is_passed_over_in_silence(file: Path) -> None:
    """Nor is everything caught without a name for it."""
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, node.lineno
            assert not all(isinstance(inner, ast.Pass) for inner in node.body), node.lineno


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_functions_and_files_stay_short(file: Path) -> None:
    assert len(file.read_text("utf-8").split("\n")) <= MOST_FILE_LINES
    for function in functions(parsed(file)):
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        assert lines <= MOST_FUNCTION_LINES, f"{function.name} has {lines}"


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_what_is_public_is_described(file: Path) -> None:
    """Verbs share two functions, `add_to` and `run`, which each module's opening sentence describes."""
    verb = name_of(file).startswith("cli/")
    for node in public(parsed(file)):
        assert ast.get_docstring(node) or (verb and node.name in {"add_to", "run"}), node.name


def test_the_layers_that_contracts_name_are_those_that_exist() -> None:
    layers = "calls cli hosts server index retrieve render dedup decay session model diagnostics".split()
    assert set(layers) == {
        folder.name for folder in PACKAGE.iterdir() if folder.is_dir() and folder.name != "__pycache__"
    }


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_documents_are_whole_and_lead_to_what_is_there(name: str) -> None:
    """No place is left to be filled in, and what stands in back-quotes as a path of ours exists."""
    text = (PACKAGE.parent / name).read_text(encoding="utf-8")
    assert "@@" not in text
    named = re.findall(r"`((?:explore|tests|benchmarks|docs|fixtures|requirements)/[\w./-]*)`", text)
    assert [path for path in named if not (PACKAGE.parent / path).exists()] == []
