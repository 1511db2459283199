"""A file as the window opens it, without anybody who chooses."""

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files import read_table
from kpca_viewer.data.importing import guess_import, to_dataset


def opened(path, **options) -> Dataset:
    table = read_table(path, **options)
    return to_dataset(table, guess_import(table))
