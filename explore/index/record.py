"""All that the index keeps of a file, from its bytes; it reads no file and writes no row."""

from __future__ import annotations

from collections.abc import Sequence

from explore.dedup.fingerprint import fingerprint
from explore.index.documents import format_of
from explore.index.documents.cut import cut
from explore.index.languages import language_of, refine
from explore.index.outline import Parsed, outline
from explore.index.parse import parse
from explore.index.postings import add_called, postings
from explore.index.rows import FileRecord
from explore.index.scan import Found, role_of
from explore.model.source import Role
from explore.model.text import decode, is_binary, split_lines
from explore.retrieve.kinds import words_of


def record_of(file: Found, raw: bytes, *, grammar: bool = True) -> FileRecord:
    """All that is to be kept of a file with these bytes; without `grammar` it has lines and words, and no names."""
    text = "" if is_binary(raw) else decode(raw)
    lines = split_lines(text)
    role = role_of(file.path, text[:2_000])
    # What tests and generated files hand on is on no path, and they hand on much.
    handed = not role & (Role.TEST | Role.GENERATED)
    language, parsed = parsed_as(file.path, text, lines, grammar=grammar, handed=handed)
    found, lengths = postings(parsed.symbols, lines)
    if role & Role.DOCUMENT and parsed.symbols:
        add_called(found, words_of(file.path, language))
    return FileRecord(
        path=file.path,
        language=language,
        role=role,
        fingerprint=fingerprint(raw),
        size=file.size,
        changed_ns=file.changed_ns,
        symbols=parsed.symbols,
        references=parsed.references,
        lengths=lengths,
        postings=found,
    )


def parsed_as(
    path: str, text: str, lines: Sequence[str], *, grammar: bool = True, handed: bool = True
) -> tuple[str, Parsed]:
    """The language of a file with this text, or its format, and what is in it, with the names it hands on where asked.
    `ValueError` for files that are not read."""
    if (form := format_of(path)) is not None:
        return form.name, Parsed(cut(form, lines), ())
    language = language_of(path)
    if language is None:
        raise ValueError(f"not a file that is indexed: {path}")
    language = refine(language, text)
    if not (lines and grammar):
        return language.name, outline([], [], lines)
    return language.name, parse(language, text, lines, handed=handed)
