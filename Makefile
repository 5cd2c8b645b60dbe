# Set-up is part of every target: a virtual environment of the project's own, made again when what it is made from changes.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,$(if $(shell $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo ok),$(name))))
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check bench speed lock clean

demo: $(READY)
	$(BIN)/codegraph-explore demo

test: check
	$(BIN)/python -m pytest

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python benchmarks/conversations.py $(if $(PEER),--peer "$(PEER)")

speed: $(READY)
	$(BIN)/python -m pytest benchmarks --benchmark-enable --benchmark-only

$(READY): requirements/dev.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "CPython 3.11 or later is needed: install it, or say where it is with PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

# Needs uv: resolves for every supported interpreter and platform at once.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --group dev pyproject.toml --output-file requirements/dev.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis .import_linter_cache
