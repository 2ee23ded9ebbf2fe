/* SPDX-License-Identifier: MIT */
/* The player's graph in an offline context, whose clock stands still while the test acts: [name, samples, ...] of what
   it plays around each act. Argument: seed. The dry sound is a tone, then noise. */
const {sound} = await import('./sound.js');
const RATE = 48000, SECONDS = 5, TONE = 440, LOUD = 0.5, DELAY = 20;
let context = null, running = false;

window.AudioContext = class extends OfflineAudioContext {
    constructor() {
        super(2, RATE * SECONDS, RATE);
        context = this;
    }

    resume() {
        return running ? super.resume() : Promise.resolve();
    }
};

function response(gain, delay = 0) {
    const samples = new Float32Array(RATE / 10);
    samples[delay] = gain;
    return {form: 'mono', rate: RATE, channels: [samples]};
}

const tone = Float32Array.from({length: RATE}, (_, i) => LOUD * Math.sin(2 * Math.PI * TONE * i / RATE));
let [state] = given;
const noise = Float32Array.from({length: RATE}, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return LOUD * (state / 1073741824 - 1);
});
const many = [0, 1, 2, 3].map(k => [3.3 + 0.03 * k, () => sound.offer('A', response(0.2 + 0.01 * k, DELAY))]);
const acts = [
    [0.5, () => sound.offer('A', response(0.3))], [0.9, () => sound.offer('A', response(0.2))],
    [1.3, () => sound.offer('A', response(0.2, DELAY))], [1.7, () => sound.choose('B')], [2.1, () => sound.choose('A')],
    [2.5, () => sound.setDryOnly(true)], [2.9, () => sound.setDryOnly(false)], ...many, [3.6, () => {}],
    [4.0, () => sound.setDry(noise)], [4.3, () => sound.choose('B')], [4.6, () => sound.choose('A')],
];
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

sound.setDry(tone);
sound.choose('A');
sound.setLevel(1);
sound.offer('A', response(0.3), 1);
sound.offer('B', response(0.1), 1);
await sound.play();
let begun = 0;
for (const [time, act] of acts)
    context.suspend(time).then(async () => {
        act();
        if (time === 4.0)
            begun = Math.round(context.currentTime * RATE);
        await sleep(time === 3.6 ? 400 : 20); /* fades that wait for others have timers */
        context.resume();
    });
running = true;
const heard = (await context.startRendering()).getChannelData(0), w = 2 * Math.PI * TONE / RATE;

/* Least and largest amplitude of the tone, by a sample and its slope, and the largest second difference. */
function measure(from, to) {
    let low = Infinity, high = 0, bend = 0;
    for (let i = Math.round(from * RATE) + 1; i < to * RATE - 1; i++) {
        const slope = (heard[i + 1] - heard[i - 1]) / (2 * Math.sin(w)), amplitude = Math.hypot(heard[i], slope);
        low = Math.min(low, amplitude);
        high = Math.max(high, amplitude);
        bend = Math.max(bend, Math.abs(heard[i + 1] - 2 * heard[i] + heard[i - 1]));
    }
    return {low: low / LOUD, high: high / LOUD, bend: bend / (LOUD * w * w)};
}

/* The largest difference from a sound that has run since `start`, at a gain; the limiter is 5 ms late. */
function apart(dry, start, gain, delay, from, to) {
    const late = start + delay + 0.005 * RATE;
    let most = 0;
    for (let i = Math.round(from * RATE); i < to * RATE; i++)
        most = Math.max(most, Math.abs(heard[i] - gain * dry[((i - late) % RATE + RATE) % RATE]));
    return most / LOUD;
}

const last = 0.23;
return {
    steady: measure(0.3, 0.5), same: measure(0.5, 0.9), quieter: measure(0.9, 1.3), later: measure(1.3, 1.7),
    toB: measure(1.7, 2.1), toA: measure(2.1, 2.5), dry: measure(2.5, 2.9), room: measure(2.9, 3.3), many: measure(3.3, 4),
    apart: {
        same: apart(tone, 0, 0.3, 0, 0.3, 0.9), B: apart(tone, 0, 0.1, 0, 1.8, 2.1), A: apart(tone, 0, 0.2, DELAY, 2.2, 2.5),
        dry: apart(tone, 0, 1, 0, 2.6, 2.9), last: apart(tone, 0, last, DELAY, 3.9, 4),
        noiseA: apart(noise, begun, last, DELAY, 4.1, 4.3), noiseB: apart(noise, begun, 0.1, 0, 4.4, 4.6),
        noiseAgain: apart(noise, begun, last, DELAY, 4.7, 5),
    },
};
