import csv
import errno
import io
import os

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.export import result_tables as tables
from kpca_viewer.export import table_files as writers
from kpca_viewer.export import table_files as xlsx
from kpca_viewer.export.model import fitted_model
from kpca_viewer.export.result_tables import (
    ExportTable,
    coordinates,
    eigenvalues,
    kernel_matrix,
)
from kpca_viewer.export.table_files import (
    FORMAT_TITLES,
    csv_bytes,
    neutralised,
    npz_bytes,
    parquet_bytes,
    save_table,
    xlsx_bytes,
)
from kpca_viewer.support import atomic
from kpca_viewer.support.errors import ExportError, TooLargeError
from tests.ui.plots.results import indefinite_distances, result_of, worked_example

NAMES = (
    "=1+1",
    "+cmd",
    "-x",
    "@sum",
    "\ttab",
    "\rreturn",
    'qu"ote, comma',
    "two\nlines",
    "plain",
    "-12.5",
    "ünïcode γ",
    "",
)


@pytest.fixture(scope="module")
def odd():
    """A small data set whose names are all a nuisance."""
    random = np.random.default_rng(1)
    points = random.normal(size=(12, 2)) * [1e-7, 1e7]
    return analyse(
        Dataset(
            points,
            np.arange(12) % 3 - 1,
            ("=2*3", "-1"),
            ("PC1", "=evil"),
            NAMES,
            {"row": random.normal(size=12)},
            name="odd",
        )
    )


def bits(values):
    return np.ascontiguousarray(values, dtype=np.float64).tobytes()


def read(content, format):
    """Read a table with the tools that people use; columns by name."""
    if format == "csv":
        rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
        return {name: [row[j] for row in rows[1:]] for j, name in enumerate(rows[0])}
    if format == "xlsx":
        sheet = openpyxl.load_workbook(io.BytesIO(content)).active
        rows = list(sheet.iter_rows(values_only=True))
        return {name: [row[j] for row in rows[1:]] for j, name in enumerate(rows[0])}
    return pd.read_parquet(io.BytesIO(content)).to_dict("list")


MAKE = {"csv": csv_bytes, "xlsx": xlsx_bytes, "parquet": parquet_bytes}


