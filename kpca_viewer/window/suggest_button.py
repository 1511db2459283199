"""Suggest: takes the value that suits the data, for sliders that stand beside it."""

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.core.methods.kernel_suggestion import Suggestion
from kpca_viewer.engine.initial_session import for_other_data
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.engine.text.remarks import suggestion_grounds
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.scene import Changes, Scene


class SuggestButton(QPushButton):
    """Offers the suggestion while something else is set.

    It stays in its place all the time: it must not push the slider away while γ is
    dragged.
    """

    taken = Signal(str)
    """What was taken and what it is based on, once it was requested."""

    def __init__(self, name: str, changes: Changes) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("role", "link")
        self._changes = changes
        self._scene = Scene()
        self._offers: list[str] = []
        self.clicked.connect(self._on_clicked)

    def show_offer(self, scene: Scene, parameters: Iterable[Parameter]) -> None:
        """Offer what is suggested of some parameters; hidden where that is nothing."""
        self._scene = scene
        suggestion = scene.suggestion or Suggestion({})
        own, suggested = dict(scene.shown.kernel.values), suggestion.values
        driven = [p for p in parameters if p.follows]
        self.setVisible(bool(driven))
        if not driven:
            return
        known, now = (
            {
                p.name: f"{p.symbol} = {readable(of[p.name], 3)}"
                for p in driven
                if p.name in of
            }
            for of in (suggested, own)
        )
        self._offers = [known[n] for n in known if n in now and now[n] != known[n]]
        self.setEnabled(bool(self._offers))
        # Without a result it is not known yet what would be suggested.
        unknown = any(p.name in own and p.name not in suggested for p in driven)
        symbols = ", ".join(p.symbol for p in driven)
        as_suggested = f"{symbols} as suggested"
        offer = f"Suggest {', '.join(self._offers) or symbols}"
        self.setText(offer if self._offers or unknown else as_suggested)
        self._keep_room(as_suggested, f"Suggest {', '.join(known.values()) or symbols}")
        grounds = suggestion_grounds(suggestion)
        here = f"Here it is based on {grounds}. " if grounds else ""
        self.setToolTip(
            f"{tip('suggested')}\n{here}Ctrl+Z brings the value before back."
        )

    def _keep_room(self, *texts: str) -> None:
        """Be as wide as the longest of the texts needs."""
        metrics, kind = self.fontMetrics(), Qt.TextFlag.TextShowMnemonic
        widest = max(metrics.size(kind, text).width() for text in texts)
        shown = metrics.size(kind, self.text()).width()
        self.setMinimumWidth(widest + self.sizeHint().width() - shown)

    def _on_clicked(self) -> None:
        settings = self._scene.settings
        offers = ", ".join(self._offers)
        suggestion = self._scene.suggestion or Suggestion({})
        kernel = for_other_data(settings.kernel)
        self._changes.request(replace(settings, kernel=kernel))
        text = f"{offers} is based on {suggestion_grounds(suggestion)}"
        if not suggestion.judged:
            text = f"{text}, so the value before may separate them better"
        self.taken.emit(f"{text}.")
