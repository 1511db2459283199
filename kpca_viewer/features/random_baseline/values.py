"""What is known of a picture beside random data, as a frozen value of a result."""

from dataclasses import dataclass

from kpca_viewer.core.methods.random_baseline import Reality
from kpca_viewer.engine.claims import Claim


@dataclass(frozen=True, eq=False)
class FoundReality:
    """A comparison with random data, or why there is none."""

    compared: Reality | None
    refusal: str = ""
    """One sentence."""
    claims: tuple[Claim, ...] = ()
    """What is said of groups."""
