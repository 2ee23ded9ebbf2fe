# SPDX-License-Identifier: MIT
"""What one takes away from the page, as files and as a command line, and what it says where something is missing."""

import os
import subprocess
import tempfile
import urllib.request

from browser import LIMIT
from case import AULA, FINAL, ROOM, SEEN, folder, path
from hearing import HEAR, floats, wave
from program import wait

# A room that is rendered in a moment, and the same with one receiver.
QUICK = ROOM.replace("rays = 1000;", "full = false; rays = 1000;")
SEAT = QUICK[: QUICK.index(',\n  { name = "field"')] + " );\noutput: { rate = 32000; };\n"


def put(page, text):
    """Opens a text in place of the room's."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    page.run(
        "const {post} = await import('./api.js'), {file, text} = await post('open', {path: given[0]});"
        "await S.load(file, text);",
        path,
    )
    assert page.text() == text and page.get("S.state.error") is None


def compute(page):
    page.button("Compute").click()
    page.until(FINAL, "the final response")


def fetched(page, url):
    with urllib.request.urlopen(page.studio.address + url, timeout=LIMIT) as answer:
        return answer.read()


def copied(page):
    """The command line that the page copies, and its warning."""
    page.button("Copy as command").click()
    page.until(f"document.querySelector('{SEEN} textarea')?.value", "the command")
    given = page.get(
        f"[document.querySelector('{SEEN} textarea').value, document.querySelector('{SEEN} .warnings')?.textContent || '']"
    )
    page.button("Close").click()
    page.until("!document.querySelector('dialog')", "the end of the dialog")
    return given


def renders_the_same(page, command):
    """Whether the shell, somewhere else, makes of a command line the file of the page's last job."""
    with tempfile.TemporaryDirectory(dir=folder) as elsewhere:
        subprocess.run(
            ["sh", "-c", command + " -q -o own.wav"],
            cwd=elsewhere,
            check=True,
            env={**os.environ, "PATH": f"{os.path.dirname(AULA)}:{os.environ['PATH']}"},
        )
        with open(os.path.join(elsewhere, "own.wav"), "rb") as file:
            return file.read() == fetched(page, page.get("S.state.responses.A.files[0].url"))


def a_copied_command_renders_the_same_bits(page):
    put(page, SEAT)
    text = SEAT.replace("[0.8, 1.20, 1.5]", "[0.81234567, # near\n 1.20, 1.5]").replace(' z_min = "parquet";', "")
    text = text.replace("rate = 32000;", "rate = 32000; dispersion = 0.05;")
    text = text.replace(" );\noutput", ', { name = "back row"; position = [1.0, 1.0, 1.0]; } );\noutput')
    page.get("S.edit(arguments[0])", text)
    page.checked()
    assert page.get("S.state.error") is None, page.get("S.state.error")
    compute(page)
    command, warning = copied(page)
    print(command)
    assert not warning, warning
    for key in ("sources[0].position", "room.walls", "output.dispersion", "receivers"):  # changed, lost and new ones
        assert f"--set {key}=" in command.replace("'", ""), command
    assert renders_the_same(page, command)
    page.get("S.edit(arguments[0])", SEAT[: SEAT.index("output")])
    page.checked()
    command, warning = copied(page)
    assert "--set cannot write a change: output was removed. Save the file first" in warning, warning
    assert command == f"aula render {os.path.realpath(path)}", command
    page.button("Save").click()
    page.until("S.state.savedText === S.state.text", "the saved file")
    command, warning = copied(page)
    assert not warning and "--set" not in command, (command, warning)
    compute(page)
    assert renders_the_same(page, command)


def part(page, title, expression):
    """A value of the part of the tab under this heading, as `part`."""
    return page.get(
        "(part => " + expression + ")([...document.querySelectorAll('#page-take-away section')]"
        ".find(one => one.querySelector('h2').textContent === arguments[0]))",
        title,
    )


def links(page, title):
    wait(lambda: part(page, title, "part.querySelector('.links a')"), f"the links of {title}")
    return part(
        page, title, "[...part.querySelectorAll('.links a')].map(link => [link.textContent, link.getAttribute('href')])"
    )


def heard_wave(page, receiver, form, yaw):
    """The channels of the file of the heard sound, which must be those of the page's own offline rendering."""
    page.get("S.set('listening', {receiver: arguments[0], yaw: arguments[1]})", receiver, yaw)
    page.run(
        "const {sound} = await import('./sound.js');"
        "for (let i = 0; i < 500 && sound.response('A').form !== given[0]; i++)"
        " await new Promise(resolve => setTimeout(resolve, 20));",
        form,
    )
    assert page.get("Boolean(document.querySelector('.head-dial').offsetParent)") is (form == "cardioids"), receiver
    page.button("Make WAV of the heard sound").click()
    name = os.path.join(folder, f"voice_in_room_A_{receiver}.wav")
    wait(lambda: os.path.exists(name), name)
    channels, own = wave(name), page.run(HEAR, "voice", yaw)
    assert own["form"] == form, own["form"]
    assert [list(channel) for channel in channels] == [list(floats(ear)) for ear in own["ears"]], receiver
    assert len(channels) == 2 and any(channels[0]), receiver
    return channels


