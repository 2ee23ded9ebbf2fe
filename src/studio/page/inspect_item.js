/* SPDX-License-Identifier: MIT */
/* The fields of a source, a receiver, an object or a wall. Values come from the scene, which follows a handle while it
   is dragged, or from the text. */
import {assignMaterial, partTitle, sameWalls} from './assign.js';
import {announce, format, make} from './dom.js';
import {action} from './fields.js';
import {choicesOf, defaultOf} from './keys.js';
import {materialOf, OCTAVES, readableName, swatch} from './library.js';
import {pickMaterial} from './materials.js';
import {octaveTable} from './octave_table.js';
import {areaOf, freeName, freePlace} from './placing.js';
import {duplicate, editRemove, editText, editValue, find, setValue, valueOf} from './room_text.js';
import {store} from './store.js';
import {showTab} from './tabs.js';
import {settings} from './view_settings.js';

const AXES = ['x', 'y', 'z'], ANGLES = ['yaw', 'pitch', 'roll'];
const TYPES = ['omni', 'cardioid', 'supercardioid', 'hypercardioid', 'figure_of_eight'];

const fromText = (path, otherwise) => valueOf(store.state.text, path, otherwise ?? defaultOf(path));

function edit(path, value) {
    return editValue(path, value, {merge: path});
}

function lists() {
    const scene = store.state.scene;
    return {source: scene.sources, receiver: scene.receivers, object: scene.objects, wall: scene.parts};
}

function itemOf({kind, index}) {
    return store.state.scene ? lists()[kind][index] : null;
}

const snapStep = () => settings.snap || 0.01;

/* ---- Shared rows ---- */

function nameField(form, key, kind, item) {
    const path = `${key}.name`;
    form.text({label: 'Name', path}, () => valueOf(store.state.text, path, item().name || ''), value => {
        if (store.state[kind] && store.state[kind] === item().name)
            followName(kind, item);
        edit(path, value);
    });
}

let follow = null; /* ends the wait for the name of what is heard */

/* What is heard remains so under its new name, which the program knows only once it has read the text. */
function followName(kind, item) {
    if (follow)
        follow();
    follow = store.on('checked', () => {
        follow();
        follow = null;
        if (item().name)
            store.set('listening', {[kind]: item().name});
    });
}

function positionField(form, key, item) {
    form.numbers({label: 'Position', path: `${key}.position`, names: AXES, unit: 'm', step: snapStep()},
        () => store.state.error && fromText(`${key}.position`) || item().position || [0, 0, 0], value => edit(`${key}.position`, value));
}

function orientationField(form, path, label = 'Orientation') {
    form.numbers({label, path, names: ANGLES, unit: '°', step: 5}, () => fromText(path, [0, 0, 0]),
                 value => edit(path, value));
}

function removeItem(key, title) {
    if (editRemove(key, {label: `remove ${title}`})) {
        store.select(null);
        announce(`${title} removed`);
    }
}

/* Copies an item next to itself. `shift` gives changes of its keys. */
function copyItem(kind, key, changes) {
    const result = editText(text => duplicate(text, key, changes), {label: `duplicate ${kind}`});
    if (result)
        selectWhenThere({kind, index: result.index, name: changes.name});
}

/* Selects an item as soon as the program has read the text that holds it. */
export function selectWhenThere(selection) {
    const off = store.on('checked', () => {
        off();
        if (itemOf(selection))
            store.select(selection);
    });
    announce(`${selection.name || selection.kind} added`);
}

function actions(form, ...buttons) {
    form.add(make('div', {class: 'actions'}, ...buttons));
}

function lineOfKey(key) {
    try {
        return find(store.state.text, key)?.line;
    } catch {
        return null;
    }
}

function showLine(line) {
    store.set('text', {changedLine: line});
    showTab('file');
}

/* ---- Material ---- */

function absorptionTable(name) {
    const scene = store.state.scene.materials.find(one => one.name === name);
    const values = materialOf(name)?.absorption || scene?.absorption;
    if (!values)
        return null;
    return octaveTable(`Absorption of ${readableName(name)}`, OCTAVES, [['α', values]]);
}

