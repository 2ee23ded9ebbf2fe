/* SPDX-License-Identifier: MIT */
/* The bar at the bottom: what is heard, from where, how loud, and how far the response has come. */
import {upload} from './api.js';
import {announce, clear, format, make, say} from './dom.js';
import {headDial} from './head_dial.js';
import {stopBlocker} from './job_panel.js';
import {compute, mountListening, gainOf, status, stop} from './listening.js';
import {sound} from './sound.js';
import {store} from './store.js';

const QUIET = -40, LOUD = 20; /* dB */
const OWN = 'own', CHOOSE = 'choose';
const {state} = store;
let own = null, loading = null, loaded = null;

/* ---- Dry sound ---- */

/* Mono samples at RATE of the chosen sound. */
export async function drySamples(name = state.dry) {
    if (name === OWN)
        return own.samples;
    const answer = await fetch(`sounds/${encodeURIComponent(name)}`);
    if (!answer.ok)
        throw new Error(`The sound ${name} could not be read.`);
    return sound.decodeDry(await answer.arrayBuffer());
}

async function loadDry() {
    const name = state.dry;
    if (loaded === name && name !== OWN)
        return;
    loading = drySamples(name);
    const samples = await loading;
    if (state.dry === name) {
        sound.setDry(samples);
        loaded = name;
    }
}

async function openSound(file) {
    try {
        own = {name: file.name, samples: await sound.decodeDry(await file.arrayBuffer())};
    } catch {
        say(`${file.name} is not a sound that this browser can read. WAV, FLAC, MP3 and Ogg usually are.`,
            'error');
        return;
    }
    store.set('listening', {dry: OWN, ownSound: file});
    await loadDry();
    announce(`Sound: ${file.name}`);
}

/* ---- Playing ---- */

async function play(on = !state.playing) {
    store.set('listening', {playing: on});
    try {
        if (on) {
            await Promise.all([sound.play(), loadDry()]);
        } else {
            await sound.pause();
        }
    } catch (error) {
        store.set('listening', {playing: false});
        say(error.message, 'error');
    }
}

function setDryOnly(on) {
    sound.setDryOnly(on);
    store.set('listening', {dryOnly: on});
    announce(on ? 'Dry sound' : 'Sound in the room');
}

function resetLevel() {
    const gain = gainOf(state.active);
    if (gain > 0)
        sound.setLevel(gain);
    store.emit('listening');
}

function pressed(event) {
    const {target, key} = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey ||
        target.closest('input, textarea, select, [contenteditable], dialog'))
        return;
    if (key === ' ' && !target.closest('button, a, summary, [role=tab], [role=button], [role=checkbox]')) {
        event.preventDefault();
        play();
    } else if (key.toLowerCase() === 'd' && !target.closest('[role=application]')) {
        setDryOnly(!state.dryOnly);
    }
}

/* ---- Parts ---- */

function fill(select, items, chosen) {
    const wanted = items.map(([value, text]) => `${value}\n${text}`).join('\n\n');
    if (select.dataset.items !== wanted) {
        select.dataset.items = wanted;
        clear(select).append(...items.map(([value, text]) => make('option', {value, text})));
    }
    select.value = chosen;
}

function labelled(label, control, more = '') {
    return make('label', {class: `field ${more}`}, make('span', {text: label}), control);
}

function drySelect() {
    const chooser = make('input', {type: 'file', accept: 'audio/*', hidden: true, 'aria-label': 'Sound file',
        on: {
        change: () => chooser.files[0] && openSound(chooser.files[0])}});
    const select = make('select', {title: 'The dry sound, recorded without a room', on: {change: () => {
        if (select.value === CHOOSE) {
            select.value = state.dry;
            chooser.value = '';
            chooser.click();
            return;
        }
        store.set('listening', {dry: select.value});
        if (state.playing)
            loadDry().catch(error => say(error.message, 'error'));
    }}});
    return {select, chooser, show: () => fill(select, [
        ...(state.begin ? state.begin.sounds : []).map(({name}) => [name, name]),
        ...(own ? [[OWN, own.name]] : []), [CHOOSE, 'Open a sound…']], state.dry)};
}

function volumeSlider() {
    const shown = make('output', {class: 'decibels'});
    const slider = make('input', {type: 'range', min: QUIET, max: LOUD, step: 1, value: 0,
        'aria-label': 'Volume in dB',
        on: {input: () => {
            sound.setVolume(+slider.value);
            store.set('listening', {volume: +slider.value});
        }, dblclick: () => {
            slider.value = 0;
            slider.dispatchEvent(new Event('input'));
        }}});
    return {element: labelled('Volume', make('span', {class: 'volume'}, slider, shown)), show: () => {
        slider.value = state.volume;
        shown.textContent = `${state.volume > 0 ? '+' : state.volume < 0 ? '−' : ''}${Math.abs(state.volume)} dB`;
        slider.setAttribute('aria-valuetext', shown.textContent);
    }};
}

function limiterSign() {
    const sign = make('span', {class: 'limiter', title: 'The limiter holds peaks below −1 dBFS; lower the volume to hear true levels'});
    let shown = '';
    sound.heard(reduction => {
        const text = reduction < -0.05 ? `limiter −${format(-reduction, 1)} dB` : '';
        if (text !== shown)
            sign.textContent = shown = text;
    });
    return sign;
}

