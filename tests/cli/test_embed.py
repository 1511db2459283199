"""Coordinates without a window, and without Qt."""

import csv
import json

import numpy as np
import pandas as pd
import pytest

import kpca_viewer
from kpca_viewer.console.output import spectrum_table
from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.estimator.model_file import save_model
from kpca_viewer.data.generators import generate
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import AnalysisSettings, SessionSettings
from kpca_viewer.support.errors import DataError


def rows_of(path, delimiter=","):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def numbers(rows):
    names = [name for name in rows[0] if name.startswith("PC")]
    return np.array([[float(row[name]) for name in names] for row in rows])


def standardised(points, by):
    return (points - by.mean(axis=0)) / by.std(axis=0)


# Numbers


def test_a_generator_gives_the_coordinates_of_the_estimator(run, tmp_path):
    code, out, err = run("circles", "--gamma", 2, "--components", 3, "--out", "c.csv")
    assert (code, err) == (0, "")
    rows = rows_of(tmp_path / "c.csv")
    points = generate("circles").points
    expected = KernelPCA(3, kernel="rbf", gamma=2).fit_transform(points)
    assert numbers(rows).tobytes() == expected.tobytes()
    assert {row["label"] for row in rows} == {"outer ring", "inner ring"}
    assert "Circles: 400 rows × 2 features" in out
    assert "kernel: RBF (Gaussian), γ = 2" in out
    assert out.splitlines()[-1] == "Saved c.csv: 400 rows × 3 components"


@pytest.mark.journey
def test_a_sum_of_kernels_is_that_of_the_estimator(run, tmp_path):
    expression = "rbf(2) + 0.1*linear()"
    code, out, err = run("circles", "--kernel", expression, "--out", "c.csv")
    assert (code, err) == (0, "")
    kernel = kpca_viewer.rbf(2) + 0.1 * kpca_viewer.linear()
    expected = KernelPCA(10, kernel=kernel).fit_transform(generate("circles").points)
    assert numbers(rows_of(tmp_path / "c.csv")).tobytes() == expected.tobytes()
    assert "kernel: RBF + linear, w₁ = 1, γ = 2, w₂ = 0.1" in out
    code, _, err = run("circles", "--kernel", "rbf + eval(1)", "--out", "d.csv")
    assert code != 0
    assert "There is no kernel 'eval'" in err


def test_components_by_the_share_that_they_hold(run, tmp_path, capsys):
    code, out, _ = run("circles", "--gamma", 2, "--components", 0.8, "--out", "c.npy")
    assert code == 0
    points = generate("circles").points
    shares = KernelPCA(20, kernel="rbf", gamma=2).fit(points).explained_variance_ratio_
    needed = int(np.argmax(np.cumsum(shares) >= 0.8)) + 1
    assert np.load(tmp_path / "c.npy").shape == (400, needed)
    assert out.splitlines()[-1] == f"Saved c.npy: 400 rows × {needed} components"
    for odd in ("1.5", "0.0", "some"):
        with pytest.raises(SystemExit):
            run("circles", "--components", odd, "--out", "d.npy")
        said = f"{odd} is neither a whole number nor a share between 0 and 1"
        assert said in capsys.readouterr().err


def test_the_error_that_is_allowed(run, tmp_path, capsys):
    one = ("--samples", 1200, "--gamma", 2, "--components", 2)
    for tol, name in ((None, "fine"), ("1e-2", "coarse")):
        allowed = () if tol is None else ("--tol", tol)
        code, *_ = run(
            "circles", *one, *allowed, "--model", f"{name}.npz", "--out", f"{name}.csv"
        )
        assert code == 0
    fine, coarse = (kpca_viewer.load(tmp_path / f"{n}.npz") for n in ("fine", "coarse"))
    assert coarse[-1].rank_ < fine[-1].rank_
    for odd in ("0", "1", "-1e-3", "nan", "few"):
        with pytest.raises(SystemExit):
            run("circles", f"--tol={odd}", "--out", "d.npy")
        assert "argument --tol: " in capsys.readouterr().err


