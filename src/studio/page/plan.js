/* SPDX-License-Identifier: MIT */
/* The room drawn flat, to scale: the plan from above, cut at a height; and the section, cut along x or y through an
   item. Cut walls are strong lines, what lies beyond is pale. */
import {drawMap, drawMode} from './layers.js';
import {cast, slice, unpack} from './scene.js';
import {metres} from './snap.js';
import {gestures} from './view_gestures.js';
import {line, text} from './view_marks.js';
import {ARROWS, clamp} from './view_maths.js';
import {css, materialColour, mix} from './view_colours.js';
import {Pane} from './view_pane.js';
import {settings} from './view_settings.js';
import {store} from './store.js';

const HEAD = 44, FOOT = 32; /* px at least above a room that is shown whole; px between it and the ruler below */
const LABEL = ': arrow keys pan, plus and minus zoom, 0 fits the room';

/* u: axis to the right, v: upwards, w: across, towards the eye where sign = 1. */
const SIDES = {plan: {u: 0, v: 1, w: 2, sign: 1}, x: {u: 0, v: 2, w: 1, sign: -1}, y: {u: 1, v: 2, w: 0, sign: 1}};

/* The smallest of 1, 2, 5, 10 ... m that is at least `least`. */
function roundStep(least) {
    const ten = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].find(n => n * ten >= least * 0.9999) * ten;
}

export class Flat extends Pane {
    constructor(name, title) {
        super(name, title, title + LABEL, {focusable: name === 'plan', turns: name === 'plan'});
        Object.assign(this, {middle: [0, 0], zoom: 50, cutLines: null, cutKey: ''});
        gestures(this.canvas, {
            drag: (x, y) => this.pan(x, y),
            pan: (x, y) => this.pan(x, y),
            zoom: (factor, x, y) => this.zoomBy(factor, x, y),
            click: (x, y) => this.click(x, y),
            double: (x, y) => this.zoomBy(1.8, x, y),
            hover: (x, y) => this.hover(x, y),
            grab: (x, y) => this.grab(x, y),
            key: event => this.key(event),
        });
    }

    /* An element below the room: a room that is shown whole keeps clear of it. */
    addFoot(element) {
        this.foot = element;
        this.element.append(element);
        this.watch.observe(element);
    }

    get side() {
        return SIDES[this.name === 'plan' ? 'plan' : settings.along];
    }

    /* Where the room is cut, m along the side's w. */
    get at() {
        if (this.name === 'plan')
            return settings.planCut;
        const {scene, selection: s, receiver} = store.state, {w} = this.side;
        const list = s && {source: scene.sources, receiver: scene.receivers}[s.kind];
        const item = list && list[s.index] || scene.receivers.find(r => r.name === receiver) || scene.receivers[0] ||
            scene.sources[0];
        return item && item.position ? item.position[w] : (scene.lower[w] + scene.upper[w]) / 2;
    }

    /* Width of the rulers, px. */
    get ruler() {
        return Math.round(1.67 * this.size);
    }

    fit() {
        const {scene} = store.state, {u, v} = this.side;
        if (!scene || !this.width)
            return;
        const head = Math.max(HEAD, this.head.offsetTop + this.head.offsetHeight + 4), {ruler} = this;
        const below = this.foot ? this.foot.offsetHeight + 16 : 0, foot = Math.max(FOOT, below) + ruler;
        const w = this.width - ruler - 40, h = this.height - head - foot - 24;
        const {lower, upper} = scene;
        this.zoom = Math.max(1, Math.min(w / (upper[u] - lower[u]), h / (upper[v] - lower[v])));
        this.middle = [(lower[u] + upper[u] - ruler / this.zoom) / 2,
                       (lower[v] + upper[v] + (head - foot) / this.zoom) / 2];
        this.touched = false;
        this.request();
    }

    pan(x, y) {
        this.middle = [this.middle[0] - x / this.zoom, this.middle[1] + y / this.zoom];
        this.moves();
    }

    zoomBy(factor, x = this.width / 2, y = this.height / 2) {
        const next = clamp(this.zoom * factor, 1, 4000), by = 1 / this.zoom - 1 / next;
        this.middle = [this.middle[0] + (x - this.width / 2) * by, this.middle[1] - (y - this.height / 2) * by];
        this.zoom = next;
        this.moves();
    }

