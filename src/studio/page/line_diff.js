/* SPDX-License-Identifier: MIT */
/* Differences between two texts, line by line: the longest common subsequence. */
import {make} from './dom.js';

const LIMIT = 4e6;   /* products of lines above which the middle is shown as replaced */
const CONTEXT = 3;   /* equal lines around a difference */

/* lengths[i][k]: the longest common subsequence of a from i on and b from k on. */
function lengths(a, b) {
    const table = Array.from({length: a.length + 1}, () => new Uint32Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--)
        for (let k = b.length - 1; k >= 0; k--)
            table[i][k] = a[i] === b[k] ? table[i + 1][k + 1] + 1 : Math.max(table[i + 1][k], table[i][k + 1]);
    return table;
}

function middle(a, b) {
    if (a.length * b.length > LIMIT)
        return [...a.map(text => ({sign: '-', text})), ...b.map(text => ({sign: '+', text}))];
    const table = lengths(a, b), rows = [];
    let i = 0, k = 0;
    while (i < a.length || k < b.length)
        if (i < a.length && k < b.length && a[i] === b[k]) {
            rows.push({sign: ' ', text: a[i++]});
            k++;
        } else if (i < a.length && (k === b.length || table[i + 1][k] >= table[i][k + 1])) {
            rows.push({sign: '-', text: a[i++]});
        } else {
            rows.push({sign: '+', text: b[k++]});
        }
    return rows;
}

/* Rows {sign: ' ', '-' or '+', text} that turn the first text into the second. */
export function difference(from, to) {
    const a = from.split('\n'), b = to.split('\n');
    let start = 0, end = 0;
    while (start < Math.min(a.length, b.length) && a[start] === b[start])
        start++;
    while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end])
        end++;
    const same = lines => lines.map(text => ({sign: ' ', text}));
    return [...same(a.slice(0, start)), ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
            ...same(end ? a.slice(-end) : [])];
}

const WORDS = {'-': 'removed', '+': 'added', ' ': ''};

/* An element with the rows that differ and a few around them. */
export function differenceView(from, to) {
    const rows = difference(from, to), view = make('div', {class: 'difference', tabindex: 0, role: 'group',
                                                           'aria-label': 'Differences'});
    const near = rows.map((row, i) => rows.slice(Math.max(0, i - CONTEXT),
        i + CONTEXT + 1).some(one => one.sign !== ' '));
    let line = 0, isGap = false;
    rows.forEach((row, i) => {
        line += row.sign !== '-';
        if (!near[i]) {
            isGap = true;
            return;
        }
        if (isGap)
            view.append(make('div', {class: 'gap', text: '⋯'}));
        isGap = false;
        const kind = WORDS[row.sign];
        view.append(make('div', {class: `row ${kind}`}, make('span', {class: 'number',
            text: row.sign === '-' ? '' : String(line)}),
            make('span', {class: 'sign', 'aria-label': kind || null, text: row.sign}), make('code',
                {text: row.text || ' '})));
    });
    return view;
}
