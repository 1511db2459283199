"""`kpca-viewer embed` of a table in parts, on a cluster of two processes."""

import io
import json
import os
import shutil
import sys
from datetime import datetime

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_circles

from kpca_viewer import KernelPCA, __version__
from kpca_viewer.core.estimator import streams
from kpca_viewer.core.kernels.kernel import suggested_values
from kpca_viewer.data.parts import pieces
from kpca_viewer.features.large_tables import result_folder as results
from kpca_viewer.features.large_tables.result_folder import LOCK, only_run_in
from kpca_viewer.support import memory
from kpca_viewer.support.atomic import TEMPORARY

pytestmark = pytest.mark.cluster

SIZES = (6000, 4500, 4000)
GAMMA = 2.0


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    """Let so few rows not be joined."""
    monkeypatch.setattr(streams, "AT_ONCE_ROWS", 10_000)


@pytest.fixture(scope="module")
def circles(tmp_path_factory):
    """Three parts: enough rows that a sample does not hold them all."""
    folder = tmp_path_factory.mktemp("circles")
    for part, n in enumerate(SIZES, start=1):
        X, y = make_circles(n, factor=0.3, noise=0.05, random_state=part)
        words = np.array(["inner", "outer"])[1 - y]
        table = pd.DataFrame({"x": X[:, 0], "y": X[:, 1], "kind": words})
        table.to_parquet(folder / f"measured{part}.parquet")
    return folder


@pytest.fixture
def embed(run, two_workers):
    """Run the command on the cluster; `run` of the other tests does the rest."""

    def embed(*words):
        return run(*words, "--scheduler", two_workers.client.scheduler.address)

    return embed


def columns(folder):
    return ("--gamma", GAMMA, "--components", 3, "--label", "kind", "--out", folder)


def told(folder):
    return json.loads((folder / "summary.json").read_text())


def test_a_folder_becomes_scores_a_model_and_a_summary(embed, circles, tmp_path):
    out = tmp_path / "scores"
    code, said, err = embed(circles, *columns(out))
    assert (code, err) == (0, "")
    assert f"{sum(SIZES):,} rows × 2 features" in said
    assert "\nProven bounds: eigenvalues exact to " in said
    parts = sorted(out.glob("part-*.parquet"))
    assert [path.name for path in parts] == [
        f"part-0000{k}-measured{k}.parquet" for k in (1, 2, 3)
    ]
    model = KernelPCA.load(out / "model.npz")
    for path, source in zip(parts, sorted(circles.iterdir()), strict=True):
        written, raw = pd.read_parquet(path), pd.read_parquet(source)
        assert list(written) == ["row", "label", "PC1", "PC2", "PC3"]
        assert written["row"].tolist() == list(range(1, len(raw) + 1))
        assert written["label"].tolist() == raw["kind"].tolist()
        scores = written[["PC1", "PC2", "PC3"]].to_numpy()
        assert np.array_equal(scores, model.transform(raw[["x", "y"]].to_numpy()))
    assert len(model.X_fit_) == model.rank_
    summary = told(out)
    assert summary["rows"] == sum(SIZES)
    assert summary["parts"] == 3
    assert summary["workers"] == 2
    assert summary["passes"] >= 1
    assert summary["bytes_moved"] > 0
    assert summary["bytes_written"] == sum(path.stat().st_size for path in parts)
    assert set(summary["seconds"]) == {"look", "fit", "scores"}
    assert summary["version"] == __version__
    assert datetime.fromisoformat(summary["date"]).tzinfo is not None
    assert summary["source"] == [str(circles)]
    assert summary["feature_names"] == ["x", "y"]
    assert (summary["label"], summary["row_names"]) == ("kind", None)
    assert summary["metadata"] == []
    assert summary["tolerance"] == 0
    assert 0 < summary["error"] < 1e-3
    X = np.concatenate(
        [pd.read_parquet(p)[["x", "y"]].to_numpy() for p in sorted(circles.iterdir())]
    )
    exact = KernelPCA(3, kernel="rbf", gamma=GAMMA, tol=1e-6).fit(X).eigenvalues_
    low, high = np.array(summary["eigenvalue_bounds"]).T
    assert (low <= exact * (1 + 1e-6)).all()
    assert (exact <= high * (1 + 1e-6)).all()


