"""All that the index keeps of a file, as rows and as plain data between processes; it opens and parses nothing."""

from __future__ import annotations

from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explore.model.source import Reference, Role, Symbol

Row = Sequence[Any]
"""A row as SQLite takes it: numbers and text."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """All that the index keeps of one file."""

    path: str
    language: str
    role: Role
    fingerprint: str
    size: int
    changed_ns: int
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    lengths: array[int]
    postings: Mapping[str, array[int]]


@dataclass(frozen=True, slots=True)
class FileRows:
    """The same as it lies in the tables. `symbols` and `references` are rows without their file, and symbols without an
    ordinal; `vocabulary` are the file's terms with blanks between, `hits` what each of them has, 16 bits a number."""

    path: str
    language: str
    role: int
    fingerprint: str
    size: int
    changed_ns: int
    symbols: Sequence[Row]
    references: Sequence[Row]
    lengths: bytes
    vocabulary: str
    hits: Sequence[bytes]

    @property
    def terms(self) -> int:
        """Occurrences of terms in the whole file."""
        return sum(array("H", self.lengths))

    def postings(self) -> Iterator[tuple[str, bytes]]:
        """Each term with its hits."""
        return zip(self.vocabulary.split(" ") if self.hits else (), self.hits, strict=True)


def rows_of(record: FileRecord) -> FileRows:
    """A file's record as its rows."""
    return FileRows(
        path=record.path,
        language=record.language,
        role=int(record.role),
        fingerprint=record.fingerprint,
        size=record.size,
        changed_ns=record.changed_ns,
        symbols=[_symbol_row(symbol) for symbol in record.symbols],
        references=[(r.symbol, r.kind.value, r.name, r.line, r.module) for r in record.references],
        lengths=record.lengths.tobytes(),
        vocabulary=" ".join(record.postings),
        hits=[hits.tobytes() for hits in record.postings.values()],
    )


def to_plain(rows: FileRows) -> list[Any]:
    """A file's rows as JSON can say them: all hits are one text, with the bytes of each beside."""
    return [
        *(rows.path, rows.language, rows.role, rows.fingerprint, rows.size, rows.changed_ns),
        *(rows.symbols, rows.references, _text(rows.lengths), rows.vocabulary),
        *(_text(b"".join(rows.hits)), [len(hits) for hits in rows.hits]),
    ]


def from_plain(plain: Sequence[Any]) -> FileRows:
    """What `to_plain` was given."""
    path, language, role, mark, size, changed_ns, symbols, references, lengths, vocabulary, joined, sizes = plain
    hits = _parts(b64decode(joined), sizes)
    lengths = b64decode(lengths)
    return FileRows(path, language, role, mark, size, changed_ns, symbols, references, lengths, vocabulary, hits)


def _symbol_row(symbol: Symbol) -> Row:
    return (
        symbol.kind.value,
        symbol.name,
        symbol.qualified,
        symbol.span.start,
        symbol.span.end,
        symbol.line,
        symbol.head_end,
        symbol.signature,
        symbol.parent,
    )


def _text(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")


def _parts(joined: bytes, sizes: Sequence[int]) -> list[bytes]:
    parts, at = [], 0
    for size in sizes:
        parts.append(joined[at : at + size])
        at += size
    return parts
