/* SPDX-License-Identifier: MIT */
/* Edits of the room's text that the views make: places, orientations and objects. */
import {announce, say} from './dom.js';
import {editValue} from './room_text.js';
import {settings} from './view_settings.js';
import {place, snapped, within} from './snap.js';
import {store} from './store.js';

export const listOf = kind => store.state.scene[kind === 'source' ? 'sources' : 'receivers'];

/* What is being turned, until its edit: the orientation to draw. */
export const turning = {kind: null, index: -1, orientation: null};

export const orientationOf = (kind, index) => turning.kind === kind && turning.index === index ?
    turning.orientation : listOf(kind)[index].orientation || [0, 0, 0];

/* Whether turning an item can be heard. */
export const hasFront = (kind, item) => kind === 'source' ? Boolean(item.directivity) && item.directivity !== 'omni' :
    Boolean(item.type) && item.type !== 'omni';

function edited(path, value, options) {
    try {
        return editValue(path, value, options) !== null;
    } catch (error) {
        say(error.message, 'error');
        return false;
    }
}

/* Shows an item at a position while it is dragged; returns the position, snapped and within the room. */
export function preview(kind, index, position) {
    const to = within(snapped(position, settings.snap), store.state.scene);
    store.move(kind, index, to);
    return to;
}

export function setPosition(kind, index, position) {
    const item = listOf(kind)[index];
    edited(`${item.key}.position`, position, {label: `move ${item.name}`, merge: `${item.key}.position`});
    announce(`${item.name}: ${place(position)}`);
}

export function setOrientation(kind, index, orientation) {
    const item = listOf(kind)[index];
    edited(`${item.key}.orientation`, orientation, {label: `turn ${item.name}`, merge: `${item.key}.orientation`});
    announce(`${item.name}: turned to ${orientation[0]} degrees`);
}

const plus = (place, by) => place.map((x, i) => Number((x + by[i]).toFixed(4)));

/* Moves an object by metres along x, y, z: all of its keys that are places. Returns whether the text allows it. */
export function moveObject(index, by) {
    let good = true;
    const object = store.state.scene.objects[index], options = {label: `move ${object.name || object.shape}`,
                                                                merge: `${object.key} moves`};
    for (const key of ['from', 'to', 'position'])
        if (object[key])
            good = edited(`${object.key}.${key}`, plus(object[key], by), options) && good;
    if (object.corners && (by[0] || by[1]))
        good = edited(`${object.key}.corners`, object.corners.map(corner => plus(corner, by)), options) && good;
    for (const key of ['bottom', 'top'])
        if (by[2] && Number.isFinite(object[key]))
            good = edited(`${object.key}.${key}`, plus([object[key]], [by[2]])[0], options) && good;
    return good;
}
