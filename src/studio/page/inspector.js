/* SPDX-License-Identifier: MIT */
/* The tab Inspect: the fields of what is selected, or the room at a glance. */
import {clear, make} from './dom.js';
import {action, Form, messageOf} from './fields.js';
import {inspectItem, shapeOf, titleOf} from './inspect_item.js';
import {loadKeys} from './keys.js';
import {loadLibrary} from './library.js';
import {askInfo, forgetInfo, showRoom} from './room_info.js';
import {valueOf} from './room_text.js';
import {store} from './store.js';
import {addTab, isShown} from './tabs.js';

const KINDS = {source: 'Source', receiver: 'Receiver', object: 'Object', wall: 'Wall'};

let page, form = null, built = '', before = null;

/* What decides which fields there are; their values are refreshed in place, so that the focus stays. */
function signature() {
    const {selection, scene, text, file} = store.state;
    if (!file)
        return 'none';
    if (selection && scene)
        return shapeOf(selection) || 'none';
    const keys = ['room.size', 'room.height', 'grid.rate', 'grid.max_frequency'].map(key => typeof valueOf(text,
        key));
    return `room ${keys.join()}`;
}

function header(selection) {
    return make('div', {class: 'inspect-head'},
        action('‹ Room', () => store.select(null), {class: 'plain', 'aria-label': 'Back to the room'}),
        make('h2', {text: titleOf(selection), tabindex: -1}), make('span', {class: 'kind',
            text: KINDS[selection.kind]}));
}

function errorNote() {
    const note = make('p', {class: 'field-error', hidden: true});
    form.parts.push(() => {
        const {error} = store.state;
        note.hidden = !error;
        note.textContent = error ? `${error.line ? `Line ${error.line}: ` : ''}${messageOf(error)}` : '';
    });
    return note;
}

function build() {
    const isFocused = page.contains(document.activeElement);
    const focused = isFocused && document.activeElement.closest('[data-key]');
    const key = focused && focused.dataset.key;
    const place = focused &&
        [...focused.querySelectorAll('input, select, button')].indexOf(document.activeElement);
    form = new Form(clear(page));
    const {selection, scene} = store.state, hasItem = selection && scene && titleOf(selection) !== '';
    if (hasItem)
        form.add(header(selection));
    form.add(errorNote());
    if (hasItem)
        inspectItem(form, selection);
    else
        showRoom(form);
    built = signature();
    const again = key && [...page.querySelectorAll('[data-key]')].find(one => one.dataset.key === key);
    if (again)
        again.querySelectorAll('input, select, button')[place]?.focus();
    if (isFocused && !page.contains(document.activeElement))
        settle(hasItem);
    before = selection;
}

/* The focus goes to the heading of what was chosen, or back to the entry that it was chosen from. */
function settle(hasItem) {
    const entry = before && page.querySelector(`[data-item="${before.kind} ${before.index}"]`);
    const heading = page.querySelector('.inspect-head h2');
    (hasItem ? heading : entry || document.getElementById('tab-inspect')).focus();
}

let isAsked = false;

/* Once a frame, however many events there are. */
function refresh() {
    if (isAsked)
        return;
    isAsked = true;
    requestAnimationFrame(() => {
        isAsked = false;
        if (signature() !== built)
            build();
        else
            form.refresh();
        const title = page.querySelector('.inspect-head h2');
        if (title)
            title.textContent = titleOf(store.state.selection);
    });
}

const inform = () => askInfo(isShown('inspect') && !store.state.selection);

export function mountInspector() {
    page = addTab('inspect', 'Inspect', () => inform());
    page.classList.add('inspect');
    build();
    for (const name of ['text', 'scene', 'error', 'selection', 'results', 'listening'])
        store.on(name, refresh);
    store.on('selection', inform);
    store.on('checked', inform);
    store.on('variants', inform);
    store.on('files', forgetInfo);
    Promise.allSettled([loadKeys(), loadLibrary()]).then(build);
}
