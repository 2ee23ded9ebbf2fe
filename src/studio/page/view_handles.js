/* SPDX-License-Identifier: MIT */
/* Sources and receivers as buttons over a view: dragged, moved by keys, turned by a grip. */
import {make, makeSvg} from './dom.js';
import {floorBelow, metres, nearestWalls, place} from './snap.js';
import {unpack} from './scene.js';
import {add, front} from './view_maths.js';
import {hasFront, listOf, orientationOf, preview, setOrientation, setPosition, turning} from './view_moving.js';
import {redraw, settings} from './view_settings.js';
import {store} from './store.js';

/* The item under way: {kind, index, pane, name, start, position, walls, floor, moved}, the same for all views. */
export let dragged = null;

const TURN_STEP = 5; /* degrees */

function shape(kind) {
    const path = kind === 'source' ? 'M12 4.5 20 18.5H4Z' : 'M12 5.5a6.5 6.5 0 1 0 .01 0Z';
    return makeSvg('svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true'}, makeSvg('path', {d: path, class: 'halo'}),
        makeSvg('path', {d: path, class: 'mark'}));
}

function measure(position) {
    const g = unpack(store.state.scene);
    return {position, walls: nearestWalls(g, position), floor: floorBelow(g, position)};
}

function begin(kind, index, pane) {
    const item = listOf(kind)[index];
    dragged = {kind, index, pane, name: item.name, start: [...item.position], moved: false, ...measure(item.position)};
}

function moveTo(position) {
    const {kind, index} = dragged, to = preview(kind, index, position);
    Object.assign(dragged, measure(to), {moved: true});
    redraw();
}

function finish(cancelled) {
    const {kind, index, position, start, moved} = dragged;
    dragged = null;
    if (cancelled)
        store.move(kind, index, start);
    else if (moved && position.some((x, i) => x !== start[i]))
        setPosition(kind, index, position);
    redraw();
}

/* Lines for the card beside a dragged item. */
export function numbers({name, position, walls}) {
    const parts = store.state.scene.parts, lines = [name, place(position)];
    for (const wall of walls)
        lines.push(`${metres(wall.distance)} m to ${parts[wall.part].name}`);
    return lines;
}

export class Handles {
    /* `pane` has project(position), pointTo(x, y, position, vertical), step(key) and request(). */
    constructor(pane, {focusable = true, turns = true} = {}) {
        Object.assign(this, {pane, focusable, turns, buttons: new Map(), hovered: null});
        this.element = make('div', {class: 'handles', role: 'group',
                                    'aria-label': `Sources and receivers, ${pane.title}`});
        this.grip = turns && this.makeGrip();
        if (this.grip)
            this.element.append(this.grip);
    }

    makeButton(kind, index) {
        const button = make('button', {class: `handle ${kind}`, type: 'button', tabindex: this.focusable ? 0 : -1,
            on: {
                pointerdown: event => this.pressed(event, kind, index),
                keydown: event => this.key(event, kind, index),
                click: event => event.detail || this.choose(kind, index),
                pointerenter: () => this.hover(`${kind} ${index}`), pointerleave: () => this.hover(null),
                focus: () => this.pane.request(), blur: () => this.pane.request(),
            }}, shape(kind));
        this.element.append(button);
        return button;
    }

    hover(key) {
        this.hovered = key;
        this.pane.request();
    }

    choose(kind, index) {
        store.select({kind, index, name: listOf(kind)[index].name});
    }

    /* Makes a button for each source and receiver of the scene; those that stay keep their focus. */
    update(scene) {
        const wanted = new Set();
        for (const [kind, list] of [['source', scene.sources], ['receiver', scene.receivers]])
            list.forEach((item, index) => {
                const key = `${kind} ${index}`;
                if (!item.position)
                    return;
                wanted.add(key);
                if (!this.buttons.has(key))
                    this.buttons.set(key, this.makeButton(kind, index));
                const s = store.state.selection, button = this.buttons.get(key);
                button.setAttribute('aria-label', `${kind} ${item.name}, ${place(item.position)}`);
                button.setAttribute('aria-pressed', String(Boolean(s && s.kind === kind && s.index === index)));
                button.classList.toggle('heard', store.state[kind] === item.name);
            });
        for (const [key, button] of this.buttons)
            if (!wanted.has(key)) {
                button.remove();
                this.buttons.delete(key);
            }
    }

    /* Puts the buttons where their items appear. Returns those in view: [{kind, index, item, x, y, strong}]. */
    place(scene) {
        const shown = [], s = store.state.selection;
        for (const [key, button] of this.buttons) {
            const [kind, index] = key.split(' '), item = (kind === 'source' ? scene.sources : scene.receivers)[index];
            if (!item || !item.position)
                continue;
            const at = this.pane.project(item.position), {width, height} = this.pane;
            button.hidden = !at || at[0] < -20 || at[1] < -20 || at[0] > width + 20 || at[1] > height + 20;
            if (button.hidden)
                continue;
            button.style.setProperty('transform', `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px)`);
            const chosen = s && s.kind === kind && s.index === Number(index);
            const strong = chosen || this.hovered === key || document.activeElement === button;
            shown.push({kind, index: Number(index), item, x: at[0], y: at[1], strong: Number(Boolean(strong))});
        }
        if (this.grip)
            this.placeGrip(scene);
        return shown;
    }

