"""The lines wanted of one file, as they grow step by step, and what their section takes. It decides nothing about which
steps come, and looks only at what a step touches: sharing an envelope asks hundreds of times."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from explore.model.plan import Step, still_shown, titles
from explore.model.spans import NO_LINES, Span, Spans
from explore.render.price import Costs


@dataclass(frozen=True, slots=True)
class _Growth:
    """What a step would add: gaps that come in the place of others, bytes, and those of them that are new lines.
    `longest`: the longest run of back-quotes then, where all else stays as it is; None where what is withheld
    changes."""

    closed: range
    gaps: list[Span]
    bytes: int
    new: int
    longest: int | None = None


class _Titles:
    """The symbols that a section's heading names, as `titles` has them, step by step."""

    def __init__(self, steps: Sequence[Step], withheld: Spans) -> None:
        self._withheld = withheld
        self._all = tuple(dict.fromkeys(step.title for step in steps if step.title))
        self._shown = {step.title for step in steps if not withheld.holds(step.spans)}
        self.named = titles(steps, withheld)

    def with_step(self, step: Step) -> tuple[str, ...]:
        """What it names with one more step."""
        names = (*self._all, step.title) if step.title and step.title not in self._all else self._all
        if not self._withheld:
            return names
        return still_shown(names, self._shown if self._withheld.holds(step.spans) else {*self._shown, step.title})

    def take(self, step: Step) -> None:
        """Adds the step."""
        self.named = self.with_step(step)
        if step.title and step.title not in self._all:
            self._all = (*self._all, step.title)
        if not self._withheld.holds(step.spans):
            self._shown.add(step.title)


class Extent:
    """What is wanted of a file so far. `bytes` is what its section takes, and is 0 while nothing is wanted."""

    def __init__(self, price: Costs, steps: Sequence[Step] = (), wanted: Spans = NO_LINES) -> None:
        self.price = price
        self.steps = list(steps)
        self.bytes = price.section(wanted, steps) if wanted else 0
        self._new = price.sent_new(wanted) if wanted else 0
        self._gaps = list(price.whole - wanted)
        self._starts = [gap.start for gap in self._gaps]
        self._split = price.split(wanted)
        self._longest = price.longest(self._split.sent)
        self._titles = _Titles(self.steps, self._split.withheld)

    @property
    def wanted(self) -> Spans:
        """The lines so far."""
        return self.price.whole - Spans.of_parts(self._gaps) if self.steps else NO_LINES

    @property
    def sends(self) -> bool:
        """Whether any of them are sent, and not all held."""
        return bool(self._split.sent)

    def take(self, step: Step, room: int) -> int | None:
        """Adds the step where what it adds fits in `room` and sends something new; the bytes that it added, which gaps
        closed can make negative, and None where it was not taken."""
        missing = self._missing(step.spans)
        if missing and (fresh := self.price.fresh(step.spans)) is not step.spans:
            missing = self._missing(fresh)
        if not missing:
            return None
        closed, lines = range(missing[0][0], missing[-1][0] + 1), [span for _, span in missing]
        new = self.price.new(lines)
        if not new or new - self._most_freed(lines, closed) > room:
            return None
        growth = self._growth(step, lines, closed)
        if growth is None or growth.bytes > room:
            return None
        self._grow(step, growth)
        return growth.bytes

    def _missing(self, spans: Spans) -> list[tuple[int, Span]]:
        """The lines of these that are not wanted yet, with the place of the gap in which they are."""
        missing = []
        for span in spans.parts:
            first, last = span
            for at in range(max(0, bisect_right(self._starts, first) - 1), len(self._gaps)):
                gap = self._gaps[at]
                start, end = gap
                if start > last:
                    break
                if start <= first and last <= end:
                    missing.append((at, span))
                elif end >= first:
                    missing.append((at, Span(max(first, start), min(last, end))))
        return missing

    def _most_freed(self, lines: list[Span], closed: range) -> int:
        """The most that a section shrinks by beside the lines it gains: gaps closed, and what withholding may save."""
        if not self.steps:
            return 0
        saved = 0 if self.price.keeps(self._split, lines) else self.price.most_saved(self._split)
        return self._in_gaps(closed) + saved

    def _in_gaps(self, places: range) -> int:
        return sum(self.price.gap(self._gaps[at]) for at in places)

    def _growth(self, step: Step, lines: list[Span], closed: range) -> _Growth | None:
        """What the step adds, with gaps not worth their bytes closed; None where it would send nothing new."""
        gaps: list[Span] = []
        more = list(lines)
        for gap in Spans.of_parts(self._gaps[at] for at in closed) - Spans.of_parts(lines):
            (more if self.price.is_cheap(gap) else gaps).append(gap)
        if self.steps and self.price.keeps(self._split, more):
            longest = max(self._longest, self.price.longest(Spans(more)))
            head = self.price.head(self._titles.with_step(step), longest)
            head -= self.price.head(self._titles.named, self._longest)
            new = self.price.lines(more)
            added = new + sum(map(self.price.gap, gaps)) - self._in_gaps(closed) + head
            return _Growth(closed, gaps, added, new, longest)
        wanted = self.price.whole - Spans.of_parts([*self._gaps[: closed.start], *gaps, *self._gaps[closed.stop :]])
        new = self.price.sent_new(wanted) - self._new
        if new <= 0:
            return None
        return _Growth(closed, gaps, self.price.section(wanted, [*self.steps, step]) - self.bytes, new)

    def _grow(self, step: Step, growth: _Growth) -> None:
        self.steps.append(step)
        self.bytes += growth.bytes
        self._new += growth.new
        self._gaps[growth.closed.start : growth.closed.stop] = growth.gaps
        self._starts[growth.closed.start : growth.closed.stop] = [gap.start for gap in growth.gaps]
        if growth.longest is not None:
            # This lets what `_split` sends fall behind, and nothing else: it is only asked whether anything is.
            self._titles.take(step)
            self._longest = growth.longest
        else:
            self._split = self.price.split(self.wanted)
            self._longest = self.price.longest(self._split.sent)
            self._titles = _Titles(self.steps, self._split.withheld)
