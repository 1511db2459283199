"""Pieces on pages: nothing is cut, and what belongs together stays so."""

import pytest

from kpca_viewer.features.report.pdf import Piece, kept_together, paged


def piece(height, **more):
    return Piece(height, lambda _painter, _top: None, **more)


def tops(pages):
    return [[top for top, _ in page] for page in pages]


def test_nothing_reaches_beyond_a_page():
    pages = paged([piece(30, above=5) for _ in range(20)], 100)
    assert sum(map(len, pages)) == 20
    assert all(top + each.height <= 100 for page in pages for top, each in page)
    assert tops(pages)[0] == [0, 35, 70]


def test_a_heading_goes_with_what_follows():
    body = piece(30)
    pages = paged([piece(80), piece(15, stays=True), body], 100)
    assert [len(page) for page in pages] == [1, 2]


def test_a_table_that_fits_is_not_cut():
    rows = kept_together([piece(20) for _ in range(4)])
    pages = paged([piece(50), *rows], 100)
    assert [len(page) for page in pages] == [1, 4]


def test_a_long_table_repeats_its_titles():
    titles = piece(10, stays=True)
    rows = [piece(20, repeated=titles) for _ in range(10)]
    pages = paged([titles, *rows], 100)
    assert all(page[0][1] is titles for page in pages)
    assert sum(len(page) - 1 for page in pages) == 10


@pytest.mark.parametrize("height", [150, 100])
def test_what_is_higher_than_a_page_has_one_of_its_own(height):
    pages = paged([piece(10), piece(height), piece(10)], 100)
    assert [len(page) for page in pages] == [1, 1, 1]
