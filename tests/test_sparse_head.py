"""The locator's export works out boxes only where a tile may be, and there those of the whole network."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("ultralytics", reason="needs the extra `train`")
pytest.importorskip("onnx", reason="needs the extra `train`")

from ultralytics.nn.tasks import OBBModel  # noqa: E402

from models import registry  # noqa: E402
from models.training.sparse_head import LEAST, SparseHead  # noqa: E402
from models.training.starting_weights import thaw  # noqa: E402
from vision.locator import letterbox  # noqa: E402
from vision.photo import load_photo  # noqa: E402
from vision.session import open_session  # noqa: E402


@pytest.fixture(scope="module")
def network():
    """The shipped locator as Ultralytics has it, all boxes worked out."""
    model = OBBModel("yolo11n-obb.yaml", nc=2, verbose=False)
    thaw(model, registry.entry("locator").file)
    return model.eval().fuse(verbose=False)


@pytest.fixture(scope="module")
def sample():
    """The rendered sample as the locator gets it, (1, 3, 480, 640)."""
    return letterbox(load_photo(registry.SAMPLE_PHOTO).pixels, 640)[0]


def answer(network, blob):
    with torch.no_grad():
        output = network(torch.from_numpy(blob))
    return (output[0] if isinstance(output, tuple) else output)[0].numpy()


def hold_against(got, wanted):
    assert got.shape == wanted.shape
    assert np.abs(got[4:6] - wanted[4:6]).max() < 1e-4
    best = wanted[4:6].max(axis=0)
    sure, surely_not = best > LEAST + 1e-4, best < LEAST - 1e-4
    assert np.abs(got[:, sure] - wanted[:, sure]).max(initial=0) < 2e-3  # pixels of 640
    assert not got[np.ix_([0, 1, 2, 3, 6], surely_not)].any()
    return int(sure.sum())


def test_shipped_weights_find_what_the_whole_network_finds(network, sample):
    (got,) = open_session("locator").run(None, {"images": sample})
    assert hold_against(got[0], answer(network, sample)) > 100


@pytest.mark.parametrize("raised", [-30.0, 0.0, 6.0, 30.0], ids=["nowhere", "few", "many", "everywhere"])
def test_any_number_of_cells_may_hold_a_tile(network, sample, raised):
    """Also where tiles reach the picture's edges: there zeros lie beyond them, in both."""
    part = np.ascontiguousarray(sample[:, :, 160:320, 96:320])
    head = network.model[-1]
    with torch.no_grad():
        for level in head.cv3:
            level[2].bias += raised
        try:
            wanted = answer(network, part)
            features: list = []
            hook = head.register_forward_pre_hook(lambda _, inputs: features.extend(inputs[0]))
            network(torch.from_numpy(part))
            hook.remove()
            got = SparseHead(head)(features)[0].numpy()
        finally:
            for level in head.cv3:
                level[2].bias -= raised
    found = hold_against(got, wanted)
    cells = got.shape[1]
    within = {-30.0: (0, 0), 0.0: (1, cells // 4), 6.0: (cells // 4, cells - 1), 30.0: (cells, cells)}
    assert within[raised][0] <= found <= within[raised][1]


def test_what_is_asked_for_is_well_above_what_gets_a_box():
    assert registry.entry("locator").parameters["threshold"] > LEAST + 0.02
