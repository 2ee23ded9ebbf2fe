/* SPDX-License-Identifier: MIT */
/* A button that runs a job of the active variant, with its progress, the time left and a stop. */
import {post} from './api.js';
import {announce, make, readable, say} from './dom.js';
import {store} from './store.js';

const {state} = store;
const isBusy = job => job.state === 'running' || job.state === 'queued';

/* The newest job of a kind that has not ended. */
export function busyJob(kind, variant = state.active) {
    return [...state.jobs.values()].reverse().find(job => job.kind === kind && job.variant === variant && isBusy(job));
}

/* start(): a promise of the job. Returns {element, show}; `show` is to be called at 'jobs'. */
export function jobPanel(kind, label, start) {
    const button = make('button', {class: 'primary', text: label, on: {click: async () => {
        try {
            await start();
            announce(`${label}: done`);
        } catch (refusal) {
            if (refusal.status !== 499)
                say(refusal.message, 'error');
        }
    }}});
    const bar = make('progress', {max: 1, 'aria-label': `Progress: ${label}`}),
        text = make('span', {class: 'muted'});
    const stop = make('button', {text: 'Stop', on: {click: () => {
        const job = busyJob(kind);
        if (job)
            post('stop', {id: job.id}).catch(refusal => say(refusal.message, 'error'));
    }}});
    return {element: make('div', {class: 'job'}, button, bar, text, stop), show: () => {
        const job = busyJob(kind);
        button.disabled = Boolean(job) || !state.scene || Boolean(state.error);
        bar.hidden = text.hidden = stop.hidden = !job;
        if (!job)
            return;
        if (Number.isFinite(job.progress))
            bar.value = job.progress;
        else
            bar.removeAttribute('value');
        text.textContent = [job.state === 'queued' ? 'waiting' : job.phase || '',
                            Number.isFinite(job.progress) ? `${Math.round(100 * job.progress)} %` : '',
                            job.left ? `${readable(job.left)} left` : ''].filter(Boolean).join(', ');
    }};
}
