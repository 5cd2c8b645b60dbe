"""A section's text and the lines it claims to deliver, checked by reading the text as an agent would."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.model.held import Split
from explore.model.plan import Menu, Rendition, Share, Step, Verdict
from explore.model.ranked import RankedFile, Reason
from explore.model.section import LONGEST_LINE, LONGEST_NAME, Block, Gap, heading, shown_path
from explore.model.source import Kind, Role, Source, Symbol
from explore.model.spans import Span, Spans
from explore.render.build import build_section
from explore.render.gaps import MOST_HIDDEN, Gaps
from explore.render.price import Price
from tests.support.delivered import ReadGap, delivered, is_cut_of
from tests.support.strategies import sources, spans_within


@st.composite
def shares(draw: st.DrawFn) -> Share:
    """Any lines of any file, as a share of an answer."""
    source = draw(sources())
    spans = draw(spans_within(len(source.lines), least=1))
    shown = [s.qualified for s in source.symbols if s.qualified and s.line in spans]
    return share_of(source, spans, *shown)


def share_of(source: Source, spans: Spans, *titles: str) -> Share:
    menu = Menu(RankedFile(source.path, Role.SOURCE, 1.0, (Reason.WORDS,), ()), source, ())
    steps = tuple(Step(Rendition.BODIES, spans, 1.0, title) for title in titles)
    return Share(menu, Rendition.BODIES, Split(spans), source_bytes=0, bytes=0, verdict=Verdict.SERVED, steps=steps)


def source_of(*lines: str, symbols: tuple[Symbol, ...] = (), path: str = "port/ferry.py") -> Source:
    return Source(path, "python", "0-0", lines, symbols)


@given(shares())
def test_the_numbers_in_the_text_are_the_spans_and_each_line_is_the_sources(share: Share) -> None:
    """A line over the longest is cut, says so with its length, and is not among the spans."""
    section, source = build_section(share), share.menu.source
    (read,) = delivered(section.text).sections
    assert read.path == shown_path(source.path)
    assert Spans.of_lines(read.lines) == section.spans
    assert read.lines == {
        n: source.lines[n - 1] for n in share.spans.lines() if len(source.lines[n - 1]) <= LONGEST_LINE
    }
    assert read.cut_lines.keys() == set(share.spans.lines()) - read.lines.keys()
    assert all(is_cut_of(shown, source.lines[number - 1]) for number, shown in read.cut_lines.items())
    assert section.source_bytes == read.source_bytes


@given(shares())
def test_every_line_of_the_file_is_in_one_block_or_one_gap(share: Share) -> None:
    section = build_section(share)
    runs = [
        (p.span.start, p.span.end) if isinstance(p, Gap) else (p.start, p.start + len(p.lines) - 1)
        for p in section.parts
    ]
    assert [start for start, _ in runs] == [1, *(end + 1 for _, end in runs[:-1])]
    assert runs[-1][1] == len(share.menu.source.lines)
    assert (
        Spans(Span(*run) for run, part in zip(runs, section.parts, strict=True) if isinstance(part, Block))
        == share.spans
    )


@given(shares())
def test_a_gap_says_how_many_lines_it_hides_and_names_or_counts_what_starts_in_them(share: Share) -> None:
    source = share.menu.source
    (read,) = delivered(build_section(share).text).sections
    gaps = [row for row in read.rows if isinstance(row, ReadGap)]
    hidden = source.whole - share.spans
    assert [gap.lines for gap in gaps] == [len(span) for span in hidden]
    for gap, span in zip(gaps, hidden, strict=True):
        outermost = outermost_in(source, span)
        assert len(gap.names) == min(MOST_HIDDEN, len(outermost))
        assert len(gap.names) + gap.more == len(outermost)
        assert [line for _, line in gap.names] == [symbol.line for symbol in outermost[: len(gap.names)]]
        assert [name for name, _ in gap.names] == [symbol.name for symbol in outermost[: len(gap.names)]]


def outermost_in(source: Source, span: Span) -> list[Symbol]:
    """Symbols whose names stand in these lines and that are inside of none which the lines hold whole, by line."""

    def whole(symbol: Symbol) -> bool:
        return symbol.kind is not Kind.CODE and span.holds(symbol.span)

    def around(symbol: Symbol) -> list[Symbol]:
        above = [] if symbol.parent is None else [source.symbols[symbol.parent]]
        return above + [further for one in above for further in around(one)]

    named = (symbol for symbol in source.symbols if symbol.kind is not Kind.CODE and symbol.line in span)
    found = [symbol for symbol in named if not any(map(whole, around(symbol)))]
    return sorted(found, key=lambda symbol: symbol.line)


@given(shares())
def test_a_fence_is_longer_than_any_back_quotes_in_it_and_the_price_knows(share: Share) -> None:
    section = build_section(share)
    (read,) = delivered(section.text).sections
    body = "\n".join(part.text for part in section.parts)
    assert len(read.fence) >= 3
    assert all(len(run) < len(read.fence) for run in re.findall("`+", body))
    assert Price(share.menu.source).section(share.spans, share.steps) == len(section.text.encode())


@pytest.mark.parametrize("run", [1, 2, 3, 4, 7, 60])
def test_the_price_knows_how_long_a_fence_must_be(run: int) -> None:
    """Back-quotes cost twice: once in the line and once more in both fences."""
    source = source_of("a", "`" * run, "c")
    for spans in (Spans([Span(1, 1)]), Spans([Span(2, 2)]), source.whole):
        drawn = len(build_section(share_of(source, spans)).text.encode())
        assert Price(source).section(spans, ()) == drawn


@given(sources(), st.data())
def test_tidying_adds_only_gaps_that_cost_no_less_than_their_lines(source: Source, data: st.DataObject) -> None:
    price = Price(source)
    spans = data.draw(spans_within(len(source.lines)))
    tidied = price.tidy(spans)
    assert tidied & spans == spans
    assert bool(tidied) == bool(spans)
    assert all(price.lines(Spans([gap])) <= price.gap(gap) + 1 for gap in tidied - spans)


@given(sources(), st.data())
def test_what_fits_is_what_a_section_takes(source: Source, data: st.DataObject) -> None:
    """At any room, those just enough and one short of it among them."""
    price, title = Price(source), data.draw(st.sampled_from(["", "Ferry.sail", "字" * 200]))
    spans = data.draw(spans_within(len(source.lines), least=1))
    taken = price.section(spans, [Step(Rendition.BODIES, spans, 1.0, title)])
    room = data.draw(st.one_of(st.integers(taken - 2, taken + 2), st.integers(0, 50_000)))
    assert price.fits(spans, title, room) == (taken <= room)


def test_no_gap_takes_more_than_any_can() -> None:
    """The longest names there are, in letters of four bytes, with more than are named."""
    name = "𝌀" * (LONGEST_NAME + 9)
    inner = [Symbol(Kind.FUNCTION, name, name, Span(n, n), n, n, "", 0) for n in range(10**6, 10**6 + 2 * MOST_HIDDEN)]
    outer = Symbol(Kind.FUNCTION, name, name, Span(1, 10**7), 1, 1, "")
    gaps = Gaps(source_of("", symbols=(outer, *inner)))
    gap = gaps.of(Span(2, 10**7 - 1))
    assert (gap.cut, len(gap.hidden), gap.more) == (name[:LONGEST_NAME] + "...", MOST_HIDDEN, MOST_HIDDEN)
    assert 0.95 * gaps.most_bytes < len(gap.text.encode()) < gaps.most_bytes


@given(sources(), st.data())
def test_pieces_are_the_lines_in_runs_as_large_as_they_may_be(source: Source, data: st.DataObject) -> None:
    price = Price(source)
    spans = data.draw(spans_within(len(source.lines), least=1))
    most = data.draw(st.integers(1, 400))
    pieces = price.pieces(spans, most)
    assert [line for piece in pieces for line in piece.lines()] == list(spans.lines())
    assert all(price.lines(piece) <= most or piece.line_count == 1 for piece in pieces)
    firsts = (next(piece.lines()) for piece in pieces[1:])
    assert all(price.lines(piece) + price.line(line) > most for piece, line in zip(pieces, firsts, strict=False))


@pytest.mark.parametrize(
    ("length", "spans"),
    [(LONGEST_LINE, Spans([Span(1, 3)])), (LONGEST_LINE + 1, Spans([Span(1, 1), Span(3, 3)]))],
)
def test_the_longest_line_is_sent_and_one_longer_by_a_character_is_not(length: int, spans: Spans) -> None:
    section = build_section(share_of(source := source_of("a", "字" * length, "c"), source.whole))
    assert section.spans == spans


def test_a_section_reads_like_this() -> None:
    symbols = (
        Symbol(Kind.FUNCTION, "dock", "dock", Span(1, 3), 1, 1, "def dock()"),
        Symbol(Kind.CLASS, "Ferry", "Ferry", Span(5, 9), 5, 5, "class Ferry"),
        Symbol(Kind.METHOD, "sail", "Ferry.sail", Span(6, 9), 6, 6, "def sail(self)", parent=1),
    )
    lines = (
        "def dock():",
        "    '''",
        "    '''",
        "",
        "class Ferry:",
        "    def sail(self):",
        "        1",
        "        2",
        "        3",
    )
    source = source_of(*lines, symbols=symbols)
    section = build_section(share_of(source, Spans([Span(5, 6), Span(8, 8)]), "Ferry"))
    assert section.text.split("\n") == [
        "## `port/ferry.py` Ferry",
        "```python",
        "... 4 lines: dock (L1)",
        "5\tclass Ferry:",
        "6\t    def sail(self):",
        "... 1 line cut from Ferry.sail",
        "8\t        2",
        "... 1 line cut from Ferry.sail",
        "```",
    ]
    assert section.spans == Spans([Span(5, 6), Span(8, 8)])


@pytest.mark.parametrize(
    ("path", "titles", "line"),
    [
        ("a.py", (), "## `a.py`"),
        ("a b/c'd.py", ("f",), "## `a b/c'd.py` f"),
        ("a`b\nc\u2028d.py", ("f", "g"), "## `a?b?c?d.py` f, g"),
        ("a.py", tuple("abcdefg"), "## `a.py` a, b, c, d, e, +2 more"),
    ],
)
def test_a_heading_is_one_line_with_the_path_between_back_quotes(path: str, titles: tuple[str, ...], line: str) -> None:
    assert heading(path, titles) == line
