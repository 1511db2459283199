"""The column of cards on the left."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.window.sidebar.appearance_card import AppearanceCard
from kpca_viewer.window.sidebar.components_card import ComponentsCard
from kpca_viewer.window.sidebar.data_card import DataCard
from kpca_viewer.window.sidebar.kernel_card import KernelCard
from kpca_viewer.window.sidebar.settings_card import SettingsCard

NARROWEST = 256


class Sidebar(QScrollArea):
    """Scrolls its cards.

    Parameters
    ----------
    changes : Changes
        Of the cards.
    """

    choice_requested = Signal()
    """Kernels are to be compared."""
    columns_requested = Signal()
    """The person wants to see what the columns of the file mean."""
    all_rows_requested = Signal()
    """Rows that were left out are to be analysed again."""
    suggestion_taken = Signal(str)
    """What was taken and what it is based on."""

    def __init__(self, changes: Changes) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setAccessibleName("Settings")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        data, kernel = DataCard(changes), KernelCard(changes)
        self._kernel = kernel
        kernel.choice_requested.connect(self.choice_requested)
        kernel.suggest.taken.connect(self.suggestion_taken)
        data.columns_requested.connect(self.columns_requested)
        data.all_rows_requested.connect(self.all_rows_requested)
        self.cards: list[SettingsCard] = [
            data,
            kernel,
            ComponentsCard(changes),
            AppearanceCard(changes),
        ]
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        for card in self.cards:
            card.header.setObjectName(card.objectName().replace("_card", "_header"))
            layout.addWidget(card)
        layout.addStretch(1)
        self._page = page
        self.setWidget(page)
        self._fit_width()

    def join(self, linking: Linking) -> None:
        """Let the cards follow the mouse in the plots."""
        self._kernel.join(linking)

    def _fit_width(self) -> None:
        """Leave room for what stands in the cards, whatever the size of the type."""
        bar = self.verticalScrollBar().sizeHint().width()
        needed = self._page.minimumSizeHint().width() + bar
        self.setMinimumWidth(max(NARROWEST, needed))

    def fold_again(self) -> None:
        """Fold and unfold the cards as they were at first."""
        for card in self.cards:
            card.set_collapsed(card.starts_folded)

    def show_scene(self, scene: Scene) -> None:
        """Show a scene in every card; requests nothing."""
        for card in self.cards:
            card.show_scene(scene)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the cards when they need another width."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit_width()
        return super().eventFilter(watched, event)
