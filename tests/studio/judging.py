# SPDX-License-Identifier: MIT
"""What one reads in the page, against the command line."""

import csv
import json
import os
import subprocess

from case import AULA, FINAL, folder, path

CARPET = ('z_min = "parquet"', 'z_min = "carpet_on_underlay"')


def printed(*words):
    """The JSON that a command prints."""
    return json.loads(subprocess.run([AULA, *words, "--json"], capture_output=True, check=True).stdout)


def the_map_is_that_of_the_command_line(page):
    page.get("S.edit(S.state.text.replace('duration = 0.2', 'duration = 1.2'), {now: true})")
    page.checked()
    page.find("#tab-map").click()
    for box in page.driver.find_elements("css selector", "#page-map input[type=checkbox]"):
        if box.is_selected():
            box.click()  # no rays
    page.button("Draw map").click()
    page.until("S.state.layers.map && document.querySelector('#page-map .content select')", "the map")
    page.get(
        "(select => (select.value = 'g', select.dispatchEvent(new Event('change'))))"
        "(document.querySelector('#page-map .content select'))"
    )
    table = os.path.join(folder, "own.csv")
    picture = os.path.join(folder, "own.png")
    words = ["map", "-q", path, "--set", "time.duration=1.2", "--plane", "z=1.2", "--csv", table, "-o", picture]
    subprocess.run([AULA, *words], check=True)
    layer = page.get("S.state.layers.map")
    with open(table, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["band"] == (layer["band"] or "broad")]
    own = {(float(row["x"]), float(row["y"])): float(row["g"]) for row in rows if row["g"]}
    shown = {(row["x"], row["y"]): row["value"] for row in layer["rows"]}
    assert layer["parameter"] == "G" and len(own) > 20 and shown == own, (len(own), len(shown))
    before = page.text()
    page.driver.find_element("xpath", "//div[starts-with(., 'Highest')]/button").click()
    page.until("S.state.text !== arguments[0]", "the receiver's place", before)
    page.checked()
    best = max(own, key=own.get)
    assert page.get("S.state.scene.receivers[0].position")[:2] == [round(x, 3) for x in best]
    page.until("!document.querySelector('#page-map .stale')", "a receiver made the map stale")


def modes_are_those_of_the_command_line(page):
    page.find("#tab-modes").click()
    limit = page.find("#page-modes input[type=number]")
    page.get("(arguments[0].value = 100, true)", limit)
    page.button("Find modes").click()
    page.until("S.state.results.A?.modes", "the modes")
    own = printed("modes", path, "--to", "100")["modes"]
    shown = page.get(
        "[...document.querySelectorAll('.mode-list tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert len(own) > 2 and len(shown) == len(own), (own, shown)
    for mode, cells in zip(own, shown):
        assert cells[1] == f"{mode['frequency']:.1f}" and cells[2] == f"{mode['t60']:.2f}", (mode, cells)
    names = page.run(
        "const shape = document.querySelector('img.shape'); await shape.decode(); return shape.naturalWidth;"
    )
    assert names > 100, "the picture of the mode is missing"


def differences_and_verdicts_are_those_of_the_command_line(page):
    page.run("(await import('./listening.js')).compute()")
    page.until(FINAL, "the response of A")
    page.get("(S.addVariant(), S.edit(S.state.text.replace(arguments[0], arguments[1]), {now: true}))", *CARPET)
    page.checked()
    page.run("(await import('./listening.js')).compute()")
    page.until("S.state.active === 'B' && S.state.comparison", "the comparison")
    page.find("#tab-parameters").click()
    renders = []
    for variant, text in page.get("S.state.variants.map(v => [v.id, v.text])"):
        room = os.path.join(folder, f"own_{variant}.cfg")
        with open(room, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run(
            [AULA, "render", "-q", room, "-o", room.replace(".cfg", ".wav"), "--set", 'output.normalise="none"'],
            check=True,
        )
        renders.append(room.replace(".cfg", ".wav"))
    own = printed("compare", *renders)["comparisons"][0]
    assert own["summary"] in page.find("#page-parameters .summary").text, own["summary"]
    steps = {
        band["centre"]: band["c80"]["jnd"]
        for band in next(iter(own["receivers"]))["octave_bands"]
        if band.get("c80") and band["c80"].get("jnd") is not None
    }
    shown = page.get(
        "Object.fromEntries(S.state.comparison.result.comparisons[0].receivers[0].octave_bands"
        ".filter(band => Number.isFinite(band.c80?.jnd)).map(band => [band.centre, band.c80.jnd]))"
    )
    assert steps and shown == {str(centre): jnd for centre, jnd in steps.items()}, (steps, shown)
    page.get(
        "(select => (select.value = 'din18041_a2', select.dispatchEvent(new Event('change'))))"
        "([...document.querySelectorAll('#page-parameters select')].at(-1))"
    )
    page.until("document.querySelector('#page-parameters .verdict, #page-parameters strong.pass, #page-parameters "
               "strong.fail, #page-parameters strong.none')", "the verdict")
    verdict = printed("metrics", renders[0], "--target", "din18041_a2")["files"][0]["target"]["verdict"]
    word = {"pass": "met", "fail": "not met"}.get(verdict, "not judged")
    assert f"Target {word}" in page.find("#page-parameters").text


def stop_ends_what_runs(page):
    page.get("S.edit(S.state.text.replace('300.0', '3000.0'), {now: true})")
    page.checked()
    page.find("#tab-modes").click()
    page.run("(await import('./listening.js')).compute()")
    page.until("[...S.state.jobs.values()].some(job => job.kind === 'listen' && job.state === 'running')", "the start")
    page.button("Stop").click()
    page.until("[...S.state.jobs.values()].every(job => job.state !== 'running')", "the end of the job")
    assert "Stopped" in page.find("#player .refinement .text").text
    page.button("Find modes").click()
    page.until("[...S.state.jobs.values()].some(job => job.kind === 'modes' && job.state === 'running')", "the start")
    page.button("Stop").click()
    page.until("[...S.state.jobs.values()].find(job => job.kind === 'modes').state === 'stopped'", "the end of the job")
    assert not page.messages(), page.messages()
