/* SPDX-License-Identifier: MIT */
/* A small head seen from above, which turns: by dragging, or with the arrow keys. Up is the front of the receiver. */
import {make, makeSvg} from './dom.js';
import {store} from './store.js';

const STEP = 5, PAGE = 30; /* degrees */

function wrapped(degrees) {
    return Math.round(degrees - 360 * Math.floor((degrees + 180) / 360));
}

function turn(degrees) {
    store.set('listening', {yaw: wrapped(degrees)});
}

function words(yaw) {
    return yaw === 0 ? 'to the front' : `${Math.abs(yaw)}° to the ${yaw > 0 ? 'left' : 'right'}`;
}

function follow(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left - box.width / 2, y = event.clientY - box.top - box.height / 2;
    if (Math.hypot(x, y) > 3)
        turn(Math.atan2(-x, -y) * 180 / Math.PI);
}

const KEYS = {ArrowLeft: STEP, ArrowDown: STEP, ArrowRight: -STEP, ArrowUp: -STEP, PageUp: -PAGE, PageDown: PAGE};

function pressed(event) {
    if (event.key !== 'Home' && !(event.key in KEYS))
        return;
    event.preventDefault();
    turn(event.key === 'Home' ? 0 : store.state.yaw + KEYS[event.key]);
}

/* The element, and a function that shows the yaw of the state. */
export function headDial() {
    const head = makeSvg('g', {},
        makeSvg('path', {class: 'nose', d: 'M -4 -8.5 L 0 -14 L 4 -8.5 Z'}),
        makeSvg('ellipse', {class: 'ear', cx: -9, cy: 0, rx: 2.2, ry: 4}),
        makeSvg('ellipse', {class: 'ear', cx: 9, cy: 0, rx: 2.2, ry: 4}),
        makeSvg('circle', {class: 'skull', r: 9}));
    const dial = make('div', {class: 'head-dial', role: 'slider', tabindex: 0, 'aria-label': 'Turn the head',
        'aria-valuemin': -180, 'aria-valuemax': 180, title: 'Turn the head: drag, or arrow keys; Home: to the front', on: {
            keydown: pressed,
            dblclick: () => turn(0),
            pointerdown: event => {
                event.currentTarget.setPointerCapture(event.pointerId);
                follow(event);
            },
            pointermove: event => event.currentTarget.hasPointerCapture(event.pointerId) && follow(event),
        }},
        makeSvg('svg', {viewBox: '-20 -20 40 40', 'aria-hidden': 'true'},
            makeSvg('circle', {class: 'rim', r: 18}), head));
    return {element: dial, show: yaw => {
        head.setAttribute('transform', `rotate(${-yaw})`);
        dial.setAttribute('aria-valuenow', yaw);
        dial.setAttribute('aria-valuetext', words(yaw));
    }};
}
