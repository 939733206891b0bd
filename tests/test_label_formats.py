"""Every export read back: by libraries of others where they are installed, and by our own readers."""

from __future__ import annotations

import errno
import json
import math
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree as Xml

import numpy as np
import pytest
from labelled_folder import BOXES, labelled_folder, photo, record, turned
from PIL import Image as Pillow

from datasets.labelling.bake import bake
from datasets.labelling.changes import PhotoChangedError
from datasets.labelling.check.dataset import find_dataset
from datasets.labelling.classes import named_classes
from datasets.labelling.duplicates import perceptual_hash
from datasets.labelling.export import FORMATS, Choice, export
from datasets.labelling.files import OutputError, replaced_folder
from datasets.labelling.manifest import Manifest
from datasets.labelling.pictures import Opened, Pictures
from datasets.labelling.records import Box, Labelled, Listed
from vision.photo import load_photo

CHOICE = Choice(named_classes("ours"), 0.25)
EXPORTED = BOXES[:5]
"""`?` has no class."""


@pytest.fixture
def manifest(tmp_path: Path) -> Iterator[Manifest]:
    with labelled_folder(tmp_path) as manifest:
        yield manifest


def bounds(box: Box) -> tuple[float, float, float, float]:
    return box.bounds


def panlabel(kind: str, source: Path, out: Path) -> dict[str, list[tuple[str, tuple[float, ...]]]]:
    """File name → (class, box) by panlabel's reader."""
    program = Path(sys.executable).with_name("panlabel")
    if not program.exists():
        pytest.skip("panlabel is not installed (pip install panlabel)")
    subprocess.run(
        [program, "convert", "-f", kind, "-t", "ir-json", "-i", source, "-o", out, "--allow-lossy"],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    content = json.loads(out.read_text())
    names = {category["id"]: category["name"] for category in content["categories"]}
    found: dict[str, list[tuple[str, tuple[float, ...]]]] = {
        Path(image["file_name"]).name: [] for image in content["images"]
    }
    files = {image["id"]: Path(image["file_name"]).name for image in content["images"]}
    for entry in content["annotations"]:
        box = tuple(entry["bbox"][side] for side in ("xmin", "ymin", "xmax", "ymax"))
        found[files[entry["image_id"]]].append((names[entry["category_id"]], box))
    return found


@pytest.mark.parametrize(
    ("name", "kind", "path", "files", "slack"),
    [
        ("yolo", "yolo", "", {"a.jpg", "b.jpg", "c.png"}, 0.01),
        ("voc", "voc", "", {"a.jpg", "b.jpg", "c.png"}, 1.51),
        ("coco", "coco", "annotations/instances_val.json", {"b.jpg"}, 0.01),
        ("labelme", "labelme", "train", {"a.jpg", "c.png"}, 0.01),
    ],
)
def test_panlabel_reads_the_same_boxes(
    manifest: Manifest, tmp_path: Path, name: str, kind: str, path: str, files: set[str], slack: float
) -> None:
    export(manifest, [name], CHOICE)
    found = panlabel(kind, manifest.folder / name / path, tmp_path / "ir.json")
    assert set(found) == files
    for labels in found.values():
        assert sorted(label for label, _ in labels) == sorted(box.tile for box in EXPORTED)
        by_name = dict(labels)
        for box in EXPORTED:
            assert by_name[box.tile] == pytest.approx(bounds(box), abs=slack)


@pytest.mark.filterwarnings("ignore:__array__:DeprecationWarning")  # in pycocotools itself
def test_pycocotools_reads_coco_with_polygons_and_scores(manifest: Manifest) -> None:
    coco_module = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
    export(manifest, ["coco"], CHOICE)
    coco = coco_module.COCO(str(manifest.folder / "coco" / "annotations" / "instances_train.json"))
    assert [image["file_name"] for image in coco.loadImgs(coco.getImgIds())] == ["a.jpg", "c.png"]
    for annotation, box in zip(coco.loadAnns(coco.getAnnIds(imgIds=[1])), EXPORTED, strict=True):
        assert coco.loadCats(annotation["category_id"])[0]["name"] == box.tile
        assert annotation["score"] == box.confidence
        (a, b), (c, d) = box.quad[0], box.quad[1]
        assert annotation["segmentation"][0][:4] == pytest.approx([a, b, c, d], abs=0.01)
        # The mask that COCO draws of the polygon has the area that is given.
        assert coco.annToMask(annotation).sum() == pytest.approx(annotation["area"], rel=0.1)


@pytest.mark.parametrize("name", ["yolo", "coco", "voc", "cvat"])
def test_globox_reads_the_same_labels(manifest: Manifest, name: str) -> None:
    globox = pytest.importorskip("globox", reason="globox is not installed")
    with manifest.transaction() as connection:  # it takes one folder of one kind of picture
        connection.execute("UPDATE images SET split = 'train'")
    if name == "yolo":
        manifest.decide(3, state="rejected")
    upright = lay_upright(manifest)
    export(manifest, [name], CHOICE)
    root, sets = manifest.folder / name, globox.AnnotationSet
    if name == "yolo":
        images = root / "images" / "train"
        read = sets.from_yolo_v5(folder=root / "labels" / "train", image_folder=images)
        read.map_labels({str(n): tile for n, tile in enumerate(CHOICE.classes.names)})
    elif name == "coco":
        read = sets.from_coco(root / "annotations" / "instances_train.json")
    elif name == "voc":
        read = sets.from_pascal_voc(root / "Annotations")
    else:
        read = sets.from_cvat(root / "annotations.xml")
    assert len(read) == (2 if name == "yolo" else 3)
    for annotation in read:
        assert annotation.image_size == (320, 200)
        got = {box.label: box.ltrb for box in annotation.boxes}
        assert set(got) == {box.tile for box in upright}
        for box in upright:
            assert got[box.tile] == pytest.approx(bounds(box), abs=1.51 if name == "voc" else 0.51)


@pytest.mark.parametrize("name", ["yolo", "yolo-obb"])
def test_ultralytics_takes_the_data_set(manifest: Manifest, name: str) -> None:
    dataset_utils = pytest.importorskip("ultralytics.data.utils", reason="ultralytics is not installed")
    export(manifest, [name], CHOICE)
    config = dataset_utils.check_det_dataset(str(manifest.folder / name / "data.yaml"), autodownload=False)
    assert list(config["names"].values()) == list(CHOICE.classes.names)
    image = manifest.folder / name / "images" / "val" / "b.jpg"
    text = manifest.folder / name / "labels" / "val" / "b.txt"
    checked = dataset_utils.verify_image_label(
        (str(image), str(text), "", False, len(config["names"]), 0, 0, False)
    )
    _, labels, shape, segments, *_, missing, found, empty, corrupt, message = checked
    assert (missing, found, empty, corrupt, message) == (0, 1, 0, 0, "")
    assert tuple(shape) == (200, 320)
    if name == "yolo":
        x, y, w, h = (labels[:, 1:] * np.array([320, 200, 320, 200])).T
        got = np.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], axis=1)
        np.testing.assert_allclose(got, [box.bounds for box in EXPORTED], atol=0.01)
    else:
        got = np.stack(segments) * np.array([320, 200])
        np.testing.assert_allclose(got, [box.quad for box in EXPORTED], atol=0.01)


