"""The benchmarks themselves, on tables so small that their times say nothing."""

import json

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA

from benchmarks import __main__ as bench
from benchmarks import (
    corners,
    growth,
    reference,
    spread,
    stream,
    stream_methods,
    tables,
)
from benchmarks.corners import CORNERS, Corner
from benchmarks.markdown import tables as as_markdown
from benchmarks.rounds import Child, in_turn
from benchmarks.stream_tables import STREAMED, parquet_blocks
from benchmarks.tables import circles

TINY_CORNERS = (
    Corner("circles 150", "default", lambda: corners.fits(circles(150), kernel="rbf")),
    Corner("many 300", "Nystroem", lambda: corners.many(300, "fit", landmarks=20)),
    Corner("version", "–", lambda: corners.program("--version")),
    Corner("too large", "–", lambda: corners.program(), gigabytes=1e9),
)

TINY = {
    "corners": {"corners": TINY_CORNERS},
    "growth": {"sizes": (200, 400)},
    "drawing": {"counts": (50,), "lifted": 40, "frames": 10},
    "meaning": {
        "rows": 80,
        "digits": 150,
        "splits": 1,
        "draws": 1,
        "sigmas": (0.4,),
        "noises": (0.25,),
    },
    "gains": {"splits": 1, "noises": (0.5,), "sizes": (40,)},
    "choose": {
        "rows": 60,
        "names": ("iris",),
        "components": 3,
        "values": 3,
        "kernels": ("rbf",),
    },
    "files": {"rows": 300, "rounds": 1},
    "flights": {"sizes": (300,)},
    "stream": {"sizes": (3000,), "rounds": 1, "apart": False},
}


def test_quick_parts_are_measured_told_and_kept(qapp, tmp_path, capsys, monkeypatch):
    # A process runs once.
    monkeypatch.setattr(corners, "COUNTED_FROM", 0.3)
    kept = tmp_path / "results.json"
    kept.write_text('{"full": {"large": "before"}}', encoding="utf-8")
    bench.main(["quick", *TINY], kept, TINY)
    results = json.loads(kept.read_text(encoding="utf-8"))
    assert results["full"] == {"large": "before"}
    assert set(results["quick"]) == set(TINY)
    for part in results["quick"].values():
        assert {"date", "cores", "numpy", "seconds", "results"} <= set(part)
    assert results["quick"]["growth"]["results"]["few"]["sizes"] == [200, 400]
    digits = results["quick"]["meaning"]["results"]["digits"]
    assert digits["ours, default"] < digits["scikit-learn"] < digits["noisy"] * 1.1
    gained = results["quick"]["gains"]["results"]
    assert gained["noise"]["wine, noise 0.5"]["ours"][0] < 0.3
    assert len(gained["novelty"]) == 6
    assert results["quick"]["drawing"]["results"][0]["ratio"]["runs"] == 7
    turned = results["quick"]["drawing"]["results"][-1]
    assert turned["frames_per_second"] > 0
    assert turned["case"] == "turn the lift of 40 points"
    assert results["quick"]["files"]["results"][0]["ours"]["wall_s"]["runs"] == 1
    searched = results["quick"]["choose"]["results"]
    assert searched["grid"]["k = 3"]["largest_difference"] < 0.04
    assert searched["sets"][0]["within_one_error"]
    [streamed] = results["quick"]["stream"]["results"]
    assert streamed["sizes"][0]["error"] <= streamed["sizes"][0]["bound"] <= 1e-3
    # Of every block at least what its landmarks make: their products and sums.
    rank = streamed["sizes"][0]["rank"]
    assert streamed["sizes"][0]["bytes_a_block"] > 8 * rank**2
    compared, many, program, large = results["quick"]["corners"]["results"]
    assert compared["ratio"]["runs"] == many["floor_ratio"]["runs"] == 5
    assert compared["rank"] == 150
    # A process that has ended counts.
    assert program["ours_s"]["median"] > 0.01
    assert large == {
        "case": "too large",
        "against": "–",
        "left_out": "needs 1e+09 GB of memory",
    }
    said = capsys.readouterr().out
    # Of flights what it leaves out itself, and rounds.
    assert said.count("left out:") == len(TINY) + 2
    flown = results["quick"]["flights"]["results"]
    assert [row["ratio"]["runs"] for row in flown] == [1, 1]
    bench.main(["quick", "table"], kept)
    told = capsys.readouterr().out
    assert "| circles 150 | default | " in told
    assert "too large" not in told


def test_the_tables_of_the_documents_come_from_results():
    def spread_of(*seconds):
        return spread.spread(seconds)

    row = {
        "case": "circles 2,000",
        "ours_s": spread_of(0.02, 0.02),
        "fastest": "arpack",
        "scikit_learn_s": {"default": spread_of(2.0), "arpack": spread_of(0.01, 0.01)},
        "vs_fastest": spread_of(0.5, 0.5),
        "vs_default": spread_of(100.0),
    }
    about = {"date": "2026-11-19", "cores": 2, "load": 1.0, "seconds": 3.0}
    rows = [row | {"threads": "default"}, row | {"threads": 1}]
    told = as_markdown({"compare": about | {"results": rows}}).split("\n")
    assert told[0] == "compare: 2026-11-19, 2 cores, load 1, 3 s"
    readme = "| circles 2,000 | 20 ms | 2 s (100 ×, once) | 10 ms (0.5 ×) |"
    corner = "| circles 2,000 | arpack | 20 ms | 10 ms | **0.5 × (0.5 … 0.5)** | – |"
    assert [line for line in told if "2,000" in line] == [readme, corner]


