"""Opened data stay within a budget; those beyond it are read again."""

import gc
import weakref

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files import read_table, read_text
from kpca_viewer.data.reading import EvictedTable
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sources import Sources, size_of
from kpca_viewer.engine.stages import find_dataset
from kpca_viewer.support.errors import DataError

POINTS = np.random.default_rng(0).normal(size=(100, 10))
SIZE = POINTS.nbytes


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / f"{j}.npy" for j in range(6)]
    for j, path in enumerate(paths):
        np.save(path, POINTS + j)
    return paths


def opened(files, budget) -> Sources:
    sources = Sources(budget)
    for path in files:
        sources[str(path)] = read_table(path)
    return sources


def evicted(sources) -> list[bool]:
    return [isinstance(source, EvictedTable) for source in sources.values()]


def test_the_oldest_tables_go_and_leave_their_memory(files):
    sources = opened(files, 2 * SIZE)
    assert size_of(sources[str(files[-1])]) == SIZE
    # Two beside the one that is shown.
    assert evicted(sources) == [True, True, True, False, False, False]
    first = weakref.ref(sources[str(files[3])].columns[0])
    sources.use(str(files[4]))
    sources[str(files[0])] = read_table(files[0])
    gc.collect()
    assert first() is None
    assert list(sources)[-2:] == [str(files[4]), str(files[0])]


def test_an_evicted_table_is_read_again_as_it_was(files):
    sources = opened(files, 0)
    key = str(files[1])
    settings = SessionSettings(data=DataSettings(source=key))
    request = AnalysisRequest(settings, dict(sources))
    found = find_dataset(request, StageCache())
    np.testing.assert_array_equal(found.points, POINTS + 1)
    sources.use(key)
    table = sources[key]
    assert not isinstance(table, EvictedTable)
    assert table.n == 100
    assert evicted(sources).count(False) == 1


def test_the_same_table_is_not_converted_again(files):
    sources, cache = opened(files, 0), StageCache()
    key = str(files[1])
    settings = SessionSettings(data=DataSettings(source=key))
    first = find_dataset(AnalysisRequest(settings, dict(sources)), cache)
    sources.use(key)
    assert find_dataset(AnalysisRequest(settings, dict(sources)), cache) is first


def test_a_file_that_is_gone_is_one_sentence(files):
    sources = opened(files, 0)
    files[1].unlink()
    settings = SessionSettings(data=DataSettings(source=str(files[1])))
    with pytest.raises(DataError, match=r"1\.npy” is not there any more; put the file"):
        find_dataset(AnalysisRequest(settings, dict(sources)), StageCache())


def test_what_came_from_no_file_stays(files):
    sources = Sources(0)
    sources["mine"] = Dataset(POINTS)
    sources["clipboard"] = read_text("a\tb\n1\t2\n3\t4\n")
    sources[str(files[0])] = read_table(files[0])
    assert evicted(sources) == [False, False, False]


def test_other_data_get_a_name_of_their_own(files):
    sources = Sources()
    first, second = read_text("a\tb\n1\t2\n3\t4\n"), read_text("a\tb\n1\t2\n3\t5\n")
    sources["clipboard"] = first
    assert sources.free_key("clipboard", first) == "clipboard"
    assert sources.free_key("clipboard", second) == "clipboard (2)"
    sources["wide"] = Dataset(POINTS)
    assert sources.free_key("wide", Dataset(POINTS)) == "wide"
    assert sources.free_key("wide", Dataset(POINTS + 1)) == "wide (2)"
    # A file that has changed is still that file.
    key = str(files[0])
    sources[key] = read_table(files[0])
    np.save(files[0], POINTS - 1)
    assert sources.free_key(key, read_table(files[0])) == key
