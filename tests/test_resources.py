"""Assets are found in a checkout and in an installed wheel."""

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kpca_viewer.resources import asset

ROOT = Path(__file__).parents[1]


def test_checkout():
    assert asset("icon.svg").is_file()
    assert asset("icons", "open.svg").parent == asset("icons")
    assert asset() == ROOT / "assets"


def test_missing_asset_is_named():
    with pytest.raises(FileNotFoundError, match=r"icons/nothing\.svg"):
        asset("icons", "nothing.svg")


@pytest.fixture(scope="module")
def unpacked_wheel(tmp_path_factory):
    wheels = tmp_path_factory.mktemp("wheels")
    # Without isolation nothing is downloaded where hatchling is already installed.
    options = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *options]
    built = subprocess.run(
        [*command, "--wheel-dir", str(wheels), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = wheels.glob("*.whl")
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_installed_wheel(unpacked_wheel, tmp_path):
    # -I leaves out the current folder and PYTHONPATH; the unpacked wheel comes before
    # site-packages, where an editable install would lead back to the checkout.
    code = f"""
import sys
sys.path.insert(0, {str(unpacked_wheel)!r})
import kpca_viewer.resources as resources
from pathlib import Path
folder = Path({str(unpacked_wheel)!r}).resolve()
assert Path(resources.__file__).resolve().is_relative_to(folder), resources.__file__
for parts in [("icon.svg",), ("icons", "open.svg")]:
    path = resources.asset(*parts)
    assert path.resolve().is_relative_to(folder / "kpca_viewer" / "assets"), path
    assert path.read_text(encoding="utf-8").startswith("<svg")
"""
    result = subprocess.run(
        [sys.executable, "-I", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
