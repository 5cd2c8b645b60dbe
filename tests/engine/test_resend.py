"""What `resend` brings back: what it names comes first, as it is on disk, and what does not fit or exist is named."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore import Explorer, Session
from explore.dedup.recover import Wanted, read_wanted
from explore.engine import STRANGER, Answer, Options, explore
from explore.errors import BadRequest
from explore.model.spans import Span, Spans
from explore.session.view import View
from tests.support.check import check_answer
from tests.support.corpus import MemoryCorpus, write_tree
from tests.support.delivered import delivered
from tests.support.strategies import Piece, file_of, same_size

FILES = {
    "port/ferry.py": file_of([Piece("ferry_cross", 20), Piece("ferry_dock", 20)]),
    "port/crane.py": file_of([Piece("crane_lift", 20), Piece("crane_turn", 20)]),
    "port/tide.py": file_of([Piece("tide_gauge", 20)]),
}
LARGE = {**FILES, "port/large.py": file_of([Piece(f"part_{n}", 30) for n in range(20)])}
PLENTY = 6_000


def asked(question: str, *resend: str, view: View = STRANGER, files: dict[str, bytes] = FILES, **other: int) -> Answer:
    """The answer to a call that has these sent again; `other` options are in bytes and files."""
    options = Options(**{"max_bytes": PLENTY, **other}, resend=tuple(map(read_wanted, resend)))
    return explore(question, MemoryCorpus(files), "/", options, view)


def after(*questions: str) -> View:
    """What is held after these answers of one file each."""
    view = View()
    for question in questions:
        answer = explore(question, MemoryCorpus(FILES), "/", Options(PLENTY, max_files=1), view)
        view = View((*view.emissions, answer.emission))
    return view


def sent(answer: Answer) -> dict[str, Spans]:
    """In the order of the answer."""
    return {file.path: file.spans for file in answer.emission.files if file.spans}


def lines_of(first: int, last: int) -> Spans:
    return Spans([Span(first, last)])


WHOLE, TIDE = lines_of(1, 44), lines_of(1, 21)


def test_with_true_nothing_is_withheld() -> None:
    view = after("ferry")
    assert "port/ferry.py" not in sent(asked("ferry and tide", view=view))
    answer = explore("ferry and tide", MemoryCorpus(FILES), "/", Options(PLENTY, resend=True), view)
    assert delivered(answer.text).pointers == ()
    assert sent(answer) == sent(explore("ferry and tide", MemoryCorpus(FILES), "/", Options(PLENTY)))


@pytest.mark.parametrize(
    ("resend", "path", "lines"),
    [
        ("port/crane.py", "port/crane.py", WHOLE),
        ("port/crane.py:5-9", "port/crane.py", lines_of(5, 9)),
        ("port/crane.py:7", "port/crane.py", lines_of(7, 7)),
        ("port/crane.py:5-9,20-30", "port/crane.py", Spans([Span(5, 9), Span(20, 30)])),
        ("port/crane.py:40-99", "port/crane.py", lines_of(40, 44)),
    ],
)
def test_the_lines_that_are_named_are_sent_also_where_the_question_would_not_have_found_them(
    resend: str, path: str, lines: Spans
) -> None:
    assert sent(asked("zeppelin", resend)) == {path: lines}


@pytest.mark.parametrize("question", ["ferry", "zeppelin", "ferry and tide", "crane_turn and tide"])
@pytest.mark.parametrize("view", [STRANGER, after("crane"), after("ferry"), after("ferry", "crane", "tide")])
def test_what_is_named_comes_first_whatever_the_reader_holds(question: str, view: View) -> None:
    answer = asked(question, "port/crane.py:5-9", view=view)
    assert next(iter(sent(answer))) == "port/crane.py"
    assert not lines_of(5, 9) - sent(answer)["port/crane.py"]
    assert delivered(answer.text).sections[0].path == "port/crane.py"


def test_what_is_held_besides_is_withheld_all_the_same() -> None:
    answer = asked("ferry and tide", "port/crane.py:5-9", view=after("ferry", "crane"))
    assert sent(answer) == {"port/crane.py": lines_of(5, 9), "port/tide.py": TIDE}
    assert {pointer.path for pointer in delivered(answer.text).pointers} == {"port/ferry.py"}


def test_several_are_sent_in_the_order_in_which_they_are_named_though_there_are_fewer_places() -> None:
    answer = asked("zeppelin", "port/tide.py:1-9", "port/ferry.py", "port/crane.py:2", max_files=1)
    assert sent(answer) == {"port/tide.py": lines_of(1, 9), "port/ferry.py": WHOLE, "port/crane.py": lines_of(2, 2)}


@pytest.mark.parametrize(
    ("items", "lines"),
    [
        (("port/ferry.py:1-5", "port/ferry.py:4-9"), lines_of(1, 9)),
        (("port/ferry.py:1-5", "port/ferry.py"), WHOLE),
        (("port/ferry.py", "port/ferry.py:1-5"), WHOLE),
        (("port/ferry.py:2", "port/ferry.py:2"), lines_of(2, 2)),
    ],
)
def test_a_file_that_is_named_twice_is_one_section(items: tuple[str, str], lines: Spans) -> None:
    answer = asked("zeppelin", *items)
    assert sent(answer) == {"port/ferry.py": lines}
    assert len(delivered(answer.text).sections) == 1


def test_it_is_sent_as_it_is_on_disk_now() -> None:
    corpus = MemoryCorpus(FILES)
    corpus.edit("port/crane.py", same_size(FILES["port/crane.py"]))
    options = Options(PLENTY, resend=(Wanted("port/crane.py"),))
    check_answer(explore("zeppelin", corpus, "/", options), corpus)


def test_the_value_at_the_end_of_a_pointer_brings_its_lines_back() -> None:
    view = after("ferry", "crane")
    first = asked("ferry, crane and tide", view=view)
    pointers = delivered(first.text).pointers
    assert {pointer.path for pointer in pointers} == {"port/ferry.py", "port/crane.py"}
    view = View((*view.emissions, first.emission))
    for pointer in pointers:
        answer = asked("zeppelin", *pointer.again, view=view)
        assert sent(answer) == {pointer.path: Spans(Span(*ends) for ends in pointer.spans)}


def test_what_was_sent_again_is_held_again() -> None:
    view = after("ferry", "crane")
    again = asked("zeppelin", "port/ferry.py", view=view)
    assert sent(again) == {"port/ferry.py": WHOLE}
    assert sent(asked("tide and ferry", view=View((again.emission,)))) == {"port/tide.py": TIDE}


# --- the rest of it ----------------------------------------------------------------------------------------


def left_in(text: str) -> dict[str, Spans]:
    """The files and lines that an answer says there was no room for."""
    (row,) = re.findall(r"^No room to send again: (.*)$", text, re.MULTILINE) or [""]
    found = re.findall(r"`([^`]+)` (\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*)", row)
    return {path: read_wanted(f"{path}:{lines.replace(', ', ',')}").spans for path, lines in found}


@pytest.mark.parametrize("max_bytes", [1_000, 1_001, 1_500, 2_000, 3_333, 9_000, 17_500, 50_000])
@pytest.mark.parametrize("view", [STRANGER, after("ferry")])
def test_as_much_as_fits_is_sent_and_the_remainder_is_named_with_its_lines(max_bytes: int, view: View) -> None:
    answer = asked("ferry", "port/large.py", view=view, files=LARGE, max_bytes=max_bytes)
    assert len(answer.text.encode()) <= max_bytes
    got, left = sent(answer)["port/large.py"], left_in(answer.text).get("port/large.py", Spans())
    assert got | left == Spans([Span(1, 658)])
    assert not got & left
    assert next(iter(got)).start == 1
    assert answer.emission.source_bytes >= max_bytes - 1_000 or not left


@given(
    st.lists(st.sampled_from([*LARGE, *(f"{path}:3-17" for path in LARGE)]), min_size=1, max_size=6, unique=True),
    st.integers(1_000, 4_000),
    st.sampled_from((1, 2, None)),
)
def test_all_that_is_asked_for_is_sent_or_named(items: list[str], max_bytes: int, places: int | None) -> None:
    """Nothing of it is lost on the way to the text."""
    corpus = MemoryCorpus(LARGE)
    wanted = tuple(map(read_wanted, items))
    answer = explore("zeppelin", corpus, "/", Options(max_bytes, places, resend=wanted))
    check_answer(answer, corpus)
    left, got = left_in(answer.text), sent(answer)
    for item in wanted:
        lines = item.spans or Spans([Span(1, len(corpus.lines(item.path)))])
        assert not lines - got.get(item.path, Spans()) - left.get(item.path, Spans())


@pytest.mark.parametrize("max_bytes", [1_000, 1_200, 1_400, 2_000, 4_000])
def test_many_small_files_are_sent_or_named_or_counted_though_there_is_one_place(max_bytes: int) -> None:
    files = {f"port/part_{n:02}.py": b"def part(load):\n    return load\n" for n in range(30)}
    answer = asked("zeppelin", *files, files=files, max_bytes=max_bytes, max_files=1)
    (row,) = re.findall(r"^No room to send again: (.*)$", answer.text, re.MULTILINE) or [""]
    more = re.search(r"\+(\d+) more$", row)
    assert len(sent(answer)) + row.count("`") // 2 + (int(more[1]) if more else 0) == len(files)


def test_it_may_take_all_up_to_the_ceiling() -> None:
    """Which is higher than the envelope where the caller sets no size."""
    raw = file_of([Piece(f"part_{n}", 30) for n in range(19)])
    assert 14_300 < len(raw) + 5 * raw.count(b"\n") < 21_450 - 900
    answer = explore("ferry", MemoryCorpus({**FILES, "big.py": raw}), "/", Options(resend=(Wanted("big.py"),)))
    assert sent(answer)["big.py"] == Spans([Span(1, raw.count(b"\n"))])
    assert len(answer.text.encode()) > 14_300


@pytest.mark.parametrize(
    "path",
    [
        *("gone.py", "port/none.py:3-9", "notes.txt", "port", "", "/x.py", "a`b.py", "../x.py"),
        *("port/crane.py:70-99", "port/crane.py:9-5", "port/crane.py:x"),
    ],
)
def test_a_path_that_leads_to_no_source_is_named_and_is_no_error(path: str) -> None:
    answer = asked("ferry", path, "port/tide.py:1-3")
    shown = path.replace("`", "?")
    assert f"No source to send again at: `{shown}`" in answer.text
    assert sent(answer) == {"port/tide.py": lines_of(1, 3), "port/ferry.py": WHOLE}


def test_unknown_paths_without_number_are_counted() -> None:
    answer = asked("ferry", *(f"port/none_{n}.py" for n in range(200)), max_bytes=1_500)
    assert re.search(r"^No source to send again at: `port/none_0.py`, .*\+\d+ more$", answer.text, re.MULTILINE)
    assert len(answer.text.encode()) <= 1_500


def test_a_file_that_vanished_is_named() -> None:
    corpus = MemoryCorpus(FILES)
    corpus.remove("port/crane.py")
    answer = explore("ferry", corpus, "/", Options(PLENTY, resend=(Wanted("port/crane.py"),)))
    assert "No source to send again at: `port/crane.py`" in answer.text


@pytest.mark.parametrize("resend", [True, (Wanted("port/ferry.py"),), (Wanted("gone.py"),)])
def test_a_call_that_has_something_sent_again_does_not_raise_the_number(resend: object) -> None:
    view = after("ferry", "crane")
    assert view.number == 2
    again = explore("ferry and tide", MemoryCorpus(FILES), "/", Options(PLENTY, resend=resend), view)
    assert (again.emission.number, bool(sent(again))) == (2, True)
    plain = explore("ferry and tide", MemoryCorpus(FILES), "/", Options(PLENTY), view)
    assert plain.emission.number == 3


# --- paths as they may be written, with an index on a disk ---------------------------------------------------


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a link to a file in it, one out of it, and files that are no source."""
    above = tmp_path_factory.mktemp("above")
    outside = {"secret.py": b"SECRET = 1\n"}
    write_tree(above / "root", {**FILES, "notes.txt": b"notes\n"})
    write_tree(above, outside)
    (above / "root/linked.py").symlink_to(above / "root/port/crane.py")
    (above / "root/out.py").symlink_to(above / "secret.py")
    return above / "root"


