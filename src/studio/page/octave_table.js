/* SPDX-License-Identifier: MIT */
/* A small table of values by octave, which scrolls within the panel if it is too wide. */
import {format, make} from './dom.js';

const bandText = band => band < 1000 ? String(band) : `${band / 1000}k`;

/* `rows`: [[title, values], ...] over the octave `bands` in Hz. */
export function octaveTable(label, bands, rows, caption = null) {
    const line = (title, cells) => make('tr', {}, make('th', {scope: 'row', text: title}), ...cells);
    const heading = bands.map(band => make('th', {scope: 'col', text: bandText(band)}));
    const body = rows.map(([title, values]) =>
        line(title, bands.map((band, i) => make('td', {text: format(values[i], 2)}))));
    return make('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': label},
        make('table', {class: 'octaves'}, caption && make('caption', {text: caption}), line('Hz', heading), ...body));
}
