/* SPDX-License-Identifier: MIT */
/* Changes of a room file that touch nothing but the value in question, so that comments and layout remain. The
   functions on texts are pure: they return {text, line} with the line of the change, or throw. */
import {say} from './dom.js';
import {childOf, lineOf, parse, plain, steps, SyntaxMistake} from './room_syntax.js';
import {CannotEdit, groupText, INTEGERS, numberText, valueText} from './room_values.js';
import {store} from './store.js';

export {CannotEdit, valueText};

/* ---- Finding ---- */

function nodeAt(text, path) {
    let node = parse(text);
    for (const step of steps(path)) {
        node = childOf(node, step);
        if (!node)
            return null;
    }
    return node;
}

/* {start, end, line, value, type} of the value of a path, or null where the text has none. */
export function find(text, path) {
    const node = nodeAt(text, path);
    return node && {start: node.start, end: node.end, line: lineOf(text, node.start), value: plain(node),
        type: node.type};
}

/* Value of a path, or `otherwise`; also for a text with a mistake. */
export function valueOf(text, path, otherwise = undefined) {
    try {
        const node = nodeAt(text, path);
        return node ? plain(node) : otherwise;
    } catch {
        return otherwise;
    }
}

/* ---- Replacing ---- */

function splice(text, start, end, insert) {
    return text.slice(0, start) + insert + text.slice(end);
}

/* An array of numbers of the same length keeps the spelling of the members that stay. */
function arrayText(text, node, value, name) {
    const isSame = node.type === 'array' && Array.isArray(value) && value.length === node.items.length &&
        value.length &&
                   node.items.every(item => item.type === 'number') && value.every(Number.isFinite);
    if (!isSame)
        return null;
    const asInteger = !node.items[0].float && value.every(Number.isInteger);
    if (!asInteger && !node.items[0].float)
        return null;
    let result = text.slice(node.start, node.end);
    for (let i = value.length - 1; i >= 0; i--) {
        const item = node.items[i];
        if (Math.abs(item.value - value[i]) > 1e-9)
            result = splice(result, item.start - node.start, item.end - node.start,
                            numberText(value[i], name, asInteger));
    }
    return result;
}

function replacement(text, node, value, name) {
    if (typeof value === 'number' && node.type === 'number') {
        if (node.value === value)
            return text.slice(node.start, node.end);
        return numberText(value, name, INTEGERS.has(name) || !node.float);
    }
    return arrayText(text, node, value, name) ?? valueText(value, name);
}

/* ---- Inserting ---- */

const newline = text => text.includes('\r\n') ? '\r\n' : '\n';

function lineStart(text, at) {
    return text.lastIndexOf('\n', at - 1) + 1;
}

function indentAt(text, at) {
    return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))[0];
}

/* Is there nothing but blanks before a place in its line. */
function isFirst(text, at) {
    return /^[ \t]*$/.test(text.slice(lineStart(text, at), at));
}

