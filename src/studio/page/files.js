/* SPDX-License-Identifier: MIT */
/* Opening and saving: the welcome, save and save as, files that changed on disk, and files dropped on the page. */
import {post} from './api.js';
import {ask, isAsking, openDialog} from './dialogs.js';
import {announce, make, say} from './dom.js';
import {canOpen, takeFiles} from './import.js';
import {baseName, folderOf, isAbsolute, join, moved, recentFiles, remember, renamed} from './places.js';
import {store} from './store.js';

const ENDINGS = '.cfg,.obj,.mtl,.gltf,.glb,.bin,.stl,.ply,.ifc,.dae';

/* ---- Opening ---- */

/* May the text on the page be left. */
async function mayLeave() {
    const {file} = store.state;
    const rest = store.unsaved(), isActive = rest.length === 1 && rest[0].id === store.state.active;
    if (!file || !rest.length)
        return true;
    const what = store.state.variants.length === 1 ? file.name : `Variant ${rest.map(({id}) => id).join(' and ')} of ${file.name}`;
    const answer = await ask('Unsaved changes', `${what} has changes that no file has.` +
        (isActive ? '' : ' Save each variant that you want to keep, under a name of its own.'), [
        ...(isActive ? [{text: 'Save', value: 'save', class: 'primary'}] : []), {text: 'Discard', value: 'discard'},
        {text: 'Cancel', value: null}]);
    if (answer === 'discard')
        await store.discard(rest.map(({id}) => id));
    return answer === 'discard' || answer === 'save' && await save();
}

/* Opens a path, or a shipped room by its name. */
async function openPath(path, more = {}) {
    const {file, text, autosave} = await post('open', {path});
    await store.load({...file, dirty: false, ...more}, text);
    if (!file.shipped && !more.copy)
        remember(file.path);
    announce(`${file.name} is open`);
    offerAutosave(autosave);
}

/* Opens what was chosen or dropped; a room file from the browser has no path, so it is opened as a copy. */
async function openFiles(list) {
    const files = [...list];
    if (!files.length || !canOpen(files) || !await mayLeave())
        return false;
    try {
        return await takeFiles(files, path => openPath(path, {copy: true}));
    } catch (refusal) {
        say(refusal.message, 'error');
        return false;
    }
}

/* The title is the first clause of what the file says about itself. */
function card(room, open) {
    const [, title, more] = room.about.replace(/\bm3\b/g, 'm³').match(/^([^:]*)(?:: *)?(.*)$/s);
    return make('button', {type: 'button', class: 'card', on: {click: () => open(room.path || room.name)}},
                make('strong', {text: title || room.name.replace(/_/g, ' ')}),
                make('span', {class: 'muted', text: `${room.name}.cfg`}), more && make('span', {class: 'muted', text: more}));
}

function recentList(open) {
    const paths = recentFiles();
    return paths.length && make('section', {}, make('h3', {text: 'Opened last'}),
        make('ul', {class: 'recent'}, ...paths.map(path => make('li', {}, make('button', {type: 'button',
            class: 'entry', title: path,
            on: {click: () => open(path)}}, make('strong', {text: baseName(path)}),
            make('span', {class: 'muted path', text: folderOf(path)}))))));
}

function fileChooser(done) {
    const input = make('input', {type: 'file', class: 'hidden', multiple: true, accept: ENDINGS, tabindex: -1,
                                 'aria-hidden': 'true', 'aria-label': 'Files'});
    input.addEventListener('change', async () => {
        if (await openFiles(input.files))
            done();
        input.value = '';
    });
    return [make('button', {type: 'button', text: 'Choose a file …', on: {click: () => input.click()}}), input];
}

/* Rooms that ship, files opened last, a path, a file of the browser. */
function showOpen(title, lead) {
    const message = make('p', {class: 'field-error', role: 'alert', hidden: true});
    const path = make('input', {type: 'text', id: 'open-path', autocomplete: 'off', spellcheck: 'false',
                                placeholder: '/home/me/rooms/hall.cfg'});
    const open = async where => {
        message.hidden = true;
        try {
            if (!await mayLeave())
                return;
            await openPath(where);
            dialog.close(true);
        } catch (refusal) {
            message.textContent = refusal.message;
            message.hidden = false;
        }
    };
    const {begin} = store.state, rooms = begin && begin.rooms || [];
    const dialog = openDialog(title, {class: 'welcome'},
        make('p', {class: 'muted', text: lead}), message,
        make('section', {class: 'own'}, make('h3', {text: 'Your own'}),
            make('div', {class: 'path-row'}, make('label', {for: 'open-path', text: 'Room file'}), path,
                 make('button', {type: 'submit', text: 'Open'})),
            make('div', {class: 'path-row'}, ...fileChooser(() => dialog.close(true)),
                 make('span', {class: 'muted',
                     text: 'or drop one here: a room file, or OBJ, glTF, STL, PLY, DAE, IFC'}))),
        recentList(open),
        make('section', {}, make('h3', {text: 'Rooms that ship with aula'}),
             make('div', {class: 'cards'}, ...rooms.map(room => card(room, open)))));
    dialog.form.addEventListener('submit', () => path.value.trim() && open(path.value.trim()));
    return dialog.result;
}

