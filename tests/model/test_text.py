"""Bytes to lines: only a line feed ends one, and the number of lines holds whatever the bytes are."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explore.model.text import decode, is_binary, split_lines
from tests.support.strategies import SHAPES, files

NO_LINE_ENDS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"

any_text = st.text(st.sampled_from("ab\n\n" + NO_LINE_ENDS) | st.characters(codec="utf-8"))


def count(text: str) -> int:
    """The number of lines by the rule: one for each line feed, and one for what follows the last."""
    return text.count("\n") + (0 if text.endswith("\n") or not text else 1)


@given(any_text)
@example("a\n\n")
@example("\n")
@example("")
def test_a_line_feed_ends_a_line_and_nothing_else_does(text: str) -> None:
    lines = split_lines(text)
    assert len(lines) == count(text)
    assert not any("\n" in line for line in lines)


@given(any_text)
def test_a_carriage_return_is_dropped_at_the_end_of_a_line_only(text: str) -> None:
    ended = text if text.endswith("\n") or not text else text + "\n"
    shown = "".join(f"{line}\n" for line in split_lines(text))
    assert shown.count("\r") == ended.count("\r") - ended.count("\r\n")
    assert shown.replace("\r", "") == ended.replace("\r", "")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\r\nb\r\n", ("a", "b")),
        ("a\r\r\nb", ("a\r", "b")),
        ("a\rb\n", ("a\rb",)),
        ("\r\n", ("",)),
        ("\n\r", ("", "")),
        (
            "def alpha():\n    return 1\n\n\n\f\ndef beta():\n",
            ("def alpha():", "    return 1", "", "", "\f", "def beta():"),
        ),
        ("one\ftwo\vthree\x85four\u2028five\u2029six", ("one\ftwo\vthree\x85four\u2028five\u2029six",)),
    ],
)
def test_lines_of(text: str, lines: tuple[str, ...]) -> None:
    """Each text has exactly these lines."""
    assert split_lines(text) == lines


@given(st.binary().filter(lambda raw: not raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))))
@example(b"# caf\xe9 \xe3\x81\nx\n")
@example(b"\xe3\n\x81\n")
def test_bytes_of_no_encoding_keep_their_number_of_lines(raw: bytes) -> None:
    assert decode(raw).count("\n") == raw.count(b"\n")


@given(any_text)
def test_text_comes_back_from_each_encoding_that_has_a_mark(text: str) -> None:
    for mark, encoding in (
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        bare = text.lstrip("\ufeff") if not mark else text
        assert decode(mark + bare.encode(encoding)) == bare


@given(st.sampled_from(SHAPES).flatmap(files))
def test_decoding_never_fails_and_leaves_nothing_that_cannot_be_sent(raw: bytes) -> None:
    text = decode(raw)
    assert text.encode("utf-8").decode("utf-8") == text


@pytest.mark.parametrize(
    ("raw", "binary"),
    [
        (b"", False),
        (b"plain text", False),
        (b"\x00", True),
        (b"a" * 8_191 + b"\x00", True),
        (b"a" * 8_192 + b"\x00", False),
        (codecs.BOM_UTF16_LE + "a".encode("utf-16-le"), False),
        (codecs.BOM_UTF16_BE + "a".encode("utf-16-be"), False),
        (codecs.BOM_UTF8 + b"\x00", True),
    ],
)
def test_a_nul_near_the_start_means_binary_unless_a_mark_explains_it(raw: bytes, binary: bool) -> None:
    assert is_binary(raw) == binary
