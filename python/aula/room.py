# SPDX-License-Identifier: MIT
"""Rooms: opens them, describes their grids and renders them."""

from __future__ import annotations

import difflib
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any, Callable, Optional, Union

import numpy as np

from ._library import c_text, check, data_path, engine_options, ffi, lib, run, text, texts
from .errors import InputError
from .files import file_name, write_texts
from .instruments import Take, play_score
from .pickling import RoomRecipe, open_room
from .pictures import Map, make_map, write_film
from .response import Response
from .shapes import Mesh, is_ours
from .text import room_text, setting_text

__all__ = ["Room", "Grid", "Place", "Wall", "TOGETHER"]


class _Together:
    def __repr__(self) -> str:
        return "aula.TOGETHER"

    def __reduce__(self) -> str:
        return "TOGETHER"


#: Suffixes that a room file must not have.
_OF_OTHERS = (".json", ".wav", ".flac", ".sofa", ".obj", ".svg")

_ALL_SOURCES = 2 ** (8 * ffi.sizeof("size_t")) - 1

#: As `source` of :meth:`Room.render`: all sources together, in one response.
TOGETHER = _Together()


@dataclass(frozen=True)
class Grid:
    """The grid of a room.

    Attributes:
        points: number along x, y and z.
        spacing: m.
        rate: grid rate in Hz.
        size: m, rounded to whole cells.
        sound_speed: m/s.
        valid_frequency: Hz up to which the wave solver is valid.
    """

    points: tuple[int, int, int]
    spacing: float
    rate: float
    size: tuple[float, float, float]
    sound_speed: float
    valid_frequency: float


@dataclass(frozen=True)
class Place:
    """A source or receiver.

    Attributes:
        position: requested position in m.
        placed: weighted centre of the grid points that represent it, in m.
        channels: number of channels of a receiver in a response; 0 for a source.
    """

    name: str
    position: tuple[float, float, float]
    placed: tuple[float, float, float]
    channels: int = 0


@dataclass(frozen=True)
class Wall:
    """A material of a room and the wall fitted to it.

    Attributes:
        kind: "rigid", "fixed" (p = 0) or "absorption".
        area: m2 exposed to the air.
        asked, fitted: random-incidence absorption coefficients by octave, 63 Hz to 8 kHz: requested, and of the wall on
            the grid. NaN if none was requested.
        scattering: scattering coefficients by octave.
        admittance: real part of the admittance, relative to the characteristic admittance of air.
        branches: (D s, E, F 1/s) of each RLC branch in parallel (docs/science/walls.md).
        source: publication of the data, or None.
    """

    name: str
    kind: str
    area: float
    asked: np.ndarray
    fitted: np.ndarray
    scattering: np.ndarray
    admittance: float
    branches: list[tuple[float, float, float]]
    source: Optional[str]


_KINDS = {
    lib.AULA_MATERIAL_RIGID: "rigid",
    lib.AULA_MATERIAL_FIXED: "fixed",
    lib.AULA_MATERIAL_ABSORPTION: "absorption",
}


def _octaves(fill: Callable[[Any], int]) -> np.ndarray:
    values = ffi.new("double[]", lib.AULA_OCTAVES)
    fill(values)
    return np.array(list(values))


def _resolve(path: str) -> str:
    """The path of a file, or of a room that ships with aula by its name, such as "studio"."""
    if os.path.exists(path) or os.sep in path or "." in path:
        return path
    folder = os.path.dirname(data_path("rooms/materials.cfg"))
    names = sorted(file[:-4] for file in os.listdir(folder) if file.endswith(".cfg"))
    if path not in names:
        meant = difflib.get_close_matches(path, names, 1)
        hint = f"; did you mean {meant[0]}?" if meant else f"; the rooms are {', '.join(names)}"
        raise InputError(f"{path}: is neither a file nor a room that ships with aula{hint}")
    return os.path.join(folder, path + ".cfg")


