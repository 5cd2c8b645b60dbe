"""Hypothesis strategies for what the engine takes in: spans, files of several languages, projects and questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from explore.index.languages import language_of
from explore.model.emission import Emission, EmittedFile
from explore.model.held import Held
from explore.model.plan import Menu, Rendition, Step
from explore.model.ranked import RankedFile, Reason
from explore.model.source import Kind, Role, Source
from explore.model.spans import Span, Spans
from explore.session.view import Counts, View
from tests.support.corpus import MemoryCorpus

VOCABULARY: Final = (
    *("ferry", "harbour", "tide", "pilot", "berth", "cargo", "crane", "lock", "vessel", "anchor", "buoy", "mooring"),
    *("tariff", "ledger", "parcel", "gauge", "signal", "keeper", "канал", "größe"),
)
"""Words of which files and questions are made; none speaks of what the engine must keep quiet about."""

ODD_LINES: Final = (
    *(
        "",
        " ",
        "\t",
        "`",
        "```",
        "`````js",
        "~~~",
        "a\fb",
        "\v",
        "\x1c",
        "a\x85b",
        "a\u2028b",
        "\u2029",
        "a\rb",
        "\x00",
    ),
    *("## `other.py`", "> Already sent: lines 1-9", "12\tdef forged(): pass", "... 3 lines", "context: deadbeef"),
    *("\ufeff", "港口貨物船舶" * 9, "🚢" * 20, "x" * 2_000, "y" * 2_001, "z " * 1_500, "漢" * 2_100),
)
"""What a comment may hold that could be taken for something else, or breaks a count."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How one language writes a comment, and functions and classes: how they open, a line in them, how they close."""

    suffix: str
    comment: str
    function: str
    line: str
    kind: str
    member: str
    close: str


SHAPES: Final = (
    Shape(".py", "# ", "def {}(load):", "    load += {}({})", "class {}:", "    def {}(self): ...", ""),
    Shape(".js", "// ", "function {}(load) {{", "  load += {}({})", "class {} {{", "  {}() {{ return 1 }}", "}"),
    Shape(
        ".ts", "// ", "export function {}(load: number) {{", "  load += {}({})", "class {} {{", "  {}(): void {{}}", "}"
    ),
    Shape(".go", "// ", "func {}(load int) {{", "\tload += {}({})", "type {} struct {{", "\t{} int", "}"),
    Shape(".rb", "# ", "def {}(load)", "  load += {}({})", "class {}", "  def {}; end", "end"),
    Shape(".java", "// ", "void {}(int load) {{", "  load += {}({});", "class {} {{", "  void {}() {{}}", "}"),
    Shape(".rs", "// ", "fn {}(load: i32) {{", "    load += {}({});", "struct {} {{", "    {}: i32,", "}"),
)

words: Final = st.sampled_from(VOCABULARY)
names: Final = st.lists(words, min_size=1, max_size=2).map("_".join)


@st.composite
def spans_within(draw: st.DrawFn, last: int, least: int = 0) -> Spans:
    """Up to eight spans among the lines from 1 to `last`, which may touch or overlap; `least`: as drawn."""
    ends = draw(st.lists(st.tuples(st.integers(1, last), st.integers(1, last)), min_size=least, max_size=8))
    return Spans(Span(min(pair), max(pair)) for pair in ends)


spans_anywhere: Final = spans_within(80)


@st.composite
def file_texts(draw: st.DrawFn, shape: Shape) -> str:
    """A source file in one language, of functions, classes, comments and odd lines."""
    pieces = draw(st.lists(_pieces(shape), max_size=7))
    return draw(st.sampled_from(("\n", "\n\n"))).join(pieces) + draw(st.sampled_from(("\n", "\n\n\n", "")))


@st.composite
def _pieces(draw: st.DrawFn, shape: Shape) -> str:
    match draw(st.sampled_from(("function", "function", "class", "comments"))):
        case "function":
            word, length = draw(words), draw(st.integers(1, 45))
            lines = [shape.function.format(draw(names)), *(shape.line.format(word, n) for n in range(length))]
            if draw(st.booleans()):
                lines.insert(draw(st.integers(1, length)), shape.comment + draw(_odd))
        case "class":
            word, count = draw(words), draw(st.integers(1, 9))
            lines = [shape.kind.format(draw(names).title())]
            lines += [shape.member.format(f"{word}_{n}") for n in range(count)]
        case _:
            return "\n".join(shape.comment + line for line in draw(st.lists(_odd | words, max_size=4)))
    return "\n".join([*lines, *filter(None, [shape.close])])


