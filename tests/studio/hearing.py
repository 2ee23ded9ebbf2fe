# SPDX-License-Identifier: MIT
"""What one hears in the page, against the command line."""

import array
import base64
import math
import os
import subprocess

from case import AULA, FINAL, SEED, folder, path, script


def decibels(value):
    return 20 * math.log10(value) if value > 0 else -math.inf


def floats(text):
    return array.array("f", base64.b64decode(text))


def wave(path):
    """The channels of a WAV file of 32-bit floats."""
    with open(path, "rb") as file:
        data, at = file.read(), 12
    while data[at : at + 4] != b"data":
        if data[at : at + 4] == b"fmt ":
            channels = int.from_bytes(data[at + 10 : at + 12], "little")
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "little")
    samples = array.array("f", data[at + 8 : at + 8 + int.from_bytes(data[at + 4 : at + 8], "little")])
    return [samples[c::channels] for c in range(channels)]


def error(heard, true):
    """RMS of the difference over that of the true sound, dB."""
    frames = min(len(heard), len(true))
    assert frames > 0.99 * len(true), (len(heard), len(true))
    power = sum(y * y for y in true[:frames])
    return decibels((sum((x - y) ** 2 for x, y in zip(heard, true)) / power) ** 0.5)


HEAR = """
const {sound, renderOffline} = await import('./sound.js'), {lengthOf} = await import('./graph.js'), [name, yaw] = given;
const dry = await sound.decodeDry(await (await fetch(`sounds/${name}`)).arrayBuffer()), response = sound.response('A');
const base64 = samples => {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), parts = [];
    for (let i = 0; i < bytes.length; i += 8192)
        parts.push(String.fromCharCode(...bytes.subarray(i, i + 8192)));
    return btoa(parts.join(''));
};
const ears = await renderOffline({dry, response, yaw, seconds: dry.length / response.rate + lengthOf(response)});
return {form: response.form, channels: response.channels.map(base64), ears: ears.map(base64)};
"""
ALIVE = """
const {context, nodes} = (await import('./sound.js')).sound.inside(), ear = context.createAnalyser();
ear.fftSize = 2048;
nodes.limiter.connect(ear);
const samples = new Float32Array(ear.fftSize);
for (let i = 0; i < 400; i++) {
    await new Promise(resolve => setTimeout(resolve, 25));
    ear.getFloatTimeDomainData(samples);
    if (samples.some(sample => Math.abs(sample) > 1e-3))
        return context.state;
}
return 'silent';
"""


def plays_what_auralize_writes(page):
    page.find("#player .play").click()
    page.until(FINAL, "the final response")
    assert page.run(ALIVE) == "running", "nothing is heard"
    own = os.path.join(folder, "own.wav")
    subprocess.run([AULA, "render", "-q", path, "-o", own], check=True)
    rendered = [name for name in sorted(os.listdir(folder)) if name.startswith("own") and name.endswith(".wav")]
    waves = {name: wave(os.path.join(folder, name)) for name in rendered}
    for receiver, yaw in (("seat", 0), ("field", 37)):
        page.get("S.set('listening', {receiver: arguments[0]})", receiver)
        form = {"seat": "mono", "field": "cardioids"}[receiver]
        page.run(
            "const {sound} = await import('./sound.js');"
            "for (let i = 0; i < 2000 && sound.response('A').form !== given[0]; i++)"
            " await new Promise(resolve => setTimeout(resolve, 20));",
            form,
        )
        heard = page.run(HEAR, "voice", yaw)
        assert heard["form"] == form, heard["form"]
        channels = [floats(channel) for channel in heard["channels"]]
        source = next((name for name, own_channels in waves.items() if own_channels == channels), None)
        assert source, f"{receiver}: the response is none of {rendered}"
        wet = os.path.join(folder, "wet.wav")
        subprocess.run([AULA, "auralize", "-q", os.path.join(folder, source), "voice", "-o", wet], check=True)
        true = wave(wet)
        if form == "cardioids":
            w, y, _, x = true[:4]
            side = [a * math.cos(math.radians(yaw)) - b * math.sin(math.radians(yaw)) for a, b in zip(y, x)]
            true = [[(a + b) / 2 for a, b in zip(w, side)], [(a - b) / 2 for a, b in zip(w, side)]]
        errors = [error(floats(ear), true[i % len(true)]) for i, ear in enumerate(heard["ears"])]
        print(f"{receiver}, yaw {yaw}: difference from aula auralize {max(errors):.1f} dB")
        assert max(errors) < -60, errors
    page.find("#player .play").click()


def a_new_response_comes_without_gap_or_click_and_variants_switch_at_one_instant(page):
    heard = page.run(script("switches.js"), SEED)
    apart = heard.pop("apart")
    print("amplitudes", {name: (round(part["low"], 4), round(part["high"], 4)) for name, part in heard.items()})
    print("largest differences", {name: f"{value:.1e}" for name, value in apart.items()})
    for name, value in apart.items():
        assert value < 1e-5, (name, value)  # the same sound at the same instant as if it had always run
    gains = {
        "steady": (0.3, 0.3),
        "same": (0.3, 0.3),
        "quieter": (0.3, 0.2),
        "later": (0.2, 0.2),
        "toB": (0.2, 0.1),
        "toA": (0.1, 0.2),
        "dry": (0.2, 1),
        "room": (1, 0.2),
        "many": (0.2, 0.23),
    }
    for name, (before, after) in gains.items():
        part, least, most = heard[name], min(before, after), max(before, after)
        shift = 0.8 if name in ("later", "toB", "toA", "dry", "room") else 1  # tones that are 20 samples apart
        power = 1.42 if name in ("toB", "toA", "dry", "room") else 1  # both halves of a switch carry the same tone
        assert part["low"] > 0.98 * shift * least, (name, part)
        assert part["high"] < 1.02 * power * most, (name, part)
        assert part["bend"] < 1.3 * power * most, (name, part)  # a click of 0.5 % would bend it more
