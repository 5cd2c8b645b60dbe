"""Draws a file's share as a section: the slices of its source and the gaps between them."""

from __future__ import annotations

from explore.model.plan import Share
from explore.model.section import Block, Part, Section
from explore.model.source import Source
from explore.model.spans import Span
from explore.render.allocate import titles
from explore.render.gaps import Gaps


def build_section(share: Share) -> Section:
    """The section of a share; its text and its spans are read off the same parts."""
    source, gaps = share.menu.source, Gaps(share.menu.source)
    runs = sorted([*((span, True) for span in share.spans), *((gap, False) for gap in gaps.around(share.spans))])
    parts = tuple(_block(source, span) if shown else gaps.of(span) for span, shown in runs)
    return Section(source.path, source.language, source.fingerprint, titles(share.steps), parts)


def _block(source: Source, span: Span) -> Part:
    return Block(span.start, source.lines[span.start - 1 : span.end])
