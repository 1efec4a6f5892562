# Two commands for a new user: `make up [PROJECT=…]` and `make test`. `make help` lists the rest.
PYTHON  ?= python3
VENV    ?= .venv
PROJECT ?= $(CURDIR)
BIN     := $(VENV)/bin
JOBS    ?= 2
SCALE   ?= 1
SECONDS ?= 300

.DEFAULT_GOAL := help
.PHONY: help env up down test lint types unit bench bench-inject mutants torture e2e fuzz schemas clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

env: $(VENV)/.tested ## the environment of a contributor, made once and again whenever pyproject.toml changes

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "navlog needs Python 3.11 or newer; $(PYTHON) is older."; \
	       echo "Nothing was changed."; echo "Name another one:  make $(MAKECMDGOALS) PYTHON=python3.12"; exit 2; }
	@echo "  environment ............. being made in $(VENV), which happens once"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'setuptools>=77'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@
	@echo "  environment ............. ready"

$(VENV)/.tested: $(VENV)/.ready
	@echo "  tools for the tests ..... being installed, which happens once"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@
	@echo "  tools for the tests ..... ready"

up: $(VENV)/.ready ## start the daemon, index PROJECT (default: this checkout), show a sample answer
	@$(BIN)/navlog up "$(PROJECT)" --sample

down: $(VENV)/.ready ## stop the daemon
	@$(BIN)/navlog down

test: lint types unit ## everything the gate runs

lint: env
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: env
	@$(BIN)/mypy -p navlog
	@$(BIN)/mypy tests

unit: env
	@$(BIN)/pytest -n $(JOBS)

mutants: env ## faults put in on purpose: the tests must fail on each (minutes)
	@$(BIN)/python benchmarks/mutants.py

torture: env ## the promises against the real kernel, as root (ONLY="R1 R9", SCALE=0.1; <= 15 minutes)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,torture]'
	@PYTHONPATH=tests $(BIN)/python -m torture $(ONLY) --scale $(SCALE) $(if $(JSON),--json $(JSON))

e2e: env ## real coding clients against a scripted model, as root (ONLY="codex pi"; installs them from npm)
	@PYTHONPATH=tests $(BIN)/python -m e2e $(ONLY) $(if $(JSON),--json $(JSON))

fuzz: env ## line, request and outline decoding under a fuzzer (SECONDS=300 in all)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,fuzz]'
	@PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(SECONDS) $(ONLY)

schemas: env ## write schemas/json/ anew from the structs
	@$(BIN)/python .ci/export_schemas.py

bench: env ## what docs/benchmarks.md shows, measured anew on this machine (hours)
	@for one in indexing answering appending replaying growth idle soak listening hooking profiles tailing; do $(BIN)/python benchmarks/$$one.py || exit; done

bench-inject: env ## real tasks through whole hooks: 100 x 3 (CASES=FILE MIRROR=FOLDER of owner+name/repo)
	@test -n "$(CASES)" -a -n "$(MIRROR)" || { echo "Say which:  make bench-inject CASES=cases.jsonl MIRROR=FOLDER"; exit 2; }
	@$(BIN)/python -m benchmarks.injecting "$(CASES)" "$(MIRROR)"

clean: ## remove the environment and caches (never the data home)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build *.egg-info
