"""What holds of every parse, whatever the language and however broken the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explore.index.languages import LANGUAGES, language_of
from explore.index.languages.declaration import Language
from explore.index.parse import Parsed, parse
from explore.index.postings import postings
from explore.model.source import Kind, own_lines
from explore.model.text import decode, split_lines
from tests.support import hostile

PIECES = (
    *("def f(x):", "    return g(x)", "class A(B):", "func F() int {", "}", "{", "function h() {", "const k = () => {"),
    *("import x", "from a import b", "#include <a.h>", "package p;", "public class C {", "fn r() -> u8 {"),
    *("impl T for U {", "module M", "  def z", "end", "<?php", "namespace N {", "@decorated", "// comment", "/* open"),
    *("*/", '"""', "'", "`", "", "\f", "\u2028", "\x00", "\ufeff", "\ud800", "港口 🚢", "\r", "\t", "(" * 50, "<" * 50),
    *("x = {", "1,", "};"),
)


def check(parsed: Parsed, lines: tuple[str, ...]) -> None:
    """Symbols are in order, inside of the file and of what is around them, and leave no line with text out."""
    symbols = parsed.symbols
    assert [(s.span.start, -s.span.end) for s in symbols] == sorted((s.span.start, -s.span.end) for s in symbols)
    for ordinal, symbol in enumerate(symbols):
        assert symbol.line in symbol.span
        assert symbol.span.end <= len(lines)
        assert symbol.head_end in symbol.span
        assert symbol.line <= symbol.head_end
        assert (symbol.kind is Kind.CODE) == (not symbol.name)
        assert symbol.qualified.endswith(symbol.name)
        if symbol.parent is not None:
            assert symbol.parent < ordinal
            assert symbols[symbol.parent].span.holds(symbol.span)
    covered = {line for symbol in symbols for line in range(symbol.span.start, symbol.span.end + 1)}
    assert {n for n, line in enumerate(lines, 1) if line.strip()} <= covered
    assert {line for own in own_lines(symbols) for line in own.lines()} == covered
    for reference in parsed.references:
        assert 0 <= reference.symbol < len(symbols)
        assert 1 <= reference.line <= len(lines)
    found, lengths = postings(symbols, lines)
    assert len(lengths) == len(symbols)
    for hits in found.values():
        ordinals = list(hits[::2])
        assert ordinals == sorted(set(ordinals))


@settings(max_examples=120)
@given(st.sampled_from(LANGUAGES), st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_text_is_parsed_into_symbols_that_cover_it(language: Language, pieces: list[str]) -> None:
    text = "\n".join(pieces)
    lines = split_lines(text)
    check(parse(language, text, lines), lines)


@pytest.mark.parametrize("path", [path for path in hostile.FILES if language_of(path) and "binary" not in path])
def test_every_hostile_file_is_parsed_into_symbols_that_cover_it(path: str) -> None:
    language = language_of(path)
    assert language is not None
    text = decode(hostile.FILES[path])
    lines = split_lines(text)
    check(parse(language, text, lines), lines)
