"""No text that an agent reads suggests that calls are counted or should stop: it would stop, and start grepping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import given

from explore.engine import Options, explore
from explore.errors import BadRequest
from explore.server import tool
from tests.support.corpus import MemoryCorpus
from tests.support.delivered import delivered
from tests.support.strategies import VOCABULARY, max_bytes, projects

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


def gaps_of(text: str) -> list[str]:
    return [row for row in text.split("\n") if row.startswith("... ")]


@pytest.mark.parametrize(
    ("question", "options"), [("", Options()), ("a", Options(max_bytes=1)), ("a", Options(max_files=99))]
)
def test_errors_do_without_them(question: str, options: Options) -> None:
    with pytest.raises(BadRequest) as caught:
        explore(question, MemoryCorpus({}), "/", options)
    assert not LOUD.search(str(caught.value))
