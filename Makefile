# `make` alone lists what there is. Nothing has to be done before `make test` or `make demo`.

PYTHON ?= $(shell .ci/which-python)
# Locks are resolved with the oldest Python supported, so that nothing only it needs is missing: Debian 12 has 3.11.2.
LOCK_PYTHON ?= $(firstword $(wildcard /usr/bin/python3.11) python3.11)
PIP_TOOLS := pip-tools==7.6.2
RELEASE_TOOLS := cyclonedx-bom==7.5.0 pip-audit==2.10.1

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
# Narrow a test run: make test TESTS=tests/engine ARGS='-k burn -x'
TESTS ?=
ARGS ?=

# Tests wait for processes, browsers and wires half of their time: two of them keep a core busy. Which file is taken after
# which is said in tests/conftest.py.
WORKERS ?= $(shell echo $$(( $$(nproc) * 2 )))
# Most of the slow tests play whole tables over their wires, and wait nearly all of the time.
SLOW_WORKERS ?= $(shell echo $$(( $$(nproc) * 4 )))
SHARED = --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder
# Tests start hundreds of processes; without bytecode beside the sources, each of these compiles all of them anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup system-deps demo demo-pit run test test-wide test-machine test-slow test-all mutants check format docs handbook messages versions sizes screenshots deb bench bench-fleet measure lock audit sbom repository clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: .venv/.installed ## .venv with every package checked against its hash, and tablectl itself

.venv/.made:
	@.ci/make-venv $(PYTHON) .venv
	@touch $@

.venv/.packages: .venv/.made requirements-dev.lock
	@echo "installing the packages of requirements-dev.lock"
	@$(PIP) install --quiet --require-hashes --requirement requirements-dev.lock
	@touch $@

.venv/.installed: .venv/.packages pyproject.toml
	@$(PIP) install --quiet --no-deps --no-index --no-build-isolation --editable .
	@touch $@

system-deps: ## Chromium, fonts, libnfc's nfc-list, umockdev and PostgreSQL for the tests, installed where that is allowed
	@.ci/system-deps

demo: setup ## a simulated table, the real controller and its screens
	@$(BIN)/tablectl demo $(ARGS)

demo-pit: setup ## six simulated tables and the pit server's overview (ARGS="--postgres" or "--mqtt" with Debian's packages)
	@$(BIN)/python -m simulators.fleet.demo $(ARGS)

run: setup ## how to run a real table
	@echo "one table:     $(BIN)/tablectl run CONFIG.toml"
	@echo "check a file:  $(BIN)/tablectl check-config CONFIG.toml"
	@echo "as a service:  systemd/tablectl@.service"

test: setup system-deps ## every promise, shown once: in less than five minutes
	@$(BIN)/python -m pytest -m "not slow and not wide and not machine" --hypothesis-profile few $(SHARED) $(ARGS) $(TESTS)

test-wide: setup system-deps ## what `make test` does in one way, in all others: every page, game, device and more examples (minutes)
	@$(BIN)/python -m pytest -m "(wide or hypothesis) and not slow and not machine" $(SHARED) $(ARGS) $(TESTS)

test-machine: setup ## a Debian in a container, as root: install, kill, freeze, upgrade, roll back, purge (minutes)
	@.ci/machine-deps
	@$(BIN)/python -m pytest -m "machine and not slow" --timeout 600 tests/system $(ARGS)

test-slow: setup system-deps ## what takes longer: every hand file in every way, fuzzing, pictures, the kiosk, arm64 (half an hour)
	@.ci/machine-deps emulated
	@status=0; \
	$(BIN)/python -m pytest -m slow --timeout 0 --deselect tests/system --numprocesses $(SLOW_WORKERS) --dist worksteal $(ARGS) $(TESTS) || status=1; \
	$(BIN)/python -m pytest -m slow --timeout 0 $(ARGS) tests/system || status=1; \
	exit $$status

test-all: setup system-deps ## everything at every durable point, 100,000 examples a property (many hours)
	@.ci/machine-deps emulated
	@$(BIN)/python -m pytest --hypothesis-profile all --timeout 0 $(ARGS) $(TESTS)

mutants: setup ## small mistakes put into the code: how many of them the tests notice (docs/mutants.md; ARGS=people for one module)
	@$(BIN)/python -m tests.mutants $(ARGS)

check: setup ## ruff, mypy, import-linter: all of them, then the verdict
	@failed=; \
	$(BIN)/ruff check || failed="$$failed ruff-check"; \
	$(BIN)/ruff format --check || failed="$$failed ruff-format"; \
	$(BIN)/mypy || failed="$$failed mypy"; \
	$(BIN)/lint-imports || failed="$$failed lint-imports"; \
	if [ -n "$$failed" ]; then echo "check: failed:$$failed" >&2; exit 1; fi; \
	echo "check: all good"

format: setup ## ruff: order the imports, format the code
	@$(BIN)/ruff check --select I --fix
	@$(BIN)/ruff format

