"""Scene: all that the window shows, as one value; and the way back, for changes.

The presenter makes a new scene for every change and publishes it. What shows a part
of it compares that part with what is shown already, and touches only what differs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, ClassVar, Self

from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.core.kernels.pair_values import PairValues
from kpca_viewer.core.methods.bootstrap import Bootstrap
from kpca_viewer.core.methods.kernel_suggestion import Suggestion
from kpca_viewer.core.projection import no_lengths
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.data.dataset import Dataset, Kind
from kpca_viewer.engine.comparison import LinearPCA
from kpca_viewer.engine.extras import MOVES
from kpca_viewer.engine.grid import GridScores
from kpca_viewer.engine.kernel_function import FUNCTION, WEIGHT
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.result import AnalysisResult, kind_of_data
from kpca_viewer.engine.settings import SessionSettings, source_title
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.widgets.plots.coloring import Coloring, coloring
from kpca_viewer.widgets.theme import LIGHT, Theme

OF_RESULT = ("component:", FUNCTION, WEIGHT)
"""How keys of colours begin that follow from the result, not from the data alone."""


@dataclass(frozen=True)
class Scene:
    """What is set, what was computed, and how it looks."""

    settings: SessionSettings = field(default_factory=SessionSettings)
    """What is set now; changes start from it."""
    notes: Notes = field(default_factory=Notes)
    result: AnalysisResult | None = None
    """The last good one; it may answer older settings."""
    colors: Coloring | None = None
    """What colours and shapes mean in this result; None without one."""
    theme: Theme = LIGHT
    type_scale: float = 1.0
    """How much larger than usual all type is."""
    stale: str | None = None
    """Why the result does not answer the settings, in words that may be empty; None
    where it does, or will in a moment."""
    projects: bool = False
    """Whether rows of a second file are wanted beside the data."""
    played: SessionSettings | None = None
    """Those that a film is at; None where no film runs."""
    film: SweepPoint | None = None
    """The value of a sweep that it is at, with its spectrum."""

    def changed(self, **changes: Any) -> Self:
        """Return the scene with other parts, and the colours that follow from them."""
        scene = replace(self, **changes)
        if scene._colored_by == self._colored_by:
            return scene
        result = scene.result
        colors = None if result is None else coloring(result, scene.settings.view)
        return replace(scene, colors=colors)

    @property
    def _colored_by(self) -> tuple[object, ...]:
        """All that the looks of points follow from; scores matter only to their own."""
        result, view = self.result, self.settings.view
        meaning = view.color_by, view.shape_by, view.size_by
        if result is None or view.color_by.startswith(OF_RESULT):
            return *meaning, result
        shown = (view.color_by, view.size_by)
        values = [
            value
            for extra, value in result.all_rows.extras.items()
            if extra.row_values is not None
            and any(known.key in shown for known in extra.row_values(value))
        ]
        return *meaning, result.dataset, *(values or [result.all_rows.dataset])

    @property
    def shown(self) -> SessionSettings:
        """The settings that controls show: those of a film, or what is set.

        Another kernel has other parameters, whose controls would jump about.
        """
        played = self.played
        if played is None or played.kernel.family != self.settings.kernel.family:
            return self.settings
        return played

    @property
    def plays_other_data(self) -> bool:
        """Whether a film is at other data than those that are set."""
        return self.played is not None and self.played.data != self.settings.data

    @property
    def kind(self) -> Kind:
        return kind_of_data(self.settings, self.result)

    @property
    def dataset(self) -> Dataset | None:
        return None if self.result is None else self.result.dataset

    @property
    def is_empty(self) -> bool:
        return self.result is None and self.settings.data.is_empty

    @property
    def title(self) -> str:
        if self.result is not None:
            return self.result.dataset.name
        return source_title(self.settings.data.source)

    @property
    def all_rows(self) -> Dataset | None:
        """The data of the result with new rows behind them; None without a result."""
        return None if self.result is None else self.result.all_rows.dataset

    @property
    def linear(self) -> LinearPCA | None:
        """The same rows by ordinary PCA; None where there is none."""
        return None if self.result is None else self.result.linear

    @property
    def pairs(self) -> PairValues | None:
        """What the kernel is a function of, over pairs of rows; None while unknown."""
        result = self.result
        if result is None or self.known_dataset is None or result.kernel is None:
            return None
        same = result.kernel.family.name == self.shown.kernel.family
        return result.pairs if same else None

    @property
    def grid(self) -> GridScores | None:
        """What the isolines are drawn from; None where there are none."""
        return None if self.result is None else self.result.grid

    @property
    def known_dataset(self) -> Dataset | None:
        """The data that are set, once there is a result of them; else None."""
        result = self.result
        if result is None or result.settings.data != self.settings.data:
            return None
        return result.dataset

    @property
    def moves(self) -> Bootstrap | None:
        """How far rows and eigenvalues of the result move."""
        return None if self.result is None else self.result.get(MOVES)

    @property
    def decomposition(self) -> Decomposition | None:
        """What the components of the result come from; None without one."""
        return None if self.result is None else self.result.decomposition

    @property
    def has_lengths(self) -> bool:
        """Whether rows have a length in feature space."""
        found = self.decomposition
        return found is not None and not no_lengths(found)

    @property
    def lifted(self) -> AnalysisResult | None:
        """The result whose components are drawn among lifted data; None without."""
        return self.result if self.settings.view.lift else None

    @property
    def can_be_refined(self) -> bool:
        """Whether the eigenvalues have fewer digits than they could have."""
        return self.result is not None and self.result.refinement is not None

    @property
    def has_more_rows(self) -> bool:
        """Whether the rows were drawn from others, of which a model can be made."""
        return self.result is not None and self.result.has_more_rows

    @property
    def components(self) -> int:
        return 0 if self.result is None else self.result.scores.shape[1]

    @property
    def suggestion(self) -> Suggestion | None:
        """What suits data and kernel as they are set; None until it is known."""
        result, kernel = self.result, self.settings.kernel
        if result is None or self.known_dataset is None:
            return None
        same = result.settings.kernel.family == kernel.family
        return result.suggestion if same else None

    @property
    def suggested(self) -> Mapping[str, float] | None:
        return None if self.suggestion is None else self.suggestion.values


LOOKS = attrgetter("theme", "type_scale")
"""All of a scene from which the style sheet is made."""


class ShowsScene:
    """A mixin for whatever shows a part of the scene."""

    part: ClassVar["attrgetter[Any]"]
    """All of a scene that is shown here."""
    scene = Scene()
    """The newest, from which changes start."""
    _shown_part: Any = None

    def show_scene(self, scene: Scene) -> None:
        """Show a scene, unless it looks the same here; requests nothing."""
        self.scene = scene
        if not self.is_put_away():
            self.show_newest()

    def is_put_away(self) -> bool:
        """Return whether it cannot be seen; it is shown anew before it can."""
        return False

    def show_newest(self) -> None:
        """Show the newest scene, whether it can be seen or not."""
        part = self.part(self.scene)
        if part != self._shown_part:
            self._shown_part = part
            self.refresh()

    def refresh(self) -> None:
        raise NotImplementedError


class DrawsResult(ShowsScene):
    """A mixin for what is drawn from a result, once there is one."""

    def refresh(self) -> None:
        if self.scene.result is not None:
            self.draw(self.scene.result)

    def draw(self, result: AnalysisResult) -> None:
        raise NotImplementedError

    def show_empty(self, scene: Scene) -> None:
        """Show that there are no rows; any result that comes is drawn anew."""
        self.scene, self._shown_part = scene, None
        self.draw_nothing()

    def draw_nothing(self) -> None:
        raise NotImplementedError


class Changes(QObject):
    """What people want instead of what is shown: one for the whole window."""

    settings_requested = Signal(object, object)
    """New settings, and the name of the gesture while one lasts, else None."""
    gesture_ended = Signal()
    refused = Signal(str)
    """Why something that was typed is not taken."""
    name_requested = Signal(object, object)
    """A row, and what the person wants to call it."""
    value_requested = Signal(object, object, object)
    """A row, a feature or None for its class, and what was typed into its cell."""
    edit_refused = Signal()
    """A key was typed into numbers that cannot be changed."""
    points_requested = Signal(object, object)
    """Where the person wants the new points, and the gesture or None."""
    point_requested = Signal()
    """A new point, wherever there is room for it."""
    text_copied = Signal(str)
    """What is on the clipboard now, in words."""

    @Slot(object, object)
    def request(self, settings: SessionSettings, gesture: str | None = None) -> None:
        self.settings_requested.emit(settings, gesture)
