import ast
import json
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import cycle

import numpy as np
import openpyxl
import pandas as pd
import pytest

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files import ReadOptions, read_table
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.importing import ImportSettings, guess_import, to_dataset
from kpca_viewer.data.preparation import SCALING_TITLES
from kpca_viewer.engine.analysis import AnalysisRequest, analyse, run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.export.code_data import INLINE, safe_name
from kpca_viewer.export.model import fitted_model
from kpca_viewer.export.result_tables import coordinates, kernel_matrix
from kpca_viewer.export.script import as_notebook, as_python, score_agreement
from kpca_viewer.export.table_files import save_table
from tests.scripts import executed
from tests.ui.plots.results import indefinite_distances, worked_example

LIBRARIES = ("kpca_viewer", "sklearn")


@cache
def result_for(
    source="circles",
    family="rbf",
    scaling="none",
    analysis=AnalysisSettings(components=4),  # noqa: B008 — frozen, so it can be shared
):
    values = {}
    if "samples" in {p.name for p in GENERATORS[source].parameters}:
        values = {"samples": 90.0}
    settings = SessionSettings(
        DataSettings(source, as_values(values), 3, scaling),
        KernelSettings(family),
        analysis,
        ViewSettings(isolines=False),
    )
    return run(AnalysisRequest(settings), StageCache())