docs: setup ## the pages of docs/rulebooks, and what of the other pages follows from the program
	@$(BIN)/tablectl rules --pages docs/rulebooks
	@$(BIN)/python -m tests.tools.handbook
	@$(BIN)/python -m tests.setup.test_transcript
	@$(BIN)/python -m tests.tools.fault_matrix

handbook: setup ## all pages of docs/ into build/docs, to be read from a folder; a broken link fails
	@$(BIN)/python -m sphinx --builder html --quiet --fail-on-warning --keep-going --doctree-dir build/doctrees docs build/docs
	@echo "build/docs/index.html"

messages: setup ## the gettext catalogues brought in step and compiled (ARGS='--begin fr' for another language)
	@$(BIN)/python -m tests.tools.messages $(ARGS)

versions: setup ## the digests of all hand files, after a number in tablectl/core/engine/versions.py was raised or hand files were added
	@$(BIN)/python -m tests.engine.recorded_versions

sizes: setup system-deps ## what does not fit on a screen: every page, in every state, size and language (ARGS="--quick --where")
	@$(BIN)/python -m tests.tools.sizes $(ARGS)

screenshots: setup system-deps ## the pictures of the README, of docs/screens.md and of docs/fleet.md, made by the browser tests
	@folder=$$(mktemp -d) && TABLECTL_SCREENSHOTS="$$folder" $(BIN)/python -m pytest -q tests/screens/test_browser.py && \
	for name in pit-held croupier croupier-tilt pit-recall technician; do cp "$$folder/$$name.png" docs/images/ || exit; done && \
	rm -r "$$folder"
	@TABLECTL_SCREENSHOTS=docs/images/screens $(BIN)/python -m pytest -q tests/screens/test_pictures.py -k picture_is_made
	@TABLECTL_SCREENSHOTS=docs/images $(BIN)/python -m pytest -q tests/evidence/test_verifier_browser.py -k fits_on_paper
	@TABLECTL_SCREENSHOTS=docs/images/overview $(BIN)/python -m pytest -q tests/overview/test_browser.py -k can_be_read

deb: ## the Debian package, into build/deb (ARCH=arm64 for another machine)
	@.ci/make-deb $(ARCH)

.venv-table/.installed: requirements.lock requirements-dev.lock pyproject.toml
	@.ci/make-table-venv $(PYTHON) .venv-table
	@touch $@

bench: setup .venv-table/.installed ## how long a card takes, and how long beside an uplink whose pit server is healthy, dead, slow or lying
	@status=0; \
	$(BIN)/python -m simulators.stage.bench --python .venv-table/bin/python $(ARGS) || status=1; \
	$(BIN)/python -m simulators.fleet.table_bench || status=1; \
	exit $$status

bench-fleet: setup ## what a pit server takes of many simulated tables (ARGS="--store postgres")
	@$(BIN)/python -m simulators.fleet.bench $(ARGS)

measure: setup ## the structure in figures: layers, repetitions, files and calls a card (ARGS='--where 5' names places)
	@$(BIN)/python -m tests.tools.measure $(ARGS)

# No address of a package index may get into a lock: whoever installs uses the index that their own pip knows.
COMPILE := .venv-lock/bin/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host
export CUSTOM_COMPILE_COMMAND := make lock

lock: .venv-lock/.made ## resolve both lock files anew (UPGRADE=1: to the newest versions)
	@$(COMPILE) $(if $(UPGRADE),--upgrade) --output-file requirements.lock pyproject.toml
	@$(COMPILE) $(if $(UPGRADE),--upgrade) --extra dev --constraint requirements.lock \
		--output-file requirements-dev.lock pyproject.toml
	@# the resolver runs on one Python and forgets which others a package is not for
	@sed -i 's/^\(atheris==[0-9.]*\) \\$$/\1 ; python_version < "3.14" \\/' requirements-dev.lock

.venv-lock/.made:
	@.ci/make-venv $(LOCK_PYTHON) .venv-lock
	@.venv-lock/bin/python -m pip --disable-pip-version-check --no-input install --quiet "$(PIP_TOOLS)"
	@touch $@

audit: setup .venv-release/.made ## known vulnerabilities of both lock files, where an index answers
	@$(BIN)/python -m tests.tools.vulnerabilities .venv-release/bin/pip-audit requirements.lock requirements-dev.lock

sbom: .venv-release/.made ## what a release is made of, as CycloneDX: build/tablectl.cdx.json
	@mkdir -p build
	@.venv-release/bin/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --output-reproducible \
		--of JSON --output-file build/tablectl.cdx.json
	@echo build/tablectl.cdx.json

repository: ## an apt repository of build/deb, signed (KEY=FINGERPRINT of gpg's keyring; docs/releases.md)
	@.ci/make-repository "$(KEY)" build/repository build/deb/*.deb

.venv-release/.made:
	@.ci/make-venv $(PYTHON) .venv-release
	@.venv-release/bin/python -m pip --disable-pip-version-check --no-input install --quiet $(RELEASE_TOOLS)
	@touch $@

clean: ## remove everything made here
	@rm -rf .venv .venv-lock .venv-release .venv-table build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find drivers simulators tablectl tests -name __pycache__ -prune -exec rm -rf {} +
