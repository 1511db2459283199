"""A kernel, generator, measure or page that is declared once is found everywhere.

These tests follow the recipes of the documentation: a row in a table, a function, and
nothing else.
"""

import csv
import sys
from importlib import import_module

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton

from kpca_viewer import KernelPCA, generate
from kpca_viewer.cli import main as cli
from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.core.kernels.families.rbf import RBF
from kpca_viewer.core.kernels.family import (
    GAMMA,
    Computation,
    Growth,
    KernelFamily,
    Parameter,
)
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.generators import GENERATORS, SAMPLES, Generator
from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.feature import load as load_named
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
)
from kpca_viewer.engine.sweep.measures import MEASURES, Measure
from kpca_viewer.engine.sweep.parameters import sweepable
from kpca_viewer.engine.sweep.settings import default_axis
from kpca_viewer.engine.text.glossary import TERMS, Term
from kpca_viewer.export.model import load_prepared, save_fitted
from kpca_viewer.export.script import as_python
from kpca_viewer.features.pins.page import CompareView
from kpca_viewer.features.registry import FEATURES, commands, pages
from kpca_viewer.widgets.controls import FormulaLabel, NumberField, NumberRow
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import draw_text, plot_font
from kpca_viewer.window.poses import views_of
from tests.e2e.conftest import first_stages, home, nothing_left_over, start
from tests.scripts import executed

# Offscreen no popup can grab the keyboard, and Qt says so.
pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)

__all__ = ["first_stages", "home", "nothing_left_over", "start"]  # fixtures

# A kernel

SHARPNESS = Parameter(
    "sharpness", "s", "Sharpness", 0.5, 5, 1, help="Larger: finer.", positive=True
)


def student(B, values):
    """``(1 + γB)^(−s)`` of squared distances B."""
    B *= values["gamma"]
    B += 1
    return np.power(B, -values["sharpness"], out=B)


def student_slope(B, values):
    """``−γs (1 + γB)^(−s − 1)`` of squared distances B."""
    gamma, s = values["gamma"], values["sharpness"]
    return -gamma * s * np.power(1 + gamma * B, -s - 1)


FACTS = {
    "name": "student",
    "title": "Student",
    "formula": r"k(x,y)=(1+{gamma}\|x-y\|^2)^{{-{sharpness}}}",
    "plain": "k(x, y) = (1 + {gamma}‖x − y‖²)^(−{sharpness})",
    "base": "squared_distances",
    "parameters": (GAMMA, SHARPNESS),
    "definite": lambda values: True,
    "feature_dimension": lambda d, values: np.inf,
    "apply": student,
    "slope": student_slope,
    "rounding": lambda points, values, norm: (
        values["sharpness"] * RBF.rounding(points, values, norm)
    ),
    "computation": Computation(
        written=lambda x, y, values, entry: [
            f"(1 + {values['gamma']:g}·{np.square(x - y).sum():g})"
            f"^(−{values['sharpness']:g}) = {entry:.4g}"
        ],
        code=lambda values: [
            "squares = np.square(A[:, None] - B).sum(axis=2)",
            f"return (1 + {values['gamma']} * squares) ** -{values['sharpness']}",
        ],
    ),
    "growth": lambda largest, values: Growth(1, 0),
    "sklearn": None,
    "unit_diagonal": True,
}


@pytest.fixture
def kernel():
    """Let there be one more kernel for a while."""
    with FAMILIES.with_row(KernelFamily(**FACTS)) as family:
        yield family
    assert "student" not in FAMILIES


WANTED = KernelSettings("student", (("gamma", 2.0), ("sharpness", 1.5)))
SMALL = DataSettings("circles", (("samples", 60.0),))


def by_hand(X, gamma, sharpness, components=2):
    """Scores of kernel PCA, from the formula alone."""
    squares = np.square(X[:, None] - X).sum(axis=2)
    H = np.eye(len(X)) - 1 / len(X)
    values, vectors = np.linalg.eigh(H @ (1 + gamma * squares) ** -sharpness @ H)
    return (vectors * np.sqrt(np.maximum(values, 0)))[:, ::-1][:, :components]


