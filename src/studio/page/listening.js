/* SPDX-License-Identifier: MIT */
/* From the text of a variant to its sound: starts the stages, takes their responses, and has the last ones measured.
   state.listening: variant → {phase: 'waiting' | 'refining' | 'done' | 'stopped' | 'failed', message}. */
import {post, run} from './api.js';
import {announce, readable, say} from './dom.js';
import {responseOf} from './responses.js';
import {sound} from './sound.js';
import {store} from './store.js';

const SETTLE = 50; /* ms after a change: changes of several members belong together */
const {state} = store;
const runs = new Map();  /* variant → {variant, key, job, phase, message, taken}; `taken`: the response that is heard */
const asked = new Set(); /* variants whose response is wanted without sound */
let timer = 0, target = '', measuring = 0;

/* A text without comments and white space: two texts with one essence describe one room. */
export function essence(text) {
    return text.replace(/"(?:[^"\\]|\\.)*"|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/|\s+/g, part => part[0] === '"' ? part : ' ')
        .replace(/ +/g, ' ').replace(/ ?([{}()[\]=:;,]) ?/g, '$1').trim();
}

function sourceOf(variant) {
    const names = (variant.scene || state.scene).sources.map(source => source.name);
    return names.includes(state.source) ? state.source : names[0];
}

/* A source that plays a signal of its own is rendered as an impulse, so that it can play any sound. */
function asImpulse(variant) {
    const {sources} = variant.scene || state.scene, index = sources.findIndex(({name}) => name === sourceOf(variant));
    return sources[index]?.impulse === false ? {impulse: index} : {};
}

const keyOf = variant => `${sourceOf(variant)}\n${essence(variant.text)}`;

function set(id, members) {
    runs.set(id, {...runs.get(id), ...members});
    store.set('listening', {listening: Object.fromEntries(runs)});
}

/* ---- Starting ---- */

async function begin(id, variant, key) {
    set(id, {variant, key, job: null, before: runs.get(id)?.job, phase: 'waiting', message: ''});
    const mine = () => runs.get(id)?.key === key && runs.get(id).variant === variant;
    try {
        const {id: job, end} = await run('listen', {text: variant.text, path: state.file.path, variant: id,
                                                    source: sourceOf(variant), ...asImpulse(variant)});
        if (mine())
            set(id, {job});
        await end;
        if (mine() && runs.get(id).phase !== 'done')
            set(id, {phase: 'done'});
    } catch (refusal) {
        if (!mine())
            return;
        if (runs.get(id).phase !== 'stopped')
            set(id, {phase: refusal.status === 499 ? 'stopped' : 'failed', message: refusal.message});
        if (refusal.status !== 499)
            say(refusal.message, 'error');
    }
}

/* Those that have to be rendered: the active variant first, and others that have been heard. */
function update() {
    const ids = [state.active, ...[...runs.keys()].filter(id => id !== state.active)];
    for (const id of ids) {
        const variant = store.variant(id), last = runs.get(id);
        if (!variant || !state.file || !(state.playing || asked.has(id)) || variant.checked !== variant.text)
            continue;
        const key = keyOf(variant);
        if (last && last.variant === variant && last.key === key)
            continue;
        asked.delete(id);
        begin(id, variant, key);
    }
}

function consider() {
    drop();
    clearTimeout(timer);
    timer = setTimeout(update, SETTLE);
}

/* Renders the active variant even if nothing plays, or again after a stop or a failure. */
export function compute() {
    const last = runs.get(state.active);
    if (last && (last.phase === 'stopped' || last.phase === 'failed'))
        set(state.active, {key: null});
    asked.add(state.active);
    update();
}

export function stop() {
    const last = runs.get(state.active);
    if (!last || !last.job)
        return;
    set(state.active, {phase: 'stopped'});
    post('stop', {id: last.job}).catch(refusal => say(refusal.message, 'error'));
    announce('Stopped');
}

/* ---- Responses ---- */

/* Runs and sounds of variants that are gone, or that belonged to the file before. */
function drop() {
    for (const [id, last] of runs) {
        if (store.variant(id) && (!last.variant || last.variant === store.variant(id)))
            continue;
        if (last.phase === 'waiting' || last.phase === 'refining')
            post('stop', {id: last.job}).catch(() => {});
        runs.delete(id);
        sound.forget(id);
    }
    if (!runs.size)
        sound.setLevel(null);
}

/* A new variant begins with the response of the one that it was copied from. */
function adopt(id, response) {
    if (runs.has(id) && runs.get(id).variant)
        return;
    const variant = store.variant(id);
    set(id, {variant, key: response.last ? keyOf(variant) : null, job: response.id,
             phase: response.last ? 'done' : 'stopped', message: ''});
}

async function hear(id, response) {
    adopt(id, response);
    const last = runs.get(id);
    const isOld = last.job ? response.id !== last.job : response.id === last.before;
    if (last.taken === response || isOld)
        return;
    const isNew = !last.taken || last.taken.id !== response.id || last.taken.stage !== response.stage;
    const phase = response.last ? 'done' : last.phase === 'stopped' ? 'stopped' : 'refining';
    set(id, {taken: response, phase, ...(response.gain > 0 && {gain: response.gain})});
    await offer(id);
    if (isNew && response.last && response.variant === id)
        measure(id);
}

