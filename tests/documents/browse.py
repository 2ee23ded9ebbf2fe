# SPDX-License-Identifier: MIT
"""The site in headless Chromium: each page in a frame as wide as a phone, and the search."""

from __future__ import annotations

import functools
import http.server
import json
import queue
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

PAGE = """<!doctype html><iframe id="frame" style="width:390px;height:844px"></iframe><script>
const said = [], frame = document.getElementById('frame');
const length = sound => new Promise(done => {
    const player = new Audio(sound);
    player.onloadedmetadata = () => done(player.duration);
    player.onerror = () => done(0);
});
(async () => {
    for (const page of PAGES) {
        await new Promise(done => { frame.onload = done; frame.src = page; });
        const root = frame.contentDocument.documentElement;
        if (root.scrollWidth > frame.contentWindow.innerWidth) said.push('wide ' + page + ': ' + root.scrollWidth + ' px');
        for (const image of root.querySelectorAll('img')) {
            image.loading = 'eager';
            await image.decode().catch(() => said.push('picture ' + page + ': ' + image.src));
        }
        for (const player of root.querySelectorAll('audio')) {
            const seconds = await length(player.src);
            if (!(seconds > 0.5)) said.push('sound ' + page + ': ' + player.src);
        }
    }
    await new Promise(done => { frame.onload = done; frame.src = 'index.html'; });
    const field = frame.contentDocument.querySelector('.search input');
    for (const word of WORDS) {
        field.value = word;
        field.dispatchEvent(new Event('input'));
        if (!frame.contentDocument.querySelector('.found a')) said.push('search: nothing for ' + word);
    }
    fetch('/said', {method: 'POST', body: JSON.stringify(said)});
})();
</script>"""


class Server(http.server.ThreadingHTTPServer):
    """Gives the files of the site, and takes what the page above has to say."""

    def __init__(self, site: Path) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
        self.said: queue.Queue[list[str]] = queue.Queue()


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Server)
        self.server.said.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def browser() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def faults(site: Path, words: list[str]) -> list[str]:
    """Pages wider than a phone, broken pictures, sounds that the browser cannot play, words that the search misses."""
    pages = sorted(str(page.relative_to(site)) for page in site.rglob("*.html"))
    server = Server(site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    look = site / "look-at-all.html"
    look.write_text(PAGE.replace("PAGES", json.dumps(pages)).replace("WORDS", json.dumps(words)), encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="aula-test-", ignore_cleanup_errors=True) as profile:
        command = [browser() or "", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += [f"--user-data-dir={profile}", "--no-first-run", "--mute-audio", "--remote-debugging-port=0"]
        command += [f"http://127.0.0.1:{server.server_port}/{look.name}"]
        quiet = subprocess.DEVNULL
        with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet) as program:
            try:
                return server.said.get(timeout=3600)
            except queue.Empty:
                return ["Chromium did not come to the end"]
            finally:
                program.terminate()
                server.shutdown()
                look.unlink()
