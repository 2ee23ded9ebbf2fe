/* SPDX-License-Identifier: MIT */
/* The first 100 ms of a response, and its peaks. A peak that is pointed at shows its path in the views, if the program
   told the paths of the first reflections with the response. */
import {chart, curve} from './charts.js';
import {clear, format, make, makeSvg} from './dom.js';
import {heardOf, isCurrent, stageOf, status} from './listening.js';
import {measured} from './parameters.js';
import {arrivalOf, echogramOf, peaksOf} from './pictures.js';
import {pictureOf} from './responses.js';
import {store} from './store.js';
import {emptyNote, staleNote} from './tab_parameters.js';

const LENGTH = 100, LEAST = -50; /* ms, dB */
const SAME = 0.5;                /* ms between a peak and the path that made it */
const SPEED = 343;               /* m/s, for the difference of paths that is told beside a peak */
const {state} = store;

/* Reflections at the chosen receiver, [{points, time, level, order}]; time in s after the direct sound. */
function reflectionsOf(id) {
    const list = stageOf(id)?.reflections;
    return list ? list.filter(({receiver}) => !receiver || receiver === state.receiver) : null;
}

function hover(index, reflections, peaks) {
    let hovered = null;
    if (index !== null && reflections) {
        const distance = ({time}) => Math.abs(1000 * time - peaks[index][0]);
        const nearest = reflections.reduce((best, item, i) => best < 0 || distance(item) < distance(reflections[best]) ? i : best, -1);
        hovered = nearest >= 0 && distance(reflections[nearest]) <= SAME ? nearest : null;
    }
    if (hovered !== state.layers.hovered)
        store.set('layers', {layers: {...state.layers, hovered}});
    return hovered;
}

function words([time, level], reflection) {
    return time < SAME ? 'direct sound' : `${format(time, 1)} ms after the direct sound, ${format(level, 1).replace('-', '−')} dB, ` +
        `${format(time * SPEED / 1000, 1)} m longer${reflection ? `, order ${reflection.order}` : ''}`;
}

function drawing(points, peaks, colour, choose) {
    const c = chart({x: {from: -2, to: LENGTH, label: 'Time after the direct sound, ms',
        ticks: [0, 20, 40, 60, 80, 100]},
                     y: {from: LEAST, to: 5, label: 'Level, dB', ticks: [-50, -40, -30, -20, -10, 0],
                         text: value => String(value).replace('-', '−')}, height: 240, label: 'Echogram'});
    const base = c.y(LEAST), marks = [];
    c.plot.append(makeSvg('path', {class: 'echoes', 'data-colour': colour,
        d: points.filter(([, level]) => level > LEAST)
        .map(([time, level]) => `M${c.x(time).toFixed(1)} ${base}V${c.y(level).toFixed(1)}`).join('')}));
    for (const [time, level] of peaks) {
        marks.push(makeSvg('circle', {class: 'peak', cx: c.x(time), cy: c.y(level), r: 3}));
        c.plot.append(marks[marks.length - 1]);
    }
    const nearest = event => {
        const time = c.xOf(event.clientX), far = ([at]) => Math.abs(at - time);
        return peaks.reduce((best, peak, i) => far(peak) < far(peaks[best]) ? i : best, 0);
    };
    c.svg.addEventListener('pointermove', event => peaks.length && choose(nearest(event)));
    c.svg.addEventListener('pointerleave', () => choose(null));
    return {svg: c.svg, mark: index => marks.forEach((mark, i) => mark.classList.toggle('chosen', i === index))};
}

function stepper(peaks, choose) {
    let at = -1;
    const keys = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1};
    const element = make('div', {class: 'stepper', role: 'slider', tabindex: 0, 'aria-label': 'Peak',
        'aria-valuemin': 1,
        'aria-valuemax': Math.max(1, peaks.length), 'aria-valuenow': 1, on: {
            keydown: event => {
                if (!(event.key in keys) || !peaks.length)
                    return;
                event.preventDefault();
                at = Math.max(0, Math.min(peaks.length - 1, at + keys[event.key]));
                choose(at);
            },
            blur: () => choose(null)}});
    return {element, show: (index, text) => {
        at = index === null ? at : index;
        element.textContent = index === null ? 'Point at a peak, or step through the peaks with the arrow keys.' : text;
        element.setAttribute('aria-valuenow', Math.max(0, at) + 1);
        element.setAttribute('aria-valuetext', element.textContent);
    }};
}

function show(content, id, response) {
    const samples = pictureOf(response), found = measured(state.results[id]?.metrics, state.receiver);
    const arrival = stageOf(id).last && Number.isFinite(found?.channel.arrival) ? found.channel.arrival :
        arrivalOf(samples, response.rate);
    const points = echogramOf(samples, response.rate, arrival, LENGTH, 800), peaks = peaksOf(points);
    const reflections = reflectionsOf(id), {colour} = store.variant(id);
    store.set('layers', {layers: {...state.layers, reflections, hovered: null}});
    const choose = index => {
        const hovered = hover(index, reflections, peaks);
        picture.mark(index);
        steps.show(index, index === null ? '' : words(peaks[index],
            hovered === null ? null : reflections[hovered]));
    };
    const picture = drawing(points, peaks, colour, choose), steps = stepper(peaks, choose);
    steps.show(null);
    content.append(...[staleNote([id]), make('h2', {text: `First 100 ms at ${state.receiver}, variant ${id}`}),
        make('figure', {}, picture.svg, steps.element),
        make('details', {}, make('summary', {text: `The ${peaks.length} highest peaks`}),
            make('ol', {class: 'peaks'}, ...peaks.map(peak => make('li', {text: words(peak)})))),
        !reflections && make('p', {class: 'muted', text: 'Paths are shown in the views where the response names them.'})]
        .filter(Boolean));
}

export function mountEchogram(page) {
    const content = make('div', {class: 'content'});
    page.append(content);
    let before = [];
    return () => {
        const id = state.active, response = heardOf(id);
        const now = [id, response || JSON.stringify(status()), state.receiver, response && isCurrent(id),
            state.results[id]?.metrics];
        if (now.length === before.length && now.every((item, i) => item === before[i]))
            return;
        before = now;
        clear(content);
        if (response)
            show(content, id, response);
        else
            content.append(emptyNote('Echograms'));
    };
}
