"""A hostile little repository, written out for tests of indexes and answers; it never imports the engine, and
never writes outside the root it is given.

`write_hostile` lays out `FILES` (path -> bytes), `NAMES`, `LINKS` and a few things that are not plain files.
Each folder is named for the fault it provokes. A `Place` says where a symbol's name stands, in lines that end
at `\\n` only, which is what `grep -n` counts (in UTF-16 files: after decoding). Short files have their lines
written down, generated ones have them counted. `PLACES` holds what any sound index of its language must find;
whatever may rightly be left out, or lost to a grammar, has a name of its own only.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple


class Place(NamedTuple):
    """Where a symbol's name stands: path from the root with `/`, the name, and its line counted from 1."""

    path: str
    symbol: str
    line: int


def write_hostile(root: Path) -> None:
    """Write the repository into `root`, which must be empty or absent, but for names the system refuses."""
    for path, data in FILES.items():
        _write(root / path, data)
    for path, symbol in NAMES.items():
        # Windows takes no newline in a name and macOS no stray byte, so tests ask whether the file exists.
        with contextlib.suppress(OSError, UnicodeEncodeError):
            _write(root / path, _function(path, symbol))
    for path, target in LINKS.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).symlink_to(target.replace("{root}", str(root.resolve())))
    (root / EMPTY_FOLDER).mkdir(parents=True)
    (root / UNREADABLE.path).chmod(0o000)
    if hasattr(os, "mkfifo"):
        os.mkfifo(root / PIPE)


def write_languageless(root: Path) -> None:
    """Write a repository that holds no source of any language."""
    for path, data in LANGUAGELESS.items():
        _write(root / path, data)


def insert_lines_at_top(path: Path, count: int = 45) -> None:
    """Put `count` comment lines before the first line of a Python file: every line moves down by `count`."""
    path.write_bytes(b"".join(b"# inserted line %d\n" % n for n in range(count)) + path.read_bytes())


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _code(text: str) -> bytes:
    """Indented source as a file. Not for odd white space: `dedent` empties a line of form feeds."""
    return dedent(text).removeprefix("\n").encode()


def _function(path: str, symbol: str) -> bytes:
    """A file of one function, whose name stands on line 3."""
    if path.endswith(".js"):
        return f"// A small module.\n\nexport function {symbol}() {{\n  return 1\n}}\n".encode()
    return f'"""A small module."""\n\ndef {symbol}():\n    return {path!a}\n'.encode()


def _place(files: Mapping[str, bytes], path: str, symbol: str, before: str = "def ") -> Place:
    """The place of a symbol in a generated file, counted as `grep -n` counts."""
    start = files[path].index(f"{before}{symbol}".encode())
    return Place(path, symbol, files[path].count(b"\n", 0, start) + 1)


# --- 10: lines that move --------------------------------------------------------------------------

_MOVED = {
    "moved_lines/accounts.py": "".join(
        f"def settle_account_{n:03}(rows):\n"
        f'    """Settle account {n:03} from the rows of the day."""\n'
        f'    secret = "seal of account {n:03}"\n'
        "    total = 0\n"
        "    for row in rows:\n"
        f"        if row.account == {n}:\n"
        "            total += row.amount\n"
        "    if total < 0:\n"
        "        raise ValueError(secret)\n"
        "    return total, secret\n\n"
        for n in range(100)
    ).encode()
}
MOVED_LINES = 1100
MOVED = _place(_MOVED, "moved_lines/accounts.py", "settle_account_050")
MOVED_BODY = "seal of account 050"

# --- 11: characters that end a line for `str.splitlines` and for nothing else ---------------------