def test_one_part_is_projected_onto_the_model_of_all(embed, run, circles, tmp_path):
    out, one = tmp_path / "scores", circles / "measured2.parquet"
    assert embed(circles, *columns(out))[0] == 0
    code, _, err = run(one, "--onto", out / "model.npz", "--out", "two.parquet")
    assert (code, err) == (0, "")
    again = pd.read_parquet(tmp_path / "two.parquet")
    first = pd.read_parquet(out / "part-00002-measured2.parquet")
    assert np.array_equal(again["PC1"], first["PC1"])


def test_parts_have_the_columns_of_one_file(embed, run, circles, tmp_path):
    data, out = tmp_path / "data", tmp_path / "scores"
    data.mkdir()
    for number, path in enumerate(sorted(circles.iterdir()), start=1):
        table = pd.read_parquet(path)
        table["id"] = [f"{number}/{i}" for i in range(len(table))]
        table["year"] = 2000 + np.arange(len(table)) % 20
        table["note"] = np.where(np.arange(len(table)) % 3, "seen", None)
        table.to_parquet(data / path.name)
    words = (*columns(out), "--metadata", "year")
    code, said, err = embed(data, *words)
    assert (code, err) == (0, "")
    assert "row names “id”" in said
    one = data / "measured2.parquet"
    words = (*columns("one.parquet"), "--metadata", "year", "--scaling", "none")
    assert run(one, *words)[0] == 0
    alone = pd.read_parquet(tmp_path / "one.parquet")
    part = pd.read_parquet(out / "part-00002-measured2.parquet")
    pd.testing.assert_frame_equal(part.iloc[:, :4], alone.iloc[:, :4])
    assert list(part) == list(alone)
    whole = pd.read_parquet(sorted(out.glob("part-*")))
    expected = [pd.read_parquet(path)["id"] for path in sorted(data.iterdir())]
    assert whole["row"].tolist() == pd.concat(expected).tolist()


def test_a_run_that_was_interrupted_goes_on(embed, circles, tmp_path):
    out = tmp_path / "scores"
    assert embed(circles, *columns(out))[0] == 0
    before = {path.name: path.read_bytes() for path in out.glob("part-*")}
    kept = (out / "part-00001-measured1.parquet").stat().st_mtime_ns
    model = (out / "model.npz").stat().st_mtime_ns
    # As Ctrl+C in the middle leaves it.
    (out / "part-00002-measured2.parquet").unlink()
    (out / "summary.json").unlink()
    journal = (out / "journal.jsonl").read_text().splitlines(keepends=True)
    (out / "journal.jsonl").write_text("".join(journal[:-1]) + journal[-1][:9])
    code, said, _ = embed(circles, *columns(out))
    assert code == 0
    assert "1 of 3 parts are there already" in said
    assert {path.name: path.read_bytes() for path in out.glob("part-*")} == before
    assert (out / "part-00001-measured1.parquet").stat().st_mtime_ns == kept
    assert (out / "model.npz").stat().st_mtime_ns == model
    assert told(out)["rows"] == sum(SIZES)
    again = embed(circles, *columns(out), "--quiet")
    assert again == (0, "", "")


class Impatient(io.StringIO):
    """A terminal in which somebody presses Ctrl+C on reading some words."""

    def __init__(self, words):
        super().__init__()
        self._words = words

    def isatty(self):
        return True

    def write(self, text):
        if self._words in text:
            raise KeyboardInterrupt
        return super().write(text)


def test_who_stops_it_is_told_what_the_next_run_does(
    embed, circles, tmp_path, monkeypatch
):
    out = tmp_path / "scores"

    def stopped_at(words):
        terminal = Impatient(words)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", terminal)
            assert embed(circles, *columns(out))[0] == 130
        return terminal.getvalue().rpartition("\x1b[K")[2]

    assert stopped_at("fit: 2 of 3 blocks") == (
        "kpca-viewer embed: stopped before the model was there; the next run begins "
        "again.\n"
    )
    assert not out.exists()
    assert stopped_at("scores: 2 of 3 blocks") == (
        "kpca-viewer embed: stopped; 1 of 3 parts are finished, run the same command "
        "again to go on.\n"
    )
    assert "1 of 3 parts are there already" in embed(circles, *columns(out))[1]


