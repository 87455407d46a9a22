# make demo   the whole story, with everything it needs set up first
# make test   lint, types, layers and all tests, with everything they need set up first
# make lint   ruff, mypy and import-linter alone
# make docs   the documentation with all its examples run, in docs/_build/html
# make clean  remove what the other commands made

PYTHON ?= python3.11
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint docs services clean

demo: .venv/demo.stamp
	$(BIN)/rarefind demo --report report.html

test: lint services
	$(BIN)/python -m pytest -n 2

lint: .venv/dev.stamp
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/docs.stamp
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

services: .venv/dev.stamp
	sh scripts/services.sh

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/demo.stamp: pyproject.toml | .venv/bin/python
	$(PIP) --editable ".[parquet,plots]"
	touch $@

.venv/docs.stamp: pyproject.toml benchmarks/pyproject.toml | .venv/bin/python
	$(PIP) --editable ".[docs]" --editable ./benchmarks
	touch $@

.venv/dev.stamp: pyproject.toml benchmarks/pyproject.toml | .venv/bin/python
	$(PIP) --editable ".[dev]" --editable ./benchmarks
	touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache docs/_build docs/api docs/examples report.html
