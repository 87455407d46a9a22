# make demo   the whole story, with everything it needs set up first
# make test   lint, types, layers and all tests, with everything they need set up first
# make lint   ruff, mypy and import-linter alone
# make oldest all tests with the oldest versions that pyproject.toml allows
# make docs   the documentation with all its examples run, in docs/_build/html
# make changelog VERSION=0.1.0 [DATE=2026-01-31]  gather changelog.d into CHANGELOG.md
# make clean  remove what the other commands made

PYTHON ?= python3.11
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test oldest lint docs changelog services clean

demo: .venv/demo.stamp
	$(BIN)/rarefind demo --report report.html

test: lint services
	$(BIN)/python -m pytest -n 2

lint: .venv/dev.stamp
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/changelog.py --check

# Old packages warn about new ones that they bring in: that is nothing we could mend.
oldest: .venv-oldest/stamp services
	.venv-oldest/bin/python -m pytest -n 2 -W ignore::DeprecationWarning

changelog: .venv/dev.stamp
	$(BIN)/python scripts/changelog.py $(VERSION) $(DATE)

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

.venv-oldest/stamp: pyproject.toml benchmarks/pyproject.toml scripts/oldest.py
	$(PYTHON) -m venv --clear .venv-oldest
	$(PYTHON) scripts/oldest.py > .venv-oldest/constraints.txt
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check --constraint .venv-oldest/constraints.txt --editable ".[dev]" --editable ./benchmarks
	touch $@

clean:
	rm -rf .venv .venv-oldest .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache docs/_build docs/api docs/examples report.html
