"""A report tells what was computed, and nothing else; both formats hold all of it."""

import html
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
import sklearn

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.engine.text.remarks import suggestion_grounds
from kpca_viewer.export.document import Code, Picture, Table
from kpca_viewer.features.report.html import as_html
from kpca_viewer.features.report.methods import methods_paragraph
from kpca_viewer.features.report.pdf import (
    WIDTH,
    as_pdf,
    document_of,
    left_behind,
)
from kpca_viewer.features.report.report import report_of, write_report
from kpca_viewer.features.report.subject import Subject, gather
from kpca_viewer.support.errors import Cancelled, ExportError
from kpca_viewer.support.numerals import fixed
from tests.export.report import pdf_text
from tests.ui.plots.results import (
    equal_points,
    indefinite_distances,
    result_of,
    worked_example,
)

SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">'
    b'<rect width="40" height="20"/></svg>'
)


def subject_of(result, **more):
    return Subject(result, result.settings.view, **more)


def pictures_of(subject):
    return {key: Picture("svg", SVG, 40, 20) for key in subject.figure_keys}


def report(result, **more):
    return report_of(gather(subject_of(result, **more)))


def section(told, title):
    (found,) = (part for part in told.sections if part.title == title)
    return found


def table(told, title, number=0):
    blocks = section(told, title).blocks
    return [block for block in blocks if isinstance(block, Table)][number]


def words(told, title):
    """Return all text of a section, whatever block it stands in."""
    return html.unescape(re.sub("<[^>]*>", " ", page(told, title)))


def page(told, title=""):
    keys = ("embedding", "data", "pca", "spectrum")
    whole = as_html(told, {key: Picture("svg", SVG, 40, 20) for key in keys})
    if not title:
        return whole
    key = title.lower().replace(" ", "-")
    return whole.partition(f'<section id="{key}">')[2].partition("</section>")[0]


@pytest.fixture(scope="module")
def iris():
    return result_of("iris", components=4)


@pytest.fixture(scope="module")
def told(iris):
    return report(iris)


class Resources(HTMLParser):
    """Collects what a browser would fetch."""

    def __init__(self):
        super().__init__()
        self.wanted = []

    def handle_starttag(self, _tag, attrs):
        names = ("src", "href", "srcset", "data", "action")
        self.wanted += [value for name, value in attrs if name in names]


class TestPage:
    def test_it_is_well_formed_and_needs_nothing_beside_it(self, told):
        text = page(told)
        root = ElementTree.fromstring(text)
        resources = Resources()
        resources.feed(text)
        assert len(resources.wanted) == 4
        assert all(value.startswith("data:") for value in resources.wanted)
        assert "url(" not in text
        assert "@import" not in text
        assert "<script" not in text
        assert all(image.get("alt") for image in root.iter("img"))

    def test_the_limits_of_claims_are_told_with_their_numbers(self, told):
        said = words(told, "Influence of columns")
        assert re.search(r"all of 39 fits .* at least \d\.\d of", said)
        columns = table(told, "Influence of columns")
        place = columns.titles.index("deviations")
        assert all(float(row[place]) > -3 for row in columns.rows)
        assert all(" ± " in row[2] for row in columns.rows)
        limit = "Groups of less than a tenth of the rows are not looked for."
        assert limit in words(told, "Groups and random data")

    def test_numbers_end_below_each_other_and_words_do_not(self, told):
        root = ElementTree.fromstring(page(told))
        spectrum = next(s for s in root.iter("section") if s.get("id") == "spectrum")
        assert all(c.get("class") == "number" for c in spectrum.iter("td"))
        columns = table(told, "Influence of columns")
        assert columns.words == {0, len(columns.titles) - 1}

    def test_hostile_names_stay_text(self):
        points = np.random.default_rng(0).normal(size=(12, 2))
        names = ("<script>alert(1)</script>", 'a "b" & \x00 c')
        result = analyse(Dataset(points, feature_names=names, name="</style><b>\x07"))
        text = page(report(result))
        ElementTree.fromstring(text)
        assert "<script" not in text
        assert "alert(1)" in text


