/* SPDX-License-Identifier: MIT */
/* The sound of the page. One dry sound loops through the responses of all variants at once, so that a switch between
   them happens at the same instant of the sound:

     dry ─┬─ dry path ──────────────────────── fade ─┐
          └─ variant: input fade, convolvers ─ fade ─┴─ level ─ volume ─ limiter

   The level is one gain for all variants and positions, so that differences between them are heard. The dry path has
   none: the level makes the sound in the room as loud as the dry sound. */
import {say} from './dom.js';
import {buildChain, isTurnable} from './graph.js';
import {bufferOf, monoOf} from './wave.js';

export {renderOffline, isTurnable} from './graph.js';

export const RATE = 48000;  /* Hz */
const SWITCH = 0.02;        /* s: between variants, equal power */
const REPLACE = 0.08;       /* s: from a response to a newer one of the same variant */
const PAUSE = 0.01;         /* s */
const LEAD = 0.012;         /* s between a command and its fade */
const BUILD = 0.1;          /* s that the making of convolvers may take before it */
const POINTS = 33;          /* of a curve */
const SILENT_AFTER = 3000;  /* ms until a context that does not run is silent */

let context = null, starting = null, nodes = null, source = null, dry = null, listener = () => {};
const paths = new Map();    /* variant → {fade, chain, response} */
let active = null, dryOnly = false, volume = 0, yaw = 0, level = null;

/* ---- Fades ---- */

/* A gain whose place moves from 0 to 1 in time; `law` makes the gain of a place. It starts a little later than now,
   since the audio thread is ahead of what this thread sees, and a started course is never changed: a move that comes
   during another one follows it. */
class Fade {
    constructor(node, law, place) {
        Object.assign(this, {node, law, at: place, goal: place, end: 0, timer: 0});
        node.gain.value = law(place);
    }

    isMoving() {
        return context.currentTime < this.end;
    }

    move(to, seconds, start = context.currentTime + LEAD) {
        this.goal = to;
        if (this.timer || this.at === to)
            return;
        if (this.isMoving()) {
            this.timer = setTimeout(() => {
                this.timer = 0;
                this.move(this.goal, seconds);
            }, wait(this.end));
            return;
        }
        const from = this.at;
        this.node.gain.setValueCurveAtTime(Float32Array.from({length: POINTS}, (_, i) =>
            this.law(from + (to - from) * i / (POINTS - 1))), start, seconds);
        Object.assign(this, {at: to, end: start + seconds});
    }
}

/* ms until a time of the context, which stands still in a pause. */
function wait(time) {
    return 1000 * Math.max(0.005, time - context.currentTime) + 5;
}

const power = place => Math.sin(Math.PI / 2 * place);
const linear = place => place;

/* ---- Context ---- */

/* A browser without a sound device lets the time of the context stand still, and tells nobody. */
function watchSilence() {
    const tell = () => say('No sound comes out. Check that this machine has a sound device, that the browser may use ' +
        'it, and that the tab is not muted; then reload the page.', 'warning');
    context.onerror = tell;
    setTimeout(() => {
        if (context.currentTime === 0)
            tell();
    }, SILENT_AFTER);
}

function newContext() {
    try {
        return new AudioContext({sampleRate: RATE, latencyHint: 'interactive'});
    } catch (reason) {
        throw new Error(`The browser gives no sound output: ${reason.message} Results and files need none: press Compute.`);
    }
}

async function begin() {
    context = newContext();
    watchSilence();
    await context.audioWorklet.addModule(new URL('./limiter.js', import.meta.url));
    const gain = value => new GainNode(context, {gain: value});
    nodes = {feed: gain(1), dry: gain(0), level: gain(level || 1), volume: gain(0), pause: gain(0),
             limiter: new AudioWorkletNode(context, 'limiter', {channelCount: 2, channelCountMode: 'explicit',
                                                                outputChannelCount: [2]})};
    nodes.feed.connect(nodes.dry).connect(nodes.volume);
    nodes.level.connect(nodes.volume).connect(nodes.pause).connect(nodes.limiter).connect(context.destination);
    nodes.volume.gain.value = 10 ** (volume / 20);
    nodes.dryFade = new Fade(nodes.dry, power, +dryOnly);
    nodes.pauseFade = new Fade(nodes.pause, linear, 0);
    nodes.limiter.port.onmessage = ({data}) => listener(data.reduction);
    for (const [id, path] of paths)
        open(id, path);
    startDry();
}

function ready() {
    starting = starting || begin();
    starting.catch(() => { starting = null; }); /* the next try may find a device */
    return starting;
}