def up_to_sign(found, wanted):
    """Whether the columns agree up to sign; missing ones must be zero."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    k = found.shape[1]
    scale = np.abs(wanted).max()
    signs = np.sign((found * wanted[:, :k]).sum(axis=0))
    assert found * signs == pytest.approx(wanted[:, :k], abs=2e-4 * scale)
    assert np.abs(wanted[:, k:]).max(initial=0) < 1e-6 * scale


@pytest.mark.journey
@pytest.mark.parametrize(
    ("source", "library"),
    list(zip([s for s in GENERATORS if s != "digits"], cycle(LIBRARIES), strict=False)),
)
def test_every_generator_is_made_again(source, library):
    result = result_for(source, "laplacian")
    names = executed(as_python(result, library))
    assert names["X"] == pytest.approx(result.dataset.points, rel=1e-14, abs=1e-14)
    if result.dataset.labels is not None:
        assert (names["y"] == result.dataset.labels).all()
    else:
        assert names["y"] is None
    if source == "two_rings":
        # Of equal eigenvalues, any basis is right.
        found, wanted = (
            np.linalg.norm(s, axis=0) for s in (names["scores"], result.scores)
        )
        assert found == pytest.approx(wanted, rel=1e-4)
        return
    up_to_sign(names["scores"], result.scores)


@pytest.mark.journey
@pytest.mark.parametrize(
    ("source", "library"), [("moons", "kpca_viewer"), ("swiss_roll", "sklearn")]
)
def test_a_script_states_to_what_it_reproduces(source, library):
    settings = SessionSettings(
        DataSettings(source, as_values({"samples": 1200.0})),
        KernelSettings("rbf"),
        AnalysisSettings(components=4),
    )
    result = run(AnalysisRequest(settings), StageCache())
    code = as_python(result, library)
    stated = score_agreement(result)
    assert re.search(r"eigenvalues are those of the window to \S+ of the largest", code)
    assert np.isfinite(stated[:2]).all()
    assert "scores along PC 1 and PC 2 to" in code
    found, wanted = executed(code)["scores"], result.scores
    signs = np.sign((found * wanted).sum(axis=0))
    away = np.linalg.norm(found * signs - wanted, axis=0)
    assert (away <= stated).all()
    assert stated[0] < 1e-4 * np.linalg.norm(wanted[:, 0])


@pytest.mark.journey
def test_digits_are_loaded():
    settings = SessionSettings(DataSettings("digits"), KernelSettings("linear"))
    result = run(AnalysisRequest(settings), StageCache())
    code = as_python(result)
    assert "load_digits" in code
    up_to_sign(executed(code)["scores"], result.scores)


@pytest.mark.journey
@pytest.mark.parametrize(("place", "family"), list(enumerate(FAMILIES)))
def test_every_kernel_and_scaling_is_fitted_again(place, family):
    scalings = list(SCALING_TITLES)
    for turn, library in enumerate(LIBRARIES):
        result = result_for("wine", family, scalings[(place + turn) % len(scalings)])
        up_to_sign(executed(as_python(result, library))["scores"], result.scores)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("family", ["linear", "rbf", "sigmoid", "rational_quadratic"])
def test_without_centring(family, library):
    result = result_for(
        "moons", family, analysis=AnalysisSettings(3, center=False, solver="dense")
    )
    up_to_sign(executed(as_python(result, library))["scores"], result.scores)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("make", [worked_example, indefinite_distances])
def test_given_matrices(make, center, library):
    dataset = make().dataset
    result = analyse(dataset, SessionSettings(analysis=AnalysisSettings(2, center)))
    names = executed(as_python(result, library))
    up_to_sign(names["scores"], result.scores)
    model = fitted_model(result)
    given = dataset.points
    if model.kernel == "precomputed" and dataset.kind == "distances":
        given = -0.5 * given**2
    up_to_sign(model.transform(given), result.scores)


def test_chosen_values_are_written_out():
    settings = SessionSettings(
        DataSettings("circles", as_values({"samples": 80, "noise": 0.1}), 12),
        KernelSettings("poly", as_values({"gamma": 0.1 + 0.2, "degree": 2})),
        AnalysisSettings(3, solver="dense"),
    )
    result = run(AnalysisRequest(settings), StageCache())
    code = as_python(result)
    assert "gamma=0.30000000000000004" in code
    assert 'eigen_solver="dense"' in code
    up_to_sign(executed(code)["scores"], result.scores)
    up_to_sign(executed(as_python(result, "sklearn"))["scores"], result.scores)


@pytest.mark.parametrize("library", LIBRARIES)
def test_data_from_memory_are_in_the_script(library):
    random = np.random.default_rng(0)
    dataset = Dataset(random.normal(size=(40, 3)), np.arange(40) % 2, name="mine")
    result = analyse(dataset, SessionSettings(analysis=AnalysisSettings(3)))
    names = executed(as_python(result, library))
    assert (names["X"] == dataset.points).all()
    assert (names["y"] == dataset.labels).all()
    up_to_sign(names["scores"], result.scores)


@pytest.mark.journey
def test_large_data_from_memory_are_saved_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    points = np.random.default_rng(0).normal(size=(INLINE // 2, 3))
    result = analyse(Dataset(points, name="a/b: c"))
    code = as_python(result)
    assert 'np.load("a_b_ c.npz")' in code
    save_table("a_b_ c.npz", coordinates(result, features=True), "npz")
    up_to_sign(executed(code)["scores"], result.scores)


def test_a_file_named_like_a_generator_is_not_one():
    dataset = Dataset(np.random.default_rng(0).normal(size=(20, 2)), name="iris")
    result = analyse(dataset, SessionSettings(analysis=AnalysisSettings(2)))
    assert result.settings.data.source == "iris"
    code = as_python(result, "sklearn")
    assert "load_iris" not in code
    up_to_sign(executed(code)["scores"], result.scores)


def test_scikit_learn_is_not_asked_for_what_it_refuses():
    settings = SessionSettings(kernel=KernelSettings("sigmoid"))
    result = analyse(Dataset(np.array([[1.0, 2.0], [3.0, 4.0]])), settings)
    assert (result.decomposition.spectrum <= 1e-12).all()
    code = as_python(result, "sklearn")
    assert "No eigenvalue is above 0" in code
    assert executed(code)["scores"] == pytest.approx(result.scores)


def test_scikit_learn_leaves_out_components_without_scores():
    settings = SessionSettings(
        kernel=KernelSettings("linear"),
        analysis=AnalysisSettings(3),
        view=ViewSettings(flipped=(0, 2)),
    )
    points = np.array([[1.0, 2.0, 0.0], [3.0, 4.0, 0.0], [5.0, 6.0, 0.0]])
    result = analyse(Dataset(points), settings)
    code = as_python(result, "sklearn")
    left = result.scores.shape[1] - 1
    assert f"the scores of {left} are 0" in code
    scores = executed(code)["scores"]
    assert scores.shape == (3, 1)
    up_to_sign(scores, result.scores[:, :1])
    full = analyse(Dataset(np.eye(3)), replace(settings, analysis=AnalysisSettings(2)))
    assert "left out here" not in as_python(full, "sklearn")


class TestFiles:
    def table(self):
        random = np.random.default_rng(0)
        frame = pd.DataFrame(random.normal(size=(30, 3)), columns=["a", "b c", "d"])
        frame.iloc[4, 1] = np.nan
        frame["kind"] = ["yes" if i % 3 else "no" for i in range(30)]
        return frame

    def opened(self, path, reading=None, **changes):
        roles = (("a", "feature"), ("b c", "feature"), ("kind", "label"))
        chosen = replace(ImportSettings(roles), **changes)
        reading = reading or ReadOptions()
        table = read_table(path, options=reading)
        result = analyse(
            to_dataset(table, chosen),
            SessionSettings(
                DataSettings(importing=chosen), analysis=AnalysisSettings(3)
            ),
        )
        return result, FileReference(path, table.content_hash, reading=reading)

    @pytest.mark.parametrize(
        ("suffix", "missing", "library"),
        [
            ("csv", "drop", "sklearn"),
            ("csv", "median", "kpca_viewer"),
            ("tsv", "median", "sklearn"),
            ("xlsx", "drop", "kpca_viewer"),
            ("xlsx", "median", "sklearn"),
            ("parquet", "drop", "sklearn"),
        ],
    )
    def test_it_is_read_again(self, tmp_path, suffix, missing, library):
        frame, path = self.table(), tmp_path / f"it's a “table”.{suffix}"
        if suffix == "xlsx":
            frame.to_excel(path, index=False)
        elif suffix == "parquet":
            frame.to_parquet(path)
        else:
            frame.to_csv(path, index=False, sep="\t" if suffix == "tsv" else ",")
        result, file = self.opened(path, missing=missing)
        code = as_python(result, library, file=file)
        assert ("pandas" in code) == (library == "sklearn")
        names = executed(code)
        assert names["X"].shape == result.dataset.points.shape
        assert (names["y"] == result.dataset.labels).all()
        up_to_sign(names["scores"], result.scores)

    @pytest.mark.parametrize("library", LIBRARIES)
    def test_options_are_kept(self, tmp_path, library):
        path = tmp_path / "a.csv"
        self.table().to_csv(path, index=False, sep=";", decimal=",")
        reading = ReadOptions(delimiter=";", decimal=",", encoding="utf-8")
        result, file = self.opened(path, reading)
        names = executed(as_python(result, library, file=file))
        up_to_sign(names["scores"], result.scores)

    @pytest.mark.parametrize("library", LIBRARIES)
    @pytest.mark.parametrize(
        ("suffix", "comma"), [("csv", False), ("csv", True), ("xlsx", False)]
    )
    def test_a_title_and_a_header_of_numbers(self, tmp_path, suffix, comma, library):
        path, frame = tmp_path / f"a.{suffix}", self.table().dropna()
        frame.columns = ["400", "410", "420", 'a "kind", here']
        if suffix == "xlsx":
            frame.to_excel(path, index=False, startrow=2)
            book = openpyxl.load_workbook(path)
            book.active["A1"] = "Spectra"
            book.save(path)
        else:
            how = {"sep": ";", "decimal": ","} if comma else {}
            text = frame.to_csv(index=False, doublequote=False, escapechar="\\", **how)
            path.write_text(f"Spectra\n\n{text}")
        table = read_table(path)
        assert (table.options.skip, table.names[0]) == (2 - (suffix == "csv"), "400")
        chosen = guess_import(table)
        settings = SessionSettings(DataSettings(importing=chosen))
        result = analyse(to_dataset(table, chosen), settings)
        file = FileReference(path, table.content_hash, table.options)
        names = executed(as_python(result, library, file=file))
        assert (names["y"] == result.dataset.labels).all()
        up_to_sign(names["scores"][:, :4], result.scores[:, :4])

    @pytest.mark.parametrize("library", LIBRARIES)
    def test_a_transposed_table(self, tmp_path, library):
        path = tmp_path / "a.csv"
        self.table().T.to_csv(path, header=[f"s{k}" for k in range(30)])
        result, file = self.opened(path, ReadOptions(transpose=True))
        names = executed(as_python(result, library, file=file))
        up_to_sign(names["scores"], result.scores)

    @pytest.mark.parametrize("library", LIBRARIES)
    @pytest.mark.parametrize(
        "changes",
        [
            {"sample": 12, "sample_seed": 3},
            {"left_out": (30,)},
            {"sentinels": (("a", -999.0),)},
        ],
    )
    def test_what_pandas_cannot_do_is_done_by_our_reader(
        self, tmp_path, library, changes
    ):
        """Without our reader the numbers themselves are in the script."""
        path = tmp_path / "a.csv"
        frame = self.table()
        frame.loc[[2, 6], "a"] = -999
        frame.to_csv(path, index=False)
        result, file = self.opened(path, **changes)
        code = as_python(result, library, file=file)
        assert ("read_table" in code) == (library == "kpca_viewer")
        up_to_sign(executed(code)["scores"], result.scores)

    @pytest.mark.parametrize("changes", [{"treat_text_as_missing": True}, {}])
    def test_odd_cells_are_missing_there_too(self, tmp_path, changes):
        path = tmp_path / "a.csv"
        frame = self.table().astype({"a": object})
        frame.loc[3, "a"] = frame.loc[7, "a"] = "broken"
        frame.to_csv(path, index=False)
        changes = changes or {"missing_words": ("broken",)}
        result, file = self.opened(path, missing="median", **changes)
        code = as_python(result, "sklearn", file=file)
        assert "kpca_viewer." not in code
        names = executed(code)
        assert names["X"] == pytest.approx(result.dataset.points)
        assert (names["y"] == result.dataset.labels).all()

    @pytest.mark.parametrize("library", LIBRARIES)
    @pytest.mark.parametrize("how", ["unit", "named unit", "minus", "parquet"])
    def test_cells_that_only_our_reader_knows(self, tmp_path, how, library):
        """Where pandas does not, the numbers are in the script, or its lines do."""
        frame = self.table().rename(columns={"a": "a [cm]"} if "named" in how else {})
        first = frame.columns[0]
        if how == "minus":
            frame[first] = [str(v).replace("-", "−") for v in frame[first]]
        else:
            frame[first] = [f"{value} cm" for value in frame[first]]
        path = tmp_path / "a.csv"
        if how == "parquet":
            path = path.with_suffix(".parquet")
            frame["kind"] = pd.Categorical([i % 3 for i in range(30)])
            frame.to_parquet(path)
        else:
            frame.to_csv(path, index=False)
        chosen = guess_import(read_table(path))
        assert len(chosen.columns("feature")) == 3
        dataset = to_dataset(read_table(path), chosen)
        settings = SessionSettings(DataSettings(importing=chosen))
        result = analyse(dataset, settings)
        names = executed(as_python(result, library, file=FileReference(path)))
        assert names["X"] == pytest.approx(dataset.points)
        assert (names["y"] == dataset.labels).all()

    def test_a_large_matrix_is_saved_first(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        points = np.random.default_rng(0).normal(size=(60, 3))
        far = np.linalg.norm(points[:, None] - points, axis=2)
        result = analyse(Dataset(far, name="far", kind="distances"))
        save_table("far.npz", kernel_matrix(result), "npz")
        for library in LIBRARIES:
            names = executed(as_python(result, library))
            up_to_sign(names["scores"][:, :3], result.scores[:, :3])

    @pytest.mark.parametrize("library", LIBRARIES)
    def test_columns_without_names(self, tmp_path, library):
        path = tmp_path / "a.csv"
        self.table().iloc[:, [0, 2]].to_csv(path, index=False, header=False)
        table = read_table(path)
        roles = tuple((name, "feature") for name in table.names)
        chosen = ImportSettings(roles)
        settings = SessionSettings(DataSettings(importing=chosen))
        result = analyse(to_dataset(table, chosen), settings)
        names = executed(as_python(result, library, file=FileReference(path)))
        up_to_sign(names["scores"][:, :6], result.scores[:, :6])

    def test_another_file_is_noticed(self, tmp_path):
        path = tmp_path / "a.csv"
        self.table().to_csv(path, index=False)
        result, file = self.opened(path)
        self.table().iloc[:20].to_csv(path, index=False)
        with pytest.raises(AssertionError, match="not the one that was shown"):
            executed(as_python(result, "sklearn", file=file))

    def test_of_a_file_that_is_gone_the_numbers_are_written(self, tmp_path):
        path = tmp_path / "a.csv"
        self.table().to_csv(path, index=False)
        result, file = self.opened(path)
        path.unlink()
        code = as_python(result, "sklearn", file=file)
        up_to_sign(executed(code)["scores"], result.scores)

    def test_a_guess_is_guessed_again(self, tmp_path):
        path = tmp_path / "a.csv"
        self.table().to_csv(path, index=False)
        result = analyse(to_dataset(read_table(path), guess_import(read_table(path))))
        code = as_python(result, file=FileReference(path))
        assert "guess_import" in code
        up_to_sign(executed(code)["scores"][:, :4], result.scores[:, :4])


def kinds(code):
    """Return the statements of a script, whatever the texts in them."""
    return [type(node) for node in ast.parse(code).body]


class TestNames:
    NASTY = (
        'x"""\nimport os',
        "a\\",
        "b\nprint('gone')",
        "c\u2028d",
        "'''",
        "\ud800",
        "{0}",
        "%s",
    )

    @pytest.mark.parametrize("name", NASTY)
    @pytest.mark.parametrize("library", LIBRARIES)
    def test_no_name_can_become_code(self, name, library):
        random = np.random.default_rng(0)
        dataset = Dataset(
            random.normal(size=(12, 2)), np.arange(12) % 2, (name, "b"), (name, "y"),
            name=name,
        )  # fmt: skip
        result = analyse(dataset, SessionSettings(analysis=AnalysisSettings(2)))
        code = as_python(result, library)
        up_to_sign(executed(code)["scores"], result.scores)
        plain = as_python(
            analyse(replace(dataset, name="n", label_names=("a", "b"))), library
        )
        assert kinds(code) == kinds(plain)
        code.encode()
        json.loads(as_notebook(result, library))

    @pytest.mark.parametrize("name", ["", "...", "/", "CON: a*b?", "ü"])
    def test_file_names_are_safe(self, name):
        safe = safe_name(name)
        assert safe
        assert not set(safe) & set('/\\:*?"<>|\n')