@pytest.fixture(scope="module")
def explorer(root: Path) -> Iterator[Explorer]:
    with Explorer.open(root) as opened:
        opened.sync()
        yield opened


@pytest.mark.parametrize(
    "written",
    [
        *(
            "port/crane.py",
            "./port/crane.py",
            "port/../port/crane.py",
            "port//crane.py",
            "linked.py",
        ),
        *("{root}/port/crane.py", "{root}/../root/port/crane.py", "{root}/linked.py"),
    ],
)
@pytest.mark.parametrize(("lines", "spans"), [("", WHOLE), (":3-9", lines_of(3, 9))])
def test_a_path_means_the_same_file_however_it_is_written(
    explorer: Explorer, root: Path, written: str, lines: str, spans: Spans
) -> None:
    item = written.format(root=root) + lines
    answer = explorer.explore("zeppelin", resend=[item], refresh=False)
    assert sent(answer) == {"port/crane.py": spans}


def test_one_file_written_in_several_ways_is_sent_once(explorer: Explorer, root: Path) -> None:
    items = ["port/crane.py:1-5", "./port/crane.py:4-9", f"{root}/linked.py:20"]
    answer = explorer.explore("zeppelin", resend=items, refresh=False)
    assert sent(answer) == {"port/crane.py": Spans([Span(1, 9), Span(20, 20)])}


