/* SPDX-License-Identifier: MIT */
/* What the views write and draw over the room with a 2D pen: names, arrows, drop lines, distances. */
import {css} from './view_colours.js';

const halo = (pen, colours, width) => {
    pen.strokeStyle = css(colours.panel, 0.9);
    pen.lineWidth = width;
};

/* A line with a halo in the page's colour, so that it shows on any face. */
export function line(pen, points, colours, {colour = colours.ink, width = 1.25, dash = [], alpha = 1} = {}) {
    pen.beginPath();
    points.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
    pen.lineJoin = pen.lineCap = 'round';
    pen.setLineDash([]);
    halo(pen, colours, width + 2);
    pen.globalAlpha = 0.7 * alpha;
    pen.stroke();
    pen.globalAlpha = alpha;
    pen.setLineDash(dash);
    pen.strokeStyle = css(colour);
    pen.lineWidth = width;
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
}

export function arrow(pen, [ax, ay], [bx, by], colours, colour) {
    const length = Math.hypot(bx - ax, by - ay);
    if (length < 8)
        return;
    const u = [(bx - ax) / length, (by - ay) / length], foot = [bx - 8 * u[0], by - 8 * u[1]];
    line(pen, [[ax, ay], foot], colours, {colour, width: 2});
    pen.beginPath();
    pen.moveTo(bx, by);
    pen.lineTo(foot[0] - 4.5 * u[1], foot[1] + 4.5 * u[0]);
    pen.lineTo(foot[0] + 4.5 * u[1], foot[1] - 4.5 * u[0]);
    pen.closePath();
    halo(pen, colours, 3);
    pen.stroke();
    pen.fillStyle = css(colour);
    pen.fill();
}

/* Words with a halo, kept as pictures: drawing text around its edges takes long. */
const sprites = new Map(), PAD = 3;

function sprite(words, font, size, colours, colour, ratio) {
    const key = [words, font, css(colour), css(colours.panel), ratio].join('|');
    if (!sprites.has(key)) {
        if (sprites.size > 400)
            sprites.clear();
        const canvas = document.createElement('canvas'), pen = canvas.getContext('2d');
        pen.font = font;
        const width = Math.ceil(pen.measureText(words).width) + 2 * PAD, height = Math.ceil(1.4 * size) + 2 * PAD;
        Object.assign(canvas, {width: Math.ceil(width * ratio), height: Math.ceil(height * ratio)});
        pen.scale(ratio, ratio);
        pen.font = font;
        pen.lineJoin = 'round';
        halo(pen, colours, 4);
        pen.strokeText(words, PAD, PAD + 1.1 * size);
        pen.fillStyle = css(colour);
        pen.fillText(words, PAD, PAD + 1.1 * size);
        sprites.set(key, {canvas, width, height});
    }
    return sprites.get(key);
}

/* Left end and base line at x, y. */
function haloed(pen, words, x, y, size, weight, colours, colour) {
    const font = `${weight} ${size}px system-ui, sans-serif`, ratio = Math.max(1, pen.getTransform().a);
    const {canvas, width, height} = sprite(words, font, size, colours, colour, ratio);
    pen.drawImage(canvas, Math.round(x) - PAD, Math.round(y) - PAD - 1.1 * size, width, height);
}

/* Text with a halo at a place, its middle there. */
export function text(pen, words, x, y, colours, {size = 11, colour = colours.ink, weight = 500} = {}) {
    pen.font = `${weight} ${size}px system-ui, sans-serif`;
    haloed(pen, words, x - pen.measureText(words).width / 2, y + 0.36 * size, size, weight, colours, colour);
}

/* A distance with its number. */
export function dimension(pen, a, b, words, colours) {
    line(pen, [a, b], colours, {dash: [5, 4], colour: colours.accent, width: 1.5});
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length > 26)
        text(pen, words, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, colours,
            {size: 12, weight: 600, colour: colours.accent});
}

/* Names beside their marks, where there is room: items are {name, x, y, colour, strong}; `taken` are boxes that are to
   stay free. Names of what is chosen come first and always find a place. */
export function names(pen, items, taken, width, height, colours, size) {
    pen.font = `600 ${size}px system-ui, sans-serif`;
    for (const {name, x, y, strong} of [...items].sort((a, b) => (b.strong || 0) - (a.strong || 0))) {
        const gap = strong ? 21 : 11; /* beyond the ring of what is chosen */
        const w = pen.measureText(name).width, places = [[x + gap, y + size / 3], [x - gap - w, y + size / 3],
            [x - w / 2, y - gap - 2], [x - w / 2, y + gap + size]];
        const boxes = places.map(([left, base]) => [left - 2, base - size, left + w + 2, base + 4]);
        const free = boxes.findIndex(box => box[0] >= 0 && box[2] <= width && box[1] >= 0 && box[3] <= height &&
            !taken.some(t => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3]));
        if (free < 0 && !strong)
            continue;
        const at = Math.max(0, free);
        taken.push(boxes[at]);
        haloed(pen, name, ...places[at], size, 600, colours, colours.ink);
    }
}

/* Lines of text on a small card beside a place, kept on the canvas. */
export function card(pen, lines, x, y, width, height, colours, size) {
    pen.font = `500 ${size}px system-ui, sans-serif`;
    const w = Math.max(...lines.map(words => pen.measureText(words).width)) + 16, step = 1.4 * size;
    const h = step * lines.length + 9, left = x + 22 + w > width ? x - 22 - w : x + 22;
    const at = [Math.max(4, Math.min(width - w - 4, left)), Math.max(4, Math.min(height - h - 4, y - h - 8))];
    pen.beginPath();
    pen.roundRect(...at, w, h, 6);
    pen.fillStyle = css(colours.panel, 0.95);
    pen.fill();
    pen.strokeStyle = css(colours.line);
    pen.lineWidth = 1;
    pen.stroke();
    pen.fillStyle = css(colours.ink);
    lines.forEach((words, i) => pen.fillText(words, at[0] + 8, at[1] + step * (i + 0.82) + 3));
}
