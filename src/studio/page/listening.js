/* SPDX-License-Identifier: MIT */
/* From the text of a variant to its sound: starts the stages, takes their responses, and has the last ones measured.
   state.listening: variant → {phase: 'waiting' | 'refining' | 'done' | 'stopped' | 'failed', message}. */
import {post, run} from './api.js';
import {announce, readable, say, unsay} from './dom.js';
import {inputsOf} from './inputs.js';
import {blockerOf, waitingFor} from './job_panel.js';
import {responseOf} from './responses.js';
import {sound} from './sound.js';
import {store} from './store.js';

const SETTLE = 50;     /* ms after a change: changes of several members belong together */
const RESTART = 400;   /* ms after a change of what is being computed */
const {state} = store;
/* variant → {variant, key, job, phase, message, since, taken, takenKey, measuredKey, about}; `taken`: the response that
   is heard, of the text in `takenKey`; `measuredKey`: the text that the metrics are of; `about`: JSON of the render. */
const runs = new Map();
const asked = new Set(); /* variants whose response is wanted without sound */
let timer = 0, target = '', measuring = 0, comparing = '';

const essences = new Map(); /* the last few */

/* The shortened text, and the state of the files that it names: two texts with one essence describe
   one room. */
export function essence(text) {
    if (!essences.has(text)) {
        if (essences.size > 8)
            essences.delete(essences.keys().next().value);
        essences.set(text, shortened(text));
    }
    return `${inputsOf(text)}\n${essences.get(text)}`;
}

/* A text without comments and white space. */
export function shortened(text) {
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

/* Two texts with one key give one response. */
export const keyOf = variant => `${sourceOf(variant)}\n${essence(variant.text)}`;

function set(id, members) {
    runs.set(id, {...runs.get(id), ...members});
    store.set('listening', {listening: Object.fromEntries(runs)});
}

/* ---- Starting ---- */

async function begin(id, variant, key) {
    unsay(`listen ${id}`);
    set(id, {variant, key, job: null, before: runs.get(id)?.job, phase: 'waiting', message: '', since: Date.now()});
    const mine = () => runs.get(id)?.key === key && runs.get(id).variant === variant;
    try {
        const {id: job, end} = await run('listen', {text: variant.text, path: state.file.path, variant: id,
                                                    source: sourceOf(variant), ...asImpulse(variant)});
        if (mine())
            set(id, {job});
        const {result} = await end;
        if (mine())
            set(id, {phase: 'done', about: result});
    } catch (refusal) {
        if (!mine())
            return;
        if (runs.get(id).phase !== 'stopped')
            set(id, {phase: refusal.status === 499 ? 'stopped' : 'failed', message: refusal.message});
        if (refusal.status !== 499)
            say(refusal.message, 'error', `listen ${id}`);
    }
}

/* A change was taken back: the last response is again that of the text. */
function keep(id, last, key) {
    post('stop', {id: last.job}).catch(() => {});
    set(id, {key, job: last.taken.id, phase: 'done'});
}

/* Those that have to be rendered: the active variant first, and others that have been heard. */
function update() {
    for (const id of new Set([state.active, ...runs.keys(), ...asked])) {
        const variant = store.variant(id), last = runs.get(id), heard = id === state.active || last;
        const isWanted = asked.has(id) || heard && state.playing || isComputing(id);
        if (!variant || !state.file || !isWanted || variant.checked !== variant.text)
            continue;
        const key = keyOf(variant), isSame = last && last.variant === variant;
        asked.delete(id);
        if (isSame && last.key === key)
            continue;
        if (isSame && last.job && isComputing(id) && last.taken?.last && last.takenKey === key)
            keep(id, last, key);
        else
            begin(id, variant, key);
    }
}

function consider() {
    drop();
    clearTimeout(timer);
    timer = setTimeout(update, [...runs.keys()].some(isComputing) ? RESTART : SETTLE);
}

/* Renders a variant even if nothing plays, or again after a stop or a failure. */
export function compute(id = state.active) {
    const last = runs.get(id);
    if (last && (last.phase === 'stopped' || last.phase === 'failed'))
        set(id, {key: null});
    asked.add(id);
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
        asked.delete(id);
        unsay(`listen ${id}`);
        sound.forget(id);
    }
    if (!runs.size)
        sound.setLevel(null);
}

