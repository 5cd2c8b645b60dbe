"""Text to terms: words split where identifiers are, forms of one word meet, and no letter is lost."""

from __future__ import annotations

from string import ascii_letters

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explore.retrieve.words import stem, term_of, terms, words

any_text = st.text(st.sampled_from(ascii_letters + "019_.-/:éßЖ") | st.characters(codec="utf-8"))


def check(text: str, expected: str) -> None:
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parseHTTPHeader_v2", "parse HTTP Header v 2"),
        ("HTTPError", "HTTP Error"),
        ("__init__", "init"),
        ("Rack::Request#config_value", "Rack Request config value"),
        ("src/flask/ctx.py", "src flask ctx py"),
        ("straßeOpen", "straße Open"),
        ("ENV_VAR", "ENV VAR"),
        ("", ""),
        ("+-*/ ()", ""),
    ],
)
def test_words_end_where_identifiers_are_joined(text: str, expected: str) -> None:
    check(text, expected)


@given(any_text)
@example("aB")
@example("ABc")
@example("Aß")
def test_words_hold_every_ascii_letter_and_digit_in_order(text: str) -> None:
    def kept(found: str) -> str:
        return "".join(filter(lambda letter: letter.isascii() and letter.isalnum(), found))

    assert kept("".join(words(text))) == kept(text)


@pytest.mark.parametrize(
    "forms",
    [
        "cache caches cached caching",
        "route routes routed routing",
        "stop stops stopped stopping",
        "query queries",
        "match matches matched matching",
        "class classes",
    ],
)
def test_forms_of_a_word_meet_in_one_term(forms: str) -> None:
    assert len({term_of(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("pair", ["status state", "string str", "process proceed", "ring run"])
def test_other_words_stay_apart(pair: str) -> None:
    assert len({term_of(word) for word in pair.split()}) == 2


@given(st.text("abcdeginrsxyz", min_size=1, max_size=12))
def test_a_stem_is_a_beginning_of_its_word_but_for_y(word: str) -> None:
    found = stem(word)
    assert found
    assert word.startswith(found.removesuffix("y"))


@given(any_text)
def test_a_term_is_lower_case_and_of_a_bounded_length(text: str) -> None:
    for term in terms(text):
        assert term == term.lower()
        assert 1 <= len(term) <= 40
