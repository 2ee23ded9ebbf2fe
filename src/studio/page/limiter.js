/* SPDX-License-Identifier: MIT */
/* A limiter with look-ahead: no sample leaves it above −1 dBFS, and quieter sound passes unchanged, 5 ms later.

   Each frame needs the attenuation a = 1 − ceiling/peak. The largest need of the last LENGTH frames, with a slow
   release, is averaged over LENGTH frames and applied to the frame LENGTH − 1 ago. Every averaged value covers that
   frame, so that the mean is at least its need: the ceiling holds exactly and the gain has no steps. */
const CEILING = 10 ** (-1 / 20);
const LOOK_AHEAD = 0.005; /* s */
const RELEASE = 0.1;      /* s until an attenuation has fallen to 1/e */
const REPORT_EVERY = 0.1; /* s */
const CHANNELS = 2;

class Limiter extends AudioWorkletProcessor {
    constructor() {
        super();
        this.length = Math.ceil(LOOK_AHEAD * sampleRate) + 1;
        this.keep = Math.exp(-1 / (RELEASE * sampleRate));
        this.past = new Float32Array(CHANNELS * this.length);
        this.history = new Float64Array(this.length);
        this.sum = 0;
        this.envelope = 0;
        this.at = 0;
        /* Needs that no later one exceeds, largest first, with their frames: a ring. */
        this.needs = new Float64Array(this.length);
        this.frames = new Float64Array(this.length);
        this.first = 0;
        this.count = 0;
        this.frame = 0;
        this.largest = 0;
        this.silent = true;
        this.next = 0;
    }

    /* The largest need of the last LENGTH frames. */
    highest(need) {
        const {length, needs, frames} = this;
        while (this.count && needs[(this.first + this.count - 1) % length] <= need)
            this.count--;
        if (this.count && frames[this.first] <= this.frame - length) {
            this.first = (this.first + 1) % length;
            this.count--;
        }
        const last = (this.first + this.count++) % length;
        needs[last] = need;
        frames[last] = this.frame++;
        return needs[this.first];
    }

    /* The attenuation of the frame that leaves. */
    attenuation(peak) {
        const need = peak > CEILING ? 1 - CEILING / peak : 0;
        this.envelope = Math.max(this.highest(need), this.envelope * this.keep);
        if (this.envelope < 1e-6)
            this.envelope = 0;
        this.sum += this.envelope - this.history[this.at];
        this.history[this.at] = this.envelope;
        if (this.at === 0) /* errors of rounding do not gather */
            this.sum = this.history.reduce((a, b) => a + b, 0);
        return Math.max(0, this.sum / this.length);
    }

    report() {
        if (currentTime < this.next)
            return;
        this.next = currentTime + REPORT_EVERY;
        if (this.largest > 0 || !this.silent)
            this.port.postMessage({reduction: 20 * Math.log10(1 - this.largest)});
        this.silent = this.largest === 0;
        this.largest = 0;
    }

    process([input], [output]) {
        const left = input[0], right = input[1] || left, {past, length} = this;
        for (let i = 0; i < output[0].length; i++) {
            const l = left ? left[i] : 0, r = right ? right[i] : 0;
            /* A sample that is no number would stay in the envelope for ever. */
            const a = Number.isFinite(l + r) ? l : 0, b = Number.isFinite(l + r) ? r : 0;
            const lost = this.attenuation(Math.max(Math.abs(a), Math.abs(b)));
            past[2 * this.at] = a;
            past[2 * this.at + 1] = b;
            this.at = (this.at + 1) % length;
            const gain = 1 - lost;
            output[0][i] = past[2 * this.at] * gain;
            if (output[1])
                output[1][i] = past[2 * this.at + 1] * gain;
            this.largest = Math.max(this.largest, lost);
        }
        this.report();
        return true;
    }
}

registerProcessor('limiter', Limiter);