def assert_same_up_to_sign(found, wanted):
    signs = np.sign((found * wanted).sum(axis=0))
    assert found * signs == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(
    "fact",
    [
        "rounding",
        "growth",
        "definite",
        "sklearn",
        "feature_dimension",
        "plain",
        "computation",
        "slope",
    ],
)
def test_a_kernel_that_does_not_tell_what_must_be_known_is_refused(fact):
    facts = {name: value for name, value in FACTS.items() if name != fact}
    with pytest.raises(TypeError, match=fact):
        KernelFamily(**facts)


def test_a_kernel_is_there_once(kernel):
    with pytest.raises(ValueError, match="already"), FAMILIES.with_row(kernel):
        pass


def test_a_new_kernel_in_python(kernel, tmp_path):
    X = generate("circles", samples=60).points
    model = KernelPCA(2, kernel="student", gamma=2, kernel_params={"sharpness": 1.5})
    scores = model.fit_transform(X)
    assert_same_up_to_sign(scores, by_hand(X, 2, 1.5))
    assert model.transform(X[:3]) == pytest.approx(scores[:3], abs=1e-8)
    model.save(tmp_path / "model.npz")
    again = KernelPCA.load(tmp_path / "model.npz")
    assert again.transform(X[:3]) == pytest.approx(scores[:3], abs=1e-8)
    step = 1e-6 * np.eye(2)
    slopes = model.transform(X[0] + step) - model.transform(X[0] - step)
    gradient = model.score_gradients(X[:1])[0]
    assert np.transpose(gradient) == pytest.approx(slopes / 2e-6, abs=1e-5)
    # What it is not given has its default, and what it has not is refused.
    plain = KernelPCA(2, kernel="student", gamma=2).fit_transform(X)
    assert_same_up_to_sign(plain, by_hand(X, 2, 1))
    with pytest.raises(ValueError, match="takes sharpness only"):
        KernelPCA(kernel="student", kernel_params={"bluntness": 1}).fit(X)


def test_a_new_kernel_in_formulas_and_sweeps(kernel):
    told = Kernel("student", gamma=0.5, sharpness=2)
    assert told.formula() == r"k(x,y)=(1+0.5\,\|x-y\|^2)^{-2}"
    assert told.plain_formula() == "k(x, y) = (1 + 0.5 ‖x − y‖²)^(−2)"
    assert told.general_formula() == "k(x, y) = (1 + γ ‖x − y‖²)^(−s)"
    settings = SessionSettings(kernel=WANTED)
    assert sweepable(settings)[:3] == ("gamma", "sharpness", "kernel")
    axis = default_axis(settings, "sharpness")
    assert (axis.low, axis.high, axis.scale) == (0.5, 5, "linear")
    assert "student" in default_axis(settings, "kernel").values()


@pytest.mark.parametrize("library", ["kpca_viewer", "sklearn"])
@pytest.mark.parametrize("center", [True, False])
def test_a_new_kernel_in_generated_code(kernel, library, center):
    settings = SessionSettings(SMALL, WANTED, AnalysisSettings(2, center))
    result = run(AnalysisRequest(settings), StageCache())
    names = executed(as_python(result, library))
    assert_same_up_to_sign(names["scores"], result.scores)


def test_a_new_kernel_in_models_and_sessions(kernel, tmp_path):
    settings = SessionSettings(SMALL, WANTED, AnalysisSettings(2))
    result = run(AnalysisRequest(settings), StageCache())
    save_fitted(result, tmp_path / "model.npz")
    model, _ = load_prepared(tmp_path / "model.npz")
    new = model.transform(result.dataset.points)
    assert new == pytest.approx(result.scores, abs=1e-6)
    save(Document(settings), tmp_path / "a.kpca")
    assert load(tmp_path / "a.kpca").settings == settings


