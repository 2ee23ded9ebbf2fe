/* SPDX-License-Identifier: MIT */
/* Where a dragged item may lie, and what lies around it. */
import {cast} from './scene.js';
import {clamp} from './view_maths.js';

export const STEPS = [[0, 'off'], [0.01, '1 cm'], [0.05, '5 cm'], [0.1, '10 cm']];

/* Coordinates in whole steps, in whole millimetres at least. */
export function snapped(position, step) {
    return position.map(x => Number((Math.round(x / (step || 0.001)) * (step || 0.001)).toFixed(4)));
}

/* Keeps a position within the box about the room, a centimetre from its sides. */
export function within(position, {lower, upper}) {
    return position.map((x, i) => clamp(x, lower[i] + 0.01, upper[i] - 0.01));
}

/* Height of the surface below a position. */
export function floorBelow(geometry, position) {
    const hit = cast(geometry, position, [0, 0, -1]);
    return hit ? hit.point[2] : geometry.lower[2];
}

/* The nearest surface along x and the nearest along y: [{axis, sign, distance, point, part}]. */
export function nearestWalls(geometry, position) {
    const found = [];
    for (const axis of [0, 1]) {
        let best = null;
        for (const sign of [-1, 1]) {
            const direction = [0, 0, 0];
            direction[axis] = sign;
            const hit = cast(geometry, position, direction);
            if (hit && (!best || hit.distance < best.distance))
                best = {axis, sign, ...hit};
        }
        if (best)
            found.push(best);
    }
    return found;
}

export const metres = x => x.toFixed(2).replace('-', '−');

/* "x 1.20 y 0.80 z 1.25 m" */
export function place([x, y, z]) {
    return `x ${metres(x)} y ${metres(y)} z ${metres(z)} m`;
}
