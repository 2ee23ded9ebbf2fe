/* SPDX-License-Identifier: MIT */
/* Small charts as SVG, with axes, and pictures of levels on a canvas. Colours come from results.css. */
import {make, makeSvg} from './dom.js';

const WIDTH = 376, LEFT = 40, RIGHT = 10, TOP = 10, BOTTOM = 34;

/* Round steps of 1, 2 or 5 that divide a span into about `count`. */
export function ticks(from, to, count = 5) {
    const raw = (to - from) / count, power = 10 ** Math.floor(Math.log10(raw));
    const step = power * ([1, 2, 5].find(m => m * power >= raw * 0.999) || 10), out = [];
    for (let i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++)
        out.push(+(i * step).toPrecision(12));
    return out;
}

function place(from, to, start, end) {
    return value => start + (value - from) / (to - from) * (end - start);
}

/* x, y: {from, to, label, ticks?, text?: value → string}. Returns {svg, plot, x, y, xOf, inside}. */
export function chart({x, y, height = 200, label}) {
    const right = WIDTH - RIGHT, bottom = height - BOTTOM;
    const px = place(x.from, x.to, LEFT, right), py = place(y.from, y.to, bottom, TOP);
    const svg = makeSvg('svg', {class: 'chart', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img',
        'aria-label': label});
    const words = axis => axis.text || (value => String(value).replace('-', '−'));
    for (const value of x.ticks || ticks(x.from, x.to, 6))
        svg.append(makeSvg('line', {class: 'grid', x1: px(value), x2: px(value), y1: TOP, y2: bottom}),
            makeSvg('text', {x: px(value), y: bottom + 13, 'text-anchor': 'middle', text: words(x)(value)}));
    for (const value of y.ticks || ticks(y.from, y.to, 5))
        svg.append(makeSvg('line', {class: 'grid', x1: LEFT, x2: right, y1: py(value), y2: py(value)}),
            makeSvg('text', {x: LEFT - 5, y: py(value) + 3.5, 'text-anchor': 'end', text: words(y)(value)}));
    svg.append(makeSvg('text', {class: 'axis', x: (LEFT + right) / 2, y: height - 5, 'text-anchor': 'middle',
        text: x.label}),
        makeSvg('text', {class: 'axis', x: 0, y: 0, 'text-anchor': 'middle', text: y.label,
                         transform: `translate(10 ${(TOP + bottom) / 2}) rotate(-90)`}));
    const plot = makeSvg('svg', {x: LEFT, y: TOP, width: right - LEFT, height: bottom - TOP,
                                 viewBox: `${LEFT} ${TOP} ${right - LEFT} ${bottom - TOP}`});
    svg.append(plot);
    return {svg, plot, x: px, y: py, top: TOP, bottom, columns: right - LEFT,
            xOf: clientX => {
                const box = svg.getBoundingClientRect();
                return x.from + ((clientX - box.left) * WIDTH / box.width - LEFT) / (right - LEFT) * (x.to - x.from);
            }};
}

/* A curve through points [[x, y], ...]; it breaks where y is not finite. */
export function curve(c, points, attributes = {}) {
    let pen = 'M', d = '';
    for (const [x, y] of points) {
        if (Number.isFinite(y))
            d += `${pen}${c.x(x).toFixed(1)} ${c.y(y).toFixed(1)}`;
        pen = Number.isFinite(y) ? 'L' : 'M';
    }
    const path = makeSvg('path', {class: 'curve', d, ...attributes});
    c.plot.append(path);
    return path;
}

/* ---- Colours of levels ---- */

/* Stops from dark to light with evenly rising lightness, near those of the program's own pictures. */
const STOPS = [[43, 12, 84], [66, 54, 133], [53, 98, 141], [37, 134, 142], [40, 168, 132], [104, 196, 92],
    [190, 216, 54],
               [250, 231, 50]];

export function colourOf(share) {
    const at = Math.max(0, Math.min(1, share)) * (STOPS.length - 1),
        i = Math.min(STOPS.length - 2, Math.floor(at));
    return STOPS[i].map((value, k) => Math.round(value + (at - i) * (STOPS[i + 1][k] - value)));
}

/* A bar of colours between two values. `colours`: share → [r, g, b], 0 to 255. */
export function legend(from, to, unit, text, colours = colourOf) {
    const canvas = make('canvas', {width: 256, height: 1, 'aria-hidden': 'true'}),
        context = canvas.getContext('2d');
    for (let i = 0; i < 256; i++) {
        context.fillStyle = `rgb(${colours(i / 255).join(' ')})`;
        context.fillRect(i, 0, 1, 1);
    }
    return make('div', {class: 'legend'}, make('span', {text: text(from)}), canvas,
        make('span', {text: `${text(to)} ${unit}`.trim()}));
}

/* ---- Fourier transform ---- */

const twiddles = new Map();

function turns(count) {
    if (!twiddles.has(count)) {
        const cos = new Float64Array(count / 2), sin = new Float64Array(count / 2);
        for (let i = 0; i < count / 2; i++) {
            cos[i] = Math.cos(2 * Math.PI * i / count);
            sin[i] = -Math.sin(2 * Math.PI * i / count);
        }
        twiddles.set(count, {cos, sin});
    }
    return twiddles.get(count);
}

/* In place, radix 2; the length is a power of two. The inverse is this with `re` and `im` exchanged, over the length. */
export function transform(re, im) {
    const count = re.length, {cos, sin} = turns(count);
    for (let i = 1, j = 0; i < count; i++) {
        let bit = count >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            [re[i], re[j]] = [re[j], re[i]];
            [im[i], im[j]] = [im[j], im[i]];
        }
    }
    for (let half = 1; half < count; half *= 2)
        for (let start = 0; start < count; start += 2 * half)
            for (let k = 0, t = 0; k < half; k++, t += count / (2 * half)) {
                const a = start + k, b = a + half;
                const x = re[b] * cos[t] - im[b] * sin[t], y = re[b] * sin[t] + im[b] * cos[t];
                re[b] = re[a] - x;
                im[b] = im[a] - y;
                re[a] += x;
                im[a] += y;
            }
}