@pytest.mark.journey
def test_the_window_shows_the_same(run, tmp_path):
    assert run("circles", "--components", 2, "--out", "c.npy")[0] == 0
    settings = SessionSettings(analysis=AnalysisSettings(components=2))
    shown = analyse(generate("circles"), settings).scores
    np.testing.assert_allclose(np.load(tmp_path / "c.npy"), shown, atol=1e-4)


def test_the_table_says_shares_and_bounds_and_what_these_are_worth(run, monkeypatch):
    _, out, _ = run("iris", "--components", 2, "--out", "i.csv")
    lines = [line.split() for line in out.splitlines() if line.startswith("PC")]
    assert [line[0] for line in lines] == ["PC1", "PC2"]
    for _, value, low, high, share, _, total, _ in lines:
        assert float(low) <= float(value) <= float(high)
        assert 0 < float(share) <= float(total) <= 100
    assert "\nProven bounds: eigenvalues exact to " in out
    monkeypatch.setattr("kpca_viewer.core.solvers.choice.ONE_PASS_FROM", 1000)
    X = np.random.default_rng(0).normal(size=(1200, 8))
    options = {"kernel": "rbf", "gamma": 0.05, "tol": 0.2}
    model = KernelPCA(3, certificate="statistical", **options).fit(X)
    told = spectrum_table(model)[-1]
    assert told.startswith("Bounds by a sample of rows: eigenvalues exact to ")
    assert told.endswith(" with probability 1 − 10⁻⁹.")


def test_a_file_is_guessed_and_the_guess_is_said(run, table, tmp_path):
    code, out, err = run("old.csv", "--components", 2, "--out", "c.tsv")
    assert (code, err) == (0, "")
    assert "2 features, label “kind”, row names “site”" in out
    assert "scaling: standardise columns" in out
    rows = rows_of(tmp_path / "c.tsv", "\t")
    assert [row["row"] for row in rows] == [f"s{j}" for j in range(30)]
    assert [row["label"] for row in rows] == ["a", "b"] * 15


def test_sentinels_and_totals_are_said_and_can_be_kept(run, tmp_path):
    random = np.random.default_rng(0)
    lines = [
        f"s{k},{-999 if k in (3, 8) else 20 + k},{a:.3f}"
        for k, a in enumerate(random.normal(size=30))
    ]
    text = "\n".join(["sample,age,height", *lines, "Total,900,3.5"])
    (tmp_path / "p.csv").write_text(text)
    code, _, err = run("p.csv", "--components", 2, "--out", "c.csv")
    assert code == 0
    assert err.splitlines() == [
        "p.csv: −999 in “age” counts as missing (it holds −999 in 2 rows, all others "
        "are between 20 and 49); --keep sentinels takes such numbers as they are.",
        "p.csv: the last row is left out (it is called “Total”); --keep totals takes "
        "it as data.",
    ]
    assert len(rows_of(tmp_path / "c.csv")) == 28
    keep = ("--keep", "sentinels", "--keep", "totals")
    code, _, err = run("p.csv", *keep, "--components", 2, "--out", "d.csv")
    assert (code, err) == (0, "")
    assert len(rows_of(tmp_path / "d.csv")) == 31
    code, _, err = run("p.csv", "--keep", "all", "--out", "e.csv")
    assert code == 2
    assert "“all” is not a value of --keep; choose one of sentinels, totals." in err


