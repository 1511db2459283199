"""The model of all rows of a table in parts, beside one that has them in memory."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.data.files import ReadOptions
from kpca_viewer.data.importing import guess_import
from kpca_viewer.data.parts.sampling import sampled_parts
from kpca_viewer.data.preparation import Scaler
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.export.model import fitted_model
from kpca_viewer.export.script import as_python
from kpca_viewer.features.report.methods import code_section, methods_paragraph
from kpca_viewer.features.report.subject import Subject
from kpca_viewer.support.errors import ClusterError, DataError

PARTS, ROWS, SAMPLE = 4, 300, 400


def rows_of(part: int) -> np.ndarray:
    rng = np.random.default_rng(part)
    angle = rng.uniform(0, 2 * np.pi, ROWS)
    # Parts differ, so that the scaling of a sample is not that of all rows.
    radius = np.where(rng.random(ROWS) < 0.5, 1.0 + 0.1 * part, 0.3)
    radius = radius + 0.05 * rng.normal(size=ROWS)
    return np.column_stack((radius * np.cos(angle), 20 * radius * np.sin(angle)))


@pytest.fixture(scope="module")
def everything() -> np.ndarray:
    return np.concatenate([rows_of(part) for part in range(PARTS)])


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    for part in range(PARTS):
        np.save(folder / f"p{part}.npy", rows_of(part))
    return sampled_parts(folder, ReadOptions(parts=(), sample=SAMPLE))


def settings_for(table, family="rbf", all_rows=True, **values):
    return SessionSettings(
        DataSettings(table.key, scaling="standardise", importing=guess_import(table)),
        KernelSettings(family, tuple(values.items())),
        AnalysisSettings(components=4, fit_full_table=all_rows),
    )


def request_for(table, family="rbf", **values):
    return AnalysisRequest(settings_for(table, family, **values), {table.key: table})


@pytest.fixture(scope="module")
def result(table):
    return run(request_for(table, gamma=0.7), StageCache())


@pytest.fixture(scope="module")
def exact(everything) -> KernelPCA:
    """Return the model that has all rows in memory."""
    scaled = Scaler.learn(everything, "standardise").apply(everything)
    return KernelPCA(4, kernel="rbf", gamma=0.7, eigen_solver="dense").fit(scaled)


@pytest.mark.journey
def test_eigenvalues_are_those_of_all_rows(result, exact):
    bounds = result.decomposition.bounds
    assert (bounds[:, 0] <= exact.eigenvalues_ * (1 + 1e-12)).all()
    assert (exact.eigenvalues_ <= bounds[:, 1] * (1 + 1e-12)).all()
    np.testing.assert_allclose(
        result.shares, exact.explained_variance_ratio_, atol=2e-3
    )
    assert result.decomposition.n == result.full_fit.n == PARTS * ROWS
    assert result.full_fit.words == "all 1,200 rows"


def test_scores_of_the_sample_are_those_of_the_model(result, table, everything, exact):
    scaler = Scaler.learn(everything, "standardise")
    np.testing.assert_allclose(result.scaler.shift, scaler.shift)
    np.testing.assert_allclose(result.scaler.factor, scaler.factor)
    wanted = exact.transform(scaler.apply(everything[table.row_numbers - 1]))
    signs = np.sign((wanted * result.scores).sum(axis=0))
    gaps = np.abs(result.scores - signs * wanted).max(axis=0)
    assert (gaps[:2] < 0.02 * np.abs(wanted).max()).all()
    # A new point goes the same way as a row.
    again = result.project(result.dataset.points[:50])
    np.testing.assert_allclose(again, result.scores[:50], atol=1e-9)


def test_no_axis_turns_when_all_rows_are_asked_for(result):
    before = result.of_sample.scores
    assert result.of_sample.full_fit is None
    assert ((before * result.scores).sum(axis=0) > 0).all()
    assert len(result.scores) == len(before) == SAMPLE


def test_the_density_is_the_histogram_of_all_scores(result, everything):
    found = result.full_fit.density
    scores = result.project(everything)
    wanted = np.histogram2d(scores[:, 1], scores[:, 0], bins=(found.y, found.x))[0]
    assert np.abs(found.counts - wanted).sum() <= 4  # at an edge, by rounding
    assert found.rows == len(everything)
    assert found.outside == len(everything) - found.counts.sum()
    assert found.counts.max() > 1


@pytest.mark.journey
def test_dot_products_are_centred_alike(table, everything):
    found = run(request_for(table, "poly", degree=2.0), StageCache())
    values = found.kernel.values
    scaled = Scaler.learn(everything, "standardise").apply(everything)
    K = Kernel("poly", **values)
    points = K.points(scaled)
    gram = K.block(points, points)
    gram = gram - gram.mean(0) - gram.mean(1)[:, None] + gram.mean()
    exact = np.linalg.eigvalsh(gram)[::-1][:4]
    bounds = found.decomposition.bounds
    assert (bounds[:, 0] <= exact * (1 + 1e-9)).all()
    assert (exact <= bounds[:, 1] * (1 + 1e-9)).all()
    scores = found.project(everything)
    np.testing.assert_allclose(
        np.square(scores).sum(axis=0), found.decomposition.eigenvalues, rtol=1e-3
    )


@pytest.mark.journey
def test_a_second_kernel_value_looks_only_once(table):
    cache, told = StageCache(), []

    def tell(stage: str, _part: float | None) -> None:
        told.append(stage)

    run(request_for(table, gamma=0.7), cache, progress=tell)
    assert "first look" in told
    told.clear()
    run(request_for(table, gamma=0.9), cache, progress=tell)
    assert "first look" not in told
    assert "density of all rows" in told
    told.clear()
    # What was computed is shown again at once.
    run(request_for(table, gamma=0.7), cache, progress=tell)
    assert "density of all rows" not in told


def test_the_sample_is_published_first(table):
    shown = []
    run(request_for(table, gamma=0.7), StageCache(), publish=shown.append)
    assert shown[0].full_fit is None
    assert shown[-1].full_fit.density is None
    assert shown[-1].decomposition.n == PARTS * ROWS


def test_a_lost_cluster_is_replaced_by_this_process(table, result):
    calls = []

    def gone(work, blocks, should_stop=None):
        calls.append(len(blocks))
        raise ClusterError("The cluster is gone.")
        yield

    found = run(request_for(table, gamma=0.7), StageCache(), each_block=gone)
    assert calls
    np.testing.assert_array_equal(
        found.decomposition.eigenvalues, result.decomposition.eigenvalues
    )
    assert np.array_equal(found.full_fit.density.counts, result.full_fit.density.counts)


@pytest.mark.journey
def test_what_cannot_be_computed_is_said(table):
    with pytest.raises(DataError, match="needs all rows at once"):
        run(request_for(table, "sigmoid"), StageCache())


@pytest.fixture
def spoilt(tmp_path):
    """Return parts of which one row, that is not drawn, has some other value."""

    def spoil(value):
        for part in range(PARTS):
            np.save(tmp_path / f"p{part}.npy", rows_of(part))
        options = ReadOptions(parts=(), sample=200)
        drawn = sampled_parts(tmp_path, options).row_numbers
        row = next(k for k in range(ROWS) if 2 * ROWS + k + 1 not in drawn)
        rows = rows_of(2)
        rows[row, 0] = value
        np.save(tmp_path / "p2.npy", rows)
        return sampled_parts(tmp_path, options), row + 1

    return spoil


@pytest.mark.journey
def test_a_gap_outside_of_the_sample_is_counted(spoilt):
    table, _ = spoilt(np.nan)
    found = run(request_for(table, gamma=0.7), StageCache())
    assert found.dataset.left_out == 0
    assert found.full_fit.n == PARTS * ROWS - 1
    assert found.full_fit.left_out == 1
    assert "(1 left out)" in found.full_fit.words


def test_an_infinite_value_is_named_by_part_and_row(spoilt):
    table, row = spoilt(np.inf)
    told = rf"Part 3 \(p2\.npy\), row {row}, column “x1”"
    with pytest.raises(DataError, match=told):
        run(request_for(table, gamma=0.7), StageCache())


def test_the_saved_model_is_that_of_all_rows(result):
    model = fitted_model(result)
    scaled = result.scaler.apply(result.dataset.points)
    np.testing.assert_allclose(model.transform(scaled), result.scores, atol=1e-9)
    np.testing.assert_allclose(model.eigenvalues_, result.decomposition.eigenvalues)


def test_another_value_of_the_kernel_goes_back_to_the_sample(table):
    old = settings_for(table, gamma=0.7)
    moved = replace(old, kernel=old.kernel.with_value("gamma", 0.8))
    assert not moved.after(old).analysis.fit_full_table
    # Looking at other axes does not.
    turned = replace(old, view=old.view.with_axis(0, 2))
    assert turned.after(old) is turned
    asked = old.with_full_fit(False)
    assert old.after(asked) is old


def test_code_and_report_say_which_rows_they_are_of(result):
    code = as_python(result)
    assert "kpca-viewer embed PARTS --out FOLDER --kernel rbf --gamma 0.7\n" in code
    assert "# Scaled by these rows." in code
    subject = Subject(result, result.settings.view)
    assert "not that of all 1,200 rows" in code_section(subject).blocks[0].text
    assert "of the variance of the rows drawn" in methods_paragraph(subject)


@pytest.mark.journey
def test_a_part_that_is_gone_costs_the_density_alone(spoilt, tmp_path):
    table, _ = spoilt(0.5)
    request, cache = request_for(table, gamma=0.7), StageCache()
    before = run(request, cache)
    (tmp_path / "p2.npy").unlink()
    view = replace(request.settings.view, axes=(0, 2, 1))
    found = run(replace(request, settings=replace(request.settings, view=view)), cache)
    assert found.full_fit.n == before.full_fit.n
    assert found.full_fit.density is None
    assert "Part 3 (p2.npy)" in found.full_fit.density_words
    np.testing.assert_array_equal(
        found.decomposition.eigenvalues, before.decomposition.eigenvalues
    )
