"""What lines of a file cost in an answer, in bytes, before anything is drawn; exact for what `build_section` makes."""

from __future__ import annotations

from itertools import accumulate

from explore.model.section import LONGEST_LINE, back_quotes, fence_length, heading, numbered
from explore.model.source import Source
from explore.model.spans import Span, Spans
from explore.render.gaps import Gaps

_LINE_ENDS = 2
"""Those of the heading and of the opening fence; the closing one is the section's end."""


class Price:
    """The prices of one file's lines. Kept as running totals, so that a span costs one subtraction."""

    def __init__(self, source: Source) -> None:
        self.source = source
        shown = [numbered(n, line) for n, line in enumerate(source.lines, 1)]
        sizes = [len(line.encode("utf-8", "replace")) + 1 for line in shown]
        self._until = [0, *accumulate(sizes)]
        self._cut = {n: sizes[n - 1] for n, line in enumerate(source.lines, 1) if len(line) > LONGEST_LINE}
        self._runs = {n: back_quotes(line) for n, line in enumerate(shown, 1) if "```" in line}
        self.gaps = Gaps(source)
        self._gap_bytes: dict[Span, int] = {}

    def line(self, number: int) -> int:
        """Bytes of one line, numbered, with its line end."""
        return self._until[number] - self._until[number - 1]

    def lines(self, spans: Spans) -> int:
        """Bytes of these lines, numbered, each with its line end."""
        return sum(self._until[span.end] - self._until[span.start - 1] for span in spans)

    def delivered(self, spans: Spans) -> int:
        """The same without lines so long that they are cut, and so do not count as sent."""
        return self.lines(spans) - sum(size for number, size in self._cut.items() if number in spans)

    def gap(self, span: Span) -> int:
        """Bytes of the gap that stands for these lines, with its line end."""
        if span not in self._gap_bytes:
            self._gap_bytes[span] = len(self.gaps.of(span).text.encode("utf-8", "replace")) + 1
        return self._gap_bytes[span]

    def section(self, spans: Spans, titles: tuple[str, ...]) -> int:
        """Bytes of a section that shows these lines."""
        head = (
            len(heading(self.source.path, titles).encode("utf-8", "replace")) + len(self.source.language) + _LINE_ENDS
        )
        fences = 2 * fence_length(max((run for line, run in self._runs.items() if line in spans), default=0))
        return head + fences + self.lines(spans) + self.hidden(spans)

    def hidden(self, spans: Spans) -> int:
        """Bytes of all gaps around these lines."""
        return sum(self.gap(span) for span in self.gaps.around(spans))

    def tidy(self, spans: Spans) -> Spans:
        """The same lines and those of each gap that costs no less than the lines it hides."""
        cheap = [gap for gap in self.gaps.around(spans) if self.lines(Spans([gap])) <= self.gap(gap) + 1]
        return spans | Spans(cheap) if cheap and spans else spans
