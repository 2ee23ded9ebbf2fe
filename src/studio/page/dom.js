/* SPDX-License-Identifier: MIT */
/* Elements, messages and numbers. Text from files reaches the page as text alone, never as markup. */

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false)
            continue;
        if (name === 'text')
            element.textContent = value;
        else if (name === 'on')
            for (const [event, f] of Object.entries(value))
                element.addEventListener(event, f);
        else
            element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.filter(child => child !== null && child !== undefined && child !== false));
    return element;
}

export function make(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes = {}, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function clear(element) {
    element.replaceChildren();
    return element;
}

/* For screen readers, without a visible trace. */
export function announce(text) {
    document.getElementById('announcements').textContent = text;
}

const SECONDS = {note: 4, warning: 10, error: 0}; /* until a message goes; 0: when it is closed */

/* Puts the messages above an open dialog, and within it: all that is outside a modal dialog is inert. */
export function raiseMessages() {
    const list = document.getElementById('messages'), open = [...document.querySelectorAll('dialog[open]')].pop();
    const host = open || document.body;
    if (list.parentNode !== host)
        host.append(list);
    list.style.setProperty('--player', `${document.getElementById('player').offsetHeight}px`); /* which stays uncovered */
    if (!list.showPopover)
        return;
    list.popover = 'manual';
    if (list.matches(':popover-open'))
        list.hidePopover();
    if (list.children.length)
        list.showPopover();
}

/* A message in the corner; the same one is not shown twice. `cause` names what unsay() takes it away for. */
export function say(text, kind = 'note', cause = '') {
    const list = document.getElementById('messages');
    for (const shown of list.children)
        if (shown.firstChild.textContent === text)
            return;
    const item = make('li', {class: `message ${kind}`, role: kind === 'error' ? 'alert' : 'status', 'data-cause': cause},
        make('span', {text}));
    item.append(make('button', {class: 'plain', 'aria-label': 'Close this message', text: '×',
                                on: {click: () => item.remove()}}));
    list.append(item);
    raiseMessages();
    while (list.children.length > 4)
        list.firstChild.remove();
    if (SECONDS[kind])
        setTimeout(() => item.remove(), 1000 * SECONDS[kind]);
}

/* Takes away the messages of a cause that is gone. */
export function unsay(cause) {
    for (const item of [...document.getElementById('messages').children])
        if (item.dataset.cause === cause)
            item.remove();
}

/* A number with so many digits after the point; a dash where there is none. */
export function format(value, digits = 2) {
    return Number.isFinite(value) ? value.toFixed(digits) : '–';
}

export function readable(seconds) {
    if (!Number.isFinite(seconds))
        return '';
    return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
}
