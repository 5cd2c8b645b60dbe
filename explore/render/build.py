"""Draws a file's share as a section: the slices of its source, the gaps between, and the pointer to what is held."""

from __future__ import annotations

from collections.abc import Iterator

from explore.model.plan import Share, titles
from explore.model.section import Block, Part, Section, Withheld
from explore.model.source import Source
from explore.model.spans import Span
from explore.render.gaps import Gaps


def build_section(share: Share) -> Section:
    """The section of a share; its text and its spans are read off the same parts."""
    source, split, gaps = share.menu.source, share.split, Gaps(share.menu.source)
    parts = tuple(_in_fence(share, gaps)) if split.sent else ()
    if split.pointed:
        parts = (*parts, gaps.pointer(split, share.question, others=share.others))
    return Section(source.path, source.language, source.fingerprint, titles(share.steps, split.withheld), parts)


def _in_fence(share: Share, gaps: Gaps) -> Iterator[Part]:
    """What stands between the fences, by line."""
    source, split = share.menu.source, share.split
    parts: list[tuple[Span, Part]] = [(span, _block(source, span)) for span in split.sent]
    parts += [(span, Withheld(span)) for span in split.pointed]
    parts += [(span, Withheld(span, new=True)) for span in split.folded if gaps.says_something(span)]
    parts += [(span, gaps.of(span)) for span in gaps.around(share.wanted)]
    return (part for _, part in sorted(parts, key=lambda placed: placed[0]))


def _block(source: Source, span: Span) -> Block:
    return Block(span.start, source.lines[span.start - 1 : span.end])
