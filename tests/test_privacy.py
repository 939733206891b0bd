"""What is sent (nothing) and where things are written: each command runs as a process of its own, in which an
audit hook takes down every name looked up, every address connected to and every file opened for writing.

The photo is the rendered sample with the metadata of a phone: a place, and a comment that must turn up
nowhere. What libraries do below Python the hook cannot see; those known to send something have tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "datasets" / "sample"
MARK = "at-home-17-secret-street"
HOOK = """
import json, os, sys
_log = os.open(os.environ["AUDIT_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

def _hook(event, args):
    told = None
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        told = ("net", repr(args[1]))
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        told = ("net", repr(args[0]))
    elif event == "open":
        path, mode, flags = args
        if isinstance(path, (str, bytes)) and (flags or 0) & (os.O_WRONLY | os.O_RDWR):
            told = ("write", os.path.abspath(os.fsdecode(path)))
    elif event in ("os.mkdir", "sqlite3.connect"):
        told = ("write", os.path.abspath(os.fsdecode(args[0])))
    elif event in ("os.rename", "os.link", "shutil.copyfile"):
        told = ("write", os.path.abspath(os.fsdecode(args[1])))
    if told is not None:
        os.write(_log, (json.dumps(told) + "\\n").encode())

sys.addaudithook(_hook)
"""


@dataclass(frozen=True)
class Home:
    """A user's folders, and a log of what processes did."""

    folder: Path

    @property
    def photo(self) -> Path:
        return self.folder / "photos" / "hand.jpg"

    @property
    def data(self) -> Path:
        """The user's data folder of hupai."""
        return self.folder / "data" / "hupai"

    @property
    def log(self) -> Path:
        return self.folder / "audit.log"

    def environment(self) -> dict[str, str]:
        folders = {"HOME": "home", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache", "TMPDIR": "tmp"}
        path = os.pathsep.join([str(self.folder / "hook"), str(ROOT)])
        return {
            **{name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"},
            **{name: str(self.folder / folder) for name, folder in folders.items()},
            "PYTHONPATH": path,
            "PYTHONDONTWRITEBYTECODE": "1",
            "AUDIT_LOG": str(self.log),
        }

    def run(self, *arguments: str) -> str:
        """A command's answer."""
        command = [sys.executable, "-m", "models.cli", *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder / "work",
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def seen(self, kind: str) -> set[str]:
        lines = self.log.read_text(encoding="utf-8").splitlines()
        assert lines, "the hook was not there"
        return {what for told, what in map(json.loads, lines) if told == kind}

    def sent(self) -> set[str]:
        """Addresses and names of others. Sockets of this machine's own file system are no network."""
        return {
            where for where in self.seen("net") if where.startswith(("(", "'", "b'")) and "/" not in where
        }

    def written_outside(self, *allowed: Path) -> set[str]:
        devices = (Path("/dev/null"), Path("/proc"), self.folder / "tmp", self.log)
        paths = map(Path, self.seen("write"))
        return {
            str(path) for path in paths if not any(path.is_relative_to(root) for root in (*allowed, *devices))
        }

    def left(self, *allowed: Path) -> set[str]:
        """Files that are there now besides the photo, the log and those in `allowed`."""
        own = (self.photo.parent, self.log, self.folder / "hook", *allowed)
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path) for path in files if not any(path.is_relative_to(root) for root in own)}

    def tells_where(self) -> list[Path]:
        """Files, besides the photo, that hold its metadata."""
        files = (path for path in self.folder.rglob("*") if path.is_file() and path != self.photo)
        return [path for path in files if MARK.encode() in path.read_bytes()]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    for name in ("home", "data", "cache", "tmp", "work", "photos", "hook"):
        (tmp_path / name).mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    made = Home(tmp_path)
    exif = Image.Exif()
    exif[0x010E] = MARK  # ImageDescription
    exif.get_ifd(0x8825).update({1: "N", 2: (39.0, 54.0, 27.0), 3: "E", 4: (116.0, 23.0, 17.0)})
    with Image.open(SAMPLE / "hand.jpg") as image:
        image.save(made.photo, exif=exif, quality=95)
    assert MARK.encode() in made.photo.read_bytes()
    return made


def test_the_hook_sees_what_it_is_for(home: Home) -> None:
    code = (
        "import socket, pathlib\n"
        "pathlib.Path('x.txt').write_text('')\n"
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "s.connect(('127.0.0.1', 9))\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=home.folder / "work", env=home.environment(), check=True)
    assert home.sent() == {"('127.0.0.1', 9)"}
    assert home.written_outside() == {str(home.folder / "work" / "x.txt")}


def test_reading_writes_only_the_overlay(home: Home) -> None:
    overlay = home.folder / "work" / "seen.jpg"
    home.run("read", str(home.photo), "--json", "--overlay", str(overlay))
    assert home.sent() == set()
    assert home.written_outside(overlay.parent) == set()  # it is written beside its place, then moved there
    assert home.left(overlay) == set()
    assert home.tells_where() == []


def test_onnx_runtime_is_told_to_send_nothing_before_it_is_imported(home: Home) -> None:
    code = (
        "import os, sys, vision.session\n"
        "assert 'onnxruntime' not in sys.modules\n"
        "assert os.environ['ORT_DISABLE_TELEMETRY'] == '1'\n"
    )
    subprocess.run([sys.executable, "-c", code], env=home.environment(), check=True)


def test_ultralytics_is_told_to_send_nothing_before_it_is_imported(home: Home) -> None:
    code = (
        "import os, sys, models.training\n"
        "assert 'ultralytics' not in sys.modules\n"
        "assert os.environ['YOLO_OFFLINE'] == 'true'\n"
    )
    environment = {name: value for name, value in home.environment().items() if name != "YOLO_OFFLINE"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_labelling_writes_only_its_folder_and_drops_metadata(home: Home) -> None:
    pytest.importorskip("imagehash", reason="needs the extra `label`")
    out = home.folder / "work" / "labels"
    home.run("label", str(home.photo.parent), "--out", str(out), "--format", "yolo-obb")
    assert home.sent() == set()
    assert home.written_outside(out) == set()
    assert home.left(out) == set()
    assert list((out / "pictures").iterdir())
    assert home.tells_where() == []


def test_teaching_writes_only_the_data_folder_and_forgets_on_demand(home: Home) -> None:
    truth = SAMPLE / "hand.json"
    home.run("teach", str(home.photo), "--name", "mine", "--truth", str(truth))
    assert home.sent() == set()
    assert home.written_outside(home.data) == set()
    assert sorted(path.name for path in (home.data / "sets").iterdir()) == ["in-use", "mine.npz"]
    assert home.tells_where() == []
    home.run("teach", "--remove", "mine")
    assert not list((home.data / "sets").iterdir())


def test_serving_keeps_scores_and_no_photo_unless_the_player_agrees(home: Home) -> None:
    pytest.importorskip("fastapi", reason="needs the extra `serve`")
    kept = home.folder / "work" / "kept"
    command = [sys.executable, "-m", "models.cli", "serve", "--port", "0", "--keep-corrections", str(kept)]
    with subprocess.Popen(
        command,
        cwd=home.folder / "work",
        env=home.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            reading = _post(url + "api/read", {}, home.photo)
            assert reading["status"] == ["complete"]
            assert [path for path in kept.rglob("*") if path.is_file()] == [kept / "data.yaml"]
            agreed = {
                "keep": "true",
                "layout": json.dumps({key: reading[key] for key in ("size", "tiles", "groups")}),
            }
            _post(url + "api/corrections", agreed, home.photo)
        finally:
            server.terminate()
            _, told = server.communicate(timeout=60)
    assert told == ""  # no access log: neither photos' names nor callers' addresses
    names = sorted(path.parent.name for path in kept.rglob("*") if path.is_file())
    assert names == ["images", "kept", "labels", "truth"]
    assert home.sent() == set()
    assert home.written_outside(home.data, kept) == set()
    assert {Path(path).name for path in home.left(kept)} <= {
        "tables.sqlite3",
        "tables.sqlite3-shm",
        "tables.sqlite3-wal",
    }
    assert home.tells_where() == []


def _post(url: str, fields: dict[str, str], photo: Path) -> dict:
    """A form with a photo, as a browser sends it."""
    boundary = "no-such-line-in-the-photo"
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="photo"; filename="{MARK}.jpg"\r\n'
    parts.append(f"{head}Content-Type: image/jpeg\r\n\r\n".encode() + photo.read_bytes() + b"\r\n")
    body = b"".join(parts) + f"--{boundary}--\r\n".encode()
    request = urllib.request.Request(url, body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)
