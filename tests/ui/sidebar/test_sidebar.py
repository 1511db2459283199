"""Cards, kernel line and looks show settings and turn every edit into a request."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.preparation import SCALING_TITLES
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.support.numerals import percent
from kpca_viewer.widgets.controls import NumberRow, Switch
from kpca_viewer.widgets.controls.behaviour import is_dimmed
from kpca_viewer.widgets.controls.combos import named_combo
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.widgets.style import style_sheet
from kpca_viewer.widgets.theme import LIGHT
from kpca_viewer.window.kernel_bar import KernelBar
from kpca_viewer.window.sidebar.appearance_card import LooksPanel
from kpca_viewer.window.sidebar.components_card import SOLVERS
from kpca_viewer.window.sidebar.sidebar import Sidebar

START = SessionSettings()


class Controls(QWidget):
    """Everything that sets something, as it stands around the plots."""

    def __init__(self, changes):
        super().__init__()
        self.cards_column = Sidebar(changes)
        self.cards = self.cards_column.cards
        self.kernel_bar = KernelBar(changes)
        self.parts = (self.cards_column, self.kernel_bar, LooksPanel(changes))
        layout = QVBoxLayout(self)
        for part in self.parts:
            layout.addWidget(part)

    def show_scene(self, scene):
        for part in self.parts:
            part.show_scene(scene)


@pytest.fixture
def sidebar(qtbot):
    changes = Changes()
    sidebar = Controls(changes)
    qtbot.addWidget(sidebar)
    sidebar.changes = []
    sidebar.gestures = []
    sidebar.ends = []
    changes.settings_requested.connect(
        lambda settings, gesture: (
            sidebar.changes.append(settings),
            sidebar.gestures.append(gesture),
        )
    )
    changes.gesture_ended.connect(lambda: sidebar.ends.append(True))
    show(sidebar, START, None)
    return sidebar


def show(sidebar, settings, result):
    sidebar.show_scene(Scene().changed(settings=settings, result=result))


def unfold(sidebar):
    """Open every card."""
    for card in sidebar.cards:
        card.set_collapsed(False)


def row_of(sidebar, name) -> NumberRow:
    """Return the row of a parameter; hidden ones are about to be removed."""
    rows = sidebar.findChildren(NumberRow, f"{name}_row")
    (shown,) = (row for row in rows if not row.isHidden())
    return shown


def test_more_samples_than_the_slider_offers_can_be_typed(sidebar):
    field = sidebar.findChild(QWidget, "samples_field")
    field.selectAll()
    QTest.keyClicks(field, "250000")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert dict(sidebar.changes[-1].data.values)["samples"] == 250_000
    show(sidebar, sidebar.changes[-1], None)
    assert row_of(sidebar, "samples").value() == 250_000


def test_values_suggested_for_other_data_are_dimmed_until_new_ones_come(
    sidebar, answer
):
    def dimmed():
        formula = sidebar.findChild(QWidget, "kernel_formula")
        return [is_dimmed(part) for part in (row_of(sidebar, "gamma"), formula)]

    before = answer(START)
    other = replace(START, data=DataSettings("iris"))
    own = replace(other, kernel=other.kernel.with_value("gamma", 2.0))
    show(sidebar, START, before)
    waiting = Scene().changed(settings=other, result=before)
    for scene, expected in (
        (waiting, False),
        (waiting.changed(stale="Circles"), True),
        (waiting.changed(settings=own, stale="Circles"), False),
        (waiting.changed(stale="Circles"), True),
        (waiting.changed(result=answer(other)), False),
    ):
        sidebar.show_scene(scene)
        assert dimmed() == [expected] * 2


EVERY_SETTING = [
    *(replace(START, data=DataSettings.of_source(key)) for key in GENERATORS),
    *(replace(START, kernel=KernelSettings(name)) for name in FAMILIES),
    *(replace(START, data=replace(START.data, scaling=key)) for key in SCALING_TITLES),
    *(replace(START, analysis=AnalysisSettings(solver=key)) for _, key in SOLVERS),
    replace(START, data=DataSettings("moons", as_values({"samples": 55}), seed=9)),
    replace(START, kernel=KernelSettings("rbf", as_values({"gamma": 1e-9}))),
    replace(START, kernel=KernelSettings("matern", as_values({"nu": 2.5}))),
    replace(START, analysis=AnalysisSettings(components=50, center=False)),
    START.with_normalisation(False),
    START.with_centred_new_rows(False),
    replace(START, view=ViewSettings(axes=(4, 9, 0), embedding_3d=True)),
    replace(START, view=ViewSettings(color_by="component:3", point_size=19)),
    replace(START, view=ViewSettings(color_by="column:none", motion=False)),
    replace(START, view=ViewSettings(isolines=False, spectrum="log")),
]


@pytest.mark.journey
def test_showing_any_setting_requests_nothing(sidebar, answer, qtbot):
    results = [None, answer(START), answer(SessionSettings(data=DataSettings("iris")))]
    sidebar.show()
    for result in results:
        for settings in EVERY_SETTING:
            show(sidebar, settings, result)
    show(sidebar, START, answer(START))
    assert sidebar.changes == []
    assert sidebar.ends == []


def test_every_setting_is_seen_in_its_control(sidebar, answer):
    settings = SessionSettings(
        data=DataSettings("moons", as_values({"samples": 55}), 9, "minmax"),
        kernel=KernelSettings("poly", as_values({"gamma": 2, "degree": 4})),
        analysis=AnalysisSettings(components=12, center=False, solver="dense"),
        view=ViewSettings(
            axes=(2, 0, 5),
            embedding_3d=True,
            color_by="feature:1",
            point_size=11,
            isolines=False,
            motion=False,
        ),
    )
    show(sidebar, settings, answer(settings))
    unfold(sidebar)
    chosen = {
        name: sidebar.findChild(QComboBox, name).currentData()
        for name in (
            "source_combo",
            "scaling_combo",
            "kernel_combo",
            "solver_combo",
            "x_axis_combo",
            "y_axis_combo",
            "z_axis_combo",
            "color_combo",
        )
    }
    assert list(chosen.values()) == [
        "moons",
        "minmax",
        "poly",
        "dense",
        2,
        0,
        5,
        "feature:1",
    ]
    for name, value in (("samples", 55), ("gamma", 2), ("degree", 4), ("coef0", 1)):
        assert row_of(sidebar, name).value() == value
    assert sidebar.findChild(NumberRow, "components_row").value() == 12
    assert sidebar.findChild(NumberRow, "point_size_row").value() == 11
    for name in ("center_switch", "isolines_switch", "motion_switch"):
        assert not sidebar.findChild(Switch, name).isChecked()
    assert sidebar.findChild(QWidget, "seed_field").value() == 9


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("scaling_combo", "unit", replace(START.data, scaling="unit")),
        ("kernel_combo", "sigmoid", KernelSettings("sigmoid")),
        ("solver_combo", "krylov", AnalysisSettings(solver="krylov")),
        ("y_axis_combo", 7, ViewSettings(axes=(0, 7, 2))),
        ("color_combo", "none", ViewSettings(color_by="none")),
    ],
)
def test_a_choice_is_a_request_for_just_that(sidebar, answer, name, data, expected):
    show(sidebar, START, answer(START))
    unfold(sidebar)
    combo = sidebar.findChild(QComboBox, name)
    combo.setCurrentIndex(combo.findData(data))
    (request,) = sidebar.changes
    assert sidebar.gestures == [None]
    changed = [
        getattr(request, part)
        for part in ("data", "kernel", "analysis", "view")
        if getattr(request, part) != getattr(START, part)
    ]
    assert changed == [expected]


def test_another_source_keeps_the_seed_and_forgets_the_axes(sidebar):
    show(
        sidebar,
        replace(
            START, data=replace(START.data, seed=5), view=ViewSettings(axes=(3, 4, 5))
        ),
        None,
    )
    combo = sidebar.findChild(QComboBox, "source_combo")
    combo.setCurrentIndex(combo.findData("wine"))
    (request,) = sidebar.changes
    assert request.data == DataSettings.of_source("wine", seed=5)
    assert request.view.axes == (0, 1, 2)


def test_the_separator_of_the_sources_is_no_source(sidebar):
    combo = sidebar.findChild(QComboBox, "source_combo")
    nothing = [i for i in range(combo.count()) if combo.itemData(i) is None]
    assert len(nothing) == 1
    combo.setCurrentIndex(nothing[0])
    assert sidebar.changes == []


def test_a_number_is_a_gesture_with_an_end(sidebar, answer):
    show(sidebar, START, answer(START))
    row = row_of(sidebar, "gamma")
    row.slider.setSliderDown(True)
    row.slider.setSliderPosition(row.slider.maximum())
    row.slider.setSliderPosition(row.slider.minimum())
    suggested = answer(START).suggested["gamma"]
    gammas = [dict(w.kernel.values)["gamma"] for w in sidebar.changes]
    # The distances of the data decide how far it reaches.
    assert gammas == pytest.approx([100 * suggested, suggested / 100], rel=0.01)
    assert set(sidebar.gestures) == {"kernel_bar.gamma"}
    assert sidebar.ends == []
    row.slider.reset_requested.emit()
    assert sidebar.ends == [True]


def test_a_value_is_not_called_suggested_before_that_is_known(sidebar, answer):
    button = sidebar.findChild(QPushButton, "suggest_button")
    chosen = replace(START, kernel=START.kernel.with_value("gamma", 4.0))
    show(sidebar, chosen, None)
    assert (button.text(), button.isEnabled()) == ("Suggest γ", False)
    show(sidebar, chosen, answer(chosen))
    assert button.text().startswith("Suggest γ = ")


def test_a_suggestion_is_offered_only_where_a_value_is_set(sidebar, answer):
    button = sidebar.findChild(QPushButton, "suggest_button")
    show(sidebar, START, answer(START))
    assert not button.isEnabled()
    assert button.text() == "γ as suggested"
    own = replace(START, kernel=KernelSettings("rbf", as_values({"gamma": 10})))
    show(sidebar, own, answer(own))
    assert button.isEnabled()
    assert button.text() == "Suggest γ = 3.81"
    button.click()
    assert sidebar.changes[-1].kernel == KernelSettings("rbf")
    # The same number by hand needs no suggestion.
    same = {"gamma": answer(START).suggested["gamma"]}
    typed = replace(START, kernel=KernelSettings("rbf", as_values(same)))
    show(sidebar, typed, answer(typed))
    assert not button.isEnabled()


def test_a_suggestion_stands_beside_the_slider_it_is_about(sidebar, answer):
    own = KernelSettings("poly", as_values({"gamma": 10, "degree": 3}))
    show(sidebar, replace(START, kernel=own), answer(replace(START, kernel=own)))
    assert sidebar.findChild(QPushButton, "suggest_button").isHidden()
    button = sidebar.findChild(QPushButton, "suggest_other_button")
    assert button.text().startswith("Suggest γ = ")
    button.click()
    kept = dict(sidebar.changes[-1].kernel.values)
    assert "gamma" not in kept
    assert kept["degree"] == 3
    show(sidebar, START, answer(START))
    assert button.isHidden()


def test_the_offer_of_a_suggestion_moves_nothing(sidebar, answer):
    sidebar.resize(900, 900)
    sidebar.show()
    slider = sidebar.findChild(QWidget, "gamma_slider")
    places = []
    for values in ({}, {"gamma": 10}, {"gamma": 0.2}):
        own = replace(START, kernel=KernelSettings("rbf", as_values(values)))
        show(sidebar, own, answer(own))
        sidebar.kernel_bar.layout().activate()
        places.append((slider.mapTo(sidebar, slider.pos()), slider.size()))
    assert places == [places[0]] * 3
    show(sidebar, replace(START, kernel=KernelSettings("linear")), None)
    assert sidebar.findChild(QPushButton, "suggest_button").isHidden()


def test_what_other_data_suggest_is_not_shown(sidebar, answer):
    show(sidebar, SessionSettings(data=DataSettings("iris")), answer(START))
    assert row_of(sidebar, "gamma").suggestion() is None
    formula = sidebar.findChild(QWidget, "kernel_formula")
    assert "Feature space: infinite-dimensional" in formula.toolTip()


def test_the_width_of_the_kernel_in_every_notation(sidebar):
    settings = replace(START, kernel=KernelSettings("rbf", as_values({"gamma": 2})))
    show(sidebar, settings, None)
    formula = sidebar.findChild(QWidget, "kernel_formula")
    lines = formula.toolTip().splitlines()
    assert lines[:2] == ["σ = 0.5 (γ = 1/2σ²)", "σ = 0.707 (γ = 1/σ²)"]
    show(sidebar, replace(START, kernel=KernelSettings("linear")), None)
    assert "σ" not in formula.toolTip()


def test_the_formula_follows_the_values(sidebar, answer, qtbot):
    settings = replace(START, kernel=KernelSettings("rbf", as_values({"gamma": 2.5})))
    label = sidebar.findChild(QWidget, "kernel_formula")
    # Plain before there is a picture, which typesetting must not hold up.
    show(sidebar, settings, None)
    assert "2.5" in label.accessibleName()
    assert not label.is_typeset()
    show(sidebar, settings, answer(settings))
    assert "2.5" in label.latex()
    qtbot.waitUntil(label.is_typeset)


@pytest.mark.parametrize(
    ("source", "shown"),
    [("circles", "Class"), ("s_curve", "position"), ("three_points", "One colour")],
)
def test_the_colour_that_is_shown_is_the_one_that_is_named(
    sidebar, answer, source, shown
):
    settings = SessionSettings(data=DataSettings.of_source(source))
    show(sidebar, settings, answer(settings))
    assert sidebar.findChild(QComboBox, "color_combo").currentText() == shown


def test_no_share_is_negative_by_rounding(sidebar, answer):
    settings = SessionSettings(
        data=DataSettings("three_points"),
        kernel=KernelSettings("poly", as_values({"gamma": 1, "degree": 2, "coef0": 0})),
    )
    show(sidebar, settings, answer(settings))
    unfold(sidebar)
    combo = sidebar.findChild(QComboBox, "x_axis_combo")
    texts = [combo.itemText(i) for i in range(combo.count())]
    assert texts == ["PC 1  (100.0 %)", "PC 2  (0.0 %)"]


def test_switching_sources_back_and_forth_leaves_the_rows_whole(sidebar, qtbot, qapp):
    sidebar.show()
    for key in ("wine", "circles", "digits", "spirals", "three_points", "moons"):
        show(sidebar, SessionSettings(data=DataSettings.of_source(key)), None)
        qapp.processEvents()
        wanted = {p.name for p in GENERATORS[key].parameters}
        rows = sidebar.cards[0].findChildren(NumberRow)
        shown = {row.parameter.name for row in rows if not row.isHidden()}
        assert shown == wanted


def test_a_combo_shortens_what_it_cannot_show(qtbot):
    combo = named_combo("feature_combo", "Feature", "Which feature is shown.")
    qtbot.addWidget(combo)
    combo.setStyleSheet(style_sheet(LIGHT))
    combo.addItems(["mean fractal dimension", "x"])
    combo.resize(110, 28)
    combo.show()
    qtbot.waitExposed(combo)
    # Names often differ at their end.
    start, end = combo.shown_text().split("…")
    assert start == "mean fractal dimension"[: len(start)] != ""
    assert end == "mean fractal dimension"[-len(end) :] != ""
    painted = combo.grab().toImage()
    combo.resize(400, 28)
    assert combo.shown_text() == "mean fractal dimension"
    # The same words, cut short by hand, look the same.
    combo.resize(110, 28)
    combo.setItemText(0, combo.shown_text())
    assert combo.grab().toImage() == painted


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_the_list_of_a_narrow_combo_shows_whole_names(qtbot):
    combo = named_combo("feature_combo", "Feature", "Which feature is shown.")
    qtbot.addWidget(combo)
    combo.setStyleSheet(style_sheet(LIGHT))
    combo.addItems(["mean fractal dimension", "x"])
    combo.resize(110, 28)
    with qtbot.waitExposed(combo):
        combo.show()
    combo.showPopup()
    room = combo.view().viewport().width()
    assert room >= combo.view().sizeHintForColumn(0)
    combo.hidePopup()


def test_a_folded_card_is_filled_when_it_is_opened(sidebar, answer, qapp):
    sidebar.show()
    card = sidebar.findChild(QWidget, "components_card")
    combo = sidebar.findChild(QComboBox, "x_axis_combo")
    small = replace(START, analysis=AnalysisSettings(components=3))

    def offered(settings):
        share = answer(settings).shares[0]
        assert card.isVisible()
        assert combo.isVisible()
        assert combo.itemText(0) == f"PC 1  ({percent(share)})"
        return combo.count()

    show(sidebar, START, answer(START))
    assert combo.count() == 0
    QTest.mouseClick(card.header, Qt.MouseButton.LeftButton)
    assert offered(START) == 10
    show(sidebar, small, answer(small))
    assert offered(small) == 3
    QTest.mouseClick(card.header, Qt.MouseButton.LeftButton)
    show(sidebar, START, answer(START))
    assert combo.count() == 3
    card.set_collapsed(False)
    assert offered(START) == 10
    assert not sidebar.changes


def test_only_the_cards_in_which_something_differs_are_filled(sidebar, answer):
    unfold(sidebar)
    filled = []
    for card in sidebar.cards:

        def counted(card=card, refresh=card.refresh):
            filled.append(card.objectName())
            refresh()

        card.refresh = counted
    gamma = replace(START, kernel=KernelSettings("rbf", as_values({"gamma": 3})))
    scene = Scene().changed(settings=START, result=answer(START))
    for next_scene, differing in (
        (scene, {"data_card", "kernel_card", "components_card", "appearance_card"}),
        (scene.changed(), set()),
        # The hand, and then the answer: shares of other components.
        (scene.changed(settings=gamma), {"kernel_card"}),
        (
            scene.changed(settings=gamma, result=answer(gamma)),
            {"components_card"},
        ),
    ):
        filled.clear()
        sidebar.show_scene(next_scene)
        assert set(filled) == differing
        assert len(filled) == len(differing)


def test_a_film_is_seen_in_the_cards_but_requests_start_from_what_is_set(
    sidebar, answer
):
    played = replace(START, kernel=KernelSettings("rbf", as_values({"gamma": 3})))
    scene = Scene().changed(settings=START, result=answer(START), played=played)
    sidebar.show_scene(scene)
    assert row_of(sidebar, "gamma").value() == 3
    sidebar.findChild(Switch, "center_switch").click()
    assert sidebar.changes == [START.with_center(False)]
    sidebar.show_scene(scene.changed(played=None))
    assert row_of(sidebar, "gamma").value() != 3
