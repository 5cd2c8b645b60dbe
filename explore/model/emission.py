"""What one answer really delivered, read off the text that was sent; never what was planned."""

from __future__ import annotations

from dataclasses import dataclass

from explore.model.spans import NO_LINES, Spans


@dataclass(frozen=True, slots=True)
class EmittedFile:
    """The lines of a file that an answer delivered, at which bytes of the file, the bytes they took, and the lines
    that it pointed at instead. `dropped` spans are no longer kept in detail."""

    path: str
    fingerprint: str
    spans: Spans
    source_bytes: int
    pointed: Spans = NO_LINES
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Emission:
    """One answer: its project, the question in normalised words, what it delivered, and its size in bytes.

    `number` counts the answers with source that the context had been sent when this one was made, this one included
    where it counts. `dropped` files are no longer kept, some of which it may have pointed at (`dropped_pointers`).
    """

    project: str
    question: str
    files: tuple[EmittedFile, ...]
    response_bytes: int
    number: int = 1
    dropped: int = 0
    dropped_pointers: bool = False

    @property
    def sent(self) -> tuple[EmittedFile, ...]:
        """The files of which there is source in it."""
        return tuple(file for file in self.files if file.spans)

    @property
    def source_bytes(self) -> int:
        """Bytes of source in all files."""
        return sum(file.source_bytes for file in self.files)

    @property
    def has_pointers(self) -> bool:
        """Whether it points at anything that was sent before."""
        return self.dropped_pointers or any(file.pointed for file in self.files)
