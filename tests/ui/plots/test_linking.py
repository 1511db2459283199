import numpy as np
import pytest

from kpca_viewer.widgets.plots.linking import Linking


@pytest.fixture
def linking():
    linking = Linking()
    linking.reset(4)
    return linking


def test_selection_combines_and_tells_once(linking, qtbot):
    heard = []
    linking.selection_changed.connect(heard.append)
    mask = np.array([True, False, False, False])
    linking.apply_selection(mask, "replace")
    linking.apply_selection(mask, "replace")
    linking.apply_selection(~mask, "add")
    linking.apply_selection(np.ones(4, dtype=bool), "remove")
    linking.clear()
    assert [None if m is None else m.tolist() for m in heard] == [
        [True, False, False, False],
        [True] * 4,
        None,
    ]


def test_shared_selection_cannot_be_written_to(linking):
    mask = np.array([True, False, False, False])
    linking.apply_selection(mask)
    mask[:] = True
    assert linking.selection.tolist() == [True, False, False, False]
    with pytest.raises(ValueError, match="read-only"):
        linking.selection[0] = False


def test_gestures_on_data_that_are_gone_are_dropped(linking):
    linking.apply_selection(np.ones(9, dtype=bool))
    linking.set_hovered(9)
    assert linking.selection is None
    assert linking.hovered is None


def test_new_data_forget_everything(linking):
    linking.set_hovered(2)
    linking.apply_selection(np.ones(4, dtype=bool))
    rows, masks = [], []
    linking.hovered_changed.connect(rows.append)
    linking.selection_changed.connect(masks.append)
    linking.reset(2)
    assert (rows, masks) == ([None], [None])
    linking.set_hovered(3)
    assert linking.hovered is None


def test_a_pair_lights_up_and_goes_out(linking):
    partners = []
    linking.partner_changed.connect(partners.append)
    linking.set_hovered(1, 3)
    linking.set_hovered(1, 3)
    assert (linking.hovered, linking.partner) == (1, 3)
    linking.set_hovered(2, 99)
    assert (linking.hovered, linking.partner) == (2, None)
    linking.set_hovered(None, 3)
    linking.reset(4)
    assert (linking.hovered, linking.partner) == (None, None)
    assert partners == [3, None, 3, None]