class Room:
    """A room on its grid, ready to render.

    Args:
        source: a dict with the keys of a room file (``aula info --keys``), which may contain numpy arrays, paths,
            shapes such as :class:`aula.Box` and, as room.geometry, a :class:`aula.Mesh`; or the path of a room file or
            of the JSON beside a rendered file; or the name of a room that ships with aula, such as "studio".
        settings: keys to change: ``{"grid.max_frequency": 500, "sources[0].position": [1, 2, 1.5]}``.
        name: name of a room from a dict in messages, such as ``room:4: grid.rat: ..``, whose lines refer to
            :attr:`text`. Files that the dict names are relative to the folder of ``name``.
    Raises:
        InputError: the room is invalid; ``file``, ``line`` and ``key`` locate the mistake.
        KeyboardInterrupt: on Ctrl-C, within 0.3 s.
    Attributes:
        text: text of the room file if the room came from a dict or a text; else None.
        grid: :class:`Grid`.
        volume: m3 of the air that the sources reach.
        sources, receivers: lists of :class:`Place`.
        walls: list of :class:`Wall`, one for each material in use.
        channels: names of the channels of a response.
        remarks: remarks about the room as it is simulated, one line each.
    """

    def __init__(
        self,
        source: Union[Mapping[str, Any], str, "os.PathLike[str]"],
        settings: Optional[Mapping[str, Any]] = None,
        *,
        name: str = "room",
    ) -> None:
        self.settings: dict[str, Any] = dict(settings or {})
        self.meshes: list[Mesh] = []
        self._source: Union[Mapping[str, Any], str, "os.PathLike[str]", None] = source
        self.name = name
        self.text: Optional[str] = None
        if isinstance(source, Mapping):
            geometry = source["room"].get("geometry") if isinstance(source.get("room"), Mapping) else None
            self.meshes = [geometry] if isinstance(geometry, Mesh) else []
            self.text = room_text(source)
            self._open(lib.aula_room_open_text, file_name(name), c_text(self.text, "the text of the room"))
        elif isinstance(source, (str, os.PathLike)):
            self.name = _resolve(os.fspath(source))
            self._open(lib.aula_room_open, file_name(self.name))
        else:
            raise InputError(f"source is a {type(source).__name__}; expected a dict, a path or the name of a room")

    @classmethod
    def from_text(cls, room_file: str, settings: Optional[Mapping[str, Any]] = None, *, name: str = "room") -> "Room":
        """Opens a room from the text of a room file, or of the JSON beside a rendered file."""
        room = cls.__new__(cls)
        room.settings, room.meshes, room.name, room.text = dict(settings or {}), [], name, room_file
        room._source = None
        room._open(lib.aula_room_open_text, file_name(name), c_text(room_file, "the text of the room"))
        return room

    @classmethod
    def _of_handle(cls, handle: Any, name: str) -> "Room":
        """A room that the library has made, which has no text."""
        room = cls.__new__(cls)
        room.settings, room.meshes, room.name, room.text = {}, [], name, None
        room._source, room._lock, room._handle, room._made_by = None, threading.Lock(), handle, None
        room._look()
        return room

    @classmethod
    def _of_recipe(cls, recipe: RoomRecipe) -> "Room":
        name = os.path.join(recipe.folder, os.path.basename(recipe.name))
        if recipe.source is not None:
            room = cls(recipe.source, recipe.settings, name=name)
        else:
            room = cls.from_text(str(recipe.text), recipe.settings, name=name)
        room.name = recipe.name
        return room

    def _json(self) -> str:
        with self._lock:
            said = text(lib.aula_room_json(self._handle))
        if said is None:
            raise MemoryError("out of memory")
        return said

    def _recipe(self) -> RoomRecipe:
        if self._made_by is None:
            RoomRecipe(self).belongs_to(self)
        assert self._made_by is not None
        return self._made_by

    def __reduce__(self) -> Any:
        return open_room, (self._recipe(),)

    def _open(self, function: Any, *arguments: Any) -> None:
        self._made_by: Optional[RoomRecipe] = None
        self._lock = threading.Lock()
        lines = [ffi.new("char[]", c_text(setting_text(k, value), k)) for k, value in self.settings.items()]
        array = ffi.new("const char *[]", lines) if lines else ffi.NULL

        def work(_callback: Any) -> Any:
            place = ffi.new("struct aula_room **")
            check(function, place, *arguments, array, len(lines), path=self.name)
            return ffi.gc(place[0], lib.aula_room_close)

        self._handle = run(work)
        self._look()

    def _look(self) -> None:
        handle, grid = self._handle, ffi.new("struct aula_grid *")
        lib.aula_room_grid(handle, grid)
        self.grid = Grid(
            (grid.points[0], grid.points[1], grid.points[2]),
            grid.spacing,
            grid.rate,
            (grid.size[0], grid.size[1], grid.size[2]),
            grid.sound_speed,
            grid.valid_frequency,
        )
        self.volume: float = lib.aula_room_volume(handle)
        self.sources = [
            self._place(i, lib.aula_room_source_name, lib.aula_room_source_position, 0)
            for i in range(lib.aula_room_source_count(handle))
        ]
        self.receivers = [
            self._place(
                i,
                lib.aula_room_receiver_name,
                lib.aula_room_receiver_position,
                lib.aula_room_receiver_channels(handle, i),
            )
            for i in range(lib.aula_room_receiver_count(handle))
        ]
        self.remarks = texts(lambda i: lib.aula_room_remark(handle, i))
        self.walls = [self._wall(i) for i in range(lib.aula_room_material_count(handle))]
        self.channels = [
            r.name if r.channels == 1 else f"{r.name} {c}" for r in self.receivers for c in range(r.channels)
        ]

    def _place(self, index: int, name: Any, position: Any, channels: int) -> Place:
        asked, placed = ffi.new("double[3]"), ffi.new("double[3]")
        position(self._handle, index, asked, placed)
        return Place(
            text(name(self._handle, index)) or "",
            (asked[0], asked[1], asked[2]),
            (placed[0], placed[1], placed[2]),
            channels,
        )

    def _wall(self, i: int) -> Wall:
        handle, branches, branch = self._handle, [], ffi.new("double[3]")
        for k in range(lib.aula_room_material_branch_count(handle, i)):
            lib.aula_room_material_branch(handle, i, k, branch)
            branches.append((branch[0], branch[1], branch[2]))
        return Wall(
            text(lib.aula_room_material_name(handle, i)) or "",
            _KINDS[lib.aula_room_material_kind(handle, i)],
            lib.aula_room_material_area(handle, i),
            _octaves(lambda a: lib.aula_room_material_absorption(handle, i, a, ffi.NULL)),
            _octaves(lambda a: lib.aula_room_material_absorption(handle, i, ffi.NULL, a)),
            _octaves(lambda a: lib.aula_room_material_scattering(handle, i, a)),
            lib.aula_room_material_admittance(handle, i),
            branches,
            text(lib.aula_room_material_source(handle, i)),
        )

    @property
    def description(self) -> dict[str, Any]:
        """The complete description of the room: the keys of a room file with all defaults and the definitions of its
        materials. :class:`Room` opens it as the same room."""
        found: dict[str, Any] = json.loads(self._json())
        return found

    def with_settings(self, settings: Optional[Mapping[str, Any]] = None, /, **keys: Any) -> "Room":
        """The same room with other values of some keys, on a new grid: ``room.with_settings({"grid.rate": 8000})``."""
        merged = {**self.settings, **(settings or {}), **keys}
        if self._source is None:
            if self.text is None:
                raise InputError(f"{self.name}: is a calibrated room; write it and open the file, or use `description`")
            return Room.from_text(self.text, merged, name=self.name)
        return Room(self._source, merged, name=self.name)

    def _field(self, receiver: Optional[str]) -> tuple[int, int]:
        """First channel and number of channels of an ambisonic receiver; of the only one with several for None."""
        orders = [isqrt(r.channels) for r in self.receivers]
        fields = [r.name for r, n in zip(self.receivers, orders) if n > 1 and n * n == r.channels]
        if not fields:
            raise InputError('the room has no ambisonic receiver; render one with type = "ambisonic", order 1 to 7')
        if receiver is None and len(fields) > 1:
            raise InputError(f"receiver is missing; name one of {', '.join(fields)}")
        if receiver is not None and receiver not in fields:
            raise InputError(f"receiver {receiver!r}: is not ambisonic, or not in the room; use {' or '.join(fields)}")
        chosen = [r.name for r in self.receivers].index(receiver or fields[0])
        return sum(r.channels for r in self.receivers[:chosen]), self.receivers[chosen].channels

    def _source_index(self, source: Union[int, str]) -> int:
        if isinstance(source, str):
            names = [s.name for s in self.sources]
            if source not in names:
                raise InputError(f"source {source!r}: the room has only {', '.join(names)}")
            return names.index(source)
        if not -len(self.sources) <= source < len(self.sources):
            raise InputError(f"source {source}: the room has only {len(self.sources)} sources, counted from 0")
        return source % len(self.sources)

    def render(
        self,
        source: Union[int, str, _Together] = 0,
        *,
        progress: Optional[Callable[[float], Any]] = None,
        engine: Optional[str] = None,
        threads: int = 0,
    ) -> Response:
        """Renders the response of every receiver to one source; with hybrid.full, a hybrid response.

        Args:
            source: number or name of the source; :data:`TOGETHER` for all sources together.
            progress: called a few times a second with the completed fraction, 0..1; an exception that it raises stops
                the work and is raised here.
            engine: "cpu" or "cuda"; None: automatic.
            threads: threads of the cpu engine; 0: the default of OpenMP.
        Raises:
            AulaError: the render failed, for example for lack of memory or of the engine.
            KeyboardInterrupt: on Ctrl-C in the main thread, within 0.3 s; the work stops.

        The GIL is released. Different threads may render different rooms; a room is used by one thread at a time.
        """
        options = engine_options(engine, threads)
        index = _ALL_SOURCES if isinstance(source, _Together) else self._source_index(source)
        name = None if isinstance(source, _Together) else self.sources[index].name
        handle = self._handle

        def work(callback: Any) -> Any:
            place = ffi.new("struct aula_response **")
            check(lib.aula_render, place, handle, index, options(callback))
            return ffi.gc(place[0], lib.aula_response_close)

        made = run(work, [self._lock], progress)
        return Response(made, self, name)

    def render_all(self, **options: Any) -> list[Response]:
        """Renders the response to each source in turn, with the options of :meth:`render`."""
        return [self.render(i, **options) for i in range(len(self.sources))]

    def synth(
        self,
        *,
        dry: bool = False,
        progress: Optional[Callable[[float], Any]] = None,
        engine: Optional[str] = None,
        threads: int = 0,
    ) -> Take:
        """Plays the instruments and the score of the room in its air, as ``aula synth`` does.

        Args:
            dry: play only the instruments, through their pickups, without room and air.
            progress, engine, threads: as of :meth:`render`.
        Raises:
            InputError: the room has no instruments, or no receivers and pickups.
        """
        return play_score(self, dry, progress, engine, threads)

    def map(
        self,
        plane: Optional[str] = None,
        source: Union[int, str] = 0,
        *,
        spacing: float = 0.0,
        parameters: Optional[str] = None,
        band: float = 0.0,
        progress: Optional[Callable[[float], Any]] = None,
        engine: Optional[str] = None,
        threads: int = 0,
    ) -> Map:
        """Acoustic parameters at receivers on a lattice in a plane, computed in one run, as ``aula map`` does.

        Args:
            plane: an axis and a position in m, such as "z=1.2"; None: 1.2 m above the floor.
            source: number or name of the source.
            spacing: m, between receivers; 0: a round value for 90 to 560 receivers.
            parameters: of the picture, such as "t30,c80,g"; None: those of t30, c80, g and sti that can be computed.
            band: octave of the picture in Hz; 0: 1000, or the highest valid one.
            progress, engine, threads: as of :meth:`render`.
        """
        return make_map(self, self._source_index(source), plane, spacing, parameters, band, progress, engine, threads)

    def film(
        self,
        path: Union[str, "os.PathLike[str]"],
        plane: Optional[str] = None,
        source: Union[int, str, _Together] = 0,
        *,
        walls: bool = False,
        levels: bool = False,
        seconds: float = 0.0,
        speed: float = 0.0,
        rate: float = 0.0,
        top: float = 0.0,
        dynamic_range: float = 0.0,
        pulse: float = 0.0,
        frames: int = 0,
        size: tuple[int, int] = (0, 0),
        progress: Optional[Callable[[float], Any]] = None,
        engine: Optional[str] = None,
        threads: int = 0,
    ) -> None:
        """Writes a film of the sound field, as ``aula film`` does. A number of 0 is automatic.

        Args:
            path: NAME.webm or NAME.gif, which need the program ffmpeg, or NAME.png for pictures NAME_0000.png and so on.
            plane: such as "z=1.2"; None: horizontal, through the source.
            source: number or name of the source, or :data:`TOGETHER`.
            walls: show the pressure on all walls instead.
            levels: show levels in dB re 20 uPa in place of pressure.
            seconds: s of sound; 0: twice the time across the room.
            speed: s of sound in a second of film.
            rate: frames a second; 0: 25, GIF 12.5.
            top: Pa or dB of the strongest colour.
            dynamic_range: dB, of levels; 0: 50.
            pulse: Hz: upper edge of the pulse that replaces an impulse; 0: that of the valid band.
            frames: writes one PNG with so many pictures, at most 16, instead of a film.
            size: columns and rows in pixels, even.
            progress, engine, threads: as of :meth:`render`.
        """
        index = _ALL_SOURCES if isinstance(source, _Together) else self._source_index(source)
        numbers = {"walls": walls, "levels": levels, "seconds": seconds, "speed": speed, "rate": rate, "top": top}
        numbers.update(dynamic_range=dynamic_range, pulse=pulse, frames=frames, columns=size[0], rows=size[1])
        write_film(self, path, index, plane, numbers, progress, engine, threads)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a room from a dict as a room file, and its mesh beside it, for the program aula. Settings are not
        included. Both files are complete, or the older ones stay.

        Raises:
            InputError: the room came from a file, the path has the suffix of another format, or the mesh would replace
                an OBJ file that aula did not write.
            OSError: a file cannot be written.
        """
        target = os.fsdecode(file_name(path))
        stem, suffix = os.path.splitext(target)
        if self.text is None:
            raise InputError(f"{self.name}: the room came from this file; copy it, or save its `description`")
        if suffix.lower() in _OF_OTHERS:
            raise InputError(f"{target}: is not the name of a room file; use one that ends in .cfg", about=target)
        files, said = {}, self.text
        if self.meshes and isinstance(self._source, Mapping):
            beside = stem + ".obj"
            geometry = {**self.meshes[0].group(beside), "file": os.path.basename(beside)}
            if not is_ours(beside):
                raise InputError(f"{beside}: already exists and was not written by aula; remove it", about=beside)
            files[beside] = self.meshes[0].text()
            said = room_text({**self._source, "room": {**self._source["room"], "geometry": geometry}})
        write_texts({**files, target: said})

    def plot(self, axes: Any = None) -> Any:
        """Plots plan and section; see :func:`aula.plot.room`."""
        from .plot import room

        return room(self, axes)

    def __repr__(self) -> str:
        size = " x ".join(f"{s:.4g}" for s in self.grid.size)
        return (
            f"<Room {self.name}: {size} m, {self.volume:.4g} m3, {len(self.sources)} source"
            f"{'s' if len(self.sources) != 1 else ''}, {len(self.receivers)} receiver"
            f"{'s' if len(self.receivers) != 1 else ''}, waves valid up to {self.grid.valid_frequency:.0f} Hz>"
        )

    def _repr_html_(self) -> str:
        from .html import room_html

        return room_html(self)
