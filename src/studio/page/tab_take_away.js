/* SPDX-License-Identifier: MIT */
/* What one takes away: the room file, responses, the heard sound, a report, and the command lines of all that ran. */
import {changes, roomWord, setsOf} from './command.js';
import {leftOutNote} from './currency.js';
import {clear, make, say} from './dom.js';
import {lengthOf, renderOffline} from './graph.js';
import {jobPanel} from './job_panel.js';
import {essence, heardOf, isCurrent, isFinal, isReady, keyOf, stageOf, status} from './listening.js';
import {drySamples} from './player.js';
import {fileOf} from './responses.js';
import {store} from './store.js';
import {targetSelect} from './targets.js';
import {encodeWave} from './wave.js';

const {state} = store;

function download(name, bytes, type) {
    const url = URL.createObjectURL(new Blob([bytes], {type}));
    make('a', {href: url, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function roomFile() {
    const name = (state.file?.name || 'room.cfg').replace(/\.cfg$/, '');
    const many = state.variants.length > 1;
    return make('div', {class: 'links'}, ...state.variants.map(({id, text}) => make('button', {
        text: many ? `Variant ${id}` : 'Download', on: {click: () =>
            download(many ? `${name}_${id}.cfg` : `${name}.cfg`, text, 'text/plain')}})));
}

/* Names of downloads: of the room, the variant and the program's own name of the file. */
function nameOf(id, name) {
    return `${(state.file?.name || 'room').replace(/\.cfg$/, '')}_${id}_${name}`;
}

function responses() {
    const ids = state.variants.map(({id}) => id).filter(stageOf);
    if (!ids.length)
        return [make('p', {class: 'muted', text: 'No response yet.'})];
    return ids.map(id => make('div', {class: 'links'}, make('span',
        {class: 'id', 'data-colour': store.variant(id).colour, text: id}),
        ...stageOf(id).files.map(file => make('a', {href: file.url, download: nameOf(id, file.name),
            text: `${file.receivers.join(', ')} (WAV)`})),
        !isFinal(id) && make('span', {class: 'muted', text: 'coarse'}),
        !isCurrent(id) && make('span', {class: 'muted', text: 'before the last change'})));
}

/* ---- Made files ---- */

const made = new Map(); /* kind → {of: [[variant, key of its text]], keyOf, files: [{name, url}]} */

const allIds = () => state.variants.map(({id}) => id);

/* Runs a job of variants; its files that end in `ending` become links. Variants with other keys have changed since. */
async function work(kind, ending, ids, keyOf, more) {
    const of = ids.map(store.variant).map(variant => [variant, keyOf(variant)]), job = await store.work(kind, more);
    made.set(kind, {of, keyOf, files: (job.files || []).filter(({name}) => name.endsWith(ending))});
    store.emit('results');
    return made.get(kind).files;
}

/* What a kind of job has made of variants that are still there. */
function madeOf(kind) {
    const last = made.get(kind);
    return last?.of.every(([variant]) => store.variant(variant.id) === variant) ? last : null;
}

const isOld = ({of, keyOf}) => of.some(([variant, key]) => keyOf(variant) !== key);

function links(kind, text, more = {}) {
    const last = madeOf(kind), ids = last?.of.map(([{id}]) => id).join('');
    return last ? [...last.files.map(file => make('a', {href: file.url, text: `${text} ${file.name}`,
        ...(more.target ? more : {download: nameOf(ids, file.name)})})),
        isOld(last) && make('span', {class: 'muted', text: 'before the last change'})].filter(Boolean) : [];
}

/* Convolved here, as it is heard now: at this yaw and through these ears. */
async function wave() {
    const id = state.active, response = heardOf(id), dry = await drySamples(), {yaw} = state;
    const seconds = dry.length / response.rate + lengthOf(response);
    const ears = await renderOffline({dry, response, seconds, yaw});
    const name = state.dry === 'own' ? state.ownSound.name.replace(/\.[^.]*$/, '') : state.dry;
    download(`${name}_in_${nameOf(id, `${state.receiver}.wav`)}`, encodeWave(ears, response.rate), 'audio/wav');
}

/* "30 November 2026. B differs from A: room.walls.z_min = "carpet"." */
function noteOf(ids) {
    const [first, ...others] = ids.map(store.variant), most = 6;
    const sentences = others.map(({id, text}) => {
        try {
            const all = changes(first.text, text).map(([key, value]) => `${key} = ${value}`);
            return all.length && ` ${id} differs from ${first.id}: ${all.slice(0, most).join(', ')}` +
                `${all.length > most ? ` and ${all.length - most} more` : ''}.`;
        } catch {
            return ` ${id} differs from ${first.id}.`;
        }
    });
    const date = new Date().toLocaleDateString('en-GB', {day: 'numeric', month: 'long', year: 'numeric'});
    return `${state.file.name}, ${date}.${sentences.filter(Boolean).join('')}`;
}

async function report(form) {
    const {title, client, author, target, note} = Object.fromEntries(new FormData(form));
    const names = allIds().filter(isReady), files = names.map(id => fileOf(stageOf(id), state.receiver).url);
    const heard = files.length > 1 && {listen: state.dry === 'own' ? 'voice' : state.dry};
    const [page] = await work('report', '.html', names, keyOf, {files, names, ...(title && {title}),
        ...(client && {client}), ...(author && {author}), ...(target && {target}), note: note || noteOf(names), ...heard});
    window.open(page.url, '_blank');
}

/* ---- Commands ---- */

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        say('Command copied.');
    } catch {
        say('The browser does not allow copying. Select the command and copy it.', 'warning');
    }
}

const READS_ROOM = new Set(['listen', 'map', 'modes', 'sofa', 'info', 'reflections']);

/* The command of a job as one runs it in a shell: on the room file with the changes of the variant, and on files by the names
   that they have when they are downloaded. null for a variant that must be saved first. */
function shownCommand({command, kind, variant: id}) {
    const variant = store.variant(id), {file} = state;
    if (!READS_ROOM.has(kind))
        return command.replace(/\bresponse[\w.-]*\.wav/g, name => nameOf(id, name))
            .replace(/ ([ABC])\.wav/g, (_, letter) => ` ${nameOf(letter, 'response.wav')}`);
    const sets = variant && !file.copy ? setsOf(variant.text) : null;
    return sets && [command.replace(/^(aula \w+) ('[^']*'|\S+)/, (_, name) => `${name} ${roomWord(file)}`)
        .replace(/\bresponse\.wav/, nameOf(id, 'response.wav')), ...sets].join(' ');
}

/* The newest of each kind and variant. */
function commands() {
    const newest = new Map([...state.jobs.values()].filter(job => job.command && job.kind !== 'material')
        .map(job => [`${job.kind} ${job.variant}`, job])), jobs = [...newest.values()].reverse();
    return jobs.length ? make('ul', {class: 'commands'}, ...jobs.map(job => [job, shownCommand(job)]).map(([{kind, variant},
        command]) => make('li', {}, make('span', {class: 'muted', text: `${kind}${variant ? `, ${variant}` : ''}`}),
        command && make('button', {class: 'plain', text: 'Copy', 'aria-label': `Copy the command of ${kind}`,
            on: {click: () => copy(command)}}),
        command ? make('code', {text: command, tabindex: 0}) :
            make('span', {class: 'muted', text: 'Save the variant first: --set cannot write its changes.'})))) : make('p', {class: 'muted', text: 'Nothing has run yet.'});
}

/* ---- Tab ---- */

function field(name, text, more = {}) {
    return make('label', {}, make('span', {text}), make('input', {name, autocomplete: 'off', ...more}));
}

function reportForm() {
    const {select: target, fill} = targetSelect({name: 'target'});
    fill();
    return make('form', {class: 'report', on: {submit: event => event.preventDefault()}}, field('title', 'Title'),
        field('client', 'Client'), field('author', 'Author'), field('note', 'Note', {placeholder: 'default: file, date, how the variants differ'}),
            make('label', {}, make('span', {text: 'Target'}), target));
}

export function mountTakeAway(page) {
    const room = make('div'), files = make('div'), sofaLinks = make('div', {class: 'links'});
    const reportLinks = make('div', {class: 'links'}), list = make('div'), form = reportForm();
    const sofa = jobPanel('sofa', 'Make SOFA file', () => work('sofa', '.sofa', [state.active],
        ({text}) => essence(text), {}));
    const wet = jobPanel('wave', 'Make WAV of the heard sound', wave,
        () => isReady(state.active) && heardOf(state.active));
    const paper = jobPanel('report', 'Make report', () => report(form), () => allIds().some(isReady));
    const part = (title, ...children) => make('section', {}, make('h2', {text: title}), ...children);
    const sofaPart = part('SOFA', sofa.element, sofaLinks);
    page.append(part('Room file', room), part('Impulse responses', files),
        part('Sound in the room', leftOutNote(() => [state.active]), wet.element),
        sofaPart, part('Report', form, leftOutNote(allIds), paper.element, reportLinks), part('Command lines', list));
    let before = '';
    return () => {
        [sofa, wet, paper].forEach(panel => panel.show());
        sofaPart.hidden = !state.begin?.has?.sofa;
        const now = JSON.stringify([state.file?.name, state.variants.map(({id}) => [id, stageOf(id)?.files,
            isCurrent(id)]), status().kind,
            [...made.keys()].map(kind => madeOf(kind)).map(last => last && [last.files, isOld(last)]),
            [...state.jobs.values()].map(({id, command}) => [id, command])]);
        if (now === before)
            return;
        before = now;
        clear(room).append(roomFile());
        clear(files).append(...responses());
        clear(sofaLinks).append(...links('sofa', 'Download'));
        clear(reportLinks).append(...links('report', 'Open', {target: '_blank', rel: 'noopener'}));
        clear(list).append(commands());
    };
}
