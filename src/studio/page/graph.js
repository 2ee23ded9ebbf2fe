/* SPDX-License-Identifier: MIT */
/* The convolvers of one response, in a live or an offline context.

   A response is one of
     {form: 'mono',      rate, channels: [h]}             both ears hear the same
     {form: 'stereo',    rate, channels: [left, right]}   a binaural receiver
     {form: 'cardioids', rate, channels: [W, Y, Z, X, ...]}  a field in ACN and SN3D, of which a yaw needs W, Y and X
     {form: 'yaws',      rate, order, yaws: [{yaw, channels: [left, right]}]}  a field of order N through an HRTF
   and {seconds}. A convolver's buffer is a filter, never scaled (normalize = false). */
import {bufferOf} from './wave.js';

const TURN = 0.03; /* s: time constant of the gains of a head that turns */

function convolver(context, channels) {
    const node = new ConvolverNode(context, {disableNormalization: true, channelCount: 1, channelCountMode: 'explicit'});
    node.buffer = bufferOf(context, channels);
    return node;
}

function gain(context, value) {
    return new GainNode(context, {gain: value});
}

/* Sets a gain, smoothly once the sound runs. */
function move(context, param, value, smooth) {
    if (smooth)
        param.setTargetAtTime(value, context.currentTime, TURN);
    else
        param.value = value;
}

/* Cardioids that face left and right, as `aula preview` has them: (W ± d)/2, where d is the field along the axis of
   the ears, d = Y cos yaw − X sin yaw for a head that is turned to the left by yaw. */
function cardioids(context, input, output, response) {
    const [w, y, , x] = response.channels;
    const nodes = [convolver(context, [w, y]), convolver(context, [x])];
    const split = new ChannelSplitterNode(context, {numberOfOutputs: 2});
    const join = new ChannelMergerNode(context, {numberOfInputs: 2});
    const omni = gain(context, 0.5), left = gain(context, 1), right = gain(context, -1);
    const cosine = gain(context, 0.5), sine = gain(context, 0);
    nodes.forEach(node => input.connect(node));
    nodes[0].connect(split);
    split.connect(omni, 0).connect(join, 0, 0);
    omni.connect(join, 0, 1);
    split.connect(cosine, 1);
    nodes[1].connect(sine);
    for (const [ear, side] of [left, right].entries()) {
        cosine.connect(side);
        sine.connect(side);
        side.connect(join, 0, ear);
    }
    join.connect(output);
    return (yaw, smooth) => {
        move(context, cosine.gain, 0.5 * Math.cos(yaw), smooth);
        move(context, sine.gain, -0.5 * Math.sin(yaw), smooth);
    };
}

/* A yaw multiplies the harmonics of degree m by exp(i m yaw), |m| ≤ N, so an ear's signal is a trigonometric polynomial
   of degree N in yaw. Its 2N + 1 values at equal steps determine it: the sum of these times Dirichlet kernels is exact. */
function dirichlet(angle, order) {
    let sum = 1;
    for (let m = 1; m <= order; m++)
        sum += 2 * Math.cos(m * angle);
    return sum / (2 * order + 1);
}

function yaws(context, input, output, response) {
    const gains = response.yaws.map(({channels}) => {
        const node = convolver(context, channels), part = gain(context, 0);
        input.connect(node).connect(part).connect(output);
        return part.gain;
    });
    return (yaw, smooth) => gains.forEach((param, k) =>
        move(context, param, dirichlet(yaw - response.yaws[k].yaw * Math.PI / 180, response.order), smooth));
}

function plain(context, input, output, response) {
    input.connect(convolver(context, response.channels)).connect(output);
    return () => {};
}

const BUILDERS = {mono: plain, stereo: plain, cardioids, yaws};

export function isTurnable(response) {
    return Boolean(response) && (response.form === 'cardioids' || response.form === 'yaws');
}

export function lengthOf(response) {
    const channels = response.form === 'yaws' ? response.yaws[0].channels : response.channels;
    return channels[0].length / response.rate;
}

/* Nodes from `input` to `output`, both GainNodes of one; turn(degrees, smooth) turns the head to the left. */
export function buildChain(context, response, degrees = 0) {
    const input = new GainNode(context, {channelCount: 1, channelCountMode: 'explicit'});
    const output = new GainNode(context, {channelCount: 2, channelCountMode: 'explicit'});
    const turn = BUILDERS[response.form](context, input, output, response);
    const chain = {input, output, seconds: lengthOf(response),
                   turn: (to, smooth = true) => turn(to * Math.PI / 180, smooth)};
    chain.turn(degrees, false);
    return chain;
}

/* The graph of the player without gains and limiter, for comparison with `aula auralize`:
   wet = dry * response. dry: at the rate of the response. Resolves to two channels. */
export async function renderOffline({dry, response, seconds, yaw = 0}) {
    const frames = Math.ceil(seconds * response.rate);
    const context = new OfflineAudioContext(2, frames, response.rate), source = context.createBufferSource();
    const chain = buildChain(context, response, yaw);
    source.buffer = bufferOf(context, [dry]);
    source.connect(chain.input);
    chain.output.connect(context.destination);
    source.start();
    const heard = await context.startRendering();
    return [heard.getChannelData(0), heard.getChannelData(1)];
}