@pytest.mark.parametrize(
    "written", ["out.py", "../secret.py", "{root}/../secret.py", "/secret.py", "a\0b.py", "notes.txt"]
)
def test_nothing_outside_of_the_root_is_ever_sent(explorer: Explorer, root: Path, written: str) -> None:
    answer = explorer.explore("zeppelin", resend=[written.format(root=root)], refresh=False)
    assert sent(answer) == {}
    assert "SECRET" not in answer.text
    assert "No source to send again at: " in answer.text


def test_through_the_python_front_it_is_recorded_and_comes_back(explorer: Explorer) -> None:
    first = explorer.explore("crane", Session(), max_bytes=PLENTY, max_files=1, refresh=False)
    second = explorer.explore("crane and tide", first.session, max_bytes=PLENTY, refresh=False)
    assert "port/crane.py" not in sent(second)
    for resend in (True, ["port/crane.py"]):
        third = explorer.explore("crane and tide", second.session, max_bytes=PLENTY, resend=resend, refresh=False)
        assert sent(third)["port/crane.py"] == WHOLE
        assert third.session.answers == 3


def test_a_path_in_the_form_of_this_system_is_understood(explorer: Explorer, root: Path) -> None:
    answer = explorer.explore("zeppelin", resend=[os.path.join(root, "port", "tide.py")], refresh=False)
    assert sent(answer) == {"port/tide.py": TIDE}


def test_what_is_not_indexed_is_not_read(tmp_path: Path) -> None:
    """It may be ignored for a reason, whoever asks for it by its path."""
    write_tree(tmp_path, {**FILES, ".gitignore": b"secret.py\n", "secret.py": b"TOKEN = 'abc'\n"})
    with Explorer.open(tmp_path, exact=True) as explorer:
        answer = explorer.explore("ferry", resend=["secret.py", "port/tide.py"])
    assert "TOKEN" not in answer.text
    assert "No source to send again at: `secret.py`" in answer.text
    assert "## `port/tide.py`" in answer.text


@pytest.mark.parametrize("resend", [[5], ["a.py", None]])
def test_what_is_no_path_is_refused_in_words(tmp_path: Path, resend: list[str]) -> None:
    write_tree(tmp_path, FILES)
    with Explorer.open(tmp_path, exact=True) as explorer, pytest.raises(BadRequest, match="paths as text"):
        explorer.explore("ferry", resend=resend)
