"""Below both sides: a map that a person types, and sizes that a person asks for."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.features.lift import own_map_text as text
from kpca_viewer.features.lift.both_sides import BothSides, written_alike
from kpca_viewer.features.lift.costs import Sizes
from kpca_viewer.features.lift.own_map import LONGEST, Comparison, told
from kpca_viewer.support.numerals import as_it_is, readable
from kpca_viewer.widgets.controls import Fold, NumberField
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.controls.labels import plain_label
from kpca_viewer.widgets.theme import Theme


class OwnMapFold(Fold):
    """A line for coordinates of φ, and φ(a)·φ(b) beside k. Setters emit nothing."""

    typed = Signal(str)

    def __init__(self) -> None:
        super().__init__(text.TITLE, collapsed=True, what=text.WHAT)
        self.setObjectName("own_map_fold")
        self.field = QLineEdit()
        self.field.setObjectName("own_map_field")
        self.field.setAccessibleName(text.FIELD)
        self.field.setToolTip(plain_tip(text.FIELD_TIP))
        self.field.setPlaceholderText(text.PLACEHOLDER)
        self.field.setMaxLength(LONGEST)
        self.field.textEdited.connect(self.typed)
        self.product = plain_label("own_map_product", "heading", selectable=True)
        self.product.setTextFormat(Qt.TextFormat.RichText)
        self.words = plain_label("own_map_words", selectable=True)
        for part in (self.field, self.product, self.words):
            self.add(part)

    def show_map(self, sides: BothSides, words: str, theme: Theme) -> None:
        """Compare what was typed with the kernel of the two points."""
        if self.field.text() != words:
            with QSignalBlocker(self.field):
                self.field.setText(words)
            if words:
                self.set_collapsed(False)
        found: Comparison | str = text.EMPTY
        if words.strip():
            found = told(words, sides.kernel, sides.a, sides.b)
        self.product.setVisible(isinstance(found, Comparison))
        if isinstance(found, str):
            self.words.setText(found)
            return
        digits, beside, power = written_alike(found.product, found.value)
        if found.equal:
            digits = beside
        marked = marked_digits(digits, beside, theme) + power
        self.product.setText(text.PRODUCT.format(digits=marked))
        self.words.setText(_words(found))


class SizesFold(Fold):
    """Fields for d, p, M and n, with what follows from them."""

    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__(text.SIZES, collapsed=True, what=text.SIZES_WHAT)
        self.setObjectName("sizes_fold")
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        self._fields: dict[str, NumberField] = {}
        limits = {"d": 1e6, "p": 20, "m": 1e15, "n": 1e9}
        for column, (key, (title, about)) in enumerate(text.SIZE_FIELDS.items()):
            parameter = Parameter(key, title, title, 1, limits[key], 2, "integer")
            field = self._fields[key] = NumberField(parameter, (1, limits[key]))
            field.setObjectName(f"size_{key}_field")
            field.setAccessibleName(about)
            field.setToolTip(plain_tip(about))
            field.refused.connect(self.refused)
            changed = self._on_size_typed if key in "dp" else self._show
            field.valueChanged.connect(changed)
            label = QLabel(title)
            label.setBuddy(field)
            grid.addWidget(label, 0, 2 * column)
            grid.addWidget(field, 0, 2 * column + 1)
        grid.setColumnStretch(2 * len(self._fields), 1)
        self.size_words = plain_label("sizes_coordinates", selectable=True)
        self.cost_words = plain_label("sizes_costs", "muted", selectable=True)
        self.add(grid)
        self.add(self.size_words)
        self.add(self.cost_words)
        self._first: tuple[int, int, int] | None = None

    def show_first(self, d: int, p: int, n: int) -> None:
        """Begin with the sizes of the data, until other data come."""
        if (d, p, n) != self._first:
            self._first = d, p, n
            self._set(d=d, p=p, n=n)
            self._on_size_typed()

    def _set(self, **sizes: int) -> None:
        for key, size in sizes.items():
            field = self._fields[key]
            with QSignalBlocker(field):
                field.setValue(min(size, field.maximum()))

    def sizes(self) -> Sizes:
        values = {key: round(field.value()) for key, field in self._fields.items()}
        return Sizes(**values)

    def _on_size_typed(self) -> None:
        self._set(m=self.sizes().coordinates)
        self._show()

    def _show(self) -> None:
        size, cost = self.sizes().sentences()
        self.size_words.setText(size)
        self.cost_words.setText(cost)


def marked_digits(digits: str, beside: str, theme: Theme) -> str:
    """Return digits with those underlined that another number has not."""
    # Both have as many decimals: one may have a sign or a digit more in front.
    width = max(len(digits), len(beside))
    pairs = zip(digits.rjust(width), beside.rjust(width), strict=True)
    return "".join(
        x if x in (y, " ") else f'<u style="color:{theme.error}">{x}</u>'
        for x, y in pairs
    ).lstrip()


def _words(found: Comparison) -> str:
    other = found.counterexample
    if found.equal and other is None:
        return text.RIGHT.format(count=found.compared)
    if found.equal and other is not None:
        a, b, product, value = other
        return text.LUCKY.format(
            a=a, b=b, product=as_it_is(product), value=as_it_is(value)
        )
    difference = readable(abs(found.product - found.value))
    return text.WRONG.format(value=as_it_is(found.value), difference=difference)