SEPARATORS = {
    "form_feed": "\f",
    "vertical_tab": "\v",
    "file_separator": "\x1c",
    "group_separator": "\x1d",
    "record_separator": "\x1e",
    "next_line": "\x85",
    "line_separator": "\u2028",
    "paragraph_separator": "\u2029",
}
_ALL_SEPARATORS = "".join(f"{char}." for char in SEPARATORS.values())
_SEPARATED = {
    "separators/secret.py": b"def alpha():\n    return 1\n\n\f\ndef beta():\n    SECRET = 1\n",
    **{
        f"separators/{name}.py": (
            f'"""Text with a {name} in it."""\n\nMARK = "before{char}after"\n'
            f"# a comment{char}that goes on\n\n"
            f'def after_{name}():\n    """Also {char} here."""\n    return MARK\n'
        ).encode()
        for name, char in SEPARATORS.items()
    },
    "separators/every.js": (
        f"/* every{_ALL_SEPARATORS}one */\n"
        f'const marks = "{_ALL_SEPARATORS}"\nconst page = `{_ALL_SEPARATORS}`\n\n'
        "function afterEveryMark() {\n  return marks + page\n}\n"
    ).encode(),
    "separators/every.go": (
        f"package separators\n\n// every{_ALL_SEPARATORS}one\nconst Marks = `{_ALL_SEPARATORS}`\n\n"
        "func AfterEveryMark() string {\n\treturn Marks\n}\n"
    ).encode(),
    "separators/Every.java": (
        f"/** every{_ALL_SEPARATORS}one */\npublic class Every {{\n"
        f'    static final String MARKS = "{_ALL_SEPARATORS}";\n\n'
        "    static String afterEveryMark() {\n        return MARKS;\n    }\n}\n"
    ).encode(),
    "separators/pages.c": b"// one\n\f\n/* page two \v */\n\v\nint after_pages(void)\n{\n\treturn 2;\n}\n",
}
FORM_FEED = Place("separators/secret.py", "beta", 5)
SEPARATED = (
    FORM_FEED,
    *(Place(f"separators/{name}.py", f"after_{name}", 6) for name in SEPARATORS),
    Place("separators/every.js", "afterEveryMark", 5),
    Place("separators/every.go", "AfterEveryMark", 6),
    Place("separators/Every.java", "afterEveryMark", 5),
    Place("separators/pages.c", "after_pages", 5),
)

# --- 12: line endings -----------------------------------------------------------------------------

_ENDINGS = {
    "line_endings/crlf.py": b'"""Two bytes end it."""\r\n\r\n\r\ndef after_crlf():\r\n    return 1\r\n',
    "line_endings/mixed.go": b"package endings\r\n\n// both\r\n\nfunc AfterMixed() int {\r\n\treturn 1\n}\n",
    "line_endings/lone_cr.py": (
        b"# a comment from an old machine\rwhich goes on\n"
        b'PROGRESS = "10%\\r" # \r\r\n\n'
        b'def after_lone_cr():\n    return "a\\rb"\n'
    ),
    # No \n at all: the whole file is line 1.
    "line_endings/classic.js": b"/* from an old machine */\rfunction onOneLine() {\r  return 1\r}\r",
}
CRLF = Place("line_endings/crlf.py", "after_crlf", 4)
MIXED_ENDINGS = Place("line_endings/mixed.go", "AfterMixed", 5)
LONE_CR = Place("line_endings/lone_cr.py", "after_lone_cr", 4)
CLASSIC_CR = Place("line_endings/classic.js", "onOneLine", 1)

# --- 13, 14: marks and encodings ------------------------------------------------------------------

