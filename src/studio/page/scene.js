/* SPDX-License-Identifier: MIT */
/* The triangles of a room as the views need them: turned so that their front faces the air, with normals and the edges
   worth drawing; and which of them a ray meets. */
import {facing} from './view_orientation.js';

const SMOOTH = Math.cos(32 * Math.PI / 180); /* flatter edges belong to curved surfaces, and are not drawn */

function floats(text) {
    const packed = atob(text), bytes = new Uint8Array(packed.length);
    for (let i = 0; i < bytes.length; i++)
        bytes[i] = packed.charCodeAt(i);
    return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
}

function normalsOf(p, count) {
    const n = new Float32Array(3 * count);
    for (let t = 0; t < count; t++) {
        const a = 9 * t, ux = p[a + 3] - p[a], uy = p[a + 4] - p[a + 1], uz = p[a + 5] - p[a + 2];
        const vx = p[a + 6] - p[a], vy = p[a + 7] - p[a + 1], vz = p[a + 8] - p[a + 2];
        const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx, length = Math.sqrt(x * x + y * y + z * z) || 1;
        n[3 * t] = x / length;
        n[3 * t + 1] = y / length;
        n[3 * t + 2] = z / length;
    }
    return n;
}

function flip(g, t) {
    const p = g.positions, a = 9 * t;
    for (let i = 0; i < 3; i++) {
        [p[a + 3 + i], p[a + 6 + i]] = [p[a + 6 + i], p[a + 3 + i]];
        g.normals[3 * t + i] *= -1;
    }
}

/* Turns the faces of walls towards the air. */
function orient(g, scene) {
    const walls = [];
    for (let t = 0; t < g.count; t++)
        if (scene.parts[g.part[t]].kind === 'wall')
            walls.push(t);
    const own = new Float32Array(9 * walls.length), normals = new Float32Array(3 * walls.length);
    walls.forEach((t, i) => {
        own.set(g.positions.subarray(9 * t, 9 * t + 9), 9 * i);
        normals.set(g.normals.subarray(3 * t, 3 * t + 3), 3 * i);
    });
    const places = [...scene.sources, ...scene.receivers].map(item => item.position).filter(Boolean);
    const sides = facing(own, normals, walls.length, scene.lower, scene.upper, places);
    walls.forEach((t, i) => {
        g.sides[t] = Math.abs(sides[i]);
        if (sides[i] < 0)
            flip(g, t);
    });
}

/* Open addressing: a table of at least twice as many places as entries, all empty (0). */
const tableFor = entries => new Int32Array(2 << Math.ceil(Math.log2(entries + 1)));

const scatter = (h, table) => (h ^ h >>> 15) & table.length - 1;

/* For each corner of the triangles, the first corner at the same place; places are rounded to 1/unit m. */
function weld(p, lower, unit) {
    const count = p.length / 3 | 0, at = new Int32Array(3 * count), first = new Int32Array(count);
    const table = tableFor(count);
    for (let i = 0; i < at.length; i++)
        at[i] = Math.round((p[i] - lower[i % 3]) * unit);
    for (let v = 0; v < count; v++) {
        const x = at[3 * v], y = at[3 * v + 1], z = at[3 * v + 2];
        let h = scatter(Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791), table), w;
        while ((w = table[h] - 1) >= 0 && (at[3 * w] !== x || at[3 * w + 1] !== y || at[3 * w + 2] !== z))
            h = h + 1 & table.length - 1;
        if (w < 0)
            table[h] = v + 1;
        first[v] = w < 0 ? v : w;
    }
    return first;
}

/* All edges: `corner` is the one at which an edge begins, 3 t + k; `other` the second triangle, or -1; `more`: whether
   there is a third. */
function findEdges(p, lower, unit) {
    const v = weld(p, lower, unit), most = v.length, table = tableFor(most), corner = new Int32Array(most);
    const low = new Int32Array(most), high = new Int32Array(most), other = new Int32Array(most).fill(-1);
    const more = new Uint8Array(most);
    let count = 0;
    for (let c = 0; c < most; c++) {
        const next = c % 3 < 2 ? c + 1 : c - 2, a = Math.min(v[c], v[next]), b = Math.max(v[c], v[next]);
        let h = scatter(Math.imul(a, 73856093) ^ Math.imul(b, 19349663), table), e;
        while ((e = table[h] - 1) >= 0 && (low[e] !== a || high[e] !== b))
            h = h + 1 & table.length - 1;
        if (e < 0) {
            [low[count], high[count], corner[count]] = [a, b, c];
            table[h] = ++count;
        } else if (other[e] < 0) {
            other[e] = c / 3 | 0;
        } else {
            more[e] = 1;
        }
    }
    return {count, corner, other, more};
}

