/* SPDX-License-Identifier: MIT */
/* Maps of parameters over a plane: one run gives all parameters of all octaves, of which one is shown on the plan. */
import {clear, format, make, say} from './dom.js';
import {legend} from './charts.js';
import {reasonOf} from './doubts.js';
import {jobPanel} from './job_panel.js';
import {keyOf, shortened} from './listening.js';
import {hertzUnit, PARAMETERS} from './parameters.js';
import {askInfo, estimate} from './room_info.js';
import {find} from './room_text.js';
import {store} from './store.js';
import {setPosition} from './view_moving.js';

const {state} = store;
const maps = new Map(); /* variant → {variant, key, source, plane, rows} */
let parameter = 't30', band = '1000', colours; /* of the views, where they tell them */

const MAPPED = [...PARAMETERS.filter(({key}) => /^(edt|t20|t30|c50|c80|d50|ts|g)$/.test(key)),
                {key: 'sti', name: 'STI', unit: '', digits: 2}];
const minus = text => text.replace('-', '−');

/* map.csv: one row for each receiver and octave; a cell is empty where the band does not give the parameter. */
function parseMap(text) {
    const [head, ...lines] = text.trim().split(/\r?\n/).map(line => line.split(','));
    return lines.map(cells => Object.fromEntries(head.map((name, i) =>
        [name, name === 'band' || name === 'doubtful' ? cells[i] || '' : cells[i] === '' || cells[i] === undefined ? NaN : +cells[i]])));
}

async function compute({plane, spacing, rays}) {
    const id = state.active, variant = store.variant(id), {source} = state, key = roomOf(variant);
    const job = await store.work('map', {source, plane: `z=${plane}`, rays, ...(spacing && {spacing})});
    const file = job.files.find(({name}) => name === 'map.csv');
    if (!file)
        throw new Error('The map has no table.');
    const answer = await fetch(file.url);
    if (!answer.ok)
        throw new Error('The table of the map could not be read.');
    maps.set(id, {variant, key, source, plane, rows: parseMap(await answer.text())});
    apply();
}

/* STI has no band: it is the same in all rows of a place, and rests on the octaves from 125 Hz. */
const isSpeech = () => parameter === 'sti';

/* Doubts about the rows of a map in the chosen band: [name, ...]; of STI those of its octaves. */
function doubtsOf(map) {
    const rows = map.rows.filter(row => Number.isFinite(row[parameter]) &&
        (isSpeech() ? +row.band >= 125 : row.band === band));
    return [...new Set(rows.flatMap(row => row.doubtful.split(' ').filter(Boolean)))];
}

/* The layer of the chosen parameter and band. */
function apply() {
    const map = mapOf();
    if (map && !parametersOf(map).some(({key}) => key === parameter))
        parameter = parametersOf(map)[0]?.key || parameter;
    const item = MAPPED.find(({key}) => key === parameter), scale = item.scale || 1;
    const bands = map ? bandsOf(map) : [];
    if (map && (isSpeech() || !bands.includes(band)))
        band = bands.includes('1000') ? '1000' : bands.filter(name => name !== 'broad').pop() || bands[0];
    const rows = !map ? [] : map.rows.filter(row => row.band === band && Number.isFinite(row[parameter]))
        .map(({x, y, z, ...row}) => ({x, y, z, value: scale * row[parameter]}));
    const values = rows.map(({value}) => value);
    if (map && !values.length)
        say(`The map has no ${item.name} in the band ${band}.`, 'warning');
    store.set('layers', {layers: {...state.layers, map: values.length ? {
        parameter: item.name, variant: state.active,
        label: [item.name, map.source, state.variants.length > 1 && `variant ${state.active}`,
            band === 'broad' && !isSpeech() && 'broad band', doubtsOf(map).length && 'doubtful'].filter(Boolean).join(', '),
        band: band === 'broad' || isSpeech() ? null : band, rows, from: Math.min(...values), to: Math.max(...values),
            unit: item.unit,
        digits: item.digits, plane: map.plane} : null}});
}

function mapOf() {
    const map = maps.get(state.active);
    return map && map.variant === store.variant() ? map : null;
}

/* Bands in which the chosen parameter has values. */
function bandsOf(map) {
    const bands = new Set(map.rows.filter(row => Number.isFinite(row[parameter])).map(row => row.band));
    return [...bands].sort((a, b) => (+a || Infinity) - (+b || Infinity));
}

function parametersOf(map) {
    return MAPPED.filter(({key}) => map.rows.some(row => Number.isFinite(row[key])));
}

const bandName = name => name === 'broad' ? 'broad band' : hertzUnit(+name);

function select(label, items, value, change) {
    const element = make('select', {on: {change: () => change(element.value)}},
        ...items.map(([key, text]) => make('option', {value: key, text})));
    element.value = value;
    return make('label', {}, make('span', {text: label}), element);
}

/* The room of a map: receivers do not matter. */
function roomOf(variant) {
    try {
        const {start, end} = find(variant.text, 'receivers');
        return keyOf(variant).replace(shortened(variant.text.slice(start, end)), '');
    } catch {
        return keyOf(variant);
    }
}

