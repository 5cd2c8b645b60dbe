"""What a question finds in other words than its own: of one stem, of one meaning, and never before its own words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.retrieve.question import read_question
from explore.retrieve.rank import rank
from explore.retrieve.thesaurus import synonyms
from explore.retrieve.weights import MEASURED
from explore.retrieve.widen import MOST_RELATIVES, MOST_WIDENED, widened
from explore.retrieve.words import letters_shared, term_of
from tests.support.corpus import MemoryCorpus, tree

OFFICE = tree(
    """
    office/
        desk.py
            | def validate(visitor):
            |     return visitor
        valid.py
            | def validator_of(visitors):
            |     return visitors
        mail.py
            | def send_response(letter):
            |     return letter
        post.py
            | def sort_response(letter):
            |     return letter
        folders.py
            | def open_directory(path):
            |     return path
    """
)


def check(question: str, first: str) -> None:
    ranked = rank(read_question(question), MemoryCorpus(OFFICE))
    assert [file.path for file in ranked.files][:1] == ([first] if first else [])


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("how does validation work", "office/valid.py"),
        ("where is the reply made", "office/mail.py"),
        ("which folder is opened", "office/folders.py"),
        ("where is the giraffe", ""),
    ],
)
def test_a_question_finds_what_is_called_otherwise(question: str, first: str) -> None:
    check(question, first)


def test_a_word_that_code_says_often_is_not_led_away() -> None:
    """`response` occurs twice and `reply` never: who asks for responses is given no replies."""
    corpus = MemoryCorpus({**OFFICE, "office/reply.py": b"def reply(letter):\n    return letter\n"})
    found = {term: corpus.postings(term) for term in ("respons", "reply")}
    assert "reply" not in [term for term, *_ in widened(["respons"], found, corpus, MEASURED)]
    words = {term for term, *_ in widened(["respons"], {"respons": found["respons"]}, corpus, MEASURED)}
    assert "reply" not in words


def test_other_words_count_for_less_than_those_asked_for() -> None:
    corpus = MemoryCorpus(OFFICE)
    found = {term: corpus.postings(term) for term in ("validation", "reply", "folder")}
    wider = widened(found, found, corpus, MEASURED)
    assert {term for term, *_ in wider} >= {"validat", "validator", "respons", "directory"}
    assert all(0 < said < 1 and postings for _, said, postings in wider)


def test_what_one_question_is_widened_by_is_bounded() -> None:
    names = "\n\n".join(f"def validate{letter}{other}(): pass" for letter in "abcdef" for other in "abcdef")
    corpus = MemoryCorpus({"many.py": names.encode()})
    assert len(widened(["validation"], {"validation": ()}, corpus, MEASURED)) <= MOST_RELATIVES
    many = [f"validator{chr(97 + number)}" for number in range(MOST_WIDENED)]
    wider = widened([*many, "validation"], dict.fromkeys([*many, "validation"], ()), corpus, MEASURED)
    assert len(wider) <= MOST_RELATIVES * MOST_WIDENED


@given(st.sampled_from(["ctx", "reply", "remove", "cfg", "err", "auth", "giraffe"]))
def test_synonyms_go_both_ways(word: str) -> None:
    term = term_of(word)
    assert term not in synonyms(term)
    assert all(term in synonyms(other) for other in synonyms(term))


@given(st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_shared_letters_are_those_that_both_begin_with(one: str, two: str) -> None:
    many = letters_shared(one, two)
    assert one[:many] == two[:many]
    assert one[many : many + 1] != two[many : many + 1] or many == min(len(one), len(two))
