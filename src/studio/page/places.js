/* SPDX-License-Identifier: MIT */
/* Paths of files, those opened last, and what a copy in another folder needs. */
import {find, setValue} from './room_text.js';
import {lex, parse} from './room_syntax.js';

const RECENT = 'aula.recent', RECENT_MAX = 8;

export const baseName = path => path.split(/[\\/]/).pop();

export const folderOf = path => path.slice(0, Math.max(0,
    path.length - baseName(path).length)).replace(/(.)[\\/]$/, '$1');

export function join(folder, name) {
    const mark = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
    return !folder ? name : /[\\/]$/.test(folder) ? folder + name : folder + mark + name;
}

export const isAbsolute = path => /^([\\/]|[A-Za-z]:[\\/])/.test(path);

export function recentFiles() {
    try {
        const list = JSON.parse(localStorage.getItem(RECENT) || '[]');
        return Array.isArray(list) ? list.filter(path => typeof path === 'string') : [];
    } catch {
        return [];
    }
}

/* Some browsers refuse storage; the list is then empty. */
export function remember(path) {
    try {
        const list = [path, ...recentFiles().filter(one => one !== path)].slice(0, RECENT_MAX);
        localStorage.setItem(RECENT, JSON.stringify(list));
    } catch {
        /* nothing is lost but the list */
    }
}

/* Paths of the keys named `file` in a tree. */
function fileKeys(node, at, found) {
    if (node.type === 'group')
        for (const {name, value} of node.settings) {
            const path = at ? `${at}.${name}` : name;
            if (name === 'file' && value.type === 'string')
                found.push(path);
            else
                fileKeys(value, path, found);
        }
    else if (node.items)
        node.items.forEach((item, i) => fileKeys(item, `${at}[${i}]`, found));
    return found;
}

/* Names of included files, from the last to the first, so that places stay true. */
function movedIncludes(text, from) {
    for (const {type, start, end} of lex(text).reverse())
        if (type === 'include')
            text = text.slice(0, start) + text.slice(start, end).replace(/"(.*?)"/, (all, name) =>
                isAbsolute(name) ? all : `"${join(from, name)}"`) + text.slice(end);
    return text;
}

/* The text for another folder: names of files that are relative to the old one become absolute. */
export function moved(text, from, to) {
    if (!from || from === to)
        return text;
    let keys;
    try {
        keys = fileKeys(parse(text), '', []);
    } catch {
        return text;
    }
    for (const key of keys) {
        const {value} = find(text, key);
        if (value && !isAbsolute(value))
            ({text} = setValue(text, key, join(from, value)));
    }
    return movedIncludes(text, from);
}

/* A text in which files have the names that they got from `before` to `after`. */
export function renamed(text, before, after) {
    const names = new Map();
    try {
        for (const key of fileKeys(parse(before), '', []))
            names.set(find(before, key).value, find(after, key)?.value);
        for (const key of fileKeys(parse(text), '', [])) {
            const name = names.get(find(text, key).value);
            if (name)
                ({text} = setValue(text, key, name));
        }
    } catch {
        /* a text with a mistake keeps its names */
    }
    return text;
}