class TestNumbers:
    def test_every_eigenvalue_stands_with_bounds_that_hold(self, iris, told):
        rows = table(told, "Spectrum").rows
        found = iris.decomposition
        assert len(rows) == 4
        for row, value, (low, high) in zip(
            rows, found.eigenvalues, found.bounds, strict=True
        ):
            _, told_value, least, most, *_ = row
            assert float(least) <= low <= high <= float(most)
            assert float(told_value) == pytest.approx(value, rel=1e-9)
        assert rows[0][4] == f"{100 * iris.shares[0]:.2f} %"
        assert rows[-1][5] == f"{100 * iris.shares.sum():.2f} %"

    def test_data_are_described(self, iris, told):
        said = words(told, "Data")
        assert iris.dataset.content_hash in said
        assert "setosa (50), versicolor (50), virginica (50)" in said
        assert "150" in said
        first = table(told, "Data").rows[0]
        column = iris.dataset.points[:, 0]
        assert first[1] == f"{column.min():.1f}"
        assert first[4] == f"{column.mean():.3f}"

    def test_the_width_is_told_in_all_conventions(self):
        said = words(report(result_of("circles", gamma=2.0)), "Kernel")
        assert "σ = 0.5 where γ = 1/2σ²" in said
        assert "σ = 0.707107 where γ = 1/σ²" in said
        assert "set by hand" in said

    def test_a_suggestion_is_told_as_such(self):
        result = result_of("circles")
        said = words(report(result), "Kernel")
        assert "suggested by the data" in said
        assert suggestion_grounds(result.suggestion) in said
        assert "set by hand" not in said
        # The same value, written down by a step that keeps it.
        kept = report(result_of("circles", gamma=result.suggested["gamma"]))
        assert words(kept, "Kernel") == said
        looked = "The same classes were looked at for the values of the kernel"
        assert looked in words(report(result), "Embedding")
        assert looked in words(kept, "Embedding")
        by_hand = words(report(result_of("circles", gamma=2.0)), "Embedding")
        assert looked not in by_hand
        assert "guessing the largest class gives 50.0 %" in by_hand

    def test_a_value_that_other_rows_suggested_was_not_set_by_hand(self):
        result = result_of("circles", gamma=2.0)
        kernel = replace(result.settings.kernel, kept=("gamma",))
        kept = replace(result, settings=replace(result.settings, kernel=kernel))
        said = words(report(kept), "Kernel")
        assert "γ was kept from before rows were excluded or added." in said
        assert "set by hand" not in said

    def test_influence_and_odd_rows_are_those_of_the_window(self, iris, told):
        influence = table(told, "Influence of columns")
        assert {row[0] for row in influence.rows} == set(iris.dataset.feature_names)
        shares = [float(row[1].removesuffix(" %")) for row in influence.rows]
        assert sum(shares) == pytest.approx(100, abs=0.3)
        assert influence.titles[4] == "r with PC 1"
        r = np.corrcoef(iris.dataset.points.T, iris.scores[:, 0])[-1, :-1]
        told_of = dict(zip(iris.dataset.feature_names, r, strict=True))
        for row in influence.rows:
            assert row[4] == fixed(told_of[row[0]], 2)
            assert row[-1] in ("yes", "no")
        odd = table(told, "Odd rows")
        assert len(odd.rows) == 10
        times = [float(row[1]) for row in odd.rows]
        assert times == sorted(times, reverse=True)
        assert "The list has the 10 oddest of " in words(told, "Odd rows")

    def test_gaps_and_rows_left_out_are_told(self):
        points = np.random.default_rng(0).normal(size=(12, 2))
        dataset = Dataset(points, left_out=3, filled=(5, 2), excluded=4)
        said = words(report(analyse(dataset)), "Data")
        assert "3 because of missing values; 4 by hand" in said
        assert "5 gaps in 2 columns are filled" in said


