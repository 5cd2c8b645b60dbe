"""What went wrong in comparable tools, each fault as a test of the right behaviour: a real index on a real disk.

The numbers are those of the list that the faults were collected in; each test stands for its whole kind.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import explore.errors
from explore import Answer, Explorer
from explore.dedup.fingerprint import fingerprint
from explore.model.text import decode, split_lines
from explore.server.tool import DESCRIPTION, INPUT_SCHEMA, INSTRUCTIONS
from tests.support import hostile
from tests.support.corpus import write_tree
from tests.support.delivered import ReadSection, delivered, is_cut_of

SIZES: Final = (1_000, 1_500, 2_500, 4_000, 7_000, 13_000, 24_999, 25_001, 40_000, 50_000)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hostile repository, which tests of this module leave as it is."""
    root = tmp_path_factory.mktemp("failures") / "hostile"
    hostile.write_hostile(root)
    return root


@pytest.fixture(scope="module")
def project(root: Path) -> Iterator[Explorer]:
    """The hostile repository, indexed."""
    with Explorer.open(root) as explorer:
        explorer.sync()
        yield explorer


def ask(project: Explorer, question: str, max_bytes: int | None = None) -> Answer:
    """One question to the project as indexed, with every line of the answer checked against the disk."""
    answer = project.explore(question, max_bytes=max_bytes, refresh=False)
    check(project.root, answer)
    return answer


def check(root: Path, answer: Answer) -> None:
    """Every numbered line is that line of its file, what is said to be delivered is what is shown, and sizes hold."""
    sections = delivered(answer.text).sections
    emitted = {shown(file.path): file for file in answer.emission.files}
    really = {shown(file.path): file.path for file in answer.trace.ranked.files}
    for section in sections:
        raw = (root / really[section.path]).read_bytes()
        lines = raw_lines(raw)
        assert all(lines[number - 1] == line for number, line in section.lines.items()), section.path
        assert all(is_cut_of(line, lines[number - 1]) for number, line in section.cut_lines.items()), section.path
        if section.lines:
            assert set(emitted[section.path].spans.lines()) == set(section.lines)
            assert emitted[section.path].fingerprint == fingerprint(raw)
            assert emitted[section.path].source_bytes == section.source_bytes
    assert {s.path for s in sections if s.lines} == set(emitted)
    assert answer.emission.response_bytes == len(answer.text.encode()) <= answer.trace.envelope.ceiling


def shown(path: str) -> str:
    """A path as it stands between back-quotes on one line."""
    return re.sub(r"[`\x00-\x1f\x7f\x85\u2028\u2029]", "?", path)


