/* SPDX-License-Identifier: MIT */
/* The room in three dimensions. Walls are seen from the air alone, so that one looks through the near ones into the
   room; a cut from above opens it further. */
import {make} from './dom.js';
import {mapPlane} from './layers.js';
import {cast, slice, unpack} from './scene.js';
import {floorBelow} from './snap.js';
import {gestures} from './view_gestures.js';
import {line, text} from './view_marks.js';
import {add, ARROWS, Camera, dot, scale, sub, transform} from './view_maths.js';
import {mix} from './view_colours.js';
import {Pane} from './view_pane.js';
import {settings} from './view_settings.js';
import {store} from './store.js';

const DROPS = 40;  /* items at most that all get a line to the floor */
const GLIDE = 220; /* ms */
const LABEL = '3D view: arrow keys turn, Shift and arrow keys pan, plus and minus zoom, 0 fits the room';
const ABSENT = 'The 3D view needs WebGL2, which this browser does not offer. Turn on hardware acceleration in the ' +
    'settings of the browser, or open this address in another one. The plan and the section work without it.';
const LOST = 'The graphics processor is gone, and the 3D view waits for it. If it stays away, reload the page: the ' +
    'text of the room is kept. The plan and the section work without it.';

const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class View3d extends Pane {
    constructor() {
        super('3d', '3D', LABEL);
        this.camera = new Camera();
        this.missing = make('p', {class: 'missing', role: 'status', hidden: true});
        this.element.append(this.missing);
        gestures(this.canvas, {
            drag: (x, y) => this.turn(x * 0.0085, y * 0.0085),
            pan: (x, y) => this.act(() => this.camera.panBy(x, y)),
            zoom: (factor, x, y) => this.act(() => this.camera.zoomBy(factor, x, y)),
            click: (x, y) => this.click(x, y),
            double: (x, y) => this.focusOn(x, y),
            hover: (x, y) => this.hover(x, y),
            grab: (x, y) => this.grab(x, y),
            key: event => this.key(event),
        });
    }

    act(f) {
        f();
        this.moves();
    }

    turn(x, y) {
        this.act(() => this.camera.turnBy(x, y));
    }

    fit(again = false) {
        const {scene} = store.state;
        if (!scene || !this.width)
            return;
        if (again)
            this.camera.reset();
        Object.assign(this.camera, {width: this.width, height: this.height});
        const top = [scene.upper[0], scene.upper[1], Math.min(scene.upper[2], settings.cut)];
        this.camera.fit(scene.lower, top, this.corners(scene, top[2]));
        this.touched = false;
        this.request();
    }

    /* Some thousand corners of the room's triangles, for its outline. */
    corners(scene, top) {
        const {positions, count} = unpack(scene), every = Math.ceil(count / 1500), points = [];
        for (let t = 0; t < count; t += every)
            for (let k = 0; k < 9; k += 3)
                points.push([positions[9 * t + k], positions[9 * t + k + 1], Math.min(top, positions[9 * t + k + 2])]);
        return points;
    }

    key(event) {
        const step = 0.08, {camera} = this, pan = event.shiftKey && event.key.startsWith('Arrow');
        const [dx, dy] = ARROWS[event.key] || [0, 0];
        if (pan)
            this.act(() => camera.panBy(-40 * dx, -40 * dy));
        else if (dx || dy)
            this.turn(step * dx, step * dy);
        else if (event.key === '+' || event.key === '=')
            this.act(() => camera.zoomBy(1.15));
        else if (event.key === '-')
            this.act(() => camera.zoomBy(1 / 1.15));
        else if (event.key === '0' || event.key === 'Home')
            this.fit(true);
        else
            return false;
        return true;
    }

    /* ---- Places on the canvas and in the room ---- */

    project(position) {
        const p = transform(this.matrix, position);
        return p[3] <= 1e-3 ? null : [(1 + p[0] / p[3]) / 2 * this.width, (1 - p[1] / p[3]) / 2 * this.height];
    }

    /* The place on the canvas of an arrow's tip that is some pixels long at its foot. */
    tip(position, direction, pixels) {
        const depth = dot(sub(this.camera.eye(), position), this.camera.axes()[2]);
        return this.project(add(position, direction, pixels * this.camera.unit() * depth / this.camera.distance));
    }

    /* Where the ray through x, y meets the horizontal plane through a position; or, vertically, the line through it. */
    pointTo(x, y, position, vertical) {
        const eye = this.camera.eye(), ray = this.camera.ray(x, y), [, , back] = this.camera.axes();
        const normal = vertical ? [back[0], back[1], 0] : [0, 0, 1], along = dot(normal, ray);
        const at = dot(normal, sub(position, eye)) / along;
        if (!(at > 0) || at > 40 * this.camera.radius)
            return null;
        const to = add(eye, ray, at);
        return vertical ? [position[0], position[1], to[2]] : [to[0], to[1], position[2]];
    }

    step(key) {
        return {ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0],
                PageUp: [0, 0, 1], PageDown: [0, 0, -1]}[key];
    }

    pick(x, y) {
        const {scene} = store.state;
        return scene && cast(unpack(scene), this.camera.eye(), this.camera.ray(x, y),
            {seen: true, keep: p => p[2] <= settings.cut});
    }

    /* Glides until the place under the pointer is the middle, nearer; without a place, all of the room is shown. */
    focusOn(x, y) {
        const hit = this.pick(x, y), {camera} = this;
        if (!hit) {
            this.fit(true);
            return;
        }
        const {target: from, distance} = camera, to = hit.point, near = Math.max(0.1 * camera.radius, 0.6 * distance);
        const begin = performance.now(), glide = now => {
            const t = calm.matches ? 1 : Math.min(1, Math.max(0, (now - begin) / GLIDE)), s = t * t * (3 - 2 * t);
            camera.target = add(scale(from, 1 - s), to, s);
            camera.distance = distance + s * (near - distance);
            this.moves();
            if (t < 1)
                requestAnimationFrame(glide);
        };
        requestAnimationFrame(glide);
    }

    /* ---- Drawing ---- */

    /* Lines where the cut goes through walls. */
    setCut(g) {
        const open = settings.cut < g.upper[2];
        if (open && this.renderer.works)
            this.renderer.setCut(`${g.version} ${settings.cut}`,
                () => new Float32Array([...slice(g, 2, settings.cut).values()].flat()));
        return open;
    }

    /* Heights of the surfaces below items, for their lines. */
    drops(scene, g) {
        const s = store.state.selection, key = `${g.version}`, found = new Map();
        if (this.dropKey !== key)
            this.dropCache = new Map();
        this.dropKey = key;
        for (const [kind, list] of [['source', scene.sources], ['receiver', scene.receivers]])
            list.forEach((item, index) => {
                if (!item.position || list.length > DROPS && !(s && s.kind === kind && s.index === index))
                    return;
                const at = item.position.join();
                if (!this.dropCache.has(at))
                    this.dropCache.set(at, floorBelow(g, item.position));
                found.set(`${kind} ${index}`, this.dropCache.get(at));
            });
        if (this.dropCache.size > 500)
            this.dropKey = '';
        return found;
    }

    drawAxes() {
        const {pen, colours, size} = this, [right, up] = this.camera.axes();
        const from = [2.8 * size, this.height - 2.8 * size];
        const tints = [colours.source, mix(colours.accent, colours.ink, 0.2), colours.receiver];
        ['x', 'y', 'z'].forEach((name, i) => {
            const to = [from[0] + 1.8 * size * right[i], from[1] - 1.8 * size * up[i]];
            line(pen, [from, to], colours, {colour: tints[i], width: 2});
            text(pen, name, from[0] + 2.5 * size * right[i], from[1] - 2.5 * size * up[i], colours,
                {size: size - 1, weight: 600});
        });
    }

    draw(scene, g) {
        const {camera, colours} = this;
        Object.assign(camera, {width: this.width, height: this.height});
        this.matrix = camera.matrix();
        const cut = this.setCut(g);
        this.drawRoom(scene, g, {
            matrix: this.matrix, eye: [...camera.eye(), 1], towards: camera.axes()[2],
            clip: cut ? [0, 0, -1, settings.cut] : null, lit: 1, pale: colours.dark ? 0.3 : 0.06,
            wash: colours.dark ? colours.paper : [1, 1, 1], cut, bias: 2e-4,
            edge: colours.dark ? 0.36 : 0.55, hidden: scene.form === 'mesh' ? 0.08 : 0.3,
            behind: cut ? mix(colours.ink, colours.panel, 0.5) : null, wallsBehind: false,
            plane: settings.layers ? mapPlane(store.state.layers.map) : null,
        });
        this.missing.hidden = this.renderer.works;
        this.missing.textContent = this.renderer.gone ? LOST : ABSENT;
        this.drawAxes();
        this.drawMarks(scene, this.drops(scene, g));
    }

    covered() {
        return [[0, 0, 90, 40]];
    }
}
