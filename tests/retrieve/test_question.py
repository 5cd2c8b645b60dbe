"""A question read: which of its words are terms, and what it spells out as a name or a path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.retrieve.question import MOST_NAMES, MOST_TERMS, read_question


def check(text: str, terms: str = "", names: str = "", paths: str = "") -> None:
    """Compares what is given; an empty expectation of terms expects nothing of them."""
    question = read_question(text)
    if terms:
        assert question.terms == tuple(terms.split())
    assert question.names == tuple(names.split())
    assert question.paths == tuple(paths.split())


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("how does the cache work with routing", "cach rout"),
        ("where are the errors caught, and the error logged", "error caught log"),
        ("how is it used", "how is it used"),
        ("why does HTTP 404 fail", "http 404 fail"),
    ],
)
def test_words_that_name_nothing_are_no_terms_unless_there_are_no_others(text: str, terms: str) -> None:
    assert read_question(text).terms == tuple(terms.split())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("how does parse_header cope with folded lines", "parse_header"),
        ("what happens in readAll when the stream ends", "readAll"),
        ("why does HTTPError keep the response around", "HTTPError"),
        ("call redirect() with an undefined target url", "redirect"),
        ("remove dead code in the `redirect` method today", "redirect"),
        ("docs for `Rack::Request#host` and what it trusts", "Rack::Request#host"),
        ("how does a request reach its handler", ""),
        ("Router", "Router"),
        ("empty? save!", "empty? save!"),
        ("how does `full?` differ from moor_tide! here", "full full? moor_tide moor_tide!"),
        ("where do $watchTide and #moorTide meet", "$watchTide #moorTide"),
        ("what does Keeper::~Keeper free", "Keeper::~Keeper"),
    ],
)
def test_a_name_is_told_by_how_it_is_written(text: str, names: str) -> None:
    check(text, names=names)


@pytest.mark.parametrize(
    ("text", "proper"),
    [
        ("how does Router match a path", "Router"),
        ("Router and where it is used. Matching is done by Layer.", "Router Matching Layer"),
        ("Add a Router to it. Where is the URL kept", "Router"),
        ("what do (Outbox) and 'Batch' keep", "Outbox Batch"),
        ("what calls Router.handle or HTTPError in a GET-Request", ""),
        ("How is it done? Where is it done", ""),
        ("what does (*Dock).Load do, and Größe", "Dock Größe"),
    ],
)
def test_a_capital_within_a_sentence_may_be_a_name(text: str, proper: str) -> None:
    assert read_question(text).proper == tuple(proper.split())


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("what is in src/flask/ctx.py and where is it used", "src/flask/ctx.py"),
        ("what is in src\\flask\\ctx.py and where is it used", "src/flask/ctx.py"),
        ("move the helpers of utils.go to another file", "utils.go"),
        ("how are the folders under lib/rack laid out", "lib/rack"),
        ("how does pages/[id].ts load its data", "pages/[id].ts"),
        ("what does [...slug].tsx show", "[...slug].tsx"),
        ("what is in app/routes/$postId.tsx", "app/routes/$postId.tsx"),
    ],
)
def test_a_path_is_told_by_a_slash_or_a_suffix(text: str, paths: str) -> None:
    assert read_question(text).paths == tuple(paths.split())


@pytest.mark.parametrize("path", ["my docs/note.py", "(group)/page.tsx", "it's #1.py", "a.py"])
def test_between_back_quotes_a_path_may_hold_anything(path: str) -> None:
    assert path in read_question(f"what is in `{path}` and why").paths


def test_a_question_says_whether_it_wants_tests_or_generated_code() -> None:
    asked = read_question("which tests cover the generated parser")
    assert (asked.tests, asked.generated) == (True, True)
    asked = read_question("how is the parser built")
    assert (asked.tests, asked.generated) == (False, False)


def test_verbs_of_request_count_for_less() -> None:
    question = read_question("add a cache")
    assert [question.weight(term, 0.2) for term in question.terms] == [0.2, 1.0]


def test_spaces_make_no_other_question() -> None:
    assert read_question(" How  is\nit ").normalised == "How is it"


@given(st.text(max_size=3_000) | st.text("aB_.:/\\`()#- \n", max_size=3_000))
def test_any_text_can_be_read_and_what_is_read_is_bounded(text: str) -> None:
    question = read_question(text)
    assert len(question.terms) <= MOST_TERMS
    assert len(question.names) <= MOST_NAMES
    assert len(question.paths) <= MOST_NAMES
    assert "" not in question.terms + question.names + question.paths


def test_of_ten_megabytes_the_beginning_is_read() -> None:
    assert read_question("word" * 2_500_000).terms == ()
    assert read_question("cache " * 2_000_000).terms[0] == "cach"
