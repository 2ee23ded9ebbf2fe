/* SPDX-License-Identifier: MIT */
/* Why bands and single numbers are marked, in the words of the program: names of doubts come from `aula metrics`, the
   parameters of both halves and the materials from the render. */
import {format, make} from './dom.js';
import {hertzUnit} from './parameters.js';

const HALVES = [['t30', 'T30', 's', 2], ['edt', 'EDT', 's', 2], ['c80', 'C80', 'dB', 1]];

/* "T30 0.36 s from image sources and rays, 0.31 s from the wave solver; EDT ..." */
function halves(decay) {
    const known = HALVES.filter(([key]) => Number.isFinite(decay?.[key]?.waves) && Number.isFinite(decay[key].rays));
    return known.map(([key, name, unit, digits], i) => {
        const [rays, waves] = [decay[key].rays, decay[key].waves].map(value => `${format(value, digits)} ${unit}`);
        return i ? `${name} ${rays}, ${waves}` : `${name} ${rays} from image sources and rays, ${waves} from the wave solver`;
    }).join('; ').replaceAll('-', '−');
}

function materialsOf(hybrid) {
    const names = hybrid?.default_scattering || [], first = names.slice(0, 5).map(name => name.replaceAll('_', ' '));
    return names.length ? ` of ${first.join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}` : '';
}

/* The reason for a doubt. `render`: the JSON of the render, or null. */
export function reasonOf(doubt, render) {
    const {hybrid} = render?.files?.[0] || render || {}, decay = hybrid?.decay;
    if (doubt === 'halves') {
        const numbers = halves(decay);
        return `Below the crossover${decay?.octave ? `, in the ${hertzUnit(decay.octave)} octave,` : ''} rays differ from the ` +
            `wave solver${numbers && ` (mean of all receivers: ${numbers})`}; their error may be as large up to one octave above it.`;
    }
    if (doubt === 'scattering')
        return `T30 exceeds 1.2 times the Eyring value and depends on the default scattering${materialsOf(hybrid)}; ` +
            'set the scattering coefficients.';
    return `Doubtful: ${doubt}.`;
}

export function beyond({valid_band: band} = {}) {
    return `The band extends beyond the valid band${band ? ` of ${hertzUnit(band.low)} to ${hertzUnit(band.high)}` : ''}.`;
}

/* The sign of a band, with its reasons as a tooltip; null without one. */
export function bandMark(band, {file, render}) {
    const partly = band.valid === 'partly', doubts = band.doubtful || [];
    const text = `${partly ? '*' : ''}${doubts.length ? '?' : ''}`;
    const words = [partly && beyond(file), ...doubts.map(doubt => reasonOf(doubt, render))].filter(Boolean);
    return text ? make('abbr', {class: 'mark', text, title: words.join('\n')}) : null;
}

/* The sign of a single number, with its reasons; null without one. */
export function singleMark(channel, key, {render}) {
    const doubts = channel[`${key}_doubtful`] || [];
    return doubts.length ? make('abbr', {class: 'mark', text: '?',
        title: ['Rests on doubtful octaves.', ...doubts.map(doubt => reasonOf(doubt, render))].join('\n')}) : null;
}

/* All reasons of the entries {id, channel, file, render}, as a list below the table; null without one. */
export function reasonList(entries) {
    const several = entries.length > 1, lines = new Map(); /* text → variants */
    const add = (text, id) => lines.set(text, [...new Set([...(lines.get(text) || []), id])]);
    for (const {id, channel, file, render} of entries) {
        const bands = channel.octave_bands;
        if (bands.some(band => band.valid === 'partly'))
            add(`* ${beyond(file)}`, id);
        for (const doubt of new Set(bands.flatMap(band => band.doubtful || [])))
            add(`? ${reasonOf(doubt, render)}`, id);
    }
    return lines.size ? make('ul', {class: 'reasons', 'aria-label': 'What the marks mean'}, ...[...lines].map(([text, ids]) =>
        make('li', {}, make('span', {class: 'mark', text: text[0]}), text.slice(1),
            several && make('span', {class: 'muted', text: ` (${ids.join(', ')})`})))) : null;
}
