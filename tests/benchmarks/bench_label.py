"""Labelling against `yolo predict save_txt` with the same locator weights, same pictures, same machine.

`python tests/benchmarks/bench_label.py [--photos FOLDER] [--count 60] [--rounds 1] [--workers 2]`;
by default the rendered sample, shifted and scaled to 12 megapixels and to 640 pixels. Needs the extras
`label` and `train`.

Both find tiles and write YOLO labels; ours also names them, hashes and groups the pictures, and copies them
without their metadata. `yolo` runs the weights both as a .pt file, by PyTorch, which is what its users have,
and as the ONNX file that its own export makes, by ONNX Runtime; each for labels alone (`save=False`) and as
its command line does (`save=True`, which also draws the boxes and saves the pictures). Models are loaded
before the clock starts on either side: `hupai label` by a run over one picture a worker, so that each has
started, which is subtracted; `yolo` by a first prediction.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from commands import run
from machine import headline

ROOT = Path(__file__).parents[2]
_YOLO = """
import sys, time
from ultralytics import YOLO
weights, pictures, out, save = sys.argv[1:]
model = YOLO(weights, task="obb")
settings = dict(save_txt=True, save=save == "save", project=out, imgsz=640, stream=True, verbose=False)
began = None
for number, result in enumerate(model.predict(pictures, **settings)):
    began = began or time.perf_counter()
print((time.perf_counter() - began) / number)
"""


def main() -> None:
    """Print a table of seconds a picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=1, help="Of each column the least of so many is told.")
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    print(f"{headline()}, {chosen.workers} workers")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        weights = {".pt": as_checkpoint(work / "locator.pt"), ".onnx": as_yolo_exports(work / "locator.onnx")}
        if chosen.photos is not None:
            sets = {chosen.photos.name: _linked(chosen.photos, work / "photos", chosen.count)}
        else:
            sets = {
                f"{width} × {height}": rendered(work / f"{width}x{height}", (width, height), chosen.count)
                for width, height in ((4000, 3000), (640, 480), (640, 640))
            }
        runs = [(kind, save) for kind in weights for save in (False, True)]
        print("milliseconds a picture, and how many times ours the other takes")
        heads = " ".join(f"{f'yolo {kind}, ' + ('CLI' if save else 'labels'):>20}" for kind, save in runs)
        print(f"{'pictures':14} {'hupai label':>12} {heads} {'label --fast':>13}   load")
        for name, pictures in sets.items():
            before = os.getloadavg()[0]
            rounds = [
                [
                    hupai(pictures, work, chosen.workers),
                    *(yolo(weights[kind], pictures, work, save) for kind, save in runs),
                    hupai(pictures, work, chosen.workers, "--fast"),
                ]
                for _ in range(chosen.rounds)
            ]
            ours, *others, fast = (min(column) for column in zip(*rounds, strict=True))
            told = " ".join(f"{1000 * other:13.1f} ({other / ours:4.2f})" for other in others)
            load = f"{before:.1f} to {os.getloadavg()[0]:.1f}"
            print(f"{name:14} {1000 * ours:12.1f} {told} {1000 * fast:13.1f}   {load}", flush=True)
        print(
            "labels: save=False, no pictures written; CLI: as `yolo predict save_txt=True`, which also draws."
        )
        print(
            "load: mean of the last minute before and after; above the cores that are used it is another's."
        )


def hupai(pictures: Path, work: Path, workers: int, *options: str) -> float:
    """Seconds a picture of the whole command, less those of a run over one picture for each worker."""
    few = work / "few"
    shutil.rmtree(few, ignore_errors=True)
    few.mkdir()
    every = sorted(pictures.iterdir())
    for path in every[:workers]:
        shutil.copy(path, few / path.name)
    times = []
    for folder in (few, pictures):
        out = work / "labels"
        shutil.rmtree(out, ignore_errors=True)
        words = [sys.executable, "-m", "models.cli", "label", folder, "--out", out, "--workers", str(workers)]
        words += options
        began = time.perf_counter()
        run(words)
        times.append(time.perf_counter() - began)
    return (times[1] - times[0]) / (len(every) - workers)


def yolo(weights: Path, pictures: Path, work: Path, save: bool) -> float:
    """Seconds a picture after the first."""
    words = [sys.executable, "-c", _YOLO, weights, pictures, work / "yolo", "save" if save else "labels"]
    return float(run(words, YOLO_OFFLINE="true").split()[-1])


def as_checkpoint(path: Path) -> Path:
    """The same weights as Ultralytics keeps them after training."""
    os.environ["YOLO_VERBOSE"] = "false"
    import torch
    from ultralytics.nn.tasks import OBBModel

    from models.training.starting_weights import thaw

    model = OBBModel("yolo11n-obb.yaml", nc=2, verbose=False)
    thaw(model, ROOT / "models" / "weights" / "locator.onnx")
    model.names = {0: "face", 1: "back"}
    model.args = {"task": "obb", "imgsz": 640}
    torch.save({"model": model, "ema": None, "train_args": model.args}, path)
    return path


def as_yolo_exports(path: Path) -> Path:
    """The same weights as `yolo export format=onnx` writes them. The file that ships would serve `yolo` too;
    it leaves out most of the head's arithmetic (`models/training/sparse_head.py`), as no file of `yolo`'s."""
    checkpoint = as_checkpoint(path.with_suffix(".pt"))
    from ultralytics import YOLO

    YOLO(checkpoint, task="obb").export(format="onnx", dynamic=True, imgsz=640)
    return path


def rendered(folder: Path, size: tuple[int, int], count: int) -> Path:
    """The sample that ships with the project, a rendered scene, shifted so that no two are the same."""
    import cv2
    import numpy as np

    folder.mkdir()
    scene = cv2.imread(str(ROOT / "datasets" / "sample" / "hand.jpg"))
    for number in range(count):
        moved = np.roll(scene, (3 * number, 7 * number), axis=(0, 1))
        large = cv2.resize(moved, size, interpolation=cv2.INTER_CUBIC)
        cv2.imwrite(str(folder / f"p{number:04d}.jpg"), large, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return folder


def _linked(source: Path, folder: Path, count: int) -> Path:
    pictures = sorted(p for p in source.iterdir() if p.suffix.lower() in {".jpg", ".jpeg", ".png"})
    folder.mkdir()
    for path in pictures[:: max(1, len(pictures) // count)][:count]:
        (folder / path.name).symlink_to(path.resolve())
    return folder


if __name__ == "__main__":
    main()
