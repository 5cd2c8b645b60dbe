"""What holds of every answer, whatever was asked of whatever project."""

from __future__ import annotations

from explore.dedup.fingerprint import fingerprint
from explore.engine import Answer
from explore.model.emission import EmittedFile
from explore.model.section import shown_path
from explore.model.spans import Spans
from tests.support.corpus import MemoryCorpus
from tests.support.delivered import delivered, is_cut_of


def check_answer(answer: Answer, corpus: MemoryCorpus) -> None:
    """An answer keeps its ceiling, and an agent that reads it holds what the emission says, as it is on disk."""
    sent = answer.text.encode("utf-8", "replace")
    assert len(sent) <= answer.trace.envelope.ceiling
    assert len(sent) == answer.emission.response_bytes
    shown = {section.path: section for section in delivered(sent.decode()).sections}
    by_shown_path = {shown_path(path): path for path in corpus.disk}
    assert {shown_path(file.path) for file in answer.emission.files} == {p for p, s in shown.items() if s.lines}
    for file in answer.emission.files:
        section = shown[shown_path(file.path)]
        assert file == EmittedFile(
            file.path, fingerprint(corpus.disk[file.path]), Spans.of_lines(section.lines), section.source_bytes
        )
    for path, section in shown.items():
        lines = corpus.lines(by_shown_path[path])
        assert section.lines == {number: lines[number - 1] for number in section.lines}
        assert all(is_cut_of(cut, lines[number - 1]) for number, cut in section.cut_lines.items())
