"""Python that draws the embedding with matplotlib, if that is installed."""

from kpca_viewer.core.projection import positive_part
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.export.code.literals import Snippet, quoted
from kpca_viewer.export.wording import one_line
from kpca_viewer.support.numerals import percent

# Okabe and Ito's colours, in the order of the window.
COLORS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#E69F00",
    "#56B4E9",
    "#CC79A7",
    "#F0E442",
    "#8A8F98",
)
MOST_NAMES = 40


def plot_snippet(
    result: AnalysisResult,
    view: ViewSettings | None = None,
    *,
    has_position: bool = False,
) -> Snippet:
    """Return code that draws ``scores`` (n, k) in the colours of ``y``.

    Parameters
    ----------
    has_position : bool
        Whether ``position`` is known, which colours points without classes.
    """
    view = view or result.settings.view
    known = max(1, int((positive_part(result.decomposition) > 0).sum()))
    wanted = view.axes[: 3 if view.embedding_3d else 2]
    axes = [axis for axis in wanted if axis < known] or [0]
    three = len(axes) == 3
    columns = ", ".join(f"scores[{{rows}}, {axis}]" for axis in axes)
    if len(axes) == 1:
        columns += ", 0 * scores[{rows}, 0]"
    lines = [
        "try:",
        "    import matplotlib.pyplot as plt",
        "except ImportError:",
        "    plt = None",
        '    print("matplotlib is not installed, so nothing is drawn.")',
        'if plt is not None and __name__ == "__main__":',
    ]
    projection = '(subplot_kw={"projection": "3d"})' if three else "()"
    body = [f"figure, axes = plt.subplots{projection}"]
    body += _points(result, columns, has_position)
    for name, axis in zip("xyz", axes, strict=False):
        share = f"{result.mass.mark}{percent(result.shares[axis])}"
        body.append(f'axes.set_{name}label("PC {axis + 1} ({share})")')
    if not view.fills:
        how = "" if three else ', adjustable="datalim"'
        body.append(f'axes.set_aspect("equal"{how})')
    title = one_line(result.dataset.name, 80)
    body += [f"axes.set_title({quoted(title)})", "plt.show()"]
    lines += [f"    {line}" for line in body]
    return Snippet("\n".join(lines))


def _points(result: AnalysisResult, columns: str, has_position: bool) -> list[str]:
    dataset = result.dataset
    everything = columns.format(rows=":")
    if dataset.labels is None:
        color = ', c=position, cmap="viridis"' if has_position else ""
        return [f"axes.scatter({everything}, s=12{color})"]
    if len(dataset.label_names) > MOST_NAMES:
        return [f'axes.scatter({everything}, s=12, c=y, cmap="viridis")']
    half = len(COLORS) // 2
    names = [quoted(one_line(name, 60)) for name in dataset.label_names]
    return [
        "colors = [",
        f"    {', '.join(map(quoted, COLORS[:half]))},",
        f"    {', '.join(map(quoted, COLORS[half:]))},",
        "]",
        "names = [",
        *(f"    {name}," for name in names),
        "]",
        "for code, name in enumerate(names):",
        "    rows = y == code",
        "    axes.scatter(",
        f"        {columns.format(rows='rows')},",
        "        s=12, label=name, color=colors[code % len(colors)],",
        "    )",
        "axes.legend()",
    ]
