/* SPDX-License-Identifier: MIT */
/* Decay curves of all variants, and the spectrogram of the one that is heard. */
import {chart, colourOf, curve, legend, ticks} from './charts.js';
import {clear, format, make, makeSvg} from './dom.js';
import {coarseNote, emptyNote, staleNote} from './currency.js';
import {heardOf, isCurrent, isFinal} from './listening.js';
import {hertzUnit, measured} from './parameters.js';
import {decayOf, spectrogramOf} from './pictures.js';
import {pictureOf} from './responses.js';
import {store} from './store.js';

const BANDS = [0, 63, 125, 250, 500, 1000, 2000, 4000, 8000];
const DEPTH = 70, SPAN = 80; /* dB of the chart and of the spectrogram */
const {state} = store;

const minus = value => String(value).replace('-', '−');

function timesOf(id, centre) {
    const found = measured(state.results[id]?.metrics, state.receiver);
    const band = found && (centre ? found.channel.octave_bands.find(item => item.centre === centre) : found.channel.broad_band);
    return band && Number.isFinite(band.t30) ? `T30 ${format(band.t30, 2)}${band.doubtful?.length ? '?' : ''} s` : '';
}

function decays(entries, centre) {
    const longest = Math.max(...entries.map(({response}) => pictureOf(response).length / response.rate));
    const curves = entries.map(entry => decayOf(pictureOf(entry.response), entry.response.rate, centre));
    const reached = Math.max(...curves.map(points => (points.find(([,
        level]) => level < -DEPTH) || [longest])[0]));
    const to = Math.max(0.05, Math.min(longest, 1.05 * reached));
    const name = centre ? `octave of ${hertzUnit(centre)}` : 'broad band';
    const c = chart({x: {from: 0, to, label: 'Time, s'},
        y: {from: -DEPTH, to: 0, label: 'Energy still to come, dB',
                                                            text: minus}, height: 220,
                     label: `Decay curves, ${name}, of variants ${entries.map(({id}) => id).join(', ')}`});
    curves.forEach((points, i) => curve(c, points.filter(([time]) => time <= to),
        {class: `curve${isCurrent(entries[i].id) ? '' : ' old'}`, 'data-colour': entries[i].colour}));
    return make('figure', {}, c.svg, make('figcaption', {}, ...entries.map(({id, colour}) =>
        make('span', {class: `key${isCurrent(id) ? '' : ' old'}`, 'data-colour': colour, text: `${id} ${timesOf(id, centre)}`}))));
}

/* Frequency on a logarithmic axis from 50 Hz to 20 kHz. */
function spectrogram(entry) {
    const samples = pictureOf(entry.response), {levels, step, width} = spectrogramOf(samples,
        entry.response.rate);
    const rows = 160, low = 50, high = 20000, canvas = make('canvas', {width: levels.length, height: rows});
    const context = canvas.getContext('2d'), image = context.createImageData(levels.length, rows);
    const top = Math.max(...levels.map(column => column.reduce((a, b) => Math.max(a, b), -300)));
    for (let row = 0; row < rows; row++) {
        const bin = low * (high / low) ** (1 - (row + 0.5) / rows) / width,
            i = Math.min(levels[0].length - 2, Math.floor(bin));
        levels.forEach((column, k) => {
            const level = column[i] + (bin - i) * (column[i + 1] - column[i]);
            image.data.set([...colourOf(1 + (level - top) / SPAN), 255], 4 * (row * levels.length + k));
        });
    }
    context.putImageData(image, 0, 0);
    const log = Math.log10, c = chart({
        x: {from: 0, to: levels.length * step, label: 'Time, s', ticks: ticks(0, levels.length * step, 6)},
        y: {from: log(low), to: log(high), label: 'Frequency, Hz', ticks: [63, 250, 1000, 4000, 16000].map(log),
            text: value => hertzUnit(10 ** value).replace(' Hz', '').replace(' kHz', 'k')},
        height: 220, label: `Spectrogram of variant ${entry.id}`});
    c.plot.append(makeSvg('image', {href: canvas.toDataURL(), preserveAspectRatio: 'none', x: c.x(0), y: c.top,
                                    width: c.columns, height: c.bottom - c.top}));
    return make('figure', {class: isCurrent(entry.id) ? null : 'old'}, c.svg, legend(-SPAN, 0, 'dB', minus));
}

export function mountDecay(page) {
    const select = make('select', {on: {change: () => store.emit('results')}}, ...BANDS.map(centre =>
        make('option', {value: centre, text: centre ? `${hertzUnit(centre)} octave` : 'broad band'})));
    const content = make('div', {class: 'content'});
    page.append(make('div', {class: 'settings'}, make('label', {}, make('span', {text: 'Band'}), select)),
        content);
    let before = '';
    const versions = new WeakMap(); /* response → its number; a Map would keep every response */
    let count = 0;
    return () => {
        const entries = state.variants.map(({id, colour}) => ({id, colour, response: heardOf(id)}))
            .filter(({response}) => response);
        const version = response => versions.get(response) || versions.set(response, ++count).get(response);
        const now = JSON.stringify([select.value, state.active, state.receiver,
                                    entries.map(({id, response}) => [id, version(response), isCurrent(id), isFinal(id),
                                                                     timesOf(id, +select.value)])]);
        if (now === before)
            return;
        before = now;
        clear(content);
        if (!entries.length) {
            content.append(emptyNote('Decay curves'));
            return;
        }
        const active = entries.find(({id}) => id === state.active);
        content.append(...[!active && emptyNote(`Decay curves of ${state.active}`), staleNote(entries.map(({id}) => id)), coarseNote(entries.map(({id}) => id)), make('h2', {text: `Decay at ${state.receiver}`}),
            decays(entries, +select.value), active && make('h2', {text: `Spectrogram, variant ${active.id}`}),
            active && spectrogram(active), make('p', {class: 'muted',
                text: 'Both are drawn from the response as pictures. The times are those of the tab Parameters.'})].filter(Boolean));
    };
}
