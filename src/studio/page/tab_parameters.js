/* SPDX-License-Identifier: MIT */
/* Acoustic parameters by octave, differences between variants in JND, and verdicts of a target. */
import {get} from './api.js';
import {clear, format, make, say} from './dom.js';
import {chosenTarget, compute, isCurrent, isFinal, judge, status} from './listening.js';
import {compared, hertz, marksOf, measured, PARAMETERS, SINGLE} from './parameters.js';
import {store} from './store.js';

const {state} = store;
let targets = null;

const minus = text => text.replace('-', '−');
const shown = (parameter, value) => Number.isFinite(value) ?
    minus(format(value * (parameter.scale || 1), parameter.digits)) : '–';

/* ---- What is not there, or not of the present text ---- */

export function emptyNote(what) {
    const now = status();
    return make('div', {class: 'empty'},
        make('p', {text: now.busy ? `${now.text}. ${what} follow from the response at the resolution of the room file.` :
            `${what} need a response. Press play, or compute it without sound.`}),
        !now.busy && make('button', {class: 'primary', text: 'Compute', disabled: !state.scene,
            on: {click: compute}}));
}

export function staleNote(ids) {
    const old = ids.filter(id => !isCurrent(id));
    return old.length ? make('p', {class: 'stale', role: 'note',
        text: `${old.length > 1 ? `Variants ${old.join(', ')} were` : `Variant ${old[0]} was`} changed after this response.`}) : null;
}

/* ---- Table ---- */

function marks({partly, doubtful}) {
    const text = `${partly ? '*' : ''}${doubtful ? '?' : ''}`,
        words = [partly && 'beyond the valid band', doubtful && 'doubtful'];
    return text ? make('abbr', {class: 'mark', text, title: words.filter(Boolean).join(', ')}) : null;
}

function size(jnd) {
    const steps = Math.abs(jnd);
    return !Number.isFinite(jnd) || steps < 1 ? '' : steps < 2 ? 'small' : steps < 5 ? 'middle' : 'large';
}

function difference(item) {
    if (!item || !Number.isFinite(item.jnd))
        return null;
    const jnd = minus(`${item.jnd > 0 ? '+' : ''}${format(item.jnd, Math.abs(item.jnd) < 9.95 ? 1 : 0)}`);
    return make('span', {class: 'jnd', text: jnd, title: `${jnd} JND from variant ${state.comparison.ids[0]}`});
}

function cell(parameter, band, item) {
    if (!band)
        return make('td', {text: '–'});
    const value = band[parameter.key];
    return make('td', {class: size(item?.jnd)}, shown(parameter, value),
        Number.isFinite(value) && marks(marksOf(band)),
        difference(item));
}

function rowHead(parameter, rows) {
    return make('th', {scope: 'rowgroup', rowspan: rows, title: parameter.title}, parameter.name,
        parameter.unit && make('span', {class: 'unit', text: ` ${parameter.unit}`}));
}

function variantHead({id, colour}, several) {
    return several && make('th', {scope: 'row', class: 'id', 'data-colour': colour, text: id});
}

/* One row for each variant: entries are {id, colour, channel, change}. */
function parameterRows(parameter, entries, centres) {
    if (!entries.some(({channel}) => channel.octave_bands.some(band => Number.isFinite(band[parameter.key]))))
        return null;
    const several = entries.length > 1;
    return make('tbody', {}, ...entries.map((entry, i) => make('tr', {},
        i === 0 && rowHead(parameter, entries.length), variantHead(entry, several),
        ...centres.map(centre => {
            const at = list => list?.find(band => band.centre === centre);
            return cell(parameter, at(entry.channel.octave_bands),
                at(entry.change?.octave_bands)?.[parameter.key]);
        }))));
}

function table(entries) {
    const centres = [...new Set(entries.flatMap(({channel}) => channel.octave_bands.map(band => band.centre)))];
    centres.sort((a, b) => a - b);
    return make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Parameters by octave'},
        make('table', {class: `numbers${entries.length > 1 ? ' several' : ''}`},
            make('caption', {class: 'hidden', text: 'Parameters by octave band, in Hz'}),
            make('thead', {}, make('tr', {}, make('th', {scope: 'col', text: 'Hz'}),
                entries.length > 1 && make('td', {}),
                ...centres.map(centre => make('th', {scope: 'col', text: hertz(centre)})))),
            ...PARAMETERS.map(parameter => parameterRows(parameter, entries, centres)).filter(Boolean)));
}

function singles(entries) {
    const items = SINGLE.filter(({key}) => entries.some(({channel}) => Number.isFinite(channel[key])));
    return make('dl', {class: 'singles'}, ...items.flatMap(single => [
        make('dt', {text: single.name, title: single.title}),
        make('dd', {}, ...entries.flatMap(({id, colour, channel, change}) => [
            entries.length > 1 && make('span', {class: 'id', 'data-colour': colour, text: id}), ' ',
            `${shown(single, channel[single.key])}${single.unit ? ` ${single.unit}` : ''}`,
            difference(change?.single_numbers?.[single.key]), '  ']).filter(Boolean))]));
}

/* ---- Targets ---- */

const VERDICTS = {pass: ['✓', 'met'], fail: ['✗', 'not met'], none: ['–', 'not judged']};

function verdictCell(band) {
    const [sign, word] = VERDICTS[band.verdict] || VERDICTS.none;
    return make('td', {class: band.verdict, title: `${word}: ${format(band.value, 2)}${band.guidance ? ', for guidance' : ''}`},
        make('span', {'aria-hidden': 'true', text: sign}), make('span', {class: 'hidden', text: word}));
}

