/* SPDX-License-Identifier: MIT */
/* The views of the room and their toolbar. */
import {clear, make, makeSvg} from './dom.js';
import {mapKey} from './layers.js';
import {Flat} from './plan.js';
import {metres, STEPS} from './snap.js';
import {store} from './store.js';
import {View3d} from './view3d.js';
import {css, materialColour, resetColours} from './view_colours.js';
import {pointed} from './view_pane.js';
import {change, onSettings, redraw, resetCuts, settings} from './view_settings.js';

const NARROW = 640, LOW = 320; /* px: below, one view at a time */
const WIDE = 820; /* px of the 3D view: from there, the key of the materials is open */

const MODES = [['3d', '3D', 'M4 8.5 12 4l8 4.5v7L12 20l-8-4.5zM4 8.5l8 4.5 8-4.5M12 13v7'],
               ['plan', 'Plan', 'M4 4h16v16H4zM4 12h7M14 12h6M11 4v5M11 15v5'],
               ['section', 'Section', 'M4 20V9l8-5 8 5v11zM4 15h16'],
               ['all', 'All', 'M4 4h10v16H4zM17 4h3v7h-3zM17 14h3v6h-3z']];
const TITLES = {'3d': 'Show the 3D view', plan: 'Show the plan', section: 'Show the section', all: 'Show all views'};
const ICONS = {fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M9 9h6v6H9z', names: 'M4 5h9l7 7-7 7H4zM8 12h.01',
               layers: 'M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4'};

let panes = [], room = null;