/* Sets edges as [ax ay az bx by bz, normal of one face, normal of the other], the longest first, and their parts. */
function setEdges(g, lower, upper) {
    const size = Math.max(...upper.map((u, i) => u - lower[i])) || 1, p = g.positions, n = g.normals;
    const {count, corner, other, more} = findEdges(p, lower, 1e5 / size), lengths = new Float64Array(count);
    const endOf = c => 3 * (c % 3 < 2 ? c + 1 : c - 2), worth = [];
    for (let e = 0; e < count; e++) {
        const c = corner[e], t = c / 3 | 0, o = other[e];
        if (!g.sides[t] && (o < 0 || !g.sides[o]))
            continue;
        const dot = o < 0 ? 0 : n[3 * t] * n[3 * o] + n[3 * t + 1] * n[3 * o + 1] + n[3 * t + 2] * n[3 * o + 2];
        if (o >= 0 && !more[e] && g.part[t] === g.part[o] && dot > SMOOTH)
            continue;
        const a = 3 * c, b = endOf(c);
        lengths[e] = (p[a] - p[b]) ** 2 + (p[a + 1] - p[b + 1]) ** 2 + (p[a + 2] - p[b + 2]) ** 2;
        worth.push(e);
    }
    const order = Int32Array.from(worth).sort((one, two) => lengths[two] - lengths[one]);
    g.edges = new Float32Array(12 * order.length);
    g.edgePart = new Uint16Array(order.length);
    g.edgeOther = new Uint16Array(order.length);
    order.forEach((e, i) => {
        const c = corner[e], t = c / 3 | 0, last = other[e] < 0 ? t : other[e];
        g.edges.set(p.subarray(3 * c, 3 * c + 3), 12 * i);
        g.edges.set(p.subarray(endOf(c), endOf(c) + 3), 12 * i + 3);
        g.edges.set(n.subarray(3 * t, 3 * t + 3), 12 * i + 6);
        g.edges.set(n.subarray(3 * last, 3 * last + 3), 12 * i + 9);
        g.edgePart[i] = g.part[t];
        g.edgeOther[i] = g.part[last];
    });
}

const KEPT = 4; /* geometries: those of the variants, and one that is new */
let kept = [], version = 0;

/* The geometry of a scene: {positions, normals, part, sides, edges, edgePart, count, lower, upper, version}. `sides`: how
   many sides of a triangle air touches. The same triangles give the same object. */
export function unpack(scene) {
    const key = scene.parts.map(part => `${part.first},${part.count},${part.kind}`).join();
    const same = kept.find(one => one.text === scene.positions && one.key === key);
    if (same)
        return same.geometry;
    const positions = floats(scene.positions), count = positions.length / 9 | 0;
    const g = {positions, count, normals: normalsOf(positions, count), part: new Uint16Array(count),
               sides: new Int8Array(count).fill(1), lower: scene.lower, upper: scene.upper, version: ++version};
    scene.parts.forEach((part, i) => g.part.fill(i, part.first, part.first + part.count));
    orient(g, scene);
    setEdges(g, scene.lower, scene.upper);
    kept = [{text: scene.positions, key, geometry: g}, ...kept].slice(0, KEPT);
    return g;
}

/* Has the next unpack make its geometry anew: after an object has been dragged to a place that the program refused. */
export function forget() {
    kept = [];
}

/* Moves the triangles and edges of a part while it is dragged. */
export function shift(g, index, part, by) {
    for (let t = part.first; t < part.first + part.count; t++)
        for (let k = 0; k < 9; k++)
            g.positions[9 * t + k] += by[k % 3];
    g.edgePart.forEach((of, i) => {
        for (let k = 0; of === index && k < 6; k++)
            g.edges[12 * i + k] += by[k % 3];
    });
    g.version = ++version;
}

/* The first triangle that a ray meets: {triangle, part, distance, point} or null. `seen`: only fronts, as they are
   drawn; `keep`: whether a point is this side of the cut. */
export function cast(g, origin, direction, {seen = false, keep = null} = {}) {
    const p = g.positions, [ox, oy, oz] = origin, [dx, dy, dz] = direction;
    let best = Infinity, triangle = -1;
    for (let t = 0; t < g.count; t++) {
        const facing = g.normals[3 * t] * dx + g.normals[3 * t + 1] * dy + g.normals[3 * t + 2] * dz;
        if (seen && (!g.sides[t] || facing >= 0 && g.sides[t] < 2))
            continue;
        const a = 9 * t, ux = p[a + 3] - p[a], uy = p[a + 4] - p[a + 1], uz = p[a + 5] - p[a + 2];
        const vx = p[a + 6] - p[a], vy = p[a + 7] - p[a + 1], vz = p[a + 8] - p[a + 2];
        const hx = dy * vz - dz * vy, hy = dz * vx - dx * vz, hz = dx * vy - dy * vx;
        const det = ux * hx + uy * hy + uz * hz, sx = ox - p[a], sy = oy - p[a + 1], sz = oz - p[a + 2];
        const s = (sx * hx + sy * hy + sz * hz) / det;
        if (!(s >= 0 && s <= 1))
            continue;
        const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
        const r = (dx * qx + dy * qy + dz * qz) / det, at = (vx * qx + vy * qy + vz * qz) / det;
        if (!(r >= 0 && s + r <= 1 && at > 1e-6 && at < best))
            continue;
        if (keep && !keep([ox + at * dx, oy + at * dy, oz + at * dz]))
            continue;
        best = at;
        triangle = t;
    }
    return triangle < 0 ? null : {triangle, part: g.part[triangle], distance: best,
                                  point: [ox + best * dx, oy + best * dy, oz + best * dz]};
}

/* Lines in which a plane across `axis` cuts the triangles: for each part, [ax ay az bx by bz ...]. */
export function slice(g, axis, at) {
    const lines = new Map(), p = g.positions;
    for (let t = 0; t < g.count; t++) {
        const ends = [];
        if (!g.sides[t])
            continue;
        for (let k = 0; k < 3; k++) {
            const a = 9 * t + 3 * k, b = 9 * t + 3 * ((k + 1) % 3), da = p[a + axis] - at, db = p[b + axis] - at;
            if (da < 0 === db < 0)
                continue;
            const s = da / (da - db);
            for (let i = 0; i < 3; i++)
                ends.push(p[a + i] + s * (p[b + i] - p[a + i]));
        }
        if (ends.length !== 6)
            continue;
        if (!lines.has(g.part[t]))
            lines.set(g.part[t], []);
        lines.get(g.part[t]).push(...ends);
    }
    return lines;
}
