"""How long each stage takes on a fixture; it asserts no time, since machines differ and are noisy."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from explore.explorer import Explorer

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
QUESTION = "how is overtime paid for hourly employees"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Explorer]:
    """The payroll fixture, indexed, in a folder of its own."""
    root = tmp_path / "payroll"
    shutil.copytree(FIXTURES / "payroll", root)
    with Explorer.open(root, exact=True) as explorer:
        explorer.sync()
        yield explorer


def test_index_from_nothing(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """Scan, parse and write all files."""

    def set_up() -> tuple[tuple[Path], dict[str, object]]:
        root = tmp_path / "payroll"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(FIXTURES / "payroll", root)
        return (root,), {}

    def index(root: Path) -> None:
        with Explorer.open(root, exact=True) as explorer:
            explorer.sync()

    benchmark.pedantic(index, setup=set_up, rounds=5)


def test_nothing_changed(benchmark: BenchmarkFixture, project: Explorer) -> None:
    """Find out that no file changed."""
    assert benchmark(project.sync).indexed == 0


def test_one_file_changed(benchmark: BenchmarkFixture, project: Explorer) -> None:
    """Take one changed file into the index."""
    file = project.root / "internal/payrun/overtime.go"
    text = file.read_text()
    versions = iter(range(10_000))

    def edit() -> None:
        file.write_text(f"{text}\n// {next(versions)}\n")

    assert benchmark.pedantic(project.sync, setup=edit, rounds=10).indexed == 1


def test_rank(benchmark: BenchmarkFixture, project: Explorer) -> None:
    """Question to ranked files and symbols."""
    assert benchmark(lambda: project.search(QUESTION, refresh=False)).files


def test_answer(benchmark: BenchmarkFixture, project: Explorer) -> None:
    """Question to text."""
    assert benchmark(lambda: project.explore(QUESTION, refresh=False)).emission.files
