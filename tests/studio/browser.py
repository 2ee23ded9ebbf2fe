# SPDX-License-Identifier: MIT
"""The page of aula studio in Chromium, as a test drives it."""

import os
import shutil
import sys
import time

from program import LIMIT, wait


def have(module, interpreter="/usr/bin/python3"):
    """Starts this script again in Debian's Python where its own has no selenium; 77 where there is none."""
    try:
        __import__(module)
        return
    except ImportError:
        pass
    if os.path.realpath(sys.executable) != os.path.realpath(interpreter) and os.access(interpreter, os.X_OK):
        os.execv(interpreter, [interpreter, *sys.argv])
    skip("there is no selenium here (package python3-selenium)")


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def found(names, package):
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    return skip(f"there is no {names[0]} here (package {package})")


def axe_source():
    """The text of axe.min.js, or None: from the file that AXE names, or from a package of pip."""
    roots = sys.path
    packages = ("axe_selenium_python/node_modules/axe-core", "axe_core_python", "axe_playwright_python")
    for path in [os.environ.get("AXE", "")] + [
        os.path.join(root, package, "axe.min.js") for root in roots for package in packages
    ]:
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    return None


# Counts the pictures that the page asks for, and keeps the program's store for the test.
WATCH = """
window.pictures = 0;
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = f => ask(time => { window.pictures++; f(time); });
window.refused = [];
document.addEventListener('securitypolicyviolation',
    event => window.refused.push(event.violatedDirective + ' ' + event.blockedURI));
"""


class Page:
    """A browser with one tab of the studio."""

    def __init__(self, folder, size=(1400, 900), more=()):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        options = Options()
        options.binary_location = found(("chromium", "chromium-browser", "google-chrome"), "chromium")
        for word in (
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--use-gl=angle",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--no-first-run",
            "--mute-audio",
            "--proxy-server=127.0.0.1:9",
            "--autoplay-policy=no-user-gesture-required",
            "--force-color-profile=srgb",
            f"--user-data-dir={os.path.join(folder, 'profile')}",
            f"--window-size={size[0]},{size[1]}",
            *more,
        ):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", "accept")
        driver = found(("chromedriver",), "chromium-driver")
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(LIMIT)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        self.studio = None

    def quit(self):
        self.driver.quit()

    def looks(self, width, height, dark=False, mobile=False, scale=1):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": mobile},
        )
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {
                "features": [
                    {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce"},
                ]
            },
        )

    def open(self, studio, address=None):
        """Loads the page of a studio, or one that leads there, and waits until it shows the room."""
        self.studio = studio
        self.driver.get(address or studio.address)
        self.until("location.href === arguments[0] && document.readyState === 'complete'", "the page", studio.address)
        self.run("window.S = (await import('./store.js')).store")
        self.until("S.state.scene && S.variant().checked === S.state.text", "the scene of the room")
        self.until(
            "document.querySelector('.view[data-view=plan] .handle.source')?.style.transform", "the first picture"
        )

    def blank(self):
        self.driver.get("about:blank")
        self.driver.get_log("browser")

    def run(self, script, *arguments):
        """The value of an asynchronous function with this body; a rejection is a failure."""
        value = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; (async (...given) => {"
            + script
            + "})(...[...arguments].slice(0, -1))"
            ".then(value => done({value}), error => done({error: `${error} ${error && error.stack}`}));",
            *arguments,
        )
        if "error" in value:
            raise AssertionError(value["error"])
        return value.get("value")

    def get(self, expression, *arguments):
        return self.driver.execute_script("return " + expression, *arguments)

    def until(self, expression, what, *arguments):
        try:
            return wait(lambda: self.get(expression, *arguments), what)
        except AssertionError as failure:
            raise AssertionError(f"{failure}\n{self.console()}\n{self.messages()}") from None

    def console(self):
        """What the page said in the console; drivers speak of their speed there, as pixels are read."""
        return [
            entry["message"] for entry in self.driver.get_log("browser") if "GL Driver Message" not in entry["message"]
        ]

    def messages(self):
        return self.get("[...document.querySelectorAll('#messages .message > span')].map(span => span.textContent)")

    def text(self):
        return self.get("S.state.text")

    def checked(self):
        """Waits until the program has read the text of the page."""
        self.until("S.state.error || S.variant().checked === S.state.text", "the program's answer")

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def button(self, text):
        """The visible button with this text."""
        return wait(
            lambda: self.get(
                "[...document.querySelectorAll('button')].find(one => one.textContent.trim() === "
                "arguments[0] && one.offsetParent)",
                text,
            ),
            f"the button {text}",
        )

    def keys(self, *keys):
        """Presses keys where the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, *keys):
        """Presses the last key while the others are held."""
        from selenium.webdriver.common.action_chains import ActionChains

        chain = ActionChains(self.driver, duration=20)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in keys[-2::-1]:
            chain.key_up(key)
        chain.perform()

    def drag(self, element, across, down):
        """Holds an element at another place of the page; `release` ends it."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver, duration=20).move_to_element(element).click_and_hold().move_by_offset(
            across // 2, down // 2
        ).move_by_offset(across - across // 2, down - down // 2).perform()

    def release(self):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver, duration=20).release().perform()

    def calm(self):
        """Waits until no job runs and no picture is asked for."""
        self.until(
            "![...S.state.jobs.values()].some(job => job.state === 'running' || job.state === 'queued')",
            "the end of all jobs",
        )

        def still():
            before = self.get("window.pictures")
            time.sleep(1.0)
            return before == self.get("window.pictures")

        wait(still, "a second without pictures")