function limitRow(name, bands, key) {
    return make('tr', {class: 'muted'}, make('th', {scope: 'row', text: name}),
        ...bands.map(band => make('td', {text: Number.isFinite(band[key]) ? format(band[key], 2) : '–'})));
}

function verdictTable(bands) {
    const quantity = bands[0].by || 'value';
    return make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Target by octave'},
        make('table', {class: 'numbers limits'},
            make('thead', {}, make('tr', {}, make('th', {scope: 'col', text: 'Hz'}),
                ...bands.map(band => make('th', {scope: 'col', text: hertz(band.centre)})))),
            make('tbody', {}, make('tr', {}, make('th', {scope: 'row', text: quantity}),
                ...bands.map(band => make('td', {text: format(band.value, band.places ?? 2)}))),
            limitRow('from', bands, 'lower'), limitRow('to', bands, 'upper'),
            make('tr', {}, make('th', {scope: 'row', text: 'met'}), ...bands.map(verdictCell)))));
}

function verdict({id, colour, file}, several) {
    const {target} = file;
    if (!target)
        return null;
    const bands = target.octave_bands || [], word = (VERDICTS[target.verdict] || VERDICTS.none)[1];
    const sti = target.sti && Number.isFinite(target.sti.value) ?
        `: STI ${format(target.sti.value, 2)}${target.sti.grade ? `, ${target.sti.grade}` : ''}` : '';
    return make('div', {class: 'verdict'},
        make('p', {}, several && make('span', {class: 'id', 'data-colour': colour, text: id}), ' ',
            make('strong', {class: target.verdict, text: `Target ${word}${sti}`})),
        bands.length ? verdictTable(bands) : null,
        make('p', {class: 'muted', text: [target.publication, target.condition && `room ${target.condition}`,
            target.complete === false && 'not all bands could be judged'].filter(Boolean).join('; ')}));
}

async function fillTargets(select) {
    targets = [];
    const answer = await get('targets');
    targets = answer.targets || answer;
    for (const {name, description, publication} of targets)
        select.append(make('option', {value: name, text: `${publication ? publication.split(',')[0] : name}: ${description}`,
                                      title: name}));
    select.value = chosenTarget();
}

/* ---- Tab ---- */

function entriesOf() {
    return state.variants.filter(v => isFinal(v.id)).map(v => {
        const found = measured(state.results[v.id]?.metrics, state.receiver);
        const place = state.comparison ? state.comparison.ids.indexOf(v.id) : -1;
        return found && {id: v.id, colour: v.colour, ...found,
                         change: place > 0 ? compared(state.comparison, place, state.receiver) : null};
    }).filter(entry => entry && entry.channel.octave_bands);
}

function explanations() {
    return make('details', {}, make('summary', {text: 'What these mean'}),
        make('dl', {class: 'meanings'}, ...PARAMETERS.concat(SINGLE.slice(0, 1)).flatMap(({name, title}) =>
            [make('dt', {text: name}), make('dd', {text: title})]),
        make('dt', {text: '*'}), make('dd', {text: 'The band reaches beyond the valid band of the response'}),
        make('dt', {text: '?'}), make('dd', {text: 'Doubtful: the wave solver and the rays disagree, or T30 follows a scattering that nobody measured'}),
        make('dt', {text: 'JND'}), make('dd', {text: 'Difference from the first variant in just noticeable differences; below 1 it is not heard'})));
}

function receiverSelect() {
    const select = make('select', {on: {change: () => store.set('listening', {receiver: select.value})}});
    return select;
}

export function mountParameters(page) {
    const receiver = receiverSelect(), content = make('div', {class: 'content'});
    const target = make('select', {on: {change: () => judge(target.value)}},
        make('option', {value: '', text: 'none'}));
    page.append(make('div', {class: 'settings'},
        make('label', {}, make('span', {text: 'Receiver'}), receiver),
            make('label', {}, make('span', {text: 'Target'}), target)),
    content, explanations());
    let before = null;
    return () => {
        if (!targets)
            fillTargets(target).catch(error => say(error.message, 'error'));
        clear(receiver).append(...(state.scene?.receivers || []).map(({name}) => make('option',
            {value: name, text: name})));
        receiver.value = state.receiver;
        const entries = entriesOf();
        const now = JSON.stringify([entries.map(({id}) => [id, isCurrent(id)]), state.receiver,
            entries.length || status()]);
        const all = [state.comparison, ...entries.map(({channel}) => channel), ...entries.map(({file}) => file)];
        if (before && before.now === now && before.all.length === all.length && all.every((item,
            i) => item === before.all[i]))
            return;
        before = {now, all};
        clear(content);
        if (!entries.length) {
            content.append(emptyNote('Parameters'));
            return;
        }
        const summary = state.comparison?.result?.comparisons || [];
        content.append(...[staleNote(entries.map(({id}) => id)), table(entries), singles(entries),
            ...summary.map(({summary: text}, i) => text && make('p', {class: 'summary'},
                make('span', {class: 'id',
                'data-colour': store.variant(state.comparison.ids[i + 1])?.colour,
                    text: state.comparison.ids[i + 1]}),
            ` against ${state.comparison.ids[0]}: ${text}`)),
            ...entries.map(entry => verdict(entry, entries.length > 1)),
            ...[...new Set(entries.map(({file}) => file.note).filter(Boolean))].map(note =>
                make('p', {class: 'muted', text: `Note: ${note}.`}))].filter(Boolean));
    };
}