class TestPlot:
    class Recorder:
        """Stands in for matplotlib and takes note of what is drawn."""

        def __init__(self):
            self.calls = []

        def subplots(self, **options):
            self.calls.append(("subplots", options))
            return self, self

        def scatter(self, *columns, **options):
            self.calls.append(("scatter", columns, options))

        def __getattr__(self, name):
            return lambda *args, **options: self.calls.append((name, args))

    def drawn(self, result, monkeypatch, **options):
        import sys
        import types

        recorder = self.Recorder()
        module = types.ModuleType("matplotlib")
        module.pyplot = recorder
        monkeypatch.setitem(sys.modules, "matplotlib", module)
        monkeypatch.setitem(sys.modules, "matplotlib.pyplot", recorder)
        exec(as_python(result, **options), {"__name__": "__main__"})
        return recorder.calls

    def test_classes_have_their_colours(self, monkeypatch):
        calls = self.drawn(result_for("circles"), monkeypatch)
        scatters = [call for call in calls if call[0] == "scatter"]
        assert [call[2]["label"] for call in scatters] == ["outer ring", "inner ring"]
        assert scatters[0][2]["color"] == "#0072B2"
        assert sum(len(call[1][0]) for call in scatters) == 90
        assert ("show", ()) in calls

    def test_three_dimensions_and_other_axes(self, monkeypatch):
        result = result_for("torus")
        view = ViewSettings(axes=(1, 0, 3), embedding_3d=True)
        calls = self.drawn(result, monkeypatch, view=view)
        scatter = next(call for call in calls if call[0] == "scatter")
        assert len(scatter[1]) == 3
        assert scatter[2]["c"].shape == (90,)
        labels = [call[1][0] for call in calls if call[0].startswith("set_")]
        assert [label[:4] for label in labels[:3]] == ["PC 2", "PC 1", "PC 4"]

    def test_the_scale_is_that_of_the_window(self, monkeypatch):
        result = result_for("circles")
        calls = [call[:2] for call in self.drawn(result, monkeypatch)]
        assert ("set_aspect", ("equal",)) in calls
        view = ViewSettings(fills=True)
        names = [call[0] for call in self.drawn(result, monkeypatch, view=view)]
        assert "set_aspect" not in names

    def test_a_flipped_axis_is_flipped(self):
        plain = result_for("moons")
        view = plain.settings.view.with_flip(1)
        request = AnalysisRequest(replace(plain.settings, view=view))
        flipped = run(request, StageCache())
        for library in LIBRARIES:
            a, b = (
                executed(as_python(result, library=library))["scores"]
                for result in (plain, flipped)
            )
            np.testing.assert_allclose(b, a * [1, -1, 1, 1])

    def test_a_single_component_is_a_line(self, monkeypatch):
        result = result_for("moons", analysis=AnalysisSettings(1))
        scatter = next(
            call for call in self.drawn(result, monkeypatch) if call[0] == "scatter"
        )
        assert not scatter[1][1].any()

    def test_many_classes_have_no_legend(self, monkeypatch):
        random = np.random.default_rng(0)
        dataset = Dataset(random.normal(size=(60, 2)), np.arange(60), name="many")
        calls = self.drawn(analyse(dataset), monkeypatch)
        assert "legend" not in [call[0] for call in calls]


