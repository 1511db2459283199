"""The numbers of the worked examples, read from the page."""

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from tests.ui.board.derivation.conftest import STAIRS, THREE, poly, rings


def numbers(texts: list[str]) -> list[float]:
    return [float(text.replace("−", "-")) for text in texts]


def test_three_points_by_the_square_of_their_product(derive):
    derived = derive(THREE, "poly", **poly(0))
    assert derived.texts("points") == [["1", "0"], ["0", "1"], ["−1", "0"]]
    kernel = [["1", "0", "1"], ["0", "1", "0"], ["1", "0", "1"]]
    assert derived.texts("kernel") == kernel
    assert derived.texts("means") == [["2/3", "1/3", "2/3"]]
    assert derived.texts("grand_mean") == [["5/9"]]
    centred = [["2/9", "−4/9", "2/9"], ["−4/9", "8/9", "−4/9"], ["2/9", "−4/9", "2/9"]]
    assert derived.texts("centred") == centred
    assert derived.texts("eigenvalues") == [["4/3", "0"], ["4/9", "0"]]
    scores = [line[0] for line in derived.texts("scores")]
    assert scores in (["√2/3", "−2√2/3", "√2/3"], ["−√2/3", "2√2/3", "−√2/3"])
    assert [line[1] for line in derived.texts("scores")] == ["0", "0", "0"]


def test_three_points_without_centring(derive):
    derived = derive(THREE, "poly", center=False, **poly(0))
    assert derived.texts("eigenvalues")[0] == ["2", "1", "0"]
    vectors = [line[:2] for line in derived.texts("vectors")]
    assert vectors == [["1/√2", "0"], ["0", "1"], ["1/√2", "0"]]
    scores = [line[:2] for line in derived.texts("scores")]
    assert scores == [["1", "0"], ["0", "1"], ["1", "0"]]


def test_why_the_entry_of_the_second_and_third_point_is_1600(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    assert derived.texts("kernel") == [
        ["36", "144", "324"],
        ["144", "676", "1600"],
        ["324", "1600", "3844"],
    ]
    derived.hover("kernel", (1, 2))
    assert derived.body.explanation.title() == "K₂₃ = 1600"
    assert "(1 + 3·5 + 4·6)² = 40² = 1600" in derived.body.explanation.text()


def test_two_rings_of_four_points(derive):
    derived = derive(rings(1, 2), "rbf", gamma=0.5)
    found = numbers(derived.texts("eigenvalues")[0])
    wanted = [1.5314, 1.5314, 1.2157, 0.6722, 0.3329, 0.3329, 0.1476]
    assert found == pytest.approx(wanted, rel=5e-4)
    # A multiple of n: λ stands below μ.
    assert numbers(derived.texts("eigenvalues")[1]) == pytest.approx(
        np.array(wanted) / 8, rel=1e-3
    )


@pytest.mark.parametrize(
    ("gamma", "component", "eigenvalue"),
    [(0.5, 4, 0.3952), (1, 3, 0.8590), (2, 1, 1.3241)],
)
def test_which_component_tells_the_rings_apart(derive, gamma, component, eigenvalue):
    derived = derive(rings(0.3, 1), "rbf", gamma=gamma)
    scores = derived.grid("scores").content.values
    apart = [
        j
        for j in range(scores.shape[1])
        if scores[:4, j].max() < scores[4:, j].min()
        or scores[4:, j].max() < scores[:4, j].min()
    ]
    assert apart[0] == component - 1
    mu = numbers([derived.texts("eigenvalues")[0][component - 1]])
    assert mu == pytest.approx([eigenvalue], rel=5e-4)


@pytest.mark.parametrize(("gamma", "gap"), [(0.5, 0.333), (2, 0.347)])
def test_points_on_a_line_seem_to_fall_apart(derive, gamma, gap):
    derived = derive(np.arange(8.0)[:, None], "rbf", gamma=gamma)
    first = np.sort(derived.grid("scores").content.values[:, 0])
    widest = np.diff(first).max() / (first[-1] - first[0])
    assert widest == pytest.approx(gap, abs=6e-4)


def test_a_given_matrix_has_no_points(derive):
    given = Dataset(np.array([[9.0, -9.0], [-9.0, 9.0]]), kind="kernel")
    derived = derive(given, "linear")
    assert derived.body.steps.lines["points"].isHidden()
    assert derived.texts("kernel") == [["9", "−9"], ["−9", "9"]]
    assert derived.texts("eigenvalues")[0][0] == "18"
    note = derived.body.steps.lines["kernel"].note.text()
    assert note == "K is the matrix that was given; all 2 rows."


def test_distances_with_a_negative_eigenvalue(derive):
    table = np.array([[0.0, 1.0, 10.0], [1.0, 0.0, 1.0], [10.0, 1.0, 0.0]])
    derived = derive(Dataset(table, kind="distances"), "linear")
    assert derived.texts("kernel")[0] == ["0", "−1/2", "−50"]
    assert derived.texts("eigenvalues")[0] == ["50", "0", "−16"]
    note = derived.body.steps.lines["eigen"].note.text()
    assert note == "1 eigenvalue is negative: the matrix is not positive semi-definite."
    # Neither 0 nor −16 has a root to divide by.
    assert "2 components have no eigenvalue above 0" in (
        derived.body.steps.lines["coefficients"].note.text()
    )
    assert [line[0] for line in derived.texts("scores")] == ["5", "0", "−5"]
    assert not np.isnan(derived.grid("scores").content.values).any()
    assert not derived.body.steps.lines["centred"].pitfall.switch.isEnabled()


def test_without_distances_a_switch_forgets_the_centring(derive):
    derived = derive(THREE, "poly", **poly(0))
    assert derived.body.steps.lines["centred"].pitfall.switch.isEnabled()