class TestMethods:
    def test_all_columns_with_gaps_that_are_not_analysed_are_named(self):
        """Also those that were left out by a lower limit than the usual one."""
        points = np.random.default_rng(0).normal(size=(20, 2))
        budget, year, cast = np.full(20, np.nan), np.arange(20.0), np.ones(20)
        budget[:3], cast[:2] = 1, np.nan
        columns = {"cast": cast, "budget": budget, "year": year}
        dataset = Dataset(points, columns=columns)
        said = methods_paragraph(subject_of(analyse(dataset)))
        assert (
            "columns with missing values, by their share of these rows, that were not "
            "analysed: “budget” (85 %), “cast” (10 %)."
        ) in said
        assert "year" not in said

    def test_the_paragraph_names_data_kernel_and_exactness(self, iris):
        said = methods_paragraph(subject_of(iris))
        gamma = iris.kernel.values["gamma"]
        assert "150 rows of “Iris” with 4 features" in said
        assert "k(x, y) = exp(−γ ‖x − y‖²)" in said
        assert f"γ = {gamma:.6g}" in said
        assert f"{100 * iris.shares[:2].sum():.1f} %" in said
        assert np.__version__ in said
        assert f"scikit-learn {sklearn.__version__}" in said
        linear = f"{100 * iris.linear.shares[:2].sum():.1f} %"
        assert f"as many components explain {linear} of the variance of the data" in (
            said
        )
        assert "Held-out scores" not in said
        assert methods_paragraph(subject_of(iris)) == said

    def test_it_is_a_section_of_the_page(self, iris, told):
        assert methods_paragraph(subject_of(iris)) in words(told, "Methods")

    @pytest.mark.parametrize("family", ["poly", "matern", "cosine", "laplacian"])
    def test_every_kernel_can_be_told(self, family):
        said = methods_paragraph(subject_of(result_of("moons", family)))
        assert "{" not in said
        assert "None" not in said


class TestWithoutColumns:
    @pytest.mark.parametrize("make", [worked_example, indefinite_distances])
    def test_a_given_matrix_has_a_report_that_says_what_it_lacks(self, make):
        found = report(make())
        assert "no columns" in words(found, "Influence of columns")
        assert "no columns to scale" in words(found, "Preparation")
        assert {figure.key for figure in found.figures} == {"embedding", "spectrum"}
        assert "nothing was chosen" in words(found, "Kernel")

    def test_equal_rows_and_one_row_are_told(self):
        assert "No variance: all rows" in words(report(equal_points()), "Spectrum")
        settings = SessionSettings(kernel=KernelSettings("sigmoid", (("gamma", 1.0),)))
        large = np.random.default_rng(0).uniform(1e7, 2e7, (49, 2))
        settings = replace(settings, data=replace(settings.data, scaling="none"))
        found = report(analyse(Dataset(large), settings))
        for section in ("Spectrum", "Methods"):
            assert "No variance to share out" in words(found, section)
        one = analyse(Dataset(np.ones((1, 2))))
        assert "One row alone is not odd" in words(report(one), "Odd rows")

    def test_forgotten_steps_are_told(self):
        settings = SessionSettings(analysis=AnalysisSettings(center=False))
        points = np.random.default_rng(0).normal(size=(12, 2))
        found = report(analyse(Dataset(points), settings))
        assert "Not centred" in words(found, "Methods")
        assert "was not centred" in words(found, "Methods")


