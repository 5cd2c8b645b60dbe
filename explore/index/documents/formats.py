"""The formats of documents and configuration that the index reads, declared; they are cut elsewhere."""

from __future__ import annotations

import re
from typing import Final

from explore.index.documents.declaration import Format

MOST_DATA_BYTES: Final = 100_000
"""JSON and YAML over this size is rather data than configuration."""

_HASH: Final = re.compile(r"#")
_STATEMENT: Final = re.compile(
    r"(?:alter|begin|comment|commit|copy|create|declare|delete|do|drop|grant|insert|merge|pragma|revoke|rollback|select"
    r"|set|truncate|update|use|values|with)\b",
    re.IGNORECASE,
)

FORMATS: Final = (
    Format(
        name="yaml",
        suffixes=(".yaml", ".yml"),
        start=re.compile(r"---|[^\s#\-][^:]*:(?:\s|$)"),
        leading=_HASH,
        most_bytes=MOST_DATA_BYTES,
    ),
    Format(name="toml", suffixes=(".toml",), start=re.compile(r"\["), leading=_HASH),
    Format(
        name="json",
        suffixes=(".json", ".jsonc", ".json5"),
        start=re.compile(r"[ \t]*(?:\"[^\"]*\"|'[^']*'|\w+)[ \t]*:"),
        outermost=True,
        most_bytes=MOST_DATA_BYTES,
    ),
    Format(name="sql", suffixes=(".sql",), start=_STATEMENT, leading=re.compile(r"--")),
    Format(
        name="markdown",
        suffixes=(".md", ".markdown", ".mdx"),
        start=re.compile(r"#{1,6}\s"),
        underline=re.compile(r"(?:=+|-{3,})\s*$"),
        fence=re.compile(r" {0,3}(?:```|~~~)"),
    ),
    Format(name="rst", suffixes=(".rst",), underline=re.compile(r"([=\-`:.'\"~^_*+#<>!$%&])\1{2,}\s*$")),
    Format(
        name="sh",
        suffixes=(".sh", ".bash", ".zsh"),
        start=re.compile(r"function\s+[\w:.-]+|[\w:.-]+\s*\(\s*\)"),
        leading=_HASH,
    ),
    Format(
        name="ini",
        suffixes=(".ini", ".cfg"),
        names=(".editorconfig",),
        start=re.compile(r"\["),
        leading=re.compile(r"[#;]"),
    ),
    Format(
        name="dockerfile",
        suffixes=(".dockerfile",),
        names=("dockerfile", "containerfile"),
        start=re.compile(r"FROM\s", re.IGNORECASE),
        leading=_HASH,
    ),
    Format(
        name="make",
        suffixes=(".mk",),
        names=("makefile", "gnumakefile"),
        start=re.compile(r"[^\s#:=][^:=#]*:(?![=:])"),
        leading=_HASH,
    ),
)