/* End of the blanks and comments that follow on the same line, without the line's end. */
function endOfRemark(text, at) {
    const rest = /^(?:[ \t]|\/\*[^]*?\*\/)*(?:(?:#|\/\/)[^\r\n]*)?/.exec(text.slice(at))[0];
    const end = at + rest.length;
    return /^\r?\n|^$/.test(text.slice(end)) ? end : at;
}

function marks(text) {
    let colons = 0;
    const count = group => {
        for (const {mark, value} of group.settings)
            if (value.type === 'group') {
                colons += mark === ':' ? 1 : -1;
                count(value);
            }
    };
    count(parse(text));
    return colons >= 0 ? ': ' : ' = ';
}

/* Puts `setting`, such as 'key = 1.0;', last into a group. Returns the new text and where the setting stands in it. */
function insertSetting(text, group, setting) {
    const root = group.start === 0 && text[0] !== '{', last = group.settings[group.settings.length - 1];
    if (!last) {
        if (!root)
            return {text: splice(text, group.start, group.end, `{ ${setting} }`), at: group.start + 2};
        const before = text && !text.endsWith('\n') ? newline(text) : '';
        return {text: text + before + setting + newline(text), at: text.length + before.length};
    }
    const stop = last.closed ? '' : ';';
    if (!root && !text.slice(last.end, group.end).includes('\n')) {
        const added = splice(text, last.end, last.end, `${stop} ${setting}`);
        return {text: added, at: last.end + stop.length + 1};
    }
    const closed = splice(text, last.end, last.end, stop), end = endOfRemark(closed, last.end + stop.length);
    const gap = root && /\n[ \t\r]*\n[^\n]*$/.test(text.slice(0, last.start)) ? newline(text) : '';
    const before = newline(text) + gap + indentAt(text, last.start);
    return {text: splice(closed, end, end, before + setting), at: end + before.length};
}

function settingText(text, names, value, indent) {
    const [name, ...rest] = names;
    if (rest.length)
        return `${name}${marks(text)}{ ${settingText(text, rest, value, indent)} };`;
    const mark = value && typeof value === 'object' && !Array.isArray(value) ? marks(text) : ' = ';
    return `${name}${mark}${valueText(value, name)};`;
}

const OFTEN_INCLUDED = new Set(['room', 'materials', 'sources', 'receivers', 'scattering_classes', 'presets']);

function refuseIncluded(group, names, path) {
    const isItem = names.some(name => typeof name === 'number');
    if (group.includes.length && (isItem || OFTEN_INCLUDED.has(names[0])))
        throw new CannotEdit(`${path} stands in ${group.includes.join(' or ')}, which this file includes; edit it there.`);
    if (isItem)
        throw new CannotEdit(`The room file has no ${path}.`);
}

/* Replaces the value of a path, or adds the key; undefined removes it. */
export function setValue(text, path, value) {
    if (value === undefined)
        return removeKey(text, path);
    const all = steps(path);
    let node = parse(text);
    for (let i = 0; i < all.length; i++) {
        const child = childOf(node, all[i]);
        if (!child) {
            if (node.type !== 'group')
                throw new CannotEdit(`The room file has no ${path}.`);
            refuseIncluded(node, all.slice(i), path);
            const added = insertSetting(text, node, settingText(text, all.slice(i), value));
            return {text: added.text, line: lineOf(added.text, added.at)};
        }
        node = child;
    }
    const name = all.filter(step => typeof step === 'string').pop();
    const changed = splice(text, node.start, node.end, replacement(text, node, value, name));
    return {text: changed, line: lineOf(changed, node.start)};
}

/* ---- Items of lists ---- */

function listAt(text, path) {
    const node = nodeAt(text, path);
    if (node && !node.items)
        throw new CannotEdit(`${path} is no list.`);
    return node;
}

function column(text, at) {
    return at - lineStart(text, at);
}

/* Puts an item, as text, last into a list. */
function appendItem(text, list, item) {
    const last = list.items[list.items.length - 1];
    if (!last)
        return {text: splice(text, list.start, list.end, `( ${item} )`), at: list.start + 2};
    const comma = last.comma === null ? ',' : '';
    const joined = splice(text, last.end, last.end, comma), from = (last.comma ?? last.end) + 1;
    const isOpen = text.slice(last.end, list.end).includes('\n');
    const at = isOpen ? endOfRemark(joined, from) : from;
    const first = isFirst(text, last.start) ? last : list.items[0];
    const indent = isFirst(text, first.start) ? indentAt(text, first.start) : ' '.repeat(column(text,
        first.start));
    return {text: splice(joined, at, at, newline(text) + indent + item),
        at: at + newline(text).length + indent.length};
}

/* Adds an object to a list, which is made where the text has none. Adds `index`. */
export function addItem(text, path, object) {
    const list = listAt(text, path), item = groupText(object);
    let added;
    if (list) {
        added = appendItem(text, list, item);
    } else {
        const all = steps(path), name = all.pop(), group = all.length ? nodeAt(text, all.join('.')) : parse(text);
        if (!group || group.type !== 'group')
            throw new CannotEdit(`The room file has no ${all.join('.')}.`);
        if (group.includes.length)
            refuseIncluded(group, [name, 0], path);
        const last = group.settings[group.settings.length - 1], indent = last ? indentAt(text, last.start) : '';
        const end = newline(text);
        added = insertSetting(text, group, `${name}: (${end}${indent}  ${item}${end}${indent});`);
    }
    return {text: added.text, line: lineOf(added.text,
        added.at + (list ? 0 : added.text.slice(added.at).indexOf('{'))),
            index: list ? list.items.length : 0};
}

/* Puts an object before an item of a list. */
export function insertItem(text, path, object) {
    const item = nodeAt(text, path);
    if (!item)
        throw new CannotEdit(`The room file has no ${path}.`);
    const gap = isFirst(text, item.start) ? newline(text) + indentAt(text, item.start) : ' ';
    return {text: splice(text, item.start, item.start, `${groupText(object)},${gap}`), line: lineOf(text,
        item.start)};
}

/* Takes characters away; the whole lines if nothing else stands in them. */
function cut(text, start, end) {
    const stop = endOfRemark(text, end);
    if (isFirst(text, start) && (stop > end || /^(\r?\n|$)/.test(text.slice(end)))) {
        const after = /^\r?\n/.exec(text.slice(stop));
        return splice(text, lineStart(text, start), stop + (after ? after[0].length : 0), '');
    }
    return splice(text, start, end + /^[ \t]*/.exec(text.slice(end))[0].length, '');
}

function split(path) {
    const found = /^(.*)\[(\d+)\]$/.exec(path);
    if (!found)
        throw new CannotEdit(`${path} is no item of a list.`);
    return {path: found[1], index: Number(found[2])};
}

/* Removes an item with its comma and the comment of its line. */
export function removeItem(text, path) {
    const {path: parent, index} = split(path), list = listAt(text, parent), item = list && list.items[index];
    if (!item)
        throw new CannotEdit(`The room file has no ${path}.`);
    const before = list.items[index - 1];
    if (before && item.comma === null && /^\s*$/.test(text.slice(before.comma + 1, item.start))) {
        const end = endOfRemark(text, item.end);
        return {text: splice(text, before.comma, end, ''), line: lineOf(text, before.comma)};
    }
    let changed = cut(text, item.start, item.comma === null ? item.end : item.comma + 1);
    if (before && item.comma === null)
        changed = splice(changed, before.comma, before.comma + 1, '');
    return {text: changed, line: lineOf(changed, Math.min(item.start, changed.length))};
}

/* Appends a copy of an item, with `changes` of its keys. Adds `index`. */
export function duplicate(text, path, changes = {}) {
    const {path: parent} = split(path), item = nodeAt(text, path), list = listAt(text, parent);
    if (!item)
        throw new CannotEdit(`The room file has no ${path}.`);
    let {text: changed} = appendItem(text, list, text.slice(item.start, item.end));
    const index = list.items.length, key = `${parent}[${index}]`;
    for (const [name, value] of Object.entries(changes))
        ({text: changed} = setValue(changed, `${key}.${name}`, value));
    return {text: changed, line: find(changed, key).line, index};
}

/* Removes a key, if the text has it. */
export function removeKey(text, path) {
    const all = steps(path), name = all.pop();
    let node = parse(text);
    for (const step of all)
        node = node && childOf(node, step);
    const setting = node && node.settings && node.settings.find(one => one.name === name);
    if (!setting)
        return {text, line: null};
    const changed = cut(text, setting.start, setting.end);
    return {text: changed, line: lineOf(changed, Math.min(setting.start, changed.length))};
}

/* ---- On the active variant ---- */

/* Applies a change to the active text as one step of undo. Returns what `change` returned, or null with a message. */
export function editText(change, {label = 'edit', merge = null} = {}) {
    try {
        const result = change(store.state.text);
        store.edit(result.text, {label, line: result.line, merge});
        return result;
    } catch (mistake) {
        if (mistake instanceof SyntaxMistake)
            say(`The room file has a mistake in line ${mistake.line}; mend it first.`, 'warning');
        else if (mistake instanceof CannotEdit)
            say(mistake.message, 'warning');
        else
            throw mistake;
        return null;
    }
}

export const editValue = (path, value, options = {}) =>
    editText(text => setValue(text, path, value), {label: `change ${path}`, ...options});

export const editAdd = (path, object, options = {}) =>
    editText(text => addItem(text, path, object), {label: `add to ${path}`, ...options});

export const editRemove = (path, options = {}) =>
    editText(text => removeItem(text, path), {label: `remove ${path}`, ...options});
