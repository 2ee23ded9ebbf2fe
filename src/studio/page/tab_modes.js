/* SPDX-License-Identifier: MIT */
/* The modes of the room: a list, the shape of the chosen one, and the one that is heard most at the receiver. */
import {openDialog} from './dialogs.js';
import {clear, format, make} from './dom.js';
import {jobPanel} from './job_panel.js';
import {essence} from './listening.js';
import {store} from './store.js';

const {state} = store;
const found = new Map(); /* variant → {variant, text, files, result, chosen} */

const minus = text => text.replace('-', '−');

async function find(to) {
    const id = state.active, text = essence(store.variant(id).text);
    const job = await store.work('modes', {to});
    found.set(id, {variant: store.variant(id), text, result: job.result,
                   files: (job.files || []).filter(({name}) => /^mode_.*\.png$/.test(name))});
    const {modes} = job.result;
    choose(modes.length ? worst(modes) : null);
}

const levelAt = (mode, name) => mode.levels?.[name] ?? mode.level;

/* A mode is as loud as the product of its pressures at source and receiver, and lasts as long as its T60: the largest product
   of all three is heard most. */
const weight = mode => mode.t60 * 10 ** ((levelAt(mode, state.source) + levelAt(mode, state.receiver)) / 20);

function worst(modes) {
    return modes.reduce((best, mode, i) => weight(mode) > weight(modes[best]) ? i : best, 0);
}

function pictureOf({files}, index) {
    return files.find(({name}) => +name.match(/\d+/) === index + 1) || null;
}

/* Names the variant where there are several. */
const labelOf = mode => `Mode at ${format(mode.frequency, 1)} Hz${state.variants.length > 1 ? `, variant ${state.active}` : ''}`;

function choose(index, toView = Boolean(state.layers.mode)) {
    const set = found.get(state.active), mode = set?.result.modes[index], file = mode && pictureOf(set, index);
    if (set)
        set.chosen = index;
    store.set('layers', {layers: {...state.layers, mode: toView && file ?
        {url: file.url, label: labelOf(mode), variant: state.active, frequency: mode.frequency, index,
            order: mode.order || null, plane: 'z=1.2'} : null}});
}

function row(mode, index, isWorst, chosen, hasOrders) {
    const name = `Mode ${index + 1}, ${format(mode.frequency, 1)} Hz`;
    return make('tr', {class: index === chosen ? 'chosen' : null, on: {click: () => choose(index)}},
        make('th', {scope: 'row'}, make('button', {class: 'plain', 'aria-pressed': String(index === chosen),
            text: String(index + 1),
                                                   'aria-label': `Show ${name}`})),
        make('td', {text: format(mode.frequency, 1)}), make('td', {text: format(mode.t60, 2)}),
        hasOrders && make('td', {text: mode.order ? mode.order.join(' ') : '–'}),
        make('td', {text: minus(format(mode.levels?.[state.source], 1))}),
        make('td', {}, minus(format(mode.levels?.[state.receiver], 1)), isWorst && make('abbr', {class: 'mark', text: ' ◆',
            title: 'Heard most: the largest product of T60 and of both levels'})));
}

function table({result, chosen}) {
    const most = worst(result.modes), hasOrders = result.modes.some(mode => mode.order);
    return make('div', {class: 'scroll mode-list', tabindex: 0, role: 'region', 'aria-label': 'Modes'},
        make('table', {class: 'numbers list'},
            make('caption', {class: 'muted', text: 'Levels in dB re the loudest place of each mode: at the source, how strongly it is excited; at the receiver, how loud it is there'}),
            make('thead', {}, make('tr', {}, ...['Mode', 'Hz', 'T60, s', ...(hasOrders ? ['Order'] : []),
                `dB at ${state.source}`, `dB at ${state.receiver}`].map(text =>
                make('th', {scope: 'col', text})))),
            make('tbody', {}, ...result.modes.map((mode, i) => row(mode, i, i === most, chosen, hasOrders)))));
}

function enlarge(file, title) {
    openDialog(title, {class: 'wide'}, make('img', {class: 'shape', src: file.url, alt: `Pressure of ${title} over a plane`}));
}

function shape(set) {
    const {chosen} = set, mode = set.result.modes[chosen], file = mode && pictureOf(set, chosen);
    if (!file)
        return null;
    const title = labelOf(mode).replace('Mode', `Mode ${chosen + 1}`);
    const onPlan = Boolean(state.layers.mode);
    return make('figure', {}, make('button', {type: 'button', class: 'picture', title: 'Enlarge the picture',
        'aria-label': `Enlarge the picture of ${title}`, on: {click: () => enlarge(file, title)}},
        make('img', {class: 'shape', src: file.url, alt: `Pressure of ${title} over a plane`})),
        make('figcaption', {}, make('span', {class: 'muted', text: title}), make('label', {}, make('input',
            {type: 'checkbox', checked: onPlan, on: {change: event =>
            choose(chosen, event.target.checked)}}), ' Show on the plan')));
}

function summary({result, text}) {
    const {modes, schroeder_frequency: schroeder, to} = result, most = modes.length ? modes[worst(modes)] : null;
    const rest = modes.filter(mode => mode !== most), next = rest.length ? rest[worst(rest)] : null;
    const stale = text !== essence(store.variant().text);
    return [stale && make('p', {class: 'stale', role: 'note',
        text: 'The variant was changed after these modes were found.'}),
        make('p', {text: `${modes.length} modes up to ${format(to, 0)} Hz` +
            (Number.isFinite(schroeder) ? `; above the Schroeder frequency of ${format(schroeder, 0)} Hz they overlap.` : '.')}),
        most && make('p', {}, make('span', {class: 'mark', text: '◆ '}),
            `Heard most at ${state.receiver} from ${state.source}: ${format(most.frequency, 1)} Hz, T60 ${format(most.t60, 2)} s, ` +
            'by its levels at both and its T60', next && `; next ${format(next.frequency, 1)} Hz, ` +
            `${format(20 * Math.log10(weight(most) / weight(next)), 1)} dB less`, '.')];
}

export function mountModes(page) {
    const to = make('input', {type: 'number', min: 20, max: 1000, step: 5, value: 120});
    const panel = jobPanel('modes', 'Find modes', () => find(+to.value || 120)),
        content = make('div', {class: 'content'});
    page.append(make('div', {class: 'settings'}, make('label', {}, make('span', {text: 'Up to, Hz'}), to)),
        make('p', {class: 'muted', text: 'The run has a grid of its own: its time grows with this frequency, ' +
            'and “Waves up to” does not matter.'}), panel.element, content);
    store.on('variants', () => state.layers.mode && state.layers.mode.variant !== state.active &&
        store.set('layers', {layers: {...state.layers, mode: null}}));
    let before = '';
    return () => {
        panel.show();
        let set = found.get(state.active);
        if (set && set.variant !== store.variant())
            set = null;
        const now = JSON.stringify([state.active, state.source, state.receiver, set?.chosen, state.variants.length, Boolean(state.layers.mode), set?.files,
                                    set && set.text === essence(state.text)]);
        if (now === before)
            return;
        before = now;
        const {activeElement} = document, focused = content.contains(activeElement) && activeElement.textContent;
        clear(content);
        if (!set) {
            content.append(make('p', {class: 'muted', text: 'At low frequencies a room answers with single tones. This finds ' +
                'them, with their decay, their level at each receiver and their shape.'}));
            return;
        }
        content.append(...[...summary(set), shape(set), table(set)].filter(Boolean));
        if (focused)
            [...content.querySelectorAll('tbody button')].find(button => button.textContent === focused)?.focus();
    };
}