_odd: Final = st.sampled_from(ODD_LINES) | st.text(st.characters(exclude_characters="\n"), max_size=30)


@st.composite
def files(draw: st.DrawFn, shape: Shape) -> bytes:
    """The bytes of a source file: either line end, any of the encodings, now and then a byte of no encoding."""
    text = draw(file_texts(shape))
    if draw(st.integers(0, 4)) == 0:
        text = text.replace("\n", "\r\n")
    raw = text.encode("utf-8", "replace")
    match draw(st.integers(0, 9)):
        case 0:
            return b"\xef\xbb\xbf" + raw
        case 1:
            return b"\xff\xfe" + text.encode("utf-16-le", "replace")
        case 2:
            return raw + b"# caf\xe9 \xe3\x81\n"
        case _:
            return raw


@st.composite
def paths(draw: st.DrawFn) -> tuple[str, Shape]:
    """A path from the root, plain or odd, and the shape of the language that its suffix says."""
    shape = draw(st.sampled_from(SHAPES))
    folder = draw(st.sampled_from(("", "port/", "port/inner/", "tests/", "a folder #1/", "gr\u00f6\u00dfe/")))
    base = draw(names | st.sampled_from(("it is", "back`quote`", "two\nlines", "港口", "$HOME")))
    return folder + base + shape.suffix, shape


@st.composite
def projects(draw: st.DrawFn, most: int = 5) -> dict[str, bytes]:
    """The files of a small project by path; now and then there are none."""
    places = draw(st.lists(paths(), max_size=most, unique_by=lambda place: place[0]))
    return {path: draw(files(shape)) for path, shape in places}


@st.composite
def sources(draw: st.DrawFn) -> Source:
    """A file of one line or more with its symbols, as the engine gets it from a corpus."""
    path, shape = draw(paths())
    source = source_of(path, draw(files(shape)))
    return source if source.lines else source_of(path, b"\n")


def source_of(path: str, raw: bytes) -> Source:
    """A file as a corpus gives it."""
    return MemoryCorpus({path: raw}).sources([path])[path]


@st.composite
def menus(draw: st.DrawFn, most: int = 4) -> tuple[Menu, ...]:
    """Menus over several files, heaviest first: bodies of symbols and of odd runs of lines, an outline, the whole."""
    found = draw(st.lists(sources(), min_size=1, max_size=most, unique_by=lambda source: source.path))
    weights = sorted(draw(st.lists(_weights, min_size=len(found), max_size=len(found))), reverse=True)
    return tuple(draw(_menu(source, weight)) for source, weight in zip(found, weights, strict=True))


_weights: Final = st.sampled_from((0.5, 1.0, 2.0, 9.0, 10.0))


@st.composite
def _menu(draw: st.DrawFn, source: Source, weight: float) -> Menu:
    bodies = [Step(Rendition.BODIES, Spans([s.span]), draw(_weights), s.qualified) for s in source.symbols]
    runs = draw(st.lists(spans_within(len(source.lines), least=1), max_size=3))
    pieces = [Step(Rendition.BODIES, spans, draw(_weights), "piece") for spans in runs]
    outline = Spans(Span(s.line, s.head_end) for s in source.symbols if s.kind is not Kind.CODE)
    last = [Step(Rendition.OUTLINE, outline, 0.0)] if outline else []
    steps = (*draw(st.permutations([*bodies, *pieces])), *last, Step(Rendition.WHOLE, source.whole, 0.0))
    named = draw(st.integers(0, 4)) == 0
    return Menu(RankedFile(source.path, Role.SOURCE, weight, (Reason.WORDS,), (), named), source, steps)


@dataclass(frozen=True, slots=True)
class Piece:
    """A function or class of a file that is to be written, and how many lines stand in it."""

    name: str
    length: int
    is_class: bool = False

    def text(self, shape: Shape) -> str:
        """Lines that are all different, so that none is taken for its neighbour."""
        if self.is_class:
            lines = [shape.kind.format(self.name.title())]
            lines += [shape.member.format(f"{self.name}_{number}") for number in range(self.length)]
        else:
            lines = [shape.function.format(self.name)]
            lines += [shape.line.format(self.name, number) for number in range(self.length)]
        return "\n".join([*lines, *filter(None, [shape.close])])


def file_of(pieces: Sequence[Piece], shape: Shape = SHAPES[0]) -> bytes:
    """The bytes of a file of functions and classes."""
    return ("\n\n\n".join(piece.text(shape) for piece in pieces) + "\n").encode()


