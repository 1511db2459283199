"""Dragging, jumping and changing kernels: every picture on the way is certified."""

import pytest

from tests.walks import Walk


@pytest.mark.journey
@pytest.mark.parametrize("seed", range(4))
def test_every_step_of_a_walk_holds_what_it_says(seed):
    """The long form is ``tools/walks.py``."""
    steps = list(Walk(seed, sizes=(40, 150, 330)).steps(6))
    assert steps
    assert [f"{s.where}: {s.wrong}" for s in steps if s.wrong] == []