    key(event) {
        const [dx, dy] = ARROWS[event.key] || [0, 0];
        if (dx || dy)
            this.pan(-40 * dx, -40 * dy);
        else if (event.key === '+' || event.key === '=')
            this.zoomBy(1.15);
        else if (event.key === '-')
            this.zoomBy(1 / 1.15);
        else if (event.key === '0' || event.key === 'Home')
            this.fit();
        else
            return false;
        return true;
    }

    /* ---- Places on the canvas and in the room ---- */

    project(position) {
        const {u, v} = this.side;
        return [this.width / 2 + (position[u] - this.middle[0]) * this.zoom,
                this.height / 2 - (position[v] - this.middle[1]) * this.zoom];
    }

    tip(position, direction, pixels) {
        return this.project(position.map((x, i) => x + direction[i] * pixels / this.zoom));
    }

    pointTo(x, y, position) {
        const {u, v} = this.side, to = [...position];
        to[u] = this.middle[0] + (x - this.width / 2) / this.zoom;
        to[v] = this.middle[1] - (y - this.height / 2) / this.zoom;
        return to;
    }

    step(key) {
        const {u, v, w} = this.side;
        const axis = {ArrowLeft: u, ArrowRight: u, ArrowUp: v, ArrowDown: v, PageUp: w, PageDown: w}[key];
        if (axis === undefined)
            return null;
        const by = [0, 0, 0];
        by[axis] = key === 'ArrowLeft' || key === 'ArrowDown' || key === 'PageDown' ? -1 : 1;
        return by;
    }

    /* A cut wall within reach of the pointer, else the surface below it. */
    pick(x, y) {
        const {scene} = store.state, {w, sign} = this.side, at = scene ? this.at : 0;
        if (!scene)
            return null;
        let best = null, least = 7;
        for (const [part, lines] of this.lines(unpack(scene)))
            for (let i = 0; i < lines.length; i += 6) {
                const a = this.project(lines.slice(i, i + 3)), b = this.project(lines.slice(i + 3, i + 6));
                const dx = b[0] - a[0], dy = b[1] - a[1];
                const t = clamp(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1), 0, 1);
                const d = Math.hypot(a[0] + t * dx - x, a[1] + t * dy - y);
                if (d < least)
                    [best, least] = [part, d];
            }
        const origin = this.pointTo(x, y, [0, 0, 0]), direction = [0, 0, 0];
        origin[w] = at;
        direction[w] = -sign;
        return best === null ? cast(unpack(scene), origin, direction, {seen: true}) : {part: best, point: origin};
    }

    lines(g) {
        const key = `${g.version} ${this.name === 'plan' ? '' : settings.along} ${this.at}`;
        if (this.cutKey !== key)
            this.cutLines = slice(g, this.side.w, this.at);
        this.cutKey = key;
        return this.cutLines;
    }

    /* ---- Drawing ---- */

    drawBeyond(scene, g) {
        const {u, v, w, sign} = this.side, {colours, zoom, width, height} = this, m = new Float32Array(16);
        const depth = scene.upper[w] - scene.lower[w] + 1, eye = [0, 0, 0, 0], clip = [0, 0, 0, sign * this.at + 1e-6];
        m[4 * u] = 2 * zoom / width;
        m[4 * v + 1] = 2 * zoom / height;
        m[4 * w + 2] = -sign / depth;
        m[12] = -2 * zoom * this.middle[0] / width;
        m[13] = -2 * zoom * this.middle[1] / height;
        m[14] = sign * (scene.lower[w] + scene.upper[w]) / 2 / depth;
        m[15] = 1;
        eye[w] = sign;
        clip[w] = -sign;
        this.drawRoom(scene, g, {matrix: m, eye, towards: eye.slice(0, 3), clip, lit: 0.8, bias: 1e-4,
                                 pale: colours.dark ? 0.5 : 0.45, wash: colours.panel, edge: 0.45, hidden: 0, cut: false,
                                 behind: mix(colours.panel, colours.muted, 0.35), wallsBehind: true});
    }

    drawCut(scene, g) {
        const {pen, colours} = this;
        for (const [width, colour] of [[6, null], [1.5, css(colours.ink)]])
            for (const [part, lines] of this.lines(g)) {
                pen.beginPath();
                for (let i = 0; i < lines.length; i += 6) {
                    pen.moveTo(...this.project(lines.slice(i, i + 3)));
                    pen.lineTo(...this.project(lines.slice(i + 3, i + 6)));
                }
                const own = materialColour(scene.parts[part].material);
                const calm = colours.dark ? mix(own, colours.paper, 0.35) : mix(own, [0, 0, 0], 0.12);
                pen.strokeStyle = colour || css(calm);
                pen.lineWidth = width;
                pen.lineCap = 'round';
                pen.stroke();
            }
    }

    drawGrid() {
        const {pen, colours, width, height, zoom, ruler, size} = this, step = roundStep(4.7 * size / zoom);
        const [left, top] = this.pointTo2(0, 0), [right, bottom] = this.pointTo2(width, height);
        pen.beginPath();
        for (let n = Math.ceil(left / step); n * step < right; n++) {
            const x = Math.round(width / 2 + (n * step - this.middle[0]) * zoom) + 0.5;
            pen.moveTo(x, ruler);
            pen.lineTo(x, height);
        }
        for (let n = Math.ceil(bottom / step); n * step < top; n++) {
            const y = Math.round(height / 2 - (n * step - this.middle[1]) * zoom) + 0.5;
            pen.moveTo(ruler, y);
            pen.lineTo(width, y);
        }
        pen.strokeStyle = css(colours.ink, 0.08);
        pen.lineWidth = 1;
        pen.stroke();
        return step;
    }

    pointTo2(x, y) {
        return [this.middle[0] + (x - this.width / 2) / this.zoom, this.middle[1] - (y - this.height / 2) / this.zoom];
    }

    drawRulers(step) {
        const {pen, colours, width, height, zoom, size, ruler} = this, [left, top] = this.pointTo2(0, 0);
        const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0, label = n => (n * step).toFixed(digits).replace('-', '−');
        pen.fillStyle = css(colours.panel, 0.92);
        pen.fillRect(0, height - ruler, width, ruler);
        pen.fillRect(0, 0, ruler, height);
        const [right, bottom] = this.pointTo2(width, height), small = {size: size - 2, colour: colours.muted};
        for (let n = Math.ceil((left + 26 / zoom) / step); n * step < right - 12 / zoom; n++)
            text(pen, label(n), width / 2 + (n * step - this.middle[0]) * zoom, height - ruler / 2, colours, small);
        for (let n = Math.ceil((bottom + 26 / zoom) / step); n * step < top - 44 / zoom; n++) {
            pen.save();
            pen.translate(ruler / 2, height / 2 - (n * step - this.middle[1]) * zoom);
            pen.rotate(-Math.PI / 2);
            text(pen, label(n), 0, 0, colours, small);
            pen.restore();
        }
    }

    drawScale() {
        const {pen, colours, width, height, zoom, size} = this, length = roundStep(64 / zoom), px = length * zoom;
        const x = width - 16 - px, y = height - this.ruler - 12;
        line(pen, [[x, y - 4], [x, y], [x + px, y], [x + px, y - 4]], colours, {width: 1.5});
        text(pen, `${length < 1 ? length.toFixed(1) : length} m`, x + px / 2, y - 9, colours, {size: size - 1});
    }

    /* In the plan: where the section is cut. */
    drawSectionLine(scene, section) {
        if (!section.element.offsetParent)
            return;
        const {w, u} = section.side, ends = [scene.lower, scene.upper].map((end, i) => {
            const place = [...end];
            place[w] = section.at;
            place[u] += (i ? 14 : -14) / this.zoom;
            return this.project(place);
        });
        line(this.pen, ends, this.colours, {colour: this.colours.accent, dash: [10, 4, 2, 4], alpha: 0.8, width: 1.25});
    }

    draw(scene, g) {
        const {pen} = this, {map, mode} = store.state.layers;
        this.drawBeyond(scene, g);
        if (settings.layers && map)
            drawMap(pen, this, map);
        if (settings.layers && mode && this.name === 'plan')
            drawMode(pen, this, mode, scene);
        const step = this.drawGrid();
        this.drawCut(scene, g);
        if (this.section)
            this.drawSectionLine(scene, this.section);
        this.drawRulers(step);
        this.drawScale();
        this.drawMarks(scene, null);
    }

    caption() {
        const axis = 'xyz'[this.side.w];
        return `${axis} = ${metres(store.state.scene ? this.at : 0)} m`;
    }
}
