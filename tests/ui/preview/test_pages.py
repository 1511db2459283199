"""Every widget stands alone: made, shown and painted in one of the themes."""

import inspect

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from kpca_viewer.widgets.theme import DARK, LIGHT
from tools.preview import plots, widgets
from tools.preview.__main__ import main
from tools.preview.pages import MARGIN, PAGES, picture, preview


def painted(image: QImage, paper: str) -> np.ndarray:
    """Return which pixels have another colour than the paper, shape (h, w)."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32) & 0xFFFFFF
    different = pixels != QColor(paper).rgb() & 0xFFFFFF
    return different.reshape(image.height(), image.width())


@pytest.mark.journey
@pytest.mark.parametrize(
    ("name", "theme"),
    [(name, (LIGHT, DARK)[place % 2]) for place, name in enumerate(PAGES)],
    ids=list(PAGES),
)
def test_a_page_is_painted(qtbot, name, theme):
    window = preview(PAGES[name], theme)
    qtbot.addWidget(window)
    image = picture(window)
    different = painted(image, theme.window)
    rows, columns = different.any(axis=1), different.any(axis=0)
    # Nothing outside of the widget, and more than a speck inside.
    for edge in (rows[:MARGIN], rows[-MARGIN:], columns[:MARGIN], columns[-MARGIN:]):
        assert not edge.any()
    assert columns.sum() > 0.3 * len(columns)
    assert rows.sum() >= 8


def test_every_sample_has_a_page_with_a_line():
    made = [
        function
        for module in (plots, widgets)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    ]
    assert {page.make for page in PAGES.values()} == set(made)
    assert len(PAGES) == len(made)
    for page in PAGES.values():
        assert page.about.endswith(".")
        assert "\n" not in page.about


def test_without_a_name_all_are_listed(capsys):
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(PAGES)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("heatmap", "did you mean heat-map?"),
        ("strip", "did you mean sweep-strip?"),
        ("xyzzy", "without a name, all are listed."),
    ],
)
def test_an_unknown_name_gets_one_sentence(capsys, name, remedy):
    assert main([name]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"There is no widget “{name}”; {remedy}\n")


def test_a_picture_is_saved_where_there_is_no_screen(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    path = tmp_path / "a.png"
    words = ["switch", "--theme", "dark", "--size", "300x40", "--save", str(path)]
    assert main(words) == 0
    image = QImage(str(path))
    assert (image.width(), image.height()) == (300 + 2 * MARGIN, 40 + 2 * MARGIN)
    assert image.pixelColor(1, 1) == QColor(DARK.window)


def test_without_a_screen_a_picture_is_offered(capsys, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert main(["board"]) == 2
    assert "add --save FILE" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["big", "0x100", "100", "100x-1"])
def test_a_size_that_is_none(capsys, size):
    with pytest.raises(SystemExit) as end:
        main(["switch", "--size", size])
    assert end.value.code == 2
    assert f"{size} is not WIDTHxHEIGHT" in capsys.readouterr().err