def test_a_new_kernel_on_the_command_line(kernel, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    said = capsys.readouterr().out
    assert "student" in said
    assert "--sharpness" in said
    words = "embed circles --samples 60 --kernel student --gamma 2 --sharpness 1.5"
    assert cli.main([*words.split(), "--components", "2", "--out", "a.npy"]) == 0
    assert "kernel: Student, γ = 2, s = 1.5" in capsys.readouterr().out
    X = generate("circles", samples=60).points
    assert_same_up_to_sign(np.load("a.npy"), by_hand(X, 2, 1.5))
    words = "sweep circles --samples 60 --kernel student --gamma 2 --sharpness 1:3:3"
    assert cli.main([*words.split(), "--no-pictures", "--out", "swept"]) == 0
    table = (tmp_path / "swept" / "measures.csv").read_text(encoding="utf-8")
    assert len(table.splitlines()) == 1 + 3


def test_a_new_kernel_in_the_window(kernel, start, tmp_path):
    program = start(SessionSettings(SMALL))
    program.choose("kernel_combo", "Student")
    program.settle()
    assert program.action("kernel_student").isChecked()
    assert program.result.kernel.family is kernel
    # γ follows the data, the new parameter has its default.
    gamma = program.find(NumberRow, "gamma_row").value()
    assert gamma == pytest.approx(program.result.suggested["gamma"])
    assert program.find(NumberRow, "sharpness_row").value() == 1
    program.find(NumberField, "sharpness_field").setValue(2)
    program.settle()
    assert program.result.kernel.values["sharpness"] == 2
    assert "{-2}" in program.find(FormulaLabel, "kernel_formula").latex()
    assert "infinite" in program.find(FormulaLabel, "kernel_formula").toolTip()
    program.board.show_workspace("sweep")
    swept = program.find(QComboBox, "sweep_parameter_combo")
    assert "s Sharpness" in [swept.itemText(i) for i in range(swept.count())]


# A generator

HEIGHT = Parameter("height", "", "Height", 1, 9, 5, help="A larger value is taller.")


def cone(values, seed):
    random = np.random.default_rng(seed)
    position = random.uniform(0, 1, int(values["samples"]))
    angle = random.uniform(0, 2 * np.pi, len(position))
    points = np.column_stack([np.cos(angle), np.sin(angle), np.ones_like(angle)])
    points *= position[:, None] * [1, 1, values["height"]]
    return Dataset(points, columns={"position": MetaColumn(position)}, name="Cone")


@pytest.fixture
def generator():
    """Let there be one more generator for a while."""
    row = Generator(
        "cone",
        "Cone",
        "A surface that ends in a point.",
        (SAMPLES, HEIGHT),
        cone,
        in_space=True,
        standardise=True,
    )
    with GENERATORS.with_row(row) as generator:
        yield generator
    assert "cone" not in GENERATORS


def test_a_new_generator_in_python_and_sessions(generator, tmp_path):
    dataset = generate("cone", samples=50, height=9, seed=3)
    assert dataset.points.shape == (50, 3)
    assert 5 < dataset.points.max() <= 9
    data = DataSettings.of_source("cone", 3)
    assert data.scaling == "standardise"
    settings = SessionSettings(data, view=ViewSettings().for_source("cone"))
    assert settings.view.data_3d
    save(Document(settings), tmp_path / "a.kpca")
    assert load(tmp_path / "a.kpca").settings == settings


def test_a_new_generator_on_the_command_line(generator, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "embed cone --samples 50 --height 9 --seed 3 --scaling none --kernel linear"
    assert cli.main([*words.split(), "--components", "2", "--out", "a.npy"]) == 0
    X = generate("cone", samples=50, height=9, seed=3).points
    wanted = KernelPCA(2).fit_transform(X)
    assert_same_up_to_sign(np.load("a.npy"), wanted)
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert "of cone: 1 … 9" in capsys.readouterr().out
    assert cli.main(["embed", "circles", "--height", "9", "--out", "b.npy"]) != 0
    assert "has no parameter “height”" in capsys.readouterr().err


@pytest.mark.parametrize("library", ["kpca_viewer", "sklearn"])
def test_a_new_generator_in_generated_code(generator, library):
    data = DataSettings("cone", (("height", 9.0), ("samples", 50.0)), 3)
    settings = SessionSettings(data, analysis=AnalysisSettings(2))
    result = run(AnalysisRequest(settings), StageCache())
    names = executed(as_python(result, library))
    assert names["X"] == pytest.approx(result.dataset.points)
    assert_same_up_to_sign(names["scores"], result.scores)
    # The points of a package that is not there are written out.
    assert ("generate" in names) == (library == "kpca_viewer")


def test_a_new_generator_in_the_window(generator, start):
    program = start(SessionSettings(SMALL))
    combo = program.find(QComboBox, "source_combo")
    titles = [combo.itemText(i) for i in range(combo.count())]
    # Among the shapes, before the data that were measured.
    assert titles.index("Three points") < titles.index("Cone") < titles.index("Iris")
    program.choose("source_combo", "Cone")
    program.settle()
    assert program.result.dataset.name == "Cone"
    assert program.settings.view.data_3d
    assert program.action("roll").isEnabled()
    program.find(NumberField, "height_field").setValue(9)
    program.settle()
    assert program.result.dataset.points.max() > 5


# A measure


def steepness(facts):
    """How many times the first share is larger than the second."""
    return float(facts.shares[0] / facts.shares[1])


@pytest.fixture
def measure():
    """Let there be one more measure for a while."""
    term = Term("steepness", "Steepness", "μ₁ / μ₂", "How far PC 1 stands out.")
    row = Measure(
        "steepness",
        "Steepness",
        form="number",
        of_spectrum=steepness,
        in_pins=True,
        aliases=("steep",),
    )
    with TERMS.with_row(term), MEASURES.with_row(row):
        yield row
    assert "steepness" not in MEASURES


def test_a_new_measure_on_the_command_line(measure, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "sweep circles --samples 60 --gamma 1:9:3 --no-pictures --out swept"
    assert cli.main([*words.split(), "--measure", "steep"]) == 0
    said = capsys.readouterr().out
    with (tmp_path / "swept" / "measures.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = [float(row["steepness"]) for row in rows]
    by_hand = [float(row["pc1_share"]) / float(row["pc2_share"]) for row in rows]
    assert found == pytest.approx(by_hand)
    assert f"best steepness {measure.text(max(found))}" in said
    assert cli.main([*words.split(), "--measure", "beauty"]) != 0
    assert "steepness" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["sweep", "--help"])
    assert "steep" in capsys.readouterr().out


def test_a_new_measure_in_the_window(measure, start):
    program = start(SessionSettings(SMALL))
    strip = program.strip
    strip.start()
    program.until(lambda: strip.state() == "done")
    program.until(lambda: not program.viewer.controllers["sweep"].runner.busy)
    combo = program.find(QComboBox, "sweep_measure_combo")
    about = combo.itemData(combo.findText("Steepness"), Qt.ItemDataRole.ToolTipRole)
    assert about == "Steepness: μ₁ / μ₂\nHow far PC 1 stands out."
    program.choose("sweep_measure_combo", "Steepness")
    assert strip.measure() == "steepness"
    point = strip.result().points[0]
    assert point.measures["steepness"] == steepness(point)
    # Two pins are compared by it.
    for gamma in (1, 9):
        program.find(NumberField, "gamma_field").setValue(gamma)
        program.settle()
        program.until(lambda: program.result.comparison is not None)
        program.action("pin").trigger()
    view = program.window.findChild(CompareView)
    program.until(view.isVisible)
    shown = [label.text() for label in view.findChildren(QLabel)]
    assert "Steepness" in shown
    assert measure.text(steepness(program.result)) in shown


# A page


class Count(PaintedPlot):
    """Paints how many rows there are."""

    def __init__(self):
        super().__init__()
        self.rows = 0

    def draw(self, painter, size, *, live):
        painter.setFont(plot_font())
        draw_text(painter, QPointF(size.width() / 2, 20), f"{self.rows} rows")


class CountPage(PageView):
    """The page that shows it."""

    def __init__(self, linking, changes):
        self.view = Count()
        self.tool = QPushButton("Recount")
        self.tool.setObjectName("recount_button")

    def draw(self, result):
        self.view.rows = result.dataset.n

    def caption(self, result):
        return CaptionWords(f"There are {result.dataset.n} rows.")


FEATURE = '''"""How many rows there are."""

from kpca_viewer.engine.feature import Action, Feature, Page


def _say(workbench, _on):
    workbench.window.setProperty("counted", workbench.presenter.result.dataset.n)


FEATURE = Feature(
    "count",
    page=Page(
        "count",
        "Count of rows",
        "how many",
        view="tests.test_recipes:CountPage",
        menu="Coun&t of rows",
        tip="How many rows there are",
        short="Count",
        terms=("feature_space",),
    ),
    actions=(
        Action(
            "count_rows",
            "Count the rows",
            "&Data",
            "Ctrl+Shift+K",
            handler=_say,
            enabled=lambda scene: scene.result is not None,
        ),
    ),
)
'''
"""All that a feature says of itself; with its view, its test, and a line of the
registry, these are four files."""


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Let there be one more feature for a while."""
    (tmp_path / "count_feature.py").write_text(FEATURE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with FEATURES.with_row(load_named("count_feature:FEATURE")) as feature:
        yield feature
    sys.modules.pop("count_feature")
    assert "count" not in pages()


def test_everything_that_a_feature_names_is_there():
    for feature in FEATURES.values():
        handlers = [action.handler for action in feature.actions]
        names = [feature.controller, *feature.stages, *handlers]
        if feature.page is not None:
            names.append(feature.page.view)
        for name in names:
            if isinstance(name, str) and ":" in name:
                assert load_named(name), name
        if feature.controller:
            kind = load_named(feature.controller)
            for name in handlers:
                if isinstance(name, str) and name and not set(".:") & set(name):
                    assert hasattr(kind, name), name
    for module in commands().values():
        assert import_module(module).add_parser


def test_a_new_page_in_the_window(page, start):
    program = start(SessionSettings(SMALL))
    compare = program.window.board.compare
    assert not program.window.findChild(QPushButton, "recount_button").isVisible()
    action = program.action("page_count")
    number = len(pages())
    keys = f"Ctrl+Shift+{number % 10}" if number <= 10 else ""
    assert action.shortcut().toString() == keys
    program.click(compare.pages.button("count"))
    assert action.isChecked()
    assert compare.title() == "Count of rows"
    assert program.caption("page") == "There are 60 rows."
    assert compare.views["count"].view.isVisible()
    assert compare.views["count"].view.rows == 60
    program.action("page_pca").trigger()
    assert not compare.views["count"].view.isVisible()
    # Drawn again when somebody turns to it, and kept with the session.
    program.choose("source_combo", "Iris")
    program.settle()
    program.action("page_count").trigger()
    assert compare.views["count"].view.rows == 150
    assert views_of(program.window.board).page == "count"
    program.action("count_rows").trigger()
    assert program.window.property("counted") == 150
    program.action("export").trigger()
    offered = (
        program.viewer.controllers["export_panel"]
        .panel()
        .findChild(QComboBox, "export_source_combo")
    )
    assert "Count of rows" in [offered.itemText(i) for i in range(offered.count())]


@pytest.mark.journey
def test_a_new_page_on_the_command_line(page, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "render circles --samples 60 --what count --title --out a.svg"
    assert cli.main(words.split()) == 0
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "60 rows" in drawn
    assert "Circles: how many" in drawn