class TestContent:
    def test_coordinates_have_names_labels_flags_and_scores(self):
        result = result_of("iris")
        mask = np.zeros(150, dtype=bool)
        mask[[3, 100]] = True
        table = coordinates(result, mask, features=True)
        names = [name for name, _ in table.columns]
        assert names == [
            "row",
            "label",
            "selected",
            *result.dataset.feature_names,
            *(f"PC{j + 1}" for j in range(10)),
        ]
        values = dict(table.columns)
        assert values["row"][0] == 1
        assert values["label"][100] == "virginica"
        assert np.flatnonzero(values["selected"]).tolist() == [3, 100]
        assert bits(values["PC3"]) == bits(result.scores[:, 2])

    def test_only_the_selection(self):
        result = result_of("iris")
        mask = np.arange(150) % 50 == 7
        table = coordinates(result, mask, only_selected=True)
        assert table.shape == (3, 13)
        assert dict(table.columns)["row"].tolist() == [8, 58, 108]
        assert bits(table.arrays["scores"]) == bits(result.scores[mask])

    @pytest.mark.parametrize("mask", [None, np.zeros(150, dtype=bool)])
    def test_nothing_selected_is_said(self, mask):
        for make in (coordinates, kernel_matrix):
            with pytest.raises(ExportError, match="No row is selected"):
                make(result_of("iris"), mask, only_selected=True)

    def test_columns_that_are_no_features_come_along(self):
        columns = {"site": ["Wien", None, "=Graz"], "year": [2001.0, np.nan, 2003.0]}
        points = np.arange(6.0).reshape(3, 2) ** 2
        found = coordinates(analyse(Dataset(points, columns=columns)))
        values = dict(found.columns)
        assert values["site"] == ("Wien", "", "=Graz")
        assert bits(values["year"]) == bits(columns["year"])
        words = found.arrays["words site"][found.arrays["column site"][[0, 2]]]
        assert words.tolist() == ["Wien", "=Graz"]
        lines = csv_bytes(found).decode().splitlines()
        assert lines[0].startswith("row,selected,site,year,PC1")
        assert lines[3].startswith("3,0,'=Graz,2003.0,")

    def test_whole_numbers_stay_whole(self):
        columns = {"id": [1226, 7, -2], "dose": [0.5, 1, 2], "far": [1, 2, np.inf]}
        points = np.arange(6.0).reshape(3, 2) ** 2
        found = coordinates(analyse(Dataset(points, columns=columns)))
        lines = csv_bytes(found).decode().splitlines()
        assert lines[1].startswith("1,0,1226,0.5,1.0,")
        assert lines[3].startswith("3,0,-2,2.0,inf,")

    def test_names_are_made_distinct(self, odd):
        names = [name for name, _ in coordinates(odd, features=True).columns]
        assert names[:7] == [
            "row",
            "label",
            "selected",
            "row (2)",
            "PC1",
            "=evil",
            "PC1 (2)",
        ]

    def test_a_row_without_a_label_has_none(self, odd):
        assert dict(coordinates(odd).columns)["label"][:3] == ("", "=2*3", "-1")

    def test_a_given_matrix_has_no_features(self):
        table = coordinates(worked_example(), features=True)
        assert [name for name, _ in table.columns][:2] == ["row", "selected"]

    def test_eigenvalues_have_bounds_and_shares(self):
        result = result_of("circles")
        values = dict(eigenvalues(result).columns)
        assert (values["lower"] <= values["eigenvalue"]).all()
        assert (values["eigenvalue"] <= values["upper"]).all()
        assert values["component"].tolist() == list(range(1, 11))
        assert values["cumulative"][-1] == pytest.approx(result.shares.sum())

    def test_the_raw_matrix(self):
        result = result_of("circles", gamma=2.0, samples=60)
        found = kernel_matrix(result).arrays["matrix"]
        X = result.dataset.points
        far = np.square(X[:, None] - X).sum(axis=2)
        assert found == pytest.approx(np.exp(-2 * far), abs=1e-12)
        assert (found == found.T).all()

    @pytest.mark.parametrize("family", ["rbf", "cosine", "poly"])
    def test_the_centred_matrix_has_the_eigenvalues(self, family):
        result = result_of("iris", family)
        K = kernel_matrix(result, centred=True).arrays["matrix"]
        found = np.linalg.eigvalsh(K)[::-1][:10]
        assert found == pytest.approx(
            result.decomposition.eigenvalues, rel=1e-6, abs=1e-6 * found[0]
        )

    def test_a_part_of_the_centred_matrix_is_centred_by_all(self):
        result = result_of("iris")
        mask = np.arange(150) < 4
        part = kernel_matrix(result, mask, centred=True, only_selected=True)
        whole = kernel_matrix(result, centred=True).arrays["matrix"]
        assert bits(part.arrays["matrix"]) == bits(whole[:4, :4])
        assert [name for name, _ in part.columns] == ["row", "1", "2", "3", "4"]

    def test_distances_stay_distances(self):
        result = indefinite_distances()
        assert kernel_matrix(result).arrays["matrix"][0].tolist() == [0, 1, 10]
        centred = kernel_matrix(result, centred=True).arrays["matrix"]
        assert np.linalg.eigvalsh(centred) == pytest.approx([-16, 0, 50], abs=1e-9)

    def test_a_large_matrix_is_refused(self, monkeypatch):
        monkeypatch.setattr(tables, "LARGEST_MATRIX", 100)
        result = result_of("iris")
        with pytest.raises(ExportError, match="22,500 entries; select fewer"):
            kernel_matrix(result)
        mask = np.arange(150) < 90
        kernel_matrix(result, mask, only_selected=True)
        with pytest.raises(ExportError, match="take the raw matrix"):
            kernel_matrix(result, mask, only_selected=True, centred=True)


