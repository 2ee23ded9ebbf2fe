/* SPDX-License-Identifier: MIT */
/* The files that a room file names, such as its model: their state when the program last read a text. Equal texts with
   different states are different rooms. */
const KNOWN_MAX = 50;
const known = new Map(); /* text → state */
let last = '';

export function keepInputs(text, state) {
    known.delete(text);
    known.set(text, last = state);
    if (known.size > KNOWN_MAX)
        known.delete(known.keys().next().value);
}

/* One of the files changed: until a text is read again, nothing is of its room. */
export function forgetInputs() {
    known.clear();
    last = 'changed';
}

/* Of a text that has not been read yet, the state is taken for that of the one before. */
export const inputsOf = text => known.get(text) ?? last;
