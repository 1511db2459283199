"""Scripts for scikit-learn run where there is no kpca_viewer."""

import subprocess
import sys
from pathlib import Path

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
from kpca_viewer.export import code_text_file as text_facts
from kpca_viewer.export.script import as_python

RANDOM = np.random.default_rng(0)
VALUES = RANDOM.normal(size=(24, 3)) * (1, 10, 3000)
LABELS = ["ape", "bée", 'c"at'] * 8

RUNNER = """
import sys, runpy, pathlib, contextlib, io, traceback
import numpy as np

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "kpca_viewer":
            raise ImportError("there is no kpca_viewer here")

sys.meta_path.insert(0, Blocked())
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    try:
        names = runpy.run_path(str(path))
    except BaseException:
        path.with_suffix(".error").write_text(traceback.format_exc())
        continue
    y = names["y"]
    np.savez(
        path.with_suffix(".npz"),
        X=names["X"], scores=names["scores"], y=[] if y is None else y,
    )
"""


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


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Run all scripts in one process: it takes seconds to load the libraries."""
    folder: Path = tmp_path_factory.mktemp("scripts")
    results = {}
    for number, (title, text) in enumerate(TEXTS.items()):
        path = folder / f"it's “{number}”.csv"
        path.write_text(text, encoding="utf-16" if number == 1 else "utf-8")
        missing = "median" if "gaps" in title else "drop"
        scaling = "standardise" if number % 2 else "none"
        result, file = opened(path, missing, scaling)
        with pytest.MonkeyPatch.context() as patch:
            if "late" in title:
                # As if the file were too long to be looked through.
                patch.setattr(text_facts, "BEGINNING", 200)
            code = as_python(result, "sklearn", file=file)
        (folder / f"{number}.py").write_text(code, encoding="utf-8")
        results[title] = number, result
    for suffix in ("xlsx", "parquet"):
        path = folder / f"table.{suffix}"
        frame = pd.DataFrame(VALUES, columns=["a", "b  c", "d"]).assign(kind=LABELS)
        frame.to_excel(path, index=False) if suffix == "xlsx" else frame.to_parquet(
            path
        )
        result, file = opened(path, "drop", "none")
        (folder / f"{suffix}.py").write_text(
            as_python(result, "sklearn", file=file), encoding="utf-8"
        )
        results[suffix] = suffix, result
    subprocess.run(
        [sys.executable, "-I", "-c", RUNNER, str(folder)],
        check=True,
        capture_output=True,
        timeout=240,
    )
    return folder, results


@pytest.mark.parametrize("title", [*TEXTS, "xlsx", "parquet"])
def test_it_gives_the_numbers_of_the_window(ran, title):
    folder, results = ran
    name, result = results[title]
    code = (folder / f"{name}.py").read_text(encoding="utf-8")
    assert "kpca_viewer." not in code.replace("kpca_viewer 0.", "")
    error = folder / f"{name}.error"
    assert not error.exists(), f"{error.read_text()}\n{code}"
    with np.load(folder / f"{name}.npz") as found:
        scaled = result.points.dense()
        np.testing.assert_allclose(found["X"], scaled, rtol=1e-12, atol=1e-12)
        if result.dataset.labels is not None:
            np.testing.assert_array_equal(found["y"], result.dataset.labels)
        scores = found["scores"] * np.sign(
            (found["scores"] * result.scores).sum(axis=0)
        )
        scale = np.abs(result.scores).max()
        np.testing.assert_allclose(scores, result.scores, atol=1e-4 * scale)


def test_simple_files_are_read_by_pandas(ran):
    folder, results = ran
    for title in ("plain", "decimal commas", "thousands", "gaps", "xlsx"):
        code = (folder / f"{results[title][0]}.py").read_text(encoding="utf-8")
        assert "import pandas as pd" in code, title
        assert "features = [" in code
