"""The curve by which answers shrink: it never rises, keeps to its floor, and looks at nothing but counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.decay.curve import LEAST_SHARE, decayed, share_of
from explore.decay.tiers import TIERS, envelope_for

numbers = st.integers(0, 10**6)
sizes = st.integers(0, 60_000)


@given(numbers, numbers, st.integers(0, 9))
def test_it_never_rises_with_the_number_and_never_falls_under_its_floor(one: int, other: int, calls: int) -> None:
    earlier, later = share_of(min(one, other), calls), share_of(max(one, other), calls)
    assert LEAST_SHARE <= later <= earlier <= 1.0


@given(sizes, numbers)
def test_of_an_envelope_only_its_bytes_shrink(files: int, number: int) -> None:
    whole = envelope_for(files)
    now = decayed(whole, files, number)
    assert round(LEAST_SHARE * whole.bytes) <= now.bytes <= whole.bytes
    assert (now.ceiling, now.max_files, now.full, now.exact) == (whole.ceiling, whole.max_files, whole.bytes, False)
    assert decayed(now, files, number) == now


@given(sizes, numbers, st.integers(1_000, 50_000))
def test_bytes_that_the_caller_set_stay(files: int, number: int, max_bytes: int) -> None:
    exact = envelope_for(files, max_bytes)
    assert decayed(exact, files, number) == exact


@pytest.mark.parametrize(
    ("over", "share"), [(-3, 1.0), (0, 1.0), (1, 0.7), (2, 0.49), (3, 0.35), (4, 0.35), (10**400, 0.35)]
)
@pytest.mark.parametrize("tier", TIERS)
def test_after_the_calls_of_a_tier(tier: object, over: int, share: float) -> None:
    calls = next(each.calls for each in TIERS if each is tier)
    assert share_of(calls + over, calls) == pytest.approx(share)


@pytest.mark.parametrize(
    ("files", "sizes"),
    [
        (1, [14_300, 10_010, 7_007, 5_005, 5_005]),
        (150, [19_800, 13_860, 9_702, 6_930, 6_930]),
        (500, [24_000, 24_000, 16_800, 11_760, 8_400]),
        (25_000, [24_000, 24_000, 24_000, 24_000, 24_000, 16_800, 11_760, 8_400, 8_400]),
    ],
)
def test_the_answers_of_a_conversation(files: int, sizes: list[int]) -> None:
    assert [decayed(envelope_for(files), files, number).bytes for number in range(1, len(sizes) + 1)] == sizes
