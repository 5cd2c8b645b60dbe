"""Explore: verbatim, numbered source that answers a question about a repository. Importing it opens nothing, and loads
only what is asked for: a host's hook runs at every call."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from explore.errors import BadRequest, BadRoot, ExploreError, IndexUnavailable
    from explore.explorer import Answer, Explorer
    from explore.session.record import Session

__all__ = ["Answer", "BadRequest", "BadRoot", "ExploreError", "Explorer", "IndexUnavailable", "Session"]
__version__ = "0.1.0"

_PLACES: Final = {
    "Answer": "explore.explorer",
    "BadRequest": "explore.errors",
    "BadRoot": "explore.errors",
    "ExploreError": "explore.errors",
    "Explorer": "explore.explorer",
    "IndexUnavailable": "explore.errors",
    "Session": "explore.session.record",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
