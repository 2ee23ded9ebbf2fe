# SPDX-License-Identifier: MIT
"""Many rooms from one: variations, by grids or random draws."""

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
    """One room of a batch: its number, what was set, and either its responses, one for each source, or the error."""

    index: int
    parameters: Mapping[str, Any]
    room: Optional[Room] = None
    responses: list[Response] = field(default_factory=list)
    error: Optional[Exception] = None

    @property
    def response(self) -> Response:
        """Of the first source. Raises the error of a room that failed."""
        if self.error is not None:
            raise self.error
        return self.responses[0]


def grid(values: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Every combination: ``grid({"grid.rate": [4000, 8000], "room.walls.z_min": ["parquet", "carpet"]})`` has four.
    The last key changes fastest."""
    return [dict(zip(values, chosen)) for chosen in itertools.product(*values.values())]


def draws(count: int, values: Mapping[str, Any], seed: int) -> Iterator[dict[str, Any]]:
    """Random draws, the same for the same seed and version of numpy.

    Args:
        values: for each key a tuple (low, high) of numbers or of points, drawn evenly between the two; a list to choose
            from; or a function of a numpy.random.Generator and of what was drawn before it.
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
    """What `progress` raises, which stops the work, is raised here, too."""
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
    """Renders a room with each of the variations, all of its sources. A room that fails is recorded and does not stop
    the others, whatever a function that makes it raises.

    Args:
        source: a room, what :class:`Room` takes, or a function of the parameters that gives either.
        variations: settings for each, as :func:`grid` or :func:`draws` make them.
        options: of :meth:`Room.render`.
    """
    for index, parameters in enumerate(variations):
        made = _variation(source, index, parameters, options)
        if made.error is not None and stop_at_errors:
            raise made.error
        yield made
