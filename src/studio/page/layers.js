/* SPDX-License-Identifier: MIT */
/* What is drawn on top of the room: maps of parameters, shapes of modes and first reflections. */
import {make} from './dom.js';
import {css, mix, valueColour} from './view_colours.js';
import {line} from './view_marks.js';
import {redraw} from './view_settings.js';

const ALPHA = 0.88;
const SHADES = 256;
const shades = Array.from({length: SHADES}, (_, i) => valueColour(i / (SHADES - 1)).map(x => Math.round(255 * x)));

/* ---- Maps ---- */

/* Distinct coordinates in order, and the least distance between two of them. */
function ticks(values) {
    const sorted = [...new Set(values.map(x => x.toFixed(4)))].map(Number).sort((a, b) => a - b);
    const steps = sorted.slice(1).map((x, i) => x - sorted[i]).filter(d => d > 1e-3);
    return {first: sorted[0], last: sorted[sorted.length - 1], step: steps.length ? Math.min(...steps) : 1};
}

const pictures = new WeakMap(); /* of maps: {canvas, number, ...} */
let made = 0;

/* A picture with a pixel for each place; the plane's axis is the one along which all places are the same. */
function pictureOf(map) {
    if (pictures.has(map.rows) && pictures.get(map.rows).key === `${map.from} ${map.to}`)
        return pictures.get(map.rows);
    const axes = ['x', 'y', 'z'].map(name => ticks(map.rows.map(row => row[name])));
    const w = axes.findIndex(axis => axis.last - axis.first < 1e-3), [u, v] = [0, 1, 2].filter(i => i !== w);
    const count = axis => Math.round((axis.last - axis.first) / axis.step) + 1;
    const columns = count(axes[u]), rows = count(axes[v]), canvas = make('canvas', {width: columns, height: rows});
    const pen = canvas.getContext('2d'), image = pen.createImageData(columns, rows);
    for (const row of map.rows) {
        const place = [row.x, row.y, row.z], t = (row.value - map.from) / (map.to - map.from || 1);
        const at = 4 * (Math.round((place[u] - axes[u].first) / axes[u].step) +
            columns * (rows - 1 - Math.round((place[v] - axes[v].first) / axes[v].step)));
        const known = row.value !== null && Number.isFinite(row.value);
        const shade = known ? shades[Math.round((SHADES - 1) * Math.max(0, Math.min(1, t)))] : [128, 128, 128];
        image.data.set([...shade, known ? 255 : 110], at);
    }
    pen.putImageData(image, 0, 0);
    const half = axis => axis.step / 2, picture = {key: `${map.from} ${map.to}`, canvas, u, v, w,
        number: ++made, at: axes[w]?.first,
        low: [axes[u].first - half(axes[u]), axes[v].first - half(axes[v])],
        high: [axes[u].last + half(axes[u]), axes[v].last + half(axes[v])]};
    pictures.set(map.rows, picture);
    return picture;
}

/* Draws a map in the pane that looks at its plane. */
export function drawMap(pen, pane, map) {
    if (!map.rows.length)
        return;
    const picture = pictureOf(map), {u, v} = pane.side;
    if (picture.u !== u || picture.v !== v)
        return;
    const corner = ([a, b]) => {
        const place = [0, 0, 0];
        place[u] = a;
        place[v] = b;
        return pane.project(place);
    };
    const [left, bottom] = corner(picture.low), [right, top] = corner(picture.high);
    pen.globalAlpha = ALPHA;
    pen.imageSmoothingEnabled = false;
    pen.drawImage(picture.canvas, left, top, right - left, bottom - top);
    pen.imageSmoothingEnabled = true;
    pen.globalAlpha = 1;
}

/* A map as a plane of the room for Renderer.draw, or null. */
export function mapPlane(map) {
    const picture = map && map.rows.length ? pictureOf(map) : null;
    if (!picture || picture.w < 0)
        return null;
    const {canvas, number, u, v, w, low, high, at} = picture, corner = [0, 0, 0], across = [0, 0, 0];
    const upwards = [0, 0, 0];
    [corner[u], corner[v], corner[w]] = [...low, at];
    across[u] = high[0] - low[0];
    upwards[v] = high[1] - low[1];
    return {canvas, number, corner, across, upwards, alpha: ALPHA};
}

/* ---- Modes ---- */

/* Pictures of modes have a title, a key and a scale of colours around the room: the part of the picture that holds the
   room's box is found by its blank margins. */
const loaded = new Map();

