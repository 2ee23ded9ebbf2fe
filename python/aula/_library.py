# SPDX-License-Identifier: MIT
"""Finds, loads and calls libaula. The other modules of the package call C functions only through this one."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Iterable
from typing import Any, Callable, Optional, TypeVar

import numpy as np

from .collision import refuse_other

refuse_other(os.path.dirname(os.path.abspath(__file__)))

from ._interface import ffi  # noqa: E402
from .errors import AulaError, InputError, StoppedError  # noqa: E402
from .files import file_name  # noqa: E402

__all__ = ["ffi", "lib", "check", "c_text", "engine_options", "run", "text", "texts", "view", "rows", "data_path"]

T = TypeVar("T")
Progress = Callable[[float], Any]

_BESIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libaula.so")
_SYSTEM = "libaula.so.0.1"  # installed by a package of the system

_WAIT = 0.05  # s between checks of the main thread whether a call has ended
_PATIENCE = 0.15  # s to wait for a call after requesting a stop


def _load() -> Any:
    if os.path.exists(_BESIDE):
        return ffi.dlopen(_BESIDE)
    try:
        return ffi.dlopen(_SYSTEM)
    except OSError as error:
        raise ImportError(f"cannot load libaula as {_BESIDE} or {_SYSTEM}: {error}; install it again") from None


lib = _load()


def text(pointer: Any) -> Optional[str]:
    """A C string as str; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def texts(get: Callable[[int], Any]) -> list[str]:
    """The strings ``get(0)``, ``get(1)``, ... up to the first NULL."""
    found: list[str] = []
    while True:
        line = text(get(len(found)))
        if line is None:
            return found
        found.append(line)


def c_text(value: str, what: str) -> bytes:
    """A string for the library. InputError if it contains NUL, which would end it."""
    if "\0" in value:
        raise InputError(f"{what} contains a NUL character; remove it")
    return value.encode()


def check(function: Callable[..., int], *arguments: Any, path: Optional[str] = None) -> None:
    """Calls a C function whose last parameter is an error, and raises that error. ``path`` is the file it concerns."""
    error = ffi.new("struct aula_error *")
    if function(*arguments, error) == 0:
        return
    message = text(error.message) or "libaula failed without a message"
    if error.exit_status == 2:
        raise InputError(message, about=path)
    if message.startswith("stopped") or "stopped on request" in message:
        raise StoppedError(message, error.exit_status, path)
    raise AulaError(message, error.exit_status, path)


def engine_options(engine: Optional[str], threads: int) -> Callable[[Any], Any]:
    """A function that makes struct aula_options with the callback of :func:`run`, and keeps its text alive."""
    if not 0 <= threads < 2**31:
        raise InputError(f"threads is {threads}; must be from 1 to 4096, or 0 for the default of OpenMP")
    kept = ffi.new("char[]", c_text(engine, "engine")) if engine is not None else ffi.NULL

    def make(callback: Any) -> Any:
        options = ffi.new("struct aula_options *", {"engine": kept, "threads": threads})
        options.progress = callback
        return options

    return make


class Locked:
    """Locks of several rooms, always acquired in the same order to prevent deadlock."""

    def __init__(self, locks: Iterable[Any]) -> None:
        unique = {id(lock): lock for lock in locks}
        self.locks = [unique[key] for key in sorted(unique)]

    def __enter__(self) -> None:
        for lock in self.locks:
            lock.acquire()

    def __exit__(self, *_error: Any) -> None:
        for lock in self.locks:
            lock.release()


class _Refused(Exception):
    """`progress` raised an exception."""


_left: list["_Run"] = []  # calls that were asked to stop and have not ended


