"""Options and profiles of all tests: goldens that refresh on demand, and how hard Hypothesis looks."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)

# The same examples in every run, so that a red test is the change's fault; `--hypothesis-profile=search` looks further.
settings.register_profile(
    "same", deadline=None, max_examples=30, derandomize=True, suppress_health_check=_SLOW, print_blob=True
)
settings.register_profile("search", deadline=None, max_examples=1_000, suppress_health_check=_SLOW, print_blob=True)
settings.load_profile("same")


# A shell that starts the tests in the background has interrupts ignored, by the programs under test too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write the golden files anew instead of comparing")


@pytest.fixture
def update_goldens(request: pytest.FixtureRequest) -> bool:
    """Whether goldens are to be written; what changed then shows as a diff."""
    return bool(request.config.getoption("--update-goldens"))
