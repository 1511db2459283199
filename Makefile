# make run    set up and open the viewer        make journeys  long walks in the program
# make test   set up and run the tests          make lint      ruff, mypy, contracts
# make clean  remove everything that make made  make bench     compare with scikit-learn
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Compiled once, whatever the shell says: tests start many processes.
PYTEST := QT_QPA_PLATFORM=offscreen OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= \
          $(BIN)/python -m pytest -n logical --dist worksteal
STAMP  := $(VENV)/.installed

.PHONY: run test journeys lint bench coverage clean help

help:
	@sed -n '1,3s/^# //p' Makefile

# The virtual environment is made anew only when the dependencies change.
$(STAMP): pyproject.toml
	@sh tools/set-up $(PYTHON) $(VENV)
	@touch $(STAMP)

run: $(STAMP)
	@sh tools/system-libraries
	@$(BIN)/kpca-viewer $(ARGS)

# What was named is run whole; all tests without a name leave the long walks out.
test: $(STAMP)
	@sh tools/system-libraries
	@$(PYTEST) $(or $(ARGS),-m "not journey")

journeys: $(STAMP)
	@sh tools/system-libraries
	@$(PYTEST) -m journey $(ARGS)

coverage: $(STAMP)
	@sh tools/system-libraries
	@$(PYTEST) --cov --cov-report=term-missing $(ARGS)

lint: $(STAMP)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

bench: $(STAMP)
	@sh tools/system-libraries
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m benchmarks $(ARGS)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