def takes_away_the_heard_sound_a_sofa_file_and_a_report(page):
    put(page, QUICK)
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
    compute(page)
    page.find("#tab-take-away").click()
    page.calm()
    left, right = heard_wave(page, "field", "cardioids", 37)
    assert left != right, "the ears of a turned head are the same"
    left, right = heard_wave(page, "seat", "mono", 37)
    assert left == right
    page.get("S.addVariant()")
    page.button("Make report").click()
    wait(lambda: len(page.driver.window_handles) == 2, "the report in a tab of its own")
    own, other = page.driver.window_handles
    page.driver.switch_to.window(other)
    page.until("document.readyState === 'complete' && document.body.textContent.length > 1000", "the report")
    shown = page.get(
        "[location.href, [...document.querySelectorAll('th, td, h2, h3')].map(one => one.textContent.trim())]"
    )
    page.driver.close()
    page.driver.switch_to.window(own)
    [(text, url)] = links(page, "Report")
    assert text == "Open report.html" and shown[0].endswith(url) and {"A.wav", "B.wav"} <= set(shown[1]), (text, shown)
    if page.get("S.state.begin.has.sofa"):
        assert page.get("document.querySelector('#player select[aria-label=Ears]').hidden") is False
        page.button("Make SOFA file").click()
        files = links(page, "SOFA")
        assert [text for text, _ in files] == ["Download response.sofa", "Download response_field.sofa"], files
        for _, url in files:
            data = fetched(page, url)
            assert data[:8] == b"\x89HDF\r\n\x1a\n" and b"SingleRoomSRIR" in data, url
    else:
        assert part(page, "SOFA", "part.hidden")
    page.get("S.edit(S.state.text.replace('0.8, 1.20', '0.9, 1.20'))")
    for title in ("Report", "SOFA"):
        wait(
            lambda title=title: part(page, title, "part.hidden || part.textContent.includes('before the last change')"),
            title,
        )
    page.run("await S.load(S.state.file, given[0])", SEAT)
    wait(lambda: not part(page, "Report", "part.querySelector('.links a')"), "the end of the links")
    assert not part(page, "SOFA", "part.querySelector('.links a')")


def the_limiter_says_when_it_works(page):
    put(page, QUICK)
    page.button("Dry").click()
    page.find("#player .play").click()
    for decibels, shown in ((20, "/^limiter −\\d+\\.\\d dB$/"), (-40, "/^$/")):
        page.get(
            "(slider => { slider.value = arguments[0]; slider.dispatchEvent(new Event('input')); })"
            "(document.querySelector('#player input[type=range]'))",
            decibels,
        )
        page.until(
            f"{shown}.test(document.querySelector('#player .limiter').textContent)", f"the limiter at {decibels} dB"
        )
    page.find("#player .play").click()


def says_what_the_browser_lacks(page):
    def said(words):
        page.until(
            "[...document.querySelectorAll('#messages')].some(one => one.textContent.includes(arguments[0]))",
            words,
            words,
        )

    page.get("window.AudioContext = class { constructor() { throw new DOMException('There is no device.'); } }")
    page.find("#player .play").click()
    said("The browser gives no sound output: There is no device. Results and files need none: press Compute.")
    assert page.get("S.state.playing") is False
    page.get(
        "window.AudioContext = class extends OfflineAudioContext {"
        " constructor() { super(2, 48000, 48000); } resume() { return Promise.resolve(); } }"
    )
    page.find("#player .play").click()
    said("No sound comes out. Check that this machine has a sound device")
    added = page.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": "const get = HTMLCanvasElement.prototype.getContext;"
            "HTMLCanvasElement.prototype.getContext = function(kind, ...more) {"
            " return kind === 'webgl2' ? null : get.call(this, kind, ...more); };"
        },
    )
    try:
        page.open(page.studio)
        page.until(
            "document.querySelector('.view[data-view=\"3d\"] .missing')?.offsetParent", "the message of the 3D view"
        )
        text = page.get("document.querySelector('.view[data-view=\"3d\"] .missing').textContent")
        assert text.startswith("The 3D view needs WebGL2, which this browser does not offer."), text
        page.until(
            "new Set(new Uint32Array((canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)"
            ".data.buffer)(document.querySelector('.view[data-view=plan] canvas:not(.picture)')))).size > 20",
            "the plan",
        )
        assert not [line for line in page.console() if "SEVERE" in line or "Uncaught" in line], page.console()
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added["identifier"]})


def a_map_names_its_source_and_is_old_for_another_one(page):
    other = ', { name = "other"; position = [2.0, 2.0, 1.5]; }'
    put(page, QUICK.replace("   # stays beside its place", other).replace("duration = 0.2;", "duration = 2.0;"))
    page.find("#tab-map").click()
    height, _ = page.driver.find_elements("css selector", "#page-map input[type=number]")
    height.clear()
    height.send_keys("0.3")
    page.driver.find_element("css selector", "#page-map .settings + .check input").click()  # without rays
    page.button("Draw map").click()
    page.until(
        "/of talker at [0-9]+ places, z = 0.30 m/.test(document.querySelector('#page-map .content').textContent)",
        "the map",
    )
    assert page.get("document.querySelector('#page-map .stale')") is None
    assert "talker" in page.get("S.state.layers.map.label")
    page.get("S.set('listening', {source: 'other'})")
    page.until(
        "document.querySelector('#page-map .stale')?.textContent === 'This map is of the source talker.'", "the note"
    )
