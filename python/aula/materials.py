# SPDX-License-Identifier: MIT
"""The library of materials that ships with aula."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from ._library import c_text, check, ffi, lib, run, text, texts
from .errors import InputError
from .files import file_name, write_texts

__all__ = ["Material", "MaterialTable", "import_materials", "materials", "OCTAVES"]

#: Centres of the octave bands of materials, Hz.
OCTAVES: tuple[float, ...] = tuple(lib.aula_octave_centre(b) for b in range(lib.AULA_OCTAVES))


@dataclass(frozen=True)
class Material:
    """A material: random-incidence absorption and scattering coefficients by octave (:data:`OCTAVES`), 0..1, and their
    publication.

    It may be used as a value in the group "materials" of a room from a dict. Of a material made of layers, such a value
    keeps the absorption alone; its name as a wall's material keeps the layers.
    """

    name: str
    absorption: np.ndarray
    scattering: np.ndarray
    source: Optional[str] = None

    def to_room(self) -> dict[str, Any]:
        return {"absorption": self.absorption, "scattering": self.scattering, "source": self.source}


class UnknownMaterial(InputError, KeyError):
    """The library has no material of that name."""

    __str__ = Exception.__str__  # KeyError would show the repr of the message


class _Library(Mapping[str, Material]):
    """The library by name, read on first use."""

    def __init__(self) -> None:
        self._all: Optional[dict[str, Material]] = None

    def _read(self) -> dict[str, Material]:
        if self._all is None:
            self._all = run(lambda _callback: _read_library())
        return self._all

    def __getitem__(self, name: str) -> Material:
        known = self._read()
        if name not in known:
            meant = difflib.get_close_matches(str(name), known, 1)
            hint = f"; did you mean {meant[0]}?" if meant else "; aula info --materials lists them"
            raise UnknownMaterial(f"{name}: unknown material{hint}")
        return known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return f"<materials: {len(self)}, from {next(iter(self))} on>"

    def _repr_html_(self) -> str:
        from .html import materials_html

        return materials_html(self.values())


def _read_library() -> dict[str, Material]:
    place = ffi.new("struct aula_library **")
    check(lib.aula_library_open, place)
    return _materials_of(ffi.gc(place[0], lib.aula_library_close))


def _materials_of(library: Any) -> dict[str, Material]:
    found = {}
    for i in range(lib.aula_library_material_count(library)):
        absorption, scattering = ffi.new("double[]", len(OCTAVES)), ffi.new("double[]", len(OCTAVES))
        lib.aula_library_material_absorption(library, i, absorption, scattering)
        name = text(lib.aula_library_material_name(library, i)) or ""
        found[name] = Material(
            name,
            np.array(list(absorption)),
            np.array(list(scattering)),
            text(lib.aula_library_material_source(library, i)),
        )
    return found


class MaterialTable(Mapping[str, Material]):
    """Materials of a table, by their keys: ``{"materials": {**table}}`` in a room from a dict.

    Attributes:
        text: a part of a room file with all materials, as ``aula materials import`` writes it.
        notes: for example about values that no wall can have.
    """

    def __init__(self, found: dict[str, Material], text: str, notes: list[str]) -> None:
        self._all = found
        self.text = text
        self.notes = notes

    def __getitem__(self, name: str) -> Material:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes ``text`` to a file, which room files take by ``@include``. It is complete or absent."""
        write_texts({os.fspath(path): self.text})

    def __repr__(self) -> str:
        return f"<MaterialTable: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        from .html import materials_html

        return materials_html(self.values())


def import_materials(
    path: Union[str, "os.PathLike[str]"], source: str, *, format: Optional[str] = None
) -> MaterialTable:
    """Reads a table of absorption, as ``aula materials import`` does.

    Args:
        path: CSV (name, then fractions by octave), or a list of CATT or ODEON.
        source: the publication of the values: author, title, year, table.
        format: "csv", "catt" or "odeon"; None: by the content.
    Returns:
        :class:`MaterialTable`. Octaves that the table lacks repeat the nearest one.
    Raises:
        InputError: a line is not a material; the message names file and line.
    """
    name = file_name(path)
    kept = c_text(source, "source"), None if format is None else c_text(format, "format")

    def work(_callback: Any) -> MaterialTable:
        place = ffi.new("struct aula_library **")
        check(lib.aula_library_import, place, name, kept[1] or ffi.NULL, kept[0], path=os.fsdecode(name))
        library = ffi.gc(place[0], lib.aula_library_close)
        notes = texts(lambda i: lib.aula_library_note(library, i))
        return MaterialTable(_materials_of(library), text(lib.aula_library_text(library)) or "", notes)

    return run(work)


#: The library of materials by name: ``aula.materials["brick"].absorption``.
materials: Mapping[str, Material] = _Library()
