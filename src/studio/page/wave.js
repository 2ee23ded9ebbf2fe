/* SPDX-License-Identifier: MIT */
/* Reads impulse responses from WAV files sample by sample: a browser's own decoder may resample, dither or refuse
   more than eight channels, and a response has to stay as the program wrote it. */

const FLOAT = 3, PCM = 1, EXTENSIBLE = 0xfffe;

function text(view, at) {
    return String.fromCharCode(...[0, 1, 2, 3].map(i => view.getUint8(at + i)));
}

function readFormat(view, at) {
    const tag = view.getUint16(at, true);
    return {
        tag: tag === EXTENSIBLE ? view.getUint16(at + 24, true) : tag,
        count: view.getUint16(at + 2, true),
        rate: view.getUint32(at + 4, true),
        bits: view.getUint16(at + 14, true),
    };
}

/* The chunks of a RIFF or RF64 file that matter. RF64 keeps sizes beyond 4 GiB in 'ds64', and marks them here. */
function chunks(view) {
    const kind = view.byteLength >= 12 ? text(view, 0) : '';
    if (kind !== 'RIFF' && kind !== 'RF64' || text(view, 8) !== 'WAVE')
        throw new Error('The response is not a WAV file.');
    let format = null, at = 12;
    while (at + 8 <= view.byteLength) {
        const name = text(view, at), size = view.getUint32(at + 4, true), start = at + 8;
        if (name === 'fmt ')
            format = readFormat(view, start);
        if (name === 'data')
            return {format, start, size: Math.min(size, view.byteLength - start)};
        at = start + size + size % 2;
    }
    throw new Error('The WAV file has no samples.');
}

function reader(view, {tag, bits}) {
    if (tag === FLOAT && bits === 32)
        return at => view.getFloat32(at, true);
    if (tag === FLOAT && bits === 64)
        return at => view.getFloat64(at, true);
    if (tag === PCM && bits === 16)
        return at => view.getInt16(at, true) / 0x8000;
    if (tag === PCM && bits === 24)
        return at => (view.getUint16(at, true) | view.getInt8(at + 2) << 16) / 0x800000;
    if (tag === PCM && bits === 32)
        return at => view.getInt32(at, true) / 0x80000000;
    throw new Error(`The WAV file has samples of a kind that cannot be read here (${tag}, ${bits} bits).`);
}

/* bytes: ArrayBuffer of a WAV file → {rate, channels: [Float32Array]}. */
export function decodeWave(bytes) {
    const view = new DataView(bytes), {format, start, size} = chunks(view);
    if (!format || !format.count || !format.rate)
        throw new Error('The WAV file has no format.');
    const step = format.bits / 8, read = reader(view, format), {count} = format;
    const frames = Math.floor(size / (step * count));
    const channels = Array.from({length: count}, () => new Float32Array(frames));
    for (let i = 0, at = start; i < frames; i++)
        for (let c = 0; c < count; c++, at += step)
            channels[c][i] = read(at);
    return {rate: format.rate, channels};
}

/* A response at another rate. Its samples are scaled by the ratio of the rates, since a convolution is a sum over
   samples of an integral over time: h(t) dt stays the same. */
export async function resampleResponse(channels, from, to) {
    if (from === to)
        return channels;
    const frames = Math.ceil(channels[0].length * to / from);
    const scaled = await Promise.all(channels.map(async samples => {
        const context = new OfflineAudioContext(1, frames, to), source = context.createBufferSource();
        source.buffer = bufferOf(context, [samples], from);
        source.connect(context.destination);
        source.start();
        return (await context.startRendering()).getChannelData(0).map(sample => sample * from / to);
    }));
    return scaled;
}

export function bufferOf(context, channels, rate = context.sampleRate) {
    const buffer = context.createBuffer(channels.length, Math.max(1, channels[0].length), rate);
    channels.forEach((samples, c) => buffer.copyToChannel(samples, c));
    return buffer;
}

/* The mean of the channels, as `aula auralize` takes it for a single response. */
export function monoOf(buffer) {
    const mono = new Float32Array(buffer.length), count = buffer.numberOfChannels;
    for (let c = 0; c < count; c++)
        buffer.getChannelData(c).forEach((sample, i) => { mono[i] += sample / count; });
    return mono;
}

/* A WAV file of 32-bit floats. */
export function encodeWave(channels, rate) {
    const count = channels.length, frames = channels[0].length, size = 4 * count * frames;
    const bytes = new ArrayBuffer(58 + size), view = new DataView(bytes);
    const put = (at, word) => [...word].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
    put(0, 'RIFF');
    view.setUint32(4, 50 + size, true);
    put(8, 'WAVEfmt ');
    [[16, 18, 4], [20, FLOAT, 2], [22, count, 2], [24, rate, 4], [28, 4 * count * rate, 4],
        [32, 4 * count, 2], [34, 32, 2],
     [36, 0, 2]].forEach(([at, value, width]) => width === 4 ? view.setUint32(at, value,
         true) : view.setUint16(at, value, true));
    put(38, 'fact');
    view.setUint32(42, 4, true);
    view.setUint32(46, frames, true);
    put(50, 'data');
    view.setUint32(54, size, true);
    for (let i = 0, at = 58; i < frames; i++)
        for (let c = 0; c < count; c++, at += 4)
            view.setFloat32(at, channels[c][i], true);
    return bytes;
}
