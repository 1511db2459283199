"""What the card of a selection says, and where it must be silent."""

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.selection.compute import find_groups, summarise
from kpca_viewer.features.selection.text import lines, title


def dataset(n=400, d=4, seed=0):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, d))
    labels = np.arange(n) % 2
    columns = {"dest": np.array(["HNL", "BOS", "ORD", "LAX"])[rng.integers(4, size=n)]}
    return Dataset(
        points,
        labels=labels,
        label_names=("even", "odd"),
        feature_names=tuple(f"c{j}" for j in range(d)),
        columns=columns,
    )


def test_columns_that_differ_are_named_with_their_effect():
    data = dataset()
    chosen = np.zeros(data.n, dtype=bool)
    chosen[np.argsort(data.points[:, 2])[-40:]] = True
    found = summarise(data, chosen)
    assert found.count == 40
    assert title(found) == "40 rows (10 %)"
    inside, others = data.points[chosen, 2], data.points[~chosen, 2]
    pooled = np.sqrt((39 * inside.var(ddof=1) + 359 * others.var(ddof=1)) / 398)
    assert found.columns[0].name == "c2"
    assert found.columns[0].effect == pytest.approx(
        (inside.mean() - others.mean()) / pooled
    )
    assert any(line.startswith("c2 +") for line in lines(found))


def test_an_enriched_category_is_named():
    data = dataset()
    words = data.columns["dest"].words
    home = np.flatnonzero(data.columns["dest"].values == words.index("HNL"))
    chosen = np.zeros(data.n, dtype=bool)
    chosen[home[:30]] = True
    found = summarise(data, chosen)
    assert [(each.column, each.value) for each in found.categories] == [("dest", "HNL")]
    assert found.categories[0].share == 1.0


@pytest.mark.journey
def test_a_random_selection_has_no_enriched_category():
    said = 0
    for seed in range(200):
        data = dataset(seed=seed)
        chosen = np.random.default_rng(1000 + seed).random(data.n) < 0.1
        said += bool(summarise(data, chosen).categories)
    assert said <= 4


@pytest.mark.parametrize("count", [0, 1, 400])
def test_few_or_all_rows_say_only_what_can_be_said(count):
    data = dataset()
    chosen = np.arange(data.n) < count
    found = summarise(data, chosen)
    assert found.columns == ()
    assert sum(each.rows for each in found.classes) == count


def test_groups_by_density_are_those_that_are_there():
    rng = np.random.default_rng(0)
    sizes = (60, 40, 30)
    centres = ((0, 0), (5, 0), (0, 5))
    pairs = zip(sizes, centres, strict=True)
    scores = np.vstack([rng.normal(at, 0.2, size=(size, 2)) for size, at in pairs])
    found = find_groups(scores, None)
    truth = np.repeat([0, 1, 2], sizes)
    assert (found[found >= 0] == truth[found >= 0]).all()
    assert (found >= 0).mean() > 0.9
    assert (find_groups(scores, 3) == truth).all()


@pytest.mark.parametrize("n", [1, 3, 5, 8])
def test_too_few_points_have_no_two_groups(n):
    few = np.random.default_rng(0).normal(size=(n, 2))
    assert find_groups(few, None).max() < 1


def test_equal_points_are_divided_into_no_more_groups_than_there_are():
    twice = np.repeat([[0.0, 1.0], [2.0, 3.0]], 10, axis=0)
    assert set(find_groups(twice, 5)) == {0, 1}
