"""A table in parts as what a command draws or opens."""

import numpy as np
import pytest

from kpca_viewer.cli.common import chosen
from kpca_viewer.cli.main import _named, _parser
from kpca_viewer.support.errors import DataError


@pytest.fixture
def folder(tmp_path):
    for part in (1, 2, 3):
        rng = np.random.default_rng(part)
        np.save(tmp_path / f"p{part}.npy", rng.normal(size=(20, 2)))
    return tmp_path


def test_several_files_are_one_table(folder):
    words = [str(folder / "p1.npy"), str(folder / "p3.npy")]
    path, reading = _named(_parser().parse_args(words).file)
    assert path == folder
    assert reading.parts == ("p1.npy", "p3.npy")
    assert _named(_parser().parse_args(words[:1]).file) == (folder / "p1.npy", None)
    assert _named(_parser().parse_args([]).file) == (None, None)


@pytest.mark.parametrize(("name", "rows"), [("", 60), ("p[12].npy", 40)])
def test_options_take_a_folder_or_a_pattern(folder, name, rows):
    options = _parser().parse_args(["--data", str(folder / name), "--kernel", "rbf"])
    wish = chosen(options)
    (table,) = wish.opened.values()
    assert table.n == rows
    assert wish.file.path == folder


def test_a_folder_without_tables_is_one_sentence(tmp_path):
    options = _parser().parse_args(["--data", str(tmp_path)])
    with pytest.raises(DataError, match="holds no file that can be read"):
        chosen(options)
