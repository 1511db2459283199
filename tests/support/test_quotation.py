"""No sentence repeats a value of any length."""

import pickle

import pytest

from kpca_viewer.support.errors import DataError, KernelError


@pytest.mark.parametrize("word", ["x" * 100_000, "two words " * 10_000])
def test_an_error_repeats_the_beginning_of_a_value(word):
    error = DataError(f"“{word}” is no number; write one.")
    assert str(error) == f"“{word[:59]}…” is no number; write one."
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_what_people_can_read_stays():
    text = f"There is no file “{'folder/' * 30}”."
    assert str(KernelError(text)) == text
