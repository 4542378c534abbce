# Everything a developer runs. `make` alone lists the targets.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: run install test check lint build release unit-tests system-tests languages bench fuzz docs help packages

# Flags for `ringfence serve`: make run ARGS="--http 127.0.0.1:6000 --data /tmp/ringfence"
ARGS ?=
# Where `make install` puts the program: make install PREFIX=/opt/ringfence
PREFIX ?= $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)
# What pytest runs: make system-tests PYTEST="Tests/Conformance -k twilio_06"
PYTEST ?= Tests/Conformance Tests/System
# How long each fuzz target runs: make fuzz FUZZ_SECONDS=60 (SECONDS=60 does the same)
FUZZ_SECONDS ?= $(if $(filter command line,$(origin SECONDS)),$(SECONDS),600)

STRICT := --explicit-target-dependency-import-check error
# One set of flags for every release build, so that none of them builds twice.
RELEASE := -c release $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
PYTHON := .venv/bin/python

run: packages ## Start the sandbox on http://127.0.0.1:5550 (flags through ARGS="…")
	swift build $(RELEASE) --product ringfence
	exec .build/release/ringfence serve $(ARGS)

install: packages release ## Put `ringfence` into ~/.local/bin, root's into /usr/local/bin (PREFIX=DIR for elsewhere)
	mkdir -p "$(PREFIX)/bin"
	install -s -m 755 .build/release/ringfence "$(PREFIX)/bin/ringfence"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo 'Now put it on the PATH: export PATH="$(PREFIX)/bin:$$PATH"' ;; esac

test: unit-tests system-tests ## Run every test: Swift, official SDKs, whole system

check: lint test docs ## The gate: formatting, strict build, every test, fuzz targets, generated documents
	Tests/Fuzz/run 5
	@git diff --exit-code --stat -- Docs Seeds || { echo "Docs were out of date: commit what make docs wrote"; exit 1; }

languages: ## Install the languages without which `make test` skips their programs and snippets
	Tests/Tools/install-packages languages

bench: packages release $(PYTHON) ## Measure against nginx and write Docs/Benchmarks.md (ten minutes)
	Tests/Tools/install-packages bench
	$(PYTHON) Tests/Bench/bench.py --binary .build/release/ringfence $(ARGS)

docs: build ## Write the generated documents anew
	@if [ -d Tests/CoverageTests ]; then RECORD=1 swift test $(STRICT) --skip-build --disable-xctest --filter CoverageTests; fi
	.build/debug/ringfence seed schema > Seeds/schema.json

fuzz: packages ## Fuzz the readers of foreign bytes (FUZZ_SECONDS=600 each)
	Tests/Fuzz/run $(FUZZ_SECONDS)

help: ## List these targets
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

# What the targets above are made of

packages:
	@Tests/Tools/install-packages

build: packages
	swift build --build-tests $(STRICT)

release: packages
	swift build $(RELEASE) --product ringfence

unit-tests: build
	swift test --skip-build --disable-xctest $(STRICT)

system-tests: build $(PYTHON)
	RINGFENCE_BINARY=$${RINGFENCE_BINARY:-.build/debug/ringfence} $(PYTHON) -m pytest -c Tests/pytest.ini $(PYTEST)

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

# Made anew when the pinned versions change; the last line is the stamp.
$(PYTHON): Tests/requirements.txt
	@Tests/Tools/install-packages python
	python3 -m venv --clear .venv
	.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/requirements.txt
	@touch $@
