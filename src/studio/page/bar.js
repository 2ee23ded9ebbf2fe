/* SPDX-License-Identifier: MIT */
/* The bar at the top: file, undo, variants. */
import {copyCommand} from './command.js';
import {ask} from './dialogs.js';
import {clear, make} from './dom.js';
import {openFile, saveFile} from './files.js';
import {store} from './store.js';

function button(text, label, click, more = {}) {
    return make('button', {text, title: label, 'aria-label': label, on: {click}, ...more});
}

/* A text that nothing else has is not removed without a question. */
async function removeVariant() {
    const {active, variants} = store.state, v = store.variant();
    const isLost = store.unsaved().includes(v) && !variants.some(({id, text}) => id !== active && text === v.text);
    if (!isLost || await ask(`Remove variant ${active}?`, 'Its changes are in no file, and undo does not bring them back.', [
        {text: 'Remove', value: true, class: 'danger'}, {text: 'Cancel', value: null}]))
        store.removeVariant(active);
}

function showVariants(group) {
    const isFocused = group.contains(document.activeElement);
    clear(group);
    for (const v of store.state.variants)
        group.append(make('button', {class: 'variant', 'data-colour': v.colour, text: v.label,
            'aria-pressed': String(v.id === store.state.active), 'aria-label': `Variant ${v.label}`,
            title: `Variant ${v.label}: key ${v.colour}`, on: {click: () => store.activate(v.id)}}));
    const {length} = store.state.variants;
    if (length)
        group.append(button('+', length < 3 ? 'Add a variant: a copy of this one' : 'There are three variants at most',
            store.addVariant, {class: 'plain', disabled: length >= 3}));
    if (length > 1)
        group.append(button('−', 'Remove this variant', removeVariant, {class: 'plain'}));
    if (isFocused)
        group.querySelector('[aria-pressed=true]')?.focus();
}

function isTyping(target) {
    return target.closest('input, textarea, select, [contenteditable], dialog');
}

const COMMANDS = {s: saveFile, o: openFile, y: store.redo};

function pressed(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
        const act = key === 'z' ? (event.shiftKey ? store.redo : store.undo) : COMMANDS[key];
        if (!act || key !== 's' && key !== 'o' && isTyping(event.target))
            return;
        event.preventDefault();
        act();
    } else if (!event.altKey && !isTyping(event.target) && store.state.variants[+key - 1]) {
        store.activate(store.state.variants[+key - 1].id);
    }
}

export function mountBar(bar) {
    const name = make('span', {class: 'name'}), variants = make('div', {class: 'group', role: 'group',
                                                                       'aria-label': 'Variants'});
    const undo = button('↶', 'Undo (Ctrl+Z)', store.undo), redo = button('↷', 'Redo (Ctrl+Shift+Z)', store.redo);
    const save = button('Save', 'Save the room file (Ctrl+S)', () => saveFile());
    bar.append(make('div', {class: 'group'}, name),
        make('div', {class: 'group'}, button('Open', 'Open a room or a model (Ctrl+O)', () => openFile()), save),
        make('div', {class: 'group'}, undo, redo), variants,
        make('div', {class: 'group push'}, button('Copy as command', 'Copy the command line that renders this room',
                                                  () => copyCommand())));
    store.on('any', s => {
        const v = store.variant();
        name.textContent = s.file ? s.file.name + (s.file.dirty ? ' •' : '') : 'aula studio';
        name.title = !s.file ? '' : s.file.copy ? 'Kept in this page alone until you save it' : s.file.path;
        document.title = s.file ? `${s.file.dirty ? '• ' : ''}${s.file.name} – aula studio` : 'aula studio';
        undo.disabled = !v || !v.undo.length;
        redo.disabled = !v || !v.redo.length;
        save.disabled = !s.file;
    });
    store.on('variants', () => showVariants(variants));
    document.addEventListener('keydown', pressed);
}
