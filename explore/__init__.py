"""Explore: verbatim, numbered source that answers a question about a repository. Importing it opens nothing."""

from explore.engine import Answer, Options
from explore.errors import BadRequest, BadRoot, ExploreError, IndexUnavailable
from explore.explorer import Explorer

__all__ = ["Answer", "BadRequest", "BadRoot", "ExploreError", "Explorer", "IndexUnavailable", "Options"]
__version__ = "0.1.0"
