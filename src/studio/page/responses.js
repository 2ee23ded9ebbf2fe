/* SPDX-License-Identifier: MIT */
/* The files of a stage as responses for the ears of one receiver (forms: graph.js). */
import {run} from './api.js';
import {say} from './dom.js';
import {RATE} from './sound.js';
import {store} from './store.js';
import {decodeWave, resampleResponse} from './wave.js';

const KEEP = 12;           /* decoded files */
const ORDER_MAX = 4;       /* of a field whose head turns through an HRTF: 2N + 1 convolvers a variant */
const waves = new Map();   /* url → promise of {rate, channels} */
const turned = new Map();  /* url → promise of yaws */

function remember(map, key, value) {
    map.delete(key);
    map.set(key, value);
    if (map.size > KEEP)
        map.delete(map.keys().next().value);
    return value;
}

async function load(url) {
    const answer = await fetch(url);
    if (!answer.ok)
        throw new Error(`The response ${url.split('/').pop()} is no longer there.`);
    const {rate, channels} = decodeWave(await answer.arrayBuffer());
    return {rate: RATE, channels: await resampleResponse(channels, rate, RATE)};
}

function waveOf(url) {
    const wave = waves.get(url) || load(url);
    wave.catch(() => waves.delete(url));
    return remember(waves, url, wave);
}

/* Ears of a head at 2N + 1 yaws at equal steps. */
async function binaural(file) {
    const yaws = Array.from({length: 2 * file.order + 1}, (_, k) => 360 * k / (2 * file.order + 1));
    const {end} = await run('binaural', {file: file.url, yaws, hrtf: store.state.hrtf});
    const job = await end, {order} = file, number = ({name}) => +name.match(/\d+/);
    const files = job.files.filter(({name}) => name.endsWith('.wav')).sort((a, b) => number(a) - number(b));
    if (files.length !== yaws.length)
        throw new Error(`The head was computed at ${files.length} of ${yaws.length} yaws.`);
    return {form: 'yaws', rate: RATE, order, yaws: await Promise.all(files.map(async ({url}, k) =>
        ({yaw: yaws[k], channels: (await load(url)).channels})))};
}

async function throughEars(file) {
    if (file.order > ORDER_MAX) {
        say(`The field has order ${file.order}. A head that turns through an HRTF takes fields up to order ${ORDER_MAX}; ` +
            'two cardioids are heard instead.', 'warning');
        return null;
    }
    const key = `${file.url} ${store.state.hrtf}`;
    try {
        return await remember(turned, key, turned.get(key) || binaural(file));
    } catch (refusal) {
        turned.delete(key);
        say(`${refusal.message}\nTwo cardioids are heard instead.`, 'warning');
        return null;
    }
}

export function fileOf(stage, receiver) {
    return stage.files.find(file => file.receivers.includes(receiver)) || stage.files[0];
}

export async function responseOf(stage, receiver) {
    const file = fileOf(stage, receiver), {rate, channels} = await waveOf(file.url);
    if (file.field && store.state.ears === 'hrtf') {
        const ears = await throughEars(file);
        if (ears)
            return {...ears, picture: channels[0]};
    }
    if (file.field && channels.length >= 4)
        return {form: 'cardioids', rate, channels};
    if (file.receivers.length === 1 && channels.length === 2)
        return {form: 'stereo', rate, channels};
    return {form: 'mono', rate, channels: [channels[Math.max(0,
        file.receivers.indexOf(receiver))] || channels[0]]};
}

/* One signal of a response for pictures: the pressure at the receiver, or its left ear. */
export const pictureOf = response => response.picture || response.channels[0];