# U+0A0A and U+010A hold the byte 0x0A in UTF-16, so lines counted before decoding come out wrong.
_WIDE = '"""Wide text."""\n# \u0a0a \u010a \U0001f6a2\n\ndef %s():\n    return "gr\u00f6\u00dfe"\n'
_ENCODED = {
    "encodings/bom_first_line.py": b"\xef\xbb\xbfdef on_marked_line():\n    return 1\n",
    "encodings/bom.go": b"\xef\xbb\xbfpackage encodings\n\nfunc AfterMark() int {\n\treturn 1\n}\n",
    "encodings/utf16_le.py": b"\xff\xfe" + (_WIDE % "in_little_endian").encode("utf-16-le"),
    "encodings/utf16_be.py": b"\xfe\xff" + (_WIDE % "in_big_endian").encode("utf-16-be"),
    "encodings/latin1.py": (
        b"# -*- coding: latin-1 -*-\n# caf\xe9, na\xefve, \x85 and a torn \xe3\x81\n"
        b'NAME = "Gr\xf6\xdfe"\n\ndef after_latin1():\n    return NAME\n'
    ),
    "encodings/latin1.c": b"/* l'\xe9t\xe9 \xc3\n * \xe0 la mer */\nint after_summer(void) { return 1; }\n",
    "encodings/one_nul.py": b'# a comment with a \x00 in it\n\ndef beside_nul():\n    return "one"\n',
    "encodings/binary.py": bytes(range(256)) * 40 + b"\ndef in_binary():\n    return 1\n" + b"\x00\xff" * 500,
}
BOM_FIRST_LINE = Place("encodings/bom_first_line.py", "on_marked_line", 1)
BOM_GO = Place("encodings/bom.go", "AfterMark", 3)
UTF16_LE = Place("encodings/utf16_le.py", "in_little_endian", 4)
UTF16_BE = Place("encodings/utf16_be.py", "in_big_endian", 4)
LATIN1 = Place("encodings/latin1.py", "after_latin1", 5)
LATIN1_LINES = 6
LATIN1_C = Place("encodings/latin1.c", "after_summer", 3)
# Whether a file with NULs counts as source is the engine's choice; that it survives them is not.
ONE_NUL = Place("encodings/one_nul.py", "beside_nul", 3)
BINARY = _place(_ENCODED, "encodings/binary.py", "in_binary")

# --- 15: spans of one line or of none -------------------------------------------------------------

_DECLARED = {
    "declarations/ring.h": _code("""
        /* A ring of readings, kept by the tide gauge. */
        #ifndef RING_H
        #define RING_H

        struct ring;
        typedef struct ring ring_t;
        #define RING_LIMIT 64

        int ring_push(struct ring *ring, int reading);
        extern int
        ring_latest(const struct ring *ring,
                    int fallback);

        #endif
        """),
    "declarations/ring.c": _code("""
        #include "ring.h"

        struct ring { int readings[RING_LIMIT]; int used; };

        static int
        ring_wrap(int position)
        {
            return position % RING_LIMIT;
        }

        int ring_push(struct ring *ring, int reading) { return ring->readings[ring->used++] = reading; }

        int
        ring_oldest(ring, fallback)
            struct ring *ring;
            int fallback;
        {
            return ring->used ? ring->readings[0] : fallback;
        }
        """),
    "declarations/gauge.hpp": _code("""
        #pragma once
        namespace tide {
        class Gauge {
         public:
          explicit Gauge(int zero);
          ~Gauge();
          int level() const;
          template <typename Unit> Unit level_as() const;
          bool operator<(const Gauge &other) const;
         private:
          int zero_;
        };
        }
        """),
    "declarations/gauge.cpp": _code("""
        #include "gauge.hpp"

        tide::Gauge::Gauge(int zero) : zero_(zero) {}
        tide::Gauge::~Gauge() = default;

        int tide::Gauge::level() const
        {
          return zero_;
        }

        template <typename Unit>
        Unit
        tide::Gauge::level_as() const
        {
          return Unit(zero_);
        }
        """),
    "declarations/tide.d.ts": _code("""
        export declare const TIDE_LIMIT: number
        export declare function tideAt(hour: number): number
        export interface TideTable {
          highest(day: string): number
        }
        """),
    "declarations/Berth.java": _code("""
        package harbour;

        public interface Berth {
            int berthLength();

            @Deprecated
            @SuppressWarnings("unused")
            default boolean berthFree() { return true; }
        }
        """),
    "declarations/overloads.py": _code("""
        from typing import overload

        @overload
        def depth_at(place: int) -> int: ...
        @overload
        def depth_at(place: str) -> str: ...
        def depth_at(place): return place

        depth_below = lambda place: depth_at(place)
        """),
}
DECLARED = (
    Place("declarations/ring.h", "ring_latest", 11),
    Place("declarations/ring.c", "ring_wrap", 6),
    Place("declarations/ring.c", "ring_oldest", 14),
    Place("declarations/gauge.cpp", "level_as", 13),
    Place("declarations/tide.d.ts", "tideAt", 2),
    Place("declarations/Berth.java", "berthLength", 4),
    Place("declarations/Berth.java", "berthFree", 8),
    Place("declarations/overloads.py", "depth_at", 7),
)

