# SPDX-License-Identifier: MIT
"""Blocks of commands in pages: what tests/documents/commands runs and tools/site makes sounds with.

A block is a run of lines indented by four blanks, or fenced, outside lists, whose first line begins with a command. A
comment of HTML before it, which pages do not show, says how it is run:

    <!-- commands: long -->                  in the long tests alone, with all blocks after it, which may need it
    <!-- commands: left out: why -->         by nobody

and one after it what the site shows of it:

    <!-- sound: wet.wav | A voice in that room -->
    <!-- picture: delta-h.png | The height of the delta -->

A block needs the files of /usr/share that it names, and ffmpeg for WebM.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

COMMANDS = (
    "aula build/release/aula tools/ cat mkdir cp mpirun pip python3 cmake ctest debootstrap man sudo git curl cc"
).split()
ROOT = Path(__file__).resolve().parent.parent.parent
MARK = re.compile(r"^<!-- (commands|sound|picture): (.*?) -->$")


@dataclass
class Block:
    """line: of the page, counted from 1; last: the line after it."""

    page: Path
    line: int
    last: int
    text: str
    long: bool = False
    needs: list[str] = field(default_factory=list)
    left_out: str = ""
    shows: list[tuple[str, str, str]] = field(default_factory=list)  # sound or picture, file, title

    @property
    def place(self) -> str:
        return f"{self.page.resolve().relative_to(ROOT)}:{self.line}"


def is_command(line: str) -> bool:
    word = line.split(" ", 1)[0]
    return any(word == name or (name.endswith("/") and word.startswith(name)) for name in COMMANDS)


def marked(block: Block, text: str) -> None:
    if text == "long":
        block.long = True
    elif text.startswith("left out: "):
        block.left_out = text[10:]
    else:
        raise ValueError(f"{block.place}: unknown mark of commands: {text}; known are long and left out")


def code_of(lines: list[str]) -> list[tuple[int, int, list[str]]]:
    """First line and the line after the last one, from 0, and the lines of each piece of code."""
    found, at, before = [], 0, ""
    while at < len(lines):
        line = lines[at]
        if line.startswith("```"):
            end = next((k for k in range(at + 1, len(lines)) if lines[k].startswith("```")), len(lines))
            found.append((at, end + 1, lines[at + 1 : end]))
            at = end + 1
        elif line.startswith("    ") and line.strip() and not before.strip():
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            found.append((at, end, [code[4:] for code in lines[at:end]]))
            at = end
        else:
            at += 1
        before = lines[at - 1]
    return found


def blocks(page: Path) -> list[Block]:
    lines = page.read_text(encoding="utf-8").split("\n")
    found: list[Block] = []
    for start, end, code in code_of(lines):
        if not code or not is_command(code[0]):
            continue
        block = Block(page, start + 1, end + 1, "\n".join(code) + "\n")
        block.needs = re.findall(r"/usr/share/[\w./-]+", block.text) + (["ffmpeg"] if ".webm" in block.text else [])
        at = start - 1
        while at >= 0 and not lines[at].strip():
            at -= 1
        mark = MARK.match(lines[at]) if at >= 0 else None
        if mark and mark[1] == "commands":
            marked(block, mark[2])
        block.long = block.long or any(other.long for other in found)
        at = end
        while at < len(lines):
            mark = MARK.match(lines[at])
            if mark and mark[1] != "commands":
                name, _, title = mark[2].partition(" | ")
                block.shows.append((mark[1], name, title))
            elif lines[at].strip():
                break
            at += 1
        found.append(block)
    marks = [mark for mark in map(MARK.match, lines) if mark and mark[1] != "commands"]
    if len(marks) != sum(len(block.shows) for block in found):
        raise ValueError(f"{page}: a mark of a sound or picture does not follow the commands that make it")
    return found


def pages(root: Path) -> list[Path]:
    """The pages whose commands count, in reading order."""
    docs = root / "docs"
    return [
        root / "README.md",
        *sorted((docs / "guide/tutorials").glob("*.md")),
        *sorted(docs.glob("*.md")),
        *(page for folder in ("guide", "science", "design") for page in sorted((docs / folder).glob("*.md"))),
        root / "rooms/README.md",
        root / "impulses/README.md",
        root / "CONTRIBUTING.md",
    ]