def raw_lines(raw: bytes) -> list[str]:
    """Lines as `grep -n` counts them, decoded by this module's own means."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = raw.decode("utf-16")
    else:
        text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return [line.removesuffix("\r") for line in text.split("\n")]


def section_of(answer: Answer, path: str) -> ReadSection:
    """The one section of a file."""
    (section,) = (section for section in delivered(answer.text).sections if section.path == path)
    return section


def shows(project: Explorer, place: hostile.Place) -> bool:
    """Whether asking for a symbol by name brings the line on which its name stands, with the name on it."""
    section = section_of(ask(project, place.symbol), place.path)
    return place.symbol in {**section.lines, **section.cut_lines}.get(place.line, "")


# --- wrong lines, wrong text --------------------------------------------------------------------------------------


def test_10_lines_inserted_above_a_symbol_do_not_give_its_neighbours_body(tmp_path: Path) -> None:
    """The index is 45 lines behind, and the body under a symbol's name is that symbol's all the same."""
    path = hostile.MOVED.path
    write_tree(tmp_path, {path: hostile.FILES[path]})
    with Explorer.open(tmp_path) as project:
        project.sync()
        times = (tmp_path / path).stat()
        hostile.insert_lines_at_top(tmp_path / path)
        os.utime(tmp_path / path, ns=(times.st_atime_ns, times.st_mtime_ns))
        section = section_of(ask(project, hostile.MOVED.symbol), path)
    line = hostile.MOVED.line + 45
    assert section.lines[line].startswith(f"def {hostile.MOVED.symbol}(")
    assert any(hostile.MOVED_BODY in section.lines.get(n, "") for n in range(line, line + 10))


@pytest.mark.parametrize("place", hostile.SEPARATED, ids=lambda place: place.path)
def test_11_no_character_but_a_newline_ends_a_line(project: Explorer, place: hostile.Place) -> None:
    """Form feeds, vertical tabs, U+0085, U+2028 and the like, in strings and comments, shift no number."""
    assert shows(project, place)


@pytest.mark.parametrize(
    "place", [hostile.CRLF, hostile.MIXED_ENDINGS, hostile.LONE_CR, hostile.CLASSIC_CR], ids=lambda place: place.path
)
def test_12_carriage_returns_before_newlines_are_not_shown_and_count_nothing(
    project: Explorer, place: hostile.Place
) -> None:
    """While the fingerprint is over the bytes as they are on disk, carriage returns and all."""
    assert shows(project, place)
    section = section_of(ask(project, place.symbol), place.path)
    if place in (hostile.CRLF, hostile.MIXED_ENDINGS):
        assert not any("\r" in line for line in section.lines.values())


@pytest.mark.parametrize(
    "place",
    [hostile.BOM_FIRST_LINE, hostile.BOM_GO, hostile.UTF16_LE, hostile.UTF16_BE],
    ids=lambda place: place.path,
)
def test_13_a_byte_order_mark_hides_neither_the_first_line_nor_its_symbol(
    project: Explorer, place: hostile.Place
) -> None:
    """Nor does UTF-16, known by its mark."""
    assert shows(project, place)
    assert "\ufeff" not in ask(project, place.symbol).text


@pytest.mark.parametrize("place", [hostile.LATIN1, hostile.LATIN1_C], ids=lambda place: place.path)
def test_14_bytes_that_are_no_utf_8_cost_no_line(project: Explorer, place: hostile.Place) -> None:
    """The file is indexed, and what cannot be decoded is shown as replacement characters."""
    assert shows(project, place)
    text = (project.root / place.path).read_bytes()
    assert len(split_lines(decode(text))) == text.count(b"\n")


def test_15_the_span_of_a_symbol_of_one_line_or_none_contains_its_name(tmp_path: Path) -> None:
    """Declarations, out-of-line methods, old-style parameters, one-liners."""
    for path, raw in hostile.FILES.items():
        if path.startswith("declarations/"):  # each too long to be shown whole
            comment = b"# " if path.endswith(".py") else b"// "
            write_tree(tmp_path, {path: raw + b"".join(b"%sfiller line %d\n" % (comment, n) for n in range(200))})
    with Explorer.open(tmp_path) as project:
        project.sync()
        for place in hostile.DECLARED:
            answer = ask(project, f"{place.symbol} {place.path}", 1_500)
            assert place.symbol in section_of(answer, place.path).lines.get(place.line, ""), place
            (file,) = (file for file in answer.trace.ranked.files if file.path == place.path)
            starts = [s.start for s in file.symbols if re.split(r"\W", s.qualified)[-1] == place.symbol]
            assert any(start <= place.line for start in starts), place


# --- size and sharing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("max_bytes", [None, *SIZES])
def test_16_a_huge_line_is_cut_says_so_and_does_not_count_as_sent(project: Explorer, max_bytes: int | None) -> None:
    """A file of one line of 200 kB that holds the symbol."""
    answer = ask(project, hostile.LONG_LINE.symbol, max_bytes)
    assert not any(file.path == hostile.LONG_LINE.path and file.spans for file in answer.emission.files)
    if max_bytes is None or max_bytes > 2_500:
        section = section_of(answer, hostile.LONG_LINE.path)
        assert list(section.cut_lines) == [1]


def test_16_a_line_of_the_limit_is_whole_and_one_of_a_character_more_is_not(project: Explorer) -> None:
    """The limit is in characters, not in bytes."""
    section = section_of(ask(project, "at_limit over_limit wide_at_limit", 50_000), hostile.AT_LIMIT.path)
    assert {2, 8} <= set(section.lines)
    assert set(section.cut_lines) == {5}


@pytest.mark.parametrize("max_bytes", [24_999, 25_001, 50_000, None])
@pytest.mark.parametrize("question", ["港口 harbour", "step load engine", "settle account rows", "render report page"])
def test_17_the_ceiling_is_in_bytes_and_holds_with_headers_and_notes(
    project: Explorer, question: str, max_bytes: int | None
) -> None:
    """Also for text of nothing but characters of three and four bytes; `check` compares."""
    assert ask(project, question, max_bytes).emission.files


def test_17_a_large_answer_stays_under_what_hosts_move_away(project: Explorer) -> None:
    """No host shows more than 25,000 bytes without being told to."""
    assert ask(project, "settle account rows step load engine").emission.response_bytes <= 25_000
    assert ask(project, hostile.CJK_NAME).emission.response_bytes <= 25_000


@pytest.mark.parametrize("question", ["settle account rows", hostile.GAP_QUESTION, "港口"])
def test_18_more_room_never_brings_less_source(project: Explorer, question: str) -> None:
    """By more than one file's heading and notes, over a sweep of sizes."""
    before = 0
    for max_bytes in range(1_000, 50_001, 2_450):
        sent = ask(project, question, max_bytes).emission.source_bytes
        assert sent >= before - 700, max_bytes
        before = max(before, sent)


