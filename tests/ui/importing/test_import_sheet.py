"""The import sheet by itself: what it says about a table and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPushButton,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from kpca_viewer.data.files import ReadOptions, read_table, read_text
from kpca_viewer.data.importing import guess_import, propose, to_dataset
from kpca_viewer.data.importing.features import OddCellError
from kpca_viewer.data.importing.settings import ROLE_TITLES
from kpca_viewer.data.table import Column, Table
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.features.import_sheet.columns_list import ColumnsList
from kpca_viewer.features.import_sheet.content import (
    ImportRequest,
    SheetContent,
    answers_text,
    recall_answers,
    recall_reading,
)
from kpca_viewer.features.import_sheet.file_work import FileToRead, TableToImport, work
from kpca_viewer.features.import_sheet.models import BARS_ROLE, ColumnsModel
from kpca_viewer.features.import_sheet.options import TopRow
from kpca_viewer.features.import_sheet.sheet import ImportSheet
from kpca_viewer.features.import_sheet.text import describe_column, look_at_all
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import never, silent
from kpca_viewer.widgets.controls import MessageBar, Segmented, Switch


@pytest.fixture
def make_sheet(qtbot):
    """Show the sheet of columns that are given by name."""

    def make(**columns) -> ImportSheet:
        table = Table(tuple(column(*item) for item in columns.items()), "data")
        proposals = propose(table)
        sheet = ImportSheet(
            SheetContent(table, proposals.settings, proposals=proposals)
        )
        qtbot.addWidget(sheet)
        sheet.show()
        sheet.activateWindow()
        return sheet

    return make


def column(name: str, values) -> Column:
    if isinstance(values[0], str):
        return Column(name, np.array(values, dtype=object), "text")
    return Column(name, np.asarray(values, dtype=np.float64))


def enter(sheet: ImportSheet, name: str, text: str) -> None:
    field = sheet.findChild(QWidget, name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def roles(sheet: ImportSheet) -> ColumnsModel:
    return sheet.findChild(QTableView, "import_columns").model()


def message(sheet: ImportSheet) -> str:
    return sheet.findChild(MessageBar, "import_message").text()


def summary(sheet: ImportSheet) -> str:
    return sheet.findChild(QLabel, "import_summary").text()


def test_which_share_of_a_feature_may_be_missing_is_shown_and_chosen(make_sheet):
    sheet = make_sheet(
        a=numbers(20, *range(8)),
        b=numbers(20, *range(4)),
        c=numbers(20),
        d=numbers(20)[::-1],
    )
    field = sheet.findChild(QWidget, "most_missing_field")
    assert field.value() == 30
    assert dict(roles(sheet).roles())["a"] == "ignore"
    assert sheet.findChild(QWidget, "proposals").isVisible()
    enter(sheet, "most_missing_field", "10")
    # Its question is answered, and it has no other.
    assert not sheet.findChild(QWidget, "proposals").isVisible()
    assert [dict(roles(sheet).roles())[name] for name in "abcd"] == [
        *("ignore", "ignore", "feature", "feature")
    ]
    assert "2 features" in summary(sheet)
    enter(sheet, "most_missing_field", "40")
    assert dict(sheet.settings().roles) == dict.fromkeys("abcd", "feature")


def numbers(n: int, *missing: int) -> np.ndarray:
    values = np.sqrt(np.arange(1.0, n + 1))
    values[list(missing)] = np.nan
    return values


def test_a_wrong_number_is_said_and_nothing_is_opened(make_sheet):
    sheet = make_sheet(a=numbers(40), b=numbers(40)[::-1])
    requests = []
    sheet.import_requested.connect(requests.append)
    enter(sheet, "import_rows_field", "1")
    assert message(sheet) == "Rows must be between 2 and 40; it stays 40."
    assert sheet.isVisible()
    enter(sheet, "import_rows_field", "30")
    assert message(sheet) == ""
    assert summary(sheet).startswith("30 rows")
    enter(sheet, "import_seed_field", "-1")
    assert message(sheet).startswith("Seed of the sample must be between 0 and 999,999")
    assert not requests
    QTest.keyClick(sheet.findChild(QWidget, "import_rows_field"), Qt.Key.Key_Return)
    assert len(requests) == 1


LEFT = "left out: empty cells"


def test_the_summary_counts_the_rows_that_will_remain(make_sheet):
    few = {"a": numbers(40, 3), "b": numbers(40, 3, 7)[::-1], "c": numbers(40)}
    sheet = make_sheet(**few)
    assert (
        summary(sheet)
        == "37 rows (3 of 40 rows are left out: empty cells), 3 features."
    )
    enter(sheet, "import_rows_field", "20")
    assert summary(sheet).startswith(
        "20 rows drawn from 37 (3 of 40 rows are left out: empty cells)"
    )
    sheet.findChild(Segmented, "missing_values").button("median").click()
    assert summary(sheet).startswith(
        "20 rows drawn from 40 (3 of 40 rows have filled cells)"
    )
    enter(sheet, "import_rows_field", "40")
    sheet.findChild(Segmented, "missing_values").button("drop").click()
    roles(sheet).set_role([1], "ignore")
    assert (
        summary(sheet) == "39 rows (1 of 40 rows is left out: empty cells), 2 features."
    )
    roles(sheet).set_role([0], "ignore")
    assert summary(sheet) == "40 rows, 1 feature."


def test_columns_with_many_gaps_are_metadata_above_a_share(make_sheet):
    columns = {"a": numbers(40, *range(20)), "b": numbers(40, 3)[::-1]}
    sheet = make_sheet(**columns, c=numbers(40), d=numbers(40) ** 3)
    told = sheet.findChild(QLabel, "roles_text").text()
    assert told.startswith("Perhaps no measurement: “a” holds nothing in 50 % of its")
    assert (
        summary(sheet) == "39 rows (1 of 40 rows is left out: empty cells), 3 features."
    )
    sheet.findChild(Segmented, "missing_values").button("columns").click()
    assert summary(sheet) == "40 rows, 2 features."
    sheet.findChild(Segmented, "missing_values").button("nearest").click()
    assert sheet.request().importing.missing == "nearest"


def test_rows_that_all_have_gaps_are_filled_where_that_is_asked(make_sheet):
    every = np.full(10, np.nan)
    left, right = every.copy(), every.copy()
    left[:5], right[5:] = numbers(5), numbers(5)
    sheet = make_sheet(a=left, b=right)
    sheet.findChild(Segmented, "missing_values").button("drop").click()
    assert summary(sheet).startswith("No two rows are complete; fill their gaps")
    requests = []
    sheet.import_requested.connect(requests.append)
    sheet.findChild(QPushButton, "import_accept").click()
    assert message(sheet).startswith("No two rows are complete; fill their gaps")
    assert not requests
    # The question is answered where it is asked.
    sheet.findChild(QPushButton, "message_action").click()
    assert message(sheet) == ""
    sheet.findChild(QPushButton, "import_accept").click()
    assert [request.importing.missing for request in requests] == ["median"]


def test_without_a_feature_all_numbers_are_offered_as_features(make_sheet):
    kinds = np.resize(["u", "v"], 40).tolist()
    sheet = make_sheet(a=numbers(40), kind=kinds, b=numbers(40)[::-1])
    roles(sheet).set_role([0, 2], "ignore")
    sheet.findChild(QPushButton, "import_accept").click()
    assert message(sheet) == "No column is a feature; give at least one that role."
    sheet.findChild(QPushButton, "message_action").click()
    assert sheet.settings().columns("feature") == ("a", "b")
    assert summary(sheet).startswith("40 rows, 2 features")


def test_a_preview_tells_the_share_of_its_rows(make_sheet):
    sheet = make_sheet(a=numbers(40, 3), b=numbers(40)[::-1])
    table = replace(sheet.content.table, total=123_456, estimated=True)
    again = ImportSheet(replace(sheet.content, table=table))
    sheet.reject()
    assert summary(again).startswith("About 123,000 rows (about 2 % of them are left")
    again.deleteLater()


def test_numbers_are_short_and_readable(make_sheet):
    sheet = make_sheet(
        year=[-2024.0, 20240101.0, 3.0], size=[-40100.25, 1.23456789e-7, 2.5]
    )
    holds = ColumnsModel.HEADINGS.index("Holds")
    tip = Qt.ItemDataRole.ToolTipRole
    assert "−2024, 20240101, 3" in roles(sheet).index(0, holds).data(tip)
    assert "−40100, 1.235·10⁻⁷, 2.5" in roles(sheet).index(1, holds).data(tip)
    assert cells(sheet, "Min") == ["−2024", "−40100"]
    assert cells(sheet, "Max") == ["20240101", "2.5"]
    first = sheet.findChild(QTableView, "import_preview").model()
    assert first.index(0, 1).data() == "−40100.2"
    assert first.index(0, 1).data(Qt.ItemDataRole.ToolTipRole) == "-40100.25"


def test_a_label_of_minus_one_is_a_class_unless_it_is_said_to_be_none(make_sheet):
    codes = [-1.0, 0, 1, 2] * 10
    sheet = make_sheet(a=numbers(40), b=numbers(40)[::-1], cluster=codes)
    switch = sheet.findChild(Switch, "noise_switch")
    assert switch.isVisible()
    assert "coloured by “cluster” (4 classes)" in summary(sheet)
    table = sheet.content.table
    assert to_dataset(table, sheet.settings()).label_names == ("0", "1", "2", "-1")
    switch.click()
    assert "coloured by “cluster” (3 classes)" in summary(sheet)
    dataset = to_dataset(table, sheet.settings())
    assert dataset.label_names == ("0", "1", "2")
    assert dataset.labels.tolist() == [-1, 0, 1, 2] * 10
    assert dataset.n == 40
    # What was chosen comes back with the sheet.
    again = ImportSheet(replace(sheet.content, importing=sheet.settings()))
    assert again.findChild(Switch, "noise_switch").isChecked()
    again.deleteLater()


@pytest.mark.parametrize("codes", [[-1.0, 1.0], [0.0, 1.0, 2.0], [-2.0, -1.0, 0.0]])
def test_other_labels_leave_nothing_to_say(make_sheet, codes):
    label = np.resize(codes, 42)
    sheet = make_sheet(a=numbers(42), b=numbers(42)[::-1], label=label)
    assert not sheet.findChild(Switch, "noise_switch").isVisible()
    assert f"({len(codes)} classes)" in summary(sheet)


def test_a_label_of_many_numbers_is_a_scale(make_sheet):
    sheet = make_sheet(a=numbers(60), b=numbers(60)[::-1], target=np.arange(60) / 7)
    assert "coloured by “target” (as a scale)" in summary(sheet)


def test_long_names_stay_different_and_keep_their_units(make_sheet):
    long = "mean_surface_temperature_of_the_{}_station_in_winter [degC]"
    names = [long.format("northern"), long.format("southern"), "alcohol"]
    sheet = make_sheet(**dict.fromkeys(names, numbers(40)))
    view, shown = sheet.findChild(QTableView, "import_columns"), []
    for row in range(3):
        index, option = view.model().index(row, 0), QStyleOptionViewItem()
        option.rect = view.visualRect(index)
        view.itemDelegateForColumn(0).initStyleOption(option, index)
        assert option.fontMetrics.horizontalAdvance(option.text) <= option.rect.width()
        shown.append(option.text)
    assert shown[0] != shown[1]
    assert all(text.endswith("[degC]") and "…" in text for text in shown[:2])
    assert shown[2] == "alcohol"


def test_what_a_column_holds_in_words():
    words = np.array(["1", "2", "x", None, "5"], dtype=object)
    found = np.array([1, 2, np.nan, np.nan, 5])
    assert describe_column(Column("a", words, "text", found)) == (
        "numbers, 1 odd cell, 1 missing"
    )
    assert describe_column(column("a", ["u", "v", "u"])) == "text, 2 values"
    assert describe_column(column("a", [1, 2, 2])) == "whole numbers, 2 values"
    assert describe_column(column("a", [0.5, 0.5])) == "constant numbers"
    assert describe_column(column("a", [np.nan])) == "nothing"


def test_numbers_that_can_be_read_in_two_ways_are_asked_about(qtbot):
    rows = "".join(f"{k + 1},{k * 31 % 900 + 100}\t{k % 7}\n" for k in range(20))
    table = read_text(f"people\tarea\n{rows}")
    sheet = ImportSheet(SheetContent(table, guess_import(table)))
    qtbot.addWidget(sheet)
    sheet.show()
    question = sheet.findChild(QLabel, "marks_text")
    assert question.isVisible()
    assert question.text() == "“1,100” in “people”: thousands or decimals?"
    assert sheet.findChild(QWidget, "marks_agree_button").isChecked()
    first = sheet.findChild(QTableView, "import_preview").model()
    assert first.index(0, 0).data() == "1100"
    press(sheet, "marks_other")
    assert first.index(0, 0).data() == "1.1"
    assert cells(sheet, "Holds")[0] == "numbers, 20 values"
    request = sheet.request()
    points = to_dataset(request.content.table, request.importing).points
    assert points[:2, 0].tolist() == [1.1, 2.131]
    assert request.content.options.decimals == (("people", ","),)
    # Another picture: the history must not take it for the old one.
    assert request.content.table.key != table.key


@pytest.mark.journey
def test_what_stands_above_the_rows_is_shown_and_chosen(qtbot, tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"s{k},{k % 5},{k * k % 7},{k % 3}.5\n" for k in range(20))
    path.write_text(f"Spectra of 2020\nid,400,418,436\n{rows}")
    table = read_table(path)

    def shown(**changes):
        content = SheetContent(replace(table, **changes), guess_import(table))
        sheet = ImportSheet(content)
        qtbot.addWidget(sheet)
        sheet.show()
        return sheet

    sheet = shown()
    assert sheet.findChild(QLabel, "top_note").text() == (
        "1 line above the table skipped (“Spectra of 2020”). The first row (id, 400, "
        "418, 436) is taken as names: its numbers rise evenly."
    )
    header, turn = (
        sheet.findChild(Switch, name) for name in ("header_switch", "transpose_switch")
    )
    assert (header.isChecked(), turn.isChecked()) == (True, False)
    asked = []
    sheet.part_requested.connect(asked.append)
    header.click()
    assert not sheet.isVisible()  # another one shows what is read then
    other = shown()
    other.part_requested.connect(asked.append)
    other.findChild(Switch, "transpose_switch").click()
    last = shown()
    last.part_requested.connect(asked.append)
    enter(last, "import_skip_field", "2")
    assert [(o.header, o.skip, o.transpose) for o in asked] == [
        (False, 1, False),
        (True, 1, True),
        (True, 2, False),
    ]
    # What was pasted long ago cannot be read again; other formats have no header.
    assert not shown(path=None).findChild(TopRow).isVisible()
    assert shown(top=None).findChild(Switch, "header_switch") is None


def cells(sheet: ImportSheet, heading: str) -> list[str]:
    model, section = roles(sheet), ColumnsModel.HEADINGS.index(heading)
    return [model.index(row, section).data() for row in range(model.rowCount())]


def test_a_former_label_is_never_a_feature(make_sheet):
    kinds = np.resize(["u", "v"], 40).tolist()
    sheet = make_sheet(a=numbers(40), kind=kinds, other=kinds[::-1], b=numbers(40) ** 3)
    assert cells(sheet, "Role")[1] == "Label"
    roles(sheet).set_role([2], "label")
    assert cells(sheet, "Role") == ["Feature", "Metadata", "Label", "Feature"]


def test_ids_and_years_are_opened_as_proposed(make_sheet, qtbot):
    sheet = make_sheet(
        patient_id=np.arange(5001.0, 5041), year=np.resize([2019.0, 2021], 40),
        a=numbers(40), b=numbers(40)[::-1],
    )  # fmt: skip
    asked = sheet.findChild(QLabel, "roles_text")
    assert asked.text() == (
        "Perhaps no measurements: “patient_id” holds a different whole number in every "
        "row: row name; “year” holds years, 2019 to 2021: metadata."
    )
    assert cells(sheet, "Role") == ["Row name?", "Metadata?", "Feature", "Feature"]
    assert summary(sheet) == "40 rows, 2 features."
    requests = []
    sheet.import_requested.connect(requests.append)
    qtbot.waitUntil(lambda: sheet.focusWidget() is not None)
    QTest.keyClick(sheet.focusWidget(), Qt.Key.Key_Return)
    assert [request.importing.columns("feature") for request in requests] == [
        ("a", "b")
    ]


@pytest.mark.parametrize(
    ("name", "all_text"), [("Treat as missing", False), ("", True)]
)
def test_return_presses_the_way_out_that_has_the_focus(name, all_text, qtbot):
    """It was the button below that it pressed: the same file, refused once more."""
    table = Table((column("a", numbers(40)), column("b", numbers(40))), "data")
    proposals = propose(table)
    error = OddCellError("“b” holds “oops”.", "oops")
    sheet = ImportSheet(
        SheetContent(table, proposals.settings, proposals=proposals, error=error)
    )
    qtbot.addWidget(sheet)
    sheet.show()
    sheet.activateWindow()
    qtbot.waitUntil(lambda: isinstance(sheet.focusWidget(), QPushButton))
    if not name:
        QTest.keyClick(sheet.focusWidget(), Qt.Key.Key_Tab)
    else:
        assert sheet.focusWidget().text() == name
    requests = []
    sheet.import_requested.connect(requests.append)
    QTest.keyClick(sheet.focusWidget(), Qt.Key.Key_Return)
    (request,) = requests
    assert request.importing.treat_text_as_missing == all_text
    assert ("oops" in request.importing.missing_words) != all_text


def press(sheet: ImportSheet, name: str) -> None:
    button = sheet.findChild(QWidget, f"{name}_button")
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_sentinels_and_totals_are_named_and_can_be_had_back(make_sheet):
    age = np.append(np.arange(20.0, 60), 5000)
    age[[3, 17]] = -999
    names = [*(f"p{k}" for k in range(40)), "Total"]
    a, b = numbers(41), numbers(41)[::-1] ** 2
    sheet = make_sheet(person=names, a=a, age=age, b=b)
    assert sheet.findChild(QLabel, "sentinels_text").text() == (
        "Perhaps gaps: “age” holds −999 in 2 rows, all others are between 20 and 59."
    )
    assert sheet.findChild(QLabel, "totals_text").text() == (
        "Perhaps no data: the last row is called “Total”."
    )
    assert (
        summary(sheet)
        == "38 rows (2 of 40 rows are left out: empty cells), 3 features."
    )
    press(sheet, "totals_other")
    assert (
        summary(sheet)
        == "39 rows (2 of 41 rows are left out: empty cells), 3 features."
    )
    press(sheet, "sentinels_other")
    assert summary(sheet) == "41 rows, 3 features."
    table = sheet.content.table
    assert to_dataset(table, sheet.settings()).points[:, 1].min() == -999
    press(sheet, "totals_agree")
    press(sheet, "sentinels_agree")
    assert to_dataset(table, sheet.settings()).n == 38


def shown(sheet: ImportSheet, line: int) -> tuple[str, str, str, int]:
    """Return the ends, what is missing and the cells in the bars of a column."""
    model = roles(sheet)
    ends = (model.index(line, j).data() for j in (3, 4, 5))
    return (*ends, sum(model.index(line, 2).data(BARS_ROLE)))


def test_columns_are_shown_as_the_answers_above_them_say(make_sheet):
    age = np.append(np.arange(20.0, 60), 5000)
    age[[3, 17]] = -999
    names = [*(f"p{k}" for k in range(40)), "Total"]
    sheet = make_sheet(person=names, age=age, b=numbers(41)[::-1] ** 2)
    assert shown(sheet, 1) == ("20", "59", "5 %", 38)
    press(sheet, "totals_other")
    assert shown(sheet, 1) == ("20", "5000", "5 %", 39)
    press(sheet, "sentinels_other")
    assert shown(sheet, 1) == ("−999", "5000", "0 %", 41)
    press(sheet, "totals_agree")
    assert shown(sheet, 1) == ("−999", "59", "0 %", 40)
    assert shown(sheet, 2)[3] == 40
    # A worker looks at long columns once, with every answer.
    table = Table((column("age", age),))
    settings = sheet.content.proposals.settings
    look_at_all(table, settings)
    assert len(table.column("age").looks) == 4


def test_remembered_answers_are_said_and_undone(make_sheet, qtbot):
    columns = {"a": numbers(40, 3), "year": np.resize([2019.0, 2021], 40)}
    sheet = make_sheet(**columns, b=numbers(40)[::-1])
    proposals = sheet.content.proposals
    roles(sheet).set_role([1], "label")
    sheet.findChild(Segmented, "missing_values").button("median").click()
    text = answers_text(proposals, sheet.settings())
    # As proposed there is nothing to remember, and nothing to say of what is odd.
    assert answers_text(proposals, proposals.settings) == ""
    assert recall_answers('{"roles": {"a": "king"}}', proposals) is None
    remembered = recall_answers(text, proposals)
    again = ImportSheet(
        replace(sheet.content, importing=remembered, remembered=remembered)
    )
    qtbot.addWidget(again)
    again.show()
    assert again.findChild(QLabel, "remembered_text").text() == (
        "The answers to the last file with these columns are used again."
    )
    assert cells(again, "Role") == ["Feature", "Label", "Feature"]
    assert again.settings().missing == "median"
    assert not again.findChild(QLabel, "roles_text").isVisible()
    press(again, "remembered_other")
    assert again.settings() == proposals.settings
    assert cells(again, "Role") == ["Feature", "Metadata?", "Feature"]
    assert again.findChild(QLabel, "roles_text").isVisible()
    press(again, "remembered_agree")
    assert again.settings() == remembered


def sheet_of(path, answers):
    return work(FileToRead(path, answers=answers), never, silent, print)


def test_a_file_is_read_as_the_last_one_with_its_columns(tmp_path, qtbot):
    path, answers = tmp_path / "a.csv", {}
    lines = [f"g{k};{k},5;{k * k % 7};1.{k:03d}" for k in range(100, 120)]
    path.write_text("gene;u;v;w\n" + "\n".join(lines))
    content = sheet_of(path, answers)
    assert not content.read_as_before
    table = content.table.answered(".", thousands=False)
    request = ImportRequest(replace(content, table=table), content.importing, "none")
    answers |= work(
        TableToImport(request, SessionSettings()), never, silent, print
    ).answers
    content = sheet_of(path, answers)
    assert content.read_as_before
    assert content.table.column("w").values[0] == 1.1
    again = FileToRead(path, options=ReadOptions(transpose=True), before=content)
    content = work(again, never, silent, print)
    request = ImportRequest(content, content.importing, "none")
    answers |= work(
        TableToImport(request, SessionSettings()), never, silent, print
    ).answers
    content = sheet_of(path, answers)
    assert content.table.n == 3
    sheet = ImportSheet(content)
    qtbot.addWidget(sheet)
    sheet.show()
    assert sheet.findChild(QLabel, "remembered_text").text() == (
        "The answers to the last file with these columns are used again."
    )
    options = []
    sheet.part_requested.connect(options.append)
    press(sheet, "remembered_other")
    assert options == [ReadOptions()]
    assert recall_reading('{"transpose": 3}') is None


def test_words_over_all_numbers_offer_to_transpose(tmp_path, qtbot):
    path = tmp_path / "genes.csv"
    lines = [f"g{k},{k},{k * k % 7},{k % 5}.5" for k in range(20)]
    path.write_text(
        "gene,N_00,N_01,T_00\ngroup,normal,normal,tumour\n" + "\n".join(lines)
    )
    sheet = ImportSheet(sheet_of(path, {}))
    qtbot.addWidget(sheet)
    sheet.show()
    assert sheet.findChild(QLabel, "transpose_text").text() == (
        "Row 1 holds words in every column: are the columns the samples?"
    )
    options = []
    sheet.part_requested.connect(options.append)
    press(sheet, "transpose_agree")
    assert [each.transpose for each in options] == [True]
    again = FileToRead(path, options=options[0], before=sheet.content)
    content = work(again, never, silent, print)
    assert content.importing.columns("label") == ("group",)
    assert not content.table.top_words
    lines[3] = "g3,one,2,3"
    path.write_text("gene,N_00,N_01,T_00\n" + "\n".join(lines))
    assert not read_table(path).top_words


def test_lines_that_do_not_fit_are_skipped_by_the_field_of_the_sheet(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("My title\nmeasured 2020\na,b\n" + "1,2\n3,4\n" * 20)
    content = sheet_of(path, {})
    again = FileToRead(path, options=ReadOptions(skip=0), before=content)
    error = str(work(again, never, silent, print).error)
    assert "or set Skip lines if" in error
    assert "--" not in error
    with pytest.raises(DataError, match="or give --skip if"):
        read_table(path, options=ReadOptions(skip=0))


@pytest.mark.parametrize("role", ["label", "name"])
def test_a_role_of_one_column_is_not_offered_to_several(make_sheet, role):
    sheet = make_sheet(**{f"m{k}": numbers(40) ** k for k in range(2, 5)})
    view = sheet.findChild(QTableView, "import_columns")
    button = sheet.findChild(QPushButton, f"{role}_role_button")
    view.selectRow(1)
    assert button.isEnabled()
    assert "this role (" in button.toolTip()
    view.selectAll()
    assert not button.isEnabled()
    assert button.toolTip() == "Only one column can have this role: select one"
    before = cells(sheet, "Role")
    QTest.keyClick(view, Qt.Key.Key_L if role == "label" else Qt.Key.Key_N)
    assert cells(sheet, "Role") == before
    assert sheet.findChild(QPushButton, "feature_role_button").isEnabled()


def test_every_column_shows_its_ends_gaps_and_histogram(make_sheet):
    kinds = np.resize(["u", "v", "w", "u"], 40).tolist()
    sheet = make_sheet(a=np.arange(40.0) ** 2, kind=kinds, b=numbers(40, 3, 5))
    assert cells(sheet, "Min") == ["0", "", "1"]
    assert cells(sheet, "Max") == ["1521", "", "6.325"]
    assert cells(sheet, "Missing") == ["0 %", "0 %", "5 %"]
    bars = [roles(sheet).index(row, 2).data(BARS_ROLE) for row in range(3)]
    expected, _ = np.histogram(np.arange(40.0) ** 2, 20)
    assert bars[0] == tuple(expected)
    assert bars[1] == (20, 10, 10)
    view = sheet.findChild(QTableView, "import_columns")
    cell = view.visualRect(roles(sheet).index(0, 2))
    picture = view.viewport().grab(cell).toImage()
    # The first bar of squares is the highest, the last one is low.
    middle = picture.height() // 2
    first, last = (picture.pixelColor(x, middle) for x in (5, picture.width() - 7))
    assert first != last


def test_several_columns_get_a_role_by_a_button(make_sheet):
    values = numbers(40)
    sheet = make_sheet(**{f"m{k}": values**k for k in range(2, 8)})
    view = sheet.findChild(QTableView, "import_columns")
    button = sheet.findChild(QPushButton, "ignore_role_button")
    assert button.text() == "Metadata"
    assert not button.isEnabled()
    for row, key in (
        (1, Qt.KeyboardModifier.NoModifier),
        (3, Qt.KeyboardModifier.ShiftModifier),
        (5, Qt.KeyboardModifier.ControlModifier),
    ):
        place = view.visualRect(view.model().index(row, 0)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, key, place)
    chosen = sheet.findChild(QLabel, "columns_selected").text()
    assert chosen == "Role of 4 selected columns"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert sheet.settings().columns("feature") == ("m2", "m6")


class CountedColumns(ColumnsModel):
    """Counts how often a line is asked for."""

    asked = 0

    def flags(self, index):
        self.asked += 1
        return super().flags(index)


def test_selecting_all_asks_no_line_that_is_out_of_sight(qtbot, qapp):
    many = tuple(Column(f"g{k}", np.arange(3.0) + k) for k in range(5000))
    table = Table(many, "wide")
    parent = QWidget()
    qtbot.addWidget(parent)
    model = CountedColumns(table, dict.fromkeys(table.names, "feature"), parent)
    columns = ColumnsList(model)
    qtbot.addWidget(columns)
    columns.show()
    columns.view.selectAll()
    qapp.processEvents()
    columns.grab()
    assert model.asked < 2000
    columns.findChild(QPushButton, "ignore_role_button").click()
    assert model.features() == []


def test_who_wants_years_as_features_says_so(make_sheet):
    columns = {"a": numbers(40), "year": np.resize([2019.0, 2020, 2021], 40)}
    sheet = make_sheet(**columns, b=numbers(40)[::-1])
    press(sheet, "roles_other")
    assert sheet.settings().columns("feature") == ("a", "year", "b")
    again = make_sheet(**columns, b=numbers(40)[::-1])
    # A role that is given by hand is an answer too.
    roles(again).set_role([1], "label")
    assert not again.findChild(QWidget, "roles_proposal").isVisible()


def test_roles_are_written_in_full(make_sheet):
    sheet = make_sheet(a=numbers(40), b=numbers(40)[::-1], c=numbers(40) ** 2)
    view = sheet.findChild(QTableView, "import_columns")
    room = view.columnWidth(1) - 2 * 4 - 12 - 4  # margins, arrow and what is between
    for title in ROLE_TITLES.values():
        assert view.fontMetrics().horizontalAdvance(f"{title}?") <= room


def test_columns_are_found_by_a_part_of_their_name(make_sheet, qtbot):
    values = numbers(40)
    genes = {f"gene_{k:04}": values**k for k in range(2, 60)}
    sheet = make_sheet(**genes, Age=values)
    field = sheet.findChild(QLineEdit, "columns_filter")
    QTest.keyClicks(field, "AGE")
    assert cells(sheet, "Column") == ["Age"]
    assert sheet.findChild(QLabel, "columns_found").text() == "1 of 59"
    view = sheet.findChild(QTableView, "import_columns")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert sheet.isVisible()
    view.selectAll()
    qtbot.waitUntil(view.hasFocus)
    QTest.keyClick(view, Qt.Key.Key_M)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert len(cells(sheet, "Column")) == 59
    settings = sheet.settings()
    assert settings.columns("ignore") == ("Age",)
    assert len(settings.columns("feature")) == 58


def test_a_sheet_in_large_type_leaves_its_buttons_on_the_screen(make_sheet, qapp):
    usual = qapp.font()
    large = qapp.font()
    large.setPixelSize(30)
    qapp.setFont(large)
    try:
        sheet = make_sheet(a=[1.0, 2.0], b=[2.0, 3.0])
        screen = sheet.screen().availableSize()
        assert sheet.width() <= screen.width()
        assert sheet.height() <= screen.height()
        sheet.resize(600, 400)
        assert (sheet.width(), sheet.height()) == (600, 400)
        accept = sheet.findChild(QPushButton, "import_accept")
        corner = accept.mapTo(sheet, accept.rect().bottomRight())
        assert sheet.rect().contains(corner)
    finally:
        qapp.setFont(usual)
