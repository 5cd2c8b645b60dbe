"""The errors a caller can act on; each carries the one sentence that a person reads."""

from __future__ import annotations


class ExploreError(Exception):
    """Something the caller can mend: the message says what and how."""


class BadRequest(ExploreError):
    """An argument is missing, malformed or out of its range."""


class BadRoot(ExploreError):
    """The path given as a project is not a directory that can be read."""


class IndexUnavailable(ExploreError):
    """The index can be neither read nor built here."""


class CallLost(ExploreError):
    """The processes that were to answer a call ended before they did."""
