# SPDX-License-Identifier: MIT
"""A room that is heard while it is computed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._library import check, engine_options, ffi, lib, run, text
from .errors import AulaError, InputError
from .files import file_name

if TYPE_CHECKING:
    from .room import Room

__all__ = ["Preview", "PreviewStatus"]


@dataclass(frozen=True)
class PreviewStatus:
    """How far a preview is.

    Attributes:
        valid_frequency: Hz up to which the wave solver of the best response is valid; 0: there is none yet.
        band: Hz: end of its whole band; 0: no response yet.
        progress: 0..1, of the grid that is being computed.
        heard: a response is in use.
        refining: a finer one will come.
        failure: why no finer one comes; None: no failure.
    """

    valid_frequency: float
    band: float
    progress: float
    heard: bool
    refining: bool
    failure: Optional[str]


class Preview:
    """Passes sound through a room block by block, while the room is rendered on ever finer grids, as ``aula preview``
    does. It plays nothing: call it from the callback of an audio library, or write its blocks to a file::

        with aula.Preview(room, 48000, dry=dry) as preview:
            stream = sounddevice.OutputStream(48000, preview.block, channels=2, callback=lambda out, *_:
                out.__setitem__(slice(None), preview.process(next_block())))

    Args:
        room: it must have receivers; the first two are the ears, or those of an ambisonic or binaural one.
        rate: sampling rate of the sound in Hz, 8000 to 192000.
        block: frames of a block.
        source: number or name of the source.
        hrtf: SOFA file for an ambisonic receiver; None: two cardioids, or the HRTF of the receiver.
        dry: [frames] the sound that will be heard, by which the level is found; None: noise.
        engine, threads: as of :meth:`Room.render`.
    """

    def __init__(
        self,
        room: "Room",
        rate: float = 48000.0,
        *,
        block: int = 512,
        source: Union[int, str] = 0,
        hrtf: Optional[Union[str, "os.PathLike[str]"]] = None,
        dry: Any = None,
        engine: Optional[str] = None,
        threads: int = 0,
    ) -> None:
        options, what = engine_options(engine, threads), ffi.new("struct aula_preview_options *")
        what.source, what.rate, what.block = room._source_index(source), rate, block
        kept: list[Any] = []
        if hrtf is not None:
            kept.append(ffi.new("char[]", file_name(hrtf)))
            what.hrtf = kept[-1]
        if dry is not None:
            sound = np.ascontiguousarray(dry, dtype=np.float64)
            if sound.ndim != 1:
                raise InputError(f"dry has {sound.ndim} dimensions; expected [frames]")
            kept.append(ffi.from_buffer("double[]", sound))
            what.dry, what.dry_frames = kept[-1], len(sound)

        def work(_callback: Any) -> Any:
            place = ffi.new("struct aula_preview **")
            check(lib.aula_preview_open, place, room._handle, what, options(ffi.NULL))
            return place[0]

        self._lock = threading.Lock()
        self._handle: Any = run(work, [room._lock])
        self.rate = float(rate)
        self.block: int = lib.aula_preview_block(self._handle)

    def _open(self) -> Any:
        if self._handle is None:
            raise InputError("the preview is closed; make another one")
        return self._handle

    def process(self, samples: Any) -> np.ndarray:
        """A block of the dry sound [block] as both ears hear it: [block, 2], float32. Silent until the first response."""
        given = np.ascontiguousarray(samples, dtype=np.float32)
        if given.shape != (self.block,):
            raise InputError(f"samples has the shape {given.shape}; expected one block, ({self.block},)")
        heard = np.empty((self.block, 2), dtype=np.float32)
        with self._lock:
            handle = self._open()
            lib.aula_preview_run(handle, ffi.from_buffer("float[]", given), ffi.from_buffer("float[]", heard))
        return heard

    def play(self, dry: Any, callback: Callable[[np.ndarray], Any]) -> None:
        """Passes a sound [frames] through the room and each block [block, 2] to ``callback``, which may write it to a
        sound card, until the sound ends or ``callback`` returns True. Waits for the first response before it begins.

        Raises:
            AulaError: the room could not be rendered.
        """
        sound = np.asarray(dry, dtype=np.float32)
        if sound.ndim != 1 or not np.isfinite(sound).all():
            raise InputError(f"dry has the shape {sound.shape}; expected [frames] of finite samples")
        self.wait()
        for first in self._blocks(sound):
            if callback(self.process(first)):
                return

    def wait(self) -> None:
        """Returns when the first response is in use; until then :meth:`process` gives silence.

        Raises:
            AulaError: the room could not be rendered.
        """
        while not self.status.heard:
            if self.status.failure is not None:
                raise AulaError(self.status.failure)
            self.process(np.zeros(self.block))
            time.sleep(0.005)

    def _blocks(self, dry: np.ndarray) -> Iterator[np.ndarray]:
        for first in range(0, len(dry), self.block):
            part = dry[first : first + self.block]
            yield np.pad(part, (0, self.block - len(part)))

    def turn(self, yaw: float, pitch: float = 0.0, roll: float = 0.0) -> None:
        """Turns the head of an ambisonic or binaural receiver: degrees to the left, down, left ear up."""
        lib.aula_preview_turn(self._open(), yaw, pitch, roll)

    @property
    def status(self) -> PreviewStatus:
        """:class:`PreviewStatus`, at this moment."""
        found = ffi.new("struct aula_preview_status *")
        with self._lock:
            lib.aula_preview_status(self._open(), found)
            failure = text(found.failure)
        return PreviewStatus(
            found.valid_frequency, found.band, found.progress, bool(found.heard), bool(found.refining), failure
        )

    def close(self) -> None:
        """Ends the rendering. It also stops other running calls of the library in this process."""
        with self._lock:
            handle, self._handle = self._handle, None
        if handle is not None:
            lib.aula_preview_close(handle)

    def __enter__(self) -> "Preview":
        return self

    def __exit__(self, *_error: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()
