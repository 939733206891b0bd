"""Train the locator: Ultralytics' YOLO11n with rotated boxes on rendered scenes, classes face and back."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from ultralytics.models.yolo.obb import OBBTrainer
from ultralytics.nn.tasks import OBBModel
from ultralytics.utils import torch_utils
from ultralytics.utils.torch_utils import strip_optimizer

from models.training.checkpoints import load_common_weights
from models.training.memory import keep_freed_memory
from models.training.processor import bfloat16_is_fast
from models.training.starting_weights import copy_convolutions, mahjong_detector_file, settle_norms, thaw

SCORES_FROZEN = [*range(23), "23.cv2", "23.cv4"]
"""All layers but the head's class branch `cv3`: what only_scores does not train."""
HEAD_LAYER = 23
"""Layers 0..22 are YOLO11n's backbone and neck, 23 its head; the OBB head has the detector's convolutions
and more."""


WARM_UP = 0.03
"""Share of the time in which the learning rate rises to its peak; it then falls by a cosine."""


@dataclass(frozen=True)
class LocatorRun:
    """What one training run does. `minutes` is wall time; `batch` pictures make one step of the optimiser."""

    out: Path
    minutes: float
    peak_rate: float = 1.5e-3
    batch: int = 16
    size: int = 640
    workers: int = 1
    threads: int = 2
    seed: int = 0
    start: Path | None = None
    """A checkpoint, or an exported ONNX file, to go on from."""
    only_scores: bool = False
    """Train only the branch of the head that tells tiles from other things; boxes stay as they are."""


class _Network(OBBModel):
    """YOLO11n-OBB whose convolutions run in bfloat16 while training, where that is fast."""

    def _predict_once(self, x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        if not self.training:
            return super()._predict_once(x, *args, **kwargs)
        x = x.contiguous(memory_format=torch.channels_last)
        fast = x.device.type == "cpu" and bfloat16_is_fast()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast):
            return _as_float(super()._predict_once(x, *args, **kwargs))


def _as_float(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.float()
    if isinstance(value, dict):
        return {key: _as_float(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_as_float(item) for item in value)
    return value


class _Trainer(OBBTrainer):
    frozen: Path | None = None
    """ONNX file to start from."""
    checkpoint: Path | None = None
    """Checkpoint to start from: read here, since Ultralytics would unpickle it and so run what it holds."""

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> _Network:  # noqa: ARG002
        model = _Network(cfg or "yolo11n-obb.yaml", nc=self.data["nc"], ch=3, verbose=verbose)
        if self.checkpoint is not None:
            load_common_weights(model, self.checkpoint, "YOLO11n with rotated boxes")
        elif self.frozen is not None:
            thaw(model, self.frozen)
            settle_norms(model, _pictures(Path(self.data["train"][0]), self.args.imgsz))
        else:
            copy_convolutions(model, mahjong_detector_file(), HEAD_LAYER)
        return model.to(memory_format=torch.channels_last)

    def optimizer_step(self) -> None:
        """One step at a rate that follows the time spent; Ultralytics' own changes with each epoch only."""
        share = min(1.0, (time.time() - self.train_time_start) / (self.args.time * 3600))
        warm = min(1.0, share / WARM_UP + 0.01)
        rate = self.args.lr0 * warm * max(0.01, 0.5 * (1 + math.cos(math.pi * share)))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        super().optimizer_step()

    def final_eval(self) -> None:
        """Only shed what training needs: validating on rendered scenes takes minutes and tells little."""
        strip_optimizer(self.last)

    def save_metrics(self, metrics: dict[str, Any]) -> None:
        """Metrics are measured with `hupai evaluate` on real photos, not on rendered validation scenes."""


def _pictures(folder: Path, size: int, batches: int = 12, batch: int = 8) -> Iterator[torch.Tensor]:
    """Batches (8, 3, size, size) in 0..1 of pictures spread over `folder`, squeezed to squares."""
    files = sorted(folder.iterdir())
    chosen = files[:: max(1, len(files) // (batches * batch))][: batches * batch]
    for start in range(0, len(chosen), batch):
        images = [cv2.imread(str(file), cv2.IMREAD_COLOR_RGB) for file in chosen[start : start + batch]]
        squares = [cv2.resize(image, (size, size)) for image in images if image is not None]
        yield torch.from_numpy(np.stack(squares)).permute(0, 3, 1, 2).float() / 255


def train(folders: list[Path], run: LocatorRun) -> Path:
    """Train on every `folders`/images for `run.minutes`; returns the last checkpoint, rewritten every epoch.

    Mirror flips stay off: they make tiles that do not exist.
    """
    torch_utils.NUM_THREADS = run.threads  # Ultralytics would take one core fewer than there are
    torch.set_num_threads(run.threads)
    keep_freed_memory()
    run.out.mkdir(parents=True, exist_ok=True)
    description = run.out / "data.yaml"
    pictures = [str((folder / "images").resolve()) for folder in folders]
    lines = [
        "train:",
        *(f"  - {p}" for p in pictures),
        "val:",
        f"  - {pictures[-1]}",
        "names: {0: face, 1: back}",
    ]
    description.write_text("\n".join(lines) + "\n", encoding="utf-8")
    frozen = run.start if run.start and run.start.suffix == ".onnx" else None
    trainer = _Trainer(
        overrides={
            "model": "yolo11n-obb.yaml",
            "data": str(description),
            "project": str(run.out.resolve()),
            "name": "locator",
            "exist_ok": True,
            "time": run.minutes / 60,
            "epochs": 1000,
            "imgsz": run.size,
            "batch": run.batch,
            "nbs": run.batch,
            "workers": run.workers,
            "device": "cpu",
            "seed": run.seed,
            "optimizer": "AdamW",
            "lr0": run.peak_rate,
            "warmup_epochs": 0,
            "weight_decay": 0.0005,
            "fliplr": 0.0,
            "flipud": 0.0,
            "mosaic": 0.0,
            "erasing": 0.0,
            "scale": 0.25,
            "translate": 0.08,
            "hsv_h": 0.01,
            "hsv_s": 0.2,
            "hsv_v": 0.2,
            "val": False,
            "plots": False,
            "pretrained": False,
            "freeze": SCORES_FROZEN if run.only_scores else None,
            "verbose": False,
        }
    )
    trainer.frozen, trainer.checkpoint = frozen, None if frozen else run.start
    trainer.train()
    return Path(trainer.last)
