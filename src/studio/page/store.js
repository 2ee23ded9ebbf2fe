/* SPDX-License-Identifier: MIT */
/* The state of the page. The text of a variant is its only truth: every change is a new text, from which the program
   makes the scene. Parts of the page subscribe to names and never change the state themselves. */
import {PAGE, post, run, Refusal} from './api.js';
import {announce, say, unsay} from './dom.js';
import {forgetInputs, keepInputs} from './inputs.js';

const CHECK_AFTER = 150;   /* ms without an edit until the program reads the text */
const KEEP_AFTER = 500;    /* ms without an edit until a copy of the texts is kept */
const MERGE_WITHIN = 1000; /* ms: edits of one key in this time are one step of undo */
const UNDO_MAX = 200;
const VARIANTS = ['A', 'B', 'C'];

const state = {
    file: null, text: '', savedText: '', changedLine: null, error: null, notes: [], scene: null, selection: null,
    variants: [], active: 'A', source: null, receiver: null, dry: 'voice', playing: false, volume: 0, yaw: 0,
    dryOnly: false, jobs: new Map(), responses: {}, results: {},
    layers: {map: null, reflections: null, mode: null, hovered: null},
};
const listeners = new Map();

function on(name, f) {
    if (!listeners.has(name))
        listeners.set(name, new Set());
    listeners.get(name).add(f);
    return () => listeners.get(name).delete(f);
}

function emit(name) {
    for (const f of listeners.get(name) || [])
        f(state, name);
    if (name !== 'any')
        emit('any');
}

function variant(id = state.active) {
    return state.variants.find(v => v.id === id);
}

function newVariant(id, text) {
    return {id, text, colour: VARIANTS.indexOf(id) + 1, label: id, undo: [], redo: [], scene: null, error: null,
            checked: null, line: null, merge: null, time: 0};
}

/* Variants whose text no file has. */
const unsaved = () => state.variants.filter(v => state.file && v.text !== state.savedText && v.text !== v.saved);

/* ---- Copies of what is not saved ---- */

let keepTimer = 0;
const touched = new Set(); /* variants whose copies are not those of their texts */

/* Removes the copies of variants that are not wanted any more. */
async function discard(ids) {
    clearTimeout(keepTimer);
    touched.clear();
    for (const variant of state.file.copy ? [] : ids)
        await post('keep', {path: state.file.path, variant, text: null}).catch(() => {});
}

/* A file that the browser gave has no place where copies of it could be found again. */
function keepSoon(id) {
    clearTimeout(keepTimer);
    touched.add(id);
    if (!state.file.copy)
        keepTimer = setTimeout(keepTouched, KEEP_AFTER);
}

async function keepTouched() {
    const {path} = state.file, ids = [...touched];
    touched.clear();
    unsay('keep');
    for (const id of ids) {
        const v = unsaved().find(one => one.id === id);
        await post('keep', {path, variant: id, text: v ? v.text : null})
            .catch(refusal => say(`Changes are kept in this page alone: ${refusal.message}`, 'warning', 'keep'));
    }
}

/* ---- Text, and the scene that the program makes of it ---- */

let timer = 0, checking = 0;

function show(v) {
    state.text = v.text;
    state.changedLine = v.line;
    state.error = v.error;
    if (v.scene)
        state.scene = v.scene;
    if (state.file)
        state.file.dirty = unsaved().length > 0;
    emit('text');
}

function keepNames(scene) {
    const kept = (list, name) => list.some(item => item.name === name) ? name : list.length ? list[0].name : null;
    state.source = kept(scene.sources, state.source);
    state.receiver = kept(scene.receivers, state.receiver);
    const s = state.selection, list = s && {source: scene.sources, receiver: scene.receivers, object: scene.objects,
                                            wall: scene.parts}[s.kind];
    if (s && !list[s.index])
        select(null);
}

/* Has the program read the text of a variant. Resolves to whether it is a room. */
async function check(id = state.active) {
    const v = variant(id), text = v.text, turn = ++checking;
    let scene = null, error = null, inputs;
    clearTimeout(timer);
    try {
        ({scene, inputs} = await post('room', {text, path: state.file.path, variant: id}));
        keepInputs(text, inputs);
    } catch (refusal) {
        error = {message: refusal.message.replaceAll(state.file.path, state.file.name), line: refusal.line, key: refusal.key};
        if (!(refusal instanceof Refusal))
            throw refusal;
    }
    if (v.text !== text || turn < checking && id === state.active)
        return false;
    v.error = error;
    v.scene = scene || v.scene;
    v.checked = scene ? text : v.checked;
    if (id === state.active) {
        state.error = error;
        state.scene = v.scene;
        if (scene)
            keepNames(scene);
        emit(scene ? 'scene' : 'error');
        if (scene)
            emit('error');
    }
    if (scene)
        emit('checked');
    return !error;
}

function put(v, text, {label = 'edit', line = null, merge = null} = {}) {
    const now = Date.now();
    const joins = merge && v.merge === merge && now - v.time < MERGE_WITHIN && v.undo.length;
    if (!joins)
        v.undo.push({text: v.text, line: v.line, label});
    if (v.undo.length > UNDO_MAX)
        v.undo.shift();
    v.redo = [];
    Object.assign(v, {text, line, merge, time: now});
    keepSoon(v.id);
}