class TestRoundTrip:
    @pytest.mark.parametrize("format", MAKE)
    @pytest.mark.parametrize("source", ["iris", "circles"])
    def test_numbers_come_back_bit_for_bit(self, format, source):
        result = result_of(source)
        table = coordinates(result, features=True)
        found = read(MAKE[format](table), format)
        assert list(found) == [name for name, _ in table.columns]
        for name, values in table.columns:
            if not isinstance(values, tuple):
                assert bits([float(v) for v in found[name]]) == bits(values)

    @pytest.mark.journey
    @settings(max_examples=40)
    @given(
        st.lists(
            st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20
        )
    )
    def test_any_number(self, numbers):
        table = ExportTable("any", (("x", np.array(numbers)),), {})
        for format, make in MAKE.items():
            found = read(make(table), format)["x"]
            assert bits([float(v) for v in found]) == bits(numbers)

    def test_what_is_no_number(self):
        odd = np.array([1.5, np.nan, np.inf, -np.inf])
        table = ExportTable("odd", (("x", odd),), {"x": odd})
        assert read(csv_bytes(table), "csv")["x"] == ["1.5", "", "inf", "-inf"]
        assert read(xlsx_bytes(table), "xlsx")["x"] == [1.5, None, "inf", "-inf"]
        assert bits(read(parquet_bytes(table), "parquet")["x"]) == bits(odd)

    def test_npz_without_pickle(self, odd):
        mask = np.arange(12) < 2
        table = coordinates(odd, mask, features=True)
        with np.load(io.BytesIO(npz_bytes(table)), allow_pickle=False) as file:
            assert bits(file["scores"]) == bits(odd.scores)
            assert bits(file["features"]) == bits(odd.dataset.points)
            assert file["selected"].sum() == 2
            assert tuple(file["row"]) == NAMES
            assert file["label"].tolist() == odd.dataset.labels.tolist()
            assert tuple(file["label_names"]) == ("=2*3", "-1")

    def test_texts_in_excel_and_parquet_are_texts(self, odd):
        table = coordinates(odd, features=True)
        book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(table)))
        sheet = book.active
        cells = [row[0] for row in sheet.iter_rows(min_row=2)]
        assert {cell.data_type for cell in cells if cell.value} <= {"s", "inlineStr"}
        assert [cell.value or "" for cell in cells][:4] == list(NAMES[:4])
        assert book.sheetnames == ["coordinates"]
        assert sheet.freeze_panes == "A2"
        found = read(parquet_bytes(table), "parquet")
        assert found["row"] == list(NAMES)
        assert found["selected"] == [False] * 12

    def test_excel_opens_in_pandas(self, tmp_path):
        save_table(tmp_path / "a.xlsx", eigenvalues(result_of("circles")), "xlsx")
        frame = pd.read_excel(tmp_path / "a.xlsx", engine="openpyxl")
        assert frame["component"].tolist() == list(range(1, 11))

    def test_control_characters_do_not_break_a_workbook(self):
        texts = ("a\x00b", "c\ud800d", "e\x0bf<&>", "x" * 40_000)
        content = xlsx_bytes(ExportTable("t", (("x", texts),), {}))
        found = read(content, "xlsx")["x"]
        assert found[:3] == ["a\ufffdb", "c\ufffdd", "e\ufffdf<&>"]
        assert len(found[3]) == 32_767
        assert read(csv_bytes(ExportTable("t", (("x", texts),), {})), "csv")
        assert read(parquet_bytes(ExportTable("t", (("x", texts),), {})), "parquet")

    def test_many_rows_are_written_in_blocks(self, monkeypatch):
        monkeypatch.setattr(writers, "_CELLS", 64)
        table = coordinates(result_of("iris"))
        assert len(read(csv_bytes(table), "csv")["row"]) == 150

    @settings(max_examples=30)
    @given(
        st.lists(
            st.tuples(
                st.floats(), st.text(max_size=4), st.integers(-(2**63), 2**63 - 1)
            ),
            max_size=12,
        ),
        st.sampled_from([",", "\t"]),
        st.sampled_from([[0], [1], [2], [0, 1, 2, 3, 4]]),
    )
    def test_large_tables_are_the_same_to_the_byte(self, rows, delimiter, kept):
        numbers, texts, whole = ([row[j] for row in rows] for j in range(3))
        columns = [
            ("x", np.array(numbers, dtype=float)),
            ("=y", (*texts,)),
            ("whole", np.array(whole, dtype=np.int64)),
            ("flag", np.array(whole, dtype=np.int64) > 0),
            ("single", np.array(whole, dtype=np.float32)),
        ]
        table = ExportTable("t", tuple(columns[j] for j in kept), {})
        with pytest.MonkeyPatch.context() as patch:
            rows_joined = csv_bytes(table, delimiter)
            patch.setattr(writers, "_CELLS", 0)
            assert csv_bytes(table, delimiter) == rows_joined

    def test_the_digits_of_large_tables_are_those_of_repr(self, monkeypatch):
        monkeypatch.setattr(writers, "_CELLS", 1000)
        random = np.random.default_rng(0)
        near = 10.0 ** np.arange(-6, 18)
        numbers = np.concatenate(
            [
                random.normal(size=5000),
                random.normal(size=5000) * 10.0 ** random.integers(-8, 20, 5000),
                random.integers(0, 2**63, 5000).view(np.float64),
                np.round(random.normal(size=2000) * 1000, 2),
                *(
                    np.nextafter(sign * near, end)
                    for sign in (1, -1)
                    for end in (0, 9e99)
                ),
                [0.0, -0.0, 5e-324, 1e22, np.inf, -np.inf, np.nan],
            ]
        )
        columns = (("x", numbers), ("row", np.arange(len(numbers))))
        lines = csv_bytes(ExportTable("t", columns, {})).decode().splitlines()
        assert [line.split(",")[0] for line in lines[1:]] == [
            "" if value != value else repr(value) for value in numbers.tolist()
        ]


