/* SPDX-License-Identifier: MIT */
/* Starts the page: mounts its parts, opens the room that the program was started with, and follows the program's
   events. */
import {get, listen} from './api.js';
import {mountBar} from './bar.js';
import {make, say} from './dom.js';
import {mountEditor} from './editor.js';
import {mountFiles, offerAutosave, showWelcome} from './files.js';
import {mountInspector} from './inspector.js';
import {mountPlayer} from './player.js';
import {mountResults} from './results.js';
import {store} from './store.js';
import {mountViews} from './views.js';

function lost() {
    document.body.prepend(make('div', {class: 'gone', id: 'gone', role: 'alert',
        text: 'aula does not answer. If it has ended, start aula studio again, in a new page. What is not saved can be ' +
            'taken from here: Take away, Room file, Download.'}));
}

function found() {
    document.getElementById('gone')?.remove();
}

/* Room for the player, which sticks to the bottom of a small page. */
function measure(player) {
    new ResizeObserver(() => document.documentElement.style.setProperty('--foot', `${player.offsetHeight}px`))
        .observe(player);
}

function leaving(event) {
    if (store.unsaved().length)
        event.preventDefault();
}

/* What the program begins with. The stream of a page that is loaded again ends half a second late. */
async function beginning(tries = 3) {
    try {
        return await get('state');
    } catch (refusal) {
        if (refusal.status !== 503 || !tries)
            throw refusal;
        await new Promise(resolve => setTimeout(resolve, 500));
        return beginning(tries - 1);
    }
}

async function start() {
    mountBar(document.getElementById('bar'));
    mountViews(document.getElementById('views'));
    mountInspector();
    mountResults();
    mountEditor();
    mountFiles();
    mountPlayer(document.getElementById('player'));
    measure(document.getElementById('player'));
    const begin = await beginning();
    store.set('files', {begin});
    listen(store.heard, lost, found);
    window.addEventListener('beforeunload', leaving);
    if (!begin.file) {
        showWelcome();
        return;
    }
    await store.load(begin.file, begin.text);
    await offerAutosave(begin.autosave);
}

start().catch(refusal => say(refusal.message, 'error'));
