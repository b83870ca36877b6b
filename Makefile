# Two commands are enough: `make run` and `make test`. Both install what is
# missing, say what they do, and work again from any state.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

OUTRIGGER := target/release/outrigger
EXTENSION_SOURCES := $(shell find extension/src extension/public extension/*.ts extension/*.json -type f 2>/dev/null)

say = @printf '\033[1m== %s\033[0m\n' "$(1)"

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' Makefile | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

.PHONY: run
run: build ## Build, start hub and browser, take the tour; at a terminal, stay up
	$(call say,Hub browser and tour)
	@$(OUTRIGGER) up --launch --tour --out target/tour

.PHONY: build
build: install extension ## Build the extension and target/release/outrigger
	$(call say,Building target/release/outrigger)
	@cargo build --release -p outrigger-cli

.PHONY: tour
tour: build ## Take the tour with a browser of its own
	@$(OUTRIGGER) tour --out target/tour

.PHONY: dev
dev: install ## Rebuild and reload whenever a source changes
	@scripts/dev

.PHONY: install install-test
install:
	@scripts/install run

install-test:
	@scripts/install test

# --- the extension ---------------------------------------------------------

# Not `npm ci`: it refuses a lock without the optional packages of every other
# platform, and not every registry has those. The lock's versions count here too.
extension/node_modules/.installed: extension/package-lock.json
	$(call say,Installing the extension's npm packages)
	@cd extension && npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

extension/dist/.built: extension/node_modules/.installed $(EXTENSION_SOURCES)
	$(call say,Building the extension)
	@cd extension && npm run --silent build > ../extension-build.log 2>&1 || { cat ../extension-build.log; exit 1; }
	@rm -f extension-build.log
	@touch $@

.PHONY: extension
extension: extension/dist/.built ## Build the extension into extension/dist

.PHONY: types docs
types: ## Generate the extension's protocol types from crates/protocol
	@cargo run -q -p outrigger-protocol --features typescript --example typescript > extension/src/protocol/generated.ts

docs: ## Generate docs/tools.md from the catalogue
	@cargo run -q -p outrigger-hub --example tools > docs/tools.md

# --- checks and tests ------------------------------------------------------

.PHONY: test
test: install-test check unit screening-if-here clients openapi tasks follow-docs ## Every check and test
	$(call say,All checks and tests passed)

.PHONY: check
check: extension
	$(call say,Format and lints: Rust)
	@cargo fmt --all --check
	@cargo clippy --workspace --all-targets --quiet -- -D warnings
	@cd bench && cargo fmt --check && cargo clippy --all-targets --quiet -- -D warnings
	$(call say,Format types and lints: TypeScript)
	@cd extension && npm run --silent check

.PHONY: unit
unit: extension
	$(call say,Extension tests)
	@cd extension && npm run --silent test
	$(call say,Rust tests and end-to-end tests in Chromium)
	@cargo nextest run --workspace --no-fail-fast
	@[ -e ../shared/corpora/wpt-urltestdata.json ] || \
		echo "Left out: addresses of the web platform's own tests, which need ../shared"
	$(call say,Bench harness tests)
	@cd bench && cargo test --quiet

.PHONY: screening
screening: ## Screen attacks and harmless texts of others, and print how much is flagged
	$(call say,Screening: attacks and harmless texts of others)
	@suites/screening/run

# Harmless texts of others lie beside the repository, where there are any.
.PHONY: screening-if-here
screening-if-here:
	@if [ -e ../shared/corpora/notinject-one.json ]; then $(MAKE) --no-print-directory screening; \
	else echo "Left out: screening of others' texts, which needs ../shared (see suites/screening/README.md)"; fi

.PHONY: clients
clients: extension
	$(call say,MCP clients of others)
	@cargo build --quiet --workspace
	@OUTRIGGER="$$PWD/target/debug/outrigger" clients/run

.PHONY: openapi
openapi: extension ## Check the HTTP interface against its own description, with schemathesis
	$(call say,The HTTP interface against its own description)
	@cargo build --quiet --workspace
	@OUTRIGGER="$$PWD/target/debug/outrigger" suites/openapi/run

.PHONY: tasks
tasks: extension
	$(call say,Tasks of others: a sample of MiniWoB)
	@cargo build --quiet --workspace
	@OUTRIGGER="$$PWD/target/debug/outrigger" suites/miniwob/run --sample

.PHONY: follow-docs
follow-docs: extension
	$(call say,Following docs/adding-a-tool.md to the letter)
	@scripts/follow-adding-a-tool

.PHONY: verify
verify: install-test extension ## What takes longer than a test run may: kills, soaks and wrong tokens in full
	$(call say,Random kills soak and wrong tokens: the full count)
	@OUTRIGGER_VERIFY=full cargo nextest run -p outrigger-cli --test all endurance:: grant_kills:: --no-capture
	@OUTRIGGER_VERIFY=full cargo nextest run -p outrigger-hub --test all worker_kills:: memory:: wrong_tokens:: --no-capture
	@OUTRIGGER_VERIFY=full cargo nextest run -p outrigger-store --test kills --no-capture
	@OUTRIGGER_VERIFY=full cargo nextest run -p outrigger-records --test kills --test load --test outages --no-capture
	$(call say,Linear time: the longest texts)
	@OUTRIGGER_VERIFY=full cargo nextest run -p outrigger-guard --test linear_time
	$(call say,Tasks of others: all of MiniWoB)
	@cargo build --quiet --workspace
	@OUTRIGGER="$$PWD/target/debug/outrigger" suites/miniwob/run
	$(call say,The HTTP interface against its own description: ten minutes of it)
	@OUTRIGGER="$$PWD/target/debug/outrigger" suites/openapi/run --full
	$(call say,Screening: attacks and harmless texts of others)
	@suites/screening/run

.PHONY: fuzz
fuzz: ## Fuzz the guard for a minute each; needs cargo-fuzz and a nightly compiler
	@cd fuzz && for target in fence screening redaction; do cargo +nightly fuzz run $$target -- -max_total_time=60; done

.PHONY: bench
bench: install-test build bench/node_modules/.installed ## Measure Outrigger and its peers side by side
	$(call say,Side by side with peers)
	@cargo build --release --quiet -p outrigger-testkit --example following
	@cd bench && cargo run --release --quiet -- --check --readme ../README.md

bench/node_modules/.installed: bench/package-lock.json
	$(call say,Installing the peers)
	@cd bench && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.PHONY: fmt
fmt: extension/node_modules/.installed ## Format everything
	@cargo fmt --all
	@cd bench && cargo fmt
	@cd extension && npm run --silent format
