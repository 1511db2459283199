"""Frozen values for everything that a person can choose.

Undo, session files, sweeps and generated code are all made of these.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Literal, Self

from kpca_viewer.core.methods.random_baseline import Null
from kpca_viewer.core.projection import Scoring
from kpca_viewer.data.drawn import SOURCE, TITLE, Drawn
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.data.preparation import ColumnScaling, ColumnScalings, Scaling
from kpca_viewer.engine.rows.groups import RowGroup
from kpca_viewer.engine.rows.row_set import Excluded
from kpca_viewer.engine.stage import Stages, needs_stage

Values = tuple[tuple[str, float], ...]
Axes = tuple[int, int, int]
Pair = tuple[tuple[float, float], tuple[float, float]]
PreImageMethod = Literal["auto", "distances", "fixed_point", "ridge"]
HeldScores = Literal["row", "mean"]

Units = Literal["scaled", "spread", "original"]
"""By what a column grows: by one as the kernel sees it, by one standard deviation, or
by one as the data have it. The first two are the same where columns are standardised;
where they are not, columns compare by the second."""


def as_values(values: Mapping[str, float]) -> Values:
    """Return a mapping as sorted pairs, which can be compared and hashed."""
    return tuple(sorted((name, float(value)) for name, value in values.items()))


Rule = Literal["evidence", "median"]
"""The best evidence there is, or, as sessions of before have it, the median of the
distances alone."""


@dataclass(frozen=True)
class DataSettings:
    """Where the points come from."""

    source: str = "circles"
    """Key of a generator, or of a data set that was opened."""
    values: Values = ()
    """Pairs (name, value). Parameters of the generator that differ from its
    defaults."""
    seed: int = 0
    scaling: Scaling = "none"
    importing: ImportSettings | None = None
    """What the columns of an opened file mean; None for generators."""
    excluded: Excluded | None = None
    """Rows that are left out of the analysis."""
    groups: tuple[RowGroup, ...] = ()
    """What the person calls rows together; no part of the analysis."""
    drawn: Drawn | None = None
    """The points themselves, where a person has drawn them; None for other sources."""
    column_scaling: ColumnScalings = ()
    """Features that are scaled in another way than ``scaling`` says, by name."""

    @classmethod
    def of_source(cls, source: str, seed: int = 0) -> "DataSettings":
        """Return the settings with which a source is first shown."""
        generator = GENERATORS.get(source)
        scaled = generator is not None and generator.standardise
        return cls(
            source=source,
            seed=seed,
            scaling="standardise" if scaled else "none",
            drawn=Drawn() if source == SOURCE else None,
        )

    def of_points(self) -> Self:
        """Return a copy that says nothing of columns that are no features."""
        if self.importing is None:
            return self.ungrouped()
        return replace(self, importing=self.importing.of_features(), groups=())

    def ungrouped(self) -> Self:
        """Return a copy that says nothing of groups: they only describe rows."""
        return replace(self, groups=())

    @property
    def is_empty(self) -> bool:
        """Whether they are to be drawn, and nothing is yet."""
        return self.drawn is not None and not self.drawn.points

    def of_columns(self) -> Self:
        """Return a copy about columns alone, which fits rows of a second file."""
        rows = self.drawn and Drawn(features=self.drawn.features)
        return replace(
            self,
            scaling="none",
            column_scaling=(),
            excluded=None,
            groups=(),
            drawn=rows,
        )

    def with_scaling(self, scaling: Scaling) -> Self:
        """Return a copy that is scaled so; rows as a whole leave no column its own."""
        own = () if scaling == "unit" else self.column_scaling
        return replace(self, scaling=scaling, column_scaling=own)

    def with_column_scaling(self, name: str, how: ColumnScaling | None) -> Self:
        """Return a copy in which a feature is scaled so, or as all others (None)."""
        own = {one: way for one, way in self.column_scaling if one != name}
        if how is not None:
            own[name] = how
        return replace(self, column_scaling=tuple(sorted(own.items())))

    def with_value(self, name: str, value: float) -> Self:
        values = as_values({**dict(self.values), name: value})
        return replace(self, values=values, excluded=None, groups=())

    def with_seed(self, seed: int) -> Self:
        return replace(self, seed=seed, excluded=None, groups=())


@dataclass(frozen=True)
class KernelSettings:
    """Which kernel, with which parameters."""

    family: str = "rbf"
    values: Values = ()
    """Pairs (name, value). What the person has set. The rest follows the suggestion for
    the data, so a value that was set never changes by itself."""
    rule: Rule = "evidence"
    """What that suggestion is made by."""
    kept: tuple[str, ...] = ()
    """Those of ``values`` that were suggested by other rows, and stayed when rows came
    or went."""

    def with_value(self, name: str, value: float | None) -> Self:
        values = dict(self.values)
        values.pop(name, None)
        if value is not None:
            values[name] = value
        kept = tuple(other for other in self.kept if other != name)
        return replace(self, values=as_values(values), kept=kept)


@dataclass(frozen=True)
class AnalysisSettings:
    """How the decomposition is done."""

    components: int = 10
    center: bool = True
    solver: str = "auto"
    refined: bool = False
    """Whether many rows are computed to the digits of few, however long it takes."""
    fit_full_table: bool = False
    """Whether the model is that of all rows of a table in parts, of which only some
    are here."""
    normalised: bool = True
    """Whether eigenvectors are divided by √μ; a class may forget it."""
    centers_new: bool = True
    """Whether the kernel row of a new point is centred, as K was."""

    @property
    def scoring(self) -> Scoring:
        return Scoring(self.normalised, self.centers_new)

    def of_decomposition(self) -> Self:
        """Return a copy that says nothing of what follows the eigenvalues."""
        return replace(self, normalised=True, centers_new=True, fit_full_table=False)


@dataclass(frozen=True)
class ViewSettings:
    """What is shown of a result; changing it takes no new decomposition."""

    axes: Axes = (0, 1, 2)
    """Components on the x, y and z axis, from 0."""
    embedding_3d: bool = False
    data_3d: bool = False
    data_axes: Axes | None = None
    """Features on the axes of the data plot; None shows the most telling ones."""
    color_by: str = "label"
    """"label", "column:NAME", "feature:J", "component:J", "weight:J", "kernel:ROW",
    "odd:KEY" of `engine.row_numbers.NUMERALS`, or "none"."""
    isolines: bool = True
    """Of the component on the x axis."""
    spectrum: Literal["linear", "log"] = "linear"
    cumulative: bool = True
    gram_centred: bool = True
    rebuild: Literal["matrix", "ways"] = "matrix"
    """What the page Rebuild shows: the kernel matrix from some of its parts, or
    classical scaling beside PCA and the linear kernel."""
    odd_by: Literal["shown", "all"] = "shown"
    """Which components make rows odd: those of the embedding, or all there are."""
    rebuilt_from: int = 2
    """Parts of the matrix that it is rebuilt from."""
    columns: Literal["influence", "groups"] = "influence"
    """What the page Columns lists: what moves components, or tells groups apart."""
    columns_of: int | None = None
    """Component whose columns are ranked, from 0; None ranks them for the picture."""
    column_units: Units = "spread"
    compared: tuple[int, int] | None = None
    """Codes of two classes that are compared, of which −1 means all other rows; None
    compares what is selected with the rest."""
    column: int | None = None
    """Feature that was chosen on the page, from 0: the one of a field of arrows."""
    arrows: Literal["off", "point", "mean", "field"] = "off"
    """Moves that the embedding shows for columns that grow: of the row that is pointed
    at or selected, of all rows on average, or of rows everywhere for one column."""
    point_size: float = 7.0
    opacity: float | None = None
    """Of points, above 0 to 1; None lets the number of points in view decide."""
    motion: bool = True
    fills: bool = False
    """Whether embedding and linear PCA fill their panels; else one unit is equally long
    on all of their axes."""
    flipped: tuple[int, ...] = ()
    linear_flipped: tuple[int, ...] = ()
    """Components of kernel PCA and of linear PCA that the person wants the other way
    round, from 0, sorted."""
    shape_by: str = "none"
    """"none", "label" or "column:NAME"."""
    size_by: str = "none"
    """"none", or "odd:KEY" as of ``color_by``."""
    label_by: str = "row"
    """What rows are called beside their points: "row", "label", "column:NAME" or
    "feature:J"."""
    labels: bool = False
    """Whether all points have labels that fit; some always have."""
    lift: str = ""
    """Key of the map that raises the plane of the data; empty leaves it flat."""
    lift_axes: Axes = (1, 2, 3)
    """Coordinates that are drawn of a map with more than three, from 0."""
    raised: float = 1.0
    """How far the plane is raised: 0 is flat, 1 is the map."""
    pair: Pair | None = None
    """Two places whose kernel value is computed both ways; None for no pair."""
    own_map: str = ""
    """Coordinates of a map that a person has typed beside the pair."""
    line_angle: float = 0.0
    """Degrees by which the line of the page Turn a line is turned, below 180."""
    preimage: PreImageMethod = "auto"
    """How a place of the embedding is turned into values of the columns."""
    held: HeldScores = "row"
    """Where such a place lies along components that are not shown: as the nearest row,
    or at their mean."""
    image_size: tuple[int, int] | None = None
    """Width and height of rows that are pictures; None guesses, (0, 0) for none."""
    null: Null = "permuted"
    """Random data whose pictures are shown; both kinds are compared."""
    real: Literal["beside", "nine"] = "beside"
    """What the page Is it real? shows: random data beside the picture, or nine pictures
    of which one is the data."""
    null_draw: int = 0
    """Which draw of random data is beside the picture, or which round of nine."""
    bootstrap: bool = False
    """Whether points have ellipses and eigenvalues whiskers, of rows drawn anew."""

    def with_axis(self, position: int, component: int) -> Self:
        """Return a copy with a component on an axis; one shown trades places."""
        return replace(self, axes=traded(self.axes, position, component))

    def with_flip(self, component: int, *, linear: bool = False) -> Self:
        """Return a copy in which a component is the other way round than before."""
        before = self.linear_flipped if linear else self.flipped
        flipped = tuple(sorted({*before} ^ {component}))
        if linear:
            return replace(self, linear_flipped=flipped)
        return replace(self, flipped=flipped)

    @property
    def shown_axes(self) -> tuple[int, ...]:
        """The components that the embedding shows, two or three."""
        return self.axes[: 3 if self.embedding_3d else 2]

    def shows_values(self, prefix: str) -> bool:
        """Return whether colours or sizes show row values whose keys begin so."""
        return any(by.startswith(prefix) for by in (self.color_by, self.size_by))

    def judged_axes(self, count: int) -> list[int]:
        """Return which of the first ``count`` components are judged: the shown ones."""
        return [axis for axis in self.shown_axes if axis < count] or [0]

    def within(self, count: int) -> Self:
        """Return a copy with axes among the first ``count`` components, if it can."""
        axes = list(self.axes)
        free = [j for j in range(count) if j not in axes]
        for position, axis in enumerate(axes):
            if axis >= count and free:
                axes[position] = free.pop(0)
        of = self.columns_of
        of = None if of is not None and of >= count else of
        return replace(self, axes=(axes[0], axes[1], axes[2]), columns_of=of)

    def for_source(self, source: str) -> Self:
        """Return what is kept when other data are chosen: habits, not axes."""
        first, generator = ViewSettings(), GENERATORS.get(source)
        data_3d = generator is not None and generator.in_space
        others: Any = {name: getattr(first, name) for name in OF_ONE_SOURCE}
        return replace(self, data_3d=data_3d, **others)


OF_ONE_SOURCE = (
    *("axes", "data_axes", "color_by", "shape_by", "size_by", "label_by", "flipped"),
    *(
        "linear_flipped",
        "pair",
        "own_map",
        "columns_of",
        "compared",
        "column",
        "image_size",
    ),
    "null_draw",
)
"""Fields of a view that mean nothing for other data."""


def traded(axes: Axes, position: int, chosen: int) -> Axes:
    """Return axes with the chosen one at a position.

    Where another axis shows it already, the two trade places: the same values along
    both would be a diagonal line.
    """
    before = axes[position]
    x, y, z = (before if axis == chosen else axis for axis in axes)
    found = [x, y, z]
    found[position] = chosen
    return (found[0], found[1], found[2])


@dataclass(frozen=True)
class SessionSettings:
    """Everything together: one value is one state of the window."""

    data: DataSettings = field(default_factory=DataSettings)
    kernel: KernelSettings = field(default_factory=KernelSettings)
    analysis: AnalysisSettings = field(default_factory=AnalysisSettings)
    view: ViewSettings = field(default_factory=ViewSettings)

    def with_view(self, **changes: Any) -> "SessionSettings":
        return replace(self, view=replace(self.view, **changes))

    def with_refinement(self, refined: bool) -> "SessionSettings":
        """Return the state with many rows computed to all digits, or not."""
        return replace(self, analysis=replace(self.analysis, refined=refined))

    def with_full_fit(self, full: bool) -> "SessionSettings":
        """Return the state with a model of all rows of a table in parts, or not."""
        return replace(self, analysis=replace(self.analysis, fit_full_table=full))

    def after(self, old: "SessionSettings") -> "SessionSettings":
        """Return the state without all rows, where these were of something else.

        A pass over all of them takes too long for every step of a slider.
        """
        both = self.analysis.fit_full_table and old.analysis.fit_full_table
        same = (self.data.of_points(), self.kernel, self.analysis) == (
            old.data.of_points(),
            old.kernel,
            old.analysis,
        )
        return self.with_full_fit(False) if both and not same else self

    def with_center(self, center: bool) -> "SessionSettings":
        """Return the state with centring on or off; K is shown as it is decomposed."""
        return replace(
            self,
            analysis=replace(self.analysis, center=center),
            view=replace(self.view, gram_centred=center),
        )

    def with_normalisation(self, normalised: bool) -> "SessionSettings":
        """Return the state with α = u/√μ, or with that root forgotten."""
        return replace(self, analysis=replace(self.analysis, normalised=normalised))

    def with_centred_new_rows(self, centred: bool) -> "SessionSettings":
        """Return the state with the rows of new points centred, or not."""
        return replace(self, analysis=replace(self.analysis, centers_new=centred))

    def needs_analysis(self, old: "SessionSettings", stages: Stages = ()) -> bool:
        """Whether going from ``old`` to this needs a computation.

        Isolines and the verdict on the shown axes are computed too, but quickly:
        everything before them is remembered. So are stages that the view shows.
        """
        return (
            (self.data, self.kernel, self.analysis)
            != (old.data, old.kernel, old.analysis)
            or self.view.shown_axes != old.view.shown_axes
            or self.view.flipped != old.view.flipped
            or self.view.linear_flipped != old.view.linear_flipped
            or (self.view.isolines and not old.view.isolines)
            or needs_stage(stages, self.view, old.view)
        )


def source_title(key: str) -> str:
    """Return what a person calls a source: a generator's title or a file's name."""
    if key == SOURCE:
        return TITLE
    return GENERATORS[key].title if key in GENERATORS else PurePath(key).name
