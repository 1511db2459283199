# make run    set up and open the viewer        make lint   ruff, mypy, import contracts
# make test   set up and run the tests          make bench  compare with scikit-learn
# make clean  remove everything that make made
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Compiled once, whatever the shell says: tests start many processes.
PYTEST := QT_QPA_PLATFORM=offscreen OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= \
          $(BIN)/python -m pytest -n logical --dist worksteal
STAMP  := $(VENV)/.installed

.PHONY: run test lint bench coverage clean help

help:
	@sed -n '1,3s/^# //p' Makefile

# The virtual environment is made anew only when the dependencies change.
$(STAMP): pyproject.toml
	@sh tools/set-up $(PYTHON) $(VENV)
	@touch $(STAMP)

run: $(STAMP)
	@sh tools/system-libraries
	@$(BIN)/kpca-viewer $(ARGS)

test: $(STAMP)
	@sh tools/system-libraries
	@$(PYTEST) $(ARGS)

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
