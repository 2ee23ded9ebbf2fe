/* SPDX-License-Identifier: MIT */
/* Notes about responses that are missing, under way or out of date, with the button that computes them. They follow the
   state by themselves as long as they are on the page. */
import {clear, make} from './dom.js';
import {compute, isComputing, isCurrent, isFinal, isReady, leftOf, stageOf, status} from './listening.js';
import {store} from './store.js';

const {state} = store;
const several = () => state.variants.length > 1;
const nameOf = id => several() ? `Variant ${id}` : 'The room';
const canCompute = id => store.variant(id)?.scene && !store.variant(id).error;

/* Draws now and at changes, until the element has left the page. `draw` returns what decides whether it differs. */
function live(element, key, draw) {
    let before = null, seen = false;
    const show = () => {
        seen = seen || element.isConnected;
        if (seen && !element.isConnected) {
            off();
            return;
        }
        const now = key();
        if (now === before)
            return;
        before = now;
        const isFocused = element.contains(document.activeElement);
        draw(clear(element));
        if (isFocused)
            (element.querySelector('button:not(:disabled)') || document.getElementById('panel')).focus();
    };
    const off = store.on('any', show);
    show();
    return element;
}

function computeButton(id, text = several() ? `Compute ${id}` : 'Compute') {
    return make('button', {type: 'button', class: 'primary', text, disabled: !canCompute(id),
        title: canCompute(id) ? null : 'The room file has a mistake', on: {click: () => compute(id)}});
}

/* In place of results: what they need. */
export function emptyNote(what) {
    const element = make('div', {class: 'empty'}), {active} = state;
    return live(element, () => JSON.stringify([status().text, canCompute(active)]), () => {
        const now = status();
        element.append(make('p', {text: now.busy ? `${now.text}. ${what} follow from the response at the resolution of the room file.` :
            `${what} need a response. ${state.playing ? 'Compute it' : 'Press play, or compute it without sound'}.`}));
        if (!now.busy)
            element.append(computeButton(state.active, 'Compute'));
    });
}

/* "Changed since", for those of the variants whose response is not of their text; null if there are none. */
export function staleNote(ids) {
    const old = ids.filter(id => !isCurrent(id));
    if (!old.length)
        return null;
    const element = make('div', {class: `stale${old.length === ids.length ? ' all' : ''}`, role: 'note'});
    return live(element, () => JSON.stringify(old.map(id => [isComputing(id), leftOf(id), canCompute(id)])), () => {
        const waiting = old.filter(isComputing), idle = old.filter(id => !isComputing(id));
        const words = [idle.length && `${idle.map(nameOf).join(' and ')} changed since.`,
            ...waiting.map(id => `${nameOf(id)} changed since and is being computed${leftOf(id) && `: ${leftOf(id)}`}.`)];
        element.append(make('span', {text: words.filter(Boolean).join(' ')}), ...idle.map(id => computeButton(id)));
    });
}

/* Which of the variants have a response that is still refined; null if there are none. */
export function coarseNote(ids) {
    const coarse = ids.filter(id => stageOf(id) && !isFinal(id));
    return coarse.length ? make('div', {class: 'stale', role: 'note', text: several() ?
        `The response of ${coarse.join(' and ')} is coarse; what it shows will still change.` :
        'The response is coarse; what it shows will still change.'}) : null;
}

/* Why some of the variants do not go into files that are made of responses; empty if all do. */
export function leftOutNote(ids) {
    const element = make('div', {class: 'left-out', role: 'status'});
    const list = () => ids().map(id => [id, isReady(id), isComputing(id), leftOf(id), Boolean(stageOf(id)), isCurrent(id),
        canCompute(id)]);
    return live(element, () => JSON.stringify(list()), () => {
        const rest = ids().filter(id => !isReady(id)), all = rest.length === ids().length;
        for (const id of rest)
            element.append(make('div', {class: 'stale'}, make('span', {text: reason(id, all)}),
                !isComputing(id) && computeButton(id, several() ? `Compute ${id} first` : 'Compute')));
    });
}

/* `all`: there is nothing that the variant could be left out of. */
function reason(id, all) {
    const out = all ? '' : ' It is left out.';
    if (isComputing(id))
        return `${nameOf(id)} is still computing${leftOf(id) && `: ${leftOf(id)}`}.${out}`;
    if (!stageOf(id))
        return `${nameOf(id)} has no response yet.${out}`;
    if (!isCurrent(id))
        return `${nameOf(id)} is out of date: it changed since its response.${out}`;
    return isFinal(id) ? '' : `${nameOf(id)} has a coarse response only.${out}`;
}