export const showWelcome = () => showOpen('aula studio',
    'See, change and hear a room. Begin with one of these, or with your own.');

export const openFile = () => isAsking() ? null : showOpen('Open a room', 'The room on the page is replaced.');

/* ---- Saving ---- */

/* The other variants, too, need the names that files have in the new folder. */
function renameInVariants(before, after) {
    const {active, variants} = store.state;
    for (const v of [...variants]) {
        const text = v.id === active ? v.text : renamed(v.text, before, after);
        if (text === v.text)
            continue;
        store.activate(v.id);
        store.edit(text, {label: 'name files in the new folder'});
    }
    store.activate(active);
}

/* `before`: the text of the page; the program answers with the text of the file if it copied models beside it. */
function saved({file, text: settled}, before, sent = before) {
    const after = settled ?? sent;
    store.variant().saved = before;
    store.set('files', {file: {...file, changedOnDisk: false, copy: false}, savedText: after});
    if (after !== before && store.state.text === before) {
        store.edit(after, {label: 'name files in the new folder', now: true});
        if (store.state.variants.length > 1)
            renameInVariants(before, after);
    }
    store.set('text', {file: {...store.state.file, dirty: store.unsaved().length > 0}});
    for (const {id} of store.state.variants)
        store.keepSoon(id);
    remember(file.path);
    say(`Saved ${file.name}.`);
}

const isConflict = refusal => refusal.status === 409;

async function reload() {
    const {file} = store.state;
    await openPath(file.path);
}

/* The file is another one on disk than the one that was opened. */
async function settle(path, text) {
    const {file} = store.state;
    const answer = await ask(`${file.name} changed on disk`,
        'Another program has written the file since it was opened.', [
        {text: 'Replace it', value: 'replace', class: 'danger'}, {text: 'Reload', value: 'reload'},
        {text: 'Save as …', value: 'as'}]);
    if (answer === 'reload')
        await reload();
    else if (answer === 'as')
        return saveFileAs();
    if (answer !== 'replace')
        return false;
    saved(await post('save', {path, text, replace: true}), text);
    return true;
}

/* Saves the active variant, as the key Ctrl+S does. */
export const saveFile = () => store.state.file && !isAsking() ? save() : Promise.resolve(false);

/* Resolves to whether the active variant is saved. */
async function save() {
    const {file, text} = store.state;
    if (file.shipped || file.copy || file.writable === false)
        return saveFileAs();
    try {
        saved(await post('save', {path: file.path, text, known: store.state.savedText}), text);
        return true;
    } catch (refusal) {
        if (isConflict(refusal))
            return settle(file.path, text).catch(failed => say(failed.message, 'error'));
        say(refusal.message, 'error');
        return false;
    }
}

/* The program knows the home folder of ~. */
function asRoomFile(path, folder) {
    const full = isAbsolute(path) || path.startsWith('~/') ? path : join(folder, path);
    return /\.cfg$/i.test(full) ? full : `${full}.cfg`;
}

/* Where a copy goes at first: the folder in which the program was started. */
function proposal(file, folder) {
    return join(file.shipped || file.copy ? folder : file.folder || folderOf(file.path), file.name);
}

