/* SPDX-License-Identifier: MIT */
/* The first 100 ms of a response, its peaks, and the first reflections. A peak or a reflection that is pointed at shows its
   path in the views. */
import {chart, curve} from './charts.js';
import {coarseNote} from './currency.js';
import {clear, format, make, makeSvg} from './dom.js';
import {heardOf, isCurrent, isFinal, stageOf, status} from './listening.js';
import {measured} from './parameters.js';
import {arrivalOf, echogramOf, peaksOf} from './pictures.js';
import {reflectionList} from './reflection_list.js';
import {askReflections, hideReflections, pointAt, reflections, showReflections} from './reflections.js';
import {pictureOf} from './responses.js';
import {store} from './store.js';
import {emptyNote, staleNote} from './tab_parameters.js';

const LENGTH = 100, LEAST = -50; /* ms, dB */
const SAME = 0.5;                /* ms between a peak and the path that made it */
const SPEED = 343;               /* m/s, for the difference of paths that is told beside a peak */
const {state} = store;

const apart = ({time}, peak) => Math.abs(1000 * time - peak[0]);
const levelOf = one => one.level ?? -Infinity;

/* Index of the strongest reflection that arrives with a peak, or null. */
function reflectionOf(peak) {
    const list = reflections()?.list || [];
    return list.reduce((best, one, i) =>
        apart(one, peak) <= SAME && (best === null || levelOf(one) > levelOf(list[best])) ? i : best, null);
}

/* Index of the peak that a reflection makes, or null. */
function peakOf(index, peaks) {
    const one = reflections()?.list?.[index];
    return one ? peaks.reduce((best, peak, i) =>
        apart(one, peak) <= SAME && (best === null || apart(one, peak) < apart(one, peaks[best])) ? i : best, null) : null;
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

function show(content, id, response, point) {
    const samples = pictureOf(response), found = measured(state.results[id]?.metrics, state.receiver);
    const arrival = stageOf(id).last && Number.isFinite(found?.channel.arrival) ? found.channel.arrival :
        arrivalOf(samples, response.rate);
    const points = echogramOf(samples, response.rate, arrival, LENGTH, 800), peaks = peaksOf(points);
    const {colour} = store.variant(id);
    const choose = index => {
        const own = index === null ? null : reflectionOf(peaks[index]);
        point(own);
        picture.mark(index);
        steps.show(index, index === null ? '' : words(peaks[index], own === null ? null : reflections().list[own]));
    };
    const picture = drawing(points, peaks, colour, choose), steps = stepper(peaks, choose);
    steps.show(null);
    content.append(...[staleNote([id]), coarseNote([id]), make('h2', {text: `First 100 ms at ${state.receiver}, variant ${id}`}),
        make('figure', {}, picture.svg, steps.element),
        make('details', {}, make('summary', {text: `The ${peaks.length} highest peaks`}),
            make('ol', {class: 'peaks'}, ...peaks.map(peak => make('li', {text: words(peak)}))))]
        .filter(Boolean));
    return index => picture.mark(peakOf(index, peaks));
}

/* ---- List of reflections ---- */

function summary({list, direct, order, failed}) {
    if (failed)
        return [make('p', {class: 'field-error', text: failed})];
    const more = direct.found > direct.listed ? `; the first ${direct.listed} of ${direct.found}` : '';
    return [make('p', {class: 'muted', text: `${list.length ? `Up to order ${order}` : `None of up to order ${order}`}, within ` +
        `${LENGTH} ms after the direct sound${more}. Level of pink noise, 125 Hz to 4 kHz, relative to the direct sound.`}),
        direct.blocked && make('p', {class: 'stale', role: 'note',
            text: 'Something stands between source and receiver: times and levels refer to the direct sound without it.'})];
}

/* Returns {element, mark, show}. */
function reflectionPanel(choose) {
    const note = make('div', {class: 'content'}), list = reflectionList(choose);
    let shown;
    const element = make('section', {}, make('h2', {text: 'First reflections'}), note, list.element);
    return {element, mark: list.mark, show: () => {
        const entry = reflections();
        if (entry !== shown) {
            shown = entry;
            clear(note).append(...(entry ? summary(entry) : [make('p', {class: 'muted',
                text: state.error ? 'The room has a mistake.' : 'Finding the reflections …'})]).filter(Boolean));
            list.fill(entry?.list || []);
            list.element.hidden = !entry?.list?.length;
        }
        list.mark(state.layers.hovered);
    }};
}

export function mountEchogram(page) {
    const content = make('div', {class: 'content'});
    let before = [], mark = () => {};
    const panel = reflectionPanel(index => {
        pointAt(index);
        mark(index);
    });
    page.append(content, panel.element);
    new MutationObserver(() => page.hidden && hideReflections()).observe(page, {attributeFilter: ['hidden']});
    const draw = () => {
        const id = state.active, response = heardOf(id);
        const now = [id, isFinal(id), response || JSON.stringify(status()), state.receiver, response && isCurrent(id),
            state.results[id]?.metrics];
        if (now.length === before.length && now.every((item, i) => item === before[i]))
            return;
        before = now;
        clear(content);
        mark = () => {};
        if (response)
            mark = show(content, id, response, index => {
                pointAt(index);
                panel.mark(index);
            });
        else
            content.append(emptyNote('Echograms'));
    };
    return () => {
        if (page.hidden) /* in the meantime */
            return;
        askReflections();
        showReflections();
        draw();
        panel.show();
    };
}
