# SPDX-License-Identifier: MIT
"""Reports: HTML pages about responses."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Optional, Union

from ._library import c_text, check, ffi, lib, run, text, texts
from .files import file_name, write_texts

__all__ = ["Report", "report"]

Path = Union[str, "os.PathLike[str]"]


class Report:
    """A page about responses, from :func:`report`.

    Attributes:
        html: the page, which loads nothing from the network.
        warnings: such as responses that are not calibrated.
    """

    def __init__(self, html: str, warnings: list[str]) -> None:
        self.html, self.warnings = html, warnings

    def write(self, path: Path) -> None:
        """Writes the page. It is complete, or the older file stays."""
        write_texts({os.fsdecode(file_name(path)): self.html})

    def __repr__(self) -> str:
        return f"<Report: {len(self.html) / 1e6:.2f} MB>"


def _array(names: Sequence[bytes], kept: list[Any]) -> Any:
    if not names:
        return ffi.NULL
    kept.extend(ffi.new("char[]", name) for name in names)
    kept.append(ffi.new("const char *[]", kept[-len(names) :]))
    return kept[-1]


def report(
    responses: Union[Path, Sequence[Path]],
    *,
    wets: Sequence[Path] = (),
    film: Optional[Path] = None,
    map: Optional[Path] = None,
    dry: Optional[Path] = None,
    match_level: bool = False,
    title: Optional[str] = None,
    client: Optional[str] = None,
    author: Optional[str] = None,
    logo: Optional[Path] = None,
    note: Optional[str] = None,
    locale: Optional[str] = None,
    targets: Sequence[str] = (),
    target_file: Optional[Path] = None,
    volume: float = 0.0,
) -> Report:
    """Makes the page of ``aula report``: plots, parameters, rooms and sounds of responses.

    Args:
        responses: sound files with the JSON beside them, such as those of :func:`aula.write`; at most 256.
        wets: sound files to listen to.
        film, map: files of :meth:`Room.film` and :meth:`Map.write`.
        dry: a sound file, by which at least two responses are compared by ear.
        match_level: make the rooms equally loud with it.
        title, client, author, logo, note: of the first page.
        locale: write numbers as in this language, such as "de".
        targets: names of targets to judge by on the first page.
        target_file: with further targets.
        volume: m3 of the room, for targets; 0: that of the render.
    Raises:
        InputError: a file is not valid, or a target needs the volume.
        AulaError: the library was built without pictures, or cairo is missing.
    """
    given = [responses] if isinstance(responses, (str, os.PathLike)) else list(responses)
    kept: list[Any] = []
    what = ffi.new("struct aula_report_options *")
    names = _array([file_name(path) for path in given], kept)
    what.wets, what.wet_count = _array([file_name(path) for path in wets], kept), len(wets)
    what.targets, what.target_count = _array([c_text(name, "targets") for name in targets], kept), len(targets)
    words = {"title": title, "client": client, "author": author, "note": note, "locale": locale}
    paths = {"film": film, "map": map, "dry": dry, "logo": logo, "target_file": target_file}
    for key, word in words.items():
        if word is not None:
            kept.append(ffi.new("char[]", c_text(word, key)))
            setattr(what, key, kept[-1])
    for key, path in paths.items():
        if path is not None:
            kept.append(ffi.new("char[]", file_name(path)))
            setattr(what, key, kept[-1])
    what.match_level, what.volume = match_level, volume

    def work(_callback: Any) -> Any:
        place = ffi.new("struct aula_report **")
        check(lib.aula_report_make, place, names, len(given), what)
        return ffi.gc(place[0], lib.aula_report_close)

    handle = run(work)
    return Report(str(text(lib.aula_report_text(handle))), texts(lambda i: lib.aula_report_warning(handle, i)))
