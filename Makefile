# What people type here; `make` alone lists it.
#
#   PYTHON  the Python to build the environment with (3.11 or newer)     make test PYTHON=python3.13
#   VENV    where the environment stands                                make test VENV=.venv-3.13
#   AT_ONCE how many tests run at once (default: two more than there are cores: some only wait)
#   ARGS    more arguments for the command                              make run ARGS="--port 8080"
#   ARCHITECTURES  what packages are for                               make package ARCHITECTURES=arm64
#   ADDRESS where a Pi finds the repository                             make repository ADDRESS=file:/media/usb

PYTHON ?= python3
VENV ?= .venv
AT_ONCE ?= $(shell echo $$(($$(nproc) + 2)))
ARGS ?=
ARCHITECTURES ?= arm64 amd64
ADDRESS ?=

# An environment is rebuilt when pyproject.toml, what is compiled, the Python or its own path has changed.
KEY := $(shell { cat pyproject.toml companion/games/*/player/*.c; $(PYTHON) -VV; pwd; } 2>&1 | cksum | cut -d' ' -f1)
RUNS := $(VENV)/.runs-$(KEY)
TESTS := $(VENV)/.tests-$(KEY)
LOWEST := .venv-minimum
LOWEST_STANDS := $(LOWEST)/.stands-$(KEY)
READERS := .venv-readers
READERS_STAND := $(READERS)/.stands-$(shell { cat .ci/readers; $(PYTHON) -VV; pwd; } 2>&1 | cksum | cut -d' ' -f1)

# The same for node_modules, by its lock file.
NODE_KEY := $(shell { cat package.json package-lock.json; node --version; } 2>&1 | cksum | cut -d' ' -f1)
NODE := node_modules/.stands-$(NODE_KEY)

BIN := $(VENV)/bin
# The tests of a file stay together: they share slow fixtures. The files keep the order that conftest.py gives them.
PYTEST := -m pytest -n $(AT_ONCE) --dist loadfile --no-loadscope-reorder
SOURCES := companion hardware web
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where Python may not keep what it compiles, every test that starts the companion compiles it again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test test-all lint types compiled tests slow page-types quick test-real minimum pictures page-pictures awake-video package repository for-card release install clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: $(RUNS) ## install, then start the companion on a virtual table that plays by itself
	@$(BIN)/companion run --camera virtual $(ARGS)

test: $(TESTS) $(NODE) ## install what tests need, then run style, types, quick tests and each flow in a browser
	@$(MAKE) --no-print-directory -j3 -Otarget lint types compiled
	@$(MAKE) --no-print-directory tests

test-all: test slow minimum test-real ## all the rest too: slow tests, every page at every size, other versions and stacks

lint: $(TESTS) $(NODE) ## style: ruff's rules and its format; eslint's rules and tsc's types for the JavaScript
	@echo "Style …"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@[ ! -f $(NODE) ] || node_modules/.bin/eslint .
	@[ ! -f $(NODE) ] || node_modules/.bin/tsc

types: $(TESTS) ## types: mypy --strict (the first time takes a minute)
	@echo "Types …"
	@$(BIN)/mypy

# Tests are compiled once here, and not by each of the processes that then run them, which say what is wrong.
compiled: $(TESTS)
	@$(BIN)/python -m pytest -q --collect-only >/dev/null || :

tests: $(TESTS) $(NODE) ## the tests that are not slow
	@echo "Tests …"
	@$(BIN)/python $(PYTEST) -m "not slow" $(ARGS)

slow: $(TESTS) $(NODE) $(READERS_STAND) ## the slow tests alone
	@$(BIN)/python $(PYTEST) -m slow $(ARGS)

page-types: $(TESTS) ## the types of what the server sends, made again for the pages' JavaScript
	@$(BIN)/python -m tests.web.page_types

quick: $(TESTS) ## the tests that are not slow and need no browser
	@$(BIN)/python $(PYTEST) -m "not slow and not browser" $(ARGS)

test-real: ## on the real camera and GPIO stacks, in roots and machines of their own (root, Debian)
	@tests/real/run $(ARGS)

# Python 3.12 and newer say themselves what is reached: tests take two thirds of the time.
CORE = $(shell $(LOWEST)/bin/python -c 'import sys; print("sysmon" if sys.version_info >= (3, 12) else "ctrace")')

minimum: $(LOWEST_STANDS) ## the quick tests on the lowest versions that pyproject.toml allows, and what they reach
	@COVERAGE_CORE=$(CORE) $(LOWEST)/bin/python $(PYTEST) -m "not slow and not browser" --ignore tests/project --cov --cov-report= $(ARGS)
	@$(LOWEST)/bin/python .ci/coverage_floors.py

pictures: $(TESTS) ## the README's picture, drawn by the program
	@$(BIN)/python docs/make_pictures.py

page-pictures: $(TESTS) ## dist/pages/: every state of every game's page, dark and light, 320 to 1920 px wide
	@PAGE_PICTURES=dist/pages $(BIN)/python -m pytest -q tests/browser/test_games.py -k every_state $(ARGS)

awake-video: $(TESTS) ## the silent video that keeps a phone's screen on, recorded by Chromium
	@$(BIN)/python docs/make_awake_video.py

package: ## dist/*.deb: the Debian package for each of ARCHITECTURES (arm64 amd64)
	@for each in $(ARCHITECTURES); do systemd/debian/package $$each dist || exit; done
	@ls -s --block-size=MB dist/*.deb

for-card: ## dist/: what the package needs and Raspberry Pi OS Lite lacks, for a Pi without the internet
	@systemd/debian/for-card dist

repository: ## dist/: of the packages there, a signed repository that a Pi finds at ADDRESS (file:/media/usb)
	@systemd/debian/repository dist $(ADDRESS)

release: $(TESTS) ## dist/: source, wheel and Debian packages of this version, with their hashes
	@rm -rf dist
	@CC= $(BIN)/python -m hatchling build -d dist
	@$(BIN)/python -m companion.broker.description > dist/asyncapi.json
	@$(BIN)/python -m companion.hall.description > dist/asyncapi-hall.json
	@$(MAKE) --no-print-directory package
	@cd dist && sha256sum * > SHA256SUMS && cat SHA256SUMS

install: ## on a Pi, with sudo: build the package for this machine, and install or update the service with it
	@apt-get install -qqy --no-install-recommends debhelper gcc python3-click python3-pip >/dev/null
	@rm -rf build/here && systemd/debian/package $$(dpkg --print-architecture) build/here
	@apt-get install -y --reinstall --allow-downgrades ./build/here/*.deb

clean: ## remove environments and caches; kept matches stay
	rm -rf .venv .venv-* .coverage .coverage.* htmlcov build dist test-results node_modules
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find $(SOURCES) tests -name __pycache__ -type d -prune -exec rm -rf {} +

# $(call environment,FOLDER,WHAT TO INSTALL,WHAT FOR)
define environment
	@.ci/environment "$(PYTHON)" "$(1)"
	@.ci/install "$(1)" "$(3)" $(2)
	@rm -f $(1)/.runs-* $(1)/.tests-* $(1)/.stands-*
	@touch $@
endef

$(RUNS):
	$(call environment,$(VENV),-e '.[print]',the companion)

# The tests' environment holds all that the companion needs, so it counts as both.
$(TESTS):
	$(call environment,$(VENV),-e '.[print$(,)test]',the companion and what its tests need)
	@touch $(RUNS)

$(NODE):
	@.ci/node-parts $@

$(LOWEST_STANDS):
	@.ci/environment "$(PYTHON)" "$(LOWEST)"
	@$(LOWEST)/bin/python .ci/lowest.py > $(LOWEST)/lowest.txt
	$(call environment,$(LOWEST),-c $(LOWEST)/lowest.txt -e '.[print$(,)test]',the lowest versions)

$(READERS_STAND):
	@.ci/readers "$(PYTHON)" "$(READERS)"
	@rm -f $(READERS)/.stands-*
	@touch $@

, := ,