/* A new variant begins with the response of the one that it was copied from. */
function adopt(id, response) {
    if (runs.has(id) && runs.get(id).variant)
        return;
    const variant = store.variant(id), own = keyOf(variant);
    const from = [...runs.values()].find(({taken}) => taken && taken.id === response.id && taken.stage === response.stage);
    const takenKey = from ? from.takenKey : response.variant === id ? own : '';
    set(id, {variant, key: response.last ? takenKey : null, job: response.id, message: '', about: from?.about,
             adopted: takenKey, measuredKey: from?.measuredKey, phase: response.last ? 'done' : 'stopped'});
}

async function hear(id, response) {
    adopt(id, response);
    const last = runs.get(id);
    const isOld = last.job ? response.id !== last.job : response.id === last.before;
    if (last.taken === response || isOld)
        return;
    const isNew = !last.taken || last.taken.id !== response.id || last.taken.stage !== response.stage;
    const phase = response.last ? 'done' : last.phase === 'stopped' ? 'stopped' : 'refining';
    set(id, {taken: response, takenKey: last.key || last.adopted, phase, ...(response.gain > 0 && {gain: response.gain})});
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
        sound.offer(id, response, taken.gain);
        set(id, {response}); /* after the sound has it: the player asks the sound whether the head turns */
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

function isOf(id, member) {
    const last = runs.get(id), variant = store.variant(id);
    return Boolean(last && variant && last.variant === variant && variant.scene && last[member] === keyOf(variant));
}

/* Whether the response of a variant is that of its present text, and whether its metrics are. */
export const isCurrent = id => isOf(id, 'takenKey');
export const isMeasured = id => isOf(id, 'measuredKey');

/* Whether a variant may stand in a report or a comparison. */
export const isReady = id => isFinal(id) && isCurrent(id);

export const isComputing = id => ['waiting', 'refining'].includes(runs.get(id)?.phase);

async function measure(id) {
    const {takenKey} = runs.get(id);
    unsay(`metrics ${id}`);
    try {
        await store.work('metrics', {files: filesOf(id), ...(target && {target})}, id);
        if (runs.has(id))
            set(id, {measuredKey: takenKey});
    } catch (refusal) {
        if (refusal.status !== 499)
            say(refusal.message, 'error', `metrics ${id}`);
    }
}

/* Compares the variants at the file of the chosen receiver, as far as they are final and of their present texts; the
   first is the reference. */
async function compare() {
    const ids = state.variants.map(v => v.id).filter(id => isReady(id) && isMeasured(id)), files = ids.map(fileAt);
    const wanted = `${ids} ${files}`;
    if (wanted === comparing)
        return;
    comparing = wanted;
    const turn = ++measuring;
    if (state.comparison)
        store.set('results', {comparison: null});
    if (new Set(files).size < 2)
        return;
    try {
        const {end} = await run('compare', {files, names: ids}), job = await end;
        if (turn === measuring)
            store.set('results', {comparison: {ids, files, result: job.result}});
    } catch (refusal) {
        if (refusal.status !== 499)
            say(refusal.message, 'error');
    }
}

/* Has all final responses judged by a target, or by none. */
export function judge(name) {
    target = name;
    state.variants.map(v => v.id).filter(isFinal).forEach(measure);
}

/* ---- What the player shows ---- */

const hertz = f => f >= 1000 ? `${+(f / 1000).toPrecision(2)} kHz` : `${Math.round(f)} Hz`;

/* Between the stages the band of the wave solver grows; image sources and rays fill in the rest from the first. */
function bandOf({last, validTo, wavesTo}) {
    if (!last && wavesTo !== undefined)
        return wavesTo ? `wave solver to ${hertz(wavesTo)}` : 'image sources and rays';
    return Number.isFinite(validTo) && validTo ? `valid to ${hertz(validTo)}` : 'of unknown band';
}

/* How far a job has come: its share and the time left, else its phase and the time it has taken; with a separator. */
function advance(job, since) {
    if (job && Number.isFinite(job.progress))
        return ` · wave solver ${Math.round(100 * job.progress)} %${readable(job.left) && `, ${readable(job.left)} left`}`;
    const elapsed = (Date.now() - since) / 1000;
    return [job?.phase && ` · ${job.phase}`, elapsed >= 1 && ` · ${readable(elapsed)} so far`].filter(Boolean).join('');
}

/* The time that the response of a variant still takes, "6 min left", or "" where it is not known. */
export function leftOf(id) {
    const job = state.jobs.get(runs.get(id)?.job);
    return job && readable(job.left) ? `${readable(job.left)} left` : '';
}

/* {text, progress: 0..1 | null, busy, kind, blocker} of the active variant; blocker: the job that it waits for. */
export function status() {
    const last = runs.get(state.active);
    if (!last)
        return {text: state.error ? 'The text has a mistake' : 'Not computed yet', progress: null, busy: false, kind: 'idle'};
    const job = state.jobs.get(last.job), {taken, phase} = last, busy = isComputing(state.active);
    const valid = taken ? bandOf(taken) : '', progress = job ? job.progress : null;
    const stale = taken && !isCurrent(state.active), blocker = busy && job?.state === 'queued' && blockerOf(job);
    const isOld = phase === 'failed' && !isOf(state.active, 'key');
    if (isOld && !taken)
        return {text: 'Not computed yet', progress: null, busy, kind: 'idle'};
    if (stale && !busy && (phase !== 'failed' || isOld))
        return {text: state.error ? 'Changed since · the text has a mistake' : 'Changed since', progress: null, busy, kind: 'changed'};
    if (blocker)
        return {text: waitingFor(blocker), progress: null, busy, kind: phase, blocker};
    const way = busy ? advance(job, last.since) : '';
    const text = {
        waiting: stale ? `Computing the change${way}` : `Computing the first sound${way}`,
        refining: `Refining${way} · coarse, ${valid}`,
        done: `Complete${valid && `, ${valid}`}`,
        stopped: taken ? `Stopped · ${taken.last ? 'complete' : 'coarse'}, ${valid}` : 'Stopped',
        failed: last.message,
    }[phase];
    return {text, progress, busy, kind: phase};
}

/* The response that a variant has at the chosen receiver, and its stage. */
export const heardOf = id => runs.get(id)?.response || null;
export const gainOf = id => runs.get(id)?.gain;
export const stageOf = id => runs.get(id)?.taken || null;

/* The JSON of the render that gave the response, or null. */
export const renderOf = id => runs.get(id)?.about || null;

export function mountListening() {
    let receiver = null;
    store.on('checked', () => {
        for (const [id, {phase}] of runs)
            if (phase === 'failed' && !isOf(id, 'key'))
                unsay(`listen ${id}`);
        consider();
    });
    store.on('scene', consider);
    store.on('responses', heard);
    store.on('variants', () => {
        sound.choose(state.active);
        consider();
    });
    store.on('listening', consider);
    for (const name of ['variants', 'checked', 'text', 'listening', 'results'])
        store.on(name, compare);
    setInterval(() => {
        if ([...state.jobs.values()].some(job => job.state === 'running' && !Number.isFinite(job.progress)))
            store.emit('jobs'); /* the time that it has taken */
    }, 1000);
    store.on('ears', () => [...runs.keys()].forEach(offer));
    store.on('any', () => {
        if (state.receiver === receiver)
            return;
        receiver = state.receiver;
        for (const id of runs.keys())
            offer(id);
        compare();
    });
}
