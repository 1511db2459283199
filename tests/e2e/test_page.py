"""The page to share in a real browser: hover, legend, lasso, search, film, keys."""

import base64
import json
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import KernelSettings, SessionSettings, as_values
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.export.page import (
    NAMES,
    Film,
    Frame,
    contents,
    film_of,
    page_columns,
    page_html,
)
from kpca_viewer.support.errors import DataError, ExportError
from tests.analyses import analysed

HOSTILE = "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>"
BROWSER = shutil.which("chromium"), shutil.which("chromedriver")

needs_browser = pytest.mark.skipif(
    None in BROWSER, reason="no chromium with its driver here; tools/system-libraries"
)


def rings(names=("outer", "inner"), **columns):
    rng = np.random.default_rng(0)
    angle, labels = rng.uniform(0, 2 * np.pi, 60), np.arange(60) % 2
    radius = np.where(labels, 0.3, 1.0)
    points = np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))
    rows = [f"row <b>{i}</b>" for i in range(60)]
    data = Dataset(points, labels, names, row_names=rows, columns=columns, name="Rings")
    kernel = KernelSettings("rbf", as_values({"gamma": 4.0}))
    return analysed(replace(SessionSettings(), kernel=kernel), data)


def data_of(page):
    found = re.search(r'id="data">(.*?)</script>', page, re.S)
    return json.loads(found[1])


def test_only_chosen_columns_are_in_the_page():
    result = rings(secret=np.arange(60.0), town=["Aix", "Bonn"] * 30)
    page = page_html(result, columns=["town"])
    data = data_of(page)
    assert [column["name"] for column in data["columns"]] == ["class", "town"]
    assert "secret" not in page
    assert page_columns(result) == ["secret", "town", "x1", "x2"]
    raw = base64.b64decode(data["scores"]["data"])
    scores = np.frombuffer(raw, "<f4").reshape(60, 3)
    np.testing.assert_allclose(scores, result.scores[:, :3], atol=1e-6)
    assert contents(result, ["town"], [NAMES]) == (
        "In the page: the scores of 60 rows, classes, “town”. "
        "Not in it: row names, 3 columns."
    )
    assert data_of(page_html(result, without=[NAMES]))["names"] is None
    assert data["shares"] == pytest.approx(result.shares[: len(data["shares"])])


def test_classes_are_called_as_their_column():
    result = rings(town=["Aix", "Bonn"] * 30)
    roles = ImportSettings((("x1", "feature"), ("x2", "feature"), ("size", "label")))
    importing = replace(result.settings.data, importing=roles)
    settings = replace(result.settings, data=importing)
    data = data_of(page_html(replace(result, settings=settings), columns=["size"]))
    assert [column["name"] for column in data["columns"]] == ["size"]
    assert data["color"] == "size"


def test_dates_lie_on_a_scale_and_the_view_chooses_the_colours():
    days = [f"2024-0{1 + i // 28}-{1 + i % 28:02d}" for i in range(60)]
    result = rings(day=days, town=["Aix", "Bonn"] * 30)
    settings = result.settings.with_view(color_by="column:town")
    result = replace(result, settings=settings)
    data = data_of(page_html(result, columns=["day", "town"]))
    _, day, town = data["columns"]
    assert "words" not in day
    assert day["texts"] == days
    assert data["color"] == town["name"] == "town"


def test_frames_of_a_sweep_say_their_kernel():
    result = rings()
    sweep = SweepSettings(low=1.0, high=4.0, steps=3)
    request = AnalysisRequest(result.settings, {"Rings": result.dataset})
    film = film_of(run_sweep(request, sweep, StageCache()), result)
    assert [frame.label for frame in film.frames] == [
        "RBF γ = 1",
        "RBF γ = 2",
        "RBF γ = 4",
    ]
    assert (film.start, film.label, film.of_kernel) == (2.0, "RBF γ = 4", True)