# --- 16, 17, 22, 30: size and depth ---------------------------------------------------------------

LONG_LINE_LIMIT = 2000
METHODS = 2000
DEPTH = 3000
_PARTS = [f"function part{n:05}(a,b){{return a*{n:05}+b}}" for n in range(4900)]
_CJK = "\u6e2f\u53e3\u8ca8\u7269\u8239\u8236\u6f6e\u6c50"
# U+20BB7 is a letter of four bytes, and of two units in UTF-16; Python, JavaScript and Go take it in a name.
ASTRAL_NAME = "\U00020bb7\u91ce"
CJK_NAME = "\u6e2f\u53e3"
_SHIP = "\U0001f6a2"
EMOJI_NAME = f"{_SHIP}\u51fa\u6e2f"
_NESTED_PY = "".join(f"{' ' * n}def level_{n:03}():\n" for n in range(300))
_LARGE = {
    "one_line/catalogue.js": "".join(
        [*_PARTS[:2450], "function wantedPart(a){return a}", *_PARTS[2450:], "\n"]
    ).encode(),
    # A line of exactly the limit, one of a character more, and one of the limit in letters of three bytes.
    "one_line/at_limit.py": (
        f"def at_limit():\n    return '{'x' * (LONG_LINE_LIMIT - 13)}'\n\n"
        f"def over_limit():\n    return '{'x' * (LONG_LINE_LIMIT - 12)}'\n\n"
        f"def wide_at_limit():\n    return '{(_CJK * 300)[: LONG_LINE_LIMIT - 13]}'\n"
    ).encode(),
    "multi_byte/harbour.py": "".join(
        f'# {_CJK * 8}\ndef {CJK_NAME}_{n:03}({_CJK[2:4]}):\n    """{_CJK * 6}{_SHIP}"""\n'
        f'    {_CJK[4:6]} = "{_CJK * 4}{n}"\n    return {_CJK[4:6]} + {_CJK[2:4]}\n\n'
        for n in range(160)
    ).encode(),
    "multi_byte/astral.py": f'# {_SHIP}{_SHIP}\ndef {ASTRAL_NAME}():\n    return "{_SHIP}"\n'.encode(),
    "multi_byte/astral.js": f"/* {_SHIP} */ function {ASTRAL_NAME}() {{\n  return '{_SHIP}'\n}}\n".encode(),
    "multi_byte/astral.go": f"package wide\n\nfunc {ASTRAL_NAME}() int {{\n\treturn '{_SHIP}'\n}}\n".encode(),
    # Ruby takes an emoji as a name.
    "multi_byte/rocket.rb": f"# {_SHIP}\ndef {EMOJI_NAME}\n  '{_SHIP}'\nend\n".encode(),
    "many_methods/engine.py": (
        b"class Engine:\n"
        + b"".join(b"    def step_%04d(self, load):\n        return load + %d\n\n" % (n, n) for n in range(METHODS))
        + b"def after_engine():\n    return Engine\n"
    ),
    "over_a_megabyte/tides.js": (
        "const tides = [\n"
        + "".join(f"  {{ hour: {n}, level: {n * 7 % 997}, place: 'gauge {n % 13}' }},\n" for n in range(24_000))
        + "]\n\nfunction highestTide() {\n  return Math.max(...tides.map((tide) => tide.level))\n}\n"
    ).encode(),
    "deep/brackets.py": f"NEST = {'(' * DEPTH}1{')' * DEPTH}\n\ndef after_brackets():\n    ...\n".encode(),
    "deep/arrays.js": f"const nest = {'[' * DEPTH}{']' * DEPTH}\n\nfunction afterArrays() {{}}\n".encode(),
    "deep/chain.py": f"TOTAL = {' + '.join(['1'] * DEPTH)}\n\ndef after_chain():\n    return 1\n".encode(),
    "deep/functions.js": (
        "".join(f"function level{n:03}() {{\n" for n in range(300)) + "}\n" * 300 + "function afterFunctions() {}\n"
    ).encode(),
    "deep/functions.py": f"{_NESTED_PY}{' ' * 300}pass\n\ndef after_functions():\n    return 1\n".encode(),
    "deep/elses.go": (
        "package deep\n\nfunc Ladder(n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t}"
        + "".join(f" else if n == {n} {{\n\t\treturn {n}\n\t}}" for n in range(1, 600))
        + "\n\treturn -1\n}\n\nfunc AfterLadder() int {\n\treturn 1\n}\n"
    ).encode(),
    "deep/" + "folder/" * 60 + "bottom.py": _function("bottom.py", "at_the_bottom"),
}
LONG_LINE = Place("one_line/catalogue.js", "wantedPart", 1)
AT_LIMIT = Place("one_line/at_limit.py", "at_limit", 1)
OVER_LIMIT = Place("one_line/at_limit.py", "over_limit", 4)
WIDE_AT_LIMIT = Place("one_line/at_limit.py", "wide_at_limit", 7)
CJK = _place(_LARGE, "multi_byte/harbour.py", f"{CJK_NAME}_120")
ASTRAL = (
    Place("multi_byte/astral.py", ASTRAL_NAME, 2),
    Place("multi_byte/astral.js", ASTRAL_NAME, 1),
    Place("multi_byte/astral.go", ASTRAL_NAME, 3),
)
EMOJI = Place("multi_byte/rocket.rb", EMOJI_NAME, 2)
METHOD = _place(_LARGE, "many_methods/engine.py", "step_1234")
AFTER_METHODS = _place(_LARGE, "many_methods/engine.py", "after_engine")
OVER_A_MEGABYTE = _place(_LARGE, "over_a_megabyte/tides.js", "highestTide", "function ")
DEEP = (
    Place("deep/brackets.py", "after_brackets", 3),
    Place("deep/arrays.js", "afterArrays", 3),
    Place("deep/chain.py", "after_chain", 3),
    Place("deep/functions.js", "afterFunctions", 601),
    _place(_LARGE, "deep/elses.go", "AfterLadder", "func "),
    Place("deep/" + "folder/" * 60 + "bottom.py", "at_the_bottom", 3),
)
# Python itself stops at 100 levels of indentation, so a grammar may lose what follows.
DEEP_INDENT = Place("deep/functions.py", "after_functions", 303)

