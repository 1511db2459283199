"""What is computed for the page Columns and for arrows, and for nobody else."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
)
from kpca_viewer.engine.stage import page_lacks
from kpca_viewer.features import registry
from kpca_viewer.features.columns import stages as found_module
from kpca_viewer.features.columns.arrows import (
    ARROWS,
    FACTORS,
    arrows_at,
    field_rows,
    readable_factor,
)
from kpca_viewer.features.columns.compute import measure_columns
from kpca_viewer.features.columns.evidence import halve
from kpca_viewer.features.columns.stages import COLUMNS, PAGE
from kpca_viewer.features.columns.text import (
    compared_words,
    in_short,
    influence_table,
    what_moves,
)
from kpca_viewer.support.errors import Cancelled

LINEAR = SessionSettings(DataSettings("iris"), KernelSettings("linear"))


def answer(settings=LINEAR, cache=None, page=PAGE, opened=None, **options):
    request = AnalysisRequest(
        settings, opened or {}, page=page, **options, stages=registry.stages()
    )
    published = []
    result = run(request, cache or StageCache(), publish=published.append)
    return result, published


def seen(settings=LINEAR, **view):
    return replace(settings, view=ViewSettings(**view))


def of_table(points, family="linear", **view):
    dataset = Dataset(points, name="table")
    settings = SessionSettings(
        DataSettings("table"), KernelSettings(family), view=ViewSettings(**view)
    )
    return {"settings": settings, "opened": {"table": dataset}}


@pytest.mark.journey
def test_only_whoever_looks_at_the_page_pays_for_it():
    cache = StageCache()
    result, published = answer(cache=cache, page="pca")
    assert result.get(COLUMNS) is None
    assert all(page_lacks(registry.stages(), each, PAGE) for each in published)
    assert cache.peek("columns", None) is None
    result, published = answer(cache=cache)
    assert not page_lacks(registry.stages(), result, PAGE)
    assert published[0].get(COLUMNS) is None  # the picture comes first
    ranked = [
        each.get(COLUMNS).ranked(ViewSettings())
        for each in published
        if each.get(COLUMNS)
    ]
    counts = [each.compared for each in ranked]
    assert counts == sorted(counts)
    assert result.get(COLUMNS).ranked(ViewSettings()).compared == 4
    # Known now: nothing more is published than the result.
    again, published = answer(cache=cache)
    assert published == []
    assert again.get(COLUMNS).measured is result.get(COLUMNS).measured


def test_whoever_compares_groups_needs_no_influence():
    result, _ = answer(seen(columns="groups"))
    assert result.get(COLUMNS) is None
    assert not page_lacks(registry.stages(), result, PAGE)


def test_bars_of_the_linear_kernel_are_loadings_times_spreads():
    cache = StageCache()
    result, _ = answer(cache=cache)
    X = result.dataset.points
    loadings = np.abs(PCA(2).fit(X).components_)
    for component in (0, 1):
        result, _ = answer(seen(columns_of=component), cache)
        ranked = result.get(COLUMNS).ranked(result.settings.view)
        strengths = {c.column: c.strength for c in ranked.columns}
        expected = dict(enumerate(loadings[component] * X.std(axis=0)))
        assert strengths == pytest.approx(expected, abs=1e-6)
        assert all(c.noise is not None for c in ranked.columns)
    together = result.get(COLUMNS).ranked(ViewSettings())
    assert (together.components, together.left_out[0][0]) == ((0,), 1)
    assert together.columns[0].noise is not None


def test_nothing_is_measured_while_a_hand_moves():
    view = {"arrows": "mean"}
    result, _ = answer(seen(**view), moving=True)
    assert result.get(COLUMNS) is None
    assert result.get(ARROWS) is None
    assert not result.at_rest
    result, _ = answer(seen(**view))
    assert result.at_rest
    assert result.get(COLUMNS).is_complete
    assert result.get(ARROWS).kind == "mean"


@pytest.mark.journey
def test_only_the_strongest_columns_are_compared_with_noise(monkeypatch):
    monkeypatch.setattr(found_module, "COMPARED", 2)
    result, _ = answer()
    ranked = result.get(COLUMNS).ranked(ViewSettings())
    assert [c.noise is not None for c in ranked.columns] == [True, True, False, False]
    assert (
        in_short(ranked) == "The 2 strongest of 4 columns compared with random order."
    )
    assert compared_words(ranked, is_complete=True) == (
        "The 2 strongest of 4 columns were compared with random order, which takes up "
        "to 39 fits for each; bars in outline were not."
    )
    assert in_short(ranked, is_complete=False) == (
        "The 2 strongest of 4 columns compared with random order so far."
    )
    # Others are the strongest of another component.
    cache = StageCache()
    answer(cache=cache)
    other, _ = answer(seen(columns_of=1), cache)
    ranked = other.get(COLUMNS).ranked(other.settings.view)
    assert all(c.noise is not None for c in ranked.columns[:2])


def test_columns_in_their_own_units_have_no_noise():
    result, _ = answer(seen(column_units="original"))
    X = result.dataset.points
    ranked = result.get(COLUMNS).ranked(result.settings.view)
    loadings = PCA(2).fit(X).components_
    strengths = {c.column: c.strength for c in ranked.columns}
    expected = dict(enumerate(np.sqrt(np.square(loadings).sum(axis=0))))
    assert strengths == pytest.approx(expected, abs=1e-6)
    assert result.get(COLUMNS).is_complete
    assert result.get(COLUMNS).null is None


@pytest.mark.parametrize(
    ("points", "kind", "words"),
    [
        (np.eye(4), "kernel", "matrix of kernel values"),
        (1 - np.eye(4), "distances", "matrix of distances"),
        (np.ones((1, 3)), "points", "one row only"),
    ],
)
def test_where_nothing_can_be_said_one_sentence_is(points, kind, words):
    dataset = Dataset(points, name="table", kind=kind)
    settings = SessionSettings(DataSettings("table"), view=ViewSettings(arrows="field"))
    result, _ = answer(settings, opened={"table": dataset})
    assert result.get(COLUMNS).measured is None
    assert words in result.get(COLUMNS).refusal
    assert result.get(COLUMNS).refusal.count(". ") == 0
    assert result.get(ARROWS) is None
    assert arrows_at(result, 0) is None
    assert not page_lacks(registry.stages(), result, PAGE)


def test_two_rows_are_ranked_but_not_compared():
    result, _ = answer(**of_table(np.array([[0.0, 1], [1, 3]])))
    assert result.get(COLUMNS).is_complete
    ranked = result.get(COLUMNS).ranked(result.settings.view)
    assert [c.column for c in ranked.columns] == [1, 0]
    assert result.get(COLUMNS).null is None


def test_a_cancelled_comparison_keeps_what_is_there():
    cache, published = StageCache(), []

    def stops() -> bool:
        return any(each.get(COLUMNS) is not None for each in published)

    with pytest.raises(Cancelled):
        run(
            AnalysisRequest(LINEAR, page=PAGE, stages=registry.stages()),
            cache,
            stops,
            publish=published.append,
        )
    kept = published[-1].get(COLUMNS)
    assert kept.measured is not None
    assert not kept.is_complete
    result, _ = answer(cache=cache)
    assert result.get(COLUMNS).measured is kept.measured
    assert result.get(COLUMNS).is_complete


def test_the_table_has_every_number():
    result, _ = answer(seen(columns_of=0))
    ranked = result.get(COLUMNS).ranked(result.settings.view)
    head, *lines = influence_table(ranked).splitlines()
    assert head.split("\t")[:3] == ["column", "influence", "share"]
    cells = [line.split("\t") for line in lines]
    assert [float(c[1]) for c in cells] == pytest.approx(
        [c.strength for c in ranked.columns], rel=1e-5
    )
    assert sum(float(c[2]) for c in cells) == pytest.approx(1, abs=1e-4)
    assert head.split("\t")[3] == "r with PC 1"
    assert [float(c[3]) for c in cells] == pytest.approx(
        [c.correlations[0] for c in ranked.columns], rel=1e-5
    )
    assert {c[8] for c in cells} <= {"yes", "no", "undecided"}
    together = influence_table(
        result.get(COLUMNS).measured.of_components([0, 1]).ranked()
    )
    assert together.splitlines()[1].split("\t")[5:8] == ["", "", ""]


# Arrows


def test_mean_arrows_of_the_linear_kernel_are_loadings_times_spreads():
    result, _ = answer(seen(arrows="mean"))
    X, found = result.dataset.points, result.get(ARROWS)
    pca = PCA(2).fit(X)
    signs = np.sign((pca.transform(X) * result.scores[:, :2]).sum(axis=0))
    names = result.dataset.feature_names
    for name, move in zip(found.names, found.moves, strict=True):
        f = names.index(name)
        expected = pca.components_[:, f] * X[:, f].std() * signs
        np.testing.assert_allclose(move, expected, atol=1e-6)
    np.testing.assert_allclose(found.ends, found.starts + found.factor * found.moves)
    assert found.factor == 1 or f"drawn ×{found.factor:.0f}" in found.words


def test_a_field_stands_all_over_the_embedding_for_the_chosen_column():
    result, _ = answer(seen(arrows="field", column=2))
    found = result.get(ARROWS)
    assert result.dataset.feature_names[2] in found.words
    assert len(found.starts) > 20
    # Everywhere the same for a linear kernel, and no longer than its cells allow.
    assert np.ptp(found.moves, axis=0) == pytest.approx([0, 0], abs=1e-6)
    other, _ = answer(seen(arrows="field", column=99))
    assert other.get(ARROWS) is not None  # the strongest, where there is no such column


def test_field_rows_are_one_for_each_cell():
    random = np.random.default_rng(1)
    scores = random.uniform(size=(3000, 2))
    rows, cell = field_rows(scores)
    cells = np.floor((scores[rows] - scores.min(axis=0)) / cell)
    assert len(np.unique(cells, axis=0)) == len(rows)
    everywhere = np.floor((scores - scores.min(axis=0)) / cell)
    assert len(rows) == len(np.unique(everywhere, axis=0))
    rows, cell = field_rows(np.zeros((5, 2)))
    assert len(rows) == 1
    assert cell > 0


@pytest.mark.parametrize("longest", [1e-7, 0.003, 0.02, 0.2, 0.9, 4.0])
def test_short_arrows_are_magnified_by_a_round_number(longest):
    factor = readable_factor(longest, 0.36)
    assert factor in (1.0, *FACTORS)
    assert factor * longest <= 0.36 or factor == 1
    if factor > 1:
        assert factor * longest > 0.36 / 2.1
    assert readable_factor(0.0, 1.0) == 1


def test_the_arrows_of_a_row_are_where_it_would_be():
    settings = SessionSettings(DataSettings("iris"), KernelSettings("rbf"))
    result, _ = answer(settings, page="")
    found = arrows_at(result, 7)
    X = result.dataset.points
    for name, move in zip(found.names, found.moves, strict=True):
        f = result.dataset.feature_names.index(name)
        grown = X[[7]].copy()
        grown[:, f] += X[:, f].std()
        expected = result.project(grown)[0, :2] - result.project(X[[7]])[0, :2]
        np.testing.assert_allclose(move, expected, atol=1e-12)


@pytest.mark.parametrize(("second", "equal"), [(1.0, True), (0.3, False)])
def test_of_bars_that_these_rows_cannot_tell_apart_none_is_called_longest(
    second, equal
):
    random = np.random.default_rng(5)
    factor = random.normal(size=150)
    noise = 0.3 * random.normal(size=(150, 4))
    points = noise + factor[:, None] * (1.0, second, 0.0, 0.0)
    view = {"column_units": "scaled", "columns_of": 0}
    result, _ = answer(**of_table(points, "linear", **view))
    ranked = result.get(COLUMNS).ranked(result.settings.view)
    strengths = [column.strength for column in ranked.columns[:2]]
    errors = [column.error for column in ranked.columns[:2]]
    assert all(0 < e < 0.2 * s for e, s in zip(errors, strengths, strict=True))
    assert ranked.equal == (2 if equal else 1)
    said = f"), in these rows not clearly more than that of “{ranked.columns[1].name}”."
    assert (said in what_moves(ranked).text) == equal


@pytest.mark.journey
def test_errors_are_those_of_other_rows():
    """One standard error by halves is near the spread over tables drawn anew."""

    def of_first(seed):
        random = np.random.default_rng(seed)
        points = random.normal(size=(200, 5)) * (1.5, 1, 1, 1, 1)
        points[:, 1:3] += points[:, :1]
        result, _ = answer(**of_table(points, "linear"), page="")
        measured = measure_columns(result, [0])
        errors, _ = halve(result, (0,), np.arange(5)).errors((0,), "scaled")
        return measured.influence.rms[0, 0], errors[0]

    strengths, errors = np.transpose([of_first(seed) for seed in range(12)])
    spread = np.std(strengths, ddof=1)
    assert 0.4 * spread < errors.mean() < 2.5 * spread
