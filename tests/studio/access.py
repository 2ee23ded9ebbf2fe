# SPDX-License-Identifier: MIT
"""The page by the keyboard, for screen readers, in the dark and on a phone."""

import os
import re

from browser import axe_source
from case import BOX, FINAL, ROOM, SEEN, SOURCE, TABS, Keys, choose, folder, leave, only_place, wait_for


def tab_to(page, condition, what, key=Keys.TAB):
    for _ in range(120):
        page.keys(key)
        if page.get(f"(focus => {condition})(document.activeElement)"):
            return
    raise AssertionError(f"the key does not reach {what}")


def the_keyboard_alone_moves_a_source_and_picks_a_material(page):
    tab_to(page, f"focus.matches({SOURCE!r})", "the source in the plan")
    for key, moved in (
        (Keys.ARROW_RIGHT, "[0.85, 1.20, 1.5]"),
        (Keys.ARROW_UP, "[0.85, 1.25, 1.5]"),
        (Keys.PAGE_UP, "[0.85, 1.25, 1.55]"),
        (Keys.ARROW_LEFT, "[0.8, 1.25, 1.55]"),
    ):
        before = page.text()
        page.keys(key)
        page.until("S.state.text !== arguments[0]", "the new text", before)
        place = only_place(page)
        assert place == moved or place == moved.replace("0.8,", "0.80,"), (
            place,
            moved,
        )  # numbers that stay keep their spelling
    page.checked()
    assert page.get("document.activeElement.matches(arguments[0])", SOURCE), "the focus left the source"
    for _ in range(4):  # keys in one second are one step
        if page.text() != ROOM:
            page.chord(Keys.CONTROL, "z")
    page.until("S.state.text === arguments[0]", "undo", ROOM)
    tab_to(page, "focus.getAttribute('role') === 'tab'", "the tabs")
    page.keys(Keys.END, Keys.HOME)
    assert page.get("document.activeElement.id") == "tab-inspect"
    tab_to(page, "focus.matches('.inspect-head button')", "the way back to the room")
    page.keys(Keys.ENTER)
    page.until(
        "[...document.querySelectorAll('#page-inspect .things h3')].some(one => one.textContent === 'Walls')",
        "the walls",
    )
    if not page.get("document.activeElement.closest('#panel')"):
        tab_to(page, "focus.getAttribute('role') === 'tab'", "the tabs")
    tab_to(page, "focus.closest('.things') && /parquet/.test(focus.textContent)", "the floor")
    page.keys(Keys.ENTER)
    page.until("document.querySelector('#page-inspect button.material')", "the material of the wall")
    if not page.get("document.activeElement.closest('#panel')"):
        tab_to(page, "focus.getAttribute('role') === 'tab'", "the tabs")
    tab_to(page, "focus.matches('button.material')", "its button")
    page.keys(Keys.ENTER)
    page.until(f"document.querySelector('{SEEN}')", "the materials")
    page.until("document.activeElement.matches('dialog input')", "the focus in the search")
    page.keys("carpet")
    page.until("/carpet/i.test(document.querySelector('.option[aria-selected=true]')?.textContent)", "a carpet")
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_UP)
    name = page.get("document.querySelector('.option[aria-selected=true] .grow').textContent")
    page.keys(Keys.ENTER)
    page.until("S.state.text !== arguments[0]", "the new material", ROOM)
    text = page.text()
    chosen = re.search(r'z_min = "(\w+)"', text).group(1)
    assert text == ROOM.replace('z_min = "parquet"', f'z_min = "{chosen}"') and "carpet" in chosen, (chosen, name)
    page.checked()
    page.until("document.activeElement.matches('button.material')", "the focus on the button of the material")


# Each dialog, by the keyboard: how it is opened. The room has unsaved changes.


def open_material(page):
    page.get("S.select({kind: 'wall', index: 0})")
    page.find("#tab-inspect").click()
    page.until("document.querySelector('#page-inspect button.material')", "the material")
    return page.find("#page-inspect button.material")


def of_file(text):
    def opener(page):
        page.find("#tab-file").click()
        return page.button(text)

    return opener


DIALOGS = {
    "Open a room": lambda page: page.find("[title^='Open a room']"),
    "Save as": of_file("Save as …"),
    "Differences to the saved file": of_file("Differences"),
    "Command line": lambda page: page.button("Copy as command"),
    "Material": open_material,
}


def show(page, name):
    """Opens a dialog with the Enter key; the element that had the focus."""
    opener = DIALOGS[name](page)
    page.get("arguments[0].focus()", opener)
    page.keys(Keys.ENTER)
    wait_for(page, name)
    return opener


def dialogs_give_the_focus_back(page):
    page.get("S.edit(S.state.text + '# more\\n', {now: true})")
    page.checked()
    for name in DIALOGS:
        opener = show(page, name)
        assert page.get(f"document.querySelector('{SEEN}').contains(document.activeElement)"), name
        for _ in range(3):
            page.keys(Keys.TAB)
            inside = page.get(
                f"document.activeElement === document.body || document.querySelector('{SEEN}')"
                ".contains(document.activeElement)"
            )
            assert inside, f"{name}: Tab leaves the dialog"
        leave(page)
        assert page.get("document.activeElement === arguments[0]", opener), f"{name}: the focus was lost"


WORST = """
const found = await axe.run(document, {resultTypes: ['violations']});
return found.violations.filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({impact, id, nodes}) => `${impact} ${id}: ` + nodes.slice(0, 3).map(({html}) => html.slice(0, 200))
        .join(' | '));
"""


def axe_finds_nothing_serious(page):
    source = axe_source()
    if source is None:
        print("skipped: axe-core (AXE names axe.min.js, or pip install axe-core-python)")
        return
    page.get("S.edit(S.state.text + '# more\\n', {now: true})")
    page.find("#player .play").click()
    page.until(FINAL, "the final response")
    page.until("S.state.results.A && S.state.results.A.metrics", "the parameters")
    page.get("S.addVariant()")
    page.get(
        "S.edit(S.state.text.replace('parquet', 'medium_carpet_on_concrete').replace('parquet', 'wood'), {now: true})"
    )
    page.find("#player .play").click()
    page.checked()
    if not page.get("typeof axe === 'object'"):
        page.driver.execute_script(source)
    with open(os.path.join(folder, "box.obj"), "w", encoding="utf-8") as file:
        file.write(BOX)
    found, runs = [], 0

    def look_at(name):
        nonlocal runs
        runs += 1
        page.run("await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found.extend(f"{look}, {name}: {line}" for line in page.run(WORST))

    for look, shape in (("light", (1400, 900)), ("dark", (1400, 900, True)), ("phone", (390, 844, False, True))):
        page.looks(*shape)
        for name in TABS:
            page.get("document.getElementById(arguments[0]).click()", f"tab-{name}")
            look_at(name)
        for name in DIALOGS:
            show(page, name)
            look_at(name)
            leave(page)
        choose(page, "box.obj")
        wait_for(page, "Unsaved changes")
        look_at("Unsaved changes")
        page.button("Discard").click()
        wait_for(page, "Open the model")
        look_at("Open the model")
        leave(page, 1)
        leave(page)
    page.looks(1400, 900)
    print("axe-core:", runs, "states")
    assert not found, "\n".join(found)