def test_labelstudio_has_predictions_of_models_and_annotations_of_people(
    manifest: Manifest, tmp_path: Path
) -> None:
    manifest.decide(2, state="reviewed")
    export(manifest, ["labelstudio"], CHOICE)
    tasks = json.loads((manifest.folder / "labelstudio" / "tasks.json").read_text())
    assert [len(task["predictions"]) for task in tasks] == [1, 0, 1]
    assert [len(task["annotations"]) for task in tasks] == [0, 1, 0]
    first = tasks[0]["predictions"][0]
    assert first["score"] == min(box.confidence for box in EXPORTED)
    assert [result["score"] for result in first["result"]] == [box.confidence for box in EXPORTED]
    for result, box in zip(first["result"], EXPORTED, strict=True):
        value = result["value"]
        x, y = value["x"] * 3.2, value["y"] * 2
        # Label Studio turns about the top-left corner.
        angle = math.radians(value["rotation"])
        end = (x + value["width"] * 3.2 * math.cos(angle), y + value["width"] * 3.2 * math.sin(angle))
        assert (x, y) == pytest.approx(box.quad[0], abs=0.01)
        assert end == pytest.approx(box.quad[1], abs=0.01)


def test_panlabel_reads_labelstudio(manifest: Manifest, tmp_path: Path) -> None:
    upright = lay_upright(manifest)  # it does not look at the turn
    export(manifest, ["labelstudio"], CHOICE)
    tasks = json.loads((manifest.folder / "labelstudio" / "tasks.json").read_text())
    for task in tasks:  # it wants the path of a file; Label Studio's is the address that it serves it at
        task["data"]["image"] = task["data"]["image"].split("?d=")[1]
    shortened = tmp_path / "tasks.json"
    shortened.write_text(json.dumps(tasks))
    found = panlabel("label-studio", shortened, tmp_path / "ir.json")
    assert set(found) == {"a.jpg", "b.jpg", "c.png"}
    for labels in found.values():
        by_name = dict(labels)
        for box in upright:
            assert by_name[box.tile] == pytest.approx(bounds(box), abs=0.05)


