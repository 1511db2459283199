"""`make` says which step of the set-up runs, and nothing else."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PYTHON = """#!/bin/sh
# Stands in for Python: it makes no environment and downloads nothing.
case "$*" in
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  "-m pip install "*)
    echo "Obtaining file:///here"
    echo "WARNING: something that nobody has to know" >&2
    echo "Collecting numpy"
    echo "  Downloading numpy.whl (16 MB)"
    if [ -n "${NO_NETWORK:-}" ]; then echo "ERROR: no network" >&2; exit 1; fi
    echo "Installing collected packages: numpy"
    echo "Successfully installed numpy" ;;
esac
"""


@pytest.fixture
def set_up(tmp_path):
    """Run the script with a Python of ours in an empty folder."""
    python = tmp_path / "python3"
    python.write_text(PYTHON)
    python.chmod(0o755)

    def set_up(**environment):
        return subprocess.run(
            ["sh", str(ROOT / "tools" / "set-up"), str(python), ".venv"],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", **environment},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )

    return set_up


pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="make and sh are not there"
)


def test_every_step_is_said_once(set_up):
    done = set_up()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Setting up kpca_viewer in .venv; this takes a few minutes, once.",
        "  1/3 making the virtual environment",
        "  2/3 downloading Qt, NumPy, SciPy and the others",
        "  3/3 installing them",
    ]
    # The environment is there; only the libraries may have changed.
    again = set_up()
    assert again.returncode == 0
    assert "1/3" not in again.stdout


def test_a_failure_is_one(set_up):
    done = set_up(NO_NETWORK="1")
    assert done.returncode == 1
    assert done.stderr == "ERROR: no network\n"
    assert done.stdout.splitlines()[-1].startswith("The libraries could not be")
    assert "3/3" not in done.stdout


def test_the_lowest_versions_are_those_that_are_promised():
    tool = ROOT / "tools" / "lowest-versions"
    printed = subprocess.run(
        [sys.executable, str(tool)], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    promised = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = promised["project"]["dependencies"]
    assert len(printed) == len(needed)
    for line, requirement in zip(printed, needed, strict=True):
        name, _, version = line.partition(";")[0].strip().partition("==")
        assert requirement.startswith(f"{name}>={version}")
