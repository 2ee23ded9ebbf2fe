/* SPDX-License-Identifier: MIT */
/* Acoustic parameters by octave, differences between variants in JND, and verdicts of a target. */
import {emptyNote, staleNote} from './currency.js';
import {clear, format, make} from './dom.js';
import {bandMark, reasonList, singleMark} from './doubts.js';
import {isCurrent, isMeasured, judge, renderOf} from './listening.js';
import {compared, hertz, measured, PARAMETERS, SINGLE} from './parameters.js';
import {store} from './store.js';
import {targetName, targetSelect} from './targets.js';

export {emptyNote, staleNote} from './currency.js';

const {state} = store;

const minus = text => text.replace('-', '−');
const shown = (parameter, value) => Number.isFinite(value) ?
    minus(format(value * (parameter.scale || 1), parameter.digits)) : '–';

/* ---- Table ---- */

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

function cell(parameter, band, item, entry) {
    if (!band)
        return make('td', {text: '–'});
    const value = band[parameter.key];
    return make('td', {class: size(item?.jnd)}, shown(parameter, value),
        Number.isFinite(value) && bandMark(band, entry),
        difference(item));
}

function rowHead(parameter, rows) {
    return make('th', {scope: 'rowgroup', rowspan: rows, title: parameter.title}, parameter.name,
        parameter.unit && make('span', {class: 'unit', text: ` ${parameter.unit}`}));
}

function variantHead({id, colour, change}, several) {
    return several && make('th', {scope: 'row', class: 'id', 'data-colour': colour}, id,
        change && make('span', {class: 'jnd', text: 'JND', title: 'Difference in just noticeable differences'}));
}

/* One row for each variant: entries are {id, colour, channel, change}. */
function parameterRows(parameter, entries, centres) {
    if (!entries.some(({channel}) => channel.octave_bands.some(band => Number.isFinite(band[parameter.key]))))
        return null;
    const several = state.variants.length > 1;
    return make('tbody', {}, ...entries.map((entry, i) => make('tr', {class: entry.isOld ? 'old' : null},
        i === 0 && rowHead(parameter, entries.length), variantHead(entry, several),
        ...centres.map(centre => {
            const at = list => list?.find(band => band.centre === centre);
            return cell(parameter, at(entry.channel.octave_bands),
                at(entry.change?.octave_bands)?.[parameter.key], entry);
        }))));
}

function table(entries) {
    const centres = [...new Set(entries.flatMap(({channel}) => channel.octave_bands.map(band => band.centre)))];
    centres.sort((a, b) => a - b);
    return make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Parameters by octave'},
        make('table', {class: `numbers${state.variants.length > 1 ? ' several' : ''}`},
            make('caption', {class: 'hidden', text: 'Parameters by octave band, in Hz'}),
            make('thead', {}, make('tr', {}, make('th', {scope: 'col', text: 'Hz'}),
                state.variants.length > 1 && make('td', {}),
                ...centres.map(centre => make('th', {scope: 'col', text: hertz(centre)})))),
            ...PARAMETERS.map(parameter => parameterRows(parameter, entries, centres)).filter(Boolean)));
}

function singles(entries) {
    const items = SINGLE.filter(({key}) => entries.some(({channel}) => Number.isFinite(channel[key])));
    return make('dl', {class: 'singles'}, ...items.flatMap(single => [
        make('dt', {text: single.name, title: single.title}),
        make('dd', {}, ...entries.map(({id, colour, channel, change, isOld, render}) => make('span', {class: isOld ? 'old' : null}, ...[
            state.variants.length > 1 && make('span', {class: 'id', 'data-colour': colour, text: id}), ' ',
            `${shown(single, channel[single.key])}${single.unit ? ` ${single.unit}` : ''}`,
            singleMark(channel, single.key, {render}),
            difference(change?.single_numbers?.[single.key]), '  '].filter(Boolean))))]));
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
                ...bands.map(band => make('td', {}, format(band.value, 2), band.doubtful &&
                make('abbr', {class: 'mark', text: '?', title: 'Doubtful; the table of parameters says why'})))),
            limitRow('from', bands, 'lower'), limitRow('to', bands, 'upper'),
            make('tr', {}, make('th', {scope: 'row', text: 'met'}), ...bands.map(verdictCell)))));
}

const idOf = ({id, colour}) => make('span', {class: 'id', 'data-colour': colour, text: `${id} `});

/* The sentence of a verdict, which stands above all numbers. */
function verdict(entry, several) {
    const {target} = entry.file;
    if (!target)
        return null;
    const word = (VERDICTS[target.verdict] || VERDICTS.none)[1];
    const sti = target.sti && Number.isFinite(target.sti.value) ?
        `: STI ${format(target.sti.value, 2)}${target.sti.grade ? `, ${target.sti.grade}` : ''}` : '';
    return make('p', {class: entry.isOld ? 'old' : null}, several && idOf(entry),
        make('strong', {class: target.verdict, text: `Target ${word}${sti}`}),
        make('span', {class: 'muted', text: ` · ${targetName(target)}`}));
}