function edit(text, options = {}) {
    const v = variant();
    if (!v || text === v.text)
        return;
    put(v, text, options);
    show(v);
    clearTimeout(timer);
    timer = setTimeout(check, options.now ? 0 : CHECK_AFTER);
}

function travel(from, to, word) {
    const v = variant(), step = v && v[from].pop();
    if (!step) {
        announce(`Nothing to ${word}`);
        return;
    }
    v[to].push({text: v.text, line: v.line, label: step.label});
    Object.assign(v, {text: step.text, line: step.line, merge: null});
    keepSoon(v.id);
    announce(`${word}: ${step.label}`);
    show(v);
    check();
}

/* Shows a handle where it is dragged to, until an edit makes it true. */
function move(kind, index, position) {
    const list = kind === 'source' ? state.scene.sources : state.scene.receivers;
    list[index].position = position;
    emit('scene');
}

/* ---- Files and variants ---- */

/* Opens a file's text as the only variant. */
async function load(file, text, saved = text) {
    for (const job of state.jobs.values())
        if (job.state === 'running' || job.state === 'queued')
            post('stop', {id: job.id}).catch(() => {});
    clearTimeout(keepTimer);
    touched.clear();
    Object.assign(state, {file, savedText: saved, variants: [newVariant('A', text)], active: 'A', scene: null, error: null,
                          selection: null, responses: {}, results: {}, notes: [],
                          layers: {map: null, reflections: null, mode: null, hovered: null}});
    variant().saved = saved;
    show(variant());
    for (const name of ['files', 'variants', 'responses', 'results', 'layers', 'selection'])
        emit(name);
    return check();
}

/* A copy of the active variant, which becomes the active one. */
function addVariant() {
    const id = VARIANTS.find(name => !variant(name)), from = variant();
    if (!id) {
        say(`There are ${VARIANTS.length} variants at most; remove one.`, 'warning');
        return;
    }
    const v = newVariant(id, from.text);
    Object.assign(v, {scene: from.scene && structuredClone(from.scene), checked: from.checked});
    state.variants.push(v);
    keepSoon(id);
    if (state.responses[from.id] && from.checked === from.text)
        state.responses[id] = {...state.responses[from.id]};
    if (state.results[from.id])
        state.results[id] = {...state.results[from.id]};
    emit('responses');
    emit('results');
    activate(id);
}

function removeVariant(id) {
    if (state.variants.length < 2)
        return;
    state.variants = state.variants.filter(v => v.id !== id);
    keepSoon(id);
    delete state.responses[id];
    delete state.results[id];
    emit('responses');
    emit('results');
    activate(state.active === id ? state.variants[0].id : state.active);
}

function activate(id) {
    const v = variant(id);
    if (!v)
        return;
    state.active = id;
    show(v);
    if (v.scene)
        keepNames(v.scene);
    emit('variants');
    emit('scene');
    emit('error');
    if (v.checked !== v.text)
        check();
}

function select(selection) {
    state.selection = selection;
    emit('selection');
}

/* Sets members of the state and tells those that listen to `name`. */
function set(name, members) {
    Object.assign(state, members);
    emit(name);
}

/* ---- Events of the program ---- */

function heardJob(event) {
    const job = {...state.jobs.get(event.id), ...event};
    state.jobs.set(event.id, job);
    for (const [id, old] of state.jobs)
        if (state.jobs.size > 60 && old.state !== 'running' && old.state !== 'queued')
            state.jobs.delete(id);
    emit('jobs');
}

function heardStage(event) {
    const job = state.jobs.get(event.id);
    if (!variant(event.variant) || job && job.state === 'stopped')
        return;
    state.responses[event.variant] = {...event, text: job && job.text || variant(event.variant).text};
    emit('responses');
}

/* A file that the room file names is another one: whatever was made of it is out of date. */
async function reread(name) {
    forgetInputs();
    emit('files');
    say(`${name} changed on disk; the room is read again.`);
    for (const {id} of state.variants.filter(v => v.id !== state.active))
        await check(id);
    await check();
}

function heard(event) {
    if (event.type === 'job')
        heardJob(event);
    else if (event.type === 'stage')
        heardStage(event);
    else if (event.type === 'file' && state.file && event.path === state.file.path && event.by !== PAGE)
        look();
    else if (event.type === 'input' && state.file && event.path === state.file.path)
        reread(event.name);
}

/* Whether the file has another text than the page knows. */
async function look() {
    const {file} = state, now = await post('open', {path: file.path}).catch(() => ({text: null}));
    if (state.file === file && now.text !== state.savedText)
        set('files', {file: {...file, changedOnDisk: true}});
}

/* Runs a job of the active variant's text; the result is kept under `kind` in its results. */
async function work(kind, more = {}, id = state.active) {
    const v = variant(id), {end} = await run(kind, {text: v.text, path: state.file.path, variant: id, ...more});
    const job = await end;
    if (variant(id)) {
        state.results[id] = {...state.results[id], [kind]: job.result};
        emit('results');
    }
    return job;
}

export const store = {
    state, on, emit, edit, move, load, check, select, set, work, heard, addVariant, removeVariant, activate, variant, unsaved,
    keepSoon, discard,
    undo: () => travel('undo', 'redo', 'undo'),
    redo: () => travel('redo', 'undo', 'redo'),
};
