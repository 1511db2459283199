"""Run everything, print tables, write ``benchmarks/results.json``."""

import json
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks import kernel_pca

RESULTS = Path(__file__).with_name("results.json")


def main() -> None:
    wanted = set(sys.argv[1:]) or set(PARTS)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results["machine"] = {
        "cores": os.cpu_count(),
        "processor": platform.machine(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
    }
    for name, part in PARTS.items():
        if name in wanted:
            results[name] = part()
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    print(f"\nwritten to {RESULTS.relative_to(Path.cwd())}")


def compare() -> list[dict[str, object]]:
    print("Kernel PCA, RBF, 10 components; times in ms, median")
    print(
        f"{'case':28}{'ours':>9}{'default':>10}{'fastest':>10}  {'which':20}"
        f"{'× default':>12}{'× fastest':>12}{'error':>9}{'bound':>9}{'peak MB':>9}"
    )
    rows = []
    for case in kernel_pca.TARGETS:
        row = kernel_pca.compare(case)
        rows.append(row)
        a, b = row["target"]
        bound = f"{row['bound']:.0e}" if row["bound"] is not None else ""
        print(
            f"{case:28}{row['ours_ms']:9.1f}{row['default_ms']:10.0f}"
            f"{row['fastest_ms']:10.0f}  {row['fastest']:20}"
            f"{row['vs_default']:6.0f} (≥{a:3g}){row['vs_fastest']:6.1f} (≥{b:3g})"
            f"{row['error']:9.0e}{bound:>9}{row['peak_mb']:9}",
            flush=True,
        )
    return rows


def large() -> list[dict[str, object]]:
    print("\nLarge, to a residual trace of 1e-3; against Nystroem(300) + PCA")
    print(
        f"{'case':28}{'ours s':>9}{'rank':>6}{'peak MB':>9}"
        f"{'theirs s':>10}{'peak MB':>9}{'ratio':>7}"
    )
    rows = []
    for case in kernel_pca.LARGE:
        row = kernel_pca.large(case)
        rows.append(row)
        print(
            f"{case:28}{row['ours_ms'] / 1e3:9.2f}{row['rank']:6}{row['peak_mb']:9}"
            f"{row['nystroem_ms'] / 1e3:10.2f}{row['nystroem_peak_mb']:9}"
            f"{row['vs_nystroem']:7.1f}",
            flush=True,
        )
    return rows


def growth() -> dict[str, object]:
    result = kernel_pca.growth()
    print(f"\nGrowth with n (circles, error bound 1e-6): n^{result['exponent']:.2f}")
    for n, seconds in zip(result["sizes"], result["seconds"], strict=True):
        print(f"{n:>10,} {seconds * 1e3:9.0f} ms")
    return result


def drawing() -> list[dict[str, object]]:
    from benchmarks import drawing

    print("\nDrawing: new data and repaint, against pyqtgraph's ScatterPlotItem")
    rows = drawing.run()
    for row in rows:
        print(
            f"{row['case']!s:>16}{row['ours_ms']:9.1f} ms{row['reference_ms']:9.1f} ms"
            f"{row['ratio']:8.1f} ×",
            flush=True,
        )
    return rows


def sweep() -> dict[str, object]:
    from benchmarks import sweep

    print("\nSweep with its strip drawn, against a loop over scikit-learn")
    result = sweep.run()
    print(json.dumps(result, indent=1, default=str, ensure_ascii=False), flush=True)
    return result


def stalls() -> dict[str, float | int]:
    from benchmarks import watchdog

    print("\nStalls of the window while 50 values of γ are computed at n = 4,000")
    result = watchdog.run()
    print(
        f"longest gap {result['longest_gap_ms']:.0f} ms, median "
        f"{result['median_gap_ms']:.1f} ms, {result['gaps_over_50_ms']} over 50 ms",
        flush=True,
    )
    return result


PARTS = {
    "compare": compare,
    "large": large,
    "growth": growth,
    "drawing": drawing,
    "sweep": sweep,
    "stalls": stalls,
}


if __name__ == "__main__":
    main()