class TestChoice:
    def choice(self, result, **values):
        line = Line("rbf", scanned="gamma")
        rows = (
            Row(Line("linear"), None, 2, 0.5, 0.01),
            Row(line, values["gamma"], 3, 0.975, 0.012, real=3, stability=0.91),
        )
        return Choice(
            "classes",
            rows,
            chance=0.5,
            folds=5,
            repeats=4,
            seed=7,
            n=result.dataset.n,
            corrected=0.96,
        )

    def test_the_paragraph_says_what_a_search_recommends_instead(self):
        result = result_of("circles", gamma=4.0)
        for gamma in (4.0, 5.0):
            choice = self.choice(result, gamma=gamma)
            said = methods_paragraph(subject_of(result, choice=choice))
            assert (
                "A search over kernels in the same session recommends linear PCA with "
                "two components instead."
            ) in said
        lost = replace(choice, corrected=0.5)
        said = methods_paragraph(subject_of(result, choice=lost))
        assert "in the same session found nothing to choose." in said

    def test_a_search_is_the_reason_where_it_has_tried_this_kernel(self):
        result = result_of("circles", gamma=4.0)
        choice = self.choice(result, gamma=4.0)
        found = report(result, choice=choice, taken=1)
        said = words(found, "Kernel")
        told = "held-out balanced accuracy in 5 folds, 4 times, on 400 rows (seed 7)"
        assert told in said
        assert "Place 2 of the list was taken" in said
        row = table(found, "Kernel", 1).rows[1]
        assert row == ("RBF γ = 4", "3", "97.5 ± 1.2 %", "3", "–")
        assert "chosen by a search" in said
        assert "set by hand" not in said
        assert "held-out balanced accuracy (guessing 50 %)" in said
        assert "not among its rows" not in said
        paragraph = methods_paragraph(subject_of(result, choice=choice, taken=1))
        assert "97.5 ± 1.2 % balanced accuracy held out, guessing 50 %" in paragraph
        assert "linear discriminants on the scores" in paragraph
        assert "refitted inside every fold" in paragraph
        told = words(found, "Words")
        assert "Stable for" in told
        assert "38 tables of permuted columns" in told

    def test_a_kernel_that_was_set_by_hand_was_not_taken_from_the_list(self):
        result = result_of("circles", gamma=4.0)
        choice = self.choice(result, gamma=4.0)
        for taken in (None, 0):
            said = words(report(result, choice=choice, taken=taken), "Kernel")
            assert "It is place 2 of a search." in said
            assert "set by hand" in said
            assert "was taken" not in said
            assert "chosen by a search" not in said

    @pytest.mark.parametrize(
        ("evidence", "learner"), [("target", "least squares on"), ("structure", "")]
    )
    def test_scores_are_of_what_has_predicted(self, evidence, learner):
        result = result_of("circles", gamma=4.0)
        choice = replace(self.choice(result, gamma=4.0), evidence=evidence)
        paragraph = methods_paragraph(subject_of(result, choice=choice))
        assert learner in paragraph
        assert ("Held-out scores" in paragraph) == bool(learner)

    @pytest.mark.parametrize(
        ("first", "corrected", "end"),
        [
            (
                True,
                0.96,
                "every fold; the setting was chosen by these scores. Chosen by the "
                "other folds alone, it scores 96 % balanced accuracy",
            ),
            (
                False,
                0.96,
                "every fold. The setting, RBF γ = 4, was made by hand, against the "
                "recommendation. Linear PCA, chosen by the other folds alone, scores "
                "96 % balanced accuracy",
            ),
            (
                False,
                0.5,
                "every fold. The setting, RBF γ = 4, was made by hand. Linear PCA, ",
            ),
        ],
    )
    def test_only_the_recommended_setting_was_chosen_by_scores(
        self, first, corrected, end
    ):
        result = result_of("circles", gamma=4.0)
        choice = replace(self.choice(result, gamma=4.0), corrected=corrected)
        if first:
            choice = replace(choice, rows=choice.rows[::-1])
        paragraph = methods_paragraph(subject_of(result, choice=choice))
        assert end in paragraph
        assert ("chosen by these scores" in paragraph) == first

    def test_a_search_for_something_else_is_no_reason(self):
        result = result_of("circles", gamma=4.0)
        assert result.kernel == Kernel("rbf", gamma=4.0)
        found = report(result, choice=self.choice(result, gamma=5.0))
        said = words(found, "Kernel")
        assert "2 kernels were compared by held-out balanced accuracy" in said
        assert "The kernel of this report is not among its rows." in said
        assert "Stable for" not in words(found, "Words")
        assert "Held-out scores" not in words(found, "Methods")


