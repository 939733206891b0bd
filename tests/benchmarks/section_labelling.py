"""A folder of pictures labelled, beside `yolo predict save_txt` with our locator's weights."""

from __future__ import annotations

import importlib.util
from functools import partial

from bench_label import as_checkpoint, as_yolo_exports, hupai, rendered, yolo
from rounds import interleave, ratios, spread
from settings import Settings
from tables import Section, Table

SIZES = ((4000, 3000), (640, 480))
COUNT, QUICK_COUNT = 30, 12
OURS = "hupai label"
NEEDS = "the extra `train`"


BUSY = "labelling: something else kept the machine too busy for a difference of two runs; run it alone."


def measurable(times: dict[str, list[float]]) -> dict[str, list[float]]:
    """The rounds without those in which a program had no positive time.

    `hupai label` is timed as the difference of two runs, which on a busy machine can be anything.
    """
    rounds = [values for values in zip(*times.values(), strict=True) if min(values) > 0]
    return {name: [values[index] for values in rounds] for index, name in enumerate(times)}


def measure(settings: Settings) -> Section:
    """Time each that is there, on the rendered sample, shifted so that no two pictures are the same."""
    if importlib.util.find_spec("imagehash") is None:
        return Section("labelling", missing=("hupai label: needs the extra `label`.",))
    folder = settings.folder / "labelling"
    folder.mkdir()
    commands = {OURS: (), f"{OURS} --fast": ("--fast",)}
    kinds = {".onnx": as_yolo_exports, ".pt": as_checkpoint}
    missing, weights = [], {}
    for kind, made in ({} if "yolo" in settings.without else kinds).items():
        name = f"yolo predict save_txt, {kind}"
        try:
            weights[name] = made(folder / f"locator{kind}")
        except ImportError as error:
            missing.append(f"{name}: {error}; needs {NEEDS}.")
    seconds: dict[str, dict[str, list[float]]] = {}
    for size in SIZES[1:] if settings.quick else SIZES:
        count = QUICK_COUNT if settings.quick else COUNT
        pictures = rendered(folder / f"{size[0]}x{size[1]}", size, count)
        runs = {
            name: partial(hupai, pictures, folder, settings.workers, *options)
            for name, options in commands.items()
        } | {name: partial(yolo, path, pictures, folder, False) for name, path in weights.items()}
        seconds[f"{size[0]} × {size[1]}"] = measurable(interleave(runs, settings.rounds))
    if not all(any(times.values()) for times in seconds.values()):
        return Section("labelling", missing=(*missing, BUSY))
    rows = []
    for name in next(iter(seconds.values())):
        cells = [name, "no" if name in weights else "yes"]
        for times in seconds.values():
            cells.append(spread([1000 * value for value in times[name]]).told())
            cells.append(ratios(times[name], times[OURS]).told(2))
        rows.append(tuple(cells))
    table = Table(
        "Pictures labelled, milliseconds a picture",
        ("program", "names tiles", *(head for size in seconds for head in (size, "times hupai label"))),
        tuple(rows),
        (
            f"Rendered pictures; median of {_told_rounds(seconds)} rounds (quartiles). hupai label: "
            f"{settings.workers} worker processes; it also names, hashes, groups and copies. yolo: labels "
            "only, without drawing.",
        ),
    )
    return Section("labelling", (table,), {"seconds": seconds}, tuple(missing))


def _told_rounds(seconds: dict[str, dict[str, list[float]]]) -> str:
    counts = sorted({len(times[OURS]) for times in seconds.values()})
    return " or ".join(map(str, counts))
