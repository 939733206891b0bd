"""Train the namer: YOLO11n's classification network on 96-pixel crops, one output for the face, one for its
turn.

A plain loop rather than Ultralytics' classification trainer: crops are drawn without end (no epochs, no
files),
and the network answers two questions at once. Runs in bfloat16 where that is fast.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
from ultralytics.nn.tasks import ClassificationModel

from datasets.crops import NO_TURN, CropMaker, Faces
from models.training.checkpoints import load_weights
from models.training.memory import keep_freed_memory
from models.training.processor import bfloat16_is_fast
from models.training.starting_weights import copy_convolutions, mahjong_detector_file, settle_norms, thaw

FACE_OUTPUTS, TURN_OUTPUTS = 43, 4
AVERAGING = 0.998
"""Share of the average that a step keeps."""
BACKBONE_LAYERS = 8
"""Layers 0..8 are the same in YOLO11n's detector and classifier."""


@dataclass(frozen=True)
class NamerRun:
    """What one training run does. `minutes` is wall time of this call; `peak_rate` falls to 0 by a cosine."""

    out: Path
    minutes: float
    peak_rate: float = 2e-3
    batch: int = 128
    size: int = 96
    workers: int = 1
    threads: int = 2
    seed: int = 0
    label_smoothing: float = 0.05
    steps: int | None = None
    """Ends the run sooner, its rate having run its course: a slow machine trains as far as a fast one."""


def build(start: bool = True) -> nn.Module:
    """The network, with the starting weights' backbone unless `start` is False; (N, 3, S, S) -> (N, 47)."""
    model = ClassificationModel("yolo11n-cls.yaml", nc=FACE_OUTPUTS + TURN_OUTPUTS, verbose=False)
    if start:
        copy_convolutions(model, mahjong_detector_file(), BACKBONE_LAYERS)
    return model


class _Stream(IterableDataset):
    def __init__(self, faces: Faces, run: NamerRun) -> None:
        self.faces, self.run = faces, run

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        cv2.setNumThreads(0)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.run.seed, info.id if info else 0, int(time.time())])
        maker = CropMaker(self.faces, self.run.size)
        while True:
            crops, tiles, turns = zip(*(maker.draw(rng) for _ in range(self.run.batch)), strict=True)
            yield np.stack(crops), np.array(tiles), np.array(turns)


def losses(outputs: torch.Tensor, tiles: torch.Tensor, turns: torch.Tensor, smoothing: float) -> torch.Tensor:
    """Cross-entropy of the face plus half that of the turn, where the turn is known."""
    face = nn.functional.cross_entropy(outputs[:, :FACE_OUTPUTS], tiles, label_smoothing=smoothing)
    known = turns != NO_TURN
    if not bool(known.any()):
        return face
    return face + 0.5 * nn.functional.cross_entropy(outputs[known, FACE_OUTPUTS:], turns[known])


def train(faces: Faces, run: NamerRun, resume: Path | None = None) -> Path:
    """Train for `run.minutes` and return the checkpoint (`run.out`/namer.pt, rewritten every two minutes).

    The checkpoint holds an exponential moving average of the weights; `resume` starts from such a file or
    from an exported ONNX file.
    """
    run.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(run.seed)
    torch.set_num_threads(run.threads)
    keep_freed_memory()
    model = build(start=resume is None)
    if resume is not None and resume.suffix == ".onnx":
        thaw(model, resume)
        stream = iter(_Stream(faces, run))
        settle_norms(model, (to_pixels(torch.from_numpy(next(stream)[0])) for _ in range(8)))
    elif resume is not None:
        load_weights(model, resume, "the namer")
    model = model.to(memory_format=torch.channels_last)
    fast = bfloat16_is_fast()
    average = torch.optim.swa_utils.AveragedModel(model, avg_fn=_moving_average, use_buffers=True)
    optimiser = torch.optim.AdamW(model.parameters(), lr=run.peak_rate, weight_decay=0.02)
    loader = DataLoader(_Stream(faces, run), batch_size=None, num_workers=run.workers, prefetch_factor=4)
    checkpoint, log = run.out / "namer.pt", (run.out / "namer.log").open("a", encoding="utf-8")
    began, saved, seen, total, right = time.time(), time.time(), 0, 0.0, 0.0
    model.train()
    for step, (crops, tiles, turns) in enumerate(loader):
        done = (time.time() - began) / (60 * run.minutes)
        if run.steps is not None:
            done = max(done, step / run.steps)
        if done >= 1:
            break
        warm = min(1.0, (step + 1) / min(200, run.steps / 10 if run.steps else 200))
        for group in optimiser.param_groups:
            group["lr"] = run.peak_rate * warm * max(0.02, 0.5 * (1 + np.cos(np.pi * done)))
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast):
            outputs = model(to_pixels(crops))
        loss = losses(outputs.float(), tiles, turns, run.label_smoothing)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(model)
        seen += len(tiles)
        total = 0.98 * total + 0.02 * float(loss.detach())
        right = 0.98 * right + 0.02 * float((outputs[:, :FACE_OUTPUTS].argmax(1) == tiles).float().mean())
        if step % 50 == 0:
            log.write(
                f"{time.time() - began:.0f}s step {step} crops {seen} loss {total:.3f} named {right:.4f}\n"
            )
            log.flush()
        if time.time() - saved > 120:
            save(average.module, checkpoint)
            saved = time.time()
    save(average.module, checkpoint)
    log.close()
    return checkpoint


def to_pixels(crops: torch.Tensor) -> torch.Tensor:
    """(N, S, S, 3) uint8 to (N, 3, S, S) float32 in 0..1, channels last in memory (a quarter faster)."""
    return (crops.permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)


def _moving_average(average: torch.Tensor, value: torch.Tensor, steps: torch.Tensor | int) -> torch.Tensor:
    """Exponential, and short while there were few steps, so that the start is soon forgotten."""
    if not average.is_floating_point():
        return value
    return average.lerp(value, 1 - min(AVERAGING, (1 + int(steps)) / (10 + int(steps))))


def save(model: nn.Module, path: Path) -> None:
    """Write the weights whole or not at all."""
    partial = path.with_suffix(".partial")
    torch.save(model.state_dict(), partial)
    partial.replace(path)