function levelSign() {
    const shown = make('span'), reset = make('button', {class: 'plain reset', text: 'Reset',
        title: 'Take the gain from the response that is heard', 'aria-label': 'Reset the playback gain',
            on: {click: resetLevel}});
    const element = make('span', {class: 'level', title: 'Gain of the playback, which makes the sound in the room about ' +
        'as loud as the dry sound. It is the same for all variants and places, so that differences in level are heard; ' +
        'no parameter depends on it.'}, shown, reset);
    return {element, show: () => {
        const level = sound.level();
        element.hidden = !level;
        shown.textContent = level ? `playback gain ${level >= 1 ? '+' : '−'}${format(Math.abs(20 * Math.log10(level)), 1)} dB` : '';
    }};
}

function refinement() {
    const text = make('span', {class: 'text'}), bar = make('progress',
        {max: 1, 'aria-label': 'Progress of the response'});
    const button = make('button', {on: {click: () => status().busy ? stop() : compute()}});
    const other = stopBlocker(() => status().blocker);
    return {element: make('div', {class: 'refinement'}, text, bar, other.element, button), show: () => {
        const now = status();
        other.show();
        text.textContent = now.text;
        text.title = now.text;
        text.className = `text ${now.kind}`;
        bar.hidden = !now.busy;
        if (Number.isFinite(now.progress))
            bar.value = now.progress;
        else
            bar.removeAttribute('value');
        button.hidden = now.kind === 'done';
        button.className = now.busy ? 'plain' : 'primary';
        button.textContent = now.blocker ? 'Cancel' : now.busy ? 'Stop' : 'Compute';
        button.title = now.busy ? 'Stop the refinement' : 'Compute the response without playing';
        button.disabled = !state.scene || !now.busy && Boolean(state.error);
    }};
}

function acceptDrops(player) {
    const sounds = event => [...(event.dataTransfer?.items || [])].some(item => item.type.startsWith('audio/'));
    document.addEventListener('dragover', event => {
        if (sounds(event))
            event.preventDefault();
        player.classList.toggle('dropping', sounds(event));
    }, true);
    document.addEventListener('dragleave', () => player.classList.remove('dropping'), true);
    document.addEventListener('drop', event => {
        player.classList.remove('dropping');
        if (!sounds(event))
            return;
        event.preventDefault();
        event.stopPropagation();
        openSound([...event.dataTransfer.files].find(file => file.type.startsWith('audio/')));
    }, true);
}

/* A field is heard through two cardioids, or through the HRTF of a SOFA file. */
function earsSelect() {
    const chooser = make('input', {type: 'file', accept: '.sofa', hidden: true, 'aria-label': 'SOFA file',
        on: {change: async () => {
        try {
            const {path} = await upload(chooser.files[0]);
            store.set('ears', {ears: 'hrtf', hrtf: path});
        } catch (refusal) {
            say(refusal.message, 'error');
        }
    }}});
    const select = make('select', {title: 'How the field is heard', 'aria-label': 'Ears', on: {change: () => {
        const asks = select.value === CHOOSE;
        if (!asks)
            store.set('ears', {ears: select.value});
        select.value = state.ears || 'cardioids';
        chooser.value = '';
        if (asks)
            chooser.click();
    }}});
    return {select, chooser, show: () => {
        select.hidden = !state.begin?.has?.sofa;
        fill(select, [['cardioids', 'Cardioids'], ...(state.hrtf ? [['hrtf', 'Head (HRTF)']] : []),
            [CHOOSE, 'Open an HRTF…']],
            state.ears || 'cardioids');
    }};
}

function nameSelect(member, title) {
    return make('select', {title, on: {change: event => store.set('listening', {[member]: event.target.value})}});
}

export function mountPlayer(player) {
    const sign = make('span', {class: 'sign', 'aria-hidden': 'true'}), word = make('span', {class: 'word'});
    const button = make('button', {class: 'primary play', on: {click: () => play()}}, sign, word);
    const dry = drySelect(), volume = volumeSlider(), level = levelSign(), dial = headDial(),
        refined = refinement();
    const source = nameSelect('source', 'The source that plays'),
        receiver = nameSelect('receiver', 'Where one listens');
    const ears = earsSelect();
    const way = (on, text) => make('button', {text, title: `${on ? 'The sound without the room' : 'The sound in the room'} (D)`,
                                              on: {click: () => setDryOnly(on)}});
    const dryWay = way(true, 'Dry'), roomWay = way(false, 'Room');
    const head = make('span', {class: 'head'}, dial.element, ears.select, ears.chooser);
    player.append(make('div', {class: 'controls'}, button,
        make('span', {class: 'ways', role: 'group', 'aria-label': 'Dry or in the room'}, dryWay, roomWay),
            volume.element,
        make('span', {class: 'places'}, labelled('Sound', dry.select), dry.chooser, labelled('Source', source),
            labelled('Receiver', receiver), head)), refined.element);
    refined.element.prepend(make('span', {class: 'signs'}, level.element, limiterSign()));
    store.on('any', () => {
        sign.textContent = state.playing ? '❚❚' : '▶';
        word.textContent = state.playing ? 'Pause' : 'Play';
        button.title = `${state.playing ? 'Pause' : 'Play'} (space)`;
        button.setAttribute('aria-label', state.playing ? 'Pause' : 'Play');
        button.disabled = !state.scene;
        dryWay.setAttribute('aria-pressed', state.dryOnly);
        roomWay.setAttribute('aria-pressed', !state.dryOnly);
        const {sources = [], receivers = []} = state.scene || {};
        fill(source, sources.map(({name}) => [name, name]), state.source);
        fill(receiver, receivers.map(({name}) => [name, name]), state.receiver);
        head.hidden = !sound.turnable();
        for (const part of [dry, volume, level, refined, ears])
            part.show();
        dial.show(state.yaw);
        sound.turn(state.yaw);
    });
    document.addEventListener('keydown', pressed);
    acceptDrops(player);
    mountListening();
    store.on('files', () => state.begin && loadDry().catch(() => {}));
    store.emit('listening');
}