# --- 19, 20, 21, 23: who gets the room ------------------------------------------------------------

SMALL_TOP_QUESTION = "how does the pilotage office assign a pilot to a vessel"
SMALL_TOP_BYTES = 5300
CROWDED_QUESTION = "how is a parcel sealed"
BANNER_QUESTION = "how is a tariff computed for a vessel"
GAP_QUESTION = "open_lock close_lock"
_PILOTAGE = '"""The pilotage office: it assigns a pilot to each vessel."""\n\n' + "".join(
    f"def assign_pilot_{n:02}(pilotage, vessel):\n"
    f'    """Assign pilot {n:02} to the vessel, if the pilotage office has it free."""\n'
    f"    pilot = pilotage.free.get({n})\n"
    "    if pilot is None or vessel.draught > pilot.limit:\n"
    "        return None\n"
    "    return pilotage.assign(pilot, vessel)\n\n"
    for n in range(19)
)
_BANNER_GO = """
// Tariff is what a vessel pays. A tariff is computed from the vessel's length.
type Tariff{kind} struct {{
\tVessel string
\tLength int
}}

// ComputeTariff{kind} computes the tariff of a vessel.
func ComputeTariff{kind}(t Tariff{kind}) int {{
\treturn t.Length * {rate}
}}
"""
_SHARED = {
    "small_top/pilotage.py": _PILOTAGE.encode().ljust(SMALL_TOP_BYTES - 1, b"#") + b"\n",
    **{
        f"small_top/desk_{desk}.py": (
            f'"""Desk {desk}, which writes to the pilotage office."""\n\n'
            + "".join(
                f"def desk_{desk}_note_{n:02}(vessel):\n"
                f'    """Note {n:02} on a vessel, kept for the office."""\n'
                f'    return ("desk {desk}", {n}, vessel.name, vessel.length, vessel.draught)\n\n'
                for n in range(25)
            )
        ).encode()
        for desk in ("north", "south", "east", "west", "inner")
    },
    "local_word/parcel.py": _code('''
        """What is sent, and how it is closed."""

        class Parcel:
            """A parcel is sealed once, and never opened after."""

            def __init__(self, weight):
                self.weight = weight
                self.seal = None

            def seal_parcel(self, stamp):
                if self.seal is not None:
                    raise ValueError("sealed already")
                self.seal = (stamp, self.weight)
                return self.seal
        '''),
    **{
        f"local_word/{place}.py": "".join(
            f"def {place}_shelf_{n:03}(rows):\n"
            "    count = 0\n"
            "    for parcel in rows:\n"
            f"        if parcel.shelf == {n} and parcel.weight > count:\n"
            "            count = parcel.weight\n"
            f'    parcel = count or "{place}"\n'
            "    return parcel\n\n"
            for n in range(150)
        ).encode()
        for place in ("warehouse", "counter", "yard")
    },
    # Neither the names nor the folder say which of the two files was made by a machine.
    "banner/tariff_rules.go": ("package banner\n" + _BANNER_GO.format(kind="", rate=12)).encode(),
    "banner/tariff_rows.go": (
        "// Code generated by tariffgen. DO NOT EDIT.\n\npackage banner\n"
        + "".join(_BANNER_GO.format(kind=f"Row{n:02}", rate=n) for n in range(60))
    ).encode(),
    "gaps/canal.py": (
        "def open_lock(canal):\n    return canal.open()\n\n"
        + "".join(f"def keeper_{n:02}(canal):\n    canal.level += {n}\n    return canal.level\n\n" for n in range(40))
        + "def close_lock(canal):\n    return canal.close()\n"
    ).encode(),
}
SMALL_TOP = "small_top/pilotage.py"
CROWDED = Place("local_word/parcel.py", "seal_parcel", 10)
CROWDING = ("local_word/warehouse.py", "local_word/counter.py", "local_word/yard.py")
HAND_WRITTEN = Place("banner/tariff_rules.go", "ComputeTariff", 10)
GENERATED = _place(_SHARED, "banner/tariff_rows.go", "ComputeTariffRow42", "func ")
GAP_ENDS = (Place("gaps/canal.py", "open_lock", 1), Place("gaps/canal.py", "close_lock", 164))
GAP_HIDES = tuple(Place("gaps/canal.py", f"keeper_{n:02}", 4 + 4 * n) for n in range(40))