class TestFormulas:
    def test_texts_of_a_csv_cannot_be_formulas(self, odd):
        found = read(csv_bytes(coordinates(odd, features=True)), "csv")
        assert "'=evil" in found
        assert found["row"] == [
            "'=1+1",
            "'+cmd",
            "'-x",
            "'@sum",
            "'\ttab",
            "'\rreturn",
            *NAMES[6:],
        ]
        assert found["label"][:3] == ["", "'=2*3", "-1"]

    def test_numbers_are_never_touched(self, odd):
        found = read(csv_bytes(coordinates(odd)), "csv")
        assert any(cell.startswith("-") for cell in found["PC1"])

    @pytest.mark.parametrize(
        "text",
        ["-1", "+2.5", "-1e-7", "-.5", "a=b", "'=", "", " a", "\n", "x =1", "\ufeff"],
    )
    def test_harmless_texts_stay(self, text):
        assert neutralised(text) == text

    @pytest.mark.parametrize(
        "text",
        [
            *("-1+1", "--1", "-1 ", "=", "-", "+1e", "-nan"),
            *(" =1+1", "\n=1", "\ufeff=1", "\u200b@x", "\xa0\n +a", "\x00=1", "＝1"),
        ],
    )
    def test_anything_else_is_marked(self, text):
        assert neutralised(text) == f"'{text}"

    def test_lines_end_as_the_standard_says(self, odd):
        content = csv_bytes(eigenvalues(odd))
        assert content.startswith(
            b"component,eigenvalue,lower,upper,share,cumulative,angle,score_error\r\n"
        )
        assert content.endswith(b"\r\n")


class TestRefusals:
    def test_an_unknown_format(self, tmp_path):
        with pytest.raises(ExportError, match="no format for tables"):
            save_table(tmp_path / "a", eigenvalues(result_of("circles")), "ods")

    @pytest.mark.parametrize("limit", ["MOST_ROWS", "MOST_COLUMNS", "MOST_CELLS"])
    def test_too_large_for_excel(self, monkeypatch, limit):
        monkeypatch.setattr(xlsx, limit, 5)
        with pytest.raises(ExportError, match="too many for Excel"):
            xlsx_bytes(eigenvalues(result_of("circles")))

    def test_too_large_for_the_memory(self, monkeypatch, tmp_path):
        monkeypatch.setattr(writers.memory, "available", lambda: 100)
        with pytest.raises(TooLargeError, match="select fewer rows"):
            save_table(tmp_path / "a.csv", eigenvalues(result_of("circles")), "csv")

    @pytest.mark.parametrize("format", FORMAT_TITLES)
    def test_a_full_disk_leaves_the_old_file(self, monkeypatch, tmp_path, format):
        path = tmp_path / "a"
        path.write_bytes(b"old")

        def fail(*_args):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(atomic.os, "fsync", fail)
        with pytest.raises(ExportError, match="disk is full"):
            save_table(path, eigenvalues(result_of("circles")), format)
        assert path.read_bytes() == b"old"
        assert len(list(tmp_path.iterdir())) == 1


class TestModel:
    @pytest.mark.parametrize(
        ("source", "family"), [("circles", "rbf"), ("iris", "cosine"), ("wine", "poly")]
    )
    def test_it_gives_the_scores_of_the_window(self, tmp_path, source, family):
        result = result_of(source, family)
        model = fitted_model(result)
        model.save(tmp_path / "m.npz")
        new = result.scaler.apply(result.dataset.points[:20])
        scores = KernelPCA.load(tmp_path / "m.npz").transform(new)
        assert scores == pytest.approx(result.project(result.dataset.points[:20]))

    @pytest.mark.parametrize("make", [worked_example, indefinite_distances])
    def test_given_matrices_too(self, tmp_path, make):
        result = make()
        fitted_model(result).save(tmp_path / "m.npz")
        scores = KernelPCA.load(tmp_path / "m.npz").transform(result.dataset.points)
        assert scores == pytest.approx(result.scores, abs=1e-9)


def test_columns_may_have_any_name_in_npz():
    """Names that numpy.savez has arguments for, in one version or another."""
    names = ("file", "allow_pickle", "arr_0", "a/b", "ä")
    arrays = {name: np.arange(3.0) + j for j, name in enumerate(names)}
    content = npz_bytes(ExportTable("odd", (("x", np.arange(3.0)),), arrays))
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        assert sorted(found.files) == sorted(names)
        for name, array in arrays.items():
            np.testing.assert_array_equal(found[name], array)


def test_objects_are_never_pickled_into_npz():
    table = ExportTable("odd", (("x", np.arange(1.0)),), {"o": np.array([object()])})
    with pytest.raises(ValueError, match="allow_pickle"):
        npz_bytes(table)
