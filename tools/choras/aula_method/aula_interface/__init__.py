# SPDX-License-Identifier: MIT
"""aula as a simulation method of CHORAS."""

from .simulate import simulate

__all__ = ["simulate"]
