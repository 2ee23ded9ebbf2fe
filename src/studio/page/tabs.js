/* SPDX-License-Identifier: MIT */
/* The tabs of the panel, with the keys of the ARIA pattern: arrows, Home and End. */
import {make} from './dom.js';

const pages = new Map();

/* On a narrow page the list scrolls sideways; the page itself stays where it is. */
function reveal(tab) {
    const list = tab.parentNode;
    list.scrollLeft += tab.getBoundingClientRect().left - list.getBoundingClientRect().left -
        (list.clientWidth - tab.offsetWidth) / 2;
}

function choose(name, focus = false) {
    for (const [other, {tab, page}] of pages) {
        const chosen = other === name;
        tab.setAttribute('aria-selected', chosen);
        tab.tabIndex = chosen ? 0 : -1;
        page.hidden = !chosen;
        if (chosen && focus)
            tab.focus();
        if (chosen)
            reveal(tab);
    }
    const {shown} = pages.get(name);
    if (shown)
        shown();
}

function pressed(event) {
    const names = [...pages.keys()], at = names.indexOf(event.currentTarget.dataset.name);
    const next = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1}[event.key];
    if (next === undefined)
        return;
    event.preventDefault();
    choose(names[(next + names.length) % names.length], true);
}

/* Adds a page and returns its element; `shown` is called whenever it is chosen. */
export function addTab(name, title, shown = null) {
    const page = make('div', {role: 'tabpanel', id: `page-${name}`, 'aria-labelledby': `tab-${name}`, hidden: true});
    const tab = make('button', {role: 'tab', id: `tab-${name}`, 'aria-controls': `page-${name}`, 'aria-selected': 'false',
                                'data-name': name, tabindex: -1, text: title,
                                on: {click: () => choose(name), keydown: pressed}});
    document.getElementById('tabs').append(tab);
    document.getElementById('pages').append(page);
    pages.set(name, {tab, page, shown});
    if (pages.size === 1)
        choose(name);
    return page;
}

export function showTab(name) {
    choose(name);
}

export function isShown(name) {
    return pages.has(name) && !pages.get(name).page.hidden;
}
