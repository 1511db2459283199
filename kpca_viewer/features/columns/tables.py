"""The influence of columns as text with tabs, as spreadsheets paste it."""

from kpca_viewer.features.columns.compute import RankedColumns
from kpca_viewer.features.columns.text import noise_words

TITLES = "column", "influence", "share"
WAY = "direction", "agreement", "steadiness"
NOISE = "noise up to", "beyond noise"


def influence_table(ranked: RankedColumns) -> str:
    """Return all columns, the strongest first; empty cells are not known."""
    single = len(ranked.components) == 1
    related = [f"r with PC {component + 1}" for component in ranked.components]
    lines = ["\t".join((*TITLES, *related, *WAY, *NOISE))]
    for c in ranked.columns:
        # A name must not break the table in which it stands.
        cells = [" ".join(c.name.split()), f"{c.strength:.6g}", f"{c.share:.6g}"]
        cells += [f"{r:.6g}" for r in c.correlations]
        way = [str(c.direction), f"{c.agreement:.6g}", f"{c.steadiness:.6g}"]
        cells += way if single else [""] * 3
        cells.append("" if c.noise is None else f"{c.noise:.6g}")
        cells.append("" if c.stands_out is None else noise_words(c, ranked))
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"
