/* SPDX-License-Identifier: MIT */
/* The materials that a room can use: those of its file and those that ship, in groups. */
import {get} from './api.js';
import {make} from './dom.js';
import {valueOf} from './room_text.js';
import {store} from './store.js';
import {css, materialColour} from './view_colours.js';

/* Names at which a group of the library begins; the library is in this order. */
const GROUPS = [
    ['concrete', 'Hard surfaces'], ['glass_window', 'Glass and windows'], ['wood', 'Wood and panels'],
    ['wooden_door', 'Doors'], ['parquet', 'Floors and carpets'], ['acoustic_tile', 'Ceilings and absorbers'],
    ['curtain', 'Curtains'], ['audience', 'Seats and audience'], ['mineral_wool_50mm', 'Layers'],
    ['ventilation_grille', 'Other'],
];
const BUILT_IN = [
    {name: 'rigid', about: 'Reflects everything', absorption: Array(8).fill(0), scattering: null,
        group: 'Built in'},
];
const OWN = 'In this room file';
const OCTAVES = [63, 125, 250, 500, 1000, 2000, 4000, 8000]; /* Hz */

let library = [];

/* Values of all octaves, or null: those of layers are computed when they are asked for. */
const complete = values => values && values.length >= 8 && values.slice(0,
    8).every(Number.isFinite) ? values : null;

let loaded = Promise.resolve();

export function loadLibrary() {
    loaded = load();
    return loaded;
}

/* Calls f once the library is there, if it is not yet. */
export const whenLoaded = f => library.length || loaded.then(f, () => {});

async function load() {
    const materials = await get('materials');
    let group = ['', 'Materials'];
    library = materials.map(material => {
        group = GROUPS.find(([first]) => first === material.name) || group;
        return {group: group[1], ...material, absorption: complete(material.absorption) ||
            complete(material.fitted)};
    });
}

/* Materials that the room file defines, as far as it tells their absorption in octaves. */
function ownMaterials() {
    const scene = store.state.scene, own = valueOf(store.state.text, 'materials', {});
    return Object.entries(own).map(([name, material]) => {
        const known = scene && scene.materials.find(one => one.name === name);
        return {name, about: material.description || '', absorption: known ? complete(known.absorption) : null,
                scattering: known ? known.scattering : null, source: material.source || '', group: OWN};
    });
}

export function allMaterials() {
    const own = ownMaterials();
    return [...own, ...library.filter(({name}) => !own.some(one => one.name === name)), ...BUILT_IN];
}

export function materialOf(name) {
    return allMaterials().find(material => material.name === name) || null;
}

/* The colour that the material has in the views. */
export function swatch(name) {
    const element = make('span', {class: 'swatch', 'aria-hidden': 'true'});
    element.style.setProperty('--swatch', css(materialColour(name)));
    return element;
}

/* "wooden_door" reads better as "wooden door"; the file needs the first. */
export const readableName = name => name.replace(/_/g, ' ');

/* Materials whose name, description or group holds all words. */
export function searchMaterials(words) {
    const all = words.toLowerCase().split(/[\s_]+/).filter(Boolean);
    return allMaterials().filter(({name, about, group}) => {
        const text = `${name.replace(/_/g, ' ')} ${about} ${group}`.toLowerCase();
        return all.every(word => text.includes(word));
    });
}

/* How near a name is to the words that found it: 0 for the name itself, more for longer names, most if only the
   description holds them. */
export function nearness({name}, words) {
    const all = words.toLowerCase().split(/[\s_]+/).filter(Boolean), length = all.join('_').length;
    return all.every(word => name.includes(word)) ? name.length - length + (name.startsWith(all[0]) ? 0 : 0.5) : 100;
}

export {OCTAVES};
