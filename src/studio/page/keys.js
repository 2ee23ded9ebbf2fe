/* SPDX-License-Identifier: MIT */
/* The keys of room files as the program describes them: choices, defaults, ranges and meanings. */
import {get} from './api.js';

let all = new Map();

/* Reads the keys once; without an answer, fields have no ranges and no explanations. */
export async function loadKeys() {
    const answer = await get('keys').catch(() => []);
    all = new Map();
    for (const key of Array.isArray(answer) ? answer : answer.keys || [])
        if (!all.has(key.key))
            all.set(key.key, key);
}

/* Description of a path such as sources[2].gain, or an empty object. */
export function keyOf(path) {
    return all.get(path.replace(/\[\d+\]/g, '[]')) || {};
}

/* The choices of a key. `known` serve until the program has answered. */
export function choicesOf(path, known = []) {
    return keyOf(path).choices || known;
}

export function defaultOf(path) {
    const text = keyOf(path).default;
    if (text === undefined)
        return undefined;
    const array = /^\[(.*)\]$/.exec(text);
    if (array)
        return array[1].split(',').map(Number);
    return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