function limits(entry, several) {
    const {target} = entry.file, bands = target?.octave_bands || [];
    const notes = target && [target.condition && `Room ${target.condition}`,
        target.complete === false && 'not all bands could be judged'].filter(Boolean).join('; ');
    return bands.length || notes ? make('div', {class: `verdict${entry.isOld ? ' old' : ''}`},
        several && make('p', {}, idOf(entry), 'against the target'), bands.length ? verdictTable(bands) : null,
        notes && make('p', {class: 'muted', text: `${notes}.`})) : null;
}

/* ---- Differences in words ---- */

function summaries() {
    return (state.comparison?.result?.comparisons || []).map(({summary}, i) => {
        const id = state.comparison.ids[i + 1], words = summary?.replace(/([ (])-(?=\d)/g, '$1−');
        return words && make('p', {class: 'summary'}, make('span', {class: 'id', text: id,
            'data-colour': store.variant(id)?.colour}), ` against ${state.comparison.ids[0]}: ${words}.`);
    });
}

/* ---- Tab ---- */

/* Of all variants that have been measured; those whose metrics are of an older text are dimmed. */
function entriesOf() {
    return state.variants.map(v => {
        const found = measured(state.results[v.id]?.metrics, state.receiver), isOld = !isMeasured(v.id);
        const place = state.comparison && !isOld ? state.comparison.ids.indexOf(v.id) : -1;
        return found && {id: v.id, colour: v.colour, isOld, render: renderOf(v.id), ...found,
                         change: place > 0 ? compared(state.comparison, place, state.receiver) : null};
    }).filter(entry => entry && entry.channel.octave_bands);
}

function explanations() {
    return make('details', {}, make('summary', {text: 'What these mean'}),
        make('dl', {class: 'meanings'}, ...PARAMETERS.concat(SINGLE.slice(0, 1)).flatMap(({name, title}) =>
            [make('dt', {text: name}), make('dd', {text: title})]),
        make('dt', {text: '*'}), make('dd', {text: 'The band extends beyond the valid band of the response'}),
        make('dt', {text: '?'}), make('dd', {text: 'Doubtful: the wave solver and the rays disagree, or T30 depends on default scattering coefficients'}),
        make('dt', {text: 'JND'}), make('dd', {text: 'Difference from the first variant in just noticeable differences; below 1 it is not heard'})));
}

function receiverSelect() {
    const select = make('select', {on: {change: () => store.set('listening', {receiver: select.value})}});
    return select;
}

export function mountParameters(page) {
    const receiver = receiverSelect(), content = make('div', {class: 'content'});
    const {select: target, fill} = targetSelect({on: {change: () => judge(target.value)}});
    page.append(make('div', {class: 'settings'},
        make('label', {}, make('span', {text: 'Receiver'}), receiver),
            make('label', {}, make('span', {text: 'Target'}), target)),
    content, explanations());
    let before = null, isFilled = false;
    return () => {
        if (!isFilled)
            fill();
        isFilled = true;
        clear(receiver).append(...(state.scene?.receivers || []).map(({name}) => make('option',
            {value: name, text: name})));
        receiver.value = state.receiver;
        const entries = entriesOf();
        const now = JSON.stringify([entries.map(({id, isOld}) => [id, isOld, isCurrent(id)]), state.receiver, state.active]);
        const all = [state.comparison, ...entries.flatMap(({channel, file, render}) => [channel, file, render])];
        if (before && before.now === now && before.all.length === all.length && all.every((item,
            i) => item === before.all[i]))
            return;
        before = {now, all};
        clear(content);
        if (!entries.length) {
            content.append(emptyNote('Parameters'));
            return;
        }
        const several = state.variants.length > 1, older = entries.filter(({id, isOld}) => isOld && isCurrent(id)).map(({id}) => id);
        content.append(...[!entries.some(({id}) => id === state.active) && emptyNote(`Parameters of ${state.active}`),
            staleNote(entries.map(({id}) => id)), older.length && make('div', {class: 'stale', role: 'note',
                text: `The numbers${several ? ` of ${older.join(' and ')}` : ''} are those before the last change; new ones follow.`}),
            ...entries.map(entry => verdict(entry, several)),
            ...summaries(), table(entries), singles(entries), reasonList(entries),
            ...entries.map(entry => limits(entry, several)),
            ...[...new Set(entries.map(({file}) => file.note).filter(Boolean))].map(note =>
                make('p', {class: 'muted', text: `Note: ${note}.`}))].filter(Boolean));
    };
}