function startDry() {
    if (!nodes || !dry)
        return;
    if (source) {
        source.stop();
        source.disconnect();
    }
    source = new AudioBufferSourceNode(context, {buffer: bufferOf(context, [dry], RATE), loop: true});
    source.connect(nodes.feed);
    source.start();
}

/* ---- Variants ---- */

function heardPlace(id) {
    return !dryOnly && id === active ? 1 : 0;
}

/* Nodes of a path whose response came before there was a context. */
function open(id, path) {
    const node = new GainNode(context);
    path.fade = new Fade(node, power, heardPlace(id));
    node.connect(nodes.level);
    if (path.response)
        replace(path, path.response, 0);
}

/* Feeds a new response in place of the old one. The sound moves between the inputs, and the old response rings out, so
   that what has already been played keeps its tail; equal responses give an output without any change. */
function replace(path, response, seconds) {
    const old = path.chain;
    if (old && old.fade.isMoving()) { /* the latest response follows when this one has come in */
        path.timer = path.timer || setTimeout(() => {
            path.timer = 0;
            replace(path, path.response, seconds);
        }, wait(old.fade.end));
        return;
    }
    const chain = buildChain(context, response, yaw);
    chain.fade = new Fade(chain.input, linear, old ? 0 : 1);
    nodes.feed.connect(chain.input);
    chain.output.connect(path.fade.node);
    path.chain = chain;
    if (!old)
        return;
    const start = context.currentTime + BUILD; /* one for both: this clock runs on between two statements */
    chain.fade.move(1, seconds, start);
    old.fade.move(0, seconds, start);
    retire(old, old.fade.end + old.seconds);
}

/* Disconnects a chain at a time of the context. */
function retire(chain, end) {
    if (context.currentTime >= end) {
        nodes.feed.disconnect(chain.input);
        chain.output.disconnect();
        return;
    }
    setTimeout(() => retire(chain, end), Math.max(100, wait(end)));
}

function fadeAll(seconds) {
    if (!nodes)
        return;
    const start = context.currentTime + LEAD;
    for (const [id, path] of paths)
        path.fade.move(heardPlace(id), seconds, start);
    nodes.dryFade.move(+dryOnly, seconds, start);
}

/* ---- What the player and listening.js call ---- */

/* A new response of a variant; `gain` of its stage is the level if there is none yet. */
function offer(id, response, gain) {
    const path = paths.get(id) || {};
    const isNew = !paths.has(id);
    path.response = response;
    paths.set(id, path);
    if (level === null && gain > 0)
        setLevel(gain);
    if (!nodes)
        return;
    if (isNew)
        open(id, path);
    else
        replace(path, response, REPLACE);
}

function forget(id) {
    const path = paths.get(id);
    paths.delete(id);
    if (!path || !path.fade)
        return;
    clearTimeout(path.timer);
    path.fade.move(0, SWITCH);
    if (path.chain)
        retire(path.chain, context.currentTime + 2 * SWITCH + LEAD);
}

function setLevel(gain) {
    level = gain;
    if (nodes && gain)
        nodes.level.gain.setTargetAtTime(gain, context.currentTime, 0.02);
}

function setDry(samples) {
    dry = samples;
    startDry();
}

/* bytes of any sound file that the browser decodes → mono samples at RATE. */
async function decodeDry(bytes) {
    return monoOf(await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes));
}

async function play() {
    await ready();
    await context.resume();
    nodes.pauseFade.move(1, PAUSE);
}

async function pause() {
    if (!nodes)
        return;
    nodes.pauseFade.move(0, PAUSE);
    await new Promise(resolve => setTimeout(resolve, 60));
    if (nodes.pauseFade.goal === 0)
        await context.suspend();
}

export const sound = {
    play, pause, setDry, decodeDry, offer, forget, setLevel,
    level: () => level,
    has: id => paths.has(id),
    response: id => paths.get(id)?.response,
    time: () => context ? context.currentTime : 0,
    heard: f => { listener = f; },
    turnable: () => isTurnable(paths.get(active)?.response),
    choose(id) {
        active = id;
        fadeAll(SWITCH);
    },
    setDryOnly(on) {
        dryOnly = on;
        fadeAll(SWITCH);
    },
    setVolume(decibels) {
        volume = decibels;
        if (nodes)
            nodes.volume.gain.setTargetAtTime(10 ** (decibels / 20), context.currentTime, 0.02);
    },
    turn(degrees) {
        yaw = degrees;
        for (const {chain} of paths.values())
            if (chain)
                chain.turn(degrees);
    },
    /* For tests: the context and its last gain before the limiter. */
    inside: () => ({context, nodes, paths}),
};
