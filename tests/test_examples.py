"""The examples run as they are and print what they say they do."""

import json
import os
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def run(monkeypatch, tmp_path, capsys):
    """Run an example in an empty folder, where it leaves nothing."""
    monkeypatch.chdir(tmp_path)

    def run(name):
        path = EXAMPLES / name
        found = _run_notebook(path) if path.suffix == ".ipynb" else runpy.run_path(path)
        assert os.listdir(tmp_path) == []
        return found, capsys.readouterr().out

    return run


def _run_notebook(path):
    """Execute the cells of code in their order and return the names they define."""
    names = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(path), "exec"), names)
    return names


def test_every_example_is_listed_and_run():
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    here = Path(__file__).read_text(encoding="utf-8")
    for path in EXAMPLES.iterdir():
        if path.suffix in (".py", ".ipynb"):
            assert f"]({path.name})" in listed
            assert f'run("{path.name}")' in here


@pytest.mark.journey
def test_drop_in(run):
    names, out = run("drop_in.py")
    low, high = names["model"].eigenvalue_bounds_.T
    values = names["model"].eigenvalues_
    assert ((low <= values) & (values <= high)).all()
    assert names["enough"].explained_variance_ratio_.sum() >= 0.9
    assert "solver lowrank" in out
    assert names["search"].best_score_ > 0.9


def test_new_points(run):
    names, _ = run("new_points.py")
    assert names["again"] < 1e-12
    distance = names["distance"]
    assert distance(names["cleaned"]) < distance(names["noisy"]) / 2


@pytest.mark.journey
def test_sweep_gamma(run):
    names, out = run("sweep_gamma.py")
    assert len(out.splitlines()) == 1 + 7 + 1
    assert names["swept"].points[-1].measures["effective_rank"] > 50
    assert 1 < names["suggested"] < 30
    assert "by the held-out classes of 300 rows: 9" in out.splitlines()[-1]


def test_own_kernel(run):
    names, out = run("own_kernel.py")
    assert "negative mass 0.0%" in out
    assert "Lisbon" in out
    assert names["model"].explained_variance_ratio_.sum() > 0.99


def test_saved_model(run):
    names, out = run("saved_model.py")
    assert "the same to" in out
    assert names["fitted"].X_fit_.shape == (178, 13)
    assert names["raw"].shape == (2, 13)
    assert not names["folder"].exists()


@pytest.mark.journey
def test_first_look(run):
    names, _ = run("first_look.ipynb")
    linear_accuracy, y = names["linear_accuracy"], names["y"]
    assert linear_accuracy(names["flat"], y) < 0.7
    assert linear_accuracy(names["bent"], y) > 0.99
    assert list(names["swept"].frame()["gamma"]) == [0.1, 1, 10, 100, 1000]
    assert names["picture"]._repr_png_().startswith(b"\x89PNG")
    assert names["picture"]._repr_html_().startswith("<iframe sandbox=")
    assert "kpca_viewer." not in (EXAMPLES / "first_look.ipynb").read_text(
        encoding="utf-8"
    ).replace("kpca_viewer.show", "")