const icon = path => makeSvg('svg', {viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true'},
    makeSvg('path', {d: path}));

function button(path, label, title, click, more = {}) {
    return make('button', {type: 'button', class: 'tool', title, 'aria-label': title, on: {click}, ...more}, icon(path),
        make('span', {text: label, class: 'word'}));
}

const shownPanes = () => panes.filter(pane => pane.element.offsetParent);

/* ---- Toolbar ---- */

function modeButtons() {
    const group = make('div', {class: 'modes', role: 'group', 'aria-label': 'View'});
    for (const [mode, label, path] of MODES)
        group.append(button(path, label, TITLES[mode], () => change({mode}), {'data-mode': mode}));
    return group;
}

function toggle(name, label, title) {
    return button(ICONS[name], label, title, () => change({[name]: !settings[name]}), {'data-setting': name});
}

function snapChoice() {
    const select = make('select', {'aria-label': 'Snap to', title: 'Steps in which handles move',
                                   on: {change: () => change({snap: Number(select.value)})}});
    for (const [step, label] of STEPS)
        select.append(make('option', {value: step, text: `Snap ${label}`, selected: step === settings.snap}));
    return select;
}

function toolbar() {
    return make('div', {class: 'toolbar', role: 'toolbar', 'aria-label': 'Views'}, modeButtons(),
        button(ICONS.fit, 'Fit', 'Show all of the room (0)', () => shownPanes().forEach(pane => pane.fit(true))),
        snapChoice(), toggle('names', 'Names', 'Show names'),
        toggle('layers', 'Layers', 'Show maps, modes and reflections'));
}

/* ---- Heads of the views ---- */

function slider(label, name) {
    const value = make('output', {class: 'value', 'aria-hidden': 'true'});
    const range = make('input', {type: 'range', 'aria-label': label, title: label, step: 0.05, on: {input: () => {
        const open = name === 'cut' && Number(range.value) >= Number(range.max) - 0.02;
        change({[name]: open ? Infinity : Number(range.value)});
    }}});
    const word = make('span', {class: 'word', text: 'Cut'});
    return {element: make('label', {class: 'cut'}, word, range, value), range, value, name};
}

function showSlider({range, value, name}) {
    const {scene} = store.state;
    if (!scene)
        return;
    const low = scene.lower[2], high = scene.upper[2];
    Object.assign(range, {min: (low + 0.05).toFixed(2), max: (high + (name === 'cut' ? 0.05 : -0.02)).toFixed(2)});
    const at = Math.min(settings[name], Number(range.max)), whole = name === 'cut' && settings.cut === Infinity;
    range.value = at;
    value.textContent = whole ? 'off' : `${metres(at)} m`;
    range.setAttribute('aria-valuetext', whole ? 'off' : `${metres(at)} metres`);
}

function alongButtons() {
    const group = make('div', {class: 'along', role: 'group', 'aria-label': 'Cut along'});
    for (const axis of ['x', 'y'])
        group.append(make('button', {type: 'button', text: axis, 'data-along': axis, 'aria-label': `Cut along ${axis}`,
            title: `Cut along ${axis} through the chosen item`, on: {click: () => change({along: axis})}}));
    return group;
}

/* ---- Key of the materials: open where there is room for it, until someone decides ---- */

function materialKey() {
    const list = make('ul'), title = make('summary', {text: 'Materials', on: {
        click: event => {
            event.preventDefault();
            change({legend: !box.open});
        }}}), box = make('details', {class: 'key'}, title, list);
    const point = name => () => {
        pointed.material = name;
        redraw();
    };
    const show = () => {
        clear(list);
        for (const {name} of store.state.scene ? store.state.scene.materials : []) {
            const swatch = make('span', {class: 'swatch'});
            swatch.style.setProperty('--swatch', css(materialColour(name)));
            list.append(make('li', {on: {pointerenter: point(name), pointerleave: point(null)}}, swatch,
                make('span', {text: name.replaceAll('_', ' ')})));
        }
    };
    return {box, show};
}

/* ---- Together ---- */

function layout(section) {
    const {clientWidth: width, clientHeight: height} = section, narrow = width > 0 && (width < NARROW || height < LOW);
    section.dataset.narrow = narrow;
    section.dataset.mode = narrow && settings.mode === 'all' ? '3d' : settings.mode;
    for (const mode of section.querySelectorAll('[data-mode].tool'))
        mode.setAttribute('aria-pressed', String(mode.dataset.mode === section.dataset.mode));
    for (const one of section.querySelectorAll('[data-setting]'))
        one.setAttribute('aria-pressed', String(settings[one.dataset.setting]));
    for (const one of section.querySelectorAll('[data-along]'))
        one.setAttribute('aria-pressed', String(one.dataset.along === settings.along));
}

/* A room of another size is shown whole. */
function newRoom(scene) {
    const key = `${store.state.file && store.state.file.path} ${scene.lower} ${scene.upper}`;
    if (key === room)
        return;
    if (!room || !room.startsWith(`${key.split(' ')[0]} `))
        resetColours();
    room = key;
    resetCuts(scene);
    panes.forEach(pane => pane.fit(true));
}

export function mountViews(section) {
    const again = () => panes.forEach(pane => pane.request());
    const view3d = new View3d(), plan = new Flat('plan', 'Plan'), cut = new Flat('section', 'Section');
    const key = materialKey();
    const sliders = [slider('Cut the room open from above', 'cut'), slider('Height of the plan', 'planCut')];
    const caption = make('span', {class: 'value'}), mapBox = make('div', {class: 'map-box', role: 'status'});
    const mapBox3d = make('div', {class: 'map-box'}); /* while the plan is not shown */
    panes = [view3d, plan, cut];
    plan.section = cut;
    view3d.head.append(sliders[0].element);
    view3d.element.append(key.box);
    plan.head.append(sliders[1].element);
    plan.addFoot(mapBox);
    view3d.element.append(mapBox3d);
    cut.head.append(alongButtons(), caption);
    const empty = make('p', {class: 'nothing', text: 'No room is open.'});
    section.append(toolbar(), make('div', {class: 'panes'}, ...panes.map(pane => pane.element), empty));

    let along = settings.along;
    const show = () => {
        layout(section);
        key.box.open = settings.legend ?? view3d.element.clientWidth >= WIDE;
        sliders.forEach(showSlider);
        caption.textContent = store.state.scene ? cut.caption() : '';
        if (along !== settings.along)
            cut.fit();
        along = settings.along;
        again();
    };
    const showScene = () => {
        const {scene} = store.state;
        empty.hidden = Boolean(scene);
        if (!scene)
            return;
        newRoom(scene);
        pointed.part = scene.parts[pointed.part] ? pointed.part : null;
        panes.forEach(pane => pane.handles.update(scene));
        key.show();
        show();
    };
    onSettings(show);
    for (const name of ['scene', 'selection', 'listening'])
        store.on(name, showScene);
    store.on('error', () => store.state.error && panes.forEach(pane => pane.refused()));
    store.on('layers', () => {
        const {map} = store.state.layers;
        for (const [box, key] of [[mapBox, mapKey(store.state.layers)], [mapBox3d, map && mapKey({map})]]) {
            clear(box);
            if (key)
                box.append(key);
        }
        show();
    });
    new ResizeObserver(show).observe(section);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
    showScene();
    show();
}