def test_what_was_decided_about_columns_is_said_beside_the_output(run, tmp_path):
    random = np.random.default_rng(0)
    lines = [
        f"{9001 + k},{2019 + k % 3},{a:.3f},{b:.3f},{'Wien' if k % 2 else 'Graz'}"
        for k, (a, b) in enumerate(random.normal(size=(30, 2)))
    ]
    lines[4] = lines[4].replace("Graz", "")
    for k in range(10):
        cells = lines[k].split(",")
        lines[k] = ",".join([*cells[:2], "", *cells[3:]])
    header = "patient_id,year,height,width,group\n"
    (tmp_path / "p.csv").write_text(header + "\n".join(lines))
    code, out, err = run("p.csv", "--components", 2, "--out", "c.csv")
    assert code == 0
    assert err.splitlines() == [
        "p.csv: “patient_id” is taken as row name (a different whole number in every "
        "row), “year” is taken as metadata (years, 2019 to 2021); --feature COLUMN "
        "makes one a feature.",
        "p.csv: 10 gaps in 1 column are filled by the median; --missing drop leaves "
        "out their rows.",
    ]
    rows = rows_of(tmp_path / "c.csv")
    # Every column that is no feature comes along.
    assert list(rows[0])[:3] == ["row", "label", "year"]
    assert [row["year"] for row in rows[:3]] == ["2019", "2020", "2021"]
    words = ("--feature", "year", "--metadata", "group", "--missing", "drop")
    code, out, err = run("p.csv", *words, "--components", 2, "--out", "d.csv")
    assert code == 0
    assert "year" not in err
    assert "3 features, row names “patient_id”" in out
    rows = rows_of(tmp_path / "d.csv")
    assert len(rows) == 20
    assert {row["group"] for row in rows} == {"Wien", "Graz"}
    code, _, err = run("p.csv", "--feature", "gone", "--out", "e.csv")
    assert code == 2
    assert "There is no column “gone”" in err


def test_what_stands_above_the_rows_is_said_and_can_be_changed(run, tmp_path):
    random = np.random.default_rng(0)
    rows = [f"s{k},{'ab'[k % 2]},{a:.3f},{b:.3f},{c:.3f}" for k, (a, b, c) in
            enumerate(random.random((20, 3)))]  # fmt: skip
    text = "Spectra of 2020\nid,class,400,418,436\n" + "\n".join(rows)
    (tmp_path / "a.csv").write_text(text)
    names = "id,class,400,418,436"
    (tmp_path / "new.csv").write_text(names + "\n" + rows[0] + "\n" + rows[1])
    new = ("--new", "new.csv", "--out-new", "n.csv")
    code, out, err = run("a.csv", "--components", 2, "--out", "c.csv", *new)
    assert code == 0
    assert "3 features, label “class”, row names “id”" in out
    assert err.splitlines() == [
        "a.csv: 1 line above the table skipped (“Spectra of 2020”); --skip 0 reads all "
        "lines.",
        "a.csv: the first row (id, class, 400, 418, 436) is taken as names: its "
        "numbers rise evenly; --no-header makes it a row.",
    ]
    # One row alone says nothing about its names: it is read as the first file.
    assert len(rows_of(tmp_path / "n.csv")) == 2
    said = ("--skip", 1, "--header", "--components", 2)
    code, _, err = run("a.csv", *said, "--out", "d.csv")
    assert (code, err) == (0, "")
    assert rows_of(tmp_path / "c.csv") == rows_of(tmp_path / "d.csv")
    turned = zip(*(line.split(",") for line in text.splitlines()[1:]), strict=True)
    (tmp_path / "t.csv").write_text("\n".join(map(",".join, turned)))
    code, _, _ = run("t.csv", "--transpose", "--components", 2, "--out", "e.csv")
    assert code == 0
    assert rows_of(tmp_path / "e.csv") == rows_of(tmp_path / "c.csv")
    code, out, _ = run("a.csv", "--skip", 1, "--no-header", "--out", "f.csv")
    assert len(rows_of(tmp_path / "f.csv")) == 21
    code, _, err = run("a.csv", "--skip", -1, "--out", "g.csv")
    assert (code, "-1 lines cannot be skipped" in err) == (2, True)
    code, _, err = run("circles", "--no-header", "--out", "g.csv")
    assert (code, "so --header has no meaning" in err) == (2, True)


