"""Feature: one thing that people see or do, as a value that all else is made from.

Nothing here loads a view, a controller or a command: they are named ``"module:Name"``
and loaded when first used, so that a feature costs nothing until it is looked at.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kpca_viewer.engine.settings import SessionSettings
    from kpca_viewer.widgets.scene import Scene
    from kpca_viewer.widgets.workbench import Workbench


@dataclass(frozen=True)
class Plot:
    """Something that can be exported as a picture."""

    key: str
    """Also its name on the command line."""
    title: str
    of_data: str = ""
    """What stands behind the name of the data in the title of a picture; empty where
    the name says it all."""
    has_legend: bool = False
    """Whether the colour of a point means something in it."""


WORKSPACES = {
    "explore": "Explore",
    "sweep": "Sweep",
    "explain": "Explain",
    "decide": "Decide",
}
"""The arrangements of the window, each for one task, in the order of their tabs."""


@dataclass(frozen=True)
class Page(Plot):
    """A page of the panel that changes with the workspace."""

    view: str = ""
    """A `PageView`, "module:Class"."""
    menu: str = ""
    """Its title with a mnemonic."""
    tip: str = ""
    """Of its button."""
    short: str = ""
    """Title of its button where there is little room, if it is clear enough; empty for
    the same."""
    terms: tuple[str, ...] = ()
    """Keys of the glossary that explain what it shows."""
    is_picture: bool = True
    """Whether it can be exported; a table cannot."""
    workspaces: tuple[str, ...] = ("explore",)
    """Where it is a tab; a request for it from another workspace leads to the first."""


@dataclass(frozen=True)
class Action:
    """One thing that can be done, wherever it is offered."""

    key: str
    """Also the object name of the action, with "_action" behind it."""
    text: str
    """Of the menu, with the mnemonic."""
    menu: str
    shortcut: str = ""
    icon: str = ""
    """Name of an icon; empty for none."""
    tip: str = ""
    """What it does to the picture."""
    handler: "str | Callable[[Workbench, bool], object]" = ""
    """What it calls: a method of the feature's controller, perhaps of one of its
    attributes ("strip.start"); or a function of the workbench and of whether it is
    checked, as "module:function" where that is loaded when first used."""
    change: "Callable[[SessionSettings, bool], SessionSettings] | None" = None
    """Instead of a handler: the settings after it, from those before and whether it is
    checked."""
    enabled: "Callable[[Scene], bool] | None" = None
    """Whether it is possible in a scene; None leaves that to the controller."""
    checked: "Callable[[Scene], bool] | None" = None
    """Whether it holds in a scene; None leaves that to the controller."""
    checkable: bool = False
    separator: bool = False
    """Whether a line stands above it."""
    group: str = ""
    """Of actions with the same group, just one is checked."""
    other_key: str = ""
    """A key that works without being a shortcut of Qt."""
    more_shortcuts: tuple[str, ...] = ()
    """Keys that mean the same, on other keyboards."""

    @property
    def name(self) -> str:
        """The text without what is only for menus."""
        return self.text.replace("&", "").rstrip("…")


@dataclass(frozen=True)
class Feature:
    """What the window, the command line and Python know of a feature."""

    key: str
    """The name of its folder."""
    plots: tuple[Plot, ...] = ()
    """Pictures that are no pages."""
    page: Page | None = None
    actions: tuple[Action, ...] = ()
    stages: tuple[str, ...] = ()
    """Its stages, "module:STAGE", in the order in which they are computed."""
    controller: str = ""
    """What connects it to the window: "module:Class", made from a `Workbench`."""
    export_page: str = ""
    """A page that it has in the export panel, "module:Class"."""
    report_section: str = ""
    """What it states in a report: a `ReportSection`, "module:function"."""
    report_order: int = 0
    """Where its section stands among those of other features; small ones first."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """The modules of its commands, by their names on the command line."""


def load(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
