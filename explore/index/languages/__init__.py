"""The languages the index reads; it loads a grammar only when a file asks for it."""

from __future__ import annotations

import re
from typing import Final

from explore.index.languages.c import C
from explore.index.languages.cpp import CPP
from explore.index.languages.csharp import CSHARP
from explore.index.languages.declaration import Language
from explore.index.languages.go import GO
from explore.index.languages.java import JAVA
from explore.index.languages.javascript import JAVASCRIPT
from explore.index.languages.kotlin import KOTLIN
from explore.index.languages.php import PHP
from explore.index.languages.python import PYTHON
from explore.index.languages.ruby import RUBY
from explore.index.languages.rust import RUST
from explore.index.languages.typescript import TSX, TYPESCRIPT

LANGUAGES: Final = (
    C,
    CPP,
    CSHARP,
    GO,
    JAVA,
    JAVASCRIPT,
    KOTLIN,
    PHP,
    PYTHON,
    RUBY,
    RUST,
    TSX,
    TYPESCRIPT,
)

_CPP: Final = re.compile(
    r"^[ \t]*(?:(?:inline\s+)?namespace\b[^;\n]*\{|template\s*<|class\s+\w[^;\n]*[{:]|(?:public|private|protected)\s*:"
    r"|using\s+(?:namespace\b|\w+\s*=)|#\s*include\s*<(?:cstdint|cstdio|cstdlib|cstring|memory|string|vector)>)",
    re.MULTILINE,
)
"""What only a header of C++ has at the start of a line."""

_BY_SUFFIX: Final = {suffix: language for language in LANGUAGES for suffix in language.suffixes}


def language_of(path: str) -> Language | None:
    """The language of a file by the end of its name, or None where it is not read."""
    stem, dot, suffix = path.rpartition(".")
    return _BY_SUFFIX.get(dot + suffix.lower()) if stem and not stem.endswith("/") else None


def refine(language: Language, text: str) -> Language:
    """The language of this text, where the end of its name says one of two: a `.h` may be C++."""
    return CPP if language is C and _CPP.search(text) else language