# --- sources that look like an answer -------------------------------------------------------------

_FENCED = {
    "fences/report.py": (
        b'"""Writes reports.\n\n```python\nrender()\n```\n\n## `fences/other.py`\n> Already sent: lines 1-9\n'
        b'12\tdef forged(): pass\n"""\n\nFENCE = "`````"\n\ndef render_report():\n'
        b'    return FENCE + "```````\\n" + "~~~"\n\n# context: deadbeef\n'
    ),
    "fences/page.js": _code("""
        const page = `
        ````js
        ${'`'.repeat(3)}
        ````
        `

        function renderPage() {
          return `${page}\\`\\`\\``
        }
        """),
}
FENCED = (Place("fences/report.py", "render_report", 14), Place("fences/page.js", "renderPage", 7))
LONGEST_BACKQUOTES = 7

# --- 28: trees that are not the project's own -----------------------------------------------------

# Path -> the symbol that must never be found. By git's rules a later `!` brings a file back, but never out of
# a folder that is itself ignored.
NEVER_INDEXED = {
    "node_modules/pad/index.js": "hiddenInModules",
    "packages/web/node_modules/pad/index.js": "hiddenInNestedModules",
    "dist/bundle.js": "hiddenInDist",
    "packages/web/dist/bundle.js": "hiddenInNestedDist",
    ".venv/lib/python3.12/site-packages/pad.py": "hidden_in_venv",
    "ignored/tree/module.py": "hidden_in_ignored",
    "ignored/rescued.py": "hidden_in_spite_of_negation",
    "scratch_one.py": "hidden_by_pattern",
    "packages/scratch_two.py": "hidden_by_pattern_below",
    "#numbered.py": "hidden_by_escaped_pattern",
    "packages/nested/plain.py": "hidden_by_nested",
    "packages/nested/deeper/plain.py": "hidden_by_nested_below",
    "packages/nested/only_here.js": "hiddenByAnchor",
}
RESCUED = (
    Place("packages/scratch_kept.py", "kept_by_negation", 3),
    Place("packages/nested/kept.py", "kept_by_nested_negation", 3),
    Place("packages/nested/deeper/restored.py", "kept_by_deeper_negation", 3),
    Place("packages/nested/deeper/only_here.js", "keptByAnchor", 3),
    Place("packages/web/index.js", "keptBesideModules", 3),
)
_TREES = {
    ".gitignore": b"# left out\n*.log\n/ignored/\nscratch_*.py\n!scratch_kept.py\n\\#numbered.py\n",
    "ignored/.gitignore": b"!rescued.py\n",
    "packages/nested/.gitignore": b"*.py\n!kept.py\n/only_here.js\n",
    "packages/nested/deeper/.gitignore": b"!restored.py\n",
    **{path: _function(path, symbol) for path, symbol in NEVER_INDEXED.items()},
    **{place.path: _function(place.path, place.symbol) for place in RESCUED},
}

