"""Scripts for scikit-learn run where there is no kpca_viewer."""

import re

import numpy as np
import pandas as pd
import pytest

from kpca_viewer.data.files import ReadOptions, read_table
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.export import code_files
from kpca_viewer.export.script import as_python
from tests.scripts import executed

RANDOM = np.random.default_rng(0)
VALUES = RANDOM.normal(size=(24, 3)) * (1, 10, 3000)
LABELS = ["ape", "bée", 'c"at'] * 8


def cells(values, decimal=".", group=""):
    """Return numbers as somebody's spreadsheet writes them."""
    marks = str.maketrans({",": group, ".": decimal})
    return [[f"{value:,.3f}".translate(marks) for value in row] for row in values]


def table(names, rows, delimiter=",", labels=LABELS):
    """Return a CSV file as text, every cell in quotes."""
    lines = [
        [*names, "kind"],
        *([*row, kind] for row, kind in zip(rows, labels, strict=True)),
    ]
    return "\n".join(
        delimiter.join('"' + str(cell).replace('"', '""') + '"' for cell in line)
        for line in lines
    )


def gaps(rows, word=""):
    """Return rows of which three cells are missing."""
    rows = [list(row) for row in rows]
    rows[2][0] = rows[5][1] = rows[11][2] = word
    return rows


PLAIN = cells(VALUES)
ODD_NAMES = ('say "a"', "ünï\n x", "列’s {0} %s \\")
TEXTS = {
    "plain": table("abc", PLAIN),
    "same names": table("aaa", PLAIN),
    "no names": table(["", "b", ""], PLAIN),
    "odd names": table(ODD_NAMES, PLAIN),
    "decimal commas": table("abc", cells(VALUES, ",", ""), ";"),
    "commas and points": table("abc", cells(VALUES, ",", "."), ";"),
    "thousands": table("abc", cells(VALUES, ".", ",")),
    "thousands by tabs": table("abc", cells(VALUES, ".", ","), "\t"),
    "apostrophes": table("abc", cells(VALUES, ".", "’")),
    "both marks": table(
        "abc",
        [
            [a[0], b[1], a[2]]
            for a, b in zip(PLAIN, cells(VALUES, ",", "."), strict=True)
        ],
        ";",
    ),
    "gaps": table("abc", gaps(PLAIN)),
    "other gaps": table("aab", gaps(PLAIN, "?"), ";"),
    "gaps and commas": table("aab", gaps(cells(VALUES, ",", "."), "-"), ";"),
    "comments": "# made by hand\n% twice\n" + table("abc", PLAIN),
    "no header": "\n".join(",".join(row) for row in PLAIN),
    "blanks": "\n".join("  ".join(row) for row in [["u", "v", "w"], *PLAIN]),
    "numbered classes": table("abc", PLAIN, labels=["1", "2", ""] * 8),
    "classes of words for nothing": table("abc", PLAIN, labels=["NULL", "x", "y"] * 8),
    "late thousands": "a,b\n"
    + "\n".join(f"{i % 900},{i % 7}.5" for i in range(60))
    + '\n"12,345",2.5\n',
}


def opened(path, missing, scaling, **reading):
    """Return what the window makes of a file, and where it came from."""
    options = ReadOptions(**reading)
    read = read_table(path, options=options)
    chosen = guess_import(read)
    for name, _ in chosen.roles:
        chosen = chosen.with_role(name, "label" if name == "kind" else "feature")
    chosen = type(chosen)(**{**chosen.__dict__, "missing": missing})
    dataset = to_dataset(read, chosen)
    settings = SessionSettings(
        DataSettings(importing=chosen, scaling=scaling),
        KernelSettings("rbf"),
        AnalysisSettings(2),
    )
    return analyse(dataset, settings), FileReference(path, reading=options)


def scripted(folder, title):
    """Return what the window makes of a file, and the script that does the same."""
    number = list(TEXTS).index(title) if title in TEXTS else 0
    with pytest.MonkeyPatch.context() as patch:
        if title in TEXTS:
            path = folder / "it's “a file”.csv"
            path.write_text(TEXTS[title], encoding="utf-16" if number == 1 else "utf-8")
            missing = "median" if "gaps" in title else "drop"
            scaling = "standardise" if number % 2 else "none"
            if "late" in title:
                # As if the file were too long to be looked through.
                patch.setattr(code_files, "BEGINNING", 200)
        else:
            path, missing, scaling = folder / f"table.{title}", "drop", "none"
            frame = pd.DataFrame(VALUES, columns=["a", "b  c", "d"]).assign(kind=LABELS)
            write = frame.to_parquet if title == "parquet" else frame.to_excel
            write(path, index=False)
        result, file = opened(path, missing, scaling)
        return result, as_python(result, "sklearn", file=file)


@pytest.mark.parametrize("title", [*TEXTS, "xlsx", "parquet"])
def test_it_gives_the_numbers_of_the_window(tmp_path, title):
    result, code = scripted(tmp_path, title)
    assert not re.search(r"(import|from) kpca_viewer", code)
    found = executed(code)
    simple = ("plain", "decimal commas", "thousands", "gaps", "xlsx")
    assert title not in simple or "import pandas as pd" in code
    scaled = result.points.dense()
    np.testing.assert_allclose(found["X"], scaled, rtol=1e-12, atol=1e-12)
    if result.dataset.labels is not None:
        np.testing.assert_array_equal(found["y"], result.dataset.labels)
    scores = found["scores"] * np.sign((found["scores"] * result.scores).sum(axis=0))
    scale = np.abs(result.scores).max()
    np.testing.assert_allclose(scores, result.scores, atol=1e-4 * scale)
