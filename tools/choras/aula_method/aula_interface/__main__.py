# SPDX-License-Identifier: MIT
"""What the container runs: the task in JSON_PATH, whose results then go to the back end."""

import os
import sys
from pathlib import Path

from choras_simulation_core.base import SimulationMethod

from .simulate import simulate


class AulaMethod(SimulationMethod):
    """aula: waves on a grid, image sources and rays above."""

    def run_simulation(self) -> None:
        simulate(Path(self.input_json_path))


def main() -> int:
    path = os.environ.get("JSON_PATH")
    if not path:
        print("aula_interface: set JSON_PATH to the file of the simulation", file=sys.stderr)
        return 2
    method = AulaMethod(path)
    method.run_simulation()
    return 0 if method.save_results() else 1


if __name__ == "__main__":
    sys.exit(main())
