# SPDX-License-Identifier: MIT
"""Batches: renders many variations of a room, on a grid of values or drawn at random."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Union

import numpy as np

from .errors import AulaError
from .response import Response
from .room import Room

__all__ = ["Variation", "batch", "grid", "draws"]


@dataclass(frozen=True)
class Variation:
    """One room of a batch: its number, its settings, and either its responses, one per source, or the error."""

    index: int
    parameters: Mapping[str, Any]
    room: Optional[Room] = None
    responses: list[Response] = field(default_factory=list)
    error: Optional[Exception] = None

    @property
    def response(self) -> Response:
        """The response to the first source. Raises the error if the room failed."""
        if self.error is not None:
            raise self.error
        return self.responses[0]


def grid(values: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """All combinations of values: ``grid({"grid.rate": [4000, 8000], "room.walls.z_min": ["parquet", "carpet"]})`` has
    four. The last key varies fastest."""
    return [dict(zip(values, chosen)) for chosen in itertools.product(*values.values())]


def draws(count: int, values: Mapping[str, Any], seed: int) -> Iterator[dict[str, Any]]:
    """Random draws, reproducible for the same seed and version of numpy.

    Args:
        values: for each key a tuple (low, high) of numbers or points, drawn uniformly in between; a list to choose
            from; or a function of a numpy.random.Generator and the dict of values drawn so far.
    """
    random = np.random.default_rng(seed)
    for _ in range(count):
        drawn: dict[str, Any] = {}
        for key, value in values.items():
            if callable(value):
                drawn[key] = value(random, drawn)
            elif isinstance(value, tuple) and len(value) == 2:
                drawn[key] = random.uniform(np.asarray(value[0], float), np.asarray(value[1], float))
            elif isinstance(value, Sequence) and not isinstance(value, str):
                drawn[key] = value[int(random.integers(len(value)))]
            else:
                drawn[key] = value
        yield drawn


Builder = Callable[[Mapping[str, Any]], Union[Room, Mapping[str, Any]]]


def _room(source: Any, parameters: Mapping[str, Any]) -> Room:
    if callable(source):
        made = source(parameters)
        return made if isinstance(made, Room) else Room(made)
    if isinstance(source, Room):
        return source.with_settings(parameters)
    return Room(source, parameters)


def _variation(source: Any, index: int, parameters: Mapping[str, Any], options: Mapping[str, Any]) -> Variation:
    """Renders one room. Exceptions of `progress`, which stop the work, propagate."""
    try:
        room = _room(source, parameters)
    except Exception as error:  # a function of the caller may raise anything
        return Variation(index, parameters, error=error)
    try:
        return Variation(index, parameters, room, room.render_all(**options))
    except AulaError as error:
        return Variation(index, parameters, error=error)


def batch(
    source: Union[Room, Mapping[str, Any], str, Builder],
    variations: Iterable[Mapping[str, Any]],
    *,
    stop_at_errors: bool = False,
    **options: Any,
) -> Iterator[Variation]:
    """Renders all sources of a room with each of the variations. A room that fails, also in a function that builds it,
    is recorded and does not stop the others.

    Args:
        source: a room, an argument of :class:`Room`, or a function that returns either for given parameters.
        variations: the settings of each room, such as those of :func:`grid` or :func:`draws`.
        stop_at_errors: raise the first error.
        options: options of :meth:`Room.render`.
    """
    for index, parameters in enumerate(variations):
        made = _variation(source, index, parameters, options)
        if made.error is not None and stop_at_errors:
            raise made.error
        yield made
