# SPDX-License-Identifier: MIT
"""The headings, sections, anchors and links of a page of the site.

python3 tools/pages/links.py FOLDER lists broken links."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ADDRESSES = {
    "a": "href",
    "link": "href",
    "img": "src",
    "script": "src",
    "audio": "src",
    "source": "src",
    "video": "src",
}


OUTSIDE = ("nav", "header", "footer", "script", "style")


class Page(HTMLParser):
    """headings: text and anchor of h1 to h3. sections: heading, anchor and the text below it, up to the next heading.
    entries: anchor and name of keys. links: as written."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headings: list[tuple[str, str]] = []
        self.sections: list[tuple[str, str, str]] = []
        self.entries: list[tuple[str, str]] = []
        self.anchors: set[str] = set()
        self.repeated: list[str] = []
        self.links: list[str] = []
        self.external: list[str] = []
        self._heading: list[str] | None = None
        self._anchor = ""
        self._entry = ""
        self._text: list[str] = []
        self._outside = 0
        self.feed(text)
        self._end_section()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._outside += tag in OUTSIDE
        name = given.get("id", "")
        if name:
            if name in self.anchors:
                self.repeated.append(name)
            self.anchors.add(name)
        if tag in ("h1", "h2", "h3"):
            self._end_section()
            self._heading, self._anchor = [], name if tag != "h1" else ""
        if tag == "div" and given.get("class") == "entry":
            self._entry = name
        if tag == "code" and given.get("class") == "name":
            self._heading = []
        address = given.get(ADDRESSES.get(tag, ""), "")
        if address.startswith(("http:", "https:", "mailto:", "//")):
            self.external.append(f"{tag} {address}")
        elif address:
            self.links.append(address)

    def _end_section(self) -> None:
        if self.headings:
            self.sections.append((*self.headings[-1], " ".join("".join(self._text).split())))
        self._text = []

    def handle_data(self, data: str) -> None:
        if self._heading is not None:
            self._heading.append(data)
        if self._heading is None or self._entry:
            self._text += [] if self._outside else [data, " "]

    def handle_endtag(self, tag: str) -> None:
        self._outside -= tag in OUTSIDE
        if self._heading is None:
            return
        if tag in ("h1", "h2", "h3"):
            self.headings.append(("".join(self._heading), self._anchor))
            self._heading = None
        elif tag == "code" and self._entry:
            self.entries.append((self._entry, "".join(self._heading)))
            self._heading, self._entry = None, ""


def broken(site: Path) -> list[str]:
    """A line for each link that leads nowhere, anchor that stands twice, and thing that is fetched from elsewhere."""
    pages = {file.resolve(): Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}
    found = []
    for file, page in pages.items():
        where = str(file.relative_to(site.resolve()))
        found += [f"{where}: the anchor {name} stands twice" for name in page.repeated]
        found += [f"{where}: fetched from elsewhere: {link}" for link in page.external if not link.startswith("a ")]
        for link in page.links:
            path, _, name = link.partition("#")
            target = (file.parent / unquote(path)).resolve() if path else file
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                found.append(f"{where}: {link}: no such file")
            elif name and target in pages and unquote(name) not in pages[target].anchors:
                found.append(f"{where}: {link}: no such anchor")
    return found


if __name__ == "__main__":
    lines = broken(Path(sys.argv[1]))
    print("\n".join(lines))
    sys.exit(1 if lines else 0)
