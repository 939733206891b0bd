"""The worker processes: time limit, queue, death and replacement."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fake_models import FakeLocator, FakeNamer
from serve_app import SAMPLE  # skips where the extra is not installed
from serve_jobs import Die, Echo, Fail, Hang

from vision.circumstances import Circumstances
from vision.serve import pool as pool_module
from vision.serve.asking import Asked
from vision.serve.pool import BusyError, OverloadedError, Pool, TooLongError, WorkerDiedError
from vision.serve.settings import Settings
from vision.serve.worker import Failed, Models, ReadJob


def with_pool(tmp_path: Path, check: Callable[[Pool], Awaitable[None]], **settings: Any) -> None:
    @asynccontextmanager
    async def pool() -> AsyncIterator[Pool]:
        pool = Pool(Settings(tmp_path, workers=1, **settings))
        pool.start()
        try:
            yield pool
        finally:
            pool.stop()

    async def run() -> None:
        async with pool() as running:
            await check(running)

    asyncio.run(run())


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def cores(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Says whether this machine's cores are short."""

    def are_short(short: bool) -> None:
        monkeypatch.setattr(pool_module, "cores_are_short", lambda: short)

    are_short(False)
    return are_short


@pytest.mark.usefixtures("cores")
def test_a_worker_that_hangs_or_dies_is_replaced(tmp_path: Path) -> None:
    async def check(pool: Pool) -> None:
        first, length = await pool.run(Echo(bytes(12_000_000)))
        assert length == 12_000_000
        assert pool.pids == [first]
        began = time.monotonic()
        with pytest.raises(TooLongError):
            await pool.run(Hang(600))
        assert time.monotonic() - began < 60
        assert not alive(first)
        second, _ = await pool.run(Echo(b""))
        assert second != first
        with pytest.raises(WorkerDiedError):
            await pool.run(Die())
        third, _ = await pool.run(Echo(b""))
        assert third not in (first, second)
        assert await pool.run(Fail()) == Failed("Exception", "")
        assert (await pool.run(Echo(b"")))[0] == third  # an exception costs no worker

    with_pool(tmp_path, check, photo_seconds=1.5)


def test_who_is_late_on_a_busy_machine_may_come_again(tmp_path: Path, cores: Callable[[bool], None]) -> None:
    async def check(pool: Pool) -> None:
        await pool.run(Echo(b""))
        cores(True)
        with pytest.raises(OverloadedError):
            await pool.run(Hang(600))
        cores(False)
        late = asyncio.create_task(pool.run(Hang(600)))
        await asyncio.sleep(0)
        waits = asyncio.create_task(pool.run(Echo(b"")))
        with pytest.raises(OverloadedError):
            await late
        await waits

    with_pool(tmp_path, check, photo_seconds=0.5)


def test_models_that_load_slowly_are_no_fault_of_the_photo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: Callable[[bool], None]
) -> None:
    cores(False)
    monkeypatch.setattr(pool_module, "START_SECONDS", 0.01)

    async def check(pool: Pool) -> None:
        with pytest.raises(OverloadedError):
            await pool.run(Echo(b""))

    with_pool(tmp_path, check)


def test_a_load_average_above_the_cores_is_a_shortage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    for load, short in ((1.9, False), (2.1, True)):
        monkeypatch.setattr(os, "getloadavg", lambda load=load: (load, 0.0, 0.0), raising=False)
        assert pool_module.cores_are_short() is short


def test_the_queue_has_an_end_and_those_in_it_are_served(tmp_path: Path) -> None:
    async def check(pool: Pool) -> None:
        jobs = [asyncio.create_task(pool.run(Hang(0.01))) for _ in range(4)]  # one is read, three wait
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await pool.run(Hang(0))
        assert await asyncio.gather(*jobs) == ["done"] * 4
        assert await pool.run(Hang(0)) == "done"

    with_pool(tmp_path, check, queue=3)


def test_a_client_that_leaves_leaves_no_worker_behind(tmp_path: Path) -> None:
    async def check(pool: Pool) -> None:
        job = asyncio.create_task(pool.run(Hang(0.3)))
        await asyncio.sleep(0.05)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        answers = await asyncio.gather(*(pool.run(Echo(bytes(number))) for number in range(5)))
        assert [length for _, length in answers] == [0, 1, 2, 3, 4]

    with_pool(tmp_path, check)


def test_stopping_ends_the_processes(tmp_path: Path) -> None:
    pids: list[int] = []

    async def check(pool: Pool) -> None:
        pids.extend(pool.pids)
        await pool.run(Echo(b""))

    with_pool(tmp_path, check)
    assert pids
    deadline = time.monotonic() + 20
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(pid) for pid in pids)


@pytest.mark.parametrize(
    ("asked", "flowers"),
    [
        (Asked("fuzhou"), True),
        (Asked("mcr"), False),
        (Asked(house={"start": "fuzhou"}), True),
    ],
    ids=["fuzhou", "mcr", "house rules"],
)
def test_winds_and_dragons_are_flowers_where_the_rules_asked_for_say_so(asked: Asked, flowers: bool) -> None:
    hand = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2s", "2s", "3p", "3p", "3p"]
    locator = FakeLocator(hand, ["E", "C"])
    reading = ReadJob(SAMPLE.read_bytes(), Circumstances(), asked).run(Models(locator, FakeNamer(locator)))
    laid = {number for group in reading["groups"] if group["kind"] == "flowers" for number in group["tiles"]}
    assert ({tile["id"] for tile in reading["tiles"] if tile["tile"] in "EC"} <= laid) is flowers
