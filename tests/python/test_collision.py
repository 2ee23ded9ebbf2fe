# SPDX-License-Identifier: MIT
"""The distribution aula of others, in the folder of our package."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import aula
from support import main

OTHER = "Metadata-Version: 2.1\nName: aula\nVersion: 0.8.2\n"


def load(folder, what="aula"):
    """The last line of what Python says when it imports the package of a folder, or "good"."""
    words = [sys.executable, "-c", f"import {what}; print(aula.Room and 'good')"]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": folder}, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip().split("\n")[-1]


class Collisions(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = self.place.name
        shutil.copytree(os.path.dirname(aula.__file__), os.path.join(self.folder, "aula"), symlinks=False)

    def tearDown(self):
        self.place.cleanup()

    def put(self, folder, metadata, files):
        """A distribution's description in a folder of its own."""
        at = os.path.join(self.folder, folder)
        os.mkdir(at)
        for name, content in (("METADATA", metadata), ("RECORD", "".join(f"{file},,\n" for file in files))):
            with open(os.path.join(at, name), "w") as file:
                file.write(content)

    def test_alone_the_package_loads(self):
        self.put("aula_acoustics-0.1.0.dist-info", OTHER.replace("aula", "aula-acoustics"), ["aula/__init__.py"])
        self.assertEqual(load(self.folder), "good")

    def test_beside_the_other_one_it_refuses_in_one_sentence(self):
        self.put("aula-0.8.2.dist-info", OTHER, ["aula/__init__.py", "aula/api_client.py"])
        said = load(self.folder)
        self.assertTrue(said.startswith("ImportError: another program named aula") and self.folder in said, said)
        self.assertIn("pip uninstall aula aula-acoustics, then pip install aula-acoustics", said)

    def test_it_refuses_where_the_other_one_was_installed_last(self):
        self.put("aula-0.8.2.dist-info", OTHER, ["aula/__init__.py"])
        with open(os.path.join(self.folder, "aula", "__init__.py"), "w") as file:
            file.write("")
        self.assertIn("another program named aula", load(self.folder, "aula.pra"))

    def test_a_distribution_without_a_list_of_files_is_the_other_one(self):
        self.put("aula-0.8.2.dist-info", OTHER, [])
        os.unlink(os.path.join(self.folder, "aula-0.8.2.dist-info", "RECORD"))
        self.assertIn("another program named aula", load(self.folder))

    def test_a_former_version_of_ours_is_not_the_other_one(self):
        self.put("aula-0.1.0.dist-info", OTHER, ["aula/__init__.py", "aula/_library.py"])
        self.assertEqual(load(self.folder), "good")

    def test_the_other_one_in_another_folder_does_not_matter(self):
        with tempfile.TemporaryDirectory() as other:
            shutil.copytree(os.path.join(self.folder, "aula"), os.path.join(other, "aula"))
            self.put("aula-0.8.2.dist-info", OTHER, ["aula/__init__.py"])
            self.assertEqual(load(other + os.pathsep + self.folder), "good")


if __name__ == "__main__":
    main()
