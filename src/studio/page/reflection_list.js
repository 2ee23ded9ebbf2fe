/* SPDX-License-Identifier: MIT */
/* A table of reflections. The row under the pointer, or with the focus, shows its path in the views; arrows, Home and End
   go from row to row. */
import {clear, format, make} from './dom.js';
import {readableName} from './library.js';

const minus = text => text.replace('-', '−');

function row(one, index) {
    const level = one.level === null ? '–' : minus(format(one.level, 1));
    return make('tr', {tabindex: index ? -1 : 0, 'data-index': index, 'aria-selected': 'false'},
        make('td', {text: format(1000 * one.time, 1)}), make('td', {text: level}), make('td', {text: String(one.order)}),
        make('td', {class: 'walls', text: one.materials.map(readableName).join(', ')}));
}

function table(list, events) {
    return make('table', {class: 'numbers list', role: 'grid', 'aria-label': 'Reflections', on: events},
        make('thead', {}, make('tr', {}, ...['ms', 'dB', 'Order'].map(text => make('th', {scope: 'col', text})),
            make('th', {scope: 'col', class: 'walls', text: 'Materials'}))),
        make('tbody', {}, ...list.map(row)));
}

const rowOf = event => event.target.closest('tbody tr');
const indexOf = item => item ? +item.dataset.index : null;

/* choose(index | null). Returns {element, fill, mark}. */
export function reflectionList(choose) {
    const element = make('div', {class: 'scroll mode-list'});
    let rows = [], marked = null;
    const focus = index => {
        const next = rows[Math.max(0, Math.min(rows.length - 1, index))];
        rows.forEach(item => item.setAttribute('tabindex', item === next ? 0 : -1));
        next.focus();
    };
    const mark = index => {
        if (index === marked)
            return;
        for (const [at, isMarked] of [[marked, false], [index, true]]) {
            rows[at]?.classList.toggle('chosen', isMarked);
            rows[at]?.setAttribute('aria-selected', String(isMarked));
        }
        marked = index;
    };
    const pick = index => {
        mark(index);
        choose(index);
    };
    const events = {
        pointerover: event => rowOf(event) && pick(indexOf(rowOf(event))),
        pointerleave: () => pick(indexOf(rows.find(item => item === document.activeElement))),
        click: event => rowOf(event) && focus(indexOf(rowOf(event))),
        focusin: event => rowOf(event) && pick(indexOf(rowOf(event))),
        focusout: event => !element.contains(event.relatedTarget) && pick(null),
        keydown: event => {
            const at = indexOf(rowOf(event));
            const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1,
                          PageDown: at + 10, PageUp: at - 10}[event.key];
            if (at === null || next === undefined)
                return;
            event.preventDefault();
            event.stopPropagation();
            focus(next);
        },
    };
    return {
        element, mark,
        fill: list => {
            clear(element).append(table(list, events));
            rows = [...element.querySelectorAll('tbody tr')];
            marked = null;
        },
    };
}
