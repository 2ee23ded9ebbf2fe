# SPDX-License-Identifier: MIT
"""aula studio as a test runs it: the program, requests as a page makes them, and its events."""
import json
import os
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

LIMIT = 120.0  # s until a wait is a failure: far beyond what a busy machine takes


def wait(true, what):
    """Returns the first true value of true()."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        value = true()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what} took longer than {LIMIT:.0f} s")


class Studio:
    """The program with the room that it was started with."""

    def __init__(self, aula, *words, folder, environment=None, browser=("--no-browser",)):
        self.process = subprocess.Popen([aula, "studio", *browser, *words], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=folder,
                                        env={**os.environ, **(environment or {})})
        self.address = self.process.stdout.readline().strip()
        self.events = []
        self.stream = None
        if not self.address:
            raise AssertionError(self.process.stderr.read())
        self.origin = self.address.rsplit("/", 2)[0]

    def ask(self, path, body=None, headers=None):
        """Status, and the JSON of the answer."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Origin": self.origin, **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=LIMIT) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            return refusal.code, json.load(refusal)

    def get(self, path):
        status, answer = self.ask("api/" + path)
        assert status == 200, (path, answer)
        return answer

    def post(self, request, /, **body):
        return self.ask("api/" + request, body)

    def listen(self, page=""):
        """Follows the events in a thread, as an open page does; returns once they arrive."""
        self.stream = urllib.request.urlopen(self.address + "api/events/" + page, timeout=LIMIT)
        self.stream.readline()

        def follow():
            try:
                for line in self.stream:
                    if line.startswith(b"data: {"):  # beats have no JSON
                        self.events.append(json.loads(line[6:]))
            except (OSError, ValueError, AttributeError):
                pass  # the stream was closed

        threading.Thread(target=follow, daemon=True).start()

    def leave(self):
        """Closes the events, as a tab that is closed."""
        self.stream.fp.raw._sock.shutdown(2)
        self.stream.close()

    def job(self, **request):
        """Starts a job; its number."""
        status, answer = self.post("job", **request)
        assert status == 200, answer
        return answer["id"]

    def heard(self, number, kind="job"):
        return [event for event in self.events if event["type"] == kind and event.get("id") == number]

    def ended(self, number):
        """Waits for the last event of a job."""
        def over():
            return [event for event in self.heard(number) if event["state"] in ("done", "failed", "stopped")]
        return wait(over, f"job {number}")[0]

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
