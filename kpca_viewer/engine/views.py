"""How plots are looked at: cameras, ranges, hidden classes.

They are no part of the history, but of a session file.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Just short of the poles, where "up" would lose its meaning.
_STEEPEST = 89.0
_NEAREST, _FARTHEST = 0.2, 20.0


@dataclass(frozen=True)
class Camera:
    """A camera that looks at the origin of a box with half-sides of about one."""

    azimuth: float = -58.0
    elevation: float = 22.0
    """Direction from the origin to the eye, in degrees: around the third axis, and
    above the plane of the first two."""
    distance: float = 7.0
    """From the origin to the eye; the smaller, the stronger the perspective."""
    zoom: float = 1.0
    """Magnification of the picture."""
    pan: tuple[float, float] = (0.0, 0.0)
    """Shift of the picture in its own plane."""

    def rotation(self) -> Floats:
        """Return the orthonormal rows right, up and towards the eye, (3, 3)."""
        azimuth, elevation = math.radians(self.azimuth), math.radians(self.elevation)
        ca, sa = math.cos(azimuth), math.sin(azimuth)
        ce, se = math.cos(elevation), math.sin(elevation)
        return np.array(
            [[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]]
        )

    def project(self, points: Floats) -> tuple[Floats, Floats]:
        """Project points onto the picture.

        ``points`` (n, 3); ``picture`` (n, 2): right and up; ``depth`` (n,): along the
        line of sight, larger is nearer to the eye.
        """
        seen = points @ self.rotation().T
        depth: Floats = seen[:, 2]
        # The floor keeps points beside or behind the eye from flipping over.
        away = np.maximum(self.distance - depth, 0.05 * self.distance)
        magnification = self.zoom * self.distance / away
        picture: Floats = seen[:, :2] * magnification[:, None] + self.pan
        return picture, depth

    def orbit(self, azimuth: float, elevation: float) -> "Camera":
        """Return the camera moved around the origin by angles in degrees."""
        return replace(
            self,
            azimuth=(self.azimuth + azimuth + 180.0) % 360.0 - 180.0,
            elevation=min(max(self.elevation + elevation, -_STEEPEST), _STEEPEST),
        )

    def pan_by(self, right: float, up: float) -> "Camera":
        return replace(self, pan=(self.pan[0] + right, self.pan[1] + up))

    def stepped_back(self) -> "Camera":
        """Return the camera where it sees the whole box from the same side."""
        return replace(self, zoom=1.0, pan=(0.0, 0.0))

    def zoom_by(self, factor: float, anchor: tuple[float, float] = (0, 0)) -> "Camera":
        """Return the camera magnified by a factor; the anchor keeps its place."""
        zoom = min(max(self.zoom * factor, _NEAREST), _FARTHEST)
        ratio = zoom / self.zoom
        pan = tuple(a + (p - a) * ratio for a, p in zip(anchor, self.pan, strict=True))
        return replace(self, zoom=zoom, pan=(pan[0], pan[1]))


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
    """The panel on the stage: "data", "spectrum" or "pages"; None for the embedding."""
    workspace: str | None = None
    """None leaves it to the page."""
    pages: tuple[tuple[str, str], ...] | None = None
    """The page in front of every other workspace: the keys of both."""
