SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Installing is two-stepped: serving needs ten small packages, developing needs all of them.
RUN_STAMP := $(VENV)/.stamp-run
DEV_STAMP := $(VENV)/.stamp-dev
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL_SELF := $(PIP) install --no-deps --no-build-isolation --editable .
# Folders appear one by one; a tool that is given a missing one stops.
TYPED := $(wildcard src tests harness bench loadtest tools conformance clients/python)
PYTEST_ARGS ?=

.PHONY: help
help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Python 3.11 or newer is needed; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo not there)." >&2; \
	  echo "Name another one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@echo "Making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "Could not make $(VENV); on Debian: apt-get install python3-venv" >&2; exit 1; }

$(RUN_STAMP): requirements.lock requirements-build.lock pyproject.toml | $(BIN)/python
	@echo "Installing what the service needs ..."
	@$(PIP) install --require-hashes -r requirements.lock -r requirements-build.lock
	@$(INSTALL_SELF)
	@touch $@

$(DEV_STAMP): requirements-dev.lock pyproject.toml clients/python/pyproject.toml | $(BIN)/python
	@echo "Installing what developing needs (a minute the first time) ..."
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@$(INSTALL_SELF) --editable clients/python
	@touch $(RUN_STAMP) $@

.PHONY: setup
setup: $(DEV_STAMP) ## Install everything into .venv; the other targets do so when they must
	@echo "Ready in $(VENV)."

.PHONY: run
run: $(RUN_STAMP) ## Serve this machine on port 50051, metrics on 9464
	@$(BIN)/tarneeb-service serve --host localhost --metrics-host localhost

GATEWAY_PORT ?= 8080
.PHONY: gateway
gateway: $(DEV_STAMP) ## Run Envoy before `make run`: gRPC-Web, Connect and JSON on GATEWAY_PORT=8080 (downloads it once)
	@$(BIN)/python -m tools.gateway --port $(GATEWAY_PORT)

.PHONY: demo
demo: $(DEV_STAMP) ## Play 200 games through a real server, held against the oracle
	@$(BIN)/python -m tools.demo

.PHONY: test
test: $(DEV_STAMP) ## Run the tests (PYTEST_ARGS='-k word' for some of them)
	@$(BIN)/python -m pytest -n 2 $(PYTEST_ARGS)

.PHONY: conformance
conformance: $(DEV_STAMP) ## Run the conformance vectors against a real server
	@$(BIN)/python -m tools.conformance

FUZZ_SECONDS ?= 300
.PHONY: fuzz
fuzz: $(DEV_STAMP) ## Send a real server garbage, for FUZZ_SECONDS=300
	@$(BIN)/python -m tools.fuzz --seconds $(FUZZ_SECONDS)

.PHONY: mutants
mutants: $(DEV_STAMP) ## Change the rules in small ways and count the changes that no test notices
	@$(BIN)/mutmut run && $(BIN)/mutmut results

.PHONY: check-deploy
check-deploy: $(DEV_STAMP) ## Check deploy/ for real: schemas, linters, Prometheus, Envoy (Debian, Go; downloads; CHECKS=quick)
	@$(BIN)/python -m tools.check_deploy $(CHECKS)

.PHONY: chart-check
chart-check: $(DEV_STAMP) ## Render the Helm chart and compare it with the base (builds Helm: needs Go)
	@$(BIN)/python -m tools.chart.compare
	@$(BIN)/python -m tools.chart.route
	@$(BIN)/python -m pytest tests/deploy/test_chart.py

.PHONY: image-check
image-check: $(DEV_STAMP) ## Build both images without a registry, run them and ask (Debian, root; downloads)
	@$(BIN)/python -m tools.image_check

.PHONY: clients
clients: $(DEV_STAMP) ## Run the first calls in every language whose tools are here (Go, Node)
	@$(BIN)/python -m tools.first_call

# By the environment, so that no shell reads a caller's path.
LANGUAGE =
OUT =
.PHONY: stubs
stubs: export LANGUAGE := $(LANGUAGE)
stubs: export OUT := $(OUT)
stubs: $(DEV_STAMP) ## Generate code for a caller: LANGUAGE=go OUT=../mygame/gen (downloads generators; Debian as root)
	@$(BIN)/python -m tools.stubs.generate

.PHONY: stubs-check
stubs-check: $(DEV_STAMP) ## Generate every language, compile or load what can be (Go, Java, Node, Rust; Debian as root)
	@$(BIN)/python -m tools.stubs.check $(LANGUAGES)