/* What the map is not of any more; '' for a map of the present text and source. */
function staleness(map) {
    if (map.key === roomOf(map.variant))
        return '';
    return map.source === state.source ? 'The variant was changed after this map.' :
        `This map is of the source ${map.source}.`;
}

function view(map) {
    const layer = state.layers.map, item = MAPPED.find(({key}) => key === parameter);
    const text = value => minus(format(value, item.digits));
    return [
        staleness(map) && make('p', {class: 'stale', role: 'note', text: staleness(map)}),
        make('div', {class: 'settings'},
            select('Parameter', parametersOf(map).map(({key, name}) => [key, name]), parameter,
                key => { parameter = key; apply(); }),
            !isSpeech() && select('Band', bandsOf(map).map(name => [name, bandName(name)]), band,
                name => { band = name; apply(); })),
        layer && legend(layer.from, layer.to, layer.unit, text, colours),
        layer && make('p', {text: `${item.name} of ${map.source} at ${layer.rows.length} places, ` +
            `z = ${minus(format(map.plane, 2))} m: ${text(layer.from)} to ${text(layer.to)}${layer.unit && ` ${layer.unit}`}. The plan shows it.`}),
        layer && doubtsOf(map).length && make('p', {class: 'doubt'}, make('span', {class: 'mark', text: '? '}),
            doubtsOf(map).map(name => reasonOf(name, null)).join(' ')),
        layer && missing(map, layer),
        layer && ends(layer, text),
        make('label', {class: 'check'}, make('input', {type: 'checkbox', checked: Boolean(layer),
            on: {change: event =>
            event.target.checked ? apply() : store.set('layers', {layers: {...state.layers, map: null}})}}),
                ' Show on the plan'),
    ];
}

/* How many places the parameter could not be measured at; null if there are none. */
function missing(map, layer) {
    const places = new Set(map.rows.map(({x, y, z}) => `${x} ${y} ${z}`)).size - layer.rows.length;
    return places > 0 && make('p', {class: 'muted', text: `At ${places} places it could not be measured: ` +
        'the response ends, or the decay is not straight, before its range is reached.'});
}

/* Where the parameter is lowest and highest, and buttons that put the active receiver there. */
function ends(layer, text) {
    const index = state.scene.receivers.findIndex(({name}) => name === state.receiver);
    const place = (word, value) => {
        const {x, y, z} = layer.rows.find(row => row.value === value);
        return make('div', {class: 'links'}, make('span', {text: `${word} ${text(value)} at ${format(x, 2)}, ${format(y, 2)} m`}),
            index >= 0 && make('button', {text: `Move ${state.receiver} there`,
                on: {click: () => setPosition('receiver', index, [x, y, z])}}));
    };
    return make('div', {}, place('Highest:', layer.to), place('Lowest:', layer.from));
}

export function mountMap(page) {
    const plane = make('input', {type: 'number', step: 0.1, value: 1.2});
    const spacing = make('input', {type: 'number', min: 0.05, step: 0.05, placeholder: 'auto'});
    const rays = make('input', {type: 'checkbox', checked: true});
    const panel = jobPanel('map', 'Draw map', () => compute({plane: plane.value === '' ? 1.2 : +plane.value,
        spacing: +spacing.value || null, rays: rays.checked}));
    const content = make('div', {class: 'content'});
    const time = make('p', {class: 'muted'});
    page.append(make('div', {class: 'settings'},
        make('label', {}, make('span', {text: 'Height z, m'}), plane),
        make('label', {}, make('span', {text: 'Spacing, m'}), spacing)),
        make('label', {class: 'check'}, rays, ' Up to 8 kHz by image sources and rays; STI needs it'), time,
        panel.element, content);
    import('./view_colours.js').then(({valueColour}) => {
        colours = share => valueColour(share).map(value => Math.round(255 * value));
        before = '';
    }).catch(() => {});
    store.on('variants', () => state.layers.map && state.layers.map.variant !== state.active &&
        (mapOf() ? apply() : store.set('layers', {layers: {...state.layers, map: null}})));
    let before = '', told = '';
    return () => {
        panel.show();
        if (told !== `${state.active} ${state.text}` && store.variant()?.checked === state.text) {
            told = `${state.active} ${state.text}`;
            askInfo();
        }
        time.textContent = estimate() && `Expected time of the waves: ${estimate()}.` +
            (rays.checked ? ' The rays to hundreds of places may take several times that.' : '');
        time.hidden = !time.textContent;
        const map = mapOf(), now = JSON.stringify([state.active, parameter, band,
            map && [map.plane, map.source, staleness(map)],
                                                   state.layers.map && [state.layers.map.from,
                                                       state.layers.map.to]]);
        if (now === before)
            return;
        before = now;
        const at = [...content.querySelectorAll('select, input')].indexOf(document.activeElement);
        clear(content);
        if (map)
            content.append(...view(map).filter(Boolean));
        else
            content.append(make('p', {class: 'muted', text: 'A map shows how a parameter changes over the listeners\' ' +
                'plane. One run gives all parameters.'}));
        content.querySelectorAll('select, input')[at]?.focus();
    };
}
