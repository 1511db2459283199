"""What is said of rows with filled cells, and of columns of their component."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import mannwhitneyu
from sklearn.metrics import roc_auc_score

from kpca_viewer.data.files import ReadOptions, read_table
from kpca_viewer.data.frames import of_arrays
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.claims import filled as claims
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.export.code_files import read_by_others, read_by_ourselves
from kpca_viewer.export.document import Paragraph, Table
from kpca_viewer.features.columns.stages import report_section
from kpca_viewer.features.columns.text import MORE
from kpca_viewer.features.report.result_sections import embedding_section
from kpca_viewer.features.report.subject import Subject
from kpca_viewer.support.progress import never, silent
from kpca_viewer.window.explain import explain


@pytest.fixture(scope="module")
def cases():
    tools = str(Path(__file__).parents[2] / "tools")
    sys.path.insert(0, tools)
    try:
        from claim_cases import filled
    finally:
        sys.path.remove(tools)
    return filled


def opened(points, missing="median"):
    data = DataSettings(scaling="standardise")
    return analyse(of_arrays(points, missing=missing), SessionSettings(data=data))


@pytest.mark.journey
def test_a_component_that_tells_filled_rows_is_named(cases):
    result = opened(cases.clinic(np.random.default_rng(0)))
    said = claims.about_filled(result)
    cells = result.dataset.filled_cells > 0
    area = roc_auc_score(cells, result.scores[:, 1])
    assert said.text == (
        f"PC 2 tells the {cells.sum()} rows with filled cells from the others (AUC "
        f"{max(area, 1 - area):.2f}), so that gaps may have made this structure: "
        "colour by Filled cells, or leave those rows out."
    )
    assert said.text in " ".join(explain(result))
    # On other axes it is another picture; and without gaps there is nothing to say.
    view = replace(result.settings.view, axes=(0, 0, 0))
    assert (
        claims.about_filled(
            replace(result, settings=replace(result.settings, view=view))
        )
        is None
    )
    dropped = opened(cases.clinic(np.random.default_rng(0)), "drop")
    assert claims.about_filled(dropped) is None


@pytest.mark.journey
def test_the_report_says_it(cases):
    result = opened(cases.clinic(np.random.default_rng(1)))
    told = embedding_section(Subject(result, result.settings.view)).blocks
    said = [block.text for block in told if isinstance(block, Paragraph)]
    assert claims.about_filled(result).text in said


@pytest.mark.journey
def test_columns_of_a_component_that_filling_made_are_doubtful(cases):
    """A treatment dealt out at random has more than in random order by gaps alone."""
    result = opened(
        cases.clinic(np.random.default_rng(np.random.SeedSequence((77, 2))))
    )
    section = report_section(result, StageCache(), never, silent)
    said = next(block.text for block in section.blocks if isinstance(block, Paragraph))
    assert claims.about_filled(result).text in said
    assert f"“x12” has {MORE} in PC 2 alone: that may" in said
    table = next(block for block in section.blocks if isinstance(block, Table))
    cells = {row[0]: row[-1] for row in table.rows}
    assert cells["x12"] == "PC 2 alone: filled cells?"
    assert cells["x14"] == "yes"


def test_columns_say_it_of_a_component_without_columns_of_its_own(cases):
    """PC 2 has no column with clearly more than in random order; gaps have made it."""
    result = opened(cases.clinic(np.random.default_rng(2)))
    section = report_section(result, StageCache(), never, silent)
    said = next(block.text for block in section.blocks if isinstance(block, Paragraph))
    assert claims.about_filled(result).text in said
    assert " PC 2: the largest correlation is that of" in said
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert table.titles[4] == "r with PC 1"
    assert "r with PC 2" not in table.titles


def test_scripts_of_nearest_rows_read_by_our_reader(tmp_path):
    points = np.random.default_rng(5).normal(size=(30, 3))
    points[:9, 1] = np.nan
    np.savetxt(tmp_path / "t.csv", points, delimiter=",", header="a,b,c", comments="")
    table = read_table(tmp_path / "t.csv")
    chosen = replace(guess_import(table), missing="nearest")
    file = FileReference(tmp_path / "t.csv", table.content_hash, ReadOptions())
    dataset = to_dataset(table, chosen)
    assert read_by_others(dataset, file, chosen) is None
    names = {}
    ours = read_by_ourselves(file, chosen)
    exec("\n".join((*ours.imports, ours.body)), names)
    np.testing.assert_array_equal(names["X"], dataset.points)


@pytest.mark.journey
def test_gaps_at_random_are_no_matter(cases):
    result = opened(cases.at_random(0.05)(np.random.default_rng(0)))
    assert result.dataset.filled_cells.any()
    assert claims.about_filled(result) is None


def test_area_and_probability_are_those_of_mann_and_whitney():
    random = np.random.default_rng(2)
    filled = random.random(300) < 0.2
    for score in (random.normal(size=300), random.integers(0, 4, 300) + 0.7 * filled):
        area, p = claims._tested(score, filled)
        wanted = roc_auc_score(filled, score)
        assert area == pytest.approx(max(wanted, 1 - wanted))
        test = mannwhitneyu(
            score[filled], score[~filled], method="asymptotic", use_continuity=False
        )
        assert p == pytest.approx(test.pvalue, rel=1e-6)
    assert claims._tested(np.zeros(300), filled) == (0.5, 1.0)


def test_few_filled_rows_are_not_spoken_of():
    scores, cells = np.arange(100.0)[:, None], np.zeros(100)
    cells[:4] = 1
    assert claims.filled_rows(scores, [0], cells) is None
    cells[:10] = 1
    assert claims.filled_rows(scores, [0], cells).text.startswith("PC 1 tells the 10 ")
