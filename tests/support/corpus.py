"""A `Corpus` held in memory, and file trees written as indented text; it reads no disk and no database.

`MemoryCorpus` does in plain loops what the index does with tables, so that each can be checked against the other.
Its files can be edited behind the back of what was indexed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from posixpath import normpath
from string import ascii_lowercase, ascii_uppercase
from textwrap import dedent
from typing import Final

from explore.index.corpus import MOST_NAMES, MOST_TERMS
from explore.index.record import record_of
from explore.index.rows import FileRecord
from explore.index.scan import Found, is_read, scan
from explore.model.corpus import MOST_LOCATED, MOST_USES, FileFacts, Located, Mark, Posting, Totals, Use
from explore.model.source import EdgeKind, Reference, Role, Source, Symbol
from explore.model.text import decode, is_binary, split_lines

_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


class MemoryShelf:
    """Source or documents of a project in a dictionary."""

    def __init__(self, records: Mapping[int, FileRecord], *, documents: bool) -> None:
        self._records = records
        self._here = {n: record for n, record in records.items() if bool(record.role & Role.DOCUMENT) == documents}

    def totals(self) -> Totals:
        records = self._here.values()
        return Totals(
            len(records), sum(len(record.symbols) for record in records), sum(sum(record.lengths) for record in records)
        )

    def postings(self, term: str) -> Sequence[Posting]:
        return [Posting(n, record.postings[term]) for n, record in self._here.items() if term in record.postings]

    def facts(self, files: Iterable[int]) -> Mapping[int, FileFacts]:
        wanted = {number: self._records[number] for number in files if number in self._records}
        return {n: FileFacts(n, r.path, r.language, r.role, r.lengths) for n, r in wanted.items()}

    def symbols(self, files: Iterable[int]) -> Mapping[int, tuple[Symbol, ...]]:
        return {number: self._records[number].symbols for number in files if number in self._records}

    def marks(self, files: Iterable[int]) -> Mapping[int, Sequence[Mark]]:
        return {
            number: [Mark(symbol.qualified, symbol.span.start, symbol.line) for symbol in symbols]
            for number, symbols in self.symbols(files).items()
        }

    def files_named(self, name: str) -> Sequence[int]:
        wanted = "/" + normpath(name).lower().strip("/")
        ends = ((f"/{record.path}".lower(), number) for number, record in self._here.items())
        return [number for path, number in ends if path.endswith(wanted) or path.rpartition(".")[0].endswith(wanted)]


class MemoryCorpus(MemoryShelf):
    """A project in a dictionary. What was indexed stays as it was made; `edit` and `remove` change only the files."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.disk = dict(files)
        indexed = (path for path in sorted(files) if is_read(path))
        records = dict(enumerate((_record(path, files[path]) for path in indexed), 1))
        super().__init__(records, documents=False)
        self.documents = MemoryShelf(records, documents=True)
        self._numbers = {record.path: number for number, record in records.items()}

    def edit(self, path: str, raw: bytes) -> None:
        """Other bytes for a file, or a new file, that the index does not know of."""
        self.disk[path] = raw

    def remove(self, path: str) -> None:
        """Takes a file away that the index still knows."""
        del self.disk[path]

    @property
    def records(self) -> Sequence[FileRecord]:
        """What was indexed, by path."""
        return tuple(self._records.values())

    def lines(self, path: str) -> tuple[str, ...]:
        """The lines of a file as it is now."""
        return _lines(self.disk[path])

    def terms_beginning(self, beginning: str) -> Sequence[str]:
        terms = {term for record in self._here.values() for term in record.postings}
        return sorted(term for term in terms if term.startswith(beginning))[:MOST_TERMS]

    def defined(self, name: str) -> Sequence[tuple[int, int]]:
        wanted = name.translate(_LOWER)
        return [
            (number, ordinal) for number, ordinal, symbol in self._named() if symbol.name.translate(_LOWER) == wanted
        ]

    def names_holding(self, part: str) -> Sequence[str]:
        names = {symbol.name.translate(_LOWER) for _, _, symbol in self._named() if part.lower() in symbol.name.lower()}
        return sorted(names, key=lambda name: (len(name), name))[:MOST_NAMES]

    def located(self, name: str) -> Sequence[Located]:
        return list(self._by_name.get(name, ()))[:MOST_LOCATED]

    def symbol_at(self, file: int, ordinal: int) -> Located | None:
        return self._located(file, ordinal) if ordinal < len(self._records[file].symbols) else None

    def inside(self, file: int, ordinal: int) -> Sequence[Located]:
        symbols = self._records[file].symbols
        return [self._located(file, at) for at, symbol in enumerate(symbols) if symbol.parent == ordinal]

    def names_near(self, part: str, least: int, most: int) -> Sequence[str]:
        names = {symbol.name.translate(_LOWER) for _, _, symbol in self._named() if least <= len(symbol.name) <= most}
        return sorted(name for name in names if part.lower() in name.lower())[:MOST_LOCATED]

    def references(self, file: int, ordinal: int) -> Sequence[Reference]:
        own = (r for r in self._records[file].references if r.symbol == ordinal)
        return sorted(own, key=lambda r: (r.line, r.name, r.kind, r.module))[:MOST_USES]

    def of_kind(self, file: int, kind: EdgeKind) -> Sequence[Reference]:
        found = (r for r in self._records[file].references if r.kind is kind)
        return sorted(found, key=lambda r: (r.line, r.name, r.module))

    def uses(self, name: str, kind: EdgeKind, *, aside: bool = False) -> Sequence[Use]:
        found = [use for use in self._uses.get((name, kind), ()) if name and (aside or not use.user.aside)]
        return sorted(found, key=lambda u: (u.user.path, u.reference.line, u.user.ordinal, u.reference.module))[
            :MOST_USES
        ]

    def handed(self, slot: str) -> Sequence[Use]:
        passed = (use for (_, kind), uses in self._uses.items() if kind is EdgeKind.PASSES for use in uses)
        found = [use for use in passed if use.reference.module.partition(" ")[0] == slot and not use.user.aside]
        return sorted(found, key=_by_place_and_name)[:MOST_USES]

    def sources(self, paths: Sequence[str]) -> Mapping[str, Source]:
        return {path: self._source(path) for path in paths if path in self.disk and path in self._numbers}

    def _source(self, path: str) -> Source:
        raw = self.disk[path]
        now = _record(path, raw)
        as_indexed = now.fingerprint == self._records[self._numbers[path]].fingerprint
        return Source(path, now.language, now.fingerprint, _lines(raw), now.symbols, as_indexed)

    def _record(self, path: str) -> FileRecord:
        return self._records[self._numbers[path]]

    def _named(self) -> Iterator[tuple[int, int, Symbol]]:
        for number, record in self._records.items():
            for ordinal, symbol in enumerate(record.symbols):
                if symbol.name:
                    yield number, ordinal, symbol

    def _located(self, number: int, at: int) -> Located:
        record, symbol = self._records[number], self._records[number].symbols[at]
        return Located(
            number, at, record.path, record.language, record.role, symbol.kind, symbol.name, symbol.qualified,
            symbol.span.start, symbol.span.end, symbol.line, symbol.signature, symbol.parent,
        )  # fmt: skip

    @cached_property
    def _uses(self) -> Mapping[tuple[str, EdgeKind], Sequence[Use]]:
        """All references by name and kind."""
        uses: dict[tuple[str, EdgeKind], list[Use]] = {}
        for number, record in self._records.items():
            for reference in record.references:
                use = Use(self._located(number, reference.symbol), reference)
                uses.setdefault((reference.name, reference.kind), []).append(use)
        return uses

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[Located]]:
        """All symbols by their name."""
        named: dict[str, list[Located]] = {}
        for number, at, symbol in self._named():
            named.setdefault(symbol.name, []).append(self._located(number, at))
        return named


