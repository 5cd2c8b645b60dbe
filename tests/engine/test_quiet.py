"""No text that an agent reads suggests that calls are counted or should stop: it would stop, and start grepping."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explore as explore_package
from explore.engine import Options, explore
from explore.errors import BadRequest
from explore.server import tool
from tests.support.agent import Agent, Connection
from tests.support.corpus import MemoryCorpus
from tests.support.delivered import delivered
from tests.support.strategies import VOCABULARY, harbours, max_bytes, projects, questions

PACKAGE: Final = Path(explore_package.__file__ or "").parent
LOUD: Final = re.compile(
    r"budget|quota|limit|allowance|exhaust|ration|remaining|so far|decay|"
    r"calls?\b.{0,20}\b(left|used|more|already|over)|\b(first|second|third|last|\d+(st|nd|rd|th)?) call",
    re.IGNORECASE,
)


def texts_in(schema: Any) -> Iterator[str]:
    """Every text in a schema, at any depth."""
    if isinstance(schema, str):
        yield schema
    elif isinstance(schema, dict | list):
        for inner in schema.values() if isinstance(schema, dict) else schema:
            yield from texts_in(inner)


@pytest.mark.parametrize(
    "text",
    ["budget: 2 calls", "one of 3 calls used", "2 calls left", "this is call 2; no more calls", "quota", "limited"],
)
def test_the_words_to_look_for_are_found(text: str) -> None:
    assert LOUD.search(text)


@pytest.mark.parametrize("text", [tool.DESCRIPTION, tool.INSTRUCTIONS, *texts_in(tool.INPUT_SCHEMA)])
def test_the_tool_describes_itself_without_them(text: str) -> None:
    assert not LOUD.search(text)


@given(projects(most=6), max_bytes)
def test_answers_do_without_them(project: dict[str, bytes], size: int) -> None:
    """Questions and files are of words that hold none of them, so that any that turns up is the engine's own."""
    for question in (" ".join(VOCABULARY[:8]), "zeppelin"):
        text = explore(question, MemoryCorpus(project), "/", Options(max_bytes=size)).text
        assert not any(LOUD.search(row) for row in (*delivered(text).words, *gaps_of(text)))


@given(harbours(), st.data())
def test_answers_late_in_a_conversation_do_without_them(files: dict[str, bytes], data: st.DataObject) -> None:
    """Pointers, marks of what was sent, and what is named only are the engine's own words, too."""
    connection, agent = Connection(MemoryCorpus(files)), Agent()
    for turn in range(6):
        resend = True if turn == 5 else ()
        reply = connection.ask(agent, data.draw(questions(tuple(files))), Options(resend=resend))
        text = reply.answer.text.partition("\n")[2]
        pointers = [row for row in text.split("\n") if row.startswith("> ")]
        assert not any(LOUD.search(row) for row in (*delivered(text).words[1:], *pointers, *gaps_of(text)))


def literals_in(module: Path) -> Iterator[str]:
    """Every text in a module that is no docstring."""
    tree = ast.parse(module.read_text("utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


SPEAKING: Final = ("server", "render", "model", "decay", "dedup")
"""What can put a text before an agent: answers, notices and errors. Diagnostics are for people."""

MODULES: Final = sorted(
    [module for folder in SPEAKING for module in (PACKAGE / folder).rglob("*.py")]
    + [PACKAGE / name for name in ("engine.py", "explorer.py", "planning.py")]
)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_text_of_what_speaks_to_agents_holds_them(module: Path) -> None:
    assert [text for text in literals_in(module) if " " in text and LOUD.search(text)] == []


def gaps_of(text: str) -> list[str]:
    return [row for row in text.split("\n") if row.startswith("... ")]


@pytest.mark.parametrize(
    ("question", "options"), [("", Options()), ("a", Options(max_bytes=1)), ("a", Options(max_files=99))]
)
def test_errors_do_without_them(question: str, options: Options) -> None:
    with pytest.raises(BadRequest) as caught:
        explore(question, MemoryCorpus({}), "/", options)
    assert not LOUD.search(str(caught.value))
