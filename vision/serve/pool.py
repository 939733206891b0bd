"""The worker processes: a queue with a limit before them, a time limit on each job."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from vision.interrupts import without_interrupts
from vision.serve.settings import START_SECONDS, Settings
from vision.serve.worker import Failed, Job, work

_JOIN_SECONDS = 5.0


class BusyError(Exception):
    """The queue is full."""


class TooLongError(Exception):
    """The job took longer than it may; its worker was ended."""


class OverloadedError(Exception):
    """The job took longer than it may while this machine had more to do: another time it may do."""


class WorkerDiedError(Exception):
    """The worker ended during the job, for instance for want of memory."""


def cores_are_short() -> bool:
    """Whether more processes of this machine want a core than there are, over the last minute."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > (os.cpu_count() or 1)


class Pool:
    """Workers that read photos. `start` returns at once, the models are loaded meanwhile."""

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.photo_seconds
        self._queue = settings.queue
        self._waiting = 0
        threads = -(-(os.cpu_count() or 1) // max(1, settings.workers))
        self._workers = [Worker(threads) for _ in range(settings.workers)]
        self._threads = ThreadPoolExecutor(max(1, settings.workers), "hupai-pool")
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        self._running: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        for worker in self._workers:
            worker.start()
            self._idle.put_nowait(worker)

    def stop(self) -> None:
        for worker in self._workers:
            worker.stop()
        self._threads.shutdown(wait=True)

    @property
    def pids(self) -> list[int]:
        """Of the worker processes."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    async def run(self, job: Job) -> Any:
        """The job's result. Raises BusyError, TooLongError, OverloadedError or WorkerDiedError."""
        if self._waiting >= self._queue:
            raise BusyError
        self._waiting += 1
        try:
            worker = await self._idle.get()
        finally:
            self._waiting -= 1
        # A task of its own: the worker is idle only when it is done, whether or not its client still waits.
        task = asyncio.create_task(self._use(worker, job))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _use(self, worker: Worker, job: Job) -> Any:
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, worker.do, job, self._seconds)
        except TooLongError as error:
            if self._waiting or cores_are_short():
                raise OverloadedError from error
            raise
        finally:
            self._idle.put_nowait(worker)


class Worker:
    """One process, replaced when it dies. Used by one thread at a time."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._ready = False
        self._stopped = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, self._threads), daemon=True)
        with without_interrupts():
            self._process.start()
        theirs.close()
        self._connection = ours
        self._ready = False

    def stop(self) -> None:
        """End the process; a job that it does fails."""
        self._stopped = True
        if self._process is not None:
            self._process.kill()
            self._process.join(_JOIN_SECONDS)

    def do(self, job: Job, seconds: float) -> Any:
        """The job's result. Raises TooLongError, OverloadedError where the models took too long to load, or
        WorkerDiedError; a new process is then on its way."""
        if not self._ready:
            try:
                told = self._within(START_SECONDS)
            except TooLongError as error:
                raise OverloadedError from error
            if isinstance(told, Failed):
                self._replace()  # it has ended; the next photo hears the same, or finds the models there
                return told
            self._ready = True
        return self._within(seconds, job)

    def _within(self, seconds: float, job: Job | None = None) -> Any:
        """Send the job, if any, and wait for the answer. When the time is over the process is killed, which
        ends every wait here: nothing else has to be watched."""
        process, connection = self._process, self._connection
        assert process is not None and connection is not None
        over = threading.Event()

        def end() -> None:
            over.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.start()
        try:
            if job is not None:
                connection.send(job)
            return connection.recv()
        except (EOFError, OSError) as error:
            self._replace()
            raise (TooLongError if over.is_set() else WorkerDiedError) from error
        finally:
            timer.cancel()

    def _replace(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(OSError):
                self._process.join()
        if not self._stopped:
            self.start()