class _Run:
    """A call in a thread that holds the locks. The main thread waits, so that signals reach it, and calls
    ``progress``."""

    def __init__(self, work: Callable[[Any], Any], locks: Iterable[Any], progress: Optional[Progress]) -> None:
        self.work = work
        self.locks = Locked(locks)
        self.progress = progress
        self.shares: "queue.SimpleQueue[float]" = queue.SimpleQueue()
        self.given_up = False  # nobody waits for the result
        self.callback = ffi.callback("int(void *, double)", self._note, error=1)
        self.result: Any = None
        self.error: Optional[BaseException] = None
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._main, name="aula")

    def _note(self, _context: Any, share: float) -> int:
        """Runs in the thread of the call; also reports a stop that came before the library was running."""
        self.shares.put(share)
        return int(self.given_up)

    def _main(self) -> None:
        try:
            with self.locks:
                if not self.given_up:
                    self.result = self.work(self.callback)
        except BaseException as error:  # the waiting thread raises it again
            self.error = error
        finally:
            self.ended.set()

    def _look(self) -> None:
        while self.progress is not None and not self.shares.empty():
            try:
                self.progress(self.shares.get())
            except Exception as error:
                raise _Refused from error

    def _stop(self) -> None:
        """Requests a stop until the call ends or _PATIENCE is over. The call then ends later and frees its memory."""
        until = time.monotonic() + _PATIENCE
        while self.thread.ident is not None and time.monotonic() < until:
            lib.aula_stop()
            if self.ended.wait(_WAIT):
                return
        if self.thread.ident is not None:
            _left.append(self)

    def wait(self) -> Any:
        while _left:  # aula_stop stops all running calls, so a new call must wait for stopped ones to end
            if _left[-1].ended.wait(_WAIT):
                _left.pop()
        try:
            self.thread.start()
            while not self.ended.wait(_WAIT):
                self._look()
        except _Refused as refused:  # `progress` stops only this call
            self.given_up = True
            self.ended.wait()
            assert refused.__cause__ is not None
            raise refused.__cause__ from None
        except BaseException:  # Ctrl-C
            self.given_up = True
            self._stop()
            raise
        if self.error is not None:
            raise self.error
        try:
            self._look()  # reports the last fractions
        except _Refused as refused:
            assert refused.__cause__ is not None
            raise refused.__cause__ from None
        return self.result


def _main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def run(work: Callable[[Any], T], locks: Iterable[Any] = (), progress: Optional[Progress] = None) -> T:
    """Runs ``work(callback)`` with the locks of the rooms that it uses; the callback is for struct aula_options. The
    GIL is released while C functions run.

    In the main thread, Ctrl-C raises KeyboardInterrupt within 0.3 s and stops the work. ``progress`` is called with
    the completed fraction, 0..1, in the caller's thread; an exception that it raises stops the work and is raised
    here.
    """
    if not _main_thread():
        with Locked(locks):
            return _run_here(work, progress)
    result: T = _Run(work, locks, progress).wait()
    return result


def _run_here(work: Callable[[Any], T], progress: Optional[Progress]) -> T:
    raised: list[BaseException] = []

    def note(_context: Any, share: float) -> int:
        try:
            assert progress is not None
            progress(share)
        except BaseException as error:
            raised.append(error)
        return int(bool(raised))

    callback = ffi.callback("int(void *, double)", note, error=1) if progress is not None else ffi.NULL
    try:
        return work(callback)
    except AulaError:
        if raised:
            raise raised[0] from None
        raise


class _Memory:
    """The base of an array on memory of libaula, which keeps the owner of that memory alive."""

    __slots__ = ("owner", "__array_interface__")

    def __init__(self, pointer: Any, shape: tuple[int, ...], owner: Any) -> None:
        self.owner = owner
        address = int(ffi.cast("uintptr_t", pointer))
        self.__array_interface__ = {
            "shape": shape,
            "typestr": np.dtype(np.float64).str,
            "data": (address, True),
            "version": 3,
        }


def view(pointer: Any, shape: tuple[int, ...], owner: Any) -> np.ndarray:
    """A read-only array on memory of libaula, without a copy."""
    if 0 in shape:
        return np.zeros(shape)
    return np.asarray(_Memory(pointer, shape, owner))


def rows(samples: Any, what: str) -> np.ndarray:
    """The samples as contiguous doubles [channels, frames], copied only if necessary. One dimension is one channel."""
    try:
        array = np.ascontiguousarray(samples, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what} is not an array of numbers; aula.read(path).samples reads a sound file") from None
    if samples is None or array.size == 0:
        raise InputError(f"{what} is empty; pass one sample or more, [frames] or [channels, frames]")
    if array.ndim == 1:
        array = array[np.newaxis, :]
    if array.ndim != 2:
        raise InputError(f"{what} has {array.ndim} dimensions; expected [frames] or [channels, frames]")
    if array.shape[0] > array.shape[1]:
        raise InputError(f"{what} has the shape {array.shape}; expected [channels, frames]; transpose it")
    return array


def data_path(name: str) -> str:
    """The path of a file that ships with aula, such as "rooms/studio.cfg" or "sounds/voice.flac".

    Raises:
        InputError: no file has that name.
    """
    path = ffi.new("char[]", 4096)
    check(lib.aula_data_path, path, 4096, file_name(name))
    return os.fsdecode(ffi.string(path))
