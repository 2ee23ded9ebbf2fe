# SPDX-License-Identifier: MIT
"""A listener or a source that moves through the receivers of responses."""

from __future__ import annotations

import glob
import os
import struct
import tempfile
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np

from ._library import check, ffi, lib, rows, run, text
from .ears import Sound
from .errors import InputError
from .files import file_name
from .response import Response, write

__all__ = ["auralize_path"]

_COLUMNS = ("time", "x", "y", "z", "yaw", "pitch", "roll")
_Name = Union[str, "os.PathLike[str]"]


def _response_files(responses: Any, folder: str) -> list[str]:
    """The files of the responses; those in memory are written into the folder first."""
    given = [responses] if isinstance(responses, (Response, str, os.PathLike)) else list(responses)
    files: list[str] = []
    for i, response in enumerate(given):
        if isinstance(response, Response):
            write(response, os.path.join(folder, f"{i}.wav"))
            files += sorted(glob.glob(os.path.join(glob.escape(folder), f"{i}[._]*wav")))
        elif isinstance(response, (str, os.PathLike)):
            files.append(os.fspath(response))
        else:
            raise InputError(
                f"responses[{i}] is a {type(response).__name__}; expected a Response or the name of its file"
            )
    return files


def _dry_file(dry: Any, rate: Optional[float], folder: str) -> str:
    """The file of a dry sound; samples are written into the folder as doubles."""
    if isinstance(dry, (str, os.PathLike)):
        if rate is not None:
            raise InputError("rate: a file states its own rate; leave it out")
        return os.fspath(dry)
    if rate is None:
        raise InputError("rate is missing; pass the sampling rate of dry in Hz")
    if not (0 < rate < 2**31 and rate == int(rate)):
        raise InputError(f"rate is {rate} Hz; expected a whole number of Hz")
    array = rows(dry, "dry")
    if not np.isfinite(array).all():
        raise InputError("dry has samples that are not finite; remove them")
    data, channels = np.ascontiguousarray(array.T, "<f8").tobytes(), array.shape[0]
    if len(data) > 2**31:
        raise InputError("dry is larger than 2 GiB; write it to a file and pass its name")
    form = struct.pack("<HHIIHH", 3, channels, int(rate), int(rate) * channels * 8, channels * 8, 64)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data))
    path = os.path.join(folder, "dry.wav")
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 4 + len(chunks) + len(data)) + b"WAVE" + chunks)
        file.write(data)
    return path


def _path_file(path: Any, folder: str) -> str:
    """The file of a path; rows are written into the folder."""
    if isinstance(path, (str, os.PathLike)):
        return os.fspath(path)
    table = np.asarray(path, dtype=np.float64)
    if table.ndim != 2 or not 4 <= table.shape[1] <= len(_COLUMNS):
        raise InputError(
            f"path has the shape {table.shape}; expected rows of time (s), x, y, z (m), and up to three of yaw, "
            "pitch and roll (degrees), or the name of a CSV file"
        )
    if not np.isfinite(table).all():
        raise InputError("path has numbers that are not finite; remove their rows")
    name = os.path.join(folder, "path.csv")
    with open(name, "w", encoding="utf-8") as file:
        file.write(",".join(_COLUMNS[: table.shape[1]]) + "\n")
        file.writelines(",".join(repr(float(value)) for value in row) + "\n" for row in table)
    return name


def auralize_path(
    responses: Union[Response, _Name, Sequence[Union[Response, _Name]]],
    dry: Any,
    path: Any,
    rate: Optional[float] = None,
    *,
    moves: str = "listener",
) -> Sound:
    """Moves through the receivers of responses along a path, as ``aula auralize --path`` does.

    Args:
        responses: of one source to several receivers, or to an array: files with the JSON beside each, or responses in
            memory, which are rounded as their files would be (output.format).
        dry: a sound file, or samples [frames] or [channels, frames] with their ``rate`` in Hz; channels are averaged.
        path: a CSV file with the columns time (s), x, y, z (m) and yaw, pitch, roll (degrees), or an array of such
            rows, of which the angles may be missing.
        moves: "listener", or "source" by reciprocity.
    Returns:
        The sound, one channel for pressures, those of an ambisonic field for ambisonic receivers.
    Raises:
        InputError: the responses are not of one source and one kind of receiver, or the path leaves them.
    """
    if moves not in ("listener", "source"):
        raise InputError(f"moves is {moves!r}; expected 'listener' or 'source'")
    with tempfile.TemporaryDirectory(prefix="aula-") as folder:
        files = [ffi.new("char[]", file_name(name)) for name in _response_files(responses, folder)]
        sound = ffi.new("char[]", file_name(_dry_file(dry, rate, folder)))
        walk = ffi.new("char[]", file_name(_path_file(path, folder)))
        names = ffi.new("char *[]", files)

        def work(_callback: Any) -> Any:
            place = ffi.new("struct aula_sound **")
            check(lib.aula_auralize_path, place, names, len(files), sound, walk, int(moves == "source"))
            return ffi.gc(place[0], lib.aula_sound_close)

        handle = run(work)
    count = lib.aula_sound_channels(handle)
    return Sound(handle, [text(lib.aula_sound_channel_name(handle, c)) or str(c) for c in range(count)])
