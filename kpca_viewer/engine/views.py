"""How the plots are looked at: cameras, ranges, hidden classes.

They are no part of the history, but of a session file.
"""

from dataclasses import dataclass, field

from kpca_viewer.engine.camera import Camera

Range = tuple[float, float]


@dataclass(frozen=True)
class Pose:
    """How one scatter is looked at."""

    camera: Camera | None = None
    """None for the usual one."""
    range: tuple[Range, Range] | None = None
    """Pairs (low, high). On the axes x and y of a flat plot; None shows all points."""

    def sound(self) -> "Pose":
        """Return a copy without what no plot could show."""
        camera, ends = self.camera, self.range
        if camera and not (camera.distance > 0 and 0.01 < camera.zoom < 1000):
            camera = None
        if ends and not all(low < high for low, high in ends):
            ends = None
        return Pose(camera, ends)


@dataclass(frozen=True)
class Views:
    """How all plots of a board are looked at."""

    page: str | None = None
    """Of the comparison; None leaves it as it is."""
    hidden: tuple[int, ...] = ()
    """Codes of the classes that are hidden, sorted."""
    data: Pose = field(default_factory=Pose)
    embedding: Pose = field(default_factory=Pose)
    pca: Pose = field(default_factory=Pose)
    """Of the scatters."""
    folded: tuple[str, ...] = ()
    """Keys of the lines of the derivation that are folded away, in their order."""
    filled: str | None = None
    """The panel that fills the board: "data", "embedding", "spectrum" or "compare"."""
