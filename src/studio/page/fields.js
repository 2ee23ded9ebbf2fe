/* SPDX-License-Identifier: MIT */
/* Fields of the panel. Each one reads its value from the state and writes it into the room file as one types; the
   program's message about its key stands below it. */
import {make} from './dom.js';
import {keyOf} from './keys.js';
import {store} from './store.js';

let count = 0;

const freshId = () => `field-${++count}`;

/* Digits that a person wants to read; the file holds the exact value. */
export function shown(value) {
    return Number.isFinite(value) ? String(Number(value.toFixed(3))) : '';
}

/* A message without the file and the line in front of it, which are shown beside it. */
export function messageOf({message, line}) {
    const place = line ? message.indexOf(`:${line}: `) : -1;
    return place < 0 ? message : message.slice(place + String(line).length + 3);
}

/* The message of the program that belongs to one of these keys. */
function messageFor(paths) {
    const error = store.state.error;
    return error && error.key && paths.some(path => error.key === path || error.key.startsWith(`${path}.`))
        ? messageOf(error).replace(`${error.key}: `, '') : '';
}

/* Frame of a field: label, control, unit and message. `refresh` of the controls is called by Form.refresh. */
function frame({label, paths, key = paths[0], controls, unit, isGroup, more}) {
    const message = make('p', {class: 'field-error', id: freshId(), hidden: true});
    const title = isGroup ? make('legend', {text: label}) : make('label', {for: controls[0].id, text: label});
    const line = make('div', {class: 'field-controls'}, ...controls, unit && make('span', {class: 'unit',
        text: unit}), more);
    const element = make(isGroup ? 'fieldset' : 'div', {class: 'field', 'data-key': key}, title, line, message);
    const refresh = () => {
        const text = messageFor(paths);
        message.textContent = text;
        message.hidden = !text;
        for (const control of controls) {
            control.setAttribute('aria-invalid', String(Boolean(text)));
            control.setAttribute('aria-describedby', text ? message.id : '');
        }
    };
    return {element, refresh};
}

function numberInput({label, step, least, most, placeholder}, read, write) {
    const input = make('input', {type: 'number', id: freshId(), step: 'any', inputmode: 'decimal', placeholder,
                                 min: least, max: most, 'aria-label': label});
    input.addEventListener('keydown', event => {
        const turn = {ArrowUp: 1, ArrowDown: -1}[event.key];
        if (!turn || !step)
            return;
        event.preventDefault();
        const now = Number(input.value) || 0, next = now + turn * step * (event.shiftKey ? 10 : 1);
        input.value = shown(Math.min(most ?? Infinity, Math.max(least ?? -Infinity, next)));
        write(Number(input.value));
    });
    input.addEventListener('input', () => {
        if (input.value !== '')
            write(Number(input.value));
    });
    input.addEventListener('blur', () => {
        if (input.value === '' && !input.validity.badInput && read() !== undefined)
            write(undefined); /* only here: an emptied field is mostly about to be filled again */
        input.value = shown(read());
    });
    const refresh = () => {
        if (document.activeElement !== input)
            input.value = shown(read());
    };
    return {input, refresh};
}

/* A form is a list of fields with one refresh. */
export class Form {
    constructor(element) {
        this.element = element;
        this.parts = [];
    }

    add(...children) {
        this.element.append(...children.filter(Boolean));
    }

    put(field, refreshers = []) {
        this.parts.push(field.refresh, ...refreshers);
        this.element.append(field.element);
        return field.element;
    }

    refresh() {
        for (const refresh of this.parts)
            refresh();
    }

    heading(text) {
        this.add(make('h3', {text}));
    }

    /* {label, path, unit, step, placeholder}; read() gives a number, write(number or undefined) takes one. */
    number({label, path, unit, step = 1, placeholder, more}, read, write) {
        const {least, most, above, meaning} = keyOf(path);
        const {input, refresh} = numberInput({step, least: least ?? above, most, placeholder}, read, write);
        input.title = meaning || '';
        return this.put(frame({label, paths: [path], controls: [input], unit: unit ?? keyOf(path).unit, more}),
            [refresh]);
    }

    /* Several numbers in a row, such as x, y, z; write(array) takes all. */
    numbers({label, path, paths, unit, names, step = 0.05, least, more}, read, write) {
        const parts = names.map((name, i) => numberInput({label: `${label} ${name}`, step, least},
            () => read()[i], value => {
            if (value === undefined)
                return;
            const all = [...read()];
            all[i] = value;
            write(all);
        }));
        const controls = parts.map(({input}, i) => {
            input.classList.add('narrow');
            input.title = `${names[i]}: ${keyOf(path).meaning || ''}`;
            return input;
        });
        return this.put(frame({label, paths: paths || [path], key: path, controls, unit, isGroup: true, more}),
                        parts.map(part => part.refresh));
    }

    text({label, path}, read, write) {
        const input = make('input', {type: 'text', id: freshId(), autocomplete: 'off', spellcheck: 'false',
                                     title: keyOf(path).meaning});
        input.addEventListener('input', () => input.value && write(input.value));
        input.addEventListener('change', () => input.value || write(undefined));
        return this.put(frame({label, paths: [path], controls: [input]}), [() => {
            if (document.activeElement !== input)
                input.value = read() ?? '';
        }]);
    }

    /* choices: texts or {value, text}. A value that is none of them is shown as well. */
    select({label, path, choices}, read, write) {
        const input = make('select', {id: freshId(), title: keyOf(path).meaning});
        for (const choice of choices)
            input.append(make('option', {value: choice.value ?? choice,
                text: choice.text ?? String(choice).replace(/_/g, ' ')}));
        input.addEventListener('change', () => write(input.value));
        return this.put(frame({label, paths: [path], controls: [input]}), [() => {
            const value = String(read());
            if (![...input.options].some(option => option.value === value))
                input.append(make('option', {value, text: value}));
            input.value = value;
        }]);
    }
}

/* A button of a row of buttons. */
export function action(text, click, more = {}) {
    return make('button', {type: 'button', text, on: {click}, ...more});
}
