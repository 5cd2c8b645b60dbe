"""What kinds of document there are, by path and format, and which of them a question asks for; it looks nothing up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of document: the formats, or else the paths, in lower case, of those that are of it; what a question says
    that asks for them; and the words that each of them is found by, whatever it is called. `sole`: a project has few of
    them, so that who says the word means one, as if its name were spelled."""

    formats: frozenset[str]
    path: re.Pattern[str]
    asked: re.Pattern[str]
    words: str
    sole: bool = False

    def holds(self, path: str, form: str) -> bool:
        """Whether a document is of this kind."""
        return form in self.formats or self.path.search(path.lower()) is not None


def _kind(words: str, asked: str, *, formats: str = "", path: str = r"(?!)", sole: bool = False) -> DocumentKind:
    pattern = re.compile(rf"(?<![\w.:#$/-])(?:{asked})(?![\w(:#$/-]|\.\w)", re.IGNORECASE)
    return DocumentKind(frozenset(formats.split()), re.compile(path), pattern, words, sole)


_SETTINGS: Final = r"config\w*|settings"
_DOCS: Final = "(?:docs|documentation)"
"""Not by itself: of code it is said as well, and means its comments."""

KINDS: Final = (
    _kind("readme", r"readme", path=r"(?:^|/)readme[^/]*$", sole=True),
    _kind(
        "changelog",
        r"change ?logs?|release notes",
        path=r"(?:^|/)(?:change(?:s|logs?)?|history|news|releases?)[^/]*\.(?:md|markdown|mdx|rst)$",
        sole=True,
    ),
    _kind("ci", r"ci|ci/cd|continuous integration|github actions?|workflows?",
          path=r"(?:^|/)(?:\.github/workflows/[^/]*|\.(?:gitlab-ci|travis|appveyor|drone)\.ya?ml|appveyor\.ya?ml"
          r"|(?:azure|bitbucket)-pipelines\.ya?ml)$",
          sole=True),
    _kind("dockerfile", r"docker ?files?|containerfiles?", formats="dockerfile", sole=True),
    _kind("docker compose", r"(?:docker[- ])?compose file|docker[- ]compose",
          path=r"(?:^|/)(?:docker-)?compose[^/]*$", sole=True),
    _kind("makefile", r"make ?files?|make targets?", formats="make", sole=True),
    _kind("documentation docs", rf"(?:the|in|which|what|user) {_DOCS}|{_DOCS} (?:say\w*|of|about|for|on|pages?|files?)",
          formats="markdown rst"),
    _kind("markdown", r"markdown", formats="markdown"),
    _kind("rst", r"rst|restructured ?text", formats="rst"),
    _kind("yaml", r"ya?ml", formats="yaml"),
    _kind("toml", r"toml", formats="toml"),
    _kind("json", rf"json (?:{_SETTINGS}|files?)|(?:{_SETTINGS}|files?) (?:in|as|from) json", formats="json"),
    _kind("sql", r"sql|(?-i:schemas?|migrations?)", formats="sql"),
    _kind("shell script", r"(?:shell|bash|zsh|sh) scripts?", formats="sh"),
    _kind("", rf"(?:{_SETTINGS}) files?", formats="yaml toml json ini"),
)  # fmt: skip


def kinds_asked(question: str) -> tuple[DocumentKind, ...]:
    """The kinds of document that a question asks for."""
    return tuple(kind for kind in KINDS if kind.asked.search(question))


def words_of(path: str, form: str) -> Iterator[str]:
    """The words that a document is found by besides its text: of its path, and what such documents are called."""
    yield path
    yield from (kind.words for kind in KINDS if kind.holds(path, form))