.PHONY: test-clients
test-clients: $(DEV_STAMP) ## Run every client against one server (CLIENTS='go rust' for some of them); C++ installs Debian packages
	@$(BIN)/python -m tools.clients $(CLIENTS)

.PHONY: lint
lint: $(DEV_STAMP) ## Check style, and the contract against the last release: ruff and buf
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/buf lint
	@$(BIN)/buf format --diff --exit-code
	@$(BIN)/buf breaking --against proto/released/tarneeb.binpb

.PHONY: format
format: $(DEV_STAMP) ## Put style right where a tool can
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format --quiet
	@$(BIN)/buf format --write

.PHONY: type
type: $(DEV_STAMP) ## Check types: mypy, strict
	@$(BIN)/mypy $(TYPED)

.PHONY: proto
proto: $(DEV_STAMP) ## Generate src/tarneeb, docs/reference.md and the descriptors in deploy/ from proto/
	@$(BIN)/python -m tools.generate
	@$(BIN)/python -m tools.reference
	@$(BIN)/python -m tools.deploy_files
	@$(BIN)/python -m tools.chart

.PHONY: generated
generated: $(DEV_STAMP) ## Check that everything generated is up to date
	@$(BIN)/python -m tools.generate --check
	@$(BIN)/python -m tools.reference --check
	@$(BIN)/python -m tools.deploy_files --check
	@$(BIN)/python -m tools.chart --check
	@$(BIN)/python -m tools.release --check
	@$(BIN)/python -m conformance.statements --check
	@$(BIN)/python -m tools.include --check

.PHONY: release
release: $(DEV_STAMP) ## Write the version of pyproject.toml wherever it is shown, keep the contract in proto/released
	@$(BIN)/python -m tools.release

.PHONY: all
all: test lint type generated conformance ## What CI runs, but for deploy/, the chart and the image

.PHONY: bench
bench: $(DEV_STAMP) ## Measure speed, about half an hour (BENCH=quick: ten minutes); installs and builds a client in C++ (Debian)
	@BENCH=$(BENCH) $(BIN)/python -m bench

.PHONY: bench-guard
bench-guard: $(DEV_STAMP) ## Half a minute of ratios that must not fall; the same client
	@$(BIN)/python -m bench.guard

# Not ?=: some shells export a HOST of their own.
HOST =
MIX = everyday
LOADTEST_ARGS ?=
.PHONY: loadtest
loadtest: $(DEV_STAMP) ## Load a service, HOST=host:port or one of its own (MIX=games; LOADTEST_ARGS=--help)
	@$(BIN)/python -m loadtest --host "$(HOST)" --mix "$(MIX)" $(LOADTEST_ARGS)

.PHONY: loadtest-check
loadtest-check: $(DEV_STAMP) ## Try Locust, ghz, grpcurl and buf on a server, each shortly (Go; downloads)
	@$(BIN)/python -m loadtest.check

# The others are cut from the dev lock, so all agree; the one of tracing is for an image that traces. Only developing draws in terminals and traces.
COMPILE := UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --generate-hashes \
	--no-annotate --no-emit-index-url --no-emit-find-links --python-version 3.11 $(LOCK_ARGS)
.PHONY: lock
lock: $(DEV_STAMP) ## Pin the dependencies anew (LOCK_ARGS=--upgrade for newer ones)
	@$(COMPILE) pyproject.toml --group dev --extra terminal --extra tracing --output-file requirements-dev.lock
	@$(COMPILE) pyproject.toml --constraints requirements-dev.lock --output-file requirements.lock
	@$(COMPILE) pyproject.toml --extra tracing --constraints requirements-dev.lock --output-file requirements-tracing.lock
	@$(COMPILE) --group build --constraints requirements-dev.lock --output-file requirements-build.lock
	@$(COMPILE) --no-deps bench/peers/open_spiel.in --output-file bench/peers/open_spiel.lock
	@$(COMPILE) bench/peers/rlcard.in --output-file bench/peers/rlcard.lock
	@$(COMPILE) --group loadtest --constraints requirements-dev.lock --output-file loadtest/requirements.lock
	@$(COMPILE) --no-deps tools/stubs/protoc.in --output-file tools/stubs/protoc.lock
	@$(COMPILE) --resolution lowest-direct clients/python/pyproject.toml --output-file clients/python/floors.lock
	@$(COMPILE) clients/cpp/lint.in --output-file clients/cpp/lint.lock

.PHONY: clean
clean: ## Remove what these targets made, .venv too
	@rm -rf $(VENV) build dist .coverage htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache mutants
	@rm -rf clients/typescript/node_modules clients/typescript/gen clients/typescript/dist
	@find src tests harness bench loadtest tools conformance -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
