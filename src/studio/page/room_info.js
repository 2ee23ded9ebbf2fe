/* SPDX-License-Identifier: MIT */
/* The room at a glance: the numbers of `aula info`, the keys of the whole room, and what is in it. */
import {partTitle} from './assign.js';
import {format, make, readable} from './dom.js';
import {action} from './fields.js';
import {selectWhenThere} from './inspect_item.js';
import {keyOf} from './keys.js';
import {readableName, swatch} from './library.js';
import {octaveTable} from './octave_table.js';
import {freeBox, freeName, freePlace} from './placing.js';
import {editAdd, editValue, valueOf} from './room_text.js';
import {store} from './store.js';

const WAIT = 700; /* ms without a change until `aula info` runs */

/* ---- aula info ---- */

let timer = 0, isBusy = false, isWanted = false, failed = '';

const lastText = new Map(); /* of each variant: the text that its information is about */

async function runInfo() {
    if (isBusy) {
        isWanted = true;
        return;
    }
    isBusy = true;
    const id = store.state.active, text = store.state.text;
    try {
        lastText.set(id, text);
        failed = '';
        await store.work('info', {}, id);
    } catch (refusal) {
        failed = refusal.message;
        store.emit('results');
    }
    isBusy = false;
    if (isWanted) {
        isWanted = false;
        askInfo();
    }
}

/* Has the program describe the active room, once it is left alone for a moment. */
export function askInfo(isShown = true) {
    clearTimeout(timer);
    const v = store.variant();
    if (isShown && v && v.checked === v.text && lastText.get(v.id) !== v.text)
        timer = setTimeout(runInfo, WAIT);
}

/* The information about the active room as it is, or null. */
function infoNow() {
    const {results, active, text} = store.state;
    return !isBusy && lastText.get(active) === text && results[active]?.info || null;
}

/* "about 36 min at 4 kHz; lower “Waves up to” for a quick look", or "" where it is not known. */
export function estimate() {
    const info = infoNow(), seconds = info?.estimated_seconds;
    if (!seconds)
        return '';
    const to = info.hybrid?.waves?.to ?? info.valid_band?.high;
    return `about ${readable(seconds)}${to ? ` at ${+(to < 1000 ? to : to / 1000).toPrecision(2)} ${to < 1000 ? 'Hz' : 'kHz'}` : ''}` +
        `${seconds > 60 ? '; lower “Waves up to” for a quick look' : ''}`;
}

export function forgetInfo() {
    lastText.clear();
}

/* ---- Numbers ---- */

const bytes = value => value < 1e9 ? `${Math.max(1, Math.round(value / 1e6))} MB` : `${format(value / 1e9, 1)} GB`;
const hertz = value => value < 1000 ? `${format(value, 0)} Hz` : `${format(value / 1000, value < 10000 ? 2 : 1)} kHz`;
const group = value => Math.round(value).toLocaleString('en').replace(/,/g, '\u202f');

function facts(info) {
    const {space, grid, valid_band: band, hybrid} = info, size = store.state.scene;
    const extent = size.upper.map((x, i) => format(x - size.lower[i], 2)).join(' × ');
    return [
        ['Size', `${extent} m`],
        ['Volume', space && `${space.volume < 1000 ? format(space.volume, 1) : group(space.volume)} m³`],
        ['Surface', space && `${space.surface < 1000 ? format(space.surface, 1) : group(space.surface)} m²`],
        ['Schroeder frequency', space && hertz(space.schroeder_frequency)],
        ['Waves valid up to', hybrid && hybrid.waves ? hertz(hybrid.waves.to) : band && hertz(band.high)],
        ['Response valid', band && `${hertz(band.low)} to ${hertz(band.high)}`],
        ['Grid', grid && `${group(grid.points_total)} points, ${format(1000 * grid.spacing, 1)} mm`],
        ['Duration', info.duration && `${format(info.duration.seconds, 2)} s`],
        ['Memory', grid && bytes(grid.memory_bytes)],
        ['Engine', info.engine && (info.engine === 'cuda' ? 'NVIDIA GPU' : 'CPU; no GPU is used')],
        ['Run time', info.estimated_seconds && `about ${readable(info.estimated_seconds)}`],
    ].filter(([, value]) => value);
}

function decayTable({octave_bands: bands, sabine, eyring}) {
    return octaveTable('Reverberation time by octave', bands, [['Sabine', sabine], ['Eyring', eyring]],
                       'Estimated reverberation time in s');
}

function messages(info) {
    const warnings = info.warnings || [], notes = info.notes || [];
    return [
        warnings.length && make('ul', {class: 'warnings', 'aria-label': 'Warnings'},
                                ...warnings.map(text => make('li', {text: text.text || text}))),
        notes.length && make('details', {class: 'notes'}, make('summary', {text: `Notes (${notes.length})`}),
                             make('ul', {}, ...notes.map(text => make('li', {text: text.text || text})))),
    ];
}