def test_new_rows_are_projected(run, table, tmp_path):
    code, out, err = run(
        "old.csv",
        *("--kernel", "rbf", "--gamma", 0.5, "--components", 2, "--out", "c.csv"),
        *("--new", "new.csv", "--out-new", "n.csv"),
    )
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "Saved n.csv: 10 new rows"
    old = standardised(table[:30], table[:30])
    model = KernelPCA(2, kernel="rbf", gamma=0.5).fit(old)
    new = model.transform(standardised(table[30:], table[:30]))
    rows = rows_of(tmp_path / "n.csv")
    np.testing.assert_allclose(numbers(rows), new, atol=1e-9)
    assert [row["row"] for row in rows] == [f"s{j}" for j in range(30, 40)]


def test_new_rows_of_a_generator_go_by_its_names(run, tmp_path):
    (tmp_path / "new.csv").write_text("x2,x1\n0.5,0\n0,1\n")
    words = ("--gamma", 2, "--components", 2, "--out", "c.npy")
    code, *_ = run("moons", *words, "--new", "new.csv", "--out-new", "n.npy")
    assert code == 0
    model = KernelPCA(2, kernel="rbf", gamma=2).fit(generate("moons").points)
    expected = model.transform([[0, 0.5], [1, 0]])
    np.testing.assert_allclose(np.load(tmp_path / "n.npy"), expected, atol=1e-12)


def test_the_model_comes_back(run, tmp_path):
    words = ("--gamma", 2, "--components", 2, "--out", "c.npy", "--model", "m.npz")
    code, out, _ = run("circles", *words)
    assert code == 0
    assert out.splitlines()[-1].startswith("Saved m.npz")
    points = generate("circles").points
    again = KernelPCA.load(tmp_path / "m.npz").transform(points)
    np.testing.assert_allclose(again, np.load(tmp_path / "c.npy"), atol=1e-9)


def test_a_kernel_that_leaves_only_rounding_shares_nothing_out(run, tmp_path):
    rows = np.random.default_rng(0).uniform(1e7, 2e7, (49, 2))
    np.savetxt(tmp_path / "large.csv", rows, delimiter=",", header="a,b", comments="")
    words = ("large.csv", "--kernel", "sigmoid", "--scaling", "none", "--out", "c.npy")
    _, out, _ = run(*words, "--gamma", 1, "--components", 2)
    assert "No variance to share out" in out
    assert "%" not in out
    _, out, _ = run(*words, "--gamma", 1, "--components", 2, "--json", "--force")
    facts = json.loads(out)
    assert facts["shares"] == [None, None]
    assert facts["negative_mass"] is None


def test_a_model_of_raw_rows_says_so(run):
    _, out, _ = run("wine", "--out", "c.npy", "--model", "m.npz")
    assert "Saved m.npz; it prepares raw rows as above" in out


def test_a_kept_model_prepares_raw_rows_as_it_was_trained(run, tmp_path):
    """Words, gaps, an order of columns and a scaling, in two steps as in one."""
    random = np.random.default_rng(0)
    lines = [
        f"{x!r},{1000 * y!r},{word},{kind}"
        for x, y, word, kind in zip(
            random.normal(size=40).tolist(),
            random.normal(size=40).tolist(),
            random.choice(["red", "green", "blue"], 40),
            "ab" * 20,
            strict=True,
        )
    ]
    (tmp_path / "old.csv").write_text("x,y,tint,kind\n" + "\n".join(lines))
    (tmp_path / "new.csv").write_text("tint,y,x\nred,200.5,0.25\ngreen,,1.5\n,7,0\n")
    words = ("--missing", "median", "--label", "kind", "--scaling", "standardise")
    words = (*words, "--feature", "tint")
    together = ("--new", "new.csv", "--out-new", "once.csv", "--model", "m.npz")
    code, _, err = run("old.csv", *words, "--out", "c.npy", *together)
    assert (code, err) == (0, "")
    code, out, err = run("new.csv", "--onto", "m.npz", "--out", "later.csv")
    assert (code, err) == (0, "")
    assert "Saved later.csv: 3 rows × " in out
    assert (tmp_path / "later.csv").read_text() == (tmp_path / "once.csv").read_text()
    model, expected = kpca_viewer.load("m.npz"), numbers(rows_of("later.csv"))
    frame = pd.read_csv("new.csv")
    np.testing.assert_array_equal(model.transform(frame), expected)
    by_place = frame[["x", "y", "tint"]].to_numpy(dtype=object)
    np.testing.assert_array_equal(model.transform(by_place), expected)
    with pytest.raises(DataError, match=r"array with the columns “x”, “y” and “tint”"):
        model.transform(by_place[:, :2])
    with pytest.raises(DataError, match=r"lacks the column “y”"):
        model.transform(frame.drop(columns="y"))
    with pytest.warns(UserWarning, match=r"m.npz.*\(standardise\).*kpca_viewer.load"):
        alone = KernelPCA.load("m.npz")
    points = model[0].transform(frame)
    np.testing.assert_array_equal(alone.transform(points), expected)