def test_names_are_never_markup():
    result = rings(("outer", HOSTILE), **{HOSTILE: ["a"] * 60})
    page = page_html(result, columns=[HOSTILE], methods=HOSTILE)
    assert page.count("<script") == 2
    assert "<img src=x" not in page
    assert data_of(page)["columns"][0]["words"] == ["outer", HOSTILE]
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace(
        "http-equiv", ""
    )


def test_what_no_page_can_hold_is_said():
    with pytest.raises(DataError, match="no column “tail”"):
        page_html(rings(), columns=["tail"])
    many = Dataset(np.random.default_rng(0).normal(size=(200_001, 2)))
    with pytest.raises(ExportError, match="at most 200,000 rows"):
        page_html(replace(rings(), dataset=many))


def test_ten_thousand_rows_of_ten_columns_are_small():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(10_000, 10))
    result = rings()
    result = replace(
        result,
        dataset=Dataset(points, np.arange(10_000) % 3),
        scores=rng.normal(size=(10_000, 3)),
    )
    page = page_html(result, columns=[f"x{j + 1}" for j in range(10)])
    assert len(page.encode()) < 3_000_000


@pytest.fixture(scope="module")
def browser():
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER[0]
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--window-size=1200,800",
    ):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=BROWSER[1])
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


class Opened:
    """A page in the browser, and what a person does with it."""

    def __init__(self, browser, path, page):
        from selenium.webdriver.common.by import By

        self.browser, self.by = browser, By
        path.write_text(page, encoding="utf-8")
        browser.get(path.as_uri())
        self.wait(lambda: self.js("return Number(document.body.dataset.drawn || 0)"))

    def js(self, code, *given):
        return self.browser.execute_script(code, *given)

    def wait(self, there):
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.browser, 60).until(lambda _: there())

    def get(self, key):
        return self.browser.find_element(self.by.ID, key)

    def click(self, key):
        self.get(key).click()

    def settle(self):
        """Wait until what was requested is drawn."""
        self.js(
            "window.turns = 0; requestAnimationFrame(() => "
            "requestAnimationFrame(() => { window.turns = 1; }))"
        )
        self.wait(lambda: self.js("return window.turns"))

    def pointer(self, kind, x, y):
        self.js(
            "document.getElementById('points').dispatchEvent(new PointerEvent("
            "arguments[0], {clientX: arguments[1], clientY: arguments[2], "
            "pointerId: 1, bubbles: true}))",
            kind,
            x,
            y,
        )

    def stage(self):
        return self.js(
            "const r = document.getElementById('stage').getBoundingClientRect();"
            "return [r.left, r.top, r.width, r.height]"
        )

    def errors(self):
        return [e for e in self.browser.get_log("browser") if e["level"] == "SEVERE"]


@pytest.fixture
def opened(browser, tmp_path):
    pages = []

    def open_page(page):
        browser.set_window_size(1200, 800)
        pages.append(Opened(browser, tmp_path / "page.html", page))
        # A capture of a pointer that is not there is refused.
        pages[-1].js("Element.prototype.setPointerCapture = () => {}")
        return pages[-1]

    yield open_page
    for page in pages:
        assert page.errors() == []