/* Asks for a path and saves there. Resolves to whether it is saved. */
export async function saveFileAs() {
    const {file, begin} = store.state;
    if (!file)
        return false;
    const folder = begin && begin.folder || file.folder || '';
    const input = make('input', {type: 'text', id: 'save-path', value: proposal(file, folder), autocomplete: 'off',
                                 spellcheck: 'false', required: true, autofocus: true});
    const message = make('p', {class: 'field-error', role: 'alert', hidden: true});
    const button = make('button', {type: 'submit', class: 'primary', text: 'Save'});
    let replace = null; /* the path that may be replaced: the one that was refused last */
    const dialog = openDialog('Save as', {class: 'question'},
        make('div', {class: 'field'}, make('label', {for: 'save-path', text: 'File'}), input), message,
        file.shipped && make('p', {class: 'muted', text: 'A room that ships with aula is saved as a copy.'}),
        make('div', {class: 'dialog-actions'},
             make('button', {type: 'button', text: 'Cancel', on: {click: () => dialog.close()}}), button));
    input.addEventListener('input', () => {
        button.textContent = 'Save';
    });
    dialog.form.addEventListener('submit', async () => {
        const path = asRoomFile(input.value.trim(), folder);
        const before = store.state.text, text = moved(before, file.folder || folderOf(file.path), folderOf(path));
        try {
            const answer = await post('save', {path, text, replace: replace === path &&
                button.textContent === 'Replace'});
            saved(answer, before, text);
            dialog.close(true);
        } catch (refusal) {
            replace = isConflict(refusal) ? path : null;
            message.textContent = replace ? `${baseName(path)} exists.` : refusal.message;
            message.hidden = false;
            button.textContent = replace ? 'Replace' : 'Save';
        }
    });
    input.setSelectionRange(input.value.length - file.name.length, input.value.length - 4);
    return Boolean(await dialog.result);
}

/* ---- What happened outside the page ---- */

function clock(time) {
    const date = new Date(typeof time === 'number' && time < 1e12 ? 1000 * time : time);
    return Number.isNaN(date.getTime()) ? '' : ` of ${date.toLocaleString([], {dateStyle: 'medium', timeStyle: 'short'})}`;
}

/* Changes that an earlier page kept: [{variant, text, time}]. The key Escape restores, too, as undo takes that back. */
export async function offerAutosave(kept) {
    if (!kept || !kept.length)
        return;
    const {file} = store.state, ids = kept.map(({variant}) => variant);
    const answer = await ask('Restore unsaved changes?', `Changes${clock(Math.max(...kept.map(({time}) => time)))} to ` +
        `${file.name} were not saved${ids.join() === 'A' ? '' : `: variant ${ids.join(' and ')}`}.`, [
        {text: 'Restore', value: 'restore', class: 'primary'}, {text: 'Discard', value: 'discard'}]);
    if (answer === 'discard') {
        await store.discard(ids);
        return;
    }
    for (const {variant, text} of kept) {
        while (!store.variant(variant))
            store.addVariant();
        store.activate(variant);
        store.edit(text, {label: 'restore unsaved changes', now: true});
    }
    store.activate(ids[0]);
}

/* A bar below the top bar while the file differs on disk. */
function watchFile() {
    let bar = null;
    const keep = () => store.set('files', {file: {...store.state.file, changedOnDisk: false}});
    store.on('files', ({file}) => {
        if (!file || !file.changedOnDisk) {
            bar?.remove();
            bar = null;
        } else if (!bar) {
            bar = make('div', {class: 'file-bar', role: 'alert'}, make('span',
                {text: `${file.name} changed on disk.`}),
                make('button', {type: 'button', text: 'Reload',
                                on: {click: () => mayLeave().then(may => may && reload())
                                    .catch(refusal => say(refusal.message, 'error'))}}),
                make('button', {type: 'button', text: 'Keep mine', on: {click: keep}}));
            document.getElementById('bar').append(bar);
        }
    });
}

const hasFiles = event => event.dataTransfer && [...event.dataTransfer.types].includes('Files');

/* Files may be dropped anywhere, also on a dialog, which lies above everything. */
function watchDrops() {
    let overlay = null;
    const hide = () => {
        overlay?.remove();
        overlay = null;
    };
    document.addEventListener('dragover', event => {
        if (!hasFiles(event))
            return;
        event.preventDefault();
        if (!overlay) {
            overlay = make('div', {class: 'drop', text: 'Drop a room file or a model to open it'});
            (document.querySelector('dialog[open]') || document.body).append(overlay);
        }
    });
    document.addEventListener('dragleave', event => {
        if (!event.relatedTarget)
            hide();
    });
    document.addEventListener('drop', async event => {
        hide();
        if (!hasFiles(event))
            return;
        event.preventDefault();
        const list = [...event.dataTransfer.files], open = document.querySelector('dialog.welcome');
        if (await openFiles(list))
            open?.close();
    });
}

export function mountFiles() {
    watchFile();
    watchDrops();
    store.on('files', ({file}) => {
        if (file && !file.shipped && !file.copy)
            remember(file.path);
    });
}
