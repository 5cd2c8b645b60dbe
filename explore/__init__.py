"""Explore: verbatim, numbered source that answers a question about a repository. Importing it opens nothing."""

from explore.errors import BadRequest, BadRoot, ExploreError, IndexUnavailable
from explore.explorer import Answer, Explorer
from explore.session.record import Session

__all__ = ["Answer", "BadRequest", "BadRoot", "ExploreError", "Explorer", "IndexUnavailable", "Session"]
__version__ = "0.1.0"
