/* SPDX-License-Identifier: MIT */
/* Which side of a wall faces the air. A line through the wall along an axis crosses the closed surface of the room: air
   is where an odd number of faces lies between a place and the outside. Where seams leak, other axes vote, and at last
   the nearest source or receiver decides, which is in the air. */

const CELLS = 96; /* along each side of the grid of columns */

/* Triangles by the cell of a grid across `axis`. */
function columns(positions, count, axis, lower, upper) {
    const u = (axis + 1) % 3, v = (axis + 2) % 3, cells = new Map();
    const su = CELLS / (upper[u] - lower[u] || 1), sv = CELLS / (upper[v] - lower[v] || 1);
    for (let t = 0; t < count; t++) {
        const [us, vs] = [u, v].map(i => [0, 3, 6].map(k => positions[9 * t + k + i]));
        const u1 = Math.floor((Math.max(...us) - lower[u]) * su), v1 = Math.floor((Math.max(...vs) - lower[v]) * sv);
        for (let i = Math.floor((Math.min(...us) - lower[u]) * su); i <= u1; i++)
            for (let j = Math.floor((Math.min(...vs) - lower[v]) * sv); j <= v1; j++) {
                const key = i * 1024 + j;
                if (!cells.has(key))
                    cells.set(key, []);
                cells.get(key).push(t);
            }
    }
    return {axis, u, v, su, sv, lower, cells, positions};
}

/* Numbers of faces below and above a point along the axis, itself (`skip`) left out. */
function crossings(grid, point, skip) {
    const {axis, u, v, su, sv, lower, cells, positions: p} = grid, x = point[u], y = point[v];
    let below = 0, above = 0;
    for (const t of cells.get(Math.floor((x - lower[u]) * su) * 1024 + Math.floor((y - lower[v]) * sv)) || []) {
        if (t === skip)
            continue;
        const a = 9 * t, b = a + 3, c = a + 6;
        const bx = p[b + u] - p[a + u], by = p[b + v] - p[a + v], cx = p[c + u] - p[a + u], cy = p[c + v] - p[a + v];
        const area = bx * cy - by * cx, px = x - p[a + u], py = y - p[a + v];
        const s = (px * cy - py * cx) / area, r = (bx * py - by * px) / area;
        if (!(s >= 0 && r >= 0 && s + r <= 1))
            continue;
        const at = p[a + axis] + s * (p[b + axis] - p[a + axis]) + r * (p[c + axis] - p[a + axis]);
        if (at > point[axis])
            above++;
        else
            below++;
    }
    return [below, above];
}

function nearest(point, places) {
    let best = null, least = Infinity;
    for (const place of places) {
        const d = (place[0] - point[0]) ** 2 + (place[1] - point[1]) ** 2 + (place[2] - point[2]) ** 2;
        if (d < least)
            [best, least] = [place, d];
    }
    return best;
}

/* For each of the first `count` triangles: 1 where the side of its normal faces air, -1 where the other does, 2 for a
   sheet with air on both sides, 0 for a face that no air touches. `places` are in the air. */
export function facing(positions, normals, count, lower, upper, places) {
    const grids = [0, 1, 2].map(axis => columns(positions, count, axis, lower, upper));
    const odd = places.filter(place => crossings(grids[2], place, -1)[1] % 2).length;
    const air = !places.length || 2 * odd >= places.length ? 1 : 0; /* parity of air: 0 where walls have thickness */
    const out = new Int8Array(count), weights = [0.3571, 0.2913, 0.3516];
    for (let t = 0; t < count; t++) {
        const normal = normals.subarray(3 * t, 3 * t + 3), point = [0, 1, 2].map(i => weights.reduce((sum, w, k) =>
            sum + w * positions[9 * t + 3 * k + i], 0));
        const axes = [0, 1, 2].sort((a, b) => Math.abs(normal[b]) - Math.abs(normal[a]));
        for (const axis of axes) {
            if (Math.abs(normal[axis]) < 0.05)
                break;
            const [below, above] = crossings(grids[axis], point, t), sign = normal[axis] > 0 ? 1 : -1;
            const up = above % 2 === air && (air || above), down = below % 2 === air && (air || below);
            const open = up && down ? (below + above) % 2 ? 0 : 2 : up ? sign : down ? -sign : 0;
            if (!out[t] || open === 1 || open === -1)
                out[t] = open;
            if (out[t] === 1 || out[t] === -1)
                break;
        }
        const place = !out[t] && air && nearest(point, places);
        if (place)
            out[t] = [0, 1, 2].reduce((sum, i) => sum + normal[i] * (place[i] - point[i]), 0) > 0 ? 1 : -1;
    }
    return out;
}
