/* SPDX-License-Identifier: MIT */
/* Targets of the program, named in words. */
import {get} from './api.js';
import {make, say} from './dom.js';

let asked = null;

const load = () => {
    asked = asked || get('targets').then(answer => answer.targets || answer);
    asked.catch(() => {
        asked = null;
    });
    return asked;
};

export const targetName = ({name, publication, description}) =>
    [publication, description].filter(Boolean).join(': ') || name;

/* A select with "none" and all targets; their values are the program's names. */
export function targetSelect(more = {}) {
    const select = make('select', more, make('option', {value: '', text: 'none'}));
    const fill = async () => {
        try {
            for (const target of await load())
                select.append(make('option', {value: target.name, text: targetName(target), title: target.name}));
        } catch (refusal) {
            say(refusal.message, 'error');
        }
    };
    return {select, fill};
}
