/* SPDX-License-Identifier: MIT */
/* The triangles of a room as the views need them: turned so that their front faces the air, with normals and the edges
   worth drawing; and which of them a ray meets. */
import {facing} from './view_orientation.js';

const SMOOTH = Math.cos(32 * Math.PI / 180); /* flatter edges belong to curved surfaces, and are not drawn */

function floats(text) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
}

function normalsOf(p, count) {
    const n = new Float32Array(3 * count);
    for (let t = 0; t < count; t++) {
        const a = 9 * t, ux = p[a + 3] - p[a], uy = p[a + 4] - p[a + 1], uz = p[a + 5] - p[a + 2];
        const vx = p[a + 6] - p[a], vy = p[a + 7] - p[a + 1], vz = p[a + 8] - p[a + 2];
        const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx, length = Math.hypot(x, y, z) || 1;
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

/* Edges as [ax ay az bx by bz, normal of one face, normal of the other], the longest first. */
function edgesOf(g, lower, upper) {
    const size = Math.max(...upper.map((u, i) => u - lower[i])) || 1, unit = 1e5 / size, p = g.positions;
    const ids = new Map(), edges = new Map(), id = at => {
        const [x, y, z] = [0, 1, 2].map(i => Math.round((p[at + i] - lower[i]) * unit));
        const key = (x * 131072 + y) * 131072 + z;
        let found = ids.get(key);
        if (found === undefined)
            ids.set(key, found = ids.size);
        return found;
    };
    for (let t = 0; t < g.count; t++) {
        const v = [id(9 * t), id(9 * t + 3), id(9 * t + 6)];
        for (let k = 0; k < 3; k++) {
            const a = v[k], b = v[(k + 1) % 3], key = Math.min(a, b) * 4194304 + Math.max(a, b), old = edges.get(key);
            if (!old)
                edges.set(key, {t, k, other: -1, more: false});
            else if (old.other < 0)
                old.other = t;
            else
                old.more = true;
        }
    }
    const out = [], n = g.normals, length = e => Math.hypot(e[0] - e[3], e[1] - e[4], e[2] - e[5]);
    for (const {t, k, other, more} of edges.values()) {
        if (!g.sides[t] && (other < 0 || !g.sides[other]))
            continue;
        const a3 = 3 * t, b3 = 3 * other;
        const dot = other < 0 ? 0 : n[a3] * n[b3] + n[a3 + 1] * n[b3 + 1] + n[a3 + 2] * n[b3 + 2];
        if (other >= 0 && !more && g.part[t] === g.part[other] && dot > SMOOTH)
            continue;
        const a = 9 * t + 3 * k, b = 9 * t + 3 * ((k + 1) % 3), last = other < 0 ? t : other;
        out.push([p[a], p[a + 1], p[a + 2], p[b], p[b + 1], p[b + 2], n[3 * t], n[3 * t + 1], n[3 * t + 2],
            n[3 * last], n[3 * last + 1], n[3 * last + 2], g.part[t], g.part[last]]);
    }
    out.sort((one, two) => length(two) - length(one));
    g.edgePart = Uint16Array.from(out, edge => edge[12]);
    g.edgeOther = Uint16Array.from(out, edge => edge[13]);
    return new Float32Array(out.flatMap(edge => edge.slice(0, 12)));
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
    g.edges = edgesOf(g, scene.lower, scene.upper);
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
