# Two commands for a fresh machine: `make site` builds and shows the product, `make test` proves it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The committed site holds the shipped guides alone, whatever this machine's user has of their own.
EMPTY_HOME := $(CURDIR)/.tools/empty-home

# Each start would compile all it loads: commands and tests take several times as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: examples site serve test test-all test-slow check figures format clean

site: $(VENV)/.installed
	FIELDGUIDE_HOME=$(EMPTY_HOME) $(BIN)/fieldguide build
	@echo "Browse it: open site/index.html in a browser, or run 'make serve'."

serve: $(VENV)/.installed
	$(BIN)/fieldguide serve

test: $(VENV)/.tests-installed
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow"

test-all: test test-slow

test-slow: $(VENV)/.tests-installed
	PYTHON=$(BIN)/python tests/install/heavy.sh
	$(BIN)/python -m pytest -n auto --dist loadgroup -m slow

check: $(VENV)/.tests-installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	FIELDGUIDE_HOME=$(EMPTY_HOME) $(BIN)/fieldguide check
	FIELDGUIDE_HOME=$(EMPTY_HOME) $(BIN)/fieldguide build --check

figures: $(VENV)/.installed
	$(BIN)/python -m generator.proofs.figures

format: $(VENV)/.tests-installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[all]"
	touch $@

$(VENV)/.tests-installed: $(VENV)/.installed tests/install/browser.sh tests/install/node.sh
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group dev
	PYTHON=$(BIN)/python tests/install/browser.sh
	tests/install/node.sh
	touch $@

# Runs every tool's example and writes the answers that the reference shows.
examples: $(VENV)/.tests-installed
	$(BIN)/python -m tests.handbook.examples

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