/* Puts the response of a variant at the chosen receiver into the sound. */
async function offer(id) {
    const {taken} = runs.get(id) || {}, receiver = state.receiver;
    if (!taken)
        return;
    try {
        const response = await responseOf(taken, receiver);
        if (runs.get(id)?.taken !== taken || state.receiver !== receiver)
            return;
        set(id, {response});
        sound.offer(id, response, taken.gain);
    } catch (error) {
        say(error.message, 'error');
    }
}

function heard() {
    drop();
    for (const [id, response] of Object.entries(state.responses))
        if (store.variant(id) && response)
            hear(id, response);
}

/* ---- Measures ---- */

const filesOf = id => runs.get(id).taken.files.map(file => file.url);

function fileAt(id) {
    const {files} = runs.get(id).taken;
    return (files.find(file => file.receivers.includes(state.receiver)) || files[0]).url;
}

export const isFinal = id => runs.get(id)?.taken?.last === true;

/* Whether what was measured of a variant is that of its present text. */
export function isCurrent(id) {
    const last = runs.get(id), variant = store.variant(id);
    return Boolean(last && variant && last.variant === variant && variant.scene && last.key === keyOf(variant));
}

async function measure(id) {
    try {
        await store.work('metrics', {files: filesOf(id), ...(target && {target})}, id);
        await compare();
    } catch (refusal) {
        if (refusal.status !== 499)
            say(refusal.message, 'error');
    }
}

/* Compares the variants at the file of the chosen receiver; the first is the reference. */
async function compare() {
    const ids = state.variants.map(v => v.id).filter(isFinal), files = ids.map(fileAt);
    if (new Set(files).size < 2) {
        store.set('results', {comparison: null});
        return;
    }
    const turn = ++measuring, {end} = await run('compare', {files});
    const job = await end;
    if (turn === measuring)
        store.set('results', {comparison: {ids, files, result: job.result}});
}

/* Has all final responses judged by a target, or by none. */
export function judge(name) {
    target = name;
    state.variants.map(v => v.id).filter(isFinal).forEach(measure);
}

export const chosenTarget = () => target;

/* ---- What the player shows ---- */

const hertz = f => f >= 1000 ? `${+(f / 1000).toPrecision(2)} kHz` : `${Math.round(f)} Hz`;

/* Between the stages the band of the wave solver grows; image sources and rays fill in the rest from the first. */
function bandOf({last, validTo, wavesTo}) {
    if (!last && wavesTo !== undefined)
        return wavesTo ? `wave solver to ${hertz(wavesTo)}` : 'image sources and rays';
    return Number.isFinite(validTo) && validTo ? `valid to ${hertz(validTo)}` : 'of unknown band';
}

/* {text, progress: 0..1 | null, busy, kind} of the active variant. */
export function status() {
    const last = runs.get(state.active);
    if (!last)
        return {text: 'Not computed yet', progress: null, busy: false, kind: 'idle'};
    const job = state.jobs.get(last.job), {taken, phase} = last;
    const valid = taken ? bandOf(taken) : '';
    const share = job && Number.isFinite(job.progress) ? ` ${Math.round(100 * job.progress)} %` : '';
    const left = job && readable(job.left) ? `, ${readable(job.left)} left` : '';
    const busy = phase === 'waiting' || phase === 'refining', progress = job ? job.progress : null;
    const stale = taken && taken.id !== last.job && phase === 'waiting';
    const text = {
        waiting: stale ? `Computing the change${share}${left}` : `Computing the first sound${share}${left}`,
        refining: `Coarse, ${valid} · refining${share}${left}`,
        done: `As in the room file${valid && `, ${valid}`}`,
        stopped: taken ? `Stopped · ${taken.last ? 'as in the room file' : 'coarse'}, ${valid}` : 'Stopped',
        failed: last.message,
    }[phase];
    return {text, progress, busy, kind: phase};
}

/* The response that a variant has at the chosen receiver, and its stage. */
export const heardOf = id => runs.get(id)?.response || null;
export const gainOf = id => runs.get(id)?.gain;
export const stageOf = id => runs.get(id)?.taken || null;

export function mountListening() {
    let receiver = null;
    store.on('checked', consider);
    store.on('scene', consider);
    store.on('responses', heard);
    store.on('variants', () => {
        sound.choose(state.active);
        consider();
        if (state.comparison)
            compare().catch(() => {});
    });
    store.on('listening', consider);
    store.on('ears', () => [...runs.keys()].forEach(offer));
    store.on('any', () => {
        if (state.receiver === receiver)
            return;
        receiver = state.receiver;
        for (const id of runs.keys())
            offer(id);
        if (state.comparison && state.comparison.files.join() !== state.comparison.ids.filter(isFinal).map(fileAt).join())
            compare().catch(() => {});
    });
}
