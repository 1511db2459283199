"""One sentence where another step shows more."""

import re

import pytest

from kpca_viewer.engine.text.remarks import scaling_advice, suggestion_grounds


@pytest.mark.parametrize(
    ("scaling", "degree", "advised"),
    [("none", 10, True), ("none", 2, True), ("none", 1, False), ("minmax", 10, False)],
)
def test_a_power_of_unscaled_columns_is_better_scaled(
    analysed, scaling, degree, advised
):
    result = analysed("wine", "poly", scaling=scaling, gamma=1.0, degree=degree)
    text = scaling_advice(result)
    assert bool(text) == advised
    if advised:
        assert re.match(r"One component holds (99\.\d|100\.0) %: ", text)
        assert text.endswith(".")


def test_other_kernels_and_matrices_need_no_advice(analysed):
    assert scaling_advice(analysed("wine", "rbf", scaling="none")) == ""
    assert scaling_advice(analysed("circles", "poly", degree=3)) == ""


@pytest.mark.journey
def test_what_a_suggestion_is_based_on(analysed):
    judged = suggestion_grounds(analysed("circles").suggestion)
    assert judged == (
        "the held-out classes of 400 rows: 100 ± 0.3 % balanced accuracy on two "
        "components, guessing 50 %"
    )
    told = suggestion_grounds(analysed("circles", "sigmoid").suggestion)
    assert told.startswith("how far the values spread; ")
    assert told.endswith(
        "; on two components no value predicts held-out classes clearly better "
        "than guessing"
    )
    assert suggestion_grounds(analysed("circles", "linear").suggestion) == ""