class TestNotebook:
    @pytest.mark.parametrize("library", LIBRARIES)
    def test_its_cells_run_in_order(self, library):
        result = result_for("wine", "rbf", "standardise")
        notebook = json.loads(as_notebook(result, library))
        assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
        ids = [cell["id"] for cell in notebook["cells"]]
        assert len(set(ids)) == len(ids) == 6
        assert notebook["cells"][0]["cell_type"] == "markdown"
        names = {"__name__": "notebook"}
        for cell in notebook["cells"][1:]:
            assert cell["cell_type"] == "code"
            exec("".join(cell["source"]), names)
        up_to_sign(names["scores"], result.scores)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "result",
    [
        result_for("wine", "rbf", "standardise"),
        result_for("moons", "sigmoid", analysis=AnalysisSettings(3, center=False)),
        indefinite_distances(),
    ],
)
def test_the_numbers_are_printed(result, library, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were missing
    names = executed(as_python(result, library))
    printed = capsys.readouterr().out
    k = names["scores"].shape[1]
    assert names["shares"][:k] == pytest.approx(result.shares[:k], abs=1e-5)
    shares, scores = np.round(names["shares"], 4), names["scores"][:5]
    assert printed == (
        f"Explained shares: {shares}\nCoordinates of the first rows:\n{scores}\n"
        "matplotlib is not installed, so nothing is drawn.\n"
    )


def test_scripts_are_tidy():
    for source in ("circles", "torus", "wine"):
        for library in LIBRARIES:
            code = as_python(result_for(source), library)
            assert code.endswith("\n")
            assert not re.search(r"[ \t]$", code, re.MULTILINE)
            assert max(map(len, code.splitlines())) <= 88


@pytest.mark.journey
def test_writing_code_does_not_import_scikit_learn():
    """The window writes it, and would stand still for as long as that takes."""
    code = "import sys, kpca_viewer.export.script;sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
