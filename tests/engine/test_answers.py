"""Small projects and what an answer to one question reads like."""

from __future__ import annotations

import pytest

from explore.engine import Options, explore, search
from explore.errors import BadRequest
from explore.model.spans import Span, Spans
from tests.support.corpus import MemoryCorpus, tree

PORT = tree("""
    port/
        ferry.py
            | def cross(tide):
            |     return tide
        crane.py
            | class Crane:
            |     def lift(self, cargo):
            |         return cargo.hoist()
    keeper.go
        | package keeper
        |
        | func OpenLock(level int) int {
        | 	return level
        | }
""")


def test_a_tree_is_read_with_its_folders_and_lines() -> None:
    assert sorted(PORT) == ["keeper.go", "port/crane.py", "port/ferry.py"]
    assert PORT["port/ferry.py"] == b"def cross(tide):\n    return tide\n"
    assert PORT["keeper.go"] == b"package keeper\n\nfunc OpenLock(level int) int {\n\treturn level\n}\n"


def test_an_answer_reads_like_this() -> None:
    answer = explore("OpenLock", MemoryCorpus(PORT), "/port")
    assert answer.text.split("\n") == [
        "Source for: OpenLock (1 of 3 files)",
        "",
        "## `keeper.go` OpenLock",
        "```go",
        "1\tpackage keeper",
        "2\t",
        "3\tfunc OpenLock(level int) int {",
        "4\t\treturn level",
        "5\t}",
        "```",
    ]
    (file,) = answer.emission.files
    assert (file.path, file.spans) == ("keeper.go", Spans([Span(1, 5)]))
    assert (answer.emission.project, answer.emission.question) == ("/port", "OpenLock")


@pytest.mark.parametrize("question", ["", " ", "\n\t\u2028"])
def test_an_empty_question_is_a_readable_error(question: str) -> None:
    with pytest.raises(BadRequest, match="the question is empty"):
        explore(question, MemoryCorpus(PORT), "/port")
    with pytest.raises(BadRequest, match="the question is empty"):
        search(question, MemoryCorpus(PORT))


@pytest.mark.parametrize("options", [Options(max_bytes=999), Options(max_bytes=50_001), Options(max_files=0)])
def test_an_option_out_of_its_range_is_a_readable_error(options: Options) -> None:
    with pytest.raises(BadRequest, match="must be from"):
        explore("ferry", MemoryCorpus(PORT), "/port", options)


def test_no_match_and_no_files_are_answers_that_say_so() -> None:
    for files, words in ((PORT, "Nothing in the 3 indexed files matches."), ({}, "There is no source to search here")):
        answer = explore("zeppelin", MemoryCorpus(files), "/port")
        assert words in answer.text
        assert answer.emission.files == ()


def test_a_file_that_vanished_is_named_and_another_takes_its_place() -> None:
    corpus = MemoryCorpus({f"port/ferry_{n}.py": b"def ferry(tide):\n    return tide\n" for n in range(6)})
    first = explore("ferry", corpus, "/", Options(max_files=2)).emission.files[0].path
    corpus.remove(first)
    answer = explore("ferry", corpus, "/", Options(max_files=2))
    assert len(answer.emission.files) == 2
    assert f"Gone or unreadable by now: `{first}`" in answer.text


def test_an_edited_file_is_shown_as_it_is_now_with_the_symbol_under_its_name() -> None:
    body = "".join(f"def dock_{n}(load):\n    secret = {n}\n    return load + secret\n\n" for n in range(270))
    corpus = MemoryCorpus({"port/dock.py": body.encode()})
    corpus.edit("port/dock.py", b"# inserted\n" * 45 + body.encode())
    answer = explore("dock_123", corpus, "/", Options(max_bytes=2_000))
    start = 45 + 4 * 123 + 1
    assert f"{start}\tdef dock_123(load):\n{start + 1}\t    secret = 123\n" in answer.text


def test_a_search_ranks_what_an_answer_shows() -> None:
    corpus = MemoryCorpus(PORT)
    assert search("lift cargo", corpus) == explore("lift cargo", corpus, "/").trace.ranked


@pytest.mark.parametrize("size", [1_000, 2_000, 5_000, None])
@pytest.mark.parametrize("parameters", [20, 100, 600])
def test_a_long_declaration_is_cut_like_the_rest(parameters: int, size: int | None) -> None:
    """Its name comes in any case."""
    declared = "".join(f"    tide_{n}: int = {n},\n" for n in range(parameters))
    body = "".join(f"    berth = tide_{n}\n" for n in range(60))
    corpus = MemoryCorpus({"ferry.py": f"def ferry_load(\n{declared}):\n{body}".encode(), "b.py": b"b = 1\n"})
    answer = explore("ferry_load", corpus, "/port", Options(max_bytes=size))
    assert "1\tdef ferry_load(" in answer.text.split("\n")
    room = size or answer.trace.envelope.bytes
    assert sum(file.source_bytes for file in answer.emission.files) > min(room // 2, len(declared))


def test_the_largest_answer_is_filled_from_one_symbol() -> None:
    """Also where its lines make pieces of little more than half of the most."""
    lines = "".join(f"    tide = '{n:>205}'\n    x = {n}\n" for n in range(1_500))
    corpus = MemoryCorpus({"ferry.py": f"def ferry_load(tide):\n{lines}".encode(), "b.py": b"b = 1\n"})
    answer = explore("ferry_load", corpus, "/port", Options(max_bytes=50_000))
    assert answer.emission.response_bytes > 48_000
