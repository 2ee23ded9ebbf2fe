# SPDX-License-Identifier: MIT
"""Refuses to load in a folder that the distribution `aula` shares, another program whose package has the same name.

Both packages have a file aula/__init__.py, of which the one installed last is there. If that is the other one, this
module is loaded by no other than submodules, such as ``import aula.pra``. Removing either distribution removes the file.
"""

from __future__ import annotations

import os

__all__ = ["refuse_other"]

_OURS = "aula-acoustics"


def _is_other(folder: str) -> bool:
    """Whether a distribution named aula has put files into the package, other than a former version of ours."""
    from importlib.metadata import distributions  # takes some milliseconds

    for found in distributions(name="aula", path=[folder]):
        files = [str(file).replace("\\", "/") for file in found.files or []]
        if "aula/_library.py" not in files:
            return True
    return False


def refuse_other(package: str) -> None:
    """`package`: the folder of this package.

    Raises:
        ImportError: the folder belongs to the other program, too.
    """
    folder = os.path.dirname(os.path.abspath(package))
    try:
        names = os.listdir(folder)
    except OSError:
        return
    if any(name.lower().startswith(("aula-", "aula.")) for name in names) and _is_other(folder):
        raise ImportError(
            f"another program named aula, a client of a Danish school platform, shares the package in {folder}; run "
            f"pip uninstall aula {_OURS}, then pip install {_OURS}, in an environment without it"
        )