@st.composite
def harbours(draw: st.DrawFn, most: int = 5) -> dict[str, bytes]:
    """A project of two files or more by path, which share words, with functions and classes long enough for a pointer
    to stand for them."""
    shared = draw(st.lists(_plain_words, min_size=2, max_size=4, unique=True))
    named = st.lists(st.sampled_from(shared), min_size=1, max_size=2).map("_".join)
    pieces = st.lists(st.builds(Piece, named, st.integers(3, 30), st.booleans()), min_size=2, max_size=5)
    bases = draw(st.lists(_plain_words, min_size=2, max_size=most, unique=True))
    shaped = zip(bases, SHAPES, strict=False)
    return {f"port/{base}{shape.suffix}": file_of(draw(pieces), shape) for base, shape in shaped}


_plain_words: Final = st.sampled_from(tuple(filter(str.isascii, VOCABULARY)))


def moved_down(raw: bytes) -> bytes:
    """The same lines, each one further down."""
    return b"# one more line\n" + raw


def same_size(raw: bytes) -> bytes:
    """As many bytes, of which one in the middle is another."""
    at = len(raw) // 2
    return raw[:at] + (b"x" if raw[at : at + 1] != b"x" else b"y") + raw[at + 1 :]


def cut_short(raw: bytes) -> bytes:
    """Without its second half, at a whole line."""
    lines = raw.split(b"\n")
    return b"\n".join(lines[: len(lines) // 2]) + b"\n"


EDITS: Final = (moved_down, same_size, cut_short)
"""What may happen to a file between two calls."""


def questions(project: Sequence[str] = ()) -> st.SearchStrategy[str]:
    """A question: words that files are made of, names, the given paths, or any text; never blank."""
    spoken = st.lists(words | names | st.sampled_from(("how does", "where is", "the")), min_size=1, max_size=8)
    named = st.lists(st.sampled_from(tuple(project)) | names, min_size=1, max_size=3) if project else spoken
    anything = st.text(st.characters(), min_size=1, max_size=120)
    return st.one_of(spoken.map(" ".join), named.map(" ".join), anything).filter(str.strip)


max_bytes: Final = st.integers(1_000, 4_000) | st.integers(1_000, 50_000)
max_files: Final = st.none() | st.integers(1, 40)
envelopes: Final = st.integers(0, 3_000) | st.integers(0, 20_000)

assert all(language_of("x" + shape.suffix) for shape in SHAPES)


# --- what was sent before ------------------------------------------------------------------------------

PROJECTS: Final = ("/port", "/port/inner", "/Port", "/lock", "/tide", "/quay")
PATHS: Final = ("port/ferry.py", "port/crane.go", "gr\u00f6\u00dfe.rb", "a b.py")
FINGERPRINTS: Final = ("ab-80", "cd-80", "ef-81")
"""Few, so that answers meet: the same file again, at the same bytes or others."""

counted: Final = st.integers(0, 5) | st.integers(0, 2**70)


@st.composite
def emitted_files(draw: st.DrawFn, path: str, lines: st.SearchStrategy[Spans] = spans_anywhere) -> EmittedFile:
    """What an answer delivered of a file: lines, and others that it pointed at."""
    spans = draw(lines)
    pointed = draw(lines) - spans
    return EmittedFile(path, draw(st.sampled_from(FINGERPRINTS)), spans, 9 * spans.line_count, pointed)


@st.composite
def emissions(draw: st.DrawFn, projects: Sequence[str] = PROJECTS) -> Emission:
    """An answer to one of a few questions, of a few files."""
    chosen = draw(st.lists(st.sampled_from(PATHS), unique=True, max_size=len(PATHS)))
    delivered = tuple(draw(emitted_files(path)) for path in chosen)
    dropped = draw(st.sampled_from((0, 0, 0, 2)))
    return Emission(draw(st.sampled_from(projects)), draw(words), delivered, draw(counted), draw(counted), dropped)


views: Final = st.builds(
    View, st.lists(emissions(("/port",)), max_size=8).map(tuple), st.builds(Counts, counted, counted)
)


@st.composite
def held_lines(draw: st.DrawFn, last: int) -> Held:
    """What may be held of a file of so many lines: sent for a question or two, some of it pointed at since."""
    answers = draw(st.lists(st.tuples(words, spans_within(last, least=1)), min_size=1, max_size=2))
    spans = Spans(span for _, sent in answers for span in sent)
    pointed = draw(st.just(Spans()) | spans_within(last)) & spans
    return Held(spans, tuple(answers), pointed, pointed)