function materialRow(form, part) {
    const here = () => store.state.scene.parts.find(one => one.kind === part.kind && one.name === part.name &&
                                                          one.index === part.index) || part;
    const button = make('button', {type: 'button', class: 'material', 'aria-haspopup': 'dialog'});
    const table = make('div');
    button.addEventListener('click', async () => {
        const now = here(), same = sameWalls(now);
        const choice = await pickMaterial(now.material, {title: partTitle(now), same: same.length});
        if (choice)
            assignMaterial(now, choice.name, choice.all);
    });
    form.add(make('div', {class: 'field', 'data-key': 'material'}, make('span', {class: 'label',
        text: 'Material'}), button), table);
    let last = null;
    form.parts.push(() => {
        const name = here().material;
        if (name === last)
            return;
        last = name;
        button.replaceChildren(swatch(name), make('span', {text: readableName(name)}));
        button.setAttribute('aria-label', `Material: ${readableName(name)}. Change`);
        table.replaceChildren(...[absorptionTable(name)].filter(Boolean));
    });
}

/* ---- Kinds ---- */

function inspectSource(form, {index}, item) {
    const key = item().key || `sources[${index}]`;
    nameField(form, key, 'source', item);
    positionField(form, key, item);
    const path = `${key}.directivity`;
    form.select({label: 'Directivity', path, choices: choicesOf(path, TYPES)}, () => fromText(path, 'omni'),
                value => edit(path, value));
    if (fromText(path, 'omni') !== 'omni')
        orientationField(form, `${key}.orientation`);
    form.number({label: 'Strength', path: `${key}.gain`, unit: 'Pa m', step: 0.1, placeholder: '1'},
                () => fromText(`${key}.gain`), value => edit(`${key}.gain`, value));
    const hear = action('Hear this source', () => store.set('listening', {source: item().name}));
    form.parts.push(() => hear.setAttribute('aria-pressed', store.state.source === item().name));
    const changes = () => ({name: freeName(store.state.scene.sources, item().name), position: freePlace()});
    actions(form, hear, action('Duplicate', () => copyItem('source', key, changes())),
            action('Remove', () => removeItem(key, item().name), {class: 'danger'}));
}

function inspectReceiver(form, {index}, item) {
    const key = item().key || `receivers[${index}]`, path = `${key}.type`, type = fromText(path, 'omni');
    nameField(form, key, 'receiver', item);
    form.select({label: 'Type', path, choices: choicesOf(path, [...TYPES, 'velocity', 'ambisonic', 'binaural',
        'array'])},
                () => fromText(path, 'omni'), value => edit(path, value));
    positionField(form, key, item);
    if (type === 'ambisonic' || type === 'binaural')
        form.number({label: 'Ambisonic order', path: `${key}.order`, step: 1,
            placeholder: type === 'binaural' ? '3' : '1'},
                    () => valueOf(store.state.text, `${key}.order`), value => edit(`${key}.order`, value));
    if (type === 'binaural')
        form.text({label: 'HRTF, a SOFA file', path: `${key}.hrtf`}, () => fromText(`${key}.hrtf`, ''),
                  value => edit(`${key}.hrtf`, value));
    if (type !== 'omni')
        orientationField(form, `${key}.orientation`);
    const hear = action('Hear here', () => store.set('listening', {receiver: item().name}));
    form.parts.push(() => hear.setAttribute('aria-pressed', store.state.receiver === item().name));
    const changes = () => ({name: freeName(store.state.scene.receivers, item().name), position: freePlace()});
    actions(form, hear, action('Duplicate', () => copyItem('receiver', key, changes())),
            action('Remove', () => removeItem(key, item().name), {class: 'danger'}));
}

/* Corner and size of a box or wedge, of which the file holds two corners. */
function boxFields(form, key) {
    const from = () => fromText(`${key}.from`, [0, 0, 0]), to = () => fromText(`${key}.to`, [0, 0, 0]);
    const low = () => from().map((x, i) => Math.min(x, to()[i])), size = () => from().map((x,
        i) => Math.abs(to()[i] - x));
    const put = (corner, extent) => editText(text => {
        const {text: changed} = setValue(text, `${key}.from`, corner);
        return setValue(changed, `${key}.to`, corner.map((x, i) => x + extent[i]));
    }, {label: 'move object', merge: key});
    const paths = [`${key}.from`, `${key}.to`];
    form.numbers({label: 'Lowest corner', paths, path: paths[0], names: AXES, unit: 'm', step: snapStep()}, low,
                 value => put(value, size()));
    form.numbers({label: 'Size', paths, path: paths[1], names: AXES, unit: 'm', step: snapStep(), least: 0}, size,
                 value => put(low(), value));
}

