"""How large an answer may be, by the size of the project and by what the caller asks for."""

from __future__ import annotations

import pytest

from explore.decay.tiers import MORE_FILES, Envelope, envelope_for, tier_of
from explore.errors import BadRequest

TIERS = [
    (0, 1, 14_300, 21_450, 4),
    (149, 1, 14_300, 21_450, 4),
    (150, 1, 19_800, 25_000, 5),
    (499, 1, 19_800, 25_000, 5),
    (500, 2, 24_000, 25_000, 8),
    (4_999, 2, 24_000, 25_000, 8),
    (5_000, 3, 24_000, 25_000, 8),
    (14_999, 3, 24_000, 25_000, 8),
    (15_000, 4, 24_000, 25_000, 8),
    (24_999, 4, 24_000, 25_000, 8),
    (25_000, 5, 24_000, 25_000, 8),
    (10_000_000, 5, 24_000, 25_000, 8),
]


@pytest.mark.parametrize(("files", "calls", "envelope", "ceiling", "max_files"), TIERS)
def test_a_project_of_so_many_files(files: int, calls: int, envelope: int, ceiling: int, max_files: int) -> None:
    """Each size has its calls before answers shrink, its envelope and ceiling, and its files."""
    assert tier_of(files).calls == calls
    assert envelope_for(files) == Envelope(envelope, ceiling, max_files, envelope, more_files=MORE_FILES)


@pytest.mark.parametrize("max_bytes", [1_000, 1_001, 24_999, 25_001, 50_000])
@pytest.mark.parametrize("files", [0, 149, 500, 25_000])
def test_an_explicit_size_is_envelope_and_ceiling_at_once(files: int, max_bytes: int) -> None:
    assert envelope_for(files, max_bytes=max_bytes) == Envelope(
        max_bytes, max_bytes, tier_of(files).max_files, max_bytes, exact=True
    )


@pytest.mark.parametrize("max_bytes", [999, 50_001, 0, -1, 10**9])
def test_a_size_out_of_its_range_is_a_readable_error(max_bytes: int) -> None:
    with pytest.raises(BadRequest, match=f"max_bytes must be from 1,000 to 50,000, not {max_bytes:,}"):
        envelope_for(1, max_bytes=max_bytes)


@pytest.mark.parametrize("max_files", [1, 4, 40])
def test_a_number_of_files_is_taken_as_given(max_files: int) -> None:
    assert envelope_for(1, max_files=max_files) == Envelope(14_300, 21_450, max_files, 14_300)
    assert envelope_for(1, 2_000, max_files) == Envelope(2_000, 2_000, max_files, 2_000, exact=True)


@pytest.mark.parametrize("max_files", [0, 41, -3])
def test_a_number_of_files_out_of_its_range_is_a_readable_error(max_files: int) -> None:
    with pytest.raises(BadRequest, match=f"max_files must be from 1 to 40, not {max_files}"):
        envelope_for(1, max_files=max_files)
