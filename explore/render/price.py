"""What lines of a file cost in an answer, in bytes, before anything is drawn; exact for what `build_section` makes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import add
from typing import Protocol

from explore.model.held import SLIVER_BYTES, Held, Split
from explore.model.plan import Step, titles
from explore.model.section import LONGEST_LINE, MOST_TITLED, Withheld, back_quotes, fence_length, heading, numbered
from explore.model.source import Source
from explore.model.spans import Span, Spans
from explore.render.gaps import Gaps

_LINE_ENDS = 2
"""Those of the heading and of the opening fence; the closing one is the section's end."""

BETWEEN_SECTIONS = 2
"""Bytes of the line ends that set a section off."""


class Costs(Protocol):
    """What sharing asks of a file's prices, whether its reader holds some of it or nothing."""

    @property
    def seen(self) -> bool:
        """Whether the reader holds any of it."""
        ...

    @property
    def whole(self) -> Spans:
        """All lines of the file."""
        ...

    def lines(self, spans: Iterable[Span]) -> int:
        """Bytes of these lines, numbered, each with its line end."""
        ...

    def new(self, spans: Iterable[Span]) -> int:
        """The same of those that are not held."""
        ...

    def fresh(self, spans: Spans) -> Spans:
        """Of these lines those worth sending after all that is wanted: not held, nor too few beside held ones."""
        ...

    def sent_new(self, spans: Spans) -> int:
        """Bytes of new lines that are sent where these are wanted."""
        ...

    def delivered(self, spans: Spans) -> int:
        """The same without lines so long that they are cut, and so do not count as sent."""
        ...

    def head(self, named: tuple[str, ...], longest: int = 0) -> int:
        """Bytes of a heading and of both fences, around lines with so many back-quotes in a row."""
        ...

    def longest(self, spans: Spans) -> int:
        """The length of the longest run of three back-quotes or more in these lines; 0 where there is none."""
        ...

    def gap(self, span: Span) -> int:
        """Bytes of the gap that stands for these lines, with its line end."""
        ...

    def is_cheap(self, gap: Span) -> bool:
        """Whether a gap costs no less than the lines that it hides."""
        ...

    def section(self, spans: Spans, steps: Sequence[Step]) -> int:
        """Bytes of the section that comes of these wanted lines, which the steps brought."""
        ...

    def split(self, spans: Spans) -> Split:
        """What becomes of these lines where they are wanted."""
        ...

    def keeps(self, split: Split, more: Iterable[Span]) -> bool:
        """Whether it is plain that with more wanted lines these are sent, and all else stays as it is in `split`."""
        ...

    def most_saved(self, split: Split) -> int:
        """The most by which a section can shrink when with more wanted lines others are withheld than in `split`."""
        ...

    def sender(self, split: Split) -> tuple[str, bool]:
        """The question whose answer sent what is pointed at, or most of it, and whether there are others."""
        ...


