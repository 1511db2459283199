"""Formulas are typeset, fit, and fall back to plain text."""

import logging
import subprocess
import sys

import pytest
from PySide6.QtGui import QColor

from kpca_viewer.ui.controls import FormulaLabel
from kpca_viewer.ui.controls.typesetting import typeset
from kpca_viewer.ui.theme import DARK, LIGHT, palette

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

RBF = r"k(x, y) = \exp\left(-\gamma\,\lVert x-y\rVert^2\right)"
typeset("x")  # loaded, so that every label here sets its formula at once
PLAIN = "k(x, y) = exp(−γ ‖x − y‖²)"
FORMULAS = [
    RBF,
    r"k(x, y) = x^\top y",
    r"k(x, y) = (\gamma\, x^\top y + c)^{p}",
    r"k(x, y) = \exp\left(-\gamma\,\lVert x-y\rVert_1\right)",
    r"k(x, y) = \left(1 + \frac{\lVert x-y\rVert^2}{2 a \ell^2}\right)^{-a}",
    r"k(x, y) = \tanh(\gamma\, x^\top y + c)",
    r"k(x, y) = \frac{x^\top y}{\lVert x\rVert\,\lVert y\rVert}",
    r"\tilde{K} = H K H",
]


@pytest.fixture
def formula(qtbot):
    label = FormulaLabel(RBF, PLAIN)
    qtbot.addWidget(label)
    label.resize(label.sizeHint())
    return label


def inked_columns(label, theme):
    """The columns of pixels that are nearer to the text than to the window."""
    label.setPalette(palette(theme))
    image = label.grab().toImage()
    ink, paper = QColor(theme.text).lightness(), QColor(theme.window).lightness()

    def inked(x, y):
        lightness = image.pixelColor(x, y).lightness()
        return abs(lightness - ink) < abs(lightness - paper)

    return [
        x
        for x in range(image.width())
        if any(inked(x, y) for y in range(image.height()))
    ]


@pytest.mark.parametrize("latex", FORMULAS)
def test_our_formulas_can_be_set(latex):
    assert typeset(latex) is not None


def test_accessible(formula):
    assert formula.is_typeset()
    assert formula.accessibleName() == PLAIN
    assert formula.latex() == RBF


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_drawn_in_the_colour_of_the_theme(formula, theme):
    columns = inked_columns(formula, theme)
    assert min(columns) < 10
    assert max(columns) > 0.9 * formula.width()


def test_shrinks_to_the_width_there_is(formula):
    natural = formula.sizeHint()
    narrow = natural.width() // 2
    height = formula.heightForWidth(narrow)
    assert height < natural.height()
    formula.resize(narrow, height)
    columns = inked_columns(formula, LIGHT)
    assert max(columns) < narrow
    assert max(columns) > 0.8 * narrow
    assert formula.heightForWidth(10 * natural.width()) == natural.height()


def test_grows_with_the_type(formula):
    before = formula.sizeHint().width()
    font = formula.font()
    font.setPixelSize(2 * formula.fontInfo().pixelSize())
    formula.setFont(font)
    assert formula.sizeHint().width() == pytest.approx(2 * before, rel=0.05)


def test_falls_back_to_plain_text(qtbot, caplog):
    with caplog.at_level(logging.WARNING):
        label = FormulaLabel(r"\frac{", "one half")
    qtbot.addWidget(label)
    assert "cannot be typeset" in caplog.text
    assert not label.is_typeset()
    assert label.accessibleName() == "one half"
    label.resize(label.sizeHint())
    blank = FormulaLabel("", "")
    qtbot.addWidget(blank)
    blank.resize(label.size())
    assert label.grab().toImage() != blank.grab().toImage()
    assert label.heightForWidth(30) > label.heightForWidth(300)


def test_another_formula(formula, qtbot):
    before = formula.sizeHint()
    formula.set_formula(r"x^\top y", "xᵀy")
    assert formula.accessibleName() == "xᵀy"
    qtbot.waitUntil(lambda: formula.sizeHint().width() < before.width())


def test_a_stream_of_formulas_ends_with_the_last(formula, qtbot):
    for number in range(30):
        formula.set_formula(rf"\gamma = {number}")
    # Those in between would only have held up the slider that made them.
    assert formula._stale
    with qtbot.waitSignal(formula._pause.timeout):
        pass
    assert not formula._stale
    last = FormulaLabel(r"\gamma = 29")
    qtbot.addWidget(last)
    assert formula.sizeHint() == last.sizeHint()


def test_disabled_is_fainter(formula):
    formula.setPalette(palette(LIGHT))
    normal = formula.grab().toImage()
    formula.setEnabled(False)
    assert formula.grab().toImage() != normal


def test_the_typesetter_is_loaded_only_when_needed():
    code = "import sys, kpca_viewer.ui.controls; sys.exit('ziamath' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_first_formula_does_not_keep_the_window_waiting():
    code = """
from PySide6.QtWidgets import QApplication
app = QApplication([])
from kpca_viewer.ui.controls import FormulaLabel
from kpca_viewer.ui.controls.typesetting import typesetter
label = FormulaLabel("x^2", "x squared")
assert not label.is_typeset()
typesetter._thread.join()
app.processEvents()
assert label.is_typeset()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
