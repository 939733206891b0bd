"""The locator's last layers, worked out only where a tile may be: the same answers in a fraction of the time.

Of the cells in which YOLO looks for tiles only one in ten comes near a score that counts. Their class scores
are computed everywhere; boxes and angles, a quarter of the whole network's arithmetic, only there.
"""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional

LEAST = 0.1
"""Score from which a cell gets a box: well below what any reader asks for (`threshold` in the registry).

Of the 80 evaluation photos' cells 2 to 9 % have it, of those at the two coarser strides next to none.
"""


class SparseHead(nn.Module):
    """Stands in for Ultralytics' head for rotated boxes, with its weights under its names, when exporting.

    Answers as that does, (1, 4 + classes + 1, N): x, y, width, height, class scores, angle; but all numbers
    other than scores are 0 in cells whose best score is below `LEAST`. For one picture at a time.
    """

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.cv2, self.cv3, self.cv4 = head.cv2, head.cv3, head.cv4  # boxes, classes, angles
        self.strides = [float(stride) for stride in head.stride]
        self.bins = head.reg_max
        # Where Ultralytics' networks keep what they need to run a layer.
        self.i, self.f, self.type = head.i, head.f, head.type

    def forward(self, features: list[torch.Tensor]) -> torch.Tensor:
        """features: (1, channels, h, w) at each stride."""
        answers = [self._level(level, maps) for level, maps in enumerate(features)]
        return torch.cat(answers, dim=0).transpose(0, 1)[None]

    def _level(self, level: int, features: torch.Tensor) -> torch.Tensor:
        """(h * w, 7) at one stride."""
        scores = self.cv3[level](features)[0].sigmoid()
        height, width = features.shape[2], features.shape[3]
        wanted = (scores.amax(dim=0, keepdim=True) >= LEAST).float()[None]
        around = functional.max_pool2d(wanted, 3, 1, 1)  # where the second convolution looks
        # The first cell is always worked out and then left out again: before version 1.32 ONNX Runtime
        # refuses a multiplication without rows.
        y, x = _cells(_with_first(wanted))
        near_y, near_x = _cells(_with_first(around))

        boxes, angles = self.cv2[level], self.cv4[level]
        row = width + 2
        padded = functional.pad(features, (1, 1, 1, 1))[0].flatten(1).transpose(0, 1)
        patches = _patches(padded, near_y * row + near_x, row)
        first = torch.cat([_convolve(boxes[0], patches), _convolve(angles[0], patches)], dim=1)
        inner = torch.zeros((height + 2) * row, first.shape[1])
        inner = inner.index_put(((near_y + 1) * row + near_x + 1,), first)
        patches = _patches(inner, y * row + x, row)
        channels = boxes[0].conv.out_channels
        sides = _convolve(boxes[1], patches[:, :, :channels]) @ _flat(boxes[2]) + boxes[2].bias
        turn = _convolve(angles[1], patches[:, :, channels:]) @ _flat(angles[2]) + angles[2].bias

        found = self._decode(sides, turn, x, y) * torch.tensor([self.strides[level]] * 4 + [1.0])
        found = found * wanted[0, 0][y, x][:, None]
        dense = torch.zeros(height * width, 5).index_put((y * width + x,), found)
        return torch.cat([dense[:, :4], scores.flatten(1).transpose(0, 1), dense[:, 4:]], dim=1)

    def _decode(
        self, sides: torch.Tensor, turn: torch.Tensor, x: torch.Tensor, y: torch.Tensor
    ) -> torch.Tensor:
        """(K, 5) x, y, width, height in cells and angle, from (K, 4 * bins) and (K, 1) raw answers."""
        reach = sides.reshape(-1, 4, self.bins).softmax(dim=2) @ torch.arange(self.bins, dtype=torch.float)
        angle = (turn.sigmoid() - 0.25) * math.pi
        before, after = reach[:, :2], reach[:, 2:]
        middle = (after - before) / 2
        cos, sin = torch.cos(angle), torch.sin(angle)
        across = middle[:, :1] * cos - middle[:, 1:] * sin + x[:, None] + 0.5
        down = middle[:, :1] * sin + middle[:, 1:] * cos + y[:, None] + 0.5
        return torch.cat([across, down, before + after, angle], dim=1)


def _with_first(mask: torch.Tensor) -> torch.Tensor:
    """A (1, 1, h, w) mask, its first cell set."""
    height, width = mask.shape[2], mask.shape[3]
    first = torch.zeros(height * width).index_put((torch.zeros(1, dtype=torch.long),), torch.ones(1))
    return torch.maximum(mask, first.reshape(1, 1, height, width))


def _cells(mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Row and column, (K,) each, of what is set in a (1, 1, h, w) mask."""
    places = mask[0, 0].nonzero()
    return places[:, 0], places[:, 1]


def _patches(rows: torch.Tensor, corners: torch.Tensor, row: int) -> torch.Tensor:
    """(K, 9, channels): 3 x 3 neighbourhoods by the place of their first corner. rows: (cells, channels)."""
    steps = torch.cat([torch.arange(3) + line * row for line in range(3)])
    return rows[corners[:, None] + steps[None, :]]


def _convolve(block: nn.Module, patches: torch.Tensor) -> torch.Tensor:
    """(K, out) of a fused 3 x 3 convolution with its activation, on (K, 9, in)."""
    return block.act(patches.flatten(1) @ _flat(block.conv) + block.conv.bias)


def _flat(convolution: nn.Module) -> torch.Tensor:
    """(kernel * in, out) weights."""
    return convolution.weight.permute(2, 3, 1, 0).flatten(0, 2)