class Price:
    """The prices of one file's lines where nothing is held. Kept as running totals, so that a span costs one
    subtraction."""

    seen = False

    def __init__(self, source: Source) -> None:
        self.source = source
        self.whole = source.whole
        self._until = _sizes_until(source.lines)
        self._cut = {number: self.line(number) for number in _too_long(source.lines)}
        self._run_lines = _with_fences(source.lines)
        self._runs = {n: back_quotes(numbered(n, source.lines[n - 1])) for n in self._run_lines}
        self.gaps = Gaps(source)
        self._gap_bytes: dict[Span, int] = {}
        self._heads: dict[tuple[tuple[str, ...], int], int] = {}

    def line(self, number: int) -> int:
        """Bytes of one line, numbered, with its line end."""
        return self._until[number] - self._until[number - 1]

    def lines(self, spans: Iterable[Span]) -> int:
        """Bytes of these lines, numbered, each with its line end."""
        until = self._until
        return sum([until[end] - until[start - 1] for start, end in spans])

    def new(self, spans: Iterable[Span]) -> int:
        """As `lines`: all are new."""
        return self.lines(spans)

    def fresh(self, spans: Spans) -> Spans:
        """All of them."""
        return spans

    def sent_new(self, spans: Spans) -> int:
        """As `lines`: all are sent."""
        return self.lines(spans)

    def delivered(self, spans: Spans) -> int:
        """The same without lines so long that they are cut, and so do not count as sent."""
        return self.lines(spans) - sum(size for number, size in self._cut.items() if number in spans)

    def gap(self, span: Span) -> int:
        """Bytes of the gap that stands for these lines, with its line end."""
        if span not in self._gap_bytes:
            self._gap_bytes[span] = _bytes(self.gaps.of(span).text) + 1
        return self._gap_bytes[span]

    def section(self, spans: Spans, steps: Sequence[Step]) -> int:
        """Bytes of a section that shows these lines, which the steps brought."""
        return self.framed(spans, titles(steps)) + self.between(spans)

    def fits(self, spans: Spans, title: str, room: float) -> bool:
        """Whether a section that shows these lines under one title takes no more than `room`. Most are far from that,
        and then no gap is put into words."""
        framed = self.framed(spans, (title,))
        if framed + self.gaps.most_bytes * (len(spans.parts) + 1) <= room:
            return True
        return framed <= room and framed + self.between(spans) <= room

    def framed(self, spans: Spans, named: tuple[str, ...]) -> int:
        """Bytes of a heading, both fences and these lines."""
        return self.head(named, self.longest(spans)) + self.lines(spans)

    def longest(self, spans: Spans) -> int:
        """The length of the longest run of three back-quotes or more in these lines; 0 where there is none."""
        runs = self._runs
        if not runs:
            return 0
        lines = self._run_lines
        found = (lines[bisect_left(lines, start) : bisect_right(lines, end)] for start, end in spans)
        return max((runs[line] for some in found for line in some), default=0)

    def back_quotes(self, number: int) -> int:
        """The same of one line."""
        return self._runs.get(number, 0)

    def head(self, named: tuple[str, ...], longest: int = 0) -> int:
        """Bytes of a heading and of both fences, around lines with so many back-quotes in a row."""
        key = named[:MOST_TITLED], len(named)
        if key not in self._heads:
            head = _bytes(heading(self.source.path, named)) + len(self.source.language) + _LINE_ENDS
            self._heads[key] = head
        return self._heads[key] + 2 * fence_length(longest)

    def between(self, spans: Spans) -> int:
        """Bytes of all gaps around these lines."""
        return sum(map(self.gap, self.gaps.around(spans)))

    def is_cheap(self, gap: Span) -> bool:
        """Whether a gap costs no less than the lines that it hides."""
        hidden = self._until[gap.end] - self._until[gap.start - 1]
        return hidden <= self.gaps.most_bytes and hidden <= self.gap(gap) + 1

    def pieces(self, spans: Spans, most: int) -> list[Spans]:
        """The same lines in runs of whole lines, each of no more bytes than `most`, or of a single longer line."""
        runs: list[list[Span]] = [[]]
        room = most
        for first, last in spans:
            after = first - 1
            while after < last:
                end = min(last, bisect_right(self._until, self._until[after] + room) - 1)
                if end <= after and runs[-1]:
                    runs.append([])
                    room = most
                else:
                    end = max(end, after + 1)
                    runs[-1].append(Span(after + 1, end))
                    room -= self._until[end] - self._until[after]
                    after = end
        return [Spans.of_parts(run) for run in runs]

    def tidy(self, spans: Spans) -> Spans:
        """The same lines and those of each gap that is cheap."""
        cheap = [gap for gap in self.gaps.around(spans) if self.is_cheap(gap)]
        return spans | Spans(cheap) if cheap and spans else spans

    def keeps(self, _: Split, __: Iterable[Span]) -> bool:
        """Nothing is withheld, whatever is wanted."""
        return True

    def most_saved(self, _: Split) -> int:
        """Nothing is withheld."""
        return 0

    def split(self, spans: Spans) -> Split:
        """All are sent."""
        return Split(spans)

    def sender(self, _: Split) -> tuple[str, bool]:
        """None: nothing is pointed at."""
        return "", False


