"""Who gets a comparison with random data, when, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.core.methods.random_baseline import NINE, Round
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.extras import MOVES
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.engine.stage import has_stage, page_lacks
from kpca_viewer.features import registry
from kpca_viewer.features.embedding.text import moves_words
from kpca_viewer.features.random_baseline.compute import (
    PAGE,
    REALITY,
    new_round,
    sees_groups,
)
from kpca_viewer.features.random_baseline.text import (
    explanation,
    guess_words,
    headline,
    summary,
    warning,
)

LINE = DataSettings("points_on_a_line")
RINGS = DataSettings("circles", as_values({"samples": 120}))
MOONS = DataSettings("moons", as_values({"samples": 120}))


def found(data, gamma, page=PAGE, *, cache=None, publish=None, view=None, **request):
    opened = {}
    if isinstance(data, Dataset):
        opened, data = {data.name: data}, DataSettings(data.name)
    settings = SessionSettings(
        data,
        KernelSettings("rbf", as_values({"gamma": gamma})),
        view=view or ViewSettings(),
    )
    asked = AnalysisRequest(
        settings, opened, page=page, **request, stages=registry.stages()
    )
    published = [] if publish is None else publish
    return run(asked, cache or StageCache(), publish=published.append)


def test_the_page_is_told_what_was_measured():
    result = found(LINE, 2.0)
    compared = result.get(REALITY).compared
    (gaussian,) = compared.against
    share = gaussian.shares[compared.place]
    told = summary(result.get(REALITY), "permuted", result.dataset.n)
    assert f"as wide in {round(100 * share)} % of Gaussian tables" in told
    assert "chance makes such groups" in told
    assert "One column permuted is the same column: a Gaussian is drawn." in told
    assert told.startswith(headline(result.get(REALITY)))
    assert explanation(compared).count("\n") == len(compared.gaps) + 1
    assert "99 draws each of a Gaussian" in explanation(compared)


@pytest.mark.journey
def test_the_picture_that_is_compared_is_the_one_that_is_shown():
    X = np.random.default_rng(0).normal(size=(40, 2)) * (1, 1000)
    settings = SessionSettings(
        DataSettings("wide", scaling="standardise"),
        KernelSettings("rbf", as_values({"gamma": 0.5})),
    )
    opened = {"wide": Dataset(X, name="wide")}
    asked = AnalysisRequest(settings, opened, page=PAGE, stages=registry.stages())
    result = run(asked, StageCache())
    compared = result.get(REALITY).compared
    shown = result.scores[:, list(compared.axes)]
    np.testing.assert_allclose(np.abs(compared.picture), np.abs(shown), atol=1e-9)


@pytest.mark.parametrize("page", ["pca", PAGE])
def test_the_embedding_warns_of_groups_on_a_line(page):
    result = found(LINE, 2.0, page)
    words = warning(result.get(REALITY))
    assert words.startswith("The widest gap along PC")
    assert words.endswith("% of Gaussian tables; chance makes such groups.")


@pytest.mark.journey
@pytest.mark.parametrize(
    ("data", "gamma"), [(RINGS, 2.0), (RINGS, 10.0), (MOONS, 1.0), (MOONS, 8.0)]
)
def test_the_embedding_is_quiet_about_rings_and_moons(data, gamma):
    assert warning(found(data, gamma, "pca").get(REALITY)) == ""
    asked_for = found(data, gamma).get(REALITY)
    assert warning(asked_for) == ""
    assert headline(asked_for).startswith("Beyond chance: ")


@pytest.mark.journey
def test_the_embedding_warns_of_groups_in_a_uniform_square():
    square = Dataset(np.random.default_rng(0).random((30, 2)), name="square")
    said = warning(found(square, 40.0, "pca").get(REALITY))
    assert "of tables with permuted columns and in" in said
    assert said.endswith("chance makes such groups.")


@pytest.mark.journey
def test_nothing_is_compared_for_a_picture_without_groups():
    noise = Dataset(np.random.default_rng(0).normal(size=(150, 4)), name="noise")
    result = found(noise, 0.1, "pca")
    assert not sees_groups(result)
    assert result.get(REALITY) is None
    asked_for = found(noise, 0.1)
    told = headline(asked_for.get(REALITY))
    assert told.startswith("No groups are claimed: the widest gap ")


def test_nothing_is_compared_where_there_is_no_window():
    assert sees_groups(found(LINE, 2.0, ""))
    assert found(LINE, 2.0, "").get(REALITY) is None


def test_a_drag_waits_for_nothing_and_is_asked_again_at_rest():
    cache = StageCache()
    moving = found(LINE, 2.0, "pca", cache=cache, moving=True)
    assert moving.get(REALITY) is None
    assert not moving.at_rest
    resting = found(LINE, 2.0, "pca", cache=cache)
    assert warning(resting.get(REALITY))
    again = found(LINE, 2.0, "pca", cache=cache, moving=True)
    assert again.get(REALITY) is resting.get(REALITY)


def test_a_drag_without_groups_is_at_rest_as_before():
    noise = Dataset(np.random.default_rng(0).normal(size=(150, 4)), name="noise")
    cache = StageCache()
    found(noise, 0.1, "pca", cache=cache)
    assert found(noise, 0.1, "pca", cache=cache, moving=True).at_rest


def test_the_picture_is_published_before_the_comparison():
    published = []
    result = found(LINE, 2.0, publish=published)
    assert published[-1].get(REALITY) is None
    assert published[-1].comparison is not None
    assert result.get(REALITY) is not None
    assert has_stage(registry.stages(), PAGE)
    assert page_lacks(registry.stages(), published[-1], PAGE)
    assert not page_lacks(registry.stages(), result, PAGE)


def test_both_kinds_are_compared_whichever_is_shown():
    cache = StageCache()
    permuted = found(RINGS, 2.0, cache=cache)
    gaussian = found(RINGS, 2.0, cache=cache, view=ViewSettings(null="gaussian"))
    assert gaussian.get(REALITY) is permuted.get(REALITY)
    kinds = [against.null for against in permuted.get(REALITY).compared.against]
    assert kinds == ["permuted", "gaussian"]
    assert not gaussian.settings.needs_analysis(permuted.settings, registry.stages())
    bootstrap = replace(permuted.settings, view=ViewSettings(bootstrap=True))
    assert bootstrap.needs_analysis(permuted.settings, registry.stages())


@pytest.mark.parametrize(
    ("kind", "word"), [("distances", "distances"), ("kernel", "kernel values")]
)
def test_a_given_matrix_is_compared_with_nothing(kind, word):
    X = np.random.default_rng(0).normal(size=(12, 2))
    away = np.linalg.norm(X[:, None] - X, axis=2)
    given = away if kind == "distances" else X @ X.T
    result = found(Dataset(given, name="given", kind=kind), 1.0)
    assert result.get(REALITY).compared is None
    assert result.get(REALITY).refusal.startswith(f"A matrix of {word} has no columns")
    assert (
        found(Dataset(given, name="given", kind=kind), 1.0, "pca").get(REALITY) is None
    )


def test_few_rows_are_compared_with_nothing():
    three = found(DataSettings("three_points"), 1.0)
    assert three.get(REALITY).compared is None
    assert "3 rows" in three.get(REALITY).refusal
    assert warning(three.get(REALITY)) == ""


def test_a_round_has_the_data_once_and_eight_draws():
    places = set()
    for number in range(40):
        dealt = Round.of(number, 99)
        draws = [dealt.draw_at(place) for place in range(NINE)]
        assert draws.count(None) == 1
        assert draws[dealt.place] is None
        assert len(set(draws)) == NINE
        places.add(dealt.place)
    assert places == set(range(NINE))
    assert Round.of(3, 99) == Round.of(3, 99)
    dealt = Round.of(3, 99)
    assert guess_words(dealt.place, dealt.place).startswith("Yes")
    other = (dealt.place + 1) % NINE
    told = guess_words(other, dealt.place)
    assert told.startswith("No")
    assert f"picture {dealt.place + 1} is the data" in told


def test_a_new_round_has_the_data_anywhere():
    places = {Round.of(new_round(), 99).place for _ in range(200)}
    assert places == set(range(NINE))


def bootstrapped(data, gamma, **values):
    return found(data, gamma, "pca", view=ViewSettings(bootstrap=True), **values)


@pytest.mark.journey
def test_moves_are_measured_where_somebody_asks():
    assert found(RINGS, 5.0, "pca").get(MOVES) is None
    result = bootstrapped(RINGS, 5.0)
    assert result.get(MOVES).axes == (0, 1)
    assert len(result.get(MOVES).rows) == 120
    assert (
        moves_words(result.get(MOVES), 120)
        == "95 % between 50 pairs of halves of the rows"
    )
    line = bootstrapped(LINE, 2.0)
    assert moves_words(line.get(MOVES), 8).endswith("· 8 faint")


def test_moves_wait_while_a_hand_moves():
    moving = bootstrapped(RINGS, 5.0, moving=True)
    assert moving.get(MOVES) is None
    assert not moving.at_rest


@pytest.mark.journey
def test_moves_of_many_rows_are_those_of_a_sample():
    many = DataSettings("circles", as_values({"samples": 700}))
    result = bootstrapped(many, 5.0)
    assert len(result.get(MOVES).rows) == 500
    assert "500 of 700 rows" in moves_words(result.get(MOVES), 700)


@pytest.mark.journey
def test_scores_in_other_units_have_no_moves():
    settings = SessionSettings(
        RINGS,
        analysis=AnalysisSettings(normalised=False),
        view=ViewSettings(bootstrap=True),
    )
    assert (
        run(
            AnalysisRequest(settings, page="pca", stages=registry.stages()),
            StageCache(),
        ).get(MOVES)
        is None
    )


def test_a_matrix_of_distances_has_moves():
    X = np.random.default_rng(0).normal(size=(30, 2))
    away = np.linalg.norm(X[:, None] - X, axis=2)
    by_matrix = bootstrapped(Dataset(away, name="given", kind="distances"), 1.0)
    settings = SessionSettings(
        DataSettings("table"),
        KernelSettings("linear"),
        view=ViewSettings(bootstrap=True),
    )
    asked = AnalysisRequest(
        settings, {"table": Dataset(X, name="table")}, stages=registry.stages()
    )
    by_points = run(asked, StageCache())
    np.testing.assert_allclose(
        by_matrix.get(MOVES).reach, by_points.get(MOVES).reach, rtol=1e-6, atol=1e-9
    )
