# SPDX-License-Identifier: MIT
"""What all checks of the page share: the room, its folder, and how a dialog is waited for."""

import os
import random
import re
import sys
import tempfile

from browser import have

have("selenium")
from selenium.webdriver.common.keys import Keys  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
AULA = os.path.abspath(sys.argv[1])
SEED = int(os.environ.get("SEED", random.randrange(10**6)))
ROOM = """# A small room.
room: { size = [3.0, 2.5, 2.2]; walls: { default = "painted_plaster"; z_min = "parquet"; };
  objects: ( { shape = "box"; from = [0.0, 0.0, 0.0]; to = [0.5, 0.5, 0.5]; material = "wood"; } ); };
grid: { max_frequency = 300.0; };   # few points
hybrid: { rays = 1000; };
time: { duration = 0.2; };
sources: (
  { name = "talker"; position = [0.8, 1.20, 1.5]; }   # stays beside its place
);
receivers: ( { name = "seat"; position = [2.2, 1.3, 1.2]; },
  { name = "field"; type = "ambisonic"; position = [1.6, 1.0, 1.2]; } );
"""
PLACE = "[0.8, 1.20, 1.5]"
SOURCE = ".view[data-view=plan] .handle.source"
FINAL = "document.querySelector('#player .refinement .text').textContent.startsWith('Complete')"
BOX = (
    "".join(f"v {x} {y} {z}\n" for x in (0, 4) for y in (0, 3) for z in (0, 2.5))
    + """usemtl floor
f 1 3 7 5
usemtl walls
f 1 2 4 3
f 5 7 8 6
f 1 5 6 2
f 3 4 8 7
f 2 6 8 4
"""
)
BOX_ROOM = (
    'room: { geometry = { file = "box.obj"; unit = "m"; up = "z"; materials = ( { name = "*"; material = "wood"; } ); }; };\n'
    + ROOM[ROOM.index("grid") :]
)
BAD_MODEL = "v 0 0 0\nv 1 0 0\nv 0 one 0\nf 1 2 3\n"
TABS = ("inspect", "parameters", "decay", "echogram", "modes", "map", "take-away", "file")
SEEN = "dialog[open]"


def script(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


top = tempfile.TemporaryDirectory(prefix="aula-studio-page-", ignore_cleanup_errors=True)
folder = top.name
path = os.path.join(folder, "room.cfg")
temporary = {"TMPDIR": folder}


def restore():
    """The room as at first, without changes that a page left behind."""
    for name in os.listdir(folder):
        if name.endswith(".autosave"):
            os.remove(os.path.join(folder, name))
    with open(path, "w", encoding="utf-8") as file:
        file.write(ROOM)


def only_place(page):
    """The text of the source's place; all else must be as it was, byte by byte."""
    text, at = page.text(), ROOM.index(PLACE)
    end = text.index("]", at) + 1
    assert text[:at] == ROOM[:at] and text[end:] == ROOM[at + len(PLACE) :], text
    assert re.fullmatch(r"\[[-0-9.]+, [-0-9.]+, [-0-9.]+\]", text[at:end]), text[at:end]
    return text[at:end]


def choose(page, *names):
    """Opens files through the dialog of the button Open."""
    page.find("[title^='Open a room']").click()
    page.find(f"{SEEN} input[type=file]").send_keys("\n".join(os.path.join(folder, name) for name in names))


def wait_for(page, name):
    page.until(
        f"[...document.querySelectorAll('{SEEN}')].at(-1)?.querySelector('h2').textContent.startsWith(arguments[0])",
        f"the dialog {name}",
        name,
    )


def leave(page, rest=0):
    """Escape ends the dialog, above `rest` others."""
    page.keys(Keys.ESCAPE)
    page.until("document.querySelectorAll('dialog').length === arguments[0]", "the end of the dialog", rest)
