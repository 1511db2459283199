"""The strip: one line, then a film that fills up, is pointed at, stepped and played."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QPoint, QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.engine.sweep.scoring import Yardstick
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings
from kpca_viewer.features.sweep.compute import SweepPoints
from kpca_viewer.features.sweep.curve import RIGHT, left_room
from kpca_viewer.features.sweep.film_view import FilmView, Player
from kpca_viewer.features.sweep.text import running_text, sheet_title
from kpca_viewer.widgets.plots.text import plot_font, text_width
from kpca_viewer.widgets.style import apply_theme
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.ui.sweep.conftest import peaked, show

LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("width", [560, 640, 1030])
def test_it_fits_below_the_stage(strip, swept, width, qtbot):
    strip.show_result(swept)
    strip.show_stale("the settings have changed")
    strip.resize(width, strip.sizeHint().height())
    assert strip.sizeHint().height() <= 150
    assert strip.minimumSizeHint().width() <= width
    combo = strip.measure_combo
    text = combo.fontMetrics().horizontalAdvance(combo.currentText())
    qtbot.waitUntil(lambda: combo.width() >= text + 30)
    qtbot.waitUntil(lambda: strip.progress.shown_text() == strip.progress.text())
    assert strip.speed.isVisible()
    strip.range.click()
    qtbot.waitUntil(strip.setup.second.parameter.isVisible)


def test_buttons(done, heard, swept):
    assert not done.setup.isVisible()
    for button in (done.export, done.pin, done.range, done.setup.start):
        button.click()
    assert done.setup.isVisible()
    assert heard.others == ["export", "pin"]
    assert heard.started == [swept.sweep]
    assert not done.cancel.isVisible()


def pixel_of(strip, position, y=20):
    left = left_room()
    width = strip.film.width() - left - RIGHT
    return QPoint(round(left + (position + 0.5) * width / strip.film.points.count), y)


@pytest.fixture
def large_type(qapp):
    apply_theme(qapp, LIGHT, 2.2)
    yield
    apply_theme(qapp, LIGHT)


@pytest.mark.journey
def test_numbers_and_words_of_large_type_have_room(done, request):
    film = done.film
    before = film.height()
    request.getfixturevalue("large_type")
    font = plot_font(pixels=11)
    line = QFontMetricsF(font).height()
    assert left_room() >= text_width("100.0 %", font) + 6
    picture = film.picture_rect(0, 9, QSizeF(film.size()))
    # The largest and the smallest value, and what they are held against.
    assert picture.top() >= 3 * line
    assert film.height() - picture.bottom() >= line
    assert picture.height() >= 38
    assert film.height() > before


def test_the_wheel_turns_nothing_that_has_no_focus(done, heard):
    strip, setup = done, done.setup
    strip.film.setFocus()
    for combo in (strip.measure_combo, strip.speed, setup.first.parameter):
        before = combo.currentIndex()
        where = QPointF(combo.rect().center())
        down, none = QPoint(0, -120), Qt.MouseButton.NoButton
        wheel = QWheelEvent(
            where,
            QPointF(combo.mapToGlobal(where.toPoint())),
            QPoint(),
            down,
            none,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(combo, wheel)
        assert combo.currentIndex() == before
    assert heard.nothing


def test_play_starts_what_is_not_there_and_plays_it_then(strip, swept, heard):
    strip.toggle_play()
    assert heard.started == [SweepSettings("gamma", 0.1, 10, 30)]
    strip.show_sweep(swept.sweep)
    strip.show_state("running")
    assert not strip.playing
    strip.show_result(swept)
    assert strip.playing
    strip.toggle_play()
    # Once is once: the next result does not play by itself.
    strip.show_state("running")
    strip.show_result(swept)
    assert not strip.playing


def test_play_of_nonsense_says_so_and_waits_for_nothing(strip, swept, heard):
    strip.setup.first.low.setValue(100)
    strip.toggle_play()
    assert heard.started == []
    assert "smaller end first" in strip.setup.trouble()
    strip.show_result(swept)
    assert not strip.playing


def test_points_come_one_by_one(strip, swept, heard):
    strip.show_sweep(swept.sweep)
    strip.show_state("running", "")
    for point in swept.points[:4]:
        strip.show_points([point])
    assert strip.progress.text() == "4 of 9"
    assert strip.cancel.isVisible()
    assert len(strip.result().points) == 4
    QTest.mouseClick(strip.cancel, LEFT_BUTTON)
    assert heard.others == ["cancel"]
    assert not heard.previews


def test_while_no_value_comes_it_says_where_and_since_when(strip, swept):
    strip.show_sweep(swept.sweep)
    strip.show_state("running", "")
    strip.place = "on 2 workers"
    strip.show_progress()
    assert strip.progress.text().startswith("0 of 9 on 2 workers")
    strip.show_points(swept.points[:1])
    assert strip.progress.text().startswith("1 of 9 on 2 workers")
    # Another one begins anew, wherever that is.
    strip.show_sweep(swept.sweep)
    strip.show_state("running", "")
    assert strip.progress.text() == "0 of 9"
    strip.show_state("done", "")
    assert "workers" not in strip.progress.text()


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (("", 2, False), ""),
        (("", 2, True), ""),
        (("", 3, False), " · 0:03"),
        (("on 2 workers", 80, False), " on 2 workers · 1:20"),
        (("on 2 workers", 4000, False), " on 2 workers · 66:40"),
        (("on 2 workers", 80, True), " · waits for the picture"),
    ],
)
def test_what_is_known_of_a_sweep_that_runs(known, text):
    assert running_text(*known) == text


def test_a_finished_sweep(done, heard):
    assert done.state() == "done"
    assert done.progress.text() == "9 values"
    assert done.sweep() == done.points.sweep
    assert done.film.playhead == 4
    assert done.meter.text() in ("almost linear", "a little bent", "structure")
    assert heard.nothing


def test_failed_values_are_counted(strip, swept):
    failed = SweepPoint(8, (10.0,), swept.base, error="Too large.")
    strip.show_result(replace(swept, points=(*swept.points[:7], failed)))
    assert strip.progress.text() == "8 values, 1 missing, 1 failed"
    strip.show_state("failed", "The data are gone.")
    assert strip.progress.text() == "The data are gone."


def test_what_cannot_have_a_picture_has_not_failed(strip, swept):
    sweep = replace(swept.sweep, second=SweepAxis("kernel", kernels=("linear", "rbf")))
    count = len(swept.points)
    there = [replace(p, index=p.index + count) for p in swept.points]
    none = [
        SweepPoint(
            i, (v, "linear"), swept.base, error="Linear has no γ.", applies=False
        )
        for i, v in enumerate(sweep.values())
    ]
    strip.show_result(replace(swept, sweep=sweep, points=(*none, *there)))
    assert strip.progress.text() == f"{count} values, {count} not applicable"
    texts = [strip.row.itemText(i) for i in range(2)]
    assert texts == ["RBF (Gaussian) · best", "Linear · no γ"]
    strip.show_row(0)
    strip.toggle_play()
    assert not strip.playing


def test_a_click_takes_a_value(done, heard, swept, qtbot):
    QTest.mouseClick(done.film, LEFT_BUTTON, pos=pixel_of(done, 7))
    assert heard.requested == [swept.points[7].value]
    assert done.film.playhead == 7
    QTest.mouseClick(done.film, LEFT_BUTTON, pos=pixel_of(done, 2, y=90))
    assert heard.requested[-1] == swept.points[2].value


def test_a_click_keeps_what_was_changed_since(done, analysis, settings, swept):
    said = []
    done.value_requested.connect(lambda new, gesture: said.append(new))
    later = replace(settings, view=replace(settings.view, isolines=False))
    show(done, analysis, later)
    done.adopt(swept.points[0])
    assert said[0].view == later.view


def test_hovering_previews(done, heard, swept):
    QTest.mouseMove(done.film, pixel_of(done, 3))
    assert heard.previews == [swept.points[3]]
    assert done.film.label_lines()[0] == "γ = 0.562"
    QTest.mouseMove(done.film, pixel_of(done, 3, y=25))
    assert len(heard.previews) == 1
    QTest.mouseMove(done.film, QPoint(5, 5))
    assert heard.previews[-1] is None
    assert done.film.label_lines() == []


def test_keys_step(done, heard, swept):
    key = Qt.Key
    for pressed, place in (
        (key.Key_Left, 3),
        (key.Key_Right, 4),
        (key.Key_BracketRight, 5),
        (key.Key_BracketLeft, 4),
        (key.Key_Home, 0),
        (key.Key_End, 8),
    ):
        QTest.keyClick(done.film, pressed)
        assert heard.requested[-1] == swept.points[place].value


def test_steps_leave_failed_values_out(strip, swept, heard):
    failed = SweepPoint(5, swept.points[5].values, swept.base, error="No.")
    points = tuple(failed if p.index == 5 else p for p in swept.points)
    strip.show_result(replace(swept, points=points))
    strip.walk(1)
    assert heard.requested == [swept.points[6].value]
    QTest.mouseClick(strip.film, LEFT_BUTTON, pos=pixel_of(strip, 5))
    assert len(heard.requested) == 1
    QTest.mouseMove(strip.film, pixel_of(strip, 5))
    assert strip.film.label_lines()[1] == "No."


def test_keys_mean_nothing_without_a_sweep(strip, heard):
    QTest.keyClick(strip, Qt.Key.Key_Space)
    QTest.keyClick(strip, Qt.Key.Key_Right)
    assert heard.nothing


def test_space_plays_and_stops(done, heard, qtbot):
    QTest.keyClick(done.film, Qt.Key.Key_Space)
    assert done.playing
    assert done.play.icon_name() == "pause"
    qtbot.waitUntil(lambda: len(heard.previews) >= 3)
    assert done.film.playhead > 4
    QTest.keyClick(done.film, Qt.Key.Key_Space)
    assert not done.playing
    assert heard.previews[-1] is None
    assert len(heard.requested) == 1
    assert done.film.playhead == round(done.film.playhead)


def test_hiding_stops(done, heard):
    done.toggle_play()
    done.hide()
    assert not done.playing


def test_measures(done, heard):
    index = done.measure_combo.findData("trustworthiness")
    done.measure_combo.setCurrentIndex(index)
    done.measure_combo.activated.emit(index)
    assert done.measure() == "trustworthiness"
    done.show_sweep(done.film.points.sweep)
    assert done.measure() == "trustworthiness"
    assert heard.nothing


def test_data_without_classes_have_another_measure(strip, analysis, settings, swept):
    bare = replace(
        analysis, dataset=replace(analysis.dataset, labels=None, label_names=())
    )
    show(strip, bare, settings)
    strip.show_sweep(swept.sweep)
    assert strip.measure() == "trustworthiness"
    greyed = {"linear_accuracy", "knn_accuracy", "silhouette"}
    combo = strip.measure_combo
    for place in range(combo.count()):
        off = combo.itemData(place) in greyed
        assert combo.model().item(place).isEnabled() != off
        said = combo.itemData(place, Qt.ItemDataRole.ToolTipRole)
        why = "Not defined: the data have no classes."
        assert said == (why if off else MEASURES[combo.itemData(place)].tip)
    show(strip, analysis, settings)
    assert all(combo.model().item(i).isEnabled() for i in range(combo.count()))
    assert strip.measure() == swept.sweep.measure


def test_a_film_keeps_the_settings_of_its_points(done, analysis, settings):
    other = replace(settings, kernel=KernelSettings("laplacian"))
    show(done, analysis, other)
    assert done.result().base.kernel.family == "rbf"
    assert sheet_title(done.result(), "x").startswith("x, rbf: sweep of γ")


def test_stale(done):
    done.show_stale("the settings have changed")
    assert "have changed" in done.progress.text()
    done.show_stale("")
    assert done.progress.text() == "9 values"


def test_selection_is_seen_in_the_pictures(done, swept):
    before = done.film.grab().toImage()
    mask = np.zeros(80, dtype=bool)
    mask[:5] = True
    done.set_selected(mask)
    assert done.film.grab().toImage() != before
    done.set_selected(None)
    assert done.film.grab().toImage() == before


def test_themes_repaint(done):
    done.show_scene(done.scene.changed(theme=DARK))
    assert done.film.grab().toImage().pixelColor(2, 2) == QColor(DARK.card)


def test_values_below_the_pictures_have_fewer_digits_where_room_is_short(done):
    film, font = done.film, plot_font(pixels=11)
    texts = [film.value_text(1, font, width) for width in (200, 30, 20, 3)]
    assert texts[0] == "0.178"
    assert texts[1] in ("0.18", "0.2")
    assert texts[-1] == ""
    assert all(text_width(text, font) <= 30 for text in texts[1:])


def test_few_pictures_stand_for_many_values(done):
    assert len(done.film.shown_positions()) == 9
    done.resize(640, done.height())
    done.layout().activate()
    positions = done.film.shown_positions()
    assert len(positions) < 9
    assert 4 in positions


def test_a_grid_has_rows(strip, grid, analysis, heard):
    said = []
    strip.value_requested.connect(
        lambda new, gesture: said.append(dict(new.kernel.values)["degree"])
    )
    poly = SessionSettings(
        data=grid.base.data, kernel=KernelSettings("poly", (("degree", 2.0),))
    )
    show(strip, analysis, poly)
    strip.show_result(peaked(grid, 5))
    assert strip.film.points.row == 1
    rows = strip.row
    assert rows.isVisible()
    assert rows.currentText().startswith("p = 2")
    strip.walk(1)
    # Up is the larger value, as in the heat map and in the gallery.
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down):
        QTest.keyClick(strip.film, key)
    assert said == [2, 3, 2]
    assert [rows.itemText(i)[:5] for i in range(3)] == ["p = 3", "p = 2", "p = 1"]
    assert [rows.itemText(i).endswith("best") for i in range(3)] == [0, 1, 0]
    rows.setFocus()
    QTest.keyClick(rows, Qt.Key.Key_Down)
    assert said == [2, 3, 2, 1]
    assert strip.film.points.row == 0


def test_one_parameter_has_no_rows(done):
    assert not done.row.isVisible()
    QTest.keyClick(done.film, Qt.Key.Key_Up)
    assert done.film.points.row == 0


@pytest.mark.parametrize("which", ["swept", "grid"])
def test_the_mark_is_on_the_best_value_by_every_measure(request, which):
    result = request.getfixturevalue(which)
    points, marked = SweepPoints.of(result), 0
    for points.row in range(result.sweep.shape[1]):
        for key, measure in MEASURES.items():
            place = points.best(key)
            if measure.better == "neither":
                assert place is None
                assert points.why_no_best(key) == ""
            if place is None:
                continue
            marked += 1
            values = points.curve(key)
            wanted = (
                np.nanmax(values) if measure.better == "high" else np.nanmin(values)
            )
            # Of a plateau its middle, which may be a thousandth below the top.
            assert values[place] == pytest.approx(wanted, rel=1.001e-3)
            assert 0 < place < points.count - 1
    assert marked


def test_between_two_pictures(swept):
    points = SweepPoints.of(swept)
    a, b = swept.points[2], swept.points[3]
    half = points.between(2.5)
    np.testing.assert_allclose(half.film, (a.film + b.film) / 2, atol=1e-6)
    assert points.between(2.0) is a
    assert points.between(2.4).index == 2
    empty = SweepPoints(swept.sweep)
    assert empty.between(2.5) is None
    empty.put(b)
    assert empty.between(2.5) is b
    assert empty.best("silhouette") is None


def test_the_player_turns_round_at_the_ends():
    player = Player()
    player.last, player.speed = 2, 1.0
    places = []
    player.moved.connect(places.append)
    player.position = 1.5
    for _ in range(6):
        player.advance(0.75)
    assert places == pytest.approx([1.75, 1.0, 0.25, 0.5, 1.25, 2.0])
    player.last = 0
    player.play()
    assert not player.running


def test_pictures_are_there_before_they_are_measured(strip, swept):
    early = [replace(point, is_measured=False, measures={}) for point in swept.points]
    strip.show_sweep(swept.sweep)
    strip.show_state("running")
    for point in (*early, swept.points[0], swept.points[4]):
        strip.show_points([point])
    assert strip.progress.text() == "measured 2 of 9"
    strip.toggle_play()
    assert strip.playing
    strip.toggle_play()
    strip.show_state("done")
    assert strip.progress.text() == "9 values, 2 of 9 measured"
    strip.show_result(swept)
    assert strip.progress.text() == "9 values"


def test_a_film_that_was_wanted_plays_before_it_is_measured(strip, swept):
    strip.show_sweep(swept.sweep)
    strip.toggle_play()
    strip.show_state("running")
    strip.toggle_play()
    for point in swept.points[:-1]:
        strip.show_points([replace(point, is_measured=False)])
        assert not strip.playing
    strip.show_points([replace(swept.points[-1], is_measured=False)])
    assert strip.playing


def test_a_score_says_its_error_its_rows_and_what_it_is_held_against(done, swept):
    """Of a sample of 60 rows, on three components."""
    point = swept.points[3]
    held = Yardstick((0, 1, 2), 50, 60, 0.5, {"silhouette": 0.01}, {"silhouette": 0.2})
    done.show_points([replace(point, yardstick=held)])
    rect = done.film.picture_rect(3, 9, QSizeF(done.film.size()))
    QTest.mouseMove(done.film, rect.center().toPoint())
    lines = done.film.label_lines()
    value = MEASURES["silhouette"].text(point.measures["silhouette"])
    assert lines[1] == f"Silhouette {value} ± 0.020"
    assert lines[2] == "measured on PC 1–3, 60 of 80 rows"
    assert lines[3] == "linear PCA 0.200"


@pytest.mark.parametrize("index", [4, 8])
def test_the_edge_of_the_range_is_not_the_best(done, swept, index):
    """A ring is drawn around the highest value only where it is lower on both sides."""
    done.show_result(peaked(swept, index, "silhouette"))
    image = done.film.grab().toImage()
    warning = QColor(done.film.theme.warning).rgb()
    marked = any(
        image.pixel(x, y) == warning for x in range(image.width()) for y in range(38)
    )
    assert marked == (index == 4)
    rect = done.film.picture_rect(index, 9, QSizeF(done.film.size()))
    QTest.mouseMove(done.film, rect.center().toPoint())
    told = "highest, but at the edge of the range; widen it"
    assert (told in done.film.label_lines()) == (index == 8)


def test_a_measure_that_no_picture_has_is_pointed_at_in_silence(done, swept):
    without = [replace(point, measures={}) for point in swept.points]
    done.show_result(replace(swept, points=tuple(without)))
    rect = done.film.picture_rect(4, 9, QSizeF(done.film.size()))
    QTest.mouseMove(done.film, rect.center().toPoint())
    assert not any("highest" in line for line in done.film.label_lines())


def test_nothing_is_best_before_all_is_measured(swept):
    points = SweepPoints.of(peaked(swept, 4, "silhouette"))
    assert points.best("silhouette") == 4
    points.put(replace(points.at(2), is_measured=False))
    assert points.best("silhouette") is None


def test_a_curve_is_called_undefined_only_once_points_have_come(qtbot, swept):
    def words(result):
        film = FilmView()
        qtbot.addWidget(film)
        film.set_points(SweepPoints.of(result))
        content = QBuffer()
        generator = QSvgGenerator()
        generator.setOutputDevice(content)
        painter = QPainter(generator)
        film.draw(painter, QSizeF(600, 200), live=False)
        painter.end()
        return bytes(content.data()).decode()

    unscored = tuple(replace(point, measures={}) for point in swept.points)
    assert "is not defined here" in words(replace(swept, points=unscored))
    assert "is not defined here" not in words(replace(swept, points=()))
