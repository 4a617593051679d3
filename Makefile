# Lapse: everything runs in .venv, made by plain venv and pip from the configured package index.

PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
JOBS ?= 2

# One thread for each linear-algebra call: figures that can be compared, and no fight for cores.
export OPENBLAS_NUM_THREADS := 1
# As root, pip would remind us that this is no system to break; .venv is ours.
export PIP_ROOT_USER_ACTION := ignore

.DEFAULT_GOAL := help
.PHONY: help demo test cover check deep bench scorecard docs clean

help:
	@echo "make demo    install and run the main job, told as a story"
	@echo "make test    every test: behaviour, style, imports, types, documents"
	@echo "make cover   the same, traced: which lines and branches no test reached"
	@echo "make check   the same, step by step, stopping at the first that fails"
	@echo "make deep    what callers, clocks and files may do, searched twenty times as long"
	@echo "make bench   what a core install costs, and how fast recall is"
	@echo "make scorecard   every benchmark in turn; DATA_ROOT=FOLDER names the data sets"
	@echo "make docs    write the generated reference again"
	@echo "make clean   remove .venv, caches and reports"

$(BIN)/python:
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Lapse needs Python 3.11 or later; $(PY) is $$($(PY) -V 2>&1). Try: make PY=python3.11 $(MAKECMDGOALS)"; \
	  exit 1; }
	@echo "making $(VENV) with $(PY)"
	@$(PY) -m venv $(VENV)

$(VENV)/.demo-stamp: pyproject.toml | $(BIN)/python
	@echo "installing lapse with plots (a minute or two)"
	@$(PIP) install -e '.[plots]'
	@touch $@

$(VENV)/.dev-stamp: pyproject.toml | $(BIN)/python
	@echo "installing lapse with its tools for development (a minute or two)"
	@$(PIP) install -e '.[dev]'
	@touch $@

demo: $(VENV)/.demo-stamp
	@$(BIN)/lapse demo

test: $(VENV)/.dev-stamp
	@$(BIN)/python -m pytest -n $(JOBS)

# Apart from `test`, which has to be quick: tracing every branch slows every test.
cover: $(VENV)/.dev-stamp
	@$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term

check: $(VENV)/.dev-stamp
	@echo "== format";  $(BIN)/ruff format --check .
	@echo "== lint";    $(BIN)/ruff check .
	@echo "== imports"; $(BIN)/lint-imports --no-logo --no-cache
	@echo "== types";   $(BIN)/mypy
	@echo "== tests";   $(BIN)/python -m pytest -n $(JOBS) -m 'not house' --ignore=tests/test_docs.py
	@echo "== docs";    $(BIN)/python -m pytest tests/test_docs.py

deep: $(VENV)/.dev-stamp
	@HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest -n $(JOBS) tests/robustness

bench: $(VENV)/.dev-stamp
	@$(BIN)/python -m benchmarks.install
	@if [ -f benchmarks/latency.py ]; then $(BIN)/python -m benchmarks.latency; fi

scorecard: $(VENV)/.dev-stamp
	@$(BIN)/python -m benchmarks.scorecard $(if $(DATA_ROOT),--data-root $(DATA_ROOT))

docs: $(VENV)/.dev-stamp
	@for generator in docs/generate/*.py; do \
		[ -e "$$generator" ] || continue; \
		echo "$$generator"; $(BIN)/python "$$generator" || exit 1; \
	done

clean:
	@rm -rf $(VENV) build dist .coverage .coverage.* htmlcov .hypothesis .bench demo-output \
		.mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	@find src tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +
