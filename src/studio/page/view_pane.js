/* SPDX-License-Identifier: MIT */
/* What the 3D view, the plan and the section share: a picture of the room, over it a canvas with names, lines and
   numbers, handles over both, and the choosing and dragging of parts. Each is drawn when something has changed. */
import {make} from './dom.js';
import {drawReflections} from './layers.js';
import {forget, shift, unpack} from './scene.js';
import {metres, snapped} from './snap.js';
import {materialColour, mix, pageColours} from './view_colours.js';
import {dragged, Handles, numbers} from './view_handles.js';
import {arrow, card, dimension, line, names} from './view_marks.js';
import {front, sub} from './view_maths.js';
import {hasFront, moveObject, orientationOf} from './view_moving.js';
import {isSoftware, Renderer} from './view_renderer.js';
import {redraw, settings} from './view_settings.js';
import {store} from './store.js';

const isDragged = ({kind, index}) => dragged && dragged.moved && dragged.kind === kind && dragged.index === index;

const isChosen = (part, i) => {
    const s = store.state.selection;
    return Boolean(s) && s.kind === part.kind && s.index === (s.kind === 'wall' ? i : part.index);
};

/* What the mouse points at, the same for all views: index of a part, or null; a material of the legend, or null. */
export const pointed = {part: null, material: null};

/* ms between pictures: above SLOW, moving pictures are drawn with fewer pixels, until they take less than QUICK. */
const SLOW = 50, QUICK = 20, REST = 180;
const COARSE = 0.6; /* pixels of the picture for each of the page's, along a side, while it moves slowly */
const FINE = 1.6;   /* the same at rest where edges are not smooth, as in software */

export class Pane {
    constructor(name, title, label, options) {
        Object.assign(this, {name, title, width: 0, height: 0, waiting: false});
        Object.assign(this, {moving: false, coarse: isSoftware(), pace: 0, last: 0});
        this.picture = make('canvas', {class: 'picture', 'aria-hidden': 'true'});
        this.canvas = make('canvas', {tabindex: 0, role: 'application', 'aria-label': label});
        this.handles = new Handles(this, options);
        this.head = make('div', {class: 'head'}, make('span', {class: 'title', text: title}));
        this.element = make('div', {class: 'view', 'data-view': name}, this.canvas, this.picture,
            this.handles.element, this.head);
        this.pen = this.canvas.getContext('2d');
        this.watch = new ResizeObserver(() => this.resized());
        this.watch.observe(this.element);
        this.watch.observe(this.head); /* grows with the size of text */
    }

    /* Made with the first picture: a view that is never shown takes no memory of the graphics processor. */
    get renderer() {
        this.ownRenderer ??= new Renderer(this.picture, () => this.request(), () => this.request());
        return this.ownRenderer;
    }

    resized() {
        const was = this.width && this.height;
        this.size = parseFloat(getComputedStyle(this.element).fontSize) * 12 / 14; /* of text, px */
        this.width = this.canvas.clientWidth;
        this.height = this.canvas.clientHeight;
        if (this.width && this.height && store.state.scene && (!was || !this.touched))
            this.fit();
        this.request();
    }

    request() {
        if (!this.waiting)
            requestAnimationFrame(time => this.paint(time));
        this.waiting = true;
    }

    /* To be called while the view itself moves: slow machines get coarser pictures until it rests. */
    moves() {
        if (!this.moving)
            this.last = this.pace = 0;
        this.moving = this.touched = true;
        clearTimeout(this.rest);
        this.rest = setTimeout(() => {
            this.moving = false;
            if (this.coarse || isSoftware())
                this.request();
        }, REST);
        this.request();
    }

    /* The mean time between pictures of one movement decides how fine they are. */
    measurePace(now) {
        if (this.moving && this.last) {
            this.pace = this.pace ? 0.7 * this.pace + 0.3 * (now - this.last) : now - this.last;
            this.coarse = this.coarse ? this.pace > QUICK : this.pace > SLOW;
        }
        this.last = now;
    }

    paint(now) {
        const {scene} = store.state;
        this.waiting = false;
        this.measurePace(now);
        if (!this.width || !this.height)
            return;
        const ratio = Math.min(window.devicePixelRatio || 1, 2), w = Math.round(this.width * ratio);
        const h = Math.round(this.height * ratio);
        if (this.canvas.width !== w || this.canvas.height !== h)
            Object.assign(this.canvas, {width: w, height: h});
        this.ratio = ratio;
        this.colours = pageColours();
        this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.pen.clearRect(0, 0, this.width, this.height);
        this.element.classList.toggle('empty', !scene);
        this.picture.hidden = !scene || !this.renderer.works;
        if (scene)
            this.draw(scene, unpack(scene));
    }

    /* Draws the faces on the page's colour; `look` says from where (see Renderer.draw). */
    drawRoom(scene, g, look) {
        const {colours, moving, renderer} = this, rough = moving && this.coarse;
        if (!renderer.works)
            return;
        const ratio = rough ? COARSE : this.ratio * (moving || !isSoftware() ? 1 : FINE);
        renderer.setGeometry(g, scene);
        renderer.setColours(this.partColours(scene));
        renderer.setChosen(g, scene.parts.findIndex(isChosen));
        renderer.draw({ratio, wash: colours.panel, glow: mix(colours.accent, [1, 1, 1], 0.4), accent: colours.accent,
            ink: colours.ink, paper: colours.paper, rough, ...look, width: Math.round(this.width * ratio),
            height: Math.round(this.height * ratio)});
    }

    partColours(scene) {
        const bytes = new Uint8Array(4 * scene.parts.length);
        scene.parts.forEach((part, i) => {
            const glow = isChosen(part, i) ? 0.5 : pointed.part === i || pointed.material === part.material ? 0.2 : 0;
            bytes.set(materialColour(part.material).map(x => Math.round(255 * x)), 4 * i);
            bytes[4 * i + 3] = Math.round(255 * (1 - glow));
        });
        return bytes;
    }

    /* Names, arrows and numbers over the room. */
    drawMarks(scene, drops) {
        const {pen, colours, width, height, size} = this, shown = this.handles.place(scene), taken = [];
        const colourOf = kind => colours[kind];
        for (const {kind, index, item, x, y} of shown) {
            taken.push([x - 9, y - 9, x + 9, y + 9]);
            if (drops && drops.has(`${kind} ${index}`)) {
                const foot = this.project([item.position[0], item.position[1], drops.get(`${kind} ${index}`)]);
                if (foot)
                    line(pen, [[x, y], foot], colours, {alpha: 0.75, width: 1});
            }
            const tip = hasFront(kind, item) && this.tip(item.position, front(orientationOf(kind, index)), 38);
            if (tip)
                arrow(pen, [x, y], tip, colours, colourOf(kind));
        }
        if (store.state.layers.reflections && settings.layers)
            drawReflections(pen, p => this.project(p), store.state.layers, colours);
        if (settings.names || shown.some(mark => mark.strong))
            names(pen, shown.filter(mark => !isDragged(mark) && (settings.names || mark.strong))
                .map(({item, x, y, strong}) => ({name: item.name, x, y, strong})),
                [...taken, ...this.covered()], width, height, colours, size);
        if (dragged && dragged.moved)
            this.drawNumbers();
    }

    covered() {
        return [];
    }

    drawNumbers() {
        const {pen, colours, width, height, size} = this, at = this.project(dragged.position);
        for (const wall of dragged.walls) {
            const end = this.project(wall.point);
            if (at && end)
                dimension(pen, at, end, metres(wall.distance), colours);
        }
        if (at && dragged.pane === this)
            card(pen, numbers(dragged), ...at, width, height, colours, size);
    }

    /* ---- Choosing and dragging parts ---- */

    hover(x, y) {
        const hit = x === null ? null : this.pick(x, y), part = hit ? hit.part : null;
        if (part === pointed.part)
            return;
        pointed.part = part;
        const one = part === null ? null : store.state.scene.parts[part];
        this.canvas.title = one ? `${one.name}: ${one.material}` : '';
        redraw();
    }

    click(x, y) {
        const hit = this.pick(x, y), part = hit && store.state.scene.parts[hit.part];
        if (!part)
            store.select(null);
        else
            store.select({kind: part.kind, index: part.kind === 'wall' ? hit.part : part.index, name: part.name});
    }

    /* A drag of the chosen object, if it lies at x, y. */
    grab(x, y) {
        const {scene, selection: s} = store.state, hit = scene && s && s.kind === 'object' && this.pick(x, y);
        const part = hit && scene.parts[hit.part];
        if (!part || part.kind !== 'object' || part.index !== s.index)
            return null;
        const g = unpack(scene);
        let by = [0, 0, 0];
        return {
            move: (u, v, event) => {
                const to = this.pointTo(u, v, hit.point, event.shiftKey);
                if (!to)
                    return;
                const next = snapped(sub(to, hit.point), settings.snap);
                shift(g, hit.part, part, sub(next, by));
                by = next;
                redraw();
            },
            end: cancelled => {
                if (cancelled)
                    shift(g, hit.part, part, by.map(x => -x));
                else if (by.some(x => x) && !moveObject(part.index, by))
                    forget();
                redraw();
            },
        };
    }

    /* The program refused the room: what was dragged goes back to where the last good text has it. */
    refused() {
        forget();
        this.request();
    }
}
