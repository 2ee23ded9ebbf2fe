/* SPDX-License-Identifier: MIT */
/* Pictures of a response: its decay and its spectrogram. Numbers come from `aula metrics`; nothing is measured here. */
import {transform} from './charts.js';

const cache = new WeakMap(); /* samples → {name: picture} */

function kept(samples, name, make) {
    if (!cache.has(samples))
        cache.set(samples, new Map());
    const pictures = cache.get(samples);
    if (!pictures.has(name))
        pictures.set(name, make());
    return pictures.get(name);
}

/* Zero-phase octave: 1 within the band, with edges of a sixth of an octave that fall as a cosine. */
function weightOf(frequency, centre) {
    const beyond = Math.abs(Math.log2(Math.max(frequency, 1e-9) / centre)) - 0.5 + 1 / 12;
    return beyond <= 0 ? 1 : beyond >= 1 / 6 ? 0 : Math.cos(3 * Math.PI * beyond) ** 2;
}

function octaveOf(samples, rate, centre) {
    const count = 2 ** Math.ceil(Math.log2(samples.length + rate / 4));
    const re = new Float64Array(count), im = new Float64Array(count);
    re.set(samples);
    transform(re, im);
    for (let i = 0; i < count; i++) {
        const weight = weightOf(Math.min(i, count - i) * rate / count, centre);
        re[i] *= weight;
        im[i] *= weight;
    }
    transform(im, re);
    return re.subarray(0, samples.length).map(value => value / count);
}

/* Energy still to come, dB relative to all of it, at up to `points` times: [[s, dB], ...]. centre 0: all bands. */
export function decayOf(samples, rate, centre, points = 340) {
    return kept(samples, `decay ${centre}`, () => {
        const band = centre ? octaveOf(samples, rate, centre) : samples;
        const left = new Float64Array(band.length + 1);
        for (let i = band.length - 1; i >= 0; i--)
            left[i] = left[i + 1] + band[i] ** 2;
        return Array.from({length: points}, (_, k) => {
            const i = Math.floor(k * band.length / points);
            return [i / rate, left[i] > 0 ? 10 * Math.log10(left[i] / left[0]) : -Infinity];
        });
    });
}

/* Levels in dB of short spectra, {levels: [columns][bins], step s, width Hz}. */
export function spectrogramOf(samples, rate, columns = 320, size = 1024) {
    return kept(samples, 'spectrogram', () => {
        const step = Math.max(64, Math.ceil(samples.length / columns)), levels = [];
        const window = Float64Array.from({length: size}, (_, i) => Math.sin(Math.PI * (i + 0.5) / size) ** 2);
        for (let start = -size / 2; start + size / 2 < samples.length; start += step) {
            const re = Float64Array.from(window, (weight, i) => weight * (samples[start + i] || 0)),
                im = new Float64Array(size);
            transform(re, im);
            levels.push(Float32Array.from({length: size / 2},
                (_, i) => 10 * Math.log10(re[i] ** 2 + im[i] ** 2 + 1e-30)));
        }
        return {levels, step: step / rate, width: rate / size};
    });
}

/* The largest level in each column of time, dB relative to the direct sound: [[ms after it, dB], ...]. */
export function echogramOf(samples, rate, arrival, milliseconds, columns) {
    const start = Math.round(arrival * rate), out = [], step = milliseconds * rate / 1000 / columns;
    const peakOf = (from, to) => {
        let peak = 0;
        for (let i = Math.max(0, Math.floor(from)); i < to && i < samples.length; i++)
            peak = Math.max(peak, Math.abs(samples[i]));
        return peak;
    };
    const direct = peakOf(start, start + rate / 1000) || 1;
    for (let k = -Math.floor(2 / milliseconds * columns); k < columns; k++)
        out.push([k * milliseconds / columns,
                  Math.max(-120, 20 * Math.log10(peakOf(start + k * step,
                      start + (k + 1) * step) / direct + 1e-9))]);
    return out;
}

/* The first sample within 20 dB of the largest: where the direct sound begins, if nothing tells it. */
export function arrivalOf(samples, rate) {
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    return samples.findIndex(sample => Math.abs(sample) >= peak / 10) / rate;
}

/* Peaks that stand out: louder than all within 0.6 ms, and above `least` dB; loudest first, in their order of time. */
export function peaksOf(points, least = -30, most = 24) {
    const near = 0.6;
    return points.filter(([time, level], i) => {
        if (time < -0.2 || level < least)
            return false;
        for (let k = i - 1; k >= 0 && time - points[k][0] < near; k--)
            if (points[k][1] >= level)
                return false;
        for (let k = i + 1; k < points.length && points[k][0] - time < near; k++)
            if (points[k][1] > level)
                return false;
        return true;
    }).sort((a, b) => b[1] - a[1]).slice(0, most).sort((a, b) => a[0] - b[0]);
}
