"""How a Python process of our own is started; it starts none itself."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

_FIRST: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); import explore; del sys.path[0]; from {} import main; main()"
)


def command(module: str) -> tuple[str, ...]:
    """The command that runs `main` of a module of ours, of this very copy.

    With `-P` and without `-m`, no folder it is started in can lend it a module: that may be somebody's repository.
    """
    return sys.executable, "-P", "-c", _FIRST.format(module), str(Path(__file__).parents[2])
