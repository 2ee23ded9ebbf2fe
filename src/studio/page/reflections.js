/* SPDX-License-Identifier: MIT */
/* The first reflections of the active variant, from its source to its receiver: `aula info --reflections`, which runs
   while somebody looks at them. The views draw those in state.layers.reflections. */
import {post, run} from './api.js';
import {essence} from './listening.js';
import {store} from './store.js';

const WAIT = 400; /* ms without a change until the program looks for them */
const {state} = store;
const found = new Map(); /* variant → {variant, key, list, direct, order, failed} */
let wanted = '', timer = 0, job = null;

const keyOf = variant => JSON.stringify([variant.id, state.source, state.receiver, essence(variant.text)]);

/* {list: [{time, level, order, points, materials}], direct: {blocked, found, ...}, order}, {failed: message}, or null while
   they are not known. */
export function reflections() {
    const variant = store.variant(), entry = variant && found.get(variant.id);
    return entry && entry.variant === variant && entry.key === keyOf(variant) ? entry : null;
}

async function find(variant, key) {
    const entry = {variant, key, list: null, failed: ''};
    try {
        const {id, end} = await run('reflections', {text: variant.text, path: state.file.path, variant: variant.id,
                                                    source: state.source, receiver: state.receiver});
        job = id;
        const {result} = await end;
        Object.assign(entry, {list: result.reflections, direct: result.direct[0], order: result.order});
    } catch (refusal) {
        entry.failed = refusal.message;
    }
    if (wanted !== key)
        return;
    wanted = '';
    job = null;
    found.set(variant.id, entry);
    store.emit('results');
}

function forget() {
    clearTimeout(timer);
    if (job)
        post('stop', {id: job}).catch(() => {});
    job = null;
    wanted = '';
}

/* Looks for them, unless they are known, once the room is left alone for a moment. */
export function askReflections() {
    const variant = store.variant();
    if (!variant || !variant.scene || variant.checked !== variant.text || !state.source || !state.receiver) {
        forget();
        return;
    }
    const key = keyOf(variant);
    if (wanted === key || reflections())
        return;
    forget();
    wanted = key;
    timer = setTimeout(() => find(variant, key), WAIT);
}

/* ---- In the views ---- */

function setLayers(members) {
    if (Object.entries(members).some(([name, value]) => state.layers[name] !== value))
        store.set('layers', {layers: {...state.layers, ...members}});
}

/* Draws the known ones; none while they are not those of the room that is shown. */
export function showReflections() {
    const list = reflections()?.list || null;
    if (list !== state.layers.reflections)
        setLayers({reflections: list, hovered: null});
}

export function hideReflections() {
    forget();
    setLayers({reflections: null, hovered: null});
}

/* Makes one of them bright; null: none. */
export function pointAt(index) {
    setLayers({hovered: index});
}
