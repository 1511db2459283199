# make run    set up and open the viewer        make journeys  the tests that take long
# make test   set up and run the short tests    make lint      ruff, mypy, contracts
# make clean  remove everything that make made  make bench     compare with other tools
# make docs   build the site into build/site    make package   wheel, sdist and bundle
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Compiled once, whatever the shell says: tests start many processes.
PYTEST := QT_QPA_PLATFORM=offscreen OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= \
          $(BIN)/python -m pytest -n logical --dist worksteal
STAMP  := $(VENV)/.installed

.PHONY: run test journeys lint bench coverage docs package clean help

help:
	@sed -n '1,4s/^# //p' Makefile

# The virtual environment is made anew only when the dependencies change.
$(STAMP): pyproject.toml
	@sh tools/set-up $(PYTHON) $(VENV)
	@touch $(STAMP)

run: $(STAMP)
	@sh tools/system-libraries
	@$(BIN)/kpca-viewer $(ARGS)

# What was named is run whole; all tests without a name leave out what takes long
# (tests/journeys.py, and @pytest.mark.journey at single tests).
test: $(STAMP)
	@sh tools/system-libraries
	@$(PYTEST) $(or $(ARGS),-m "not journey")

# Journeys wait more than they compute: four at once on two cores.
journeys: $(STAMP)
	@sh tools/system-libraries browser
	@$(PYTEST) -n 4 -m journey $(ARGS)

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

docs: $(STAMP)
	@$(BIN)/pip install --quiet -e '.[docs]'
	@$(BIN)/python -m sphinx -W --keep-going -q docs build/site
	@echo "The site is in build/site/index.html"

package: $(STAMP)
	@sh tools/system-libraries
	@$(BIN)/pip install --quiet -e '.[package]'
	@sh packaging/build $(BIN)

clean:
	rm -rf $(VENV) build dist docs/made docs/gallery .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
