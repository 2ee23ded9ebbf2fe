/* SPDX-License-Identifier: MIT */
/* What one takes away: the room file, responses, the heard sound, a report, and the command lines of all that ran. */
import {leftOutNote} from './currency.js';
import {clear, make, say} from './dom.js';
import {lengthOf, renderOffline} from './graph.js';
import {jobPanel} from './job_panel.js';
import {heardOf, isCurrent, isFinal, isReady, stageOf, status} from './listening.js';
import {fileOf} from './responses.js';
import {sound} from './sound.js';
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
function nameOf(id, file) {
    return `${(state.file?.name || 'room').replace(/\.cfg$/, '')}_${id}_${file.name}`;
}

function responses() {
    const ids = state.variants.map(({id}) => id).filter(stageOf);
    if (!ids.length)
        return [make('p', {class: 'muted', text: 'No response yet.'})];
    return ids.map(id => make('div', {class: 'links'}, make('span',
        {class: 'id', 'data-colour': store.variant(id).colour, text: id}),
        ...stageOf(id).files.map(file => make('a', {href: file.url, download: nameOf(id, file),
            text: `${file.receivers.join(', ')} (WAV)`})),
        !isFinal(id) && make('span', {class: 'muted', text: 'coarse'}),
        !isCurrent(id) && make('span', {class: 'muted', text: 'before the last change'})));
}

/* ---- Jobs that make files ---- */

const made = new Map(); /* kind → [{name, url}] */

async function work(kind, more) {
    const job = await store.work(kind, more);
    made.set(kind, job.files || []);
    store.emit('results');
    return job;
}

const allIds = () => state.variants.map(({id}) => id);

/* The program convolves the sounds that ship; a sound of the user's stays in the page, and is convolved here. */
async function auralize() {
    if (state.dry !== 'own') {
        await work('auralize', {files: [fileOf(stageOf(state.active), state.receiver).url], dry: state.dry});
        return;
    }
    const response = heardOf(state.active), dry = await sound.decodeDry(await state.ownSound.arrayBuffer());
    const seconds = dry.length / response.rate + lengthOf(response);
    const ears = await renderOffline({dry, response, seconds, yaw: state.yaw});
    download(`${state.ownSound.name.replace(/\.[^.]*$/, '')}_in_${state.file.name.replace(/\.cfg$/, '')}.wav`,
        encodeWave(ears, response.rate), 'audio/wav');
}

async function report(form) {
    const {title, client, author, target} = Object.fromEntries(new FormData(form));
    const names = allIds().filter(isReady), files = names.map(id => fileOf(stageOf(id), state.receiver).url);
    const heard = files.length > 1 && {listen: state.dry === 'own' ? 'voice' : state.dry};
    const job = await work('report', {files, names, ...(title && {title}), ...(client && {client}),
        ...(author && {author}),
                                      ...(target && {target}), ...heard});
    window.open(job.files[0].url, '_blank');
}

function links(kind, text, more = {}) {
    return (made.get(kind) || []).map(({name, url}) => make('a',
        {href: url, text: `${text} ${name}`, ...more, ...(!more.target && {download: name})}));
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

/* The newest of each kind and variant. */
function commands() {
    const newest = new Map([...state.jobs.values()].filter(job => job.command && job.kind !== 'material')
        .map(job => [`${job.kind} ${job.variant}`, job])), jobs = [...newest.values()].reverse();
    return jobs.length ? make('ul', {class: 'commands'}, ...jobs.map(({command, kind, variant}) => make('li', {},
        make('span', {class: 'muted', text: `${kind}${variant ? `, ${variant}` : ''}`}),
        make('button', {class: 'plain', text: 'Copy', 'aria-label': `Copy the command of ${kind}`,
            on: {click: () => copy(command)}}),
        make('code', {text: command, tabindex: 0})))) : make('p', {class: 'muted', text: 'Nothing has run yet.'});
}

/* ---- Tab ---- */

function field(name, text, more = {}) {
    return make('label', {}, make('span', {text}), make('input', {name, autocomplete: 'off', ...more}));
}

function reportForm() {
    const {select: target, fill} = targetSelect({name: 'target'});
    fill();
    return make('form', {class: 'report', on: {submit: event => event.preventDefault()}}, field('title', 'Title'),
        field('client', 'Client'), field('author', 'Author'),
            make('label', {}, make('span', {text: 'Target'}), target));
}

export function mountTakeAway(page) {
    const room = make('div'), files = make('div'), sofaLinks = make('div', {class: 'links'}),
        wetLinks = make('div', {class: 'links'});
    const reportLinks = make('div', {class: 'links'}), list = make('div'), form = reportForm();
    const sofa = jobPanel('sofa', 'Make SOFA file', () => work('sofa', {source: state.source}));
    const wet = jobPanel('auralize', 'Make WAV of the heard sound', auralize, () => isReady(state.active));
    const paper = jobPanel('report', 'Make report', () => report(form), () => allIds().some(isReady));
    const part = (title, ...children) => make('section', {}, make('h2', {text: title}), ...children);
    const sofaPart = part('SOFA', sofa.element, sofaLinks);
    page.append(part('Room file', room), part('Impulse responses', files),
        part('Sound in the room', leftOutNote(() => [state.active]), wet.element, wetLinks),
        sofaPart, part('Report', form, leftOutNote(allIds), paper.element, reportLinks), part('Command lines', list));
    let before = '';
    return () => {
        [sofa, wet, paper].forEach(panel => panel.show());
        sofaPart.hidden = !state.begin?.has?.sofa;
        const now = JSON.stringify([state.file?.name, state.variants.map(({id}) => [id, stageOf(id)?.files,
            isCurrent(id)]), status().kind,
                                    [...made], [...state.jobs.values()].map(({id, command}) => [id, command])]);
        if (now === before)
            return;
        before = now;
        clear(room).append(roomFile());
        clear(files).append(...responses());
        clear(sofaLinks).append(...links('sofa', 'Download'));
        clear(wetLinks).append(...links('auralize', 'Download'));
        clear(reportLinks).append(...links('report', 'Open', {target: '_blank', rel: 'noopener'}));
        clear(list).append(commands());
    };
}
