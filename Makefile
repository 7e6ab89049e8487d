# What people type here; `make` alone lists it.
#
#   PYTHON  the Python to build the environment with (3.11 or newer)     make test PYTHON=python3.13
#   VENV    where the environment stands                                make test VENV=.venv-3.13
#   GAMES   what happens to kept matches: keep (default), delete        make uninstall GAMES=delete
#   AT_ONCE how many tests run at once (default: one for each core)
#   ARGS    more arguments for the command                              make run ARGS="--port 8080"
#   MACHINE, PI_PYTHON  what the bundle is for (aarch64, 3.13)          make bundle MACHINE=x86_64

PYTHON ?= python3
VENV ?= .venv
AT_ONCE ?= auto
ARGS ?=
MACHINE ?= aarch64
PI_PYTHON ?= 3.13

# An environment is rebuilt when pyproject.toml, the Python or its own path has changed, never otherwise.
KEY := $(shell { cat pyproject.toml; $(PYTHON) -VV; pwd; } 2>&1 | cksum | cut -d' ' -f1)
RUNS := $(VENV)/.runs-$(KEY)
TESTS := $(VENV)/.tests-$(KEY)
LOWEST := .venv-minimum
LOWEST_STANDS := $(LOWEST)/.stands-$(KEY)

# The same for node_modules, by its lock file.
NODE_KEY := $(shell { cat package.json package-lock.json; node --version; } 2>&1 | cksum | cut -d' ' -f1)
NODE := node_modules/.stands-$(NODE_KEY)

BIN := $(VENV)/bin
# The tests of a file stay together: they share slow fixtures. The files keep the order that conftest.py gives
# them. Browser tests run two at a time: more of them would make a page wait so long for the machine that it looks
# like a page that shows the wrong thing. (Exit status 5: no test was selected.)
PYTEST := -m pytest -n $(AT_ONCE) --dist loadfile --no-loadscope-reorder
SOURCES := companion hardware web
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help run test lint types tests page-types quick test-real minimum lock pictures page-pictures awake-video bundle release install uninstall clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: $(RUNS) ## install, then start the companion on a virtual table that plays by itself
	@$(BIN)/companion run --camera virtual $(ARGS)

test: lint types tests ## install what tests need, then run style, types and every test

lint: $(TESTS) $(NODE) ## style: ruff's rules and its format; eslint's rules and tsc's types for the JavaScript
	@echo "Style …"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@[ ! -f $(NODE) ] || node_modules/.bin/eslint .
	@[ ! -f $(NODE) ] || node_modules/.bin/tsc

types: $(TESTS) ## types: mypy --strict (the first time takes a minute)
	@echo "Types …"
	@$(BIN)/mypy

tests: $(TESTS) $(NODE) ## every test, with what the quick ones reach
	@echo "Tests …"
	@.ci/browser-parts
	@$(BIN)/python -m pytest -m browser -n 2 --dist loadfile $(ARGS) || [ $$? = 5 ]
	@$(BIN)/python $(PYTEST) -m "slow and not browser" $(ARGS) || [ $$? = 5 ]
	@$(BIN)/python $(PYTEST) -m "not slow and not browser" --cov --cov-report= $(ARGS)
	@$(BIN)/python .ci/coverage_floors.py

page-types: $(TESTS) ## the types of what the server sends, made again for the pages' JavaScript and docs/asyncapi*.json
	@$(BIN)/python -m tests.web.page_types
	@$(BIN)/python -m companion.broker.description > docs/asyncapi.json
	@$(BIN)/python -m companion.hall.description > docs/asyncapi-hall.json

quick: $(TESTS) ## the tests without the slow ones and without a browser
	@$(BIN)/python $(PYTEST) -m "not slow and not browser" $(ARGS)

test-real: ## on the real camera and GPIO stacks, in roots and machines of their own (root, Debian)
	@tests/real/run $(ARGS)

minimum: $(LOWEST_STANDS) ## the quick tests of what runs, on the lowest versions that pyproject.toml allows
	@$(LOWEST)/bin/python $(PYTEST) -m "not slow and not browser" --ignore tests/project $(ARGS)

lock: ## the packages that `make install` installs, with their hashes (needs uv)
	@{ sed -n '/^#/p' systemd/requirements.lock; \
	   printf 'hatchling>=1.27\npip\n' | uv pip compile pyproject.toml - --extra print --extra pi --extra mqtt --universal \
	     --python-version 3.11 --generate-hashes --only-binary :all: --no-header --no-annotate --quiet; } \
	   > systemd/requirements.new && mv systemd/requirements.new systemd/requirements.lock

pictures: $(TESTS) ## the README's picture, drawn by the program
	@$(BIN)/python docs/make_pictures.py

page-pictures: $(TESTS) ## dist/pages/: every state of every game's page, dark and light, 320 to 1920 px wide
	@PAGE_PICTURES=dist/pages $(BIN)/python -m pytest -q tests/browser/test_games.py -k every_state $(ARGS)

awake-video: $(TESTS) ## the silent video that keeps a phone's screen on, recorded by Chromium
	@$(BIN)/python docs/make_awake_video.py

bundle: $(TESTS) ## dist/table-companion: all that a Pi installs without the internet, for `companion sd-card`
	@$(BIN)/python .ci/bundle.py dist/table-companion $(MACHINE) $(PI_PYTHON)

release: $(TESTS) ## dist/: source, wheel, lock file and bundle of this version, with their hashes
	@rm -rf dist
	@$(BIN)/python -m hatchling build -d dist
	@cp systemd/requirements.lock dist/
	@$(BIN)/python .ci/bundle.py dist/table-companion $(MACHINE) $(PI_PYTHON)
	@cd dist && $(abspath $(BIN))/python -m zipfile -c table-companion-$(MACHINE).zip table-companion
	@rm -r dist/table-companion
	@cd dist && sha256sum * > SHA256SUMS && cat SHA256SUMS

install: ## on a Pi, with sudo: install or update the service; goes back if it does not run
	@systemd/install

uninstall: ## with sudo: remove it; kept matches stay unless GAMES=delete
	@systemd/uninstall

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

, := ,
