# SPDX-License-Identifier: MIT
"""Differences between responses in just noticeable differences (JND), as libaula computes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional, Union

import numpy as np

from ._library import lib, text
from .metrics import BANDS, METRICS, Metrics

__all__ = ["Comparison", "JND_SOURCES", "compare"]

_OCTAVES = lib.AULA_OCTAVES

#: Parameters that have a JND, with its source.
JND_SOURCES: dict[str, str] = {
    name: source for name, (number, _, _) in METRICS.items() if (source := text(lib.aula_jnd_source(number)))
}


class Comparison:
    """Differences of the second response from the first in JND.

    ``comparison["C80"]`` is an array [pairs, 8] by octave, 63 Hz to 8 kHz, and ``comparison.single("C80")`` an array
    [pairs] of the single number of ISO 3382-1. A value is NaN if a response lacks the parameter; :meth:`missing` returns
    the reason.

    Attributes:
        pairs: the channels of both responses that are compared.
        sti: [pairs] difference of the speech transmission index in JND.
    """

    def __init__(self, first: Metrics, second: Metrics, pairs: Sequence[tuple[int, int]]) -> None:
        self._first, self._second = first, second
        self.pairs = [(int(a), int(b)) for a, b in pairs]
        for a, b in self.pairs:
            if not (0 <= a < len(first.channels) and 0 <= b < len(second.channels)):
                raise IndexError(
                    f"pair ({a}, {b}): there are {len(first.channels)} and {len(second.channels)} channels"
                )
        self.sti: np.ndarray = np.array(
            [lib.aula_metrics_compare_sti(first._handle, a, second._handle, b) for a, b in self.pairs]
        )

    @staticmethod
    def _number(figure: str) -> int:
        if figure not in JND_SOURCES:
            raise KeyError(f"{figure!r} has no JND; expected one of {', '.join(JND_SOURCES)}")
        return METRICS[figure][0]

    def _steps(self, figure: str, bands: Sequence[int]) -> np.ndarray:
        number, first, second = self._number(figure), self._first._handle, self._second._handle
        return np.array(
            [[lib.aula_metrics_compare(first, a, second, b, band, number) for band in bands] for a, b in self.pairs]
        )

    def __getitem__(self, figure: str) -> np.ndarray:
        return self._steps(figure, range(_OCTAVES))

    def single(self, figure: str) -> np.ndarray:
        """[pairs] differences of the single number, such as the mean of 500 Hz and 1 kHz, in JND."""
        return self._steps(figure, [lib.AULA_SINGLE_NUMBER])[:, 0]

    def missing(self, figure: str, pair: int = 0, band: Optional[Union[str, float]] = None) -> str:
        """The reason why a difference is NaN; "" if it is not. Without a band, that of the single number."""
        index = lib.AULA_SINGLE_NUMBER if band is None else Metrics._band(band)
        if index == BANDS.index("broad"):
            raise KeyError("the broad band is not compared, because it ends with the valid band of each response")
        a, b = self.pairs[pair]
        first, second = self._first._handle, self._second._handle
        return str(text(lib.aula_metrics_compare_missing(first, a, second, b, index, self._number(figure))))

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {np.round(self.single(name), 1).tolist()}" for name in ("T30", "C80"))
        return f"<Comparison of {len(self.pairs)} channels, JND: {said}>"


def compare(first: Metrics, second: Metrics, pairs: Optional[Sequence[tuple[int, int]]] = None) -> Comparison:
    """Compares two responses in just noticeable differences; see ``aula compare``.

    Args:
        first, second: from :meth:`Response.metrics`, :func:`measure` or :func:`measure_file`. Rates may differ.
        pairs: channels that correspond. By default those with equal names, or all in their order.
    Raises:
        ValueError: channels have no common name, and their numbers differ.
    """
    if pairs is None:
        pairs = [(a, second.channels.index(name)) for a, name in enumerate(first.channels) if name in second.channels]
        if not pairs or all(name.isdigit() for name in first.channels + second.channels):
            pairs = [(c, c) for c in range(len(first.channels))]
            if len(first.channels) != len(second.channels):
                raise ValueError(f"{len(first.channels)} and {len(second.channels)} channels: pass pairs")
    return Comparison(first, second, pairs)