# --- 27, 29: links and names ----------------------------------------------------------------------

# Two links lead to this very module: it is sure to exist, to lie outside the root, and to define a symbol.
OUTSIDE_SYMBOL = "write_hostile"
LINKED = Place("links/real.py", "linked_once", 3)
LINKS = {
    "links/alias.py": "real.py",
    "links/absolute.py": "{root}/links/real.py",
    "links/folder_alias": "../declarations",
    "links/outside.py": str(Path(__file__).resolve()),
    "links/outside_folder": str(Path(__file__).resolve().parent),
    "links/loop": ".",
    "links/left/to_right": "../right",
    "links/right/to_left": "../left",
    "links/dangling.py": "nowhere.py",
    "links/itself.py": "itself.py",
}
# Path -> the symbol its file defines, on line 3.
NAMES = {
    "names/with space.py": "named_with_space",
    "names/it's.py": "named_with_apostrophe",
    'names/say "hi".py': "named_with_quotes",
    "names/issue #7.py": "named_with_hash",
    "names/back`quote`.py": "named_with_backquote",
    "names/three```.py": "named_with_fence",
    "names/back\\slash.py": "named_with_backslash",
    "names/[a]*?.py": "named_with_glob",
    "names/per%20cent.py": "named_with_escape",
    "names/$HOME.py": "named_with_variable",
    "names/-rf.py": "named_with_dash",
    "names/two\nlines.py": "named_with_newline",
    "names/tab\there.py": "named_with_tab",
    "names/gr\u00f6\u00dfe.py": "named_with_umlaut",
    "names/re\u0301sume\u0301.py": "named_decomposed",
    "names/\u6e2f\u53e3.py": "named_with_cjk",
    "names/\U0001f6a2.py": "named_with_emoji",
    "names/a folder #1/it is.py": "named_in_odd_folder",
    # A name that is no UTF-8 at all, as `os.fsdecode` gives it.
    "names/caf\udce9.py": "named_with_stray_byte",
}
NEWLINE_NAME = "names/two\nlines.py"
STRAY_BYTE_NAME = "names/caf\udce9.py"

# --- 30: files that are barely there --------------------------------------------------------------

