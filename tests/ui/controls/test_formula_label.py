"""Formulas are typeset, fit, and fall back to plain text."""

import logging
import subprocess
import sys

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor
from PySide6.QtTest import QSignalSpy

from kpca_viewer.widgets.controls import FormulaLabel, formula_label
from kpca_viewer.widgets.controls.formula_label import typeset, typesetter
from kpca_viewer.widgets.theme import DARK, LIGHT, palette

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

RBF = r"k(x, y) = \exp\left(-\gamma\,\lVert x-y\rVert^2\right)"
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


@pytest.fixture(autouse=True)
def short_rest(monkeypatch):
    monkeypatch.setattr(formula_label, "REST_MS", 20)


@pytest.fixture
def formula(qtbot):
    label = FormulaLabel(RBF, PLAIN)
    qtbot.addWidget(label)
    settle(qtbot, label)
    label.resize(label.sizeHint())
    return label


def settle(qtbot, label):
    """Wait until the label draws the formula that it was given last."""
    if not label.is_settled():
        with qtbot.waitSignal(label.settled):
            pass


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
        settle(qtbot, label)
    assert "cannot be typeset" in caplog.text
    assert not label.is_typeset()
    assert label.accessibleName() == "one half"
    label.resize(label.sizeHint())
    blank = FormulaLabel("", "")
    qtbot.addWidget(blank)
    blank.resize(label.size())
    assert label.grab().toImage() != blank.grab().toImage()
    assert label.heightForWidth(30) > label.heightForWidth(300)


def test_the_formula_before_stays_until_the_next_is_set(formula, qtbot):
    before = formula.sizeHint()
    formula.set_formula(r"x^\top y", "xᵀy")
    assert formula.accessibleName() == "xᵀy"
    assert formula.is_typeset()
    assert not formula.is_settled()
    assert formula.sizeHint() == before
    settle(qtbot, formula)
    assert formula.is_typeset()
    assert formula.sizeHint().width() < before.width()


def test_a_stream_of_formulas_ends_with_the_last(formula, qtbot):
    asked = QSignalSpy(typesetter.finished)
    for number in range(30):
        formula.set_formula(rf"\gamma = {number}")
    settle(qtbot, formula)
    # The thread that sets formulas tells the label first, then whoever looks on.
    qtbot.waitUntil(lambda: asked.count() > 0)
    # Those before would only have held up the picture that they are about.
    assert [asked.at(i)[0] for i in range(asked.count())] == [r"\gamma = 29"]
    last = FormulaLabel(r"\gamma = 29")
    qtbot.addWidget(last)
    settle(qtbot, last)
    assert formula.sizeHint() == last.sizeHint()


def test_a_formula_that_is_about_to_change_is_faint(formula, qtbot):
    formula.resize(formula.sizeHint())
    strong = formula.grab().toImage()
    formula.set_formula(formula.latex() + " + 1")
    assert formula.grab().toImage() != strong
    settle(qtbot, formula)
    assert not formula.findChild(QTimer).isActive()


def test_the_formula_that_is_there_does_not_become_faint(formula):
    before = formula.grab().toImage()
    formula.set_formula(RBF, PLAIN)
    assert formula.grab().toImage() == before


def test_no_formula_takes_the_last_one_away(formula, qtbot):
    # Listened for from the start: the thread may be quicker than this one.
    with qtbot.waitSignal(typesetter.finished):
        formula.set_formula(r"\gamma = 1")
        qtbot.waitUntil(lambda: not formula.findChild(QTimer).isActive())
        formula.set_formula("", "")
        assert formula.is_settled()
        assert not formula.is_typeset()
    # The formula came that nobody wants any more.
    assert not formula.is_typeset()


def test_another_theme_recolours_at_once(formula):
    formula.setPalette(palette(LIGHT))
    light = formula.grab().toImage()
    formula.setPalette(palette(DARK))
    assert formula.is_settled()
    assert formula.grab().toImage() != light


def test_disabled_is_fainter(formula):
    formula.setPalette(palette(LIGHT))
    normal = formula.grab().toImage()
    formula.setEnabled(False)
    assert formula.grab().toImage() != normal


@pytest.mark.journey
def test_the_first_formula_does_not_keep_the_window_waiting():
    code = """
import sys
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication
app = QApplication([])
from kpca_viewer.widgets.controls import FormulaLabel
# A thread may load it from the first label on.
assert "ziamath" not in sys.modules
label = FormulaLabel("x^2", "x squared")
assert not label.is_typeset()
while not label.is_settled():
    app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
assert label.is_typeset()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
