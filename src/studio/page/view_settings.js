/* SPDX-License-Identifier: MIT */
/* How the room is looked at: kept in the browser, never part of the room file. Cut heights belong to one room and
   start again with each. */

const KEPT = 'aula-view';
const defaults = {mode: 'all', snap: 0.05, names: true, layers: true, along: 'x', legend: null};

function kept() {
    try {
        return JSON.parse(localStorage.getItem(KEPT)) || {};
    } catch {
        return {};
    }
}

export const settings = {...defaults, ...kept(), cut: Infinity, planCut: 1.2, sectionAt: null};
const watchers = new Set();

export function onSettings(f) {
    watchers.add(f);
}

export function change(members) {
    Object.assign(settings, members);
    const keep = Object.fromEntries(Object.keys(defaults).map(name => [name, settings[name]]));
    try {
        localStorage.setItem(KEPT, JSON.stringify(keep));
    } catch { /* without storage the choice lasts as long as the page */ }
    redraw();
}

/* Has all views drawn again. */
export function redraw() {
    for (const f of watchers)
        f(settings);
}

/* A height in m above which a new room is open in the 3D view, and the one at which its plan is drawn: above seats and
   tables, below the tops of doors. */
export function resetCuts(lower, upper) {
    const height = upper[2] - lower[2];
    change({cut: Infinity, planCut: lower[2] + Math.min(1.4, 0.55 * height), sectionAt: null});
}
