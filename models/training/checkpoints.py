"""Checkpoints read as numbers alone: whoever made the file, nothing in it is run.

A `.pt` file is a pickle, and opening a pickle can run any code that its maker put there. PyTorch's
`weights_only` loader runs none, but knows no classes, and the checkpoints of Ultralytics are whole networks
of its classes. Allowing it the classes themselves would not do: their constructors could be called with
arguments of the file's choosing, and one of them evaluates text. Here every such class is read as `_Husk`,
which only keeps what the file says its fields are, and the weights are then gathered from the fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from models.registry import ModelError

ORDINARY = ("torch.nn.", "ultralytics.", "models.training.", "numpy.", "pathlib.")
"""Where the classes of an ordinary checkpoint come from. All are read as husks, so even another could do no
harm; but a file that asks for something else is no ordinary one, and is told what it asks for."""


class _Husk:
    """An object of a checkpoint without its class."""

    def __new__(cls, *_: Any, **__: Any) -> _Husk:
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        """Takes the arguments of any constructor and looks at none."""

    def __setstate__(self, state: Any) -> None:
        if isinstance(state, dict):
            self.__dict__.update(state)


def read_weights(checkpoint: Path) -> dict[str, torch.Tensor]:
    """The weights of a checkpoint by parameter name, float32 where they are floating, on the CPU.

    Takes a state dict, as the namer's checkpoints are, and an Ultralytics checkpoint, of which it takes the
    moving average where there is one. Raises ModelError for a file that is damaged, no checkpoint, or
    asks for something that is no part of a network.
    """
    try:
        wanted = torch.serialization.get_unsafe_globals_in_checkpoint(checkpoint)
    except Exception as error:  # damaged zip and pickle data raise whatever they run into
        raise _damaged(checkpoint) from error
    odd = sorted(name for name in wanted if not name.startswith(ORDINARY))
    if odd:
        raise ModelError(
            f"The checkpoint {checkpoint} is refused, nothing of it was run: it asks for {', '.join(odd)}, "
            "which no weights need; take one from someone you trust, or its weights as an ONNX file."
        )
    try:
        with torch.serialization.safe_globals([(_Husk, name) for name in wanted]):
            saved = torch.load(checkpoint, weights_only=True, map_location="cpu")
    except Exception as error:
        raise _damaged(checkpoint) from error
    weights = dict(_tensors(_network(saved)))
    if not weights:
        raise ModelError(
            f"The checkpoint {checkpoint} holds no weights; give one that `hupai train locator` or "
            "`hupai train namer` wrote."
        )
    return {name: value.float() if value.is_floating_point() else value for name, value in weights.items()}


def load_weights(model: nn.Module, checkpoint: Path, what: str) -> None:
    """Load all weights of `checkpoint` into `model`. Raises ModelError when they are of another network.

    what: the network, in words for the message, for instance "the namer".
    """
    weights = read_weights(checkpoint)
    own = model.state_dict()
    unlike = _unlike(own, weights)
    if unlike or len(own) != len(weights):
        first = (unlike or sorted(weights.keys() - own.keys()))[0]
        raise ModelError(
            f"The checkpoint {checkpoint} holds another network than {what} ({first} is missing, left over "
            "or has another shape); give a checkpoint that this version's `hupai train` wrote."
        )
    model.load_state_dict(weights)


def load_common_weights(model: nn.Module, checkpoint: Path, what: str) -> None:
    """Load the weights that `model` and `checkpoint` share by name and shape, to train on from them.

    A network of the same make with other classes lacks only the last layers. Raises ModelError when less than
    half is shared.
    """
    weights = read_weights(checkpoint)
    own = model.state_dict()
    shared = own.keys() - set(_unlike(own, weights))
    if 2 * len(shared) < len(own):
        raise ModelError(
            f"The checkpoint {checkpoint} holds another network than {what} ({len(shared)} of {len(own)} "
            "weights agree); give a checkpoint of that network, or start without."
        )
    model.load_state_dict({name: weights[name] for name in shared}, strict=False)


def _damaged(checkpoint: Path) -> ModelError:
    return ModelError(
        f"{checkpoint} cannot be read as a PyTorch checkpoint; it is damaged, cut short or something else: "
        "copy it again, or give another."
    )


def _network(saved: object) -> object:
    if isinstance(saved, Mapping) and ("ema" in saved or "model" in saved):
        return saved.get("ema") or saved.get("model")
    return saved


def _tensors(part: object, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, torch.Tensor]]:
    """What `Module.state_dict` would give for the module whose husk `part` is. depth: ends circles."""
    if isinstance(part, Mapping):
        yield from ((str(name), value) for name, value in part.items() if isinstance(value, torch.Tensor))
    elif isinstance(part, _Husk) and depth < 64:
        fields = vars(part)
        fleeting = fields.get("_non_persistent_buffers_set", ())
        for kind in ("_parameters", "_buffers"):
            for name, value in _items(fields.get(kind)):
                if isinstance(value, torch.Tensor) and name not in fleeting:
                    yield f"{prefix}{name}", value.detach()
        for name, child in _items(fields.get("_modules")):
            if isinstance(child, _Husk):
                yield from _tensors(child, f"{prefix}{name}.", depth + 1)


def _items(table: object) -> Iterator[tuple[str, object]]:
    if isinstance(table, Mapping):
        yield from ((str(name), value) for name, value in table.items())


def _unlike(own: Mapping[str, torch.Tensor], weights: Mapping[str, torch.Tensor]) -> list[str]:
    """Names that `weights` lacks or has in another shape."""
    return [n for n, value in own.items() if n not in weights or weights[n].shape != value.shape]
