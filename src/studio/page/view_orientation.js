/* SPDX-License-Identifier: MIT */
/* Which side of a wall faces the air. A line through the wall along an axis crosses the closed surface of the room: air
   is where an odd number of faces lies between a place and the outside. Where seams leak, other axes vote, and at last
   the nearest source or receiver decides, which is in the air. */

const CELLS = 96; /* along each side of the grid of columns; at most 256 */

/* Triangles by the cell of a grid across `axis`: those of a cell are list[starts[cell]] to
   list[starts[cell + 1] - 1]. */
function columns(positions, count, axis, lower, upper) {
    const u = (axis + 1) % 3, v = (axis + 2) % 3, boxes = new Uint8Array(4 * count), p = positions;
    const su = CELLS / (upper[u] - lower[u] || 1), sv = CELLS / (upper[v] - lower[v] || 1);
    const starts = new Int32Array(CELLS * CELLS + 1), grid = {axis, u, v, su, sv, lower, starts, positions};
    for (let t = 0; t < count; t++) {
        const a = 9 * t, b = a + 3, c = a + 6;
        boxes[4 * t] = cellOf(Math.min(p[a + u], p[b + u], p[c + u]), lower[u], su);
        boxes[4 * t + 1] = cellOf(Math.max(p[a + u], p[b + u], p[c + u]), lower[u], su);
        boxes[4 * t + 2] = cellOf(Math.min(p[a + v], p[b + v], p[c + v]), lower[v], sv);
        boxes[4 * t + 3] = cellOf(Math.max(p[a + v], p[b + v], p[c + v]), lower[v], sv);
        for (let i = boxes[4 * t]; i <= boxes[4 * t + 1]; i++)
            for (let j = boxes[4 * t + 2]; j <= boxes[4 * t + 3]; j++)
                starts[CELLS * i + j + 1]++;
    }
    for (let cell = 0; cell < CELLS * CELLS; cell++)
        starts[cell + 1] += starts[cell];
    const next = starts.slice();
    grid.list = new Int32Array(starts[CELLS * CELLS]);
    for (let t = 0; t < count; t++)
        for (let i = boxes[4 * t]; i <= boxes[4 * t + 1]; i++)
            for (let j = boxes[4 * t + 2]; j <= boxes[4 * t + 3]; j++)
                grid.list[next[CELLS * i + j]++] = t;
    return grid;
}

const cellOf = (x, lower, scale) => Math.max(0, Math.min(CELLS - 1, Math.floor((x - lower) * scale)));

/* Numbers of faces below and above a point along the axis, itself (`skip`) left out. */
function crossings(grid, point, skip) {
    const {axis, u, v, su, sv, lower, starts, list, positions: p} = grid, x = point[u], y = point[v];
    const cell = CELLS * cellOf(x, lower[u], su) + cellOf(y, lower[v], sv);
    let below = 0, above = 0;
    for (let i = starts[cell]; i < starts[cell + 1]; i++) {
        const t = list[i], a = 9 * t, b = a + 3, c = a + 6;
        if (t === skip)
            continue;
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
    const out = new Int8Array(count), p = positions, normal = [0, 0, 0], point = [0, 0, 0], axes = [0, 1, 2];
    for (let t = 0; t < count; t++) {
        for (let i = 0; i < 3; i++) {
            normal[i] = normals[3 * t + i];
            point[i] = 0.3571 * p[9 * t + i] + 0.2913 * p[9 * t + 3 + i] + 0.3516 * p[9 * t + 6 + i];
        }
        axes.sort((a, b) => Math.abs(normal[b]) - Math.abs(normal[a]) || a - b);
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