def lay_upright(manifest: Manifest) -> list[Box]:
    """Boxes that do not turn, in all pictures, for readers that know no others."""
    upright = [Box(b.tile, turned(40 + 50 * n, 100, 30, 40, 0), 0.9) for n, b in enumerate(EXPORTED)]
    for image in list(manifest.images("new")):
        manifest.decide(image.id, boxes=upright)
    return upright


def test_labelstudio_sdk_accepts_the_interface(manifest: Manifest) -> None:
    interface = pytest.importorskip(
        "label_studio_sdk.label_interface", reason="label-studio-sdk is not installed", exc_type=ImportError
    )
    export(manifest, ["labelstudio"], CHOICE)
    root = manifest.folder / "labelstudio"
    labels = interface.LabelInterface((root / "config.xml").read_text())
    for task in json.loads((root / "tasks.json").read_text()):
        assert labels.validate_prediction(task["predictions"][0])


@pytest.mark.parametrize("format_", ["YOLO", "YOLO_OBB", "COCO", "VOC"])
def test_label_studio_converts_what_a_person_accepted(tmp_path: Path, format_: str) -> None:
    """Its own export of our tasks, as after an import there: names, and boxes where they lie."""
    converter = pytest.importorskip(
        "label_studio_sdk.converter.converter",
        reason="label-studio-sdk is not installed, or not whole",
        exc_type=ImportError,
    )
    with labelled_folder(tmp_path, reviewed=True) as manifest:
        export(manifest, ["labelstudio"], CHOICE)
        root = manifest.folder / "labelstudio"
    made = converter.Converter(str(root / "config.xml"), str(tmp_path), download_resources=False)
    out = tmp_path / "out"
    made.convert(str(root / "tasks.json"), str(out), format_, is_dir=False)
    if format_ == "COCO":
        content = json.loads((out / "result.json").read_text())
        names = {entry["id"]: entry["name"] for entry in content["categories"]}
        files = {entry["id"]: Path(entry["file_name"]).name for entry in content["images"]}
        found = [(files[e["image_id"]], names[e["category_id"]]) for e in content["annotations"]]
        assert sorted(found) == sorted((f, box.tile) for f in ("a.jpg", "b.jpg", "c.png") for box in EXPORTED)
    elif format_ == "VOC":
        for stem in ("a", "b", "c"):
            objects = Xml.parse(out / "Annotations" / f"{stem}.xml").getroot().iter("object")
            assert sorted(e.findtext("name", "") for e in objects) == sorted(box.tile for box in EXPORTED)
    else:
        names = dict(enumerate((out / "classes.txt").read_text().split("\n")))
        for stem in ("a", "b", "c"):
            (path,) = (out / "labels").glob(f"*{stem}.txt")
            rows = [line.split() for line in path.read_text().splitlines()]
            assert sorted(names[int(row[0])] for row in rows) == sorted(box.tile for box in EXPORTED)
            if format_ == "YOLO_OBB":
                for row in rows:
                    box = next(box for box in EXPORTED if box.tile == names[int(row[0])])
                    corners = np.array(row[1:], float).reshape(4, 2) * (320, 200)
                    near = [np.abs(corners - corner).max(axis=1).min() for corner in np.array(box.quad)]
                    assert max(near) < 0.1


