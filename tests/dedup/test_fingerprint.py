"""The fingerprint tells bytes apart, whatever they have in common, and says how many there are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.dedup.fingerprint import fingerprint


@given(st.binary(max_size=300))
def test_a_fingerprint_has_32_digits_and_the_length_and_is_the_same_each_time(raw: bytes) -> None:
    assert re.fullmatch(rf"[0-9a-f]{{32}}-{len(raw)}", fingerprint(raw))
    assert fingerprint(raw) == fingerprint(bytes(bytearray(raw)))


@given(st.binary(min_size=1, max_size=300), st.data())
def test_one_bit_makes_another_fingerprint(raw: bytes, data: st.DataObject) -> None:
    changed = bytearray(raw)
    changed[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert fingerprint(bytes(changed)) != fingerprint(raw)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"", b"\n"),
        (b"a\n", b"a\r\n"),
        (b"a", b"\xef\xbb\xbfa"),
        (b"a\n", b"a"),
        (b"ab", b"ba"),
        (b"\0" * 8, b"\0" * 9),
    ],
)
def test_bytes_that_read_alike_are_told_apart(one: bytes, other: bytes) -> None:
    """Line ends, byte-order marks and the last line's end are bytes like any other."""
    assert fingerprint(one) != fingerprint(other)


def test_the_digits_are_those_of_xxhash3_of_128_bits() -> None:
    """The value that the algorithm gives for no bytes, as its description says."""
    assert fingerprint(b"") == "99aa06d3014798d86001c324468d497f-0"