def _by_place_and_name(use: Use) -> tuple[str, int, int, str, str]:
    return use.user.path, use.reference.line, use.user.ordinal, use.reference.name, use.reference.module


def read_tree(root: Path) -> dict[str, bytes]:
    """The files under a folder that an index of it would hold."""
    return {found.path: (root / found.path).read_bytes() for found in scan(root)}


def write_tree(root: Path, files: Mapping[str, bytes]) -> None:
    """Writes the files under a folder, with the folders they need."""
    for path, raw in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(raw)


def tree(text: str) -> dict[str, bytes]:
    """A file tree from indented text: a folder ends in `/`, what is in it is indented, and a file's lines follow it,
    each after a bar.

        shop/
            cart.py
                | def total(cart):
                |     return sum(cart)
    """
    files: dict[str, bytes] = {}
    around: list[tuple[int, str]] = []
    for row in filter(str.strip, dedent(text).split("\n")):
        depth, name = len(row) - len(row.lstrip()), row.strip()
        while around and around[-1][0] >= depth:
            around.pop()
        above = around[-1][1] if around else ""
        if name.startswith("|"):
            files[above] += row.lstrip()[1:].removeprefix(" ").encode() + b"\n"
            continue
        around.append((depth, above + name))
        if not name.endswith("/"):
            files[above + name] = b""
    return files


@lru_cache(maxsize=256)
def _record(path: str, raw: bytes) -> FileRecord:
    return record_of(Found(path, len(raw), 0), raw)


def _lines(raw: bytes) -> tuple[str, ...]:
    return split_lines("" if is_binary(raw) else decode(raw))
