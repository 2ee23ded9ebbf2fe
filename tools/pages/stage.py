# SPDX-License-Identifier: MIT
"""Pages of the repository as MkDocs takes them: a copy of each, in the same folders, with what only the site shows."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
PIECES = re.compile(r"(!?\[[^\]]*\]\([^)\s]+\))")  # text and links in turn
ITEM = re.compile(r"^( {0,3})([-*]|\d+\.) +\S")
TABLE = re.compile(r"^<!-- table: (\S+)((?: \w+)*) -->$")
SHOWN_AS_THEY_ARE = {".png", ".svg", ".jpg", ".gif", ".webm", ".txt", ".html"}
INSTEAD = {"docs/aula.1": "reference/manual.md", "src/app/api/aula.h": "reference/c.md"}


def anchor(heading: str, separator: str = "-") -> str:
    """The anchor of a heading, as tests/documents/pages and repositories on the web make it."""
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", separator)


def indented(lines: list[str]) -> list[str]:
    """What belongs to an item of a list indented by four, and a blank line before a list, as python-markdown asks."""
    out: list[str] = []
    text = 0  # how far the text of the item at hand is indented; 0: no list
    fenced = False
    for line in lines:
        before = out[-1].strip() if out else ""
        if line.startswith("```"):
            fenced = not fenced
        item = None if fenced else ITEM.match(line)
        if item and before and not text and item[2] not in ("-", "*", "1."):
            item = None  # a number that begins a line of a paragraph
        if item and not item[1]:
            if before and not text:
                out.append("")
            text = len(item[2]) + 1
        elif text and line.startswith(" " * text):
            line = "    " + line[text:]
        elif text and line.strip() and not before:
            text = 0
        out.append(line)
    return out


def measured(root: Path, page: str, place: str, words: list[str]) -> list[str]:
    """The block that a mark names as results/PAGE.md#TOPIC, below docs/: all lines, or those of the named checks."""
    path, _, topic = place.partition("#")
    text = (root / "docs" / path).read_text(encoding="utf-8")
    found = re.search(rf"<!-- {re.escape(topic)}: begin -->\n(.*?)<!-- {re.escape(topic)}: end -->", text, re.S)
    if not found:
        raise ValueError(f"{page}: <!-- table: {place} -->: {path} has no topic {topic}")
    lines = found[1].rstrip("\n").split("\n")
    return [
        line for line in lines if not words or line.split(" ")[0] in (*words, "check", "```", "") or line[:1] == "`"
    ]


def key_links(text: str, keys: set[str], up: str) -> str:
    """`grid.rate` in a text without links becomes a link to its entry."""

    def linked(found: re.Match[str]) -> str:
        key = re.split(r" = |=", found[1], maxsplit=1)[0]
        return f"[`{found[1]}`]({up}reference/keys.md#{anchor_of_key(key)})" if key in keys else found[0]

    return re.sub(r"(?<!`)`([^`\n]+)`(?!`)", linked, text)


def anchor_of_key(key: str) -> str:
    return key.replace("[]", "").replace(".", "-")


class Stage:
    """root: of the repository. folder: where the pages go. shown: of each page, by line, HTML that follows the block
    that ends there (sounds.py). keys: of a room file. titles: of pages, which stand in the place of their paths."""

    def __init__(
        self, root: Path, folder: Path, shown: dict[str, dict[int, str]], keys: set[str], titles: dict[str, str]
    ) -> None:
        self.root, self.folder, self.shown, self.keys, self.titles = root, folder, shown, keys, titles

    def target(self, page: str, link: str) -> str:
        """Where a link of a page leads in the site; files that are no pages are copied beside them."""
        if "://" in link or link.startswith(("#", "mailto:")):
            return link
        path, hash_, heading = link.partition("#")
        real = os.path.normpath(os.path.join(os.path.dirname(page), path))
        source = self.root / real
        up = os.path.dirname(page) or "."
        if real in INSTEAD:
            return os.path.relpath(INSTEAD[real], up)
        if source.is_dir():
            real = os.path.join(real, "README.md")
            source = self.root / real
            if not source.is_file():
                return ""
        if not source.is_file():
            raise ValueError(f"{page}: {link}: no such file")
        if real.endswith(".md"):
            if not (
                real.startswith("docs/") or real in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "rooms/README.md")
            ):
                self.page(real)
            return os.path.relpath(real, up) + hash_ + heading
        if source.suffix not in SHOWN_AS_THEY_ARE:
            real += ".txt"  # that browsers show it
        if not (self.folder / real).exists():
            (self.folder / real).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, self.folder / real)
        return os.path.relpath(real, up)

    def page(self, page: str) -> None:
        if (self.folder / page).exists():
            return
        (self.folder / page).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / page).touch()
        lines = (self.root / page).read_text(encoding="utf-8").split("\n")
        (self.folder / page).write_text("\n".join(indented(list(self.lines(page, lines)))), encoding="utf-8")

    def linked(self, page: str, up: str, piece: str, line: str) -> str:
        link = LINK.fullmatch(piece)
        if link:
            target = self.target(page, link[2])
            text = self.titles.get(os.path.normpath(os.path.join(os.path.dirname(page), link[2])))
            if text and link[1][1:-2].endswith((".md", "/")):
                return f"[{text}]({target})"
            return link[1] + target + link[3] if target else link[1][1:-2]  # a folder is named, and is nowhere to go
        return piece if line.startswith("#") else key_links(piece, self.keys, up)

    def lines(self, page: str, lines: list[str]) -> Iterable[str]:
        shown = self.shown.get(page, {})
        up = "../" * page.count("/")
        fenced, item = False, False
        for number, line in enumerate(lines, 1):
            if line.startswith("```"):
                fenced = not fenced
            item = bool(ITEM.match(line)) or item and (line.startswith(" ") or not line.strip())
            code = fenced or line.startswith("    ") and not item
            table = TABLE.match(line)
            if table:
                yield from ("", *measured(self.root, page, table[1], table[2].split()), "")
            elif line.startswith("<!--") and line.endswith("-->"):
                yield ""
            elif code:
                yield line
            else:
                yield "".join(self.linked(page, up, piece, line) for piece in PIECES.split(line))
            if number in shown:
                yield from ("", shown[number], "")