def test_a_loaded_model_refuses_rows_with_gaps_if_it_was_fitted_without(run, table):
    assert (
        run("old.csv", "--label", "kind", "--out", "c.npy", "--model", "m.npz")[0] == 0
    )
    model, rows = kpca_viewer.load("m.npz"), table[30:].copy()
    rows[3, 1] = np.nan
    assert len(model.transform(rows[:3])) == 3
    with pytest.raises(DataError, match="Row 4 has a gap"):
        model.transform(rows)


def test_a_model_that_knows_no_raw_rows_is_loaded_alone(table, tmp_path):
    fitted = KernelPCA(2).fit(table)
    fitted.save(tmp_path / "bare.npz")
    model = kpca_viewer.load(tmp_path / "bare.npz")
    np.testing.assert_array_equal(model.transform(table), fitted.transform(table))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--onto", "m.npz", "--gamma", "2"), "leave out the options"),
        (("--onto", "m.npz", "--scaling", "none"), "leave out the options"),
        (("--onto", "m.npz", "--tol", "1e-2"), "leave out the options"),
        (("--onto", "m.npz", "--model", "n.npz"), "--onto computes no model"),
        (("--onto", "bare.npz"), "does not say how raw rows are prepared"),
        (("--onto", "gone.npz"), "does not exist"),
        (("--onto", "odd.npz"), "about raw rows is damaged"),
    ],
)
def test_what_a_kept_model_cannot_do(run, table, tmp_path, words, message):
    run("old.csv", "--out", "c.npy", "--model", "m.npz")
    model = KernelPCA(2).fit(table)
    model.save(tmp_path / "bare.npz")
    save_model(model, tmp_path / "odd.npz", {"feature_names": ["a"]})
    code, _, err = run("new.csv", *words, "--out", "d.csv")
    assert code == 2
    assert message in err
    assert not (tmp_path / "d.csv").exists()


def test_new_rows_without_a_column_of_the_model_are_refused(run, table, tmp_path):
    run("old.csv", "--out", "c.npy", "--model", "m.npz")
    (tmp_path / "short.csv").write_text("height\n1\n2\n")
    code, _, err = run("short.csv", "--onto", "m.npz", "--out", "d.csv")
    assert code == 2
    assert "lacks the column “width”" in err


@pytest.mark.parametrize("kind", ["kernel", "distances"])
def test_a_matrix_is_decomposed_as_it_is(run, tmp_path, kind):
    points = generate("three_points").points
    matrix = points @ points.T + 1
    if kind == "distances":
        matrix = np.linalg.norm(points[:, None] - points, axis=2)
    np.savetxt(tmp_path / "m.csv", matrix, delimiter=",", header="a,b,c", comments="")
    words = ("--matrix", kind, "--components", 2, "--out", "c.npy")
    code, out, err = run("m.csv", *words)
    assert (code, err) == (0, "")
    assert f"a given matrix of {kind}" in out
    expected = KernelPCA(2, kernel="linear").fit_transform(points)
    np.testing.assert_allclose(
        np.abs(np.load(tmp_path / "c.npy")), np.abs(expected), atol=1e-9
    )
    (tmp_path / "new.csv").write_text("a,b,c\n1,2,3\n")
    new = ("--force", "--new", "new.csv", "--out-new", "n.npy")
    code, _, err = run("m.csv", *words, *new)
    assert code == 2
    assert "New rows cannot be placed beside a matrix" in err


