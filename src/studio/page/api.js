/* SPDX-License-Identifier: MIT */
/* Requests to the program that serves this page. */

/* What the program refuses, with its message. */
export class Refusal extends Error {
    constructor(status, {message, line, key}) {
        super(message);
        this.status = status;
        this.line = line;
        this.key = key;
    }
}

async function answer(response) {
    const body = await response.json().catch(() => ({error: {message: `The answer is damaged (${response.status}).`}}));
    if (!response.ok || body.error)
        throw new Refusal(response.status, body.error || {message: response.statusText});
    return body;
}

async function ask(path, options) {
    let response;
    try {
        response = await fetch(path, options);
    } catch {
        throw new Refusal(0, {message: 'aula no longer answers; start aula studio again, then reload this page.'});
    }
    return answer(response);
}

export const get = path => ask(`api/${path}`);

export const post = (path, body) => ask(`api/${path}`, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body),
});

export const upload = file => ask(`api/upload?name=${encodeURIComponent(file.name)}`, {
    method: 'POST',
    headers: {'Content-Type': 'application/octet-stream'},
    body: file,
});

/* The end of a job: its result, or a rejection with its message. */
const waiting = new Map();

export async function run(kind, more = {}) {
    const {id} = await post('job', {kind, ...more});
    const end = new Promise((resolve, reject) => waiting.set(id, {resolve, reject}));
    end.id = id;
    const early = ended.get(id);
    if (early)
        finish(early);
    return {id, end};
}

const ended = new Map(); /* jobs that ended before their number arrived here */

function finish(job) {
    const {resolve, reject} = waiting.get(job.id);
    waiting.delete(job.id);
    ended.delete(job.id);
    if (job.state === 'done')
        resolve(job);
    else
        reject(new Refusal(job.state === 'stopped' ? 499 : 500, {message: job.message || `${job.kind}: ${job.state}`}));
}

function isOver(job) {
    return job.state === 'done' || job.state === 'failed' || job.state === 'stopped';
}

/* Calls `heard` with every event of the program, `lost` when it is gone and `found` when it is there again. */
export function listen(heard, lost, found) {
    const events = new EventSource('api/events');
    let away = false;
    events.onopen = () => {
        if (away)
            found();
        away = false;
    };
    events.onerror = () => {
        if (!away)
            lost();
        away = true;
    };
    events.onmessage = message => {
        const event = JSON.parse(message.data);
        heard(event);
        if (event.type !== 'job' || !isOver(event))
            return;
        ended.set(event.id, event);
        if (waiting.has(event.id))
            finish(event);
        if (ended.size > 50)
            ended.delete(ended.keys().next().value);
    };
    return events;
}