def test_corners_are_made_once_and_named_once():
    names = [corner.name for corner in CORNERS]
    assert len(set(names)) == len(names)
    assert not any(corner.gigabytes and corner.quick for corner in CORNERS)
    words, topics = (tables.rows_of_words(200, 2000, 0.02, of) for of in (0, 4))
    # Without topics every quarter of the columns has as much; with them, the own has.
    quarters = [X.toarray().reshape(200, 4, 500).sum(axis=2) for X in (words, topics)]
    most = [(part.max(axis=1) / part.sum(axis=1)).mean() for part in quarters]
    assert most[0] < 0.4 < 0.55 < most[1]
    first, heavy = tables.factors(500, 30), tables.factors(500, 30, heavy=True)
    assert np.abs(first).max() < 6 < np.abs(heavy).max()


def test_every_step_of_the_growth_has_an_exponent(capsys):
    found = growth.grown(growth.MANY._replace(sizes=(300, 600, 900)), 2)
    times = [each["median"] for each in found["processor_s"]]
    step = np.log(times[2] / times[1]) / np.log(900 / 600)
    assert len(found["steps"]) == 2
    np.testing.assert_allclose(found["steps"][1], step, atol=2e-2)
    assert [each["runs"] for each in found["processor_s"]] == [2, 2, 2]


def test_beyond_what_is_compared_only_ours_runs(monkeypatch, capsys):
    monkeypatch.setattr(stream, "MOST_COMPARED", 0)
    [found] = stream.run(sizes=(3000,), tables=("circles",), apart=False)
    [row] = found["sizes"]
    assert row["bound"] <= 1e-3
    assert set(row["processor_s"]) == set(stream.OURS)
    assert "nystroem_s" not in row
    assert "the others are left out" in capsys.readouterr().out


def test_without_a_word_everything_runs():
    wanted = bench._arguments([])
    assert (wanted.quick, wanted.table, wanted.parts) == (False, False, [])


def test_what_the_quick_mode_leaves_out_exists():
    assert set(bench.NOT_QUICK) < set(bench.PARTS)
    for name in bench.PARTS:
        assert (bench.RESULTS.parent / f"{name}.py").exists()


def test_processes_run_in_turn_and_answer_each_time():
    with Child("circles 150", "arpack", 3, threads=1) as child:
        in_turn([child], rounds=3, patience=60.0)
        in_turn([child], rounds=3, patience=0.0)
    assert len(child.answers) == 3
    X, gamma = tables.TABLES["circles 150"].points()
    exact = KernelPCA(3, kernel="rbf", gamma=gamma).fit(X).eigenvalues_
    for answer in child.answers:
        np.testing.assert_allclose(answer["eigenvalues"], exact, rtol=1e-8)


@pytest.mark.parametrize("pairs", [1 << 40, 0], ids=["all rows", "some rows"])
def test_the_error_of_a_reference_holds(monkeypatch, pairs):
    monkeypatch.setattr(reference, "BLOCK", 150)
    X = tables.heavy_tailed(600, 5)
    gamma = tables.median_gamma(X)
    found = reference.computed(X, gamma, 100, pairs)
    exact = KernelPCA(3, kernel="rbf", gamma=gamma).fit(X).eigenvalues_
    error = np.abs(np.array(found["eigenvalues"]) - exact).max() / exact[0]
    assert error <= found["error"] < 0.05


def test_tables_are_the_same_every_time():
    for make in (tables.noisy_digits, tables.circles, tables.s_curve):
        np.testing.assert_array_equal(make(300), make(300))
    table = tables.heavy_tailed(2000, 13)
    np.testing.assert_array_equal(table, tables.heavy_tailed(2000, 13))
    np.testing.assert_allclose(table.std(axis=0), 1.0)
    # Correlated, and with rows far outside.
    assert np.abs(np.corrcoef(table.T) - np.eye(13)).max() > 0.5
    assert np.abs(table).max() > 8


def test_ratios_are_of_runs_that_followed_each_other():
    # The second round was disturbed on both sides: no ratio shows it.
    told = spread.paired_ratio([2.0, 20.0, 2.0], [1.0, 10.0, 1.0])
    assert (told["median"], told["quartiles"], told["runs"]) == (2.0, [2.0, 2.0], 3)
    assert spread.written(spread.spread([1.0, 2.0, 3.0])) == "2 (1.5 … 2.5)"


@pytest.mark.parametrize("name", ["parquet 1e-6", "array", "blocks", "Nystroem 300"])
def test_all_that_fits_parts_fits_the_same_rows(name, tmp_path):
    folder = tmp_path / "circles-1500"
    paths = STREAMED["circles"].write(1500, folder)
    X = np.concatenate([block.read() for block in parquet_blocks(folder)])
    assert (len(paths), X.shape) == (4, (1500, 2))
    exact = KernelPCA(3, kernel="rbf", gamma=10, eigen_solver="arpack").fit(X)
    values, _ = stream_methods.method(name, folder, 3)(0)
    largest = exact.eigenvalues_[0]
    np.testing.assert_allclose(values, exact.eigenvalues_, rtol=0, atol=1e-3 * largest)
