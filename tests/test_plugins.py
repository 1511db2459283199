"""Kernels and readers of other packages, found by their entry points."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLUGIN = ROOT / "examples" / "plugin"

LOOK = """
import sys
import numpy as np
from PySide6.QtWidgets import QApplication, QComboBox
import kpca_viewer

X = kpca_viewer.generate("moons", samples=60).points
gaps = np.square(X[:, None] - X).sum(axis=2)
model = kpca_viewer.KernelPCA(2, kernel="cauchy", gamma=0.5).fit(X)
H = np.eye(60) - 1 / 60
truth = np.linalg.eigvalsh(H @ (1 / (1 + 0.5 * gaps)) @ H)[::-1][:2]
np.testing.assert_allclose(model.eigenvalues_, truth, rtol=1e-9)
assert kpca_viewer.Kernel.parse("cauchy(2) + linear()").psd

stations = kpca_viewer.read(sys.argv[1])
assert (stations.n, stations.d) == (12, 2), stations
app = QApplication([])
handle = kpca_viewer.show(stations, model=model, block=False)
viewer = handle._viewer
viewer.runner.result_ready.connect(lambda _: app.exit(0))
app.exec()
combo = viewer.window.findChild(QComboBox, "kernel_combo")
print(combo.currentText(), handle.kernel, combo.findData("broken"))
handle.close()
"""


@pytest.fixture
def installed(tmp_path):
    """Install the example and a broken package, as pip would, into a folder."""
    for name, module, points in (
        ("kpca_extra", PLUGIN / "kpca_extra.py", PLUGIN / "pyproject.toml"),
        ("kpca_broken", None, None),
    ):
        entries = "[kpca_viewer.kernels]\nbroken = kpca_broken:KERNEL\n"
        if points is not None:
            groups = tomllib.loads(points.read_text())["project"]["entry-points"]
            entries = "".join(
                f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in rows.items())
                for group, rows in groups.items()
            )
        text = "KERNEL = 1 / 0\n" if module is None else module.read_text("utf-8")
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        )
        (info / "entry_points.txt").write_text(entries)
    return tmp_path


def run(installed, *words):
    path = os.pathsep.join([str(ROOT), str(installed)])
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": path, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.journey
def test_a_kernel_and_a_reader_are_found_and_seen_in_the_window(installed):
    rows = [{"height": i, "rain": (7 * i) % 5 + 0.5} for i in range(12)]
    file = installed / "alps.stations"
    file.write_text(json.dumps({"stations": rows}))
    done = run(installed, "-W", "default", "-c", LOOK, str(file))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Cauchy {'kernel': 'cauchy', 'gamma': 0.5} -1\n"
    said = "The plug-in “broken” of kpca_broken is left out (ZeroDivisionError"
    assert done.stderr.count(said) == 1
    file.write_text("{}")
    done = run(installed, "-m", "kpca_viewer", "embed", str(file), "--out", "-")
    assert done.returncode != 0
    assert said in done.stderr
    assert "cannot be read by the plug-in" in done.stderr


def test_the_example_is_short():
    assert len((PLUGIN / "kpca_extra.py").read_text("utf-8").splitlines()) < 50
