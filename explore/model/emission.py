"""What one answer really delivered, read off the text that was sent; never what was planned."""

from __future__ import annotations

from dataclasses import dataclass

from explore.model.spans import Spans


@dataclass(frozen=True, slots=True)
class SentFile:
    """The lines of a file that an answer delivered, at which bytes of the file, and the bytes they took."""

    path: str
    fingerprint: str
    spans: Spans
    source_bytes: int


@dataclass(frozen=True, slots=True)
class Emission:
    """One answer: its project, the question in normalised words, what it delivered, and its sizes in bytes."""

    project: str
    question: str
    files: tuple[SentFile, ...]
    response_bytes: int

    @property
    def source_bytes(self) -> int:
        """Bytes of source in all files."""
        return sum(file.source_bytes for file in self.files)
