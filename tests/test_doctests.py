"""Examples in docstrings of public objects print what they say."""

import doctest
import inspect

import pytest

import kpca_viewer

PUBLIC = [name for name in kpca_viewer.__all__ if name != "__version__"]


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_object_has_an_example_that_holds(name):
    thing = getattr(kpca_viewer, name)
    text = inspect.getdoc(thing)
    assert "See Also\n" in text
    assert "Examples\n" in text
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for test in finder.find(thing, name):
        runner.run(test)
    assert runner.summarize().failed == 0