function lengthField(form, key, name, label) {
    form.number({label, path: `${key}.${name}`, unit: 'm', step: snapStep()}, () => fromText(`${key}.${name}`),
                value => value !== undefined && edit(`${key}.${name}`, value));
}

function pointField(form, key, name, label) {
    form.numbers({label, path: `${key}.${name}`, names: AXES, unit: 'm', step: snapStep()},
                 () => fromText(`${key}.${name}`, [0, 0, 0]), value => edit(`${key}.${name}`, value));
}

function shapeFields(form, key, item) {
    const {shape} = item();
    if (shape === 'box' || shape === 'wedge')
        boxFields(form, key);
    if (shape === 'wedge')
        form.select({label: 'Rises towards', path: `${key}.rises`,
                     choices: choicesOf(`${key}.rises`, ['x_min', 'x_max', 'y_min', 'y_max'])},
                    () => fromText(`${key}.rises`, 'x_max'), value => edit(`${key}.rises`, value));
    if (shape === 'cylinder') {
        pointField(form, key, 'from', 'One end');
        pointField(form, key, 'to', 'Other end');
    }
    if (shape === 'sphere')
        pointField(form, key, 'position', 'Centre');
    if (shape === 'cylinder' || shape === 'sphere')
        lengthField(form, key, 'radius', 'Radius');
    if (shape === 'polygon') {
        lengthField(form, key, 'bottom', 'Bottom');
        lengthField(form, key, 'top', 'Top');
        form.add(make('p', {class: 'muted',
            text: `${fromText(`${key}.corners`, []).length} corners, in the room file.`}));
    }
    if (shape === 'box')
        orientationField(form, `${key}.rotation`, 'Rotation');
}

/* A copy stands beside its original. */
function shifted(key, {shape}) {
    const move = name => {
        const at = fromText(`${key}.${name}`, [0, 0, 0]);
        return {[name]: [at[0] + 0.3, at[1] + 0.3, at[2]]};
    };
    if (shape === 'sphere')
        return move('position');
    if (shape === 'polygon')
        return {corners: fromText(`${key}.corners`, []).map(([x, y]) => [x + 0.3, y + 0.3])};
    return {...move('from'), ...move('to')};
}

function inspectObject(form, {index}, item) {
    const key = item().key || `room.objects[${index}]`;
    const part = store.state.scene.parts.find(one => one.kind === 'object' && one.index === index);
    form.add(make('p', {class: 'muted', text: `Shape: ${item().shape}`}));
    nameField(form, key, 'object', item);
    shapeFields(form, key, item);
    if (part)
        materialRow(form, part);
    const title = item().name || item().shape;
    const named = () => item().name ? {name: freeName(store.state.scene.objects, item().name)} : {};
    actions(form, action('Duplicate', () => copyItem('object', key, {...shifted(key, item()), ...named()})),
            action('Show in the file', () => showLine(item().line)),
            action('Remove', () => removeItem(key, title), {class: 'danger'}));
}

function inspectWall(form, {index}, item) {
    const part = item();
    materialRow(form, part);
    form.add(make('p', {class: 'muted', text: `Area ${format(areaOf(part), 1)} m²`}));
    const line = part.line || part.key && lineOfKey(part.key);
    if (line)
        actions(form, action('Show in the file', () => showLine(line)));
}

const KINDS = {source: inspectSource, receiver: inspectReceiver, object: inspectObject, wall: inspectWall};

export function titleOf(selection) {
    const item = itemOf(selection);
    if (!item)
        return '';
    return selection.kind === 'wall' ? partTitle(item) : item.name || item.shape || selection.kind;
}

/* What must rebuild the fields when it changes. */
export function shapeOf(selection) {
    const item = itemOf(selection);
    return item && JSON.stringify([selection.kind, selection.index, item.shape, item.key, item.type,
                                   fromText(`${item.key}.directivity`) === undefined ||
                                   fromText(`${item.key}.directivity`) === 'omni']);
}

export function inspectItem(form, selection) {
    KINDS[selection.kind](form, selection, () => itemOf(selection) || {});
    form.refresh();
}
