"""Formats of pictures: one list for files, dialogs and the command line."""

import pytest

from kpca_viewer.support.picture_formats import (
    PICTURE_FORMATS,
    either,
    picture_endings,
    picture_format,
)


def test_an_ending_stands_for_a_format():
    assert picture_endings() == (".png", ".svg", ".pdf")
    assert picture_format("a/b.SVG") is PICTURE_FORMATS["svg"]
    assert picture_format("b.csv") is None
    assert picture_format("png") is None


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["a"], "a"),
        (["a", "b"], "a or b"),
        (["a", "b", "c"], "a, b or c"),
    ],
)
def test_a_choice_in_words(words, text):
    assert either(words) == text
