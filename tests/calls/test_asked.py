"""Which of the names in a question comes first, and whether it asks for a path at all."""

from __future__ import annotations

import pytest

from explore.calls.asked import what_is_asked


@pytest.mark.parametrize(
    ("text", "names", "strict"),
    [
        ("How does a request get from `A.b` to `c_d`?", "A.b c_d", True),
        ("A.b c_d e_f", "A.b c_d e_f", False),
        ("how does A.b reach c_d", "A.b c_d", True),
        ("where is `c_d` called from `A.b`?", "A.b c_d", True),
        ("How is `c_d` reached by A.b", "A.b c_d", True),
        ("how do you get to `c_d` from `A.b`", "A.b c_d", True),
        ("from `A.b` to `c_d` through `e_f`", "A.b e_f c_d", True),
        ("what do `A.b` and `c_d` return", "A.b c_d", False),
        ("c_d c_d A.b", "c_d A.b", False),
        ("", "", False),
    ],
)
def test_the_words_say_what_comes_first(text: str, names: str, strict: bool) -> None:
    asked = what_is_asked(text, ["A.b", "c_d", "e_f"])
    assert (" ".join(asked.names), asked.strict) == (names, strict)