    pressed(event, kind, index) {
        if (event.button)
            return;
        const button = event.currentTarget, pane = this.pane;
        event.preventDefault();
        button.focus({preventScroll: true});
        button.setPointerCapture(event.pointerId);
        this.choose(kind, index);
        begin(kind, index, pane);
        const from = [event.clientX, event.clientY];
        const handle = pane.project(dragged.start), off = [handle[0] - from[0], handle[1] - from[1]];
        const move = e => {
            if (!dragged || e.pointerId !== event.pointerId)
                return;
            if (!dragged.moved && Math.hypot(e.clientX - from[0], e.clientY - from[1]) < 4)
                return;
            const to = pane.pointTo(e.clientX + off[0], e.clientY + off[1], dragged.position, e.shiftKey);
            if (to)
                moveTo(to);
        };
        const end = e => {
            if (e.type === 'keydown' && e.key !== 'Escape' || e.type !== 'keydown' && e.pointerId !== event.pointerId)
                return;
            acts.forEach(act => button.removeEventListener(...act));
            if (dragged)
                finish(e.type !== 'pointerup');
        };
        const acts = [['pointermove', move], ['pointerup', end], ['pointercancel', end], ['keydown', end]];
        acts.forEach(act => button.addEventListener(...act));
    }

    key(event, kind, index) {
        const by = this.pane.step(event.key);
        if (!by || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        event.stopPropagation();
        this.choose(kind, index);
        const length = (settings.snap || 0.01) * (event.shiftKey ? 10 : 1);
        const to = preview(kind, index, add(listOf(kind)[index].position, by, length));
        setPosition(kind, index, to);
    }

    /* ---- The grip that turns what is chosen ---- */

    makeGrip() {
        const grip = make('div', {class: 'grip', tabindex: 0, role: 'slider', 'aria-label': 'Turn', hidden: true,
            'aria-valuemin': -180, 'aria-valuemax': 180, 'aria-valuenow': 0, on: {
                pointerdown: event => this.gripped(event), keydown: event => this.turnKey(event)}});
        grip.append(makeSvg('svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true'},
            makeSvg('circle', {cx: 12, cy: 12, r: 5.5})));
        return grip;
    }

    turned() {
        const s = store.state.selection, one = s && (s.kind === 'source' || s.kind === 'receiver');
        const item = one && listOf(s.kind)[s.index];
        return item && hasFront(s.kind, item) ? {kind: s.kind, index: s.index, item} : null;
    }

    placeGrip() {
        const chosen = this.turned();
        this.grip.hidden = !chosen;
        if (!chosen)
            return;
        const orientation = orientationOf(chosen.kind, chosen.index);
        const at = this.pane.tip(chosen.item.position, front([orientation[0], 0]), 46);
        this.grip.hidden = !at;
        if (!at)
            return;
        this.grip.style.setProperty('transform', `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px)`);
        this.grip.setAttribute('aria-label', `Turn ${chosen.item.name}`);
        this.grip.setAttribute('aria-valuenow', orientation[0]);
        this.grip.setAttribute('aria-valuetext', `${orientation[0]} degrees`);
    }

    turnTo(chosen, yaw) {
        const old = chosen.item.orientation || [0, 0, 0], round = settings.snap ? TURN_STEP : 1;
        const whole = Math.round(yaw / round) * round;
        Object.assign(turning, {kind: chosen.kind, index: chosen.index,
                                orientation: [(whole + 540) % 360 - 180, old[1], old[2]]});
        redraw();
    }

    turnEnd(chosen, cancelled) {
        const {orientation} = turning;
        turning.kind = null;
        if (orientation && !cancelled) {
            setOrientation(chosen.kind, chosen.index, orientation);
            chosen.item.orientation = orientation; /* until the program has read the text */
        }
        turning.orientation = null;
        redraw();
    }

    gripped(event) {
        const chosen = this.turned(), grip = this.grip, box = this.pane.canvas.getBoundingClientRect();
        if (!chosen || event.button)
            return;
        event.preventDefault();
        grip.focus({preventScroll: true});
        grip.setPointerCapture(event.pointerId);
        const move = e => {
            const to = this.pane.pointTo(e.clientX - box.left, e.clientY - box.top, chosen.item.position, false);
            const [x, y] = chosen.item.position;
            if (to)
                this.turnTo(chosen, Math.atan2(to[1] - y, to[0] - x) * 180 / Math.PI);
        };
        const end = e => {
            grip.removeEventListener('pointermove', move);
            grip.removeEventListener('pointerup', end);
            grip.removeEventListener('pointercancel', end);
            this.turnEnd(chosen, e.type !== 'pointerup');
        };
        grip.addEventListener('pointermove', move);
        grip.addEventListener('pointerup', end);
        grip.addEventListener('pointercancel', end);
    }

    turnKey(event) {
        const by = {ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1}[event.key], chosen = this.turned();
        if (!by || !chosen)
            return;
        event.preventDefault();
        this.turnTo(chosen, orientationOf(chosen.kind, chosen.index)[0] + by * TURN_STEP * (event.shiftKey ? 3 : 1));
        this.turnEnd(chosen, false);
    }
}