def test_results_of_something_else_are_not_replaced(embed, circles, tmp_path):
    out, data = tmp_path / "scores", tmp_path / "data"
    shutil.copytree(circles, data)
    assert embed(data, *columns(out))[0] == 0
    before = (out / "model.npz").read_bytes()
    code, _, err = embed(data, *columns(out), "--no-center")
    assert code == 2
    assert "results of other options (--no-center not given then, True now);" in err
    err = embed(data, *columns(out), "--feature", "x", "--feature", "y")[2]
    assert "(--feature not given then, x, y now);" in err
    last = data / "measured3.parquet"
    written = last.stat()
    os.utime(last, ns=(written.st_atime_ns, written.st_mtime_ns + 1))
    told = "other parts: part 3 (measured3.parquet) was written again since"
    assert told in embed(data, *columns(out))[2]
    last.unlink()
    told = "other parts: measured3.parquet was among them"
    assert told in embed(data, *columns(out))[2]
    shutil.copy(data / "measured1.parquet", data / "measured0.parquet")
    told = "other parts: part 1 (measured0.parquet) was not among them"
    assert told in embed(data, *columns(out))[2]
    (data / "measured0.parquet").unlink()
    assert (out / "model.npz").read_bytes() == before
    assert embed(data, *columns(out), "--force")[0] == 0
    assert len(list(out.glob("part-*"))) == 2
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    assert "holds other files" in embed(data, *columns(mine), "--force")[2]
    assert (mine / "letter.txt").exists()


def test_what_is_wrong_with_a_part_is_one_sentence(embed, circles, tmp_path):
    data, out = tmp_path / "data", tmp_path / "scores"
    shutil.copytree(circles, data)
    table = pd.read_parquet(data / "measured2.parquet")
    table.loc[16, "y"] = np.nan
    table.to_parquet(data / "measured2.parquet")
    code, _, err = embed(data, *columns(out), "--missing", "nearest")
    assert code == 2
    assert "of a table in parts drop rows or columns with gaps, or fill them" in err
    assert len(err.splitlines()) == 1
    assert not out.exists()
    code, said, _ = embed(data, *columns(out))
    assert code == 0
    assert "1 rows left out: gaps" in said
    numbers = pd.read_parquet(out / "part-00002-measured2.parquet")["row"].tolist()
    assert 17 not in numbers
    assert 18 in numbers
    assert told(out)["rows"] == sum(SIZES) - 1
    assert told(out)["left_out"] == 1


def test_features_that_are_mostly_filled_in_later_parts_are_said(
    embed, circles, tmp_path
):
    data, out = tmp_path / "data", tmp_path / "scores"
    shutil.copytree(circles, data)
    for path in sorted(data.glob("*.parquet"))[1:]:
        table = pd.read_parquet(path)
        table["y"] = np.nan
        table.to_parquet(path)
    code, said, _ = embed(data, *columns(out), "--missing", "median")
    assert code == 0
    assert "Filled in more than 30 % of a sample of all rows: “y”;" in said


def test_a_disk_that_is_too_small_is_said_before(embed, circles, tmp_path, monkeypatch):
    out = tmp_path / "scores"
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(
        results.shutil, "disk_usage", lambda path: usage._replace(free=1000)
    )
    code, _, err = embed(circles, *columns(out))
    assert code == 2
    assert "of the disk of" in err
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--onto", "model.npz"), "--onto is for one table in memory"),
        (("--components", "0.9"), "--components as a whole number"),
        (("--diagnostics",), "--diagnostics is for one table in memory"),
        (("--solver", "dense"), "the dense solver would need all rows at once"),
        (("--tls-ca", "ca.pem"), "belong together"),
        (("--kernel", "nonsense"), "There is no kernel"),
        (("--matrix", "kernel"), "is a matrix of kernel"),
        (("--missing", "never"), "is not a value of --missing"),
    ],
)
def test_what_makes_no_sense_for_parts_is_refused(embed, circles, words, told):
    code, _, err = embed(circles, "--out", "scores", *words)
    assert code == 2
    assert told in err


def test_scores_do_not_go_to_a_file_or_to_what_is_read(embed, circles):
    assert "is no folder" in embed(circles, "--out", "scores.csv")[2]
    assert "is what is read" in embed(circles, "--out", circles)[2]
    one = circles / "measured1.parquet"
    assert "is computed here" in embed(one, "--out", "scores.csv")[2]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("nosuch/", "“nosuch/” does not exist"),
        ("nosuch", "no data set “nosuch”"),
        ("nosuch.csv", "“nosuch.csv” does not exist"),
        ("*.csv", "No file fits the pattern “*.csv”; check its ending."),
        ("nosuch/*.csv", "The folder “nosuch” does not exist"),
    ],
)
def test_what_is_not_there_is_said_before_anything_of_the_output(run, word, told):
    code, _, err = run(word, "--out", "scores/")
    assert code == 2
    assert told in err