EMPTY = "barely/empty.py"
EMPTY_FOLDER = "barely/empty_folder"
PIPE = "barely/pipe.py"
FOLDER_NAMED_AS_FILE = "barely/x.py"
NO_LAST_NEWLINE = Place("barely/unfinished.py", "on_last_line", 3)
IN_FOLDER_NAMED_AS_FILE = Place("barely/x.py/inner.py", "inside_x", 3)
# `chmod 000`. Root reads it all the same, so a test may only ask that nothing fails.
UNREADABLE = Place("barely/locked.py", "locked_away", 3)
# To be deleted between indexing and asking.
VANISHING = Place("barely/vanishing.py", "soon_gone", 3)
BROKEN = (
    Place("broken/half_written.py", "before_break", 1),
    Place("broken/open_string.py", "before_string", 1),
    Place("broken/half_written.go", "BeforeBreak", 3),
    Place("broken/half_written.js", "beforeBreak", 1),
)
# Recovery may lose what follows a fault. Where it is found at all, it is found on this line.
BROKEN_AFTER = (
    Place("broken/half_written.py", "after_break", 10),
    Place("broken/half_written.go", "AfterBreak", 13),
    Place("broken/conflict.py", "after_conflict", 11),
)
_BARELY = {
    EMPTY: b"",
    "barely/blank.py": b"\n\n\n",
    NO_LAST_NEWLINE.path: b'"""Ends in a hurry."""\n\ndef on_last_line(): return "end"',
    **{at.path: _function(at.path, at.symbol) for at in (IN_FOLDER_NAMED_AS_FILE, UNREADABLE, VANISHING, LINKED)},
    "broken/half_written.py": (
        b"def before_break():\n    return 1\n\ndef breaks(a, b:\n    return (a +\n\n"
        b"class Half(\n    name =\n\ndef after_break():\n    return 2\n"
    ),
    "broken/open_string.py": b'def before_string():\n    return 1\n\nT = """\n\ndef in_string():\n  ...\n',
    "broken/half_written.go": (
        b"package broken\n\nfunc BeforeBreak() int {\n\treturn 1\n}\n\nfunc Breaks(a int, {\n\tif a == {\n"
        b"\t\tfor ;; {\n\treturn\n}\n\nfunc AfterBreak() int {\n\treturn 2\n}\n"
    ),
    "broken/half_written.js": b"function beforeBreak() {\n  return 1\n}\n\nconst x = {{{ ...\nclass { `${\n",
    "broken/conflict.py": (
        b"def in_conflict():\n<<<<<<< HEAD\n    return 1\n=======\n    return 2\n>>>>>>> other\n\n"
        b'TEXT = """closed"""\n\n\ndef after_conflict():\n    return 3\n'
    ),
}
LANGUAGELESS = {
    "LICENSE": b"Do as you please.\n",
    "notes.txt": b"Nothing here is source.\n",
    "data/levels.csv": b"hour,level\n1,7\n",
    "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(64),
}

# --- the whole ------------------------------------------------------------------------------------

FILES: dict[str, bytes] = {
    **_MOVED,
    **_SEPARATED,
    **_ENDINGS,
    **_ENCODED,
    **_DECLARED,
    **_LARGE,
    **_SHARED,
    **_FENCED,
    **_TREES,
    **_BARELY,
}
PLACES: tuple[Place, ...] = (
    *(MOVED, *SEPARATED, CRLF, MIXED_ENDINGS, LONE_CR, CLASSIC_CR),
    *(BOM_FIRST_LINE, BOM_GO, UTF16_LE, UTF16_BE, LATIN1, LATIN1_C, *DECLARED),
    *(LONG_LINE, AT_LIMIT, OVER_LIMIT, WIDE_AT_LIMIT, CJK, *ASTRAL, METHOD, AFTER_METHODS, *DEEP),
    *(CROWDED, HAND_WRITTEN, GENERATED, *GAP_ENDS, *GAP_HIDES, *FENCED, *RESCUED),
    *(LINKED, NO_LAST_NEWLINE, IN_FOLDER_NAMED_AS_FILE, *BROKEN),
)
