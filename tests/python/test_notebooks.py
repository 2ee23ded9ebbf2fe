# SPDX-License-Identifier: MIT
"""The notebooks run from top to bottom: by nbclient where it is installed, else by a few lines that do what a kernel
would."""

import ast
import contextlib
import importlib.util
import io
import json
import os
import tempfile
import unittest

from support import main

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "notebooks")
KERNEL = importlib.util.find_spec("nbclient") and importlib.util.find_spec("ipykernel")


def run_cell(source, names, shown):
    """Executes a cell and shows the value of its last line, as a notebook does."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))


def run_by_hand(notebook):
    names, shown = {"__name__": "__main__"}, []
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(io.StringIO()):
                try:
                    run_cell("".join(cell["source"]), names, shown)
                except Exception as error:
                    raise AssertionError(f"cell {number} failed: {error!r}") from error
    return shown


class Notebooks(unittest.TestCase):
    def run_notebook(self, name):
        path = os.path.join(FOLDER, name)
        with open(path, encoding="utf-8") as file:
            notebook = json.load(file)
        self.assertFalse(any(cell.get("outputs") for cell in notebook["cells"]), f"{name}: clear its outputs")
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            if KERNEL:
                import nbclient
                import nbformat

                nbclient.NotebookClient(
                    nbformat.read(path, 4), timeout=600, resources={"metadata": {"path": folder}}
                ).execute()
                return
            before = os.getcwd()
            os.chdir(folder)
            stack.callback(os.chdir, before)
            self.assertTrue(run_by_hand(notebook))

    def test_each_is_tested(self):
        tested = {
            name[5:] + ".ipynb" for name in dir(self) if name.startswith("test_") and name != "test_each_is_tested"
        }
        self.assertEqual(tested, {name for name in os.listdir(FOLDER) if name.endswith(".ipynb")})

    def test_first_room(self):
        self.run_notebook("first_room.ipynb")

    def test_material_study(self):
        self.run_notebook("material_study.ipynb")

    def test_measured_room(self):
        self.run_notebook("measured_room.ipynb")

    def test_subwoofers(self):
        self.run_notebook("subwoofers.ipynb")

    def test_plan_and_loader(self):
        self.run_notebook("plan_and_loader.ipynb")

    def test_data_set(self):
        self.run_notebook("data_set.ipynb")


if __name__ == "__main__":
    main()