@pytest.mark.journey
def test_negative_eigenvalues_are_told(run):
    _, out, _ = run("circles", "--kernel", "sigmoid", "--gamma", 3, "--out", "c.npy")
    assert "negative eigenvalues hold" in out


def test_choices_of_a_file(run, table, tmp_path):
    code, out, _ = run(
        "old.csv",
        *("--label", "site", "--scaling", "none", "--sample", 12, "--seed", 3),
        *("--missing", "median", "--components", 1, "--out", "c.csv"),
        *("--no-center", "--solver", "dense"),
    )
    assert code == 0
    assert "label “site”" in out
    assert "scaling: as they are" in out
    assert "solver: dense" in out
    assert "\n  12 of 30 rows drawn at random\n" in out
    assert len(rows_of(tmp_path / "c.csv")) == 12


# Formats


@pytest.mark.parametrize("ending", ["csv", "tsv", "npy", "npz", "parquet"])
def test_every_format_holds_the_same_numbers(run, tmp_path, ending):
    assert run("iris", "--components", 3, "--out", f"c.{ending}")[0] == 0
    assert run("iris", "--components", 3, "--out", "ref.npy")[0] == 0
    expected = np.load(tmp_path / "ref.npy")
    path = tmp_path / f"c.{ending}"
    if ending in ("csv", "tsv"):
        found = numbers(rows_of(path, "\t" if ending == "tsv" else ","))
    elif ending == "npy":
        found = np.load(path)
    elif ending == "npz":
        with np.load(path, allow_pickle=False) as arrays:
            found = arrays["scores"]
            assert arrays["label_names"].tolist()[0] == "setosa"
            assert arrays["label"].shape == (150,)
            assert arrays["eigenvalue_bounds"].shape == (3, 2)
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        read = parquet.read_table(path)
        assert read.column_names == ["row", "label", "PC1", "PC2", "PC3"]
        found = np.column_stack([read[f"PC{j}"].to_numpy() for j in (1, 2, 3)])
    assert found.tobytes() == expected.tobytes()


def test_names_are_no_formulas(run, tmp_path):
    lines = ["=SUM(A1),1,2", "+x,2,1", "plain,3,3", "@y,4,1"]
    (tmp_path / "a.csv").write_text("name,u,v\n" + "\n".join(lines))
    assert run("a.csv", "--components", 1, "--out", "c.csv")[0] == 0
    rows = rows_of(tmp_path / "c.csv")
    assert [row["row"] for row in rows] == ["'=SUM(A1)", "'+x", "plain", "'@y"]
    assert run("a.csv", "--components", 1, "--out", "c.npz")[0] == 0
    with np.load(tmp_path / "c.npz") as arrays:
        assert arrays["row"][0] == "=SUM(A1)"


def test_rows_without_a_class_have_an_empty_one(run, tmp_path):
    (tmp_path / "a.csv").write_text("u,v,kind\n1,2,a\n2,1,\n3,3,b\n4,1,a\n5,2,b\n")
    assert run("a.csv", "--components", 1, "--out", "c.csv")[0] == 0
    labels = [row["label"] for row in rows_of(tmp_path / "c.csv")]
    assert labels == ["a", "", "b", "a", "b"]


def test_a_sheet_a_layer_or_an_array_is_chosen(run, tmp_path):
    arrays = tmp_path / "arrays.npz"
    np.savez(arrays, X=np.eye(9), other=np.arange(24.0).reshape(8, 3))
    code, _, err = run(arrays, "--sheet", "other", "--out", "scores.csv")
    assert (code, err) == (0, "")
    assert len(rows_of(tmp_path / "scores.csv")) == 8
    code, _, err = run(arrays, "--sheet", "none", "--out", "no.csv")
    assert code == 2
    assert "no usable array “none”" in err
