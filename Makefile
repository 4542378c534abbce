# All developer commands. `make` alone lists the targets.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: run install dist test quick check generated clients lint build build-times release unit-tests system-tests python soak \
  largest-requests languages bench bench-quick pictures fuzz fuzz-shortly docs help tools packages

# Flags for `ringfence serve`: make run ARGS="--http 127.0.0.1:6000 --data /tmp/ringfence"
ARGS ?=
# The folder for `make install`: make install PREFIX=/opt/ringfence
PREFIX ?= $(if $(filter 0,$(shell id -u)),/usr/local,$(HOME)/.local)
# Arguments for pytest: make system-tests PYTEST="Tests/Conformance -k twilio_06"
PYTEST ?= Tests/Conformance Tests/System
# How many files of tests run at once: two for each core, because many wait. PYTEST_JOBS=0 runs one test after another
PYTEST_JOBS ?= $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN))
# Which tests run: MARKS= runs also what is slow and rarely finds anything, as `make check` does
MARKS ?= -m "not slow"
# A folder for the compiler's own statistics, which `make build-times` shows
BUILD_STATISTICS ?=
# How long the mixed flows of `make soak` run, and how often it kills the server afterwards
SOAK_SECONDS ?= 600
KILL_ROUNDS ?= 100
# The time for each fuzz target: make fuzz FUZZ_SECONDS=60 (or SECONDS=60)
FUZZ_SECONDS ?= $(if $(filter command line,$(origin SECONDS)),$(SECONDS),600)

STRICT := --explicit-target-dependency-import-check error
# -no-warnings-as-errors, because the compiler reports slow expressions as warnings; others still fail the build.
BUILD := Tests/Tools/swift-build --build-tests $(STRICT) $(if $(BUILD_STATISTICS),--scratch-path $(dir $(BUILD_STATISTICS)) \
  $(foreach flag,-stats-output-dir $(BUILD_STATISTICS) -no-warnings-as-errors -Xfrontend -debug-time-function-bodies \
  -Xfrontend -warn-long-expression-type-checking=50,-Xswiftc $(flag)))
