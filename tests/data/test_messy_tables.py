"""Fourteen tables as people have them: read right, or what is in doubt is said."""

import numpy as np
import pandas as pd
import pytest
from scipy.io import mmwrite
from scipy.sparse import random as random_sparse

from kpca_viewer.data.files import read_table
from kpca_viewer.data.importing import propose, to_dataset

RANDOM = np.random.default_rng(14)
N = 40
KINDS = np.array(["adelie", "gentoo", "chinstrap"])[np.arange(N) % 3]
LENGTHS, WIDTHS = RANDOM.normal(40, 5, (2, N)).round(1)


def spectra(path):
    waves = [str(400 + 18 * j) for j in range(12)]
    frame = pd.DataFrame(RANDOM.normal(size=(N, 12)).round(3), columns=waves)
    frame.insert(0, "class", KINDS)
    frame.insert(0, "id", np.arange(N) + 1)
    frame.to_csv(path, index=False)


def years(path):
    frame = pd.DataFrame(RANDOM.uniform(1, 9, (N, 8)), columns=range(2000, 2008))
    frame.insert(0, "country", [f"land {k}" for k in range(N)])
    frame.to_csv(path, index=False)


def titled(path):
    table = pd.DataFrame({"length": LENGTHS, "width": WIDTHS, "kind": KINDS})
    path.write_text(f"Measured in March\n\n{table.to_csv(index=False)}")


def patients(path):
    pid = 40_000 + RANDOM.permutation(2 * N)[:N]
    frame = {"PID": pid, "length": LENGTHS, "width": WIDTHS}
    pd.DataFrame(frame).to_csv(path, index=False)


def units(path):
    frame = {
        "size": [f"{v} cm" for v in LENGTHS],
        "share": [f"{v} %" for v in WIDTHS],
        "price": [f"${v * 100:,.2f}" for v in LENGTHS],
    }
    pd.DataFrame(frame).to_csv(path, index=False)


def sentinels(path):
    frame = pd.DataFrame({"length": LENGTHS, "width": WIDTHS})
    frame.loc[[3, 9, 20], "width"] = -999
    frame.to_csv(path, index=False)


def totals(path):
    frame = pd.DataFrame({"city": [f"c{k}" for k in range(N)], "length": LENGTHS})
    frame["width"] = WIDTHS
    frame.loc[N] = ["Total", LENGTHS.sum(), WIDTHS.sum()]
    frame.to_csv(path, index=False)


def german(path):
    frame = pd.DataFrame({"Länge": LENGTHS * 1000, "Breite": WIDTHS, "Art": KINDS})
    frame.to_csv(path, sep=";", decimal=",", index=False)


def american(path):
    frame = {"pay": [f"{v * 1000:,.2f}" for v in LENGTHS], "age": WIDTHS}
    pd.DataFrame(frame).to_csv(path, index=False)


def dates(path):
    days = pd.date_range("2020-01-01", periods=N).strftime("%Y-%m-%d")
    frame = {"day": days, "length": LENGTHS, "width": WIDTHS}
    pd.DataFrame(frame).to_csv(path, index=False)


def genes(path):
    samples = pd.DataFrame(LENGTHS.reshape(20, 2), columns=["gene_a", "gene_b"])
    samples.index = [f"sample_{k}" for k in range(20)]
    samples.T.to_csv(path)


def categories(path):
    frame = pd.DataFrame({"length": LENGTHS, "width": WIDTHS})
    frame["site"] = pd.Categorical(np.arange(N) % 3 + 7)
    frame.to_parquet(path)


def words(path):
    mmwrite(path, random_sparse(N, 12, 0.2, random_state=0))


def escaped(path):
    lines = [f'"the \\"{k}\\", of them",{v},{w}' for k, v, w in rows_of_names()]
    path.write_text("\n".join(["name,length,width", *lines]))


def rows_of_names():
    return zip(range(N), LENGTHS, WIDTHS, strict=True)


TABLES = [
    (spectra, "csv", (N, 12), {"id": "name", "class": "label"}, "rise evenly"),
    (years, "csv", (N, 8), {"country": "name"}, "rise evenly"),
    (titled, "csv", (N, 2), {"kind": "label"}, "Measured in March"),
    (patients, "csv", (N, 2), {"PID": "name"}, "PID"),
    (units, "csv", (N, 3), {"size [cm]": "feature", "price [$]": "feature"}, "units"),
    (sentinels, "csv", None, {}, "999"),
    (totals, "csv", (N, 2), {"city": "name"}, "otal"),
    (german, "csv", (N, 2), {"Art": "label"}, ""),
    (american, "csv", (N, 2), {"pay": "feature"}, ""),
    (dates, "csv", (N, 2), {"day": "name"}, ""),
    (genes, "csv", None, {}, ""),
    (categories, "parquet", (N, 2), {"site": "label"}, ""),
    (words, "mtx", (N, 12), {}, ""),
    (escaped, "csv", (N, 2), {"name": "name"}, ""),
]


@pytest.mark.parametrize(
    ("write", "suffix", "shape", "roles", "said"), TABLES, ids=lambda v: str(v)[:20]
)
def test_it_is_read_right_and_what_was_decided_is_said(
    tmp_path, write, suffix, shape, roles, said
):
    path = tmp_path / f"table.{suffix}"
    write(path)
    table = read_table(path)
    proposals = propose(table)
    for name, role in roles.items():
        assert proposals.settings.role(name) == role, name
    told = f"{table.notes} {table.top} {proposals}"
    assert said in told
    points = to_dataset(table, proposals.settings).points
    assert shape is None or points.shape == shape
    assert not (points == -999).any()
