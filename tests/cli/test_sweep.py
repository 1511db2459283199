"""``kpca-viewer sweep``: ranges, folders, going on, processes that die."""

import argparse
import csv
import json
import os

import pytest
from PySide6.QtGui import QImage

from kpca_viewer.engine.executors.executor import ProcessExecutor
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep import jobs as sweep_jobs
from kpca_viewer.engine.sweep.jobs import Job, Sweep, compute_points
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings
from kpca_viewer.features.sweep import command as sweep
from kpca_viewer.features.sweep.command_options import parse_range
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import DataError
from tests.cli.dying import FOLDER, DyingPoints


@pytest.fixture
def command(tmp_path, capsys, qapp, monkeypatch):
    """Run the command in a folder of its own; returns code, output and errors."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")

    def run(*words, out="out"):
        parser = argparse.ArgumentParser()
        sweep.add_parser(parser.add_subparsers())
        options = parser.parse_args(["sweep", *words, "--out", str(tmp_path / out)])
        code = options.run(options)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


DISTANCES = str(asset("data", "cities_distances.csv"))
SMALL = ("circles", "--samples", "60")


def table_of(folder):
    with open(folder / "measures.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("name", "text", "meant"),
    [
        ("gamma", "0.01:100:50:log", SweepAxis("gamma", 0.01, 100, 50, "log")),
        ("gamma", "1:9:5:linear", SweepAxis("gamma", 1, 9, 5, "linear")),
        ("gamma", "1:100", SweepAxis("gamma", 1, 100, 30, "log")),
        ("degree", "1:5", SweepAxis("degree", 1, 5, 5, "linear")),
        ("noise", "0:0.4:3", SweepAxis("noise", 0, 0.4, 3, "linear")),
        ("coef0", "−1:1:3", SweepAxis("coef0", -1, 1, 3, "linear")),
        ("kernel", "rbf,poly", SweepAxis("kernel", kernels=("rbf", "poly"))),
        ("gamma", "3", 3.0),
    ],
)
def test_ranges(name, text, meant):
    assert parse_range(name, text) == meant


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("gamma", "a:b", "not a range"),
        ("gamma", "1:2:x", "not a range"),
        ("gamma", "1:2:0", "1 to 2,000 steps, not 0; choose more"),
        ("degree", "1:3:-2", "1 to 2,000 steps, not −2; choose more"),
        ("degree", "1:inf", "finite ends"),
        ("gamma", "1:2:5000", "not 5,000; choose fewer"),
        ("gamma", "1:2:3:cubic", "log or linear"),
        ("gamma", "1:2:3:log:4", "nothing else"),
        ("gamma", "5:1:3", "smaller end first"),
        ("colour", "1:2", "cannot be swept"),
    ],
)
def test_ranges_that_make_no_sense(name, text, words):
    with pytest.raises(DataError, match=words):
        parse_range(name, text)


def test_table_strip_and_pictures(command, tmp_path):
    code, said, errors = command(*SMALL, "--gamma", "0.1:10:3:log", "--measure", "knn")
    assert (code, errors) == (0, "")
    assert "rbf: 3 values, highest k-NN accuracy (rows)" in said
    assert ", largest class 50.0 %" in said
    folder = tmp_path / "out"
    rows = table_of(folder)
    assert [row["kernel"] for row in rows] == ["rbf"] * 3
    assert [float(row["gamma"]) for row in rows] == [0.1, 1, 10]
    for row in rows:
        assert float(row["pc1_low"]) <= float(row["pc1_eigenvalue"])
        assert float(row["pc1_eigenvalue"]) <= float(row["pc1_high"])
        assert 0 <= float(row["knn_accuracy"]) <= 1
        assert 0 < float(row["knn_accuracy_error"]) < 0.1
        assert 0 <= float(row["knn_accuracy_linear_pca"]) <= 1
        assert float(row["chance"]) == 0.5
        # All of them; a number that is of a sample stands beside that of the data.
        assert row["scored_rows"] == row["scored_labelled_rows"] == row["rows"]
        assert row["scored_components"] == "2"
        assert row["error"] == ""
    assert not QImage(str(folder / "strip_rbf.png")).isNull()
    assert not QImage(str(folder / "grid_rbf.png")).isNull()
    thumbnails = sorted(path.name for path in (folder / "thumbnails").iterdir())
    assert thumbnails[0] == "rbf_0000_gamma_0.1.png"
    assert len(thumbnails) == 3
    assert len((folder / "points.jsonl").read_text().splitlines()) == 3


def test_pictures_carry_the_name_of_the_data_and_not_their_path(command, tmp_path):
    rows = "".join(f"{j},{j * j % 7},{'xy'[j % 2]}\n" for j in range(20))
    drawn = []
    for folder in ("here", "a folder that is somewhere else"):
        path = tmp_path / folder / "tea.csv"
        path.parent.mkdir()
        path.write_text("a,b,kind\n" + rows)
        code, _, errors = command(str(path), "--gamma", "0.1:1:2:log", out=folder)
        assert (code, errors) == (0, "")
        drawn.append(QImage(str(path.parent / "strip_rbf.png")))
    assert drawn[0] == drawn[1]


def test_several_kernels_without_a_range(command, tmp_path):
    code, said, _ = command(*SMALL, "--kernel", "linear,cosine", "--no-pictures")
    assert code == 0
    assert [row["kernel"] for row in table_of(tmp_path / "out")] == ["linear", "cosine"]
    assert "linear: 1 value," in said


def test_a_grid_and_a_dark_picture(command, tmp_path):
    code, _, _ = command(
        "iris",
        *("--kernel", "poly", "--degree", "1:2", "--coef0", "0:1:2"),
        *("--theme", "dark"),
    )
    assert code == 0
    rows = table_of(tmp_path / "out")
    assert [(row["degree"], row["coef0"]) for row in rows] == [
        ("1.0", "0.0"),
        ("2.0", "0.0"),
        ("1.0", "1.0"),
        ("2.0", "1.0"),
    ]
    assert not (tmp_path / "out" / "strip_poly.png").exists()
    corner = QImage(str(tmp_path / "out" / "grid_poly.png")).pixelColor(2, 2)
    assert corner.lightness() < 60


def test_noise_of_a_generator(command, tmp_path):
    code, _, _ = command(
        *SMALL, "--sweep", "noise=0:0.2:2", "--gamma", "2", "--no-pictures"
    )
    assert code == 0
    assert [row["noise"] for row in table_of(tmp_path / "out")] == ["0.0", "0.2"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere", "--gamma", "1:2"), "no file and no data set"),
        ((*SMALL, "--kernel", "square"), "no kernel “square”"),
        ((*SMALL, "--degree", "1:3"), "has no parameter “degree”"),
        ((*SMALL, "--measure", "beauty"), "no measure"),
        ((*SMALL, "--workers", "0"), "workers"),
        ((*SMALL, "--gamma", "-1"), "greater than 0"),
        ((*SMALL, "--sweep", "noise"), "NAME=RANGE"),
        (("iris", "--sweep", "noise=0:1:3"), "“iris” has no noise to sweep"),
        (("iris", "--sweep", "samples=50"), "“iris” has no samples to sweep"),
        ((DISTANCES, "--gamma", "1:2:3"), "matrix of distances; it has no gamma"),
        (
            (DISTANCES, "--measure", "knn"),
            "k-NN accuracy (rows) is not defined: the data",
        ),
        (
            (*SMALL, "--gamma", "1:2", "--components", "1:2", "--sweep", "noise=0:1"),
            "a grid has two",
        ),
    ],
)
def test_bad_input_is_one_line(command, words, said):
    code, output, errors = command(*words)
    assert (code, output) == (2, "")
    assert said in errors
    assert errors.count("\n") == 1


def test_a_run_goes_on_where_it_stopped(command, tmp_path, monkeypatch):
    words = (*SMALL, "--gamma", "0.1:10:4:log", "--no-pictures")
    real = sweep_jobs.compute_points
    computed = []

    def interrupted(executor, points, jobs):
        for count, (job, point) in enumerate(real(executor, points, jobs)):
            if count == 2:
                raise KeyboardInterrupt
            computed.append(job.index)
            yield job, point

    def watched(executor, points, jobs):
        for job, point in real(executor, points, jobs):
            computed.append(job.index)
            yield job, point

    monkeypatch.setattr(sweep_jobs, "compute_points", interrupted)
    code, _, errors = command(*words)
    assert code == 130
    assert "stopped" in errors
    assert not (tmp_path / "out" / "measures.csv").exists()
    monkeypatch.setattr(sweep_jobs, "compute_points", watched)
    code, _, errors = command(*words)
    assert code == 0
    assert "2 of 4 values are there already" in errors
    assert computed == [0, 1, 2, 3]
    assert len(table_of(tmp_path / "out")) == 4
    assert command(*words)[0] == 0
    assert computed == [0, 1, 2, 3]


def test_a_line_that_was_cut_off_is_computed_again(command, tmp_path):
    words = (*SMALL, "--gamma", "1:2:2:log", "--no-pictures")
    assert command(*words)[0] == 0
    journal = tmp_path / "out" / "points.jsonl"
    first, second = journal.read_text().splitlines()
    journal.write_text(f'{first}\n{{"not": "a point"}}\n{second[:50]}')
    assert command(*words)[0] == 0
    kept = journal.read_text().splitlines()
    assert kept[0] == first
    assert json.loads(kept[-1])["index"] == 1
    assert len(table_of(tmp_path / "out")) == 2


def test_a_folder_with_another_sweep_is_refused(command, tmp_path):
    assert command(*SMALL, "--gamma", "1:2:2", "--no-pictures")[0] == 0
    code, _, errors = command(*SMALL, "--gamma", "1:3:2", "--no-pictures")
    assert code == 2
    assert "holds another sweep" in errors
    (tmp_path / "out" / "sweep.json").write_text("{")
    code, _, errors = command(*SMALL, "--gamma", "1:2:2", "--no-pictures")
    assert code == 2
    assert "damaged" in errors


def test_a_folder_that_is_a_file(command, tmp_path):
    (tmp_path / "file").touch()
    code, _, errors = command(*SMALL, "--gamma", "1:2:2", out="file")
    assert code == 2
    assert "choose another folder" in errors


def test_a_failed_value_is_told_and_tried_again(command, tmp_path):
    words = ("wine", "--scaling", "none", "--kernel", "poly", "--gamma", "1e14")
    words += ("--degree", "1:8:2", "--no-pictures")
    code, said, _ = command(*words)
    assert code == 0
    assert "1 failed" in said
    assert "overflows" in table_of(tmp_path / "out")[1]["error"]
    _, _, errors = command(*words)
    assert "1 of 2 values are there already" in errors


def test_when_nothing_succeeds_a_script_can_tell(command, tmp_path):
    words = ("wine", "--scaling", "none", "--kernel", "poly", "--gamma", "1e200")
    code, said, errors = command(*words, "--degree", "7:8:2", "--no-pictures")
    assert code == 2
    assert "2 failed" in said
    assert "All 2 values failed. The first: The polynomial kernel overflows" in errors
    assert errors.count("\n") == 1
    assert len(table_of(tmp_path / "out")) == 2


def test_data_without_classes_have_another_curve(command, tmp_path):
    code, said, _ = command(DISTANCES, "--components", "2:4", "--no-pictures")
    assert code == 0
    assert "highest share of the first two" in said


def test_a_single_number_for_the_data(command, tmp_path):
    words = ("--sweep", "samples=35", "--gamma", "1:2:2", "--no-pictures")
    assert command("circles", *words)[0] == 0
    assert {row["rows"] for row in table_of(tmp_path / "out")} == {"35"}


def test_a_file(command, tmp_path):
    path = tmp_path / "points.csv"
    lines = [f"{i % 7},{(i * i) % 11},{'ab'[i % 2]}" for i in range(30)]
    path.write_text("\n".join(["x,y,kind", *lines]) + "\n")
    code, _, _ = command(str(path), "--label", "kind", "--gamma", "0.1:1:2")
    assert code == 0
    assert len(table_of(tmp_path / "out")) == 2


@pytest.mark.journey
def test_a_dead_process_loses_only_its_own_point(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    one = Sweep(AnalysisRequest(SessionSettings()), SweepSettings(steps=4))
    jobs = [Job(0, index) for index in range(4)]
    with ProcessExecutor(2) as processes:
        found = dict(compute_points(processes, DyingPoints([one]), jobs))
    assert set(found) == set(jobs)
    assert [bool(found[job].error) for job in jobs] == [False, False, True, False]
    assert "processes died" in found[jobs[2]].error
    tried = [path.name.split(".")[0] for path in tmp_path.glob("*.threads")]
    assert {index: tried.count(index) for index in "0123"} == {
        "0": 1,
        "1": 2,
        "2": 3,
        "3": 1,
    }
    assert {path.read_text() for path in tmp_path.glob("*.threads")} == {"1"}
    assert os.environ["OMP_NUM_THREADS"] == "7"


@pytest.mark.journey
def test_several_workers_give_the_same_table(command, tmp_path):
    words = (*SMALL, "--gamma", "0.5:5:4:log", "--no-pictures")
    assert command(*words, "--workers", "2", out="two")[0] == 0
    assert command(*words, out="one")[0] == 0
    one, two = (table_of(tmp_path / name) for name in ("one", "two"))
    for a, b in zip(one, two, strict=True):
        assert float(a["silhouette"]) == pytest.approx(float(b["silhouette"]), abs=0.01)
        assert float(a["pc1_share"]) == pytest.approx(float(b["pc1_share"]), abs=0.01)
