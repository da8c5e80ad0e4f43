# Everything starts here: `make help` lists what there is. Each target sets up what it needs by itself.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*\#\#.*/\1/p' Makefile)

BIN := .venv/bin
# Tests wait for servers and processes half of their time: three at once, each file by one process (tests/distribution.py).
SHARED_OUT := -n 3 --dist loadfile --no-loadscope-reorder
export DO_NOT_TRACK := 1
# What Python compiles is kept: otherwise each process of the tests writes the assertions of all files anew, for eight seconds.
unexport PYTHONDONTWRITEBYTECODE
export PREFECT_SERVER_ANALYTICS_ENABLED := false
test test-fast test-deployments: export WITH_BROWSER := 1

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' Makefile

setup:  ## make .venv and install missing Debian packages (every target does it too)
	@deployments/setup.sh

demo: setup  ## draw a small corpus, refresh, edit, refresh, search, evaluate
	@$(BIN)/python -m demo.run

test: lint  ## lint, types, import rules and all tests, as CI does
	$(BIN)/pytest $(SHARED_OUT) -m "not long"

test-fast: setup  ## the tests that take less than ten seconds each
	$(BIN)/pytest $(SHARED_OUT) -m "not slow and not long"

test-interrupts: setup  ## 50 commands interrupted at random moments by SIGINT, SIGTERM and SIGKILL
	TEST_INTERRUPTS=50 $(BIN)/pytest tests/interrupts

test-requests: setup  ## 10,000 drawn conditions on a real table, and 7,500 requests to a real server (minutes)
	TEST_REQUESTS=10000 $(BIN)/pytest tests/tasks/search/conditions
	TEST_REQUESTS=2500 $(BIN)/pytest tests/flows/serving/test_requests.py

test-deployments: setup  ## all tests of deployments, alarms, the form in a browser, and docs/operations.md (minutes)
	$(BIN)/pytest tests/deployments

test-soak: setup  ## kill every command at every write, and play 300 long nights (hours)
	$(BIN)/python -m tests.soak.long_nights

test-damage: setup  ## damage 300 drawn files of a corpus, restore 50 backups: all is found, nothing repaired wrongly
	TEST_DAMAGES=300 TEST_BACKUPS=50 $(BIN)/pytest tests/flows/whole

test-access: setup  ## 1,000 drawn corpora, groups, principals and questions: no door tells what may not be read (half an hour)
	TEST_LEAKS=1000 $(BIN)/pytest tests/flows/access

test-fuzz: setup  ## 10,000 damaged PDFs in confined workers: each is read or refused, and no worker dies of it (an hour)
	TEST_FUZZ=10000 $(BIN)/pytest tests/tasks/parse/pdf/io/test_mutated.py

test-store: setup  ## run the tests of a refresh once more with corpora in an object store, SeaweedFS on loopback
	TEST_STORE=1 $(BIN)/pytest tests/flows/faults/test_idempotence.py tests/flows/faults/test_kill.py tests/flows/faults/test_nothing_lost.py \
	  tests/flows/faults/test_two_at_once.py tests/flows/test_generations.py tests/flows/candidates tests/flows/stores

test-sources: setup  ## refresh from real servers of twelve kinds, from rows and sites, with faults on the way (minutes)
	$(BIN)/uv pip install --quiet -r pyproject.toml --extra test-sources
	! command -v npm >/dev/null || npm install --silent --no-fund --no-audit --prefix .venv/npm azurite@3.37.0
	TEST_SOURCES=1 $(BIN)/pytest tests/flows/sources

test-dask: setup  ## lose Dask workers and flows in every step, on real schedulers and workers (minutes)
	WITH_DASK=1 $(BIN)/pytest tests/flows/dask

test-traces: setup  ## run every command under strace: none connects but to loopback, none writes elsewhere (minutes)
	$(BIN)/pytest tests/traces

test-others: setup  ## install LangChain, LlamaIndex, DuckDB, Polars, datasets; run what docs/others.md and delivery.md show
	$(BIN)/uv pip install --quiet -r pyproject.toml --extra others
	$(BIN)/pytest tests/flows/readers

lint: setup  ## ruff, mypy --strict, import rules; and a list of what is unusually large
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports
	@$(BIN)/python -m tests.sizes

format: setup  ## put the code into its form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

up: setup  ## start a Prefect server, work pool and worker on loopback (PAGEMILL_PORT=4200)
	@deployments/server.sh up

# NAME counts only where it is written behind make: in the environment others use it for something else.
ifeq ($(origin NAME),command line)
deploy: export PAGEMILL_NAME := $(NAME)
BENCH := $(NAME)
endif
deploy: setup  ## deploy the corpora of pagemill.toml, or one (NAME=… PAGEMILL_SOURCE=… PAGEMILL_CORPUS=…); else the demo's
	@deployments/server.sh deploy

status: setup  ## say whether server and worker run
	@deployments/server.sh status

down:  ## stop what `make up` started
	@deployments/server.sh down

docs: setup  ## build the documentation as a site, into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "open site/index.html, or search it too: $(BIN)/python -m http.server --bind 127.0.0.1 --directory site"

constraints: setup  ## write constraints.txt and docs/licences.md anew from .venv
	@deployments/constraints.sh

release: setup  ## check version, changelog and lock; make dist/ (wheel, and SBOM in CycloneDX); tag the commit
	@deployments/release.sh

bench: setup  ## run one benchmark (NAME=parsing ARGS=… PAGEMILL_BENCH=…); without NAME, list them
	@$(BIN)/python -m benchmarks $(BENCH) $(ARGS)