function frameOf(image) {
    const canvas = make('canvas', {width: image.width, height: image.height});
    const pen = canvas.getContext('2d', {willReadFrequently: true});
    pen.drawImage(image, 0, 0);
    const {data, width, height} = pen.getImageData(0, 0, image.width, image.height);
    const blank = (x, y) => {
        const at = 4 * (y * width + x);
        return data[at] + data[at + 1] + data[at + 2] > 750;
    };
    const side = Math.round(0.9 * width);
    const rowBlank = y => Array.from({length: side}, (_, x) => x).every(x => blank(x, y));
    let top = Math.round(0.045 * width), bottom;
    while (top < height - 1 && rowBlank(top))
        top++;
    for (bottom = top; bottom < height - 1 && !rowBlank(bottom + 1);)
        bottom++;
    const columnBlank = x => Array.from({length: bottom - top + 1}, (_, y) => top + y).every(y => blank(x, y));
    let left = 0, right;
    while (left < width - 1 && columnBlank(left))
        left++;
    for (right = left; right < width - 1 && !columnBlank(right + 1);)
        right++;
    return {left, top, width: right - left + 1, height: bottom - top + 1};
}

function pictureAt(url) {
    if (!loaded.has(url)) {
        const image = new Image(), entry = {image, frame: null};
        image.onload = () => {
            entry.frame = frameOf(image);
            redraw();
        };
        image.src = url;
        loaded.set(url, entry);
        if (loaded.size > 80)
            loaded.delete(loaded.keys().next().value);
    }
    return loaded.get(url);
}

/* mode: {url, label}, a picture of aula modes --plot, over the plan of the room's box. */
export function drawMode(pen, pane, mode, scene) {
    const url = mode.url || mode.picture, entry = url && pictureAt(url);
    if (!entry || !entry.frame)
        return;
    const {frame, image} = entry, [left, bottom] = pane.project(scene.lower), [right, top] = pane.project(scene.upper);
    pen.globalAlpha = ALPHA;
    pen.drawImage(image, frame.left, frame.top, frame.width, frame.height, left, top, right - left, bottom - top);
    pen.globalAlpha = 1;
}

/* ---- Reflections ---- */

const FAINT = 40; /* the strongest paths, which are drawn without being pointed at */
const levelOf = ({level}) => level ?? -200;
const tint = (level, top) => Math.max(0.35, Math.min(1, 1 + (level - top) / 30));

/* Paths of reflections; the hovered one is bright, with its corners, and the others stand back. */
export function drawReflections(pen, project, {reflections, hovered}, colours) {
    const levels = reflections.map(levelOf).sort((a, b) => b - a), top = levels[0];
    const least = levels[Math.min(FAINT, levels.length) - 1];
    const path = ({points}) => points.map(project);
    reflections.forEach((one, i) => {
        const places = path(one);
        if (i !== hovered && levelOf(one) >= least && places.every(Boolean))
            line(pen, places, colours, {colour: colours.accent, width: 1.25,
                                        alpha: tint(levelOf(one), top) * (hovered === null ? 0.9 : 0.5)});
    });
    const bright = reflections[hovered], places = bright && path(bright);
    if (!bright || !places.every(Boolean))
        return;
    line(pen, places, colours, {colour: colours.source, width: 2.75});
    for (const [x, y] of places.slice(1, -1)) {
        pen.beginPath();
        pen.arc(x, y, 3.5, 0, 7);
        pen.fillStyle = css(colours.panel);
        pen.fill();
        pen.lineWidth = 2;
        pen.strokeStyle = css(colours.source);
        pen.stroke();
    }
}

/* ---- Key of a map ---- */

function words(map) {
    const unit = map.unit ? `, ${map.unit}` : '', band = map.band ? `, ${map.band} Hz` : '';
    return `${map.label || String(map.parameter).toUpperCase()}${band}${unit}`;
}

/* An element with the scale of colours of a map and its numbers, or null. */
export function mapKey(layers) {
    const {map, mode} = layers;
    if (!map && !mode)
        return null;
    const canvas = make('canvas', {width: SHADES, height: 1, class: 'ramp', 'aria-hidden': 'true'});
    const pen = canvas.getContext('2d'), image = pen.createImageData(SHADES, 1);
    shades.forEach((shade, i) => image.data.set([...shade, 255], 4 * i));
    pen.putImageData(image, 0, 0);
    if (!map)
        return make('div', {class: 'map-key'}, make('div', {text: mode.label || 'Shape of a mode'}));
    const digits = map.to - map.from < 2 ? 2 : map.to - map.from < 20 ? 1 : 0;
    const number = x => x.toFixed(digits).replace('-', '−');
    return make('div', {class: 'map-key'}, make('div', {text: words(map)}), canvas,
        make('div', {class: 'ends'}, 
            ...[0, 0.5, 1].map(x => make('span', {text: number(map.from + x * (map.to - map.from))}))));
}
