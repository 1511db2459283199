"""Every generator gives the shape it promises, again and again."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn import datasets

from kpca_viewer.data.generators import GENERATORS, generate
from kpca_viewer.support.errors import DataError

SEEDED = [key for key, generator in GENERATORS.items() if generator.seeded]
FIXED = [key for key, generator in GENERATORS.items() if not generator.seeded]
THREE_DIMENSIONAL = ["s_curve", "swiss_roll", "torus", "helix"]


@pytest.mark.parametrize("key", GENERATORS)
def test_plane_examples_have_two_columns(key):
    generator = GENERATORS[key]
    small = {"samples": 12.0} if generator.parameters else {}
    assert generator.is_plane == (generate(key, **small).d == 2)


def test_circles_come_first():
    assert next(iter(GENERATORS)) == "circles"
    dataset = generate()
    assert (dataset.n, dataset.d) == (400, 2)
    radius = np.linalg.norm(dataset.points, axis=1)
    assert radius[dataset.labels == 0].mean() == pytest.approx(1.0, abs=0.02)
    assert radius[dataset.labels == 1].mean() == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize("key", SEEDED)
def test_the_seed_decides_everything(key):
    assert generate(key, seed=3).content_hash == generate(key, seed=3).content_hash
    assert generate(key, seed=3).content_hash != generate(key, seed=4).content_hash


@pytest.mark.parametrize("key", FIXED)
def test_real_data_ignore_the_seed(key):
    assert GENERATORS[key].parameters == ()
    assert generate(key, seed=3).content_hash == generate(key, seed=4).content_hash


@pytest.mark.parametrize("key", SEEDED)
@pytest.mark.parametrize("samples", [10, 101])
def test_as_many_points_as_asked_for_and_balanced_classes(key, samples):
    dataset = generate(key, samples=samples)
    assert dataset.n == samples
    assert np.isfinite(dataset.points).all()
    if dataset.labels is not None:
        counts = np.bincount(dataset.labels, minlength=len(dataset.label_names))
        assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("key", SEEDED)
def test_both_ends_of_every_slider_work(key):
    parameters = GENERATORS[key].parameters
    for parameter in parameters:
        if parameter.name == "samples":
            continue
        for value in (parameter.low, parameter.high):
            dataset = generate(key, samples=50, **{parameter.name: value})
            assert np.isfinite(dataset.points).all()


@pytest.mark.parametrize("key", THREE_DIMENSIONAL)
def test_shapes_in_space_know_the_position(key):
    dataset = generate(key)
    assert dataset.d == 3
    assert dataset.columns["position"].values.std() > 0


@pytest.mark.parametrize("key", [k for k in SEEDED if k != "blobs"])
def test_noise_moves_points(key):
    assert (
        generate(key, noise=0.0).content_hash != generate(key, noise=0.3).content_hash
    )


@pytest.mark.parametrize("key", ["spirals", "blobs", "gaussian_quantiles", "helix"])
def test_number_of_classes(key):
    dataset = generate(key, classes=5)
    assert len(dataset.label_names) == 5
    assert set(dataset.labels) == set(range(5))


def test_shells_are_ordered_by_their_distance():
    dataset = generate("gaussian_quantiles", noise=0.0, classes=4)
    radius = np.linalg.norm(dataset.points, axis=1)
    for inner in range(3):
        assert (
            radius[dataset.labels == inner].max()
            < radius[dataset.labels == inner + 1].min()
        )


def test_torus_without_noise_lies_on_the_torus():
    x, y, z = generate("torus", noise=0.0, factor=0.4).points.T
    assert np.hypot(np.hypot(x, y) - 1, z) == pytest.approx(0.4)


def test_three_points_are_those_of_the_worked_example():
    dataset = generate("three_points")
    assert dataset.points.tolist() == [[1, 0], [0, 1], [-1, 0]]


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        ("iris", (150, 4)),
        ("wine", (178, 13)),
        ("breast_cancer", (569, 30)),
        ("digits", (1797, 64)),
    ],
)
def test_real_data_are_those_of_scikit_learn(key, shape):
    dataset, theirs = generate(key), getattr(datasets, f"load_{key}")()
    assert dataset.points.shape == shape
    assert (dataset.points == theirs.data).all()
    assert (dataset.labels == theirs.target).all()
    assert dataset.label_names == tuple(map(str, theirs.target_names))
    assert dataset.feature_names == tuple(map(str, theirs.feature_names))


def test_settings_of_other_generators_are_ignored():
    plain = generate("circles")
    assert generate("circles", turns=3, classes=7).content_hash == plain.content_hash


@pytest.mark.parametrize(
    ("key", "values", "message"),
    [
        ("cube", {}, "no generator “cube”"),
        ("circles", {"colour": 1}, "no parameter|No generator"),
        ("circles", {"samples": 2}, "Samples is 2"),
        ("circles", {"factor": 1.5}, "Factor is 1.5"),
        ("circles", {"noise": float("nan")}, "Noise is nan"),
        ("circles", {"samples": float("inf")}, "Samples is ∞"),
        ("circles", {"seed": -1}, "seed"),
        ("blobs", {"samples": 4, "classes": 5}, "4 samples cannot fill 5 classes"),
    ],
)
def test_impossible_requests_are_refused(key, values, message):
    with pytest.raises(DataError, match=message):
        generate(key, **values)


def test_more_samples_than_the_slider_offers():
    assert generate("helix", samples=30_000).n == 30_000


def test_parameters_describe_themselves():
    for generator in GENERATORS.values():
        assert generator.title
        assert generator.help.endswith(".")
        for parameter in generator.parameters:
            assert parameter.low <= parameter.default <= parameter.high
            assert parameter.help


@pytest.mark.journey
def test_no_data_set_imports_scikit_learn():
    code = (
        "import sys; from kpca_viewer.data.generators import generate;"
        "generate('circles'); generate('wine'); sys.exit('sklearn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
