/* SPDX-License-Identifier: MIT */
/* A button that runs a job of the active variant, with its progress, the time left and a stop. */
import {post} from './api.js';
import {announce, make, readable, say, unsay} from './dom.js';
import {store} from './store.js';

const {state} = store;
const isBusy = job => job.state === 'running' || job.state === 'queued';

/* The newest job of a kind that has not ended. */
function busyJob(kind, variant = state.active) {
    return [...state.jobs.values()].reverse().find(job => job.kind === kind && job.variant === variant && isBusy(job));
}

/* ---- Waiting for another job ---- */

const LONG = {listen: 'the response', map: 'the map', modes: 'the modes', sofa: 'the SOFA file'};

/* The job that a queued one waits for: long jobs run one after the other. */
export function blockerOf(job) {
    return [...state.jobs.values()].find(one => one.state === 'running' && one.id !== job.id &&
        Boolean(LONG[one.kind]) === Boolean(LONG[job.kind])) || null;
}

/* "Waiting for the response of A (6 min left)" */
export function waitingFor({kind, variant, left}) {
    return `Waiting for ${LONG[kind] || `aula ${kind}`}${variant ? ` of ${variant}` : ''}` +
        `${readable(left) && ` (${readable(left)} left)`}`;
}

function stopJob({id}) {
    post('stop', {id}).catch(refusal => say(refusal.message, 'error'));
}

/* A button that stops the job that another one waits for. */
export function stopBlocker(blocker) {
    const button = make('button', {type: 'button', class: 'plain', text: 'Stop it', hidden: true,
        on: {click: () => blocker() && stopJob(blocker())}});
    return {element: button, show: () => {
        const job = blocker();
        button.hidden = !job;
        button.title = job ? `Stop ${LONG[job.kind] || job.kind}${job.variant ? ` of ${job.variant}` : ''}` : '';
    }};
}

/* start(): a promise of the job; isReady(): whether it can start. Returns {element, show}; `show` is to be called at
   'jobs'. */
export function jobPanel(kind, label, start, isReady = () => true) {
    const cause = `job ${kind}`, began = new Map();
    const button = make('button', {class: 'primary', text: label, on: {click: async () => {
        unsay(cause);
        try {
            await start();
            announce(`${label}: done`);
        } catch (refusal) {
            if (refusal.status !== 499)
                say(refusal.message, 'error', cause);
        }
    }}});
    const bar = make('progress', {max: 1, 'aria-label': `Progress: ${label}`}),
        text = make('span', {class: 'muted'});
    const stop = make('button', {text: 'Stop', on: {click: () => {
        const job = busyJob(kind);
        if (job)
            stopJob(job);
    }}});
    const before = () => {
        const job = busyJob(kind);
        return job && job.state === 'queued' ? blockerOf(job) : null;
    };
    const stopOther = stopBlocker(before);
    return {element: make('div', {class: 'job'}, button, bar, text, stopOther.element, stop), show: () => {
        const job = busyJob(kind), blocker = before();
        button.disabled = Boolean(job) || !state.scene || Boolean(state.error) || !isReady();
        stopOther.show();
        stop.textContent = blocker ? 'Cancel' : 'Stop';
        bar.hidden = text.hidden = stop.hidden = !job;
        if (!job)
            return;
        if (Number.isFinite(job.progress))
            bar.value = job.progress;
        else
            bar.removeAttribute('value');
        if (!began.has(job.id) && job.state === 'running')
            began.set(job.id, Date.now());
        const known = Number.isFinite(job.progress);
        text.textContent = blocker ? waitingFor(blocker) : [job.state === 'queued' ? 'waiting' : job.phase || '',
            known ? `wave solver ${Math.round(100 * job.progress)} %` : job.state === 'running' ?
                `${readable((Date.now() - began.get(job.id)) / 1000)} so far` : '',
            job.left ? `${readable(job.left)} left` : ''].filter(Boolean).join(', ');
    }};
}