/* Numbers, table and warnings, as far as they are known. */
function showNumbers(element) {
    const {results, active, scene} = store.state, info = results[active] && results[active].info;
    const isOld = !store.state.error && !failed && (isBusy || lastText.get(active) !== store.state.text);
    element.toggleAttribute('data-old', Boolean(info) && isOld);
    element.setAttribute('aria-busy', String(isOld));
    if (!info || !scene)
        return element.replaceChildren(make('p', {class: failed ? 'field-error' : 'muted',
                                                  text: failed || (store.state.error ? '' : 'Reading the room …')}));
    return element.replaceChildren(...[
        make('dl', {class: 'facts'}, ...facts(info).map(([name, value]) => make('div', {}, make('dt',
            {text: name}),
                                                                                      make('dd', {text: value})))),
        info.space && info.space.sabine && decayTable(info.space), ...messages(info),
    ].filter(Boolean));
}

/* ---- Keys of the room ---- */

function roomFields(form) {
    const read = path => valueOf(store.state.text, path);
    const put = path => value => editValue(path, value, {merge: path});
    const number = (label, path, more) => form.number({label, path, ...more}, () => read(path), put(path));
    form.heading('Settings');
    if (Array.isArray(read('room.size')))
        form.numbers({label: 'Size of the room', path: 'room.size', names: ['x', 'y', 'z'], unit: 'm',
            step: 0.1, least: 0.01},
                     () => read('room.size') || [0, 0, 0], put('room.size'));
    if (typeof read('room.height') === 'number')
        number('Ceiling height', 'room.height', {step: 0.1});
    const byRate = read('grid.rate') !== undefined && read('grid.max_frequency') === undefined;
    if (byRate)
        number('Grid rate', 'grid.rate', {step: 1000});
    else
        number('Waves up to', 'grid.max_frequency', {step: 100, placeholder: 'by the grid rate'});
    number('Duration', 'time.duration', {step: 0.1, placeholder: 'auto'});
    number('Air temperature', 'air.temperature', {placeholder: keyOf('air.temperature').default || '20'});
    number('Relative humidity', 'air.humidity', {step: 5, placeholder: keyOf('air.humidity').default || '50'});
}

/* ---- What is in the room ---- */

function entries(title, items, more) {
    return make('section', {class: 'things'}, make('h3', {text: title}),
        items.length ? make('ul', {}, ...items) : make('p', {class: 'muted', text: 'None'}), more);
}

function entry(selection, content, note) {
    return make('li', {}, make('button', {type: 'button', class: 'entry',
        'data-item': `${selection.kind} ${selection.index}`,
        on: {click: () => store.select(selection)}},
                               ...content, note && make('span', {class: 'muted', text: note})));
}

const place = position => position ? position.map(x => format(x, 2)).join(', ') : '';

function add(path, object, kind) {
    const result = editAdd(path, object, {label: `add ${kind}`});
    if (result)
        selectWhenThere({kind, index: result.index, name: object.name});
}

function addPoint(kind) {
    const name = freeName(store.state.scene[`${kind}s`], kind === 'source' ? 'loudspeaker' : 'listener');
    add(`${kind}s`, {name, position: freePlace()}, kind);
}

function addObject() {
    const name = freeName(store.state.scene.objects, 'object');
    add('room.objects', {shape: 'box', name, ...freeBox(), material: 'wood'}, 'object');
}

function wallsByMaterial(scene) {
    const walls = scene.parts.map((part, index) => ({part, index})).filter(({part}) => part.kind === 'wall');
    const order = [...new Set(walls.map(({part}) => part.material))];
    walls.sort((a, b) => order.indexOf(a.part.material) - order.indexOf(b.part.material));
    return walls.map(({part, index}) => entry({kind: 'wall', index, name: part.name},
        [swatch(part.material), make('span', {class: 'grow', text: partTitle(part)})],
            readableName(part.material)));
}

function showThings(element) {
    const scene = store.state.scene;
    if (!scene)
        return element.replaceChildren();
    const dot = kind => make('span', {class: `dot ${kind}`, 'aria-hidden': 'true'});
    const points = (kind, list) => list.map((item, index) => entry({kind, index, name: item.name},
        [dot(kind), make('span', {class: 'grow', text: item.name})], place(item.position)));
    const objects = scene.objects.map((item, index) => entry({kind: 'object', index, name: item.name},
        [swatch(item.material), make('span', {class: 'grow', text: item.name || `${item.shape} ${index + 1}`})],
            readableName(item.material)));
    return element.replaceChildren(
        entries('Sources', points('source', scene.sources), action('Add a source', () => addPoint('source'))),
        entries('Receivers', points('receiver', scene.receivers), action('Add a receiver',
            () => addPoint('receiver'))),
        entries('Objects', objects, action('Add an object', addObject)),
        entries('Walls', wallsByMaterial(scene)));
}

/* Builds the overview into a form. */
export function showRoom(form) {
    if (!store.state.file) {
        form.add(make('p', {class: 'muted', text: 'No room is open.'}));
        return;
    }
    const numbers = make('div', {class: 'numbers'}), things = make('div');
    roomFields(form);
    form.heading('The room');
    form.add(numbers, things);
    let scene = null;
    form.parts.push(() => showNumbers(numbers), () => {
        const now = store.state.scene && JSON.stringify({...store.state.scene, positions: null});
        if (now === scene)
            return;
        const focused = [...things.querySelectorAll('button')].indexOf(document.activeElement);
        scene = now;
        showThings(things);
        things.querySelectorAll('button')[focused]?.focus();
    });
    form.refresh();
}
