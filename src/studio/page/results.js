/* SPDX-License-Identifier: MIT */
/* The tabs that show results. A tab is drawn when it is chosen, and again when what it shows has changed. */
import {say} from './dom.js';
import {store} from './store.js';
import {mountDecay} from './tab_decay.js';
import {mountEchogram} from './tab_echogram.js';
import {mountMap} from './tab_map.js';
import {mountModes} from './tab_modes.js';
import {mountParameters} from './tab_parameters.js';
import {mountTakeAway} from './tab_take_away.js';
import {addTab, isShown} from './tabs.js';

/* Each mount function takes the page of its tab and returns how to draw it. */
const TABS = [
    ['parameters', 'Parameters', mountParameters], ['decay', 'Decay', mountDecay],
        ['echogram', 'Echogram', mountEchogram],
    ['modes', 'Modes', mountModes], ['map', 'Map', mountMap], ['take-away', 'Take away', mountTakeAway],
];

function addResult(name, title, mount) {
    let draw = null, due = false;
    const now = () => {
        due = false;
        try {
            draw();
        } catch (error) {
            say(`${title}: ${error.message}`, 'error');
            throw error;
        }
    };
    const page = addTab(name, title, () => draw && now());
    page.classList.add('results');
    draw = mount(page);
    store.on('any', () => {
        if (due || !isShown(name))
            return;
        due = true;
        requestAnimationFrame(() => due && now());
    });
}

export function mountResults() {
    for (const [name, title, mount] of TABS)
        addResult(name, title, mount);
}
