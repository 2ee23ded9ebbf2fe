/* SPDX-License-Identifier: MIT */
/* Which part of the room file names the material of a wall or an object, and how it changes. */
import {addItem, editText, find, insertItem, setValue, valueOf} from './room_text.js';
import {store} from './store.js';

const WALLS = {x_min: 'Wall at x = 0', x_max: 'Wall at the largest x', y_min: 'Wall at y = 0',
               y_max: 'Wall at the largest y', z_min: 'Floor', z_max: 'Ceiling'};

export function partTitle(part) {
    const side = /^side[ _]?(\d+)$/.exec(part.name);
    if (part.kind === 'wall' && part.name === 'default')
        return `Wall ${part.index + 1}`;
    return WALLS[part.name] || (side ? `Wall ${side[1]}` : part.name.replace(/_/g, ' '));
}

/* A wall of a box, or floor or ceiling of a plan: its own key, whatever the default is. */
function assignWall(text, part, name) {
    return setValue(text, `room.walls.${part.name}`, name);
}

/* Path of a side of a plan in the list of sides, if the text has one. */
function sideKey(text, part) {
    const number = /^side (\d+)$/.exec(part.name), key = part.key || number &&
        `room.walls.sides[${number[1] - 1}]`;
    return key && key.includes('sides[') && find(text, key) ? key : null;
}

/* One side of a plan: a list of sides that the text lacks needs all of them. */
function assignSide(text, scene, part, name) {
    const key = sideKey(text, part);
    if (key)
        return setValue(text, key, name);
    const sides = scene.parts.filter(one => one.kind === 'wall' && !WALLS[one.name]);
    return setValue(text, 'room.walls.sides', sides.map(one => one === part ? name : one.material));
}

/* A name of a model. An entry that stands for several names gets one of this name before it. */
function assignName(text, part, name) {
    const entry = /^(.*\[\d+\])\.material$/.exec(part.key || ''), mapping = {name: part.name, material: name};
    if (!entry)
        return addItem(text, 'room.geometry.materials', mapping);
    if (valueOf(text, `${entry[1]}.name`) === part.name)
        return setValue(text, part.key, name);
    return insertItem(text, entry[1], mapping);
}

function assign(text, scene, part, name) {
    if (part.kind === 'object')
        return setValue(text, part.key || `room.objects[${part.index}].material`, name);
    if (scene.form === 'mesh')
        return assignName(text, part, name);
    return WALLS[part.name] ? assignWall(text, part, name) : assignSide(text, scene, part, name);
}

/* The key that gives a wall its material at present: its own, or the one of all walls without. */
function presentKey(text, scene, part) {
    if (scene.form === 'mesh')
        return part.key || 'room.geometry.default';
    const own = WALLS[part.name] ? `room.walls.${part.name}` : sideKey(text, part);
    return own && find(text, own) ? own : 'room.walls.default';
}

/* Replaces a material wherever walls have it. */
function assignAll(text, scene, material, name) {
    const parts = scene.parts.filter(part => part.kind === 'wall' && part.material === material);
    let result = {text, line: null};
    for (const key of new Set(parts.map(part => presentKey(text, scene, part))))
        result = setValue(result.text, key, name);
    return result;
}

/* Walls that have the same material as a part, this one included. */
export function sameWalls(part) {
    const scene = store.state.scene;
    return part.kind === 'wall' ? scene.parts.filter(one => one.kind === 'wall' &&
        one.material === part.material) : [part];
}

/* Gives a part of the scene a material; `all`: all walls that have the same one. */
export function assignMaterial(part, name, all = false) {
    const scene = store.state.scene;
    return editText(text => all ? assignAll(text, scene, part.material, name) : assign(text, scene, part, name),
                    {label: `material of ${partTitle(part)}`});
}
