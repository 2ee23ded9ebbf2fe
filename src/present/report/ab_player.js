/* SPDX-License-Identifier: MIT */
/* A/B player: all sounds run together from one start, and a switch only moves gains, so that the music goes on at the
   same place without a gap. Without Web Audio the players of the single sounds stay. */
'use strict';
(() => {
const FADE = 0.01; /* s */

function bytes_of(player) {
    const text = atob(player.src.slice(player.src.indexOf(',') + 1));
    return Uint8Array.from(text, c => c.charCodeAt(0)).buffer;
}

/* All as long as the longest, so that their loops stay together. */
function padded(context, buffers) {
    const length = Math.max(...buffers.map(b => b.length));
    return buffers.map(b => {
        const to = context.createBuffer(b.numberOfChannels, length, b.sampleRate);
        for (let c = 0; c < b.numberOfChannels; c++)
            to.copyToChannel(b.getChannelData(c), c);
        return to;
    });
}

function add(parent, name, text) {
    const element = document.createElement(name);
    element.textContent = text;
    parent.append(element);
    return element;
}

function make(box) {
    const players = [...box.querySelectorAll('audio')], panel = document.createElement('div');
    let context = null, buffers = null, sources = [], gains = [], begun = 0, chosen = 0, loading = null;
    panel.className = 'ab-panel';
    const play = add(panel, 'button', 'Play');
    const choices = players.map((player, i) => add(panel, 'button', `${String.fromCharCode(65 + i)}: ${player.getAttribute('aria-label')}`));
    const place = add(panel, 'input', '');
    place.type = 'range';
    place.min = 0;
    place.max = 1;
    place.step = 'any';
    place.value = 0;
    place.setAttribute('aria-label', 'position');
    const duration = () => buffers[0].duration;
    const position = () => (context.currentTime - begun) % duration();

    function show() {
        choices.forEach((choice, i) => choice.setAttribute('aria-pressed', i === chosen));
        play.textContent = context && context.state === 'running' ? 'Pause' : 'Play';
    }

    function choose(index) {
        chosen = index;
        gains.forEach((gain, i) => {
            gain.gain.cancelScheduledValues(context.currentTime);
            gain.gain.setValueAtTime(gain.gain.value, context.currentTime);
            gain.gain.linearRampToValueAtTime(+(i === chosen), context.currentTime + FADE);
        });
        show();
    }

    function start(offset) {
        sources.forEach(source => source.stop());
        const when = context.currentTime + 0.05;
        gains = buffers.map((_, i) => {
            const gain = context.createGain();
            gain.gain.value = +(i === chosen);
            gain.connect(context.destination);
            return gain;
        });
        sources = buffers.map((buffer, i) => {
            const source = context.createBufferSource();
            source.buffer = buffer;
            source.loop = true;
            source.connect(gains[i]);
            source.start(when, offset);
            return source;
        });
        begun = when - offset;
    }

    function load() {
        context = new AudioContext();
        return Promise.all(players.map(player => context.decodeAudioData(bytes_of(player)))).then(decoded => {
            buffers = padded(context, decoded);
            start(0);
        });
    }

    function follow() {
        if (context.state === 'running') {
            place.value = Math.max(0, position() / duration());
            setTimeout(follow, 100);
        }
    }

    play.addEventListener('click', () => {
        loading = loading || load();
        loading.then(() => context.state === 'running' && play.textContent === 'Pause' ? context.suspend() : context.resume())
            .then(() => { show(); follow(); });
    });
    choices.forEach((choice, i) => choice.addEventListener('click', () => choose(i)));
    place.addEventListener('change', () => { if (buffers) start(+place.value * duration()); });
    players.forEach(player => { player.hidden = true; });
    box.append(panel);
    show();
}

if (window.AudioContext)
    document.querySelectorAll('.ab').forEach(make);
})();
