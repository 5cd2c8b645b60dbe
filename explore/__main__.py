"""`python -m explore`: the command line; it is only ever run."""

from explore.cli.main import run

run()