def test_one_file_that_is_larger_than_memory_is_read_in_pieces(
    embed, tmp_path, monkeypatch
):
    X = make_circles(15_000, factor=0.3, noise=0.05, random_state=0)[0]
    np.save(tmp_path / "large.npy", X)
    monkeypatch.setattr(pieces, "MOST_ROWS", 6000)
    monkeypatch.setattr(memory, "available", lambda: 900_000)
    code, said, err = embed("large.npy", "--gamma", GAMMA, "--out", "scores")
    assert (code, err) == (0, "")
    assert "“large.npy” is larger than memory" in said
    files = sorted((tmp_path / "scores").glob("part-*"))
    assert [path.name for path in files] == [
        f"part-00001-large-0000{k}.parquet" for k in (1, 2, 3)
    ]
    rows = np.concatenate([pd.read_parquet(path)["row"] for path in files])
    assert rows.tolist() == list(range(1, len(X) + 1))
    assert "go to a folder" in embed("large.npy", "--out", "scores.csv")[2]


def test_what_stopped_workers_left_is_removed(tmp_path):
    folder = results.ResultFolder(tmp_path / "scores", [], {}, force=False)
    folder.begin()
    (folder.path / f".part-00001.x{TEMPORARY}").touch()
    folder.clear_unfinished()
    assert [path.name for path in folder.path.iterdir()] == ["journal.jsonl"]


def test_few_rows_of_arrays_come_back_from_workers(embed, tmp_path):
    data, out = tmp_path / "data", tmp_path / "scores"
    data.mkdir()
    X = np.random.default_rng(0).normal(size=(60, 3))
    np.save(data / "q1.npy", X[:30])
    np.save(data / "q2.npy", X[30:])
    code, _, err = embed(data, "--components", 2, "--out", out)
    assert (code, err) == (0, "")
    assert told(out)["rows"] == 60


def test_two_runs_do_not_write_into_one_folder(embed, circles, tmp_path):
    out = tmp_path / "scores"
    with only_run_in(out):
        lock = json.loads((out / LOCK).read_text())
        # As a process that is there and not this one.
        (out / LOCK).write_text(json.dumps({**lock, "process": os.getppid()}))
        code, _, err = embed(circles, *columns(out))
        assert code == 2
        assert err.count("\n") == 1
        assert "Another run writes into" in err
        assert [path.name for path in out.iterdir()] == [LOCK]


def test_a_part_that_changes_during_a_run_is_named(embed, circles, tmp_path):
    data, out = tmp_path / "data", tmp_path / "scores"
    shutil.copytree(circles, data)

    def changed(folder, facts):
        """Write a part again, once the model is there."""
        kept(folder, facts)
        pd.read_parquet(data / "measured3.parquet")[:1].to_parquet(
            data / "measured3.parquet"
        )

    kept = results.ResultFolder.keep_fitted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results.ResultFolder, "keep_fitted", changed)
        code, _, err = embed(data, *columns(out))
    assert code == 2
    assert "Part 3 (measured3.parquet) has been written to since" in err
    assert not (out / "summary.json").exists()


@pytest.mark.parametrize("label", ["ring", "angle", None])
def test_gamma_is_suggested_by_the_evidence_of_one_file(embed, run, tmp_path, label):
    """By classes, by a quantity, and by structure."""
    X, y = make_circles(400, factor=0.3, noise=0.05, random_state=0)
    table = pd.DataFrame({"x": X[:, 0], "y": X[:, 1]})
    if label == "ring":
        table[label] = np.array(["outer", "inner"])[y]
    elif label == "angle":
        table[label] = np.linalg.norm(X, axis=1) + X[:, 0]
    words = () if label is None else ("--label", label)
    parts = tmp_path / "parts"
    parts.mkdir()
    for name, rows in (("a", slice(0, 150)), ("b", slice(150, None))):
        table[rows].to_parquet(parts / f"{name}.parquet")
    table.to_parquet(tmp_path / "all.parquet")
    out = tmp_path / "scores"
    assert embed(parts, *words, "--out", out)[0] == 0
    model = tmp_path / "model.npz"
    told_by_file = ("--out", tmp_path / "scores.csv", "--model", model)
    assert run(tmp_path / "all.parquet", *words, *told_by_file)[0] == 0
    gamma = KernelPCA.load(model).gamma
    assert told(out)["parameters"]["gamma"] == gamma
    assert gamma != pytest.approx(suggested_values("rbf", X)["gamma"], rel=0.1)