@needs_browser
def test_hover_legend_search_and_lasso(opened):
    page = opened(page_html(rings(), columns=["x1"]))
    left, top, width, height = page.stage()
    # Somewhere on the stage there is a point; its card names it literally.
    for step in np.linspace(0.05, 0.95, 60):
        page.pointer("pointermove", left + width * step, top + height * 0.5)
        if not page.get("card").get_attribute("hidden"):
            break
    card = page.get("card").text
    assert card.startswith("row <b>")
    assert "x1" in card
    assert "class" in card
    items = page.get("legend").find_elements(page.by.TAG_NAME, "li")
    assert [item.text.split() for item in items] == [
        ["outer", "only", "30"],
        ["inner", "only", "30"],
    ]
    items[0].click()
    assert items[0].get_attribute("aria-checked") == "false"
    items[0].click()
    items[1].find_element(page.by.TAG_NAME, "button").click()
    assert [i.get_attribute("aria-checked") for i in items] == ["false", "true"]
    items[1].send_keys("\n")
    assert [i.get_attribute("aria-checked") for i in items] == ["true", "true"]
    page.get("find").send_keys("row <b>1</b>")
    assert page.get("found").text == "1 of 60 rows found; Enter selects them"
    page.get("find").clear()
    page.click("lasso")
    corners = [(0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99)]
    places = [(left + width * x, top + height * y) for x, y in corners]
    page.pointer("pointerdown", *places[0])
    for place in places[1:]:
        page.pointer("pointermove", *place)
    page.pointer("pointerup", *places[-1])
    assert page.get("found").text == "60 of 60 rows selected"
    assert page.get("save").is_enabled()
    # The buttons are about what is said to be selected, not about what is found.
    page.get("find").send_keys("row <b>1</b>")
    assert page.get("found").text == "1 of 60 rows found; Enter selects them"
    assert not page.get("save").is_displayed()
    page.get("find").send_keys(*["\ue003"] * 12)
    assert page.get("found").text == "60 of 60 rows selected"
    assert page.get("save").is_displayed()


@needs_browser
def test_hostile_names_are_text(opened):
    result = rings(("outer", HOSTILE), **{HOSTILE: ["a"] * 60})
    page = opened(page_html(result, columns=[HOSTILE]))
    assert page.browser.title == "Rings"
    assert HOSTILE in page.get("legend").text


@needs_browser
def test_a_film_glides_and_keys_move(opened):
    result = rings()
    frames = [Frame(f"γ = {k}", result.scores[:, :3] * k) for k in (1, 2, 3)]
    film = Film(frames, 0.4, "γ = 1.3", of_kernel=True)
    page = opened(page_html(result, film=film))
    assert page.get("film_value").text == "γ = 1.3"
    assert page.get("caption").text == "60 × 2"
    assert page.get("certificate").is_displayed()
    drawn = int(page.js("return document.body.dataset.drawn"))
    page.js(
        "const s = document.getElementById('frame'); s.value = 2;"
        "s.dispatchEvent(new Event('input'))"
    )
    page.wait(lambda: page.get("film_value").text == "γ = 3")
    assert not page.get("certificate").is_displayed()
    page.wait(lambda: int(page.js("return document.body.dataset.drawn")) > drawn)
    page.get("frame").send_keys("\ue012")
    page.wait(lambda: page.get("film_value").text == "γ = 2")
    # The slider comes to rest at a frame, never at what was not computed.
    page.js(
        "const s = document.getElementById('frame'); s.value = 1.6;"
        "s.dispatchEvent(new Event('input')); s.dispatchEvent(new Event('change'))"
    )
    page.wait(lambda: page.get("film_value").text == "γ = 3")
    assert page.get("frame").get_attribute("value") == "2"
    before = page.js("return document.getElementById('points').toDataURL()")
    page.get("points").send_keys("+", "+")
    page.settle()
    assert page.js("return document.getElementById('points').toDataURL()") != before
    flat = page.js("return document.getElementById('over').toDataURL()")
    page.click("space")
    page.settle()
    assert page.js("return document.getElementById('over').toDataURL()") != flat
    page.get("points").send_keys("\ue00f")
    assert page.get("card").text.startswith("row <b>0</b>")


@needs_browser
def test_narrow_and_dark(opened):
    page = opened(page_html(rings()))
    page.browser.set_window_size(420, 800)
    page.settle()
    assert page.js("return document.documentElement.scrollWidth") <= page.js(
        "return window.innerWidth"
    )
    page.browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    page.settle()
    ground = page.js("return getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(21, 23, 28)"
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
