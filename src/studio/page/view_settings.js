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

export const settings = {...defaults, ...kept(), cut: Infinity, planCut: 1.4};
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

/* A new room is whole in the 3D view. Its plan is cut a little above the middle one of the heights of sources and
   receivers: above seats and tables, below the tops of doors. */
export function resetCuts({lower, upper, sources, receivers}) {
    const height = upper[2] - lower[2];
    const heights = [...sources, ...receivers].filter(item => item.position).map(item => item.position[2])
        .sort((a, b) => a - b);
    const middle = heights.length ? heights[heights.length >> 1] + 0.25 : lower[2] + 1.4;
    const cut = Math.max(lower[2] + 0.1 * height, Math.min(middle, upper[2] - 0.1 * height));
    change({cut: Infinity, planCut: Math.round(20 * cut) / 20});
}
