"""What is claimed of groups is what the data have, on data of which that is known.

How often, over many draws, `tools/claims.py` counts.
"""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import make_moons

from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.methods.gaps import ColumnGroups, Gap
from kpca_viewer.core.methods.random_baseline import Against, Reality, compare
from kpca_viewer.features.random_baseline.text import group_claims

SEEDS = range(3)
GROUPS = {"beyond chance", "column", "grid"}


def claimed(X, draws=39):
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    kernel = Kernel("rbf", **suggested_values("rbf", X))
    found = compare(X, kernel, (0, 1), draws=draws)
    return group_claims(found, [f"x{j + 1}" for j in range(X.shape[1])])


def drawn(make):
    """Return the claims of several tables, and their keys."""
    claims = [claimed(make(np.random.default_rng(seed))) for seed in SEEDS]
    return claims, [{claim.key for claim in of} for of in claims]


def correlated(random):
    both = random.normal(size=(60, 1)) * 0.9**0.5
    return both + random.normal(size=(60, 2)) * 0.1**0.5


def one_column(random):
    X = random.normal(size=(60, 3))
    X[:30, 0] += 10
    return X


def blobs(random):
    X = random.normal(size=(60, 3))
    X[:30] += 6
    return X


def ring(random):
    angle = random.uniform(0, 2 * np.pi, 60)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return circle + 0.1 * random.normal(size=(60, 2))


def moons(random):
    return make_moons(120, noise=0.1, random_state=int(random.integers(1000)))[0]


@pytest.mark.journey
@pytest.mark.parametrize(
    "make",
    [
        lambda random: random.normal(size=(60, 3)),
        lambda random: random.random((60, 2)),
        correlated,
        lambda random: np.outer(random.random(60), [1.0, 2.0]),
    ],
    ids=["noise", "square", "correlated", "line"],
)
def test_no_groups_where_there_are_none(make):
    _, keys = drawn(make)
    assert sum(bool(of & GROUPS) for of in keys) <= 1


@pytest.mark.journey
def test_groups_of_one_column_are_in_that_column_alone_and_no_chance():
    claims, keys = drawn(one_column)
    said = "Two groups, in column “x1” alone (dip test, p "
    assert sum(of[0].text.startswith(said) for of in claims) >= 2
    assert not any("chance" in of for of in keys)


@pytest.mark.journey
@pytest.mark.parametrize("make", [blobs, ring, moons])
def test_structure_is_beyond_both_kinds_of_random_data(make):
    claims, keys = drawn(make)
    assert sum("beyond chance" in of for of in keys) >= 2
    found = next(of[0] for of in claims if of[0].key == "beyond chance")
    draws = "all 39 tables with permuted columns and all 39 Gaussian tables."
    assert found.text.endswith(draws)


@pytest.mark.journey
@pytest.mark.parametrize("how", ["binary", "counts"])
def test_groups_of_a_grid_are_named_as_such(how):
    def make(random):
        if how == "binary":
            return random.integers(0, 2, (60, 3)).astype(float)
        return random.poisson(2.0, (60, 2)).astype(float)

    claims, keys = drawn(make)
    assert sum(of == {"grid"} for of in keys) >= 2
    text = next(of[0].text for of in claims if of[0].key == "grid")
    assert text.startswith("The grid of values makes the groups: “x1”")
    assert "and 60 rows stand at" in text


def _found(*shares, is_seen=True):
    """Return a gap of 3 standard deviations that so many of 99 draws have."""
    own, against = np.array([3.0, 0.1]), []
    for null, share in zip(["permuted", "gaussian"], shares, strict=True):
        measures = np.column_stack([np.ones(99), np.ones(99)])
        measures[: round(99 * share), 0] = 4
        against.append(Against(null, np.empty((99, 0, 1)), own, measures))
    columns = ColumnGroups(np.ones(2), np.ones(2), np.zeros(2, dtype=int), 9)
    gaps = (Gap(0, 3.0, is_seen),)
    return Reality((0,), np.arange(9), np.empty((9, 1)), gaps, tuple(against), columns)


