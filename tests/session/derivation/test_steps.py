"""Every step against NumPy, for every kernel, for few rows and for many."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.features.derivation import kernel_rows
from kpca_viewer.features.derivation.checks import checks
from kpca_viewer.features.derivation.compute import derive, shown_rows
from tests.core.reference import centred, gram_matrix
from tests.session.derivation.conftest import derived, kernels_with, result_of

NEW = ((0.3, -0.7), (2.0, 1.0))


def plain_kernel_pca(K, center, k):
    """Return K̃, μ and |z| by the formulas alone."""
    matrix = centred(K) if center else K
    values, vectors = np.linalg.eigh(matrix)
    values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
    return matrix, values, vectors * np.sqrt(np.maximum(values, 0))


@pytest.mark.parametrize(("kernel", "center"), kernels_with((True, False)))
def test_every_step_of_every_kernel(kernel, center):
    X = np.random.default_rng(1).normal(size=(7, 2)) + 0.5
    found = derived(
        X,
        kernel.family.name,
        analysis={"center": center},
        new_points=NEW,
        **kernel.values,
    )
    K = gram_matrix(kernel, X)
    matrix, values, _ = plain_kernel_pca(K, center, found.k)
    assert found.points == pytest.approx(X)
    assert found.kernel_block == pytest.approx(K, abs=1e-10)
    assert found.row_means == pytest.approx(K.mean(axis=1), abs=1e-10)
    assert found.grand_mean == pytest.approx(K.mean(), abs=1e-10)
    assert found.centred == pytest.approx(matrix, abs=1e-10)
    assert found.eigenvalues == pytest.approx(values, abs=1e-9)
    assert found.variances == pytest.approx(values / 7, abs=1e-9)
    live = found.eigenvalues > 1e-9
    alpha = found.coefficients
    assert matrix @ found.vectors == pytest.approx(
        found.vectors * found.eigenvalues, abs=1e-8
    )
    assert np.linalg.norm(found.vectors, axis=0) == pytest.approx(1)
    assert (matrix @ alpha)[:, live] == pytest.approx(found.scores[:, live], abs=1e-7)
    for new, place in zip(found.new_rows, NEW, strict=True):
        row = gram_matrix(kernel, np.vstack((X, place)))[-1, :-1]
        assert new.kernel == pytest.approx(row, abs=1e-10)
        if center:
            row = row - K.mean(axis=1) - row.mean() + K.mean()
        assert new.centred == pytest.approx(row, abs=1e-10)
        assert (row @ alpha)[live] == pytest.approx(new.scores[live], abs=1e-6)


@pytest.mark.parametrize(
    ("n", "selected", "rows"),
    [
        (3, (), [0, 1, 2]),
        (8, (2,), [0, 1, 2, 3, 4, 5, 6, 7]),
        (9, (), [0, 1, 2, 3, 4, 5]),
        (400, (31, 4, 4), [4, 31]),
        (400, range(100, 120), [*range(100, 108)]),
        (400, (1000, -3), [0, 1, 2, 3, 4, 5]),
    ],
)
def test_which_rows_are_written_out(n, selected, rows):
    assert shown_rows(n, selected).tolist() == rows


def test_means_are_those_of_all_rows(many):
    found = derived(many, gamma=1, selected=(3, 600), new_points=NEW)
    K = gram_matrix(found.result.kernel, many)
    assert found.rows.tolist() == [3, 600]
    assert found.n == 700
    assert not found.is_whole
    assert found.kernel_block == pytest.approx(K[np.ix_([3, 600], [3, 600])])
    assert found.row_means == pytest.approx(K[[3, 600]].mean(axis=1))
    assert found.grand_mean == pytest.approx(K.mean())
    assert found.centred == pytest.approx(centred(K)[np.ix_([3, 600], [3, 600])])
    assert found.kernel_rows.whole_centred == pytest.approx(
        centred(K)[[3, 600]], abs=1e-6
    )
    assert found.alpha(0)[[3, 600]] == pytest.approx(found.coefficients[:, 0])


@pytest.mark.parametrize("family", ["rbf", "linear", "cosine"])
def test_a_model_of_landmarks_has_the_same_means(many, family):
    values = {"gamma": 1} if family == "rbf" else {}
    result = result_of(many, family, analysis={"solver": "lowrank"}, **values)
    found = derive(result, (3, 600), NEW)
    K = gram_matrix(result.kernel, many)
    assert result.decomposition.landmark_map is not None
    assert found.grand_mean == pytest.approx(K.mean(), abs=1e-5)
    assert found.kernel_rows.whole_centred == pytest.approx(
        centred(K)[[3, 600]], abs=1e-5
    )


@pytest.mark.journey
def test_beyond_many_rows_the_means_are_those_of_the_model(many, monkeypatch):
    monkeypatch.setattr(kernel_rows, "MOST_ROWS", 600)
    result = result_of(many, gamma=1, analysis={"solver": "lowrank"})
    found = derive(result, (3, 600), NEW)
    K = gram_matrix(result.kernel, many)
    assert found.means_are_of_the_model
    assert found.kernel_rows.whole is None
    assert found.row_means == pytest.approx(K[[3, 600]].mean(axis=1), abs=1e-5)
    new = found.new_rows[0]
    row = gram_matrix(result.kernel, np.vstack((many, NEW[0])))[-1, :-1]
    assert new.whole_centred is None
    assert new.kernel == pytest.approx(row[[3, 600]])
    assert new.mean == pytest.approx(row.mean(), abs=1e-5)


def test_the_points_are_those_that_the_kernel_sees():
    X = np.random.default_rng(2).normal(size=(6, 9)) * 100
    found = derived(X, gamma=0.1, scaling="standardise")
    assert found.is_scaled
    assert found.points == pytest.approx(
        ((X - X.mean(axis=0)) / X.std(axis=0))[:, :6], abs=1e-9
    )
    assert found.d == 9
    assert found.feature_names == ("x1", "x2", "x3", "x4", "x5", "x6")


def test_a_person_turns_a_component_round():
    result = result_of(((0, 0), (1, 0), (0, 3)), gamma=1)
    found = derive(result)
    view = result.settings.view.with_flip(0)
    turned = derive(analyse(result.dataset, replace(result.settings, view=view)))
    assert turned.scores[:, 0] == pytest.approx(-found.scores[:, 0])
    assert turned.vectors[:, 0] == pytest.approx(-found.vectors[:, 0])
    assert turned.coefficients[:, 0] == pytest.approx(-found.coefficients[:, 0])


def test_one_point_and_equal_points_have_nothing_to_show():
    for points in (((1, 2),), ((1, 2),) * 3):
        found = derived(points, gamma=1, new_points=((0, 0),))
        assert found.centred == pytest.approx(0)
        assert not found.coefficients.any()
        assert not found.scores.any()
        assert not found.new_rows[0].scores.any()


def test_a_given_matrix_takes_no_new_points():
    assert derived([[1, 0], [0, 1]], kind="kernel", new_points=NEW).new_rows == ()


def test_a_place_of_another_plane_is_no_new_point():
    X = np.random.default_rng(2).normal(size=(6, 3))
    assert derived(X, gamma=1, new_points=NEW).new_rows == ()


@pytest.mark.parametrize(
    ("kind", "center"), [("kernel", True), ("kernel", False), ("distances", False)]
)
def test_a_large_given_matrix(many, kind, center):
    D = np.sqrt(np.square(many[:, None] - many).sum(axis=2))
    matrix = np.exp(-np.square(D)) if kind == "kernel" else D
    found = derived(matrix, kind=kind, analysis={"center": center}, selected=(5, 7))
    K = matrix if kind == "kernel" else -np.square(D) / 2
    is_centred = center or kind == "distances"
    assert found.row_means == pytest.approx(K[[5, 7]].mean(axis=1))
    assert found.kernel_rows.whole_centred == pytest.approx(
        (centred(K) if is_centred else K)[[5, 7]], abs=1e-5
    )
    if is_centred:
        assert found.grand_mean == pytest.approx(K.mean())
    else:
        assert np.isnan(found.grand_mean)
        assert found.kernel_rows.all_means is None


def test_nothing_is_said_of_means_that_nobody_has_computed(many, monkeypatch):
    monkeypatch.setattr(kernel_rows, "MOST_ROWS", 600)
    options = {"solver": "lowrank", "center": False}
    found = derive(result_of(many, gamma=1, analysis=options), (3, 600), NEW)
    assert np.isnan(found.row_means).all()
    assert np.isnan(found.grand_mean)
    assert found.centred == pytest.approx(found.kernel_block)
    assert np.isfinite(found.new_rows[0].centred).all()


@pytest.mark.journey
def test_terms_of_all_rows_are_left_out_where_their_means_take_too_long(
    many, monkeypatch
):
    monkeypatch.setattr(kernel_rows, "MOST_ENTRIES", 10)
    result = result_of(many, gamma=1, analysis={"solver": "lowrank"})
    found = derive(result, (3, 600), NEW)
    assert not found.means_are_of_the_model
    assert found.kernel_rows.all_means is None
    assert found.kernel_rows.whole_centred is None
    assert found.new_rows[0].whole_centred is None
    K = gram_matrix(result.kernel, many)
    assert found.centred == pytest.approx(
        centred(K)[np.ix_([3, 600], [3, 600])], abs=1e-5
    )


def test_rows_are_called_by_their_names():
    data = Dataset(np.array([[1.0, 2], [3, 4]]), row_names=("Ada", "Bo"))
    found = derive(analyse(data))
    assert found.row_names == ("Ada", "Bo")
    assert derived([[1, 0], [0, 1]], kind="kernel").feature_names == ()


@pytest.mark.parametrize("scaling", ["none", "standardise"])
def test_new_points_that_the_kernel_cannot_take_are_left_out(scaling):
    # (1, 2) and (3, 4) lie around (2, 3), which is the origin once standardised.
    nowhere = (0.0, 0.0) if scaling == "none" else (2.0, 3.0)
    result = result_of([(1, 2), (3, 4)], "cosine", scaling=scaling)
    found = derive(result, new_points=(nowhere, (5.0, 1.0), nowhere))
    assert [new.number for new in found.new_rows] == [1]
    both = np.array([nowhere, (5.0, 1.0)])
    assert result.takes(both).tolist() == [False, True]
    assert np.isnan(result.projected(both)).all(axis=1).tolist() == [True, False]
    assert np.isnan(result.nearness(both)).tolist() == [True, False]
    assert found.new_rows[0].scores == pytest.approx(result.project(both[1:])[0])
    assert derive(result, new_points=(nowhere,)).new_rows == ()


@pytest.mark.journey
@pytest.mark.parametrize("family", ["laplacian", "linear"])
def test_no_matrix_is_formed_of_rows_with_very_many_features(family):
    X = np.random.default_rng(7).normal(size=(300, 1000))
    found = derived(X, family)
    assert found.kernel_rows.matrix is None
    K = gram_matrix(found.result.kernel, X)
    rows = found.rows
    assert found.kernel_block == pytest.approx(K[np.ix_(rows, rows)])
    assert found.row_means == pytest.approx(K.mean(axis=1)[rows])
    assert found.grand_mean == pytest.approx(K.mean(), abs=1e-9)
    assert found.centred == pytest.approx(centred(K)[np.ix_(rows, rows)], abs=1e-8)
    assert all(check.holds is not False for check in checks(found))
