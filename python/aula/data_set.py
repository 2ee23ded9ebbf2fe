# SPDX-License-Identifier: MIT
"""Data sets: the rooms of a plan, as libaula renders, lists and merges them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Union

from ._library import c_text, check, engine_options, ffi, lib, run, text, texts
from .errors import InputError
from .files import file_name
from .summary import Summary, summarize
from .text import setting_text

__all__ = ["DataSet", "Rendered"]

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Rendered:
    """The state of a data set after a run or a merge.

    Attributes:
        rooms: number of rooms of the plan, or of the shard.
        done, failed: of these, finished and failed.
        before: finished before this run.
        seconds: s since the first room of this run began.
        missing: after a merge: rooms that no shard has finished, such as "5,17-19"; None: none.
        note: on former names of keys, or None.
    """

    rooms: int
    done: int
    failed: int
    before: int
    seconds: float
    missing: Optional[str]
    note: Optional[str]


class DataSet:
    """The rooms of a plan (docs/guide/batch.md), rendered into a folder as ``aula batch`` does.

    Args:
        plan: path of the plan, or the name of one that ships.
        folder: of the data set; None: only for :meth:`list`.
        settings: keys to change in all base rooms, such as ``{"grid.max_frequency": 500}``.
    """

    def __init__(self, plan: Path, folder: Optional[Path] = None, settings: Optional[Mapping[str, Any]] = None) -> None:
        self.plan = os.fspath(plan)
        self.folder = None if folder is None else os.fspath(folder)
        self.settings = dict(settings or {})

    def _what(
        self, shard: Optional[str], rooms: Union[str, Sequence[int], None], workers: int
    ) -> tuple[Any, List[Any]]:
        """struct aula_batch_options, and what it refers to."""
        what = ffi.new("struct aula_batch_options *")
        lines = [ffi.new("char[]", c_text(setting_text(k, value), k)) for k, value in self.settings.items()]
        kept: List[Any] = [lines, ffi.new("const char *[]", lines) if lines else ffi.NULL]
        if rooms is not None and not isinstance(rooms, str):
            rooms = ",".join(str(int(room)) for room in rooms)
        for name, value in (("shard", shard), ("rooms", rooms)):
            if value is not None:
                kept.append(ffi.new("char[]", c_text(value, name)))
                setattr(what, name, kept[-1])
        what.settings, what.setting_count, what.workers = kept[1], len(lines), workers
        return what, kept

    def _folder(self) -> bytes:
        if self.folder is None:
            raise InputError("the data set has no folder; pass one: DataSet(plan, folder)")
        return file_name(self.folder)

    @staticmethod
    def _rendered(handle: Any) -> Rendered:
        count = ffi.new("struct aula_batch_count *")
        lib.aula_batch_count(handle, count)
        missing, note = text(lib.aula_batch_missing(handle)), text(lib.aula_batch_note(handle))
        return Rendered(count.rooms, count.done, count.failed, count.before, count.seconds, missing, note)

    def _call(self, function: Any, *arguments: Any, progress: Any = None, options: Any = None) -> Any:
        def work(callback: Any) -> Any:
            place = ffi.new("struct aula_batch **")
            more = () if options is None else (options(callback),)
            check(function, place, file_name(self.plan), *arguments, *more, path=self.plan)
            return ffi.gc(place[0], lib.aula_batch_close)

        return run(work, (), progress)

    def list(
        self, *, shard: Optional[str] = None, rooms: Union[str, Sequence[int], None] = None
    ) -> List[Dict[str, Any]]:
        """Values, grid points, steps, bytes and estimated seconds of each room, without rendering any.

        Args:
            shard: "K/N", from 0: every N-th room.
            rooms: numbers from 0, or a text such as "17,40-99".
        """
        what, _kept = self._what(shard, rooms, 0)
        handle = self._call(lib.aula_batch_list, what)
        return [json.loads(line) for line in texts(lambda i: lib.aula_batch_line(handle, i))]

    def render(
        self,
        *,
        shard: Optional[str] = None,
        rooms: Union[str, Sequence[int], None] = None,
        workers: int = 0,
        progress: Optional[Callable[[float], Any]] = None,
        engine: Optional[str] = None,
        threads: int = 0,
    ) -> Rendered:
        """Renders the rooms that are not finished, in processes of their own. A room that fails does not stop the others;
        its line in the manifest has the reason. Run it again after a stop.

        Args:
            shard: "K/N", from 0: every N-th room. Shards may run at the same time, also on other machines that see the
                folder; :meth:`merge` then makes the manifests.
            rooms: numbers from 0, or a text such as "17,40-99".
            workers: rooms at a time; 0: eight per GPU, or one per processor.
            progress: called with the share of rooms that have ended; an exception stops the work.
            engine, threads: as of :meth:`Room.render`. A process that has used a GPU itself cannot share it.
        Raises:
            InputError: the plan or a base room is invalid, or the folder is that of another plan.
            KeyboardInterrupt: on Ctrl-C in the main thread, within 0.3 s; finished rooms are kept.
        """
        what, _kept = self._what(shard, rooms, workers)
        options = engine_options(engine, threads)
        return self._rendered(self._call(lib.aula_batch_run, self._folder(), what, progress=progress, options=options))

    def merge(self) -> Rendered:
        """Makes the manifests of what shards have rendered; ``missing`` names the rooms that none has finished."""
        what, _kept = self._what(None, None, 0)
        return self._rendered(self._call(lib.aula_batch_merge, self._folder(), what))

    def summary(self) -> Summary:
        """Mean, spread and the keys that explain it; see :func:`aula.summarize`."""
        self._folder()
        return summarize(self.plan, str(self.folder))

    def manifest(self) -> List[Dict[str, Any]]:
        """The rows of manifest.jsonl: a dict for each room, with settings, files, valid band and parameters."""
        self._folder()
        with open(os.path.join(str(self.folder), "manifest.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def __repr__(self) -> str:
        return f"<DataSet {self.plan} in {self.folder}>"