def test_where_random_data_disagree_there_is_no_verdict():
    (claim,) = group_claims(_found(0.0, 0.4), ["a", "b"])
    assert claim.key == "disagreement"
    assert claim.text == (
        "Random data disagree: the widest gap along PC 1 (3 standard deviations) is "
        "as wide in 0 % of tables with permuted columns, which keep each column and "
        "nothing between them, and in 40 % of Gaussian tables, which keep mean and "
        "covariance and nothing else."
    )


@pytest.mark.parametrize(
    ("shares", "key"),
    [((0, 0), "beyond chance"), ((0.3, 0.4), "chance"), ((0.02, 0.02), "undecided")],
)
def test_a_verdict_is_that_of_both(shares, key):
    (claim,) = group_claims(_found(*shares), ["a", "b"])
    assert claim.key == key
    assert ("chance makes such groups" in claim.text) == (key == "chance")


@pytest.mark.parametrize(
    ("shares", "said", "end"),
    [
        ((0.3, 0.4), "as wide in 30 %", "rare in random data of both kinds."),
        ((0, 0.4), "as wide in 0 %", "rare in random data of both kinds."),
        (
            (0.02, 0.02),
            "rarer than by chance, as wide in 2 %",
            ", but too narrow to be seen, which takes 0.5 standard deviations.",
        ),
    ],
)
def test_of_a_gap_that_is_too_narrow_to_see_its_numbers_are_said(shares, said, end):
    """Where both kinds of random data hardly have it, its width is what it lacks."""
    (claim,) = group_claims(_found(*shares, is_seen=False), ["a", "b"])
    told = "No groups are claimed: the widest gap along PC 1 (3 standard deviations) is"
    assert claim.text.startswith(f"{told} {said} of tables with permuted columns and ")
    assert claim.text.endswith(end)
    assert claim.key == "nothing"


def _found_of_three(*wider, is_seen):
    """Return a gap that so many of 99 draws have, and two that many have in any width.

    The widest of these are as rare as it: 3 · wider + 2 draws have some gap as rare.
    """
    found, against = _found(0, 0, is_seen=is_seen), []
    for each, count in zip(found.against, wider, strict=True):
        measures = np.ones((99, 4))
        measures[:count, 0] = 4
        measures[10:50, 1] = measures[50:90, 2] = np.arange(4, 44)
        against.append(replace(each, own=np.array([3, 3, 3, 0.1]), measures=measures))
    gaps = tuple(Gap(j, 3.0, is_seen) for j in range(3))
    return replace(found, gaps=gaps, against=tuple(against))


@pytest.mark.parametrize(
    ("wider", "is_seen", "said"),
    [
        (
            (0, 1),
            False,
            "0 % of tables with permuted columns and in 1 % of Gaussian tables, but "
            "5 % of Gaussian tables have some gap as rare; a claim of groups needs "
            "less than 5 % of either kind.",
        ),
        (
            (1, 2),
            False,
            "1 % of tables with permuted columns and in 2 % of Gaussian tables, but "
            "5 % of tables with permuted columns and 8 % of Gaussian tables have some "
            "gap as rare; a claim of groups needs less than 5 % of either kind.",
        ),
        (
            (1, 1),
            True,
            "1 % of tables with permuted columns and in 1 % of Gaussian tables, but "
            "5 % of tables with permuted columns and 5 % of Gaussian tables have some "
            "gap as rare; chance makes such groups.",
        ),
        (
            (0, 1),
            True,
            "0 % of tables with permuted columns, which keep each column and nothing "
            "between them, and in 1 % of Gaussian tables, which keep mean and "
            "covariance and nothing else, but 5 % of Gaussian tables have some gap as "
            "rare.",
        ),
    ],
)
def test_the_share_that_decides_is_said_where_the_gap_itself_is_rare(
    wider, is_seen, said
):
    (claim,) = group_claims(_found_of_three(*wider, is_seen=is_seen), ["a", "b"])
    assert claim.text.endswith(f" as wide in {said}")
