/* SPDX-License-Identifier: MIT */
/* Places for what is added: near the middle of the room, in the air that the sources are in, away from others. */
import {store} from './store.js';

const HEIGHT = 1.2;    /* m: ears of a person who sits */
const APART = 0.6;     /* m from other sources and receivers */
const FROM_WALLS = 0.3;
const STEPS = 12;

export function decode(base64) {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
    return new Float32Array(bytes.buffer);
}

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/* Does the segment from `a` along `d` meet a triangle: T. Möller, B. Trumbore, Journal of Graphics Tools 2, 1997. */
function meets(a, d, t, at) {
    const p = [t[at], t[at + 1], t[at + 2]];
    const e = [t[at + 3] - p[0], t[at + 4] - p[1], t[at + 5] - p[2]];
    const f = [t[at + 6] - p[0], t[at + 7] - p[1], t[at + 8] - p[2]];
    const h = cross(d, f), scale = dot(e, h);
    if (Math.abs(scale) < 1e-12)
        return false;
    const s = minus(a, p), u = dot(s, h) / scale, q = cross(s, e), v = dot(d, q) / scale, w = dot(f, q) / scale;
    return u >= -1e-6 && v >= -1e-6 && u + v <= 1 + 1e-6 && w > -1e-6 && w < 1 + 1e-6;
}

class Air {
    constructor(scene) {
        this.scene = scene;
        this.triangles = decode(scene.positions);
        this.items = [...scene.sources, ...scene.receivers].map(item => item.position).filter(Boolean);
        this.middle = scene.lower.map((low, i) => (low + scene.upper[i]) / 2);
    }

    /* Nothing stands between two points. */
    sees(a, b) {
        const d = minus(b, a), t = this.triangles;
        for (let at = 0; at < t.length; at += 9)
            if (meets(a, d, t, at))
                return false;
        return true;
    }

    isInside(point) {
        const {lower, upper} = this.scene;
        return point.every((x, i) => x > lower[i] + FROM_WALLS / 2 && x < upper[i] - FROM_WALLS / 2);
    }

    /* In the same air as something that is known to be in it. */
    isAir(point) {
        return this.isInside(point) && (!this.items.length || this.items.some(item => this.sees(item, point)));
    }

    isFree(point) {
        return this.items.every(item => distance(item, point) >= APART);
    }
}

/* Points of a grid over the floor, nearest to the middle first. */
function candidates(air, z) {
    const {lower, upper} = air.scene, points = [];
    for (let i = 1; i < STEPS; i++)
        for (let k = 1; k < STEPS; k++)
            points.push([lower[0] + (upper[0] - lower[0]) * i / STEPS,
                lower[1] + (upper[1] - lower[1]) * k / STEPS, z]);
    points.sort((a, b) => distance(a, air.middle) - distance(b, air.middle));
    return points.map(point => point.map(x => Number(x.toFixed(2))));
}

/* Points around what is there, for rooms whose middle is no air. */
function nearby(air) {
    const points = [];
    for (const [x, y, z] of air.items)
        for (const radius of [0.8, 1.5, 0.4])
            for (let turn = 0; turn < 8; turn++)
                points.push([x + radius * Math.cos(turn * Math.PI / 4),
                    y + radius * Math.sin(turn * Math.PI / 4), z]);
    return points.map(point => point.map(value => Number(value.toFixed(2))));
}

/* A place for a source or a receiver. */
export function freePlace() {
    const air = new Air(store.state.scene), z = Number((air.scene.lower[2] + HEIGHT).toFixed(2));
    const good = point => air.isFree(point) && air.isAir(point);
    return candidates(air, z).find(good) || nearby(air).find(good) ||
        nearby(air).find(point => air.isAir(point)) ||
        air.middle.map(x => Number(x.toFixed(2)));
}

/* Corners {from, to} of a box that stands on the floor in the air. */
export function freeBox(size = [0.6, 0.6, 0.75]) {
    const air = new Air(store.state.scene), floor = air.scene.lower[2];
    const box = ([x, y]) => ({from: [x - size[0] / 2, y - size[1] / 2, floor], to: [x + size[0] / 2,
        y + size[1] / 2,
                                                                                    floor + size[2]]});
    const fits = point => {
        const {from, to} = box(point), top = to[2] - 0.01;
        const corners = [[from[0], from[1]], [from[0], to[1]], [to[0], from[1]], [to[0], to[1]]];
        return air.items.every(item => Math.hypot(item[0] - point[0], item[1] - point[1]) > 0.8) &&
            corners.every(([x, y]) => air.isAir([x, y, top]));
    };
    const all = candidates(air, floor + size[2]);
    const {from, to} = box(all.find(fits) || all[0]);
    return {from: from.map(x => Number(x.toFixed(2))), to: to.map(x => Number(x.toFixed(2)))};
}

/* Area of a part of the scene in m2. */
export function areaOf(part) {
    const t = decode(store.state.scene.positions);
    let area = 0;
    for (let at = 9 * part.first; at < 9 * (part.first + part.count); at += 9) {
        const e = [t[at + 3] - t[at], t[at + 4] - t[at + 1], t[at + 5] - t[at + 2]];
        const f = [t[at + 6] - t[at], t[at + 7] - t[at + 1], t[at + 8] - t[at + 2]];
        area += Math.hypot(...cross(e, f)) / 2;
    }
    return area;
}

/* A name of a list that is not taken: source, source_2 ... */
export function freeName(list, name) {
    const taken = new Set(list.map(item => item.name));
    let number = 2, candidate = name;
    while (taken.has(candidate))
        candidate = `${name.replace(/_\d+$/, '')}_${number++}`;
    return candidate;
}
