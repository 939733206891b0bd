"""Training smoke test: scenes, locator, namer and export in miniature, end to end. Minutes long: run with
-m train."""

import hashlib

import numpy as np
import pytest

pytestmark = pytest.mark.train

pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("ultralytics", reason="needs the extra `train`")

from datasets.crops import Faces  # noqa: E402
from datasets.scenes.generate import generate  # noqa: E402


def invented_faces() -> Faces:
    """42 tiles that differ by a grid of colours; two sets."""
    rng = np.random.default_rng(11)
    images = np.repeat(np.repeat(rng.integers(0, 255, (42, 4, 3, 3), dtype=np.uint8), 32, axis=1), 32, axis=2)
    images = np.concatenate([images, 255 - images])
    return Faces(images, np.tile(np.arange(42), 2), np.repeat([0, 1], 42), np.ones(84, bool), np.ones(84))


def session(path):
    import onnxruntime

    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("training")


def test_locator_trains_and_its_export_finds_what_the_network_finds(folder):
    import torch
    from ultralytics.nn.tasks import OBBModel

    from models.training.export import export_locator
    from models.training.locator import LocatorRun, train

    tiles = generate(invented_faces(), [], folder / "scenes", count=12, seed=4, workers=1, side=160)
    assert tiles > 10
    run = LocatorRun(out=folder / "locator", minutes=0.25, batch=4, size=160)
    checkpoint = train([folder / "scenes"], run)
    digest = export_locator(checkpoint, folder / "locator.onnx")
    data = (folder / "locator.onnx").read_bytes()
    assert hashlib.sha256(data).hexdigest() == digest
    assert len(data) < 7_000_000
    pixels = np.random.default_rng(0).random((1, 3, 96, 160), np.float32)
    (got,) = session(folder / "locator.onnx").run(None, {"images": pixels})
    saved = torch.load(checkpoint, weights_only=False)
    model = OBBModel("yolo11n-obb.yaml", nc=2, verbose=False)
    model.load_state_dict((saved.get("ema") or saved["model"]).float().state_dict())
    with torch.no_grad():
        expected = model.eval()(torch.from_numpy(pixels))
    wanted = (expected[0] if isinstance(expected, tuple) else expected).numpy()
    assert got.shape == wanted.shape == (1, 7, 3 * 5 * 1 + 6 * 10 + 12 * 20)
    assert np.abs(got[:, 4:6] - wanted[:, 4:6]).max() < 0.02


def test_namer_learns_and_its_export_names_as_the_network_does(folder):
    import torch

    from datasets.crops import NOT_A_FACE, CropMaker
    from models.training.export import export_namer
    from models.training.namer import NamerRun, train

    faces = invented_faces()
    checkpoint = train(faces, NamerRun(out=folder / "namer", minutes=10, batch=48, steps=250))
    export_namer(checkpoint, folder / "namer.onnx")
    assert (folder / "namer.onnx").stat().st_size < 5_000_000
    maker, rng = CropMaker(faces, negatives=0.0), np.random.default_rng(5)
    crops, tiles, _ = zip(*(maker.draw(rng) for _ in range(200)), strict=True)
    blob = np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32) / 255
    logits, features = session(folder / "namer.onnx").run(None, {"crops": blob})
    assert logits.shape == (200, NOT_A_FACE + 1 + 4)
    assert features.shape == (200, 1280)
    weights = torch.load(checkpoint, weights_only=True)
    last = [weights[f"model.10.linear.{part}"].numpy() for part in ("weight", "bias")]
    assert np.abs(features @ last[0].T + last[1] - logits).max() < 0.05  # kept in half precision
    right = (logits[:, : NOT_A_FACE + 1].argmax(axis=1) == np.array(tiles)).mean()
    assert right > 5 / 42, "250 steps must beat guessing by far"


def test_training_goes_on_from_an_export_without_a_jump(folder):
    import torch

    from models.training.export import export_namer
    from models.training.namer import build, save
    from models.training.starting_weights import settle_norms, thaw

    torch.manual_seed(3)
    original = build(start=False)
    settle_norms(original, [torch.rand(8, 3, 96, 96)])  # statistics that are not the initial 0 and 1
    save(original, folder / "original.pt")
    export_namer(folder / "original.pt", folder / "original.onnx")
    pixels = torch.rand(8, 3, 96, 96)
    thawed = build(start=False)
    thaw(thawed, folder / "original.onnx")
    logits = session(folder / "original.onnx").run(None, {"crops": pixels.numpy()})[0]

    def answers(network, training):
        network.train(training)
        for module in network.modules():
            if isinstance(module, torch.nn.Dropout):
                module.eval()
        with torch.no_grad():
            output = network(pixels)
        return (output[1] if isinstance(output, tuple) else output).numpy()

    spread = logits.std()
    assert np.abs(answers(thawed, False) - logits).max() < 0.02 * spread
    jump = np.abs(answers(thawed, True) - logits).max()
    thaw(thawed, folder / "original.onnx")  # training mode moved the running statistics
    settle_norms(thawed, [pixels])
    assert np.abs(answers(thawed, False) - logits).max() < 0.02 * spread
    assert np.abs(answers(thawed, True) - logits).max() < min(0.2 * spread, 0.2 * jump)


def test_an_export_of_another_network_is_refused(folder):
    from models.registry import ModelError
    from models.training.namer import build
    from models.training.starting_weights import mahjong_detector_file, thaw

    with pytest.raises(ModelError, match="another network"):
        thaw(build(start=False), mahjong_detector_file())


def test_training_commands_explain_themselves():
    from typer.testing import CliRunner

    from models.training.commands import app

    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    for step in ("scenes", "locator", "boxes", "crops", "namer", "export"):
        assert step in result.output
    missing = CliRunner().invoke(app, ["scenes", "--out", "x"])
    assert missing.exit_code == 2
