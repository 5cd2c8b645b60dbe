"""The load benchmark in its short form: several agents at one server while files change and workers are killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="it looks for the server's workers in /proc")
def test_no_answer_is_wrong_while_files_change_and_workers_are_killed() -> None:
    words = [sys.executable, "-m", "benchmarks.load", "--repo", "fixtures/payroll", "--clients", "10", "--calls", "8"]
    done = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "80 calls in " in done.stdout
    assert " 0 wrong pointers, 0 misquoted, 0 refused" in done.stdout