def test_19_a_small_top_file_comes_whole(project: Explorer) -> None:
    """Though its share by weight is a little less than the file."""
    answer = ask(project, hostile.SMALL_TOP_QUESTION)
    section = delivered(answer.text).sections[0]
    assert section.path == hostile.SMALL_TOP
    assert len(section.lines) == len(raw_lines((project.root / hostile.SMALL_TOP).read_bytes())) - 1


def test_20_files_that_only_use_a_word_do_not_crowd_out_the_one_that_defines_it(project: Explorer) -> None:
    """The word is a local variable in three large files, and the subject of a small one."""
    answer = ask(project, hostile.CROWDED_QUESTION)
    sections = delivered(answer.text).sections
    assert sections[0].path == hostile.CROWDED.path
    assert "def seal_parcel" in sections[0].lines[hostile.CROWDED.line]
    assert len(sections[0].lines) == len(raw_lines((project.root / hostile.CROWDED.path).read_bytes())) - 1


def test_21_code_that_a_machine_wrote_stands_behind_what_a_person_wrote(project: Explorer) -> None:
    """It is known by its banner alone, and served where it is asked for by name."""
    first = delivered(ask(project, hostile.BANNER_QUESTION).text).sections[0]
    assert first.path == hostile.HAND_WRITTEN.path
    assert shows(project, hostile.GENERATED)


def test_22_a_class_of_thousands_of_methods_is_bounded_and_the_asked_one_is_there(project: Explorer) -> None:
    """With a count of what is not shown."""
    section = section_of(ask(project, f"Engine.{hostile.METHOD.symbol}"), hostile.METHOD.path)
    assert hostile.METHOD.symbol in section.lines[hostile.METHOD.line]
    gaps = [row for row in section.rows if not isinstance(row, int)]
    total = len(raw_lines((project.root / hostile.METHOD.path).read_bytes())) - 1
    assert len(section.lines) + sum(gap.lines for gap in gaps) == total
    assert sum(gap.more for gap in gaps) > 1_000


def test_23_every_gap_names_what_it_hides(project: Explorer) -> None:
    """As `name (L12)`, with the true line; a few names, then a count of the others."""
    section = section_of(ask(project, hostile.GAP_QUESTION, 1_500), hostile.GAP_ENDS[0].path)
    assert {place.line for place in hostile.GAP_ENDS} <= set(section.lines)
    hidden = {(place.symbol, place.line) for place in hostile.GAP_HIDES if place.line not in section.lines}
    gaps = [row for row in section.rows if not isinstance(row, int)]
    named = {name for gap in gaps for name in gap.names}
    assert named
    assert named <= hidden
    assert len(named) + sum(gap.more for gap in gaps) == len(hidden)


def test_23_every_relevant_file_that_is_left_out_is_named(project: Explorer) -> None:
    """Or counted, where names would take too much."""
    answer = ask(project, hostile.SMALL_TOP_QUESTION)
    words = " ".join(delivered(answer.text).words)
    shown = {section.path for section in delivered(answer.text).sections}
    left_out = [file.path for file in answer.trace.ranked.files if file.path not in shown]
    named = [path for path in left_out if f"`{path}`" in words]
    more = re.search(r"\+(\d+) more", words)
    assert named
    assert len(named) + int(more[1] if more else 0) == len(left_out)


DISCOURAGING: Final = re.compile(
    r"budget|quota|remaining|calls? left|last call|limited to|use sparingly|call (it|this) (only )?once|no more than"
    r"|avoid (calling|further)|do not call|don't call|stop (asking|calling)|(first|second|\d+) of \d+ calls?",
    re.IGNORECASE,
)


