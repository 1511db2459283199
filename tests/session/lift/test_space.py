"""Rows, surface and components in the lifted space, against NumPy."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.lifts import LIFTS
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
)
from kpca_viewer.features.lift.compute import Components, lifted_space, variables_of
from kpca_viewer.features.lift.text import MOST_ROWS, why_not
from tests.core.reference import circles, same_up_to_sign
from tests.memory import memory

X, LABELS = circles(120)


def maps(X):
    x, y = np.asarray(X, dtype=float).T
    r = np.sqrt(2)
    one = np.ones_like(x)
    return {
        "paraboloid": np.column_stack((x, y, x**2 + y**2)),
        "square": np.column_stack((x**2, r * x * y, y**2)),
        "offset_square": np.column_stack((one, r * x, r * y, x**2, r * x * y, y**2)),
    }


@memory.remembering
def result_of(lift="paraboloid", X=X, center=True, kernel=None, scaling="none"):
    row = LIFTS[lift]
    return analyse(
        Dataset(X),
        SessionSettings(
            data=DataSettings(scaling=scaling),
            kernel=kernel or row.settings,
            analysis=AnalysisSettings(center=center),
        ),
    )


def space_of(lift="paraboloid", axes=(1, 2, 3), **options):
    return lifted_space(result_of(lift, **options), LIFTS[lift], axes)


@pytest.mark.parametrize("lift", ["paraboloid", "square", "offset_square"])
@pytest.mark.parametrize("center", [True, False])
def test_the_rows_are_mapped(lift, center):
    axes = (1, 2, 3) if lift == "offset_square" else (0, 1, 2)
    wanted = maps(X)[lift][:, axes]
    raised = space_of(lift, center=center).at(1.0)
    np.testing.assert_allclose(
        raised.points, wanted - center * wanted.mean(axis=0), atol=1e-12
    )
    np.testing.assert_allclose(
        raised.centroid, 0 * wanted[0] if center else wanted.mean(axis=0), atol=1e-12
    )


@pytest.mark.parametrize("lift", ["paraboloid", "square", "offset_square"])
def test_on_the_ground_it_is_the_plane(lift):
    raised = space_of(lift, center=False).at(0.0)
    np.testing.assert_allclose(raised.points[:, :2], X)
    assert not raised.points[:, 2].any()
    # The first two components span it.
    assert len(raised.arrows) == 2
    assert np.abs(raised.plane[:, 2]).max() < 1e-12


def test_half_way_is_the_middle():
    space = space_of(center=False)
    low, middle, high = (space.at(height).points for height in (0.0, 0.5, 1.0))
    np.testing.assert_allclose(middle, (low + high) / 2, atol=1e-12)


@pytest.mark.parametrize("lift", ["paraboloid", "square", "offset_square"])
@pytest.mark.parametrize("center", [True, False])
def test_directions_of_the_kernel_are_those_of_the_lifted_rows(lift, center):
    """u = Σ α φ̃ is computed from scores alone; PCA of φ knows nothing of them."""
    space = space_of(lift, center=center)
    assert space.exact is not None
    theirs = Components.of(maps(X)[lift], center=center)
    k = len(theirs.variances)
    np.testing.assert_allclose(
        space.exact.variances[:k], theirs.variances, rtol=1e-6, atol=1e-9
    )
    lengths = np.linalg.norm(space.exact.directions[:, :k], axis=0)
    np.testing.assert_allclose(lengths, 1, rtol=1e-6)
    assert same_up_to_sign(space.exact.directions[:, :k], theirs.directions, 1e-4)


def test_arrows_are_two_standard_deviations_long():
    space = space_of()
    pca = PCA(3).fit(maps(X)["paraboloid"])
    raised = space.at(1.0)
    lengths = np.linalg.norm(raised.arrows - raised.base, axis=1)
    n = len(X)
    np.testing.assert_allclose(
        lengths, 2 * np.sqrt(pca.explained_variance_ * (n - 1) / n), rtol=1e-6
    )


def test_arrows_point_where_the_scores_grow():
    result = result_of()
    space = lifted_space(result, LIFTS["paraboloid"], (0, 1, 2))
    raised = space.at(1.0)
    for j, arrow in enumerate(raised.arrows):
        along = raised.points @ (arrow - raised.base)
        assert np.corrcoef(along, result.scores[:, j])[0, 1] == pytest.approx(1)
    # A component that is flipped turns its arrow.
    flipped = replace(result.settings, view=ViewSettings(flipped=(0,)))
    turned = lifted_space(analyse(Dataset(X), flipped), LIFTS["paraboloid"], (0, 1, 2))
    np.testing.assert_allclose(turned.at(1.0).arrows[0], -raised.arrows[0], atol=1e-9)
    # And on the way it does not jump round.
    near = turned.at(0.99).arrows[0]
    assert near @ turned.at(1.0).arrows[0] > 0


@pytest.mark.journey
def test_another_kernel_leaves_the_lifted_rows_to_pca():
    space = space_of("paraboloid", kernel=KernelSettings("rbf"))
    assert space.exact is None
    theirs = PCA(3).fit(maps(X)["paraboloid"]).components_.T
    assert same_up_to_sign(space.components.directions, theirs, 1e-8)
    # γ = 2 is another kernel than γ = 1.
    other = KernelSettings("poly", (("coef0", 0.0), ("degree", 2.0), ("gamma", 2.0)))
    assert space_of("square", kernel=other).exact is None


def test_the_patch_lies_in_the_plane_of_the_first_two_and_holds_the_scores():
    space = space_of("square")
    raised, found = space.at(1.0), space.components
    normal = np.cross(*found.directions[:, :2].T)
    assert np.abs((raised.plane - raised.base) @ normal).max() < 1e-9
    scores = found.scores(space.high)[:, :2]
    corners = (raised.plane - raised.base) @ found.directions[:, :2]
    np.testing.assert_allclose(corners.min(axis=0), scores.min(axis=0), atol=1e-9)
    np.testing.assert_allclose(corners.max(axis=0), scores.max(axis=0), atol=1e-9)


def test_the_mesh_lies_on_the_surface_and_holds_the_data():
    mesh = np.concatenate(space_of("paraboloid", center=False).at(1.0).mesh)
    mesh = mesh[np.isfinite(mesh).all(axis=1)]
    np.testing.assert_allclose(mesh[:, 2], (mesh[:, :2] ** 2).sum(axis=1), atol=1e-12)
    # No corner rises far above the rows.
    assert mesh[:, 2].max() <= 1.2 * (X**2).sum(axis=1).max()
    assert (mesh[:, :2].min(axis=0) < X.min(axis=0)).all()
    assert (mesh[:, :2].max(axis=0) > X.max(axis=0)).all()


@pytest.mark.parametrize("center", [True, False])
def test_the_box_holds_every_height(center):
    space = space_of("offset_square", (1, 2, 4), center=center)
    low, high = space.reach
    for height in np.linspace(0, 1, 5):
        raised = space.at(float(height))
        for places in (raised.points, *raised.mesh, raised.centroid[None]):
            assert not (places < low - 1e-9).any()
            assert not (places > high + 1e-9).any()


def test_with_and_without_the_mean_the_box_is_the_same():
    np.testing.assert_allclose(
        space_of(center=True).reach, space_of(center=False).reach, atol=1e-12
    )
    # Unless most of it would be empty.
    far = X + 30
    there, here = (space_of(X=far, center=c).reach for c in (False, True))
    assert not np.allclose(there, here)


def test_scaled_columns_are_lifted_as_the_kernel_sees_them():
    given = X * [1, 100]
    raised = space_of(X=given, center=False, scaling="standardise").at(1.0)
    scaled = given / given.std(axis=0) - (given / given.std(axis=0)).mean(axis=0)
    np.testing.assert_allclose(raised.points, maps(scaled)["paraboloid"], atol=1e-9)


def test_new_points_are_placed_like_rows():
    for lift in LIFTS:
        space = space_of(lift, kernel=KernelSettings("rbf"))
        for height in (0.0, 0.3, 1.0):
            np.testing.assert_allclose(
                space.places_at(X[:5], height), space.at(height).points[:5], atol=1e-6
            )


def test_components_of_any_kernel_are_the_scores():
    result = result_of("components", kernel=KernelSettings("rbf"))
    space = lifted_space(result, LIFTS["components"], (0, 1, 2))
    raised = space.at(1.0)
    np.testing.assert_allclose(raised.points, result.scores[:, :3], atol=1e-12)
    for j in range(3):
        others = np.delete(raised.arrows[j], j)
        assert raised.arrows[j][j] > 0
        assert np.abs(others).max() < 1e-6
    # Nodes of the mesh are projected as new points are.
    low = space.at(0.0)
    size = np.ptp(low.points[:, 0]) / np.ptp(X[:, 0])
    grid = np.concatenate(low.mesh)[:, :2] / size + X.mean(axis=0)
    mesh = np.concatenate(raised.mesh)
    drawn = np.isfinite(mesh).all(axis=1)
    assert drawn.sum() > 400
    np.testing.assert_allclose(mesh[drawn], result.project(grid)[drawn, :3], atol=1e-6)


def test_the_plane_of_components_is_as_large_as_the_scores():
    result = result_of("components", kernel=KernelSettings("rbf"))
    space = lifted_space(result, LIFTS["components"], (0, 1, 2))
    low, high = space.at(0.0).points, space.at(1.0).points
    assert np.linalg.norm(low) == pytest.approx(np.linalg.norm(high), rel=1e-6)
    around = X - X.mean(axis=0)
    np.testing.assert_allclose(
        low[:, :2] / np.linalg.norm(low), around / np.linalg.norm(around), atol=1e-12
    )


def test_axes_are_named_after_what_they_show():
    space = space_of("square", center=False)
    assert space.axis_names(0.0) == ("x₁", "x₂", "0")
    assert space.axis_names(0.5) == ("x₁ → x₁²", "x₂ → √2x₁x₂", "0 → x₂²")
    assert space.axis_names(1.0) == ("x₁²", "√2x₁x₂", "x₂²")
    assert space_of().axis_names(0.5)[0] == "x₁"
    chosen = space_of("offset_square", (0, 5, 1), center=False)
    assert chosen.axis_names(1.0) == ("1", "x₂²", "√2x₁")


@pytest.mark.parametrize("lift", LIFTS)
@pytest.mark.parametrize(
    "given", [[[1.0, 2.0]], [[1.0, 2.0]] * 3, [[0.0, 0.0], [1.0, 1.0]]]
)
def test_few_points_and_equal_ones(lift, given):
    center = len(given) != 2
    kernel = KernelSettings("rbf") if lift == "components" else LIFTS[lift].settings
    space = space_of(lift, X=np.array(given), center=center, kernel=kernel)
    for height in (0.0, 0.5, 1.0):
        raised = space.at(height)
        assert np.isfinite(raised.points).all()
        assert len(raised.arrows) <= len(given)
    low, high = space.reach
    assert (high >= low).all()


def test_what_cannot_be_lifted():
    rbf = result_of("components", kernel=KernelSettings("rbf")).kernel
    assert why_not(Dataset(X), rbf) == ""
    assert "these data have 3 features" in why_not(Dataset(np.eye(3)), rbf)
    assert "these data have 1 feature;" in why_not(Dataset(np.ones((3, 1))), rbf)
    matrix = Dataset(np.eye(3), kind="kernel")
    assert "A given matrix has no plane" in why_not(matrix, None)
    many = Dataset(np.zeros((MOST_ROWS + 1, 2)))
    assert "20,001 points are too many" in why_not(many, rbf)


@pytest.mark.parametrize(
    ("names", "called"),
    [
        (("x1", "x2"), ("x₁", "x₂")),
        (("x", "y"), ("x", "y")),
        (("petal length", "y"), ("x", "y")),
    ],
)
def test_what_features_are_called_in_formulas(names, called):
    assert variables_of(Dataset(X, feature_names=names)) == called