# The same flags for every release build, so that nothing is built twice.
RELEASE := -c release $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
PYTHON := .venv/bin/python
# Python keeps what it compiled, also where the environment says otherwise.
export PYTHONDONTWRITEBYTECODE :=
# Written when the virtual environment is complete. Python itself is a link, and make would follow it.
VENV := .venv/installed
# Packages that exclude others, each list in a folder for PYTHONPATH. They use the rest of .venv.
APART := $(patsubst Tests/Packages/%.txt,.venv/packages/%,$(wildcard Tests/Packages/*.txt))

run: packages ## Start the sandbox on http://127.0.0.1:5550 (flags through ARGS="…")
	Tests/Tools/swift-build $(STRICT) --product ringfence
	exec .build/debug/ringfence serve $(ARGS)

install: packages release ## Install `ringfence` in ~/.local/bin, as root in /usr/local/bin (or PREFIX=DIR)
	mkdir -p "$(PREFIX)/bin"
	install -s -m 755 .build/release/ringfence "$(PREFIX)/bin/ringfence"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo 'Now add it to the PATH: export PATH="$(PREFIX)/bin:$$PATH"' ;; esac

dist: packages ## Build what people install, in .build/dist: executable, tarball, Debian package, Python wheel, packages for JavaScript
	Tests/Tools/install-packages dist
	python3 Distribution/dist.py .build/dist

test: unit-tests system-tests ## Run the tests that prove the product: Swift, official SDKs, the whole system (fifteen minutes from a clone, eight from a built tree)

quick: lint unit-tests ## Run what to run while you work: format, Swift tests, ten tests of the whole system
	$(MAKE) system-tests MARKS="-m quick"

check: lint generated ## Run everything: also slow tests that rarely find anything, and each fuzz target (an hour)
	$(MAKE) test MARKS=
	$(MAKE) largest-requests
	$(MAKE) fuzz-shortly

generated: docs ## Fail if a generated file is out of date
	@git diff --exit-code --stat -- Docs Seeds Sources/Clients/swift docker-compose.yml \
	  || { echo "Generated files were out of date, and are not now: commit them"; exit 1; }

languages: ## Install languages; `make test` skips the programs and snippets of missing ones
	Tests/Tools/install-packages languages

bench: .build/bench/ringfence ## Compare with nginx, write Docs/Benchmarks.md and Tests/Bench/instructions.json (takes half an hour)
	Tests/Tools/install-packages bench
	$(PYTHON) Tests/Bench/bench.py --binary $< $(ARGS)

bench-quick: .build/bench/ringfence ## Fail if a request or a start needs 3 % more instructions than Tests/Bench/instructions.json (90 seconds and a release build)
	-Tests/Tools/install-packages bench
	$(PYTHON) Tests/Bench/instructions.py --binary $< $(ARGS)

.build/bench/ringfence: packages release $(VENV)
	$(PYTHON) Distribution/executable.py $@

docs: build ## Regenerate the tables in documents, the picture of the layers, the schemas of seeds and stories, the types of the client for Swift, the hosts in docker-compose.yml
	RECORD=1 swift test $(STRICT) --skip-build --disable-xctest --filter CoverageTests
	.build/debug/ringfence seed schema > Seeds/schema.json
	.build/debug/ringfence seed schema --story > Seeds/story-schema.json
	python3 Tests/Tools/settings_tables.py
	python3 Tests/Tools/client_table.py
	python3 Tests/Tools/frameworks_table.py
	python3 Tests/Tools/access_table.py .build/debug/ringfence
	python3 Tests/Tools/swift_types.py .build/debug/ringfence
	swift package dump-package | python3 Tests/Tools/layers.py

pictures: build $(VENV) ## Take the pictures of the console in README and Docs from the running program
	Tests/Tools/install-packages pictures
	RINGFENCE_BINARY=.build/debug/ringfence $(PYTHON) Tests/Tools/pictures.py

fuzz: packages ## Fuzz the parsers of untrusted bytes and the dispatcher (FUZZ_SECONDS=600 each)
	Tests/Fuzz/run $(FUZZ_SECONDS)

# A debug build is too slow to be judged by the 40 ms that a request may take.
largest-requests: release
	$(MAKE) system-tests RINGFENCE_BINARY=$(CURDIR)/.build/release/ringfence \
	  PYTEST=Tests/System/test_largest_requests.py MARKS=

# 77: the toolchain has no libFuzzer.
fuzz-shortly: packages
	Tests/Fuzz/run 5 || [ $$? -eq 77 ]

help: ## List these targets
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

# Building blocks of the targets above

tools:
	@Tests/Tools/check-tools

packages: tools
	@Tests/Tools/install-packages

python: $(VENV) $(APART)

build: packages
ifdef BUILD_STATISTICS
	@mkdir -p $(BUILD_STATISTICS); log=$$(mktemp $(BUILD_STATISTICS)/XXXXXX.log); \
	{ $(BUILD) >$$log 2>&1 && ! grep 'warning:' $$log | grep -v ' to type-check '; } \
	  || { grep -v '^[0-9.]*ms' $$log >$$log.text; { grep -A 6 ' error: ' $$log.text || tail -n 200 $$log.text; } >&2; exit 1; }
else
	$(BUILD)
endif

build-times: ## Build everything in .build-times, and print the slowest targets, functions and expressions
	rm -rf .build-times
	$(MAKE) build BUILD_STATISTICS=$(CURDIR)/.build-times/statistics
	python3 Tests/Tools/build_times.py .build-times/statistics

release: packages
	Tests/Tools/swift-build $(RELEASE) --product ringfence

# Not in the repository: `make dist` writes them, too.
clients: build ## Write what the clients for JavaScript and Python take from the program: types, variables
	python3 Tests/Tools/javascript_types.py .build/debug/ringfence
	python3 Tests/Tools/python_types.py .build/debug/ringfence

unit-tests: build
	@log=$$(mktemp); trap 'rm -f "$$log"' EXIT; \
	swift test --skip-build --disable-xctest $(STRICT) 2>&1 | tee "$$log" || \
	  { echo "Failed tests, repeated from above:" >&2; grep "✘ Test .*recorded an issue" "$$log" >&2; exit 1; }

system-tests: build clients $(VENV) $(APART)
	RINGFENCE_BINARY=$${RINGFENCE_BINARY:-.build/debug/ringfence} $(PYTHON) -m pytest -c Tests/pytest.ini \
	  -n $(PYTEST_JOBS) --maxprocesses 8 --dist loadfile --no-loadscope-reorder $(MARKS) $(PYTEST)

soak: release $(VENV) ## Run mixed flows for ten minutes with kill -9 and full disks (SOAK_SECONDS=600), then 100 kills (KILL_ROUNDS=100)
	RINGFENCE_BINARY=.build/release/ringfence $(PYTHON) Tests/Soak/soak.py --seconds $(SOAK_SECONDS) $(if $(filter 600,$(SOAK_SECONDS)),--record)
	RINGFENCE_BINARY=.build/release/ringfence KILL_ROUNDS=$(KILL_ROUNDS) FULL_DISK_SIZE=4m FULL_DISK_ROUNDS=10 \
	  $(PYTHON) -m pytest -c Tests/pytest.ini -rP Tests/System/test_durability.py Tests/System/test_full_disk.py \
	  Tests/System/test_supervision.py -k "kill_9 or full_disk or back_at_once"

lint: tools
	swift format lint --strict --recursive Package.swift Sources Tests
	python3 Tests/Tools/line_width.py

# Recreated when the pinned versions change.
$(VENV): Tests/requirements.txt Tests/requirements-without-dependencies.txt
	@Tests/Tools/install-packages python
	python3 -m venv --clear .venv
	.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/requirements.txt
	.venv/bin/pip install --quiet --disable-pip-version-check --no-deps -r Tests/requirements-without-dependencies.txt
	@touch $@

.venv/packages/%: Tests/Packages/%.txt $(VENV)
	@rm -rf $@
	.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --target $@ -r $<
	@touch $@