def test_24_nothing_that_an_agent_reads_counts_calls_or_speaks_of_a_budget(project: Explorer) -> None:
    """Agents take it for an order to stop, and search by hand: tool texts, notes, errors, answers of every sort."""
    texts = [INSTRUCTIONS, DESCRIPTION, str(INPUT_SCHEMA)]
    texts += [error.__doc__ or "" for error in vars(explore.errors).values() if isinstance(error, type)]
    for question in (hostile.SMALL_TOP_QUESTION, "zebra quagga", hostile.GAP_QUESTION):
        for size in (None, 1_000):
            texts += delivered(ask(project, question, size).text).words
    for size, files in ((999, None), (50_001, None), (None, 0)):
        with pytest.raises(explore.errors.BadRequest) as refused:
            project.explore("x", max_bytes=size, max_files=files)
        texts.append(str(refused.value))
    texts += [str(value) for value in strings_in_sources()]
    for text in texts:
        assert not DISCOURAGING.search(text), text


def strings_in_sources() -> Iterator[str]:
    """Every string that the code could show, docstrings left out."""
    for file in sorted(Path(explore.errors.__file__).parent.rglob("*.py")):
        module = ast.parse(file.read_text("utf-8"))
        expressions = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in expressions:
                yield node.value


# --- paths --------------------------------------------------------------------------------------------------------


def test_28_vendored_built_and_ignored_trees_are_not_indexed(project: Explorer) -> None:
    """And what git would bring back is."""
    for path, symbol in hostile.NEVER_INDEXED.items():
        answer = ask(project, symbol)
        found = [row for row in answer.text.split("\n")[1:] if not row.startswith("Occurs nowhere")]
        assert not any(symbol in row for row in found), path
    for place in hostile.RESCUED:
        assert shows(project, place), place


def test_29_names_with_any_character_are_files_like_others(project: Explorer, root: Path) -> None:
    """Spaces, quotes, hashes, line ends, letters of any script; a name that is no text at all is passed over."""
    for path, symbol in hostile.NAMES.items():
        if not (root / path).exists() or path == hostile.STRAY_BYTE_NAME:
            continue
        answer = project.explore(symbol, refresh=False)
        (file,) = (file for file in answer.emission.files if file.path == path)
        assert 3 in file.spans
        assert f"3\tdef {symbol}():" in answer.text
        (heading,) = (line for line in answer.text.split("\n") if line.startswith("## ") and symbol in line)
        assert heading.count("`") == 2
    assert symbol_is_nowhere(project, hostile.NAMES[hostile.STRAY_BYTE_NAME])


def symbol_is_nowhere(project: Explorer, symbol: str) -> bool:
    """Whether no answer to a symbol's name shows it."""
    return f"def {symbol}" not in project.explore(symbol, refresh=False).text


def test_30_a_repository_without_source_says_so(tmp_path: Path) -> None:
    """An empty one, and one with files in no language that is read."""
    hostile.write_languageless(tmp_path / "languageless")
    (tmp_path / "empty").mkdir()
    for name in ("languageless", "empty"):
        with Explorer.open(tmp_path / name) as project:
            answer = project.explore("how does it work")
            assert "There is no source to search here" in answer.text
            assert answer.emission.files == ()
            assert project.search("work").files == ()


def test_30_files_that_are_barely_there_break_nothing(project: Explorer) -> None:
    """An empty file, an empty folder, a pipe, a folder named as a file, half-written files, a last line without end."""
    for place in (hostile.NO_LAST_NEWLINE, hostile.IN_FOLDER_NAMED_AS_FILE, *hostile.BROKEN):
        assert shows(project, place), place
    for question in ("empty.py", "barely/x.py", "pipe.py", "blank.py", "binary.py", "in_binary", "beside_nul"):
        ask(project, question)


def test_30_a_file_deleted_after_indexing_is_dropped_and_named(tmp_path: Path) -> None:
    """It is not quoted from memory, and not passed over in silence."""
    place = hostile.VANISHING
    write_tree(tmp_path, {place.path: hostile.FILES[place.path], "stays.py": b"def stays(): return 'soon gone'\n"})
    with Explorer.open(tmp_path) as project:
        project.sync()
        (tmp_path / place.path).unlink()
        answer = project.explore(f"{place.symbol} stays", refresh=False)
    check(tmp_path, answer)
    assert [section.path for section in delivered(answer.text).sections] == ["stays.py"]
    assert f"Gone or unreadable by now: `{place.path}`" in answer.text
