"""Every term once: a formula, one plain sentence, no markup."""

import pytest

from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.text.glossary import TERMS, tip


@pytest.mark.parametrize("term", TERMS.values(), ids=lambda term: term.key)
def test_a_term_has_a_formula_and_one_sentence(term):
    assert term.title
    assert term.formula
    assert term.sentence.endswith(".")
    assert term.sentence.count(". ") == 0
    # Qt would take it for markup.
    assert "<" not in term.tip


@pytest.mark.parametrize("key", MEASURES)
def test_every_measure_is_explained(key):
    assert MEASURES[key].tip


def test_effective_rank_says_its_definition(analysed):
    assert "(Σ|μ|)² / Σμ²" in tip("effective_rank")
    result = analysed(
        values={"samples": 100},
        analysis={"solver": "dense", "components": 100},
        gamma=4,
    )
    values = abs(result.decomposition.spectrum)
    by_hand = values.sum() ** 2 / (values**2).sum()
    assert result.effective_rank == pytest.approx(by_hand, rel=1e-6)