class HeldPrice:
    """The prices of one file's lines where its reader holds some: what `withhold` withholds costs a pointer. It is told
    what is held, and which new lines are sent however few they are (`is_due`), and decides only whether pointing is the
    cheaper way."""

    seen = True

    def __init__(
        self, plain: Price, held: Held, withhold: Callable[[Spans], Split], is_due: Callable[[Span], bool]
    ) -> None:
        self.whole = plain.whole
        self._plain = plain
        self._held = held
        self._withhold = withhold
        self._is_due = is_due
        self._splits: dict[Spans, Split] = {}
        self._again: dict[Spans, int] = {}
        self._pointers: dict[tuple[Spans, Spans], tuple[int, int]] = {}

    def lines(self, spans: Iterable[Span]) -> int:
        """As where nothing is held."""
        return self._plain.lines(spans)

    def new(self, spans: Iterable[Span]) -> int:
        """Bytes of those of these lines that are not held."""
        held, lines = self._held.spans, self._plain.lines
        return sum(lines(Spans([span]) - held if held.meets(span) else [span]) for span in spans)

    def fresh(self, spans: Spans) -> Spans:
        """Those of these lines that are not held, but for slivers beside held ones."""
        held = self._held.spans
        if not any(map(held.meets, map(_widened, spans))):
            return spans
        return Spans(span for span in spans - held if not self._is_sliver(span))

    def _is_sliver(self, span: Span) -> bool:
        small = self._held.spans.meets(_widened(span)) and self._plain.lines([span]) < SLIVER_BYTES
        return small and not self._is_due(span)

    def sent_new(self, spans: Spans) -> int:
        """Bytes of new lines that are sent where these are wanted: all but what folds away."""
        return self.new(self.split(spans).sent)

    def delivered(self, spans: Spans) -> int:
        """As where nothing is held."""
        return self._plain.delivered(spans)

    def head(self, named: tuple[str, ...], longest: int = 0) -> int:
        """As where nothing is held."""
        return self._plain.head(named, longest)

    def longest(self, spans: Spans) -> int:
        """As where nothing is held."""
        return self._plain.longest(spans)

    def gap(self, span: Span) -> int:
        """As where nothing is held."""
        return self._plain.gap(span)

    def is_cheap(self, gap: Span) -> bool:
        """As where nothing is held."""
        return self._plain.is_cheap(gap)

    def section(self, spans: Spans, steps: Sequence[Step]) -> int:
        """Bytes of the section that comes of these wanted lines; of a pointer alone with what sets it off, since it
        takes no file's place."""
        return self._section(self.split(spans), steps)

    def split(self, spans: Spans) -> Split:
        """What is sent and what is pointed at; where pointing would cost more, all is sent."""
        if spans not in self._splits:
            parted = self._withhold(spans)
            self._splits[spans] = Split(spans) if parted.pointed and self._is_dear(parted) else parted
        return self._splits[spans]

    def keeps(self, split: Split, more: Iterable[Span]) -> bool:
        """Beside lines that are sent, for new lines that do not touch what is withheld: nothing can fold away or
        unfold. Where held lines are sent because a pointer costs more, that could change."""
        if not split.sent or any(map(self._held.spans.meets, more)):
            return False
        if not split.pointed:
            return not self._sent_again(split)
        beside = [_widened(span) for span in more]
        if self._sent_again(split) and any(map(split.sent.meets, beside)):
            return False  # held lines fill up a sliver, which these could make large enough by itself
        return not any(split.pointed.meets(span) or split.folded.meets(span) for span in beside)

    def most_saved(self, split: Split) -> int:
        """Bytes of the pointer with its marks, and of held lines that are sent again: a longer run may take them in."""
        return self._sent_again(split) + (self._pointing(split) if split.pointed else 0)

    def sender(self, split: Split) -> tuple[str, bool]:
        """The question whose answer sent what is pointed at, or most of it, and whether there are others."""
        return self._held.sender(split.pointed) if split.pointed else ("", False)

    def _section(self, split: Split, steps: Sequence[Step]) -> int:
        if not split.pointed:
            return self._plain.section(split.sent, steps)
        if not split.sent:
            return self._pointer(split) + BETWEEN_SECTIONS
        framed = self._plain.framed(split.sent, titles(steps, split.withheld))
        return framed + self._plain.between(split.sent | split.withheld) + self._pointing(split)

    def _sent_again(self, split: Split) -> int:
        """Bytes of held lines that are sent all the same."""
        if split.sent not in self._again:
            self._again[split.sent] = self._plain.lines(split.sent & self._held.spans)
        return self._again[split.sent]

    def _is_dear(self, split: Split) -> bool:
        """Whether pointing takes more than sending: the lines, or the whole section where nothing else is sent."""
        if split.sent:
            return self._pointing(split) > self._plain.lines(split.withheld)
        return self._section(split, ()) > self._plain.section(split.withheld, ())

    def _pointing(self, split: Split) -> int:
        return self._withholding(split)[0]

    def _pointer(self, split: Split) -> int:
        return self._withholding(split)[1]

    def _withholding(self, split: Split) -> tuple[int, int]:
        """Bytes of the pointer with its marks and line end, and of the pointer alone."""
        key = split.pointed, split.folded
        if key not in self._pointers:
            question, others = self.sender(split)
            pointer = _bytes(self._plain.gaps.pointer(split, question, others=others).text)
            marks = sum(_bytes(Withheld(span).text) + 1 for span in split.pointed)
            told = filter(self._plain.gaps.says_something, split.folded)
            marks += sum(_bytes(Withheld(span, new=True).text) + 1 for span in told)
            self._pointers[key] = marks + pointer + 1, pointer
        return self._pointers[key]


def _widened(span: Span) -> Span:
    return Span(max(1, span.start - 1), span.end + 1)


# What follows goes through each file of the shortlist at every question, and so through most at the speed of C.


def _sizes_until(lines: Sequence[str]) -> list[int]:
    """Bytes of the first lines as they stand in an answer, with their ends: of none, of one, and so on."""
    sizes = list(map(len, lines))
    if not "".join(lines).isascii() or max(sizes, default=0) > LONGEST_LINE:
        for at, plain in enumerate(map(str.isascii, lines)):
            if not plain or sizes[at] > LONGEST_LINE:
                sizes[at] = _bytes(numbered(at + 1, lines[at])) - len(str(at + 1)) - 1
    return list(map(add, accumulate(sizes, initial=0), _frames_until(1 << len(lines).bit_length())))


def _too_long(lines: Sequence[str]) -> list[int]:
    """The numbers of lines that are cut."""
    if max(map(len, lines), default=0) <= LONGEST_LINE:
        return []
    return [number for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE]


def _with_fences(lines: Sequence[str]) -> list[int]:
    """The numbers of lines with three back-quotes in a row."""
    return [number for number, line in enumerate(lines, 1) if "```" in line] if "```" in "".join(lines) else []


@lru_cache
def _frames_until(count: int) -> tuple[int, ...]:
    """Bytes of the numbers of the first lines, each with its tab and its line end; asked for powers of two."""
    return tuple(accumulate((len(str(number)) + 2 for number in range(1, count + 1)), initial=0))


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
