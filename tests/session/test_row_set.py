"""Rows that are left out: of every kind of data, and of a file that changes."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.data.dataset import Dataset, without
from kpca_viewer.data.files import read_table
from kpca_viewer.data.importing import guess_import
from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.engine.analysis import analyse, run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document, FileReference
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.rows.row_set import Excluded, RowSet
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.export.result_tables import coordinates
from kpca_viewer.export.script import as_python
from kpca_viewer.support.errors import DataError


def dataset(n=12, **more) -> Dataset:
    points = np.random.default_rng(0).normal(size=(n, 3))
    return Dataset(
        points,
        np.arange(n) % 2,
        ("odd", "even"),
        columns={"word": MetaColumn.of_words([f"w{i}" for i in range(n)])},
        **more,
    )


def mask(n, rows):
    found = np.zeros(n, dtype=bool)
    found[rows] = True
    return found


def test_the_rest_is_analysed_as_if_the_rows_had_never_been_there():
    data = dataset()
    gone = mask(12, [0, 5])
    settings = SessionSettings(
        data=DataSettings(excluded=Excluded(RowSet.of(gone, data, "")))
    )
    result = analyse(data, settings)
    model = KernelPCA(4, kernel="rbf", gamma=result.kernel.values["gamma"])
    scores = model.fit_transform(data.points[~gone])
    np.testing.assert_allclose(result.scores[:, :4], scores, atol=1e-9)
    assert result.before_exclusion is data
    assert result.dataset.excluded == 2
    assert result.dataset.columns["word"].text(0) == "w1"
    # Rows are still called by their numbers in the data.
    table = coordinates(result)
    assert dict(table.columns)["row"].tolist() == [2, 3, 4, 5, 7, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("kind", ["kernel", "distances"])
def test_of_a_matrix_rows_and_columns_go(kind):
    X = dataset().points
    matrix = X @ X.T if kind == "kernel" else np.abs(X[:, :1] - X[:, :1].T)
    names = tuple(f"p{i}" for i in range(12))
    data = Dataset(matrix, kind=kind, row_names=names, feature_names=names)
    rest = without(data, mask(12, [3]))
    assert rest.points.shape == (11, 11)
    assert rest.row_names == rest.feature_names == (*names[:3], *names[4:])


@pytest.mark.parametrize(("rows", "why"), [(11, "Only one row"), (12, "No row")])
def test_nothing_to_compare_is_said(rows, why):
    with pytest.raises(DataError, match=f"{why} is left of 12"):
        without(dataset(), mask(12, np.arange(rows)))


LINES = [f"{i},{i * 1.25},{(i * 7) % 5}" for i in range(20)]


def opened(path, lines, excluded=None, name=""):
    path.write_text("\n".join([f"{name or 'id'},a,b", *lines]) + "\n")
    table = read_table(path)
    importing = guess_import(table).with_role("b", "feature")
    importing = importing.with_role(name or "id", "name" if name else "ignore")
    data = DataSettings(str(path), importing=importing, excluded=excluded)
    request = AnalysisRequest(SessionSettings(data=data), {str(path): table})
    return run(request, StageCache()), table


@pytest.mark.parametrize("name", ["", "name"])
@pytest.mark.parametrize("only", [False, True])
def test_rows_are_found_in_a_file_that_has_changed(tmp_path, name, only):
    path = tmp_path / "tea.csv"
    result, table = opened(path, LINES, name=name)
    rows = RowSet.of(mask(20, [2, 5, 19]), result.before_exclusion, table.content_hash)
    excluded = Excluded(rows, only)
    # Two rows before, another order, and the last one gone.
    now, _ = opened(path, ["98,99,1", "99,98,2", *LINES[18::-1]], excluded, name)
    left = set(now.dataset.points[:, 0].tolist())
    everything = {99.0, 98.0, *(i * 1.25 for i in range(19))}
    meant = {2 * 1.25, 5 * 1.25}
    assert left == (meant if only else everything - meant)
    assert now.dataset.excluded == len(everything) - len(left)
    todo = "kept" if only else "left out"
    assert now.dataset.lost == (f"1 row that was chosen to be {todo}",)


def test_rows_stay_the_same_when_other_rows_have_gaps(tmp_path):
    path = tmp_path / "tea.csv"
    lines = [f"{i},{i * 1.25},{'' if i == 1 else i % 4}" for i in range(8)]
    result, table = opened(path, lines)
    assert result.dataset.n == 7
    # The third row of what was shown is the fourth of the file.
    rows = RowSet.of(mask(7, [2]), result.before_exclusion, table.content_hash)
    excluded = Excluded(rows)
    data = replace(
        result.settings.data,
        excluded=excluded,
        importing=replace(result.settings.data.importing, missing="median"),
    )
    request = AnalysisRequest(SessionSettings(data=data), {str(path): table})
    now = run(request, StageCache())
    assert now.dataset.n == 7
    assert 3 * 1.25 not in now.dataset.points[:, 0]
    assert now.dataset.row_number(2) == 3


def test_a_session_keeps_them_and_a_damaged_one_is_refused():
    rows = RowSet.of(mask(12, [1, 4]), dataset(), "stamp")
    settings = SessionSettings(data=DataSettings(excluded=Excluded(rows, only=True)))
    content = to_bytes(Document(settings))
    assert from_bytes(content).settings == settings
    raw = msgspec.json.decode(content)
    raw["settings"]["data"]["excluded"]["rows"]["rows"] = 10**9
    with pytest.raises(DataError, match="damaged"):
        from_bytes(msgspec.json.encode(raw))


def test_other_random_numbers_are_other_rows():
    rows = RowSet.of(mask(12, [1]), dataset(), "")
    data = DataSettings(excluded=Excluded(rows))
    assert data.with_seed(3).excluded is None
    assert data.with_value("samples", 30).excluded is None


@pytest.mark.parametrize("library", ["kpca_viewer", "sklearn"])
@pytest.mark.parametrize("kept", [[0, 3, 4], list(range(5, 20))])
def test_a_script_leaves_out_the_same_rows(tmp_path, library, kept):
    path = tmp_path / "tea.csv"
    result, table = opened(path, LINES)
    rows = RowSet.of(mask(20, kept), result.before_exclusion, table.content_hash)
    result, _ = opened(path, LINES, Excluded(rows, only=True))
    script = as_python(result, library, file=FileReference(path, table.content_hash))
    names: dict = {}
    exec(script.partition("# The picture")[0], names)  # our own script
    np.testing.assert_array_equal(names["X"], result.dataset.points)
    np.testing.assert_allclose(
        np.abs(names["scores"][:, :2]), np.abs(result.scores[:, :2]), atol=1e-6
    )
