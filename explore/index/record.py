"""All that the index keeps of a file, from its bytes; it reads no file and writes no row."""

from __future__ import annotations

from explore.dedup.fingerprint import fingerprint
from explore.index.languages import language_of, refine
from explore.index.outline import outline
from explore.index.parse import parse
from explore.index.postings import postings
from explore.index.rows import FileRecord
from explore.index.scan import Found, role_of
from explore.model.source import Role
from explore.model.text import decode, is_binary, split_lines


def record_of(file: Found, raw: bytes, *, grammar: bool = True) -> FileRecord:
    """All that is to be kept of a file with these bytes; without `grammar` it has lines and words, and no names."""
    language = language_of(file.path)
    if language is None:
        raise ValueError(f"not a file of an indexed language: {file.path}")
    text = "" if is_binary(raw) else decode(raw)
    lines = split_lines(text)
    language = refine(language, text)
    role = role_of(file.path, text[:2_000])
    # What tests and generated files hand on is on no path, and they hand on much.
    handed = not role & (Role.TEST | Role.GENERATED)
    parsed = parse(language, text, lines, handed=handed) if lines and grammar else outline([], [], lines)
    found, lengths = postings(parsed.symbols, lines)
    return FileRecord(
        path=file.path,
        language=language.name,
        role=role,
        fingerprint=fingerprint(raw),
        size=file.size,
        changed_ns=file.changed_ns,
        symbols=parsed.symbols,
        references=parsed.references,
        lengths=lengths,
        postings=found,
    )
