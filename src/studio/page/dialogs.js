/* SPDX-License-Identifier: MIT */
/* Dialogs with a title, a form and an answer. The focus returns to where it was, or to
   the field of the same key if the panel was built anew. */
import {make, raiseMessages} from './dom.js';

let count = 0;

export const isAsking = () => Boolean(document.querySelector('dialog[open]'));

/* Shows a dialog. `close(answer)` ends it; `result` resolves to the answer, or to null if it was dismissed. */
export function openDialog(title, attributes, ...content) {
    const before = document.activeElement, key = before?.closest('[data-key]')?.dataset.key, id = `dialog-${++count}`;
    const form = make('form', {method: 'dialog', class: 'dialog-body'});
    const cross = make('button', {type: 'button', class: 'plain', 'aria-label': 'Close', text: '×'});
    const heading = make('h2', {id, text: title, tabindex: -1});
    const element = make('dialog', {'aria-labelledby': id, ...attributes},
        make('header', {class: 'dialog-head'}, heading, cross), form);
    form.append(...content.filter(Boolean));
    let answer = null, done;
    const result = new Promise(resolve => {
        done = resolve;
    });
    const close = (value = null) => {
        answer = value;
        element.close();
    };
    form.addEventListener('submit', event => event.preventDefault());
    cross.addEventListener('click', () => close());
    element.addEventListener('close', () => {
        raiseMessages();
        element.remove();
        const again = key && [...document.querySelectorAll('[data-key]')].find(one => one.dataset.key === key);
        (before?.isConnected ? before : again?.querySelector('input, select, button'))?.focus();
        done(answer);
    });
    document.body.append(element);
    element.showModal();
    raiseMessages();
    if (!element.querySelector('[autofocus]'))
        heading.focus(); /* rather than on the button that closes */
    return {element, form, result, close};
}

/* A question with some answers: choices [{text, value, class}]. Resolves to the value, or to null. */
export function ask(title, text, choices) {
    const dialog = openDialog(title, {class: 'question'}, make('p', {text}),
        make('div', {class: 'dialog-actions'},
            ...choices.map((choice, i) => make('button', {type: 'button', text: choice.text, class: choice.class,
                autofocus: i === 0 && choice.class !== 'danger',
                    on: {click: () => dialog.close(choice.value)}}))));
    return dialog.result;
}
