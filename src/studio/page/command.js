/* SPDX-License-Identifier: MIT */
/* The command line that renders the room as it is on the page: the saved file and --set for what differs. */
import {isAsking, openDialog} from './dialogs.js';
import {announce, make} from './dom.js';
import {lex, parse, plain, SyntaxMistake} from './room_syntax.js';
import {store} from './store.js';

/* The keys have changed in a way that --set cannot write. */
class NeedsSaving extends Error {}

const isGroups = node => node.type === 'list' && node.items.some(item => item.type === 'group');

const isSame = (a, b) => JSON.stringify(plain(a)) === JSON.stringify(plain(b));

/* Collects [path, text of the value] of every value of `now` that differs from `was`. A group that lost a key is written
   as a whole, as is a list that lost or gained an item; --set removes no key. */
function compareGroups(was, now, at, text, found) {
    const path = name => at ? `${at}.${name}` : name;
    const gone = was.settings.find(({name}) => !now.settings.some(one => one.name === name));
    if (was.includes.join() !== now.includes.join())
        throw new NeedsSaving('the included files differ');
    if (gone && !at)
        throw new NeedsSaving(`${gone.name} was removed`);
    if (gone) {
        found.push([at, valueOfNode(now, text)]);
        return;
    }
    for (const {name, value} of now.settings) {
        const old = was.settings.find(one => one.name === name);
        if (old)
            compareValues(old.value, value, path(name), text, found);
        else
            found.push([path(name), valueOfNode(value, text)]);
    }
}

function compareValues(was, now, path, text, found) {
    if (was.type === 'group' && now.type === 'group')
        compareGroups(was, now, path, text, found);
    else if (isGroups(was) && isGroups(now) && was.items.length === now.items.length)
        now.items.forEach((item, i) => compareValues(was.items[i], item, `${path}[${i}]`, text, found));
    else if (was.type !== now.type || !isSame(was, now))
        found.push([path, valueOfNode(now, text)]);
}

/* As the file writes it, on one line and without comments. */
function valueOfNode(node, text) {
    const raw = text.slice(node.start, node.end), tokens = lex(raw);
    const value = tokens.map(({type, start, end}) => type === 'space' || type === 'comment' ? ' ' : raw.slice(start, end))
        .filter((word, i, all) => word !== ' ' || all[i - 1] !== ' ').join('');
    if (tokens.some(({type}) => type === 'include'))
        throw new NeedsSaving('a group that includes a file has changed');
    if (/[\r\n\t]/.test(value))
        throw new NeedsSaving('a text has several lines');
    return value;
}

/* Pairs [key, value] that turn the saved text into the current one. Throws NeedsSaving if no such list does. */
export function changes(saved, current) {
    const found = [];
    compareGroups(parse(saved), parse(current), '', current, found);
    return found;
}

/* A word for a POSIX shell. */
export function quoted(word) {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

export function roomWord(file) {
    return quoted(file.shipped ? file.name.replace(/\.cfg$/, '') : file.path);
}

/* "--set ..." of what `text` changes in the saved file, a word for each; null if --set cannot write it. */
export function setsOf(text) {
    try {
        return changes(store.state.savedText, text).map(([key, value]) => `--set ${quoted(`${key}=${value}`)}`);
    } catch {
        return null;
    }
}

/* {command, note} for the state of the page; `note` tells why the command is not the whole. */
function commandOf({file, savedText, text}) {
    const command = `aula render ${roomWord(file)}`;
    if (file.copy)
        return {command, note: 'This room is not saved yet. Save it, then run the command on the saved file.'};
    try {
        const sets = changes(savedText, text).map(([key, value]) => `--set ${quoted(`${key}=${value}`)}`);
        return {command: [command, ...sets].join(' '), note: ''};
    } catch (reason) {
        if (!(reason instanceof NeedsSaving || reason instanceof SyntaxMistake))
            throw reason;
        const why = reason instanceof NeedsSaving ? `--set cannot write a change: ${reason.message}.`
            : `The room file has a mistake in line ${reason.line}.`;
        return {command, note: `${why} Save the file first; this command renders the saved one.`};
    }
}

/* The clipboard needs the focus and a secure page; selecting the text is the fallback. */
async function copy(area) {
    area.focus();
    area.select();
    try {
        await navigator.clipboard.writeText(area.value);
        return true;
    } catch {
        return document.execCommand('copy');
    }
}

/* Copies the command and shows it. */
export async function copyCommand() {
    if (!store.state.file || isAsking())
        return;
    const {command, note} = commandOf(store.state);
    const area = make('textarea', {readonly: true, class: 'command', rows: 4, 'aria-label': 'Command',
        spellcheck: 'false'});
    area.value = command;
    const state = make('p', {class: 'muted', role: 'status'});
    const again = async () => {
        const done = await copy(area);
        state.textContent = done ? 'Copied.' : 'Copy it with Ctrl+C.';
        announce(state.textContent);
    };
    const dialog = openDialog('Command line', {class: 'question'},
        note && make('p', {class: 'warnings', text: note}), area, state,
        make('div', {class: 'dialog-actions'}, make('button', {type: 'button', text: 'Copy again',
            on: {click: again}}),
             make('button', {type: 'button', class: 'primary', text: 'Close',
                 on: {click: () => dialog.close()}})));
    await again();
}
