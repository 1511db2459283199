"""Columns with scalings of their own, from the settings to models, code and parts."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import kpca_viewer
from kpca_viewer.data.files import read_table
from kpca_viewer.data.importing import guess_import
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document, FileReference
from kpca_viewer.engine.document.wire import settings_json
from kpca_viewer.engine.lifts import LIFTS
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.engine.text.undo_titles import describe_change
from kpca_viewer.export.model import save_fitted
from kpca_viewer.export.script import as_python
from kpca_viewer.features import registry
from kpca_viewer.features.columns.arrows import arrows
from kpca_viewer.features.columns.compute import measure_columns, score_function
from kpca_viewer.features.kernel_search.choose import choose
from kpca_viewer.features.lift.compute import lifted_space
from kpca_viewer.features.preimage.compute import PlaceFinder
from kpca_viewer.features.report.methods import _data
from kpca_viewer.support.errors import DataError
from tests.scripts import executed

RANDOM = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "mass": np.exp(RANDOM.normal(2, 1.5, 80)),
        "count": RANDOM.poisson(4, 80).astype(float),
        "angle": RANDOM.normal(size=80),
        "price": RANDOM.normal(100, 20, 80),
    }
)
COLUMNS = (("count", "log1p"), ("mass", "log"), ("price", "robust"))


def result_of(path, columns=COLUMNS, scaling="none", kernel="rbf", **values):
    table = read_table(path)
    components = int(values.pop("components", 10))
    settings = SessionSettings(
        DataSettings(
            "a", scaling=scaling, importing=guess_import(table), column_scaling=columns
        ),
        KernelSettings(kernel, tuple(values.items())),
        AnalysisSettings(components=components),
    )
    return run(
        AnalysisRequest(settings, {"a": table}, stages=registry.stages()), StageCache()
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("columns") / "table.csv"
    FRAME.to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def result(path):
    return result_of(path)


def test_a_logarithm_is_that_of_the_file_done_by_hand(tmp_path, path):
    by_hand = FRAME.assign(mass=np.log(FRAME["mass"]))
    by_hand.to_csv(tmp_path / "table.csv", index=False)
    expected = result_of(tmp_path / "table.csv", (), "standardise", gamma=0.2)
    found = result_of(path, (("mass", "log"),), "standardise", gamma=0.2)
    np.testing.assert_allclose(found.points.dense(), expected.points.dense())
    np.testing.assert_allclose(np.abs(found.scores), np.abs(expected.scores), atol=1e-9)


def test_gradients_in_the_units_of_the_data_follow_the_scores(result):
    points = result.dataset.points[:5]
    gradient = score_function(result, (0, 1)).gradients(result.scaler.apply(points))
    gradient = result.scaler.unscaled_gradient(points, gradient)
    for j, step in enumerate(1e-4 * np.eye(4)):
        moved = result.project(points + step) - result.project(points)
        expected = moved[:, :2] / 1e-4
        np.testing.assert_allclose(gradient[:, :, j], expected, rtol=0.02, atol=1e-4)


def test_a_model_file_keeps_it(tmp_path, result):
    save_fitted(result, tmp_path / "model.npz")
    model = kpca_viewer.load(tmp_path / "model.npz")
    np.testing.assert_allclose(model.transform(FRAME), result.scores, atol=1e-9)
    with pytest.raises(DataError, match="“mass” needs values above 0"):
        model.transform(FRAME.assign(mass=0.0))
    with pytest.warns(UserWarning, match="a model of scaled rows"):
        kpca_viewer.KernelPCA.load(tmp_path / "model.npz")


@pytest.mark.journey
@pytest.mark.parametrize("library", ["sklearn", "kpca_viewer"])
def test_a_script_gives_the_same_scores(path, library):
    result = result_of(path, scaling="minmax")
    code = as_python(result, library, file=FileReference(path))
    found = executed(code)["scores"]
    found *= np.sign((found * result.scores).sum(axis=0))
    np.testing.assert_allclose(found, result.scores, atol=1e-6)


def test_sessions_keep_it_and_are_as_before_without(result):
    settings = result.settings
    kept = from_bytes(to_bytes(Document(settings=settings))).settings
    assert kept.data.column_scaling == COLUMNS
    plain = replace(settings, data=replace(settings.data, column_scaling=()))
    assert "column_scaling" not in settings_json(plain)["data"]
    assert b"column_scaling" not in to_bytes(Document(settings=plain))


def test_undo_names_the_column():
    old = SessionSettings()
    one = replace(old, data=old.data.with_column_scaling("mass", "log"))
    two = replace(one, data=one.data.with_column_scaling("price", "robust"))
    words = "scaling of “mass” as all others → log, then standardise"
    assert describe_change(old, one) == words
    assert describe_change(two, old) == "scaling of columns reset"
    assert one.data.with_column_scaling("mass", None) == old.data
    assert two.data.with_scaling("unit").column_scaling == ()


def test_the_methods_paragraph_names_it(result):
    assert "“mass”: log, then standardise" in _data(result)


def test_isolines_and_new_points_stay_where_there_are_logarithms(tmp_path):
    FRAME[["mass", "count"]].to_csv(tmp_path / "two.csv", index=False)
    for kernel in ("rbf", "laplacian"):
        table = read_table(tmp_path / "two.csv")
        importing = guess_import(table).with_role("count", "feature")
        data = DataSettings("a", importing=importing, column_scaling=COLUMNS[:2])
        settings = SessionSettings(data, KernelSettings(kernel))
        asked = AnalysisRequest(settings, {"a": table}, stages=registry.stages())
        found = run(asked, StageCache())
        assert found.grid is not None
        assert found.grid.x[0] > 0
        assert np.isfinite(found.grid.scores).all()
        nodes = np.array([[found.grid.x[60], found.grid.y[20]]])
        np.testing.assert_allclose(
            found.project(nodes)[0], found.grid.scores[20, 60], atol=1e-8
        )
        places = np.array([[-1.0, 2.0], [5.0, 2.0]])
        assert found.takes(places).tolist() == [False, True]
        assert np.isnan(found.projected(places)[0]).all()
        assert np.isnan(found.project_linearly(places)[0]).all()
        space = lifted_space(found, LIFTS["paraboloid"], (0, 1, 2))
        assert np.isfinite(space.flat_mesh).all()
        assert np.isnan(space.place(places)[0][0]).any()


def scaled_by_hand(raw):
    """Return rows of the table, scaled as COLUMNS says, by numbers of its own."""
    raw, known = np.asarray(raw, float), FRAME.to_numpy()
    scaled = raw.copy()
    for j, logarithm in ((0, np.log), (1, np.log1p)):
        logs = logarithm(known[:, j])
        scaled[:, j] = (logarithm(raw[:, j]) - logs.mean()) / logs.std()
    low, middle, high = np.percentile(known[:, 3], [25, 50, 75])
    scaled[:, 3] = (raw[:, 3] - middle) / (high - low)
    return scaled


def scores_by_hand(rows, gamma, known=FRAME, scale=scaled_by_hand):
    """Return the scores of raw rows by the formulas of kernel PCA, as in a textbook."""

    def kernel(one):
        apart = scale(one)[:, None, :] - scale(np.asarray(known))[None]
        return np.exp(-gamma * np.square(apart).sum(axis=2))

    K = kernel(np.asarray(known))
    J = np.eye(len(K)) - 1 / len(K)
    values, vectors = np.linalg.eigh(J @ K @ J)
    alphas = vectors[:, ::-1][:, :2] / np.sqrt(values[::-1][:2])
    return (kernel(rows) - K.mean(axis=0)) @ J @ alphas


def test_scores_arrows_and_influence_are_those_of_the_formulas(path):
    result, raw = result_of(path, gamma=0.3), FRAME.to_numpy()
    sign = np.sign((scores_by_hand(raw, 0.3) * result.scores[:, :2]).sum(axis=0))

    def by_hand(rows):
        return sign * scores_by_hand(rows, 0.3)

    np.testing.assert_allclose(by_hand(raw), result.scores[:, :2], atol=1e-8)
    rows = raw[:6]
    found = arrows(result, rows, range(4), (0, 1))
    for j in range(4):
        # One standard deviation of the column as the file has it.
        grown = rows + raw[:, j].std() * np.eye(4)[j]
        expected = by_hand(grown) - by_hand(rows)
        np.testing.assert_allclose(found.moves[:, j], expected, atol=1e-8)
    steep = measure_columns(result, (0, 1), units="original").influence.mean
    for j, step in enumerate(1e-5 * raw.min(axis=0).clip(1e-2) * np.eye(4)):
        slopes = (by_hand(raw + step) - by_hand(raw - step)) / (2 * step[j])
        np.testing.assert_allclose(steep[:, j], slopes.mean(axis=0), rtol=1e-4)


def test_isolines_lie_where_the_formulas_say(tmp_path):
    two = FRAME[["mass", "price"]]
    two.to_csv(tmp_path / "two.csv", index=False)
    columns = (("mass", "log"), ("price", "robust"))
    result = result_of(tmp_path / "two.csv", columns, gamma=0.5)

    def scale(rows):
        whole = np.zeros((len(rows), 4))
        whole[:, [0, 3]] = rows
        return scaled_by_hand(whole)

    def by_hand(rows):
        return scores_by_hand(rows, 0.5, two.to_numpy(), scale)

    sign = np.sign((by_hand(two.to_numpy()) * result.scores[:, :2]).sum(axis=0))
    grid = result.grid
    x, y = np.meshgrid(grid.x[::40], grid.y[::40])
    expected = sign * by_hand(np.column_stack((x.ravel(), y.ravel())))
    found = grid.scores[::40, ::40].reshape(len(expected), -1)
    np.testing.assert_allclose(found[:, :2], expected, atol=1e-6)


def test_a_place_between_two_rows_has_the_means_of_their_scales(path):
    result = result_of(path, kernel="linear", components=4)
    finder, raw = PlaceFinder(result), FRAME.to_numpy()
    at_row = finder.at(result.scores[3], (0, 1))
    np.testing.assert_allclose(at_row.values, raw[3], rtol=1e-6)
    between = finder.at(result.scores[[3, 8]].mean(axis=0), (0, 1)).values
    mass, count, angle, price = raw[[3, 8]].T
    assert between[0] == pytest.approx(np.sqrt(mass.prod()))
    assert between[1] == pytest.approx(np.sqrt((1 + count).prod()) - 1)
    assert between[2:] == pytest.approx([angle.mean(), price.mean()])


@pytest.mark.journey
def test_kernels_are_compared_with_it(result):
    labels = np.array(["a", "b"])[(FRAME["angle"] > 0).astype(int)]
    given = {"kernels": ["rbf"], "components": 2, "folds": 3, "repeats": 1}
    by_hand = result.dataset.points.copy()
    by_hand[:, 0] = np.log(by_hand[:, 0])
    expected = choose(by_hand, labels, scaling="standardise", **given)
    column = {"mass": "log"}
    found = choose(
        result.dataset, labels, scaling="standardise", column_scaling=column, **given
    )
    assert found.chosen.kernel == expected.chosen.kernel
    assert found.chosen.score == pytest.approx(expected.chosen.score)


@pytest.mark.journey
def test_the_command_line_scales_columns_of_a_table_and_of_parts(
    tmp_path, path, capsys
):
    from kpca_viewer.cli.main import main

    def embed(*words):
        code = main(["embed", *map(str, words)])
        return code, capsys.readouterr()

    options = ["--scaling", "none", "--components", "2", "--gamma", "0.1"]
    for name, how in COLUMNS[:2]:
        options += ["--scale-column", f"{name}={how}"]
    code, said = embed(path, *options, "--out", tmp_path / "scores.csv")
    assert code == 0, said.err
    assert "“mass”: log, then standardise" in said.out
    folder = tmp_path / "parts"
    folder.mkdir()
    FRAME[:40].to_csv(folder / "a.csv", index=False)
    FRAME[40:].to_csv(folder / "b.csv", index=False)
    code, said = embed(folder, *options, "--out", tmp_path / "found")
    assert code == 0, said.err
    assert "(quartiles and logarithms by 80 rows)" in said.out
    summary = json.loads((tmp_path / "found" / "summary.json").read_text())
    assert summary["column_scaling"]["mass"] == "log"
    whole = pd.read_csv(tmp_path / "scores.csv")["PC1"]
    model = kpca_viewer.load(tmp_path / "found" / "model.npz")
    np.testing.assert_allclose(
        np.abs(model.transform(FRAME)[:, 0]), np.abs(whole), atol=1e-5
    )
    for bad, why in (
        ("angle=log", "“angle” needs values above 0, and its smallest is −"),
        ("weight=log", "No feature is called “weight”"),
        ("mass=cube", "“cube” is not a value of --scale-column"),
        ("mass", "does not say how a column is scaled"),
    ):
        code, said = embed(path, "--scale-column", bad, "--out", tmp_path / "x.csv")
        assert code != 0
        assert why in said.err
