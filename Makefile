# make demo   the whole story, with everything it needs set up first
# make test   lint, types, layers and all tests, with everything they need set up first
# make lint   ruff, mypy, import-linter, and prettier and tsc over the page, alone
# make oldest all tests with the oldest versions that pyproject.toml allows
# make docs   the documentation with all its examples run, in docs/_build/html
# make changelog VERSION=0.1.0 [DATE=2026-01-31]  gather changelog.d into CHANGELOG.md
# make clean  remove what the other commands made

PYTHON ?= python3.11
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Node comes from a wheel, so that a machine with Python alone can check the page.
NODE := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/node
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/npm
PAGE := src/rarefind/web/static src/rarefind/notebook

.PHONY: demo test oldest lint docs changelog services clean

demo: .venv/demo.stamp
	$(BIN)/rarefind demo --report report.html

# Each of the two begins with a half of its own and takes over from the other when it is done, so
# that servers, browsers and clusters which neighbouring tests share are started once.
TOGETHER := -n 2 --dist worksteal

test: lint services
	$(BIN)/python -m pytest $(TOGETHER)

lint: .venv/dev.stamp node_modules/page.stamp
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/changelog.py --check
	$(NODE) node_modules/prettier/bin/prettier.cjs --check --log-level warn $(PAGE)
	$(NODE) node_modules/typescript/bin/tsc --project tsconfig.json

# Old packages warn about new ones that they bring in: that is nothing we could mend.
oldest: .venv-oldest/stamp services
	.venv-oldest/bin/python -m pytest $(TOGETHER) -W ignore::DeprecationWarning

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
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check --constraint .venv-oldest/constraints.txt --editable ".[test]" --editable ./benchmarks
	touch $@

# Certificates are those of the machine, as everywhere else: npm alone brings its own list.
node_modules/page.stamp: package.json package-lock.json .npmrc | .venv/dev.stamp
	NODE_OPTIONS=--use-system-ca $(NPM) ci --ignore-scripts --loglevel=error
	touch $@

clean:
	rm -rf .venv .venv-oldest node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache docs/_build docs/api docs/examples report.html
