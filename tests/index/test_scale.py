"""The repository that the benchmark makes is the same for the same seed, and is read as it is meant."""

from __future__ import annotations

from benchmarks.scale import questions, texts
from explore.index.languages import language_of
from explore.index.parse import parse
from explore.model.source import EdgeKind
from explore.model.text import split_lines

FILES = 60


def test_a_seed_makes_one_repository() -> None:
    files = dict(texts(FILES, 7))
    assert files == dict(texts(FILES, 7))
    assert files != dict(texts(FILES, 8))
    assert questions(FILES, 7) == questions(FILES, 7)


def test_its_files_define_call_and_import() -> None:
    for path, text in texts(FILES, 7):
        if (language := language_of(path)) is None:
            continue
        parsed = parse(language, text, split_lines(text))
        assert sum(bool(symbol.name) for symbol in parsed.symbols) >= 4, path
        kinds = {reference.kind for reference in parsed.references}
        assert EdgeKind.CALLS in kinds, path
        assert EdgeKind.IMPORTS in kinds or "import" not in text, path