def test_what_was_tried_is_told_and_nothing_is_denied():
    result = result_of("circles", gamma=4.0)
    assert "what else was tried is not known" in words(report(result), "Kernel")
    told = words(report(result, tried=("a sweep over γ.",)), "Kernel")
    assert "Tried in this session: a sweep over γ." in told
    assert "not known" not in told


def test_the_code_gives_the_same_eigenvalues(told, iris, tmp_path):
    (code,) = (b for b in section(told, "Code").blocks if isinstance(b, Code))
    shown = html.unescape(page(told, "Code"))
    assert code.text in shown
    script = tmp_path / "again.py"
    script.write_text(f"{code.text}\nprint('MU', *model.eigenvalues_)\n", "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=True,
        env={"MPLBACKEND": "agg", "PATH": "", "PYTHONIOENCODING": "utf-8"},
        cwd=tmp_path,
    )
    again = [float(word) for word in done.stdout.partition("MU ")[2].split()]
    np.testing.assert_allclose(again, iris.decomposition.eigenvalues, rtol=1e-12)


class TestPdf:
    def test_it_has_pages_and_the_text_of_all_sections(self, qapp, told, iris):
        subject = subject_of(iris)
        content = as_pdf(told, pictures_of(subject))
        assert content.startswith(b"%PDF")
        assert pdf_text.pages(content) >= 4
        text = pdf_text.text(content)
        for part in told.sections:
            assert part.title.replace(" ", "") in text
        for row in table(told, "Spectrum").rows:
            assert row[1] in text
        assert f"1/{pdf_text.pages(content)}" in text
        assert iris.dataset.content_hash in text

    def test_no_heading_and_no_caption_ends_a_page(self, qapp, told, iris):
        document = document_of(told, pictures_of(subject_of(iris)))
        assert left_behind(document, 0) is None
        assert document.size().width() <= WIDTH + 1

    def test_pictures_are_vectors(self, qapp, told, iris):
        content = as_pdf(told, pictures_of(subject_of(iris)))
        assert b"/Subtype /Image" not in content


class TestWriting:
    def test_both_formats_are_written_whole(self, qapp, iris, tmp_path):
        subject, before = subject_of(iris), date.today()
        for ending, start in (("html", b"<!DOCTYPE html>"), ("pdf", b"%PDF")):
            path = tmp_path / f"a.{ending}"
            write_report(path, subject, pictures_of(subject))
            assert path.read_bytes().startswith(start)
        # At midnight, the day before and the day after are both right.
        written = re.search(
            r"<footer>.*, (\d{4}-\d\d-\d\d)\.<",
            (tmp_path / "a.html").read_text("utf-8"),
        )
        assert before <= date.fromisoformat(written[1]) <= date.today()

    @pytest.mark.usefixtures("computed_anew")
    def test_what_is_cancelled_leaves_the_old_file(self, iris, tmp_path):
        path = tmp_path / "a.html"
        path.write_text("old")
        asked = []

        def should_stop():
            asked.append(1)
            return len(asked) > 3

        subject = subject_of(iris)
        with pytest.raises(Cancelled):
            write_report(path, subject, pictures_of(subject), should_stop)
        assert path.read_text() == "old"
        assert list(tmp_path.iterdir()) == [path]

    def test_a_folder_that_is_gone_is_one_sentence(self, iris, tmp_path):
        subject = subject_of(iris)
        with pytest.raises(ExportError, match="folder does not exist"):
            write_report(tmp_path / "no" / "a.html", subject, pictures_of(subject))

    def test_other_endings_are_refused(self, iris, tmp_path):
        subject = subject_of(iris)
        with pytest.raises(ExportError, match=r"\.html or \.pdf"):
            write_report(tmp_path / "a.docx", subject, pictures_of(subject))

    def test_the_same_result_gives_the_same_page(self, iris):
        assert page(report(iris)) == page(report(replace(iris, seconds=9.0)))