@pytest.mark.parametrize("name", ["cvat", "coco", "voc", "yolo"])
def test_datumaro_reads_the_same_labels(manifest: Manifest, name: str) -> None:
    components = pytest.importorskip("datumaro.components.dataset", reason="datumaro is not installed")
    export(manifest, [name], CHOICE)
    read = components.Dataset.import_from(str(manifest.folder / name), name)
    assert {(item.id, item.subset) for item in read} == {("a", "train"), ("b", "val"), ("c", "train")}
    labels = next(iter(read.categories().values()))
    for item in read:
        got = {
            labels[shape.label].name: shape for shape in item.annotations if "Polygon" not in str(type(shape))
        }
        assert set(got) == {box.tile for box in EXPORTED}
        for box in EXPORTED:
            if name == "cvat":
                found = np.array(got[box.tile].as_polygon()).reshape(4, 2)
                np.testing.assert_allclose(found, box.quad, atol=0.02)
            else:
                x, y, width, height = got[box.tile].get_bbox()
                assert (x, y, x + width, y + height) == pytest.approx(
                    bounds(box), abs=1.51 if name == "voc" else 0.02
                )


def test_cvat_boxes_turn_about_their_middle(manifest: Manifest) -> None:
    odd = Box("2p", ((10.0, 10.0), (60.0, 14.0), (50.0, 70.0), (12.0, 60.0)), origin="human")
    manifest.decide(1, boxes=[*BOXES[:5], odd])
    export(manifest, ["cvat"], CHOICE)
    root = Xml.parse(manifest.folder / "cvat" / "annotations.xml").getroot()
    assert [e.get("name") for e in root.iter("image")] == ["a.jpg", "b.jpg", "c.png"]
    first = next(root.iter("image"))
    for entry, box in zip(first.iter("box"), EXPORTED, strict=True):
        x1, y1, x2, y2 = (float(entry.get(side, "")) for side in ("xtl", "ytl", "xbr", "ybr"))
        again = turned((x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1, float(entry.get("rotation", "")))
        np.testing.assert_allclose(again, box.quad, atol=0.02)
        assert (entry.get("label"), entry.get("source")) == (box.tile, "auto")
    (polygon,) = first.iter("polygon")
    assert polygon.get("points") == "10.00,10.00;60.00,14.00;50.00,70.00;12.00,60.00"
    assert polygon.get("source") == "manual"


@pytest.mark.parametrize("name", ["yolo", "yolo-obb", "coco", "voc"])
def test_our_own_readers_read_what_we_write(manifest: Manifest, name: str) -> None:
    export(manifest, [name], CHOICE)
    dataset = find_dataset(manifest.folder / name)
    images = list(dataset)
    assert not dataset.problems
    assert sorted(image.path.name for image in images) == ["a.jpg", "b.jpg", "c.png"]
    for image in images:
        assert image.path.is_file()
        assert [box.name for box in image.boxes] == [box.tile for box in EXPORTED]
        for got, box in zip(image.boxes, EXPORTED, strict=True):
            assert got.in_pixels((320, 200)) == pytest.approx(
                bounds(box), abs=0.51 if name == "voc" else 0.02
            )


def test_crops_are_upright_faces_by_class(tmp_path: Path) -> None:
    """A face drawn with a dark top, turned by a right angle in the picture, stands upright in its crop."""
    with labelled_folder(tmp_path) as manifest:
        pixels = np.full((200, 320, 3), 120, np.uint8)
        pixels[60:140, 100:160] = 255
        pixels[60:140, 130:160] = 0  # the right half of a face whose top points right
        Pillow.fromarray(pixels).save(tmp_path / "photos" / "c.png")
        record(manifest, 3)
        manifest.decide(3, boxes=[Box("7s", turned(130, 100, 80, 60, 90), origin="human")])
        export(manifest, ["crops"], CHOICE)
        (path,) = (manifest.folder / "crops" / "train" / "7s").iterdir()
        crop = np.asarray(Pillow.open(path).convert("L"))
        assert crop.shape == (128, 96)
        assert crop[8:56].mean() < 10
        assert crop[72:120].mean() > 245


def test_pictures_are_upright_and_say_nothing_of_their_making(manifest: Manifest, tmp_path: Path) -> None:
    export(manifest, ["yolo"], CHOICE)
    for name in ("train/a.jpg", "val/b.jpg", "train/c.png"):
        path = manifest.folder / "yolo" / "images" / name
        source = tmp_path / "photos" / Path(name).name
        with Pillow.open(path) as image:
            assert image.size == (320, 200)
            assert not image.getexif()
        data = path.read_bytes()
        assert (
            b"GPS" not in data and b"my address" not in data and b"Exif" not in data and b"eXIf" not in data
        )
        baked, original = load_photo(path).pixels.astype(int), load_photo(source).pixels.astype(int)
        # Not encoded anew where it lies upright already.
        assert np.abs(baked - original).max() <= (8 if name == "val/b.jpg" else 0)


def test_low_confidence_stays_out_and_people_stay_in(manifest: Manifest) -> None:
    human = Box("9p", turned(200, 150, 30, 40, 0), 0.01, origin="human")
    manifest.decide(1, boxes=[*BOXES, human])
    done = export(manifest, ["yolo"], Choice(CHOICE.classes, 0.75))
    lines = (manifest.folder / "yolo" / "labels" / "train" / "a.txt").read_text().split("\n")[:-1]
    numbers = [CHOICE.classes.names[int(line.split()[0])] for line in lines]
    assert numbers == ["1m", "5s", "B", "9p"]
    assert (done.images, done.labels) == (3, 4 + 3 + 3)


def test_only_reviewed_pictures_where_asked_and_never_rejected_ones(manifest: Manifest) -> None:
    manifest.decide(1, state="rejected")
    manifest.decide(2, state="reviewed")
    assert export(manifest, ["yolo"], CHOICE).images == 2
    assert export(manifest, ["yolo"], Choice(CHOICE.classes, 0.25, reviewed_only=True)).images == 1
    assert not (manifest.folder / "yolo" / "labels" / "train").exists()


def test_a_source_that_is_gone_is_named_and_the_rest_exported(manifest: Manifest, tmp_path: Path) -> None:
    (tmp_path / "photos" / "a.jpg").unlink()
    done = export(manifest, ["voc"], CHOICE)
    assert done.images == 2
    assert len(done.missing) == 1 and "a.jpg" in done.missing[0]


def test_labels_are_not_exported_with_another_picture(manifest: Manifest, tmp_path: Path) -> None:
    photo(tmp_path / "photos" / "a.jpg", seed=7)
    done = export(manifest, ["voc"], CHOICE)
    assert len(done.missing) == 1 and "a.jpg has changed since it was labelled" in done.missing[0]
    names = [path.name for path in (manifest.folder / "voc" / "JPEGImages").iterdir()]
    assert sorted(names) == ["b.jpg", "c.png"]


def test_frames_of_another_video_are_not_taken_for_those_that_were_labelled(tmp_path: Path) -> None:
    first, second = (load_photo(photo(tmp_path / f"{n}.png", seed=n)).pixels for n in (1, 2))
    pictures = Mock(spec=Pictures)
    pictures.open.side_effect = lambda *_: Opened(shown, (320, 200), "")
    listed = Listed("game.mp4#0", "game.mp4", "game-0", "game.mp4", 0)
    with Manifest.create(tmp_path / "video") as manifest:
        manifest.register([listed])
        manifest.record(1, Labelled("0" * 64, perceptual_hash(first), (320, 200), BOXES))
        shown = first ^ 1  # as another machine may decode it
        assert bake(manifest.image(1), tmp_path, pictures).name == "game-0.jpg"
        shown = second
        with pytest.raises(PhotoChangedError, match=r"game\.mp4#0 has changed"):
            bake(manifest.image(1), tmp_path, pictures)


def test_a_good_export_is_not_replaced_by_one_that_lacks_pictures(manifest: Manifest, tmp_path: Path) -> None:
    export(manifest, ["yolo"], CHOICE)
    before = sorted((manifest.folder / "yolo").rglob("*"))
    shutil.rmtree(manifest.folder / "pictures")
    (tmp_path / "photos" / "a.jpg").unlink()
    done = export(manifest, ["yolo", "voc"], CHOICE)
    assert sorted((manifest.folder / "yolo").rglob("*")) == before
    assert "yolo stays as it was, for pictures are missing" in done.missing[-1]
    assert len(list((manifest.folder / "voc" / "Annotations").iterdir())) == 2


def test_a_good_export_is_not_replaced_by_an_empty_one(manifest: Manifest) -> None:
    export(manifest, ["yolo"], CHOICE)
    before = sorted((manifest.folder / "yolo").rglob("*"))
    (said,) = export(manifest, ["yolo"], Choice(CHOICE.classes, 0.25, reviewed_only=True)).missing
    assert "yolo stays as it was, for no picture is reviewed yet" in said
    assert sorted((manifest.folder / "yolo").rglob("*")) == before


def test_a_format_folder_that_was_moved_elsewhere_stays_a_link(manifest: Manifest, tmp_path: Path) -> None:
    export(manifest, ["yolo"], CHOICE)
    folder, elsewhere = manifest.folder / "yolo", tmp_path / "disk" / "yolo"
    elsewhere.parent.mkdir()
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    (elsewhere.parent / ".yolo.old").symlink_to(tmp_path / "photos")
    manifest.decide(3, state="rejected")
    for _ in range(2):
        export(manifest, ["yolo"], CHOICE)
    assert folder.is_symlink()
    assert [path.name for path in elsewhere.parent.iterdir()] == ["yolo"]
    assert len(list((elsewhere / "labels").rglob("*.txt"))) == 2
    assert len(list((tmp_path / "photos").iterdir())) == 3


def test_exports_are_the_same_every_time(manifest: Manifest) -> None:
    def content() -> dict[str, bytes]:
        return {
            str(path.relative_to(manifest.folder)): path.read_bytes()
            for name in FORMATS
            for path in sorted((manifest.folder / name).rglob("*"))
            if path.is_file()
        }

    export(manifest, list(FORMATS), CHOICE)
    first = content()
    shutil.rmtree(manifest.folder / "pictures")
    export(manifest, list(FORMATS), CHOICE)
    assert content() == first
    assert len(first) > 30


def test_an_export_killed_while_it_took_its_place_loses_nothing(tmp_path: Path) -> None:
    """Between its two renames there is only the old folder, under another name."""
    (tmp_path / ".yolo.old").mkdir()
    (tmp_path / ".yolo.old" / "labels.txt").write_text("before")
    with pytest.raises(OutputError), replaced_folder(tmp_path / "yolo"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert (tmp_path / "yolo" / "labels.txt").read_text() == "before"
