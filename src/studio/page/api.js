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

const LIMIT = 120000;     /* ms until a request counts as unanswered */
const SILENCE = 5000;     /* ms without the beat of the program, which comes twice a second */
const GONE = 'aula does not answer.';

/* The name of this page: its jobs are its own, and other pages hear nothing of them. */
export const PAGE = crypto.getRandomValues(new Uint32Array(4)).join('-').slice(0, 36);

async function ask(path, options = {}) {
    let response;
    try {
        response = await fetch(path, {signal: AbortSignal.timeout(LIMIT), ...options});
    } catch {
        throw new Refusal(0, {message: GONE});
    }
    return answer(response);
}

export const get = path => ask(`api/${path}`);

export const post = (path, body) => ask(`api/${path}`, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify({page: PAGE, ...body}),
});

/* Ends the jobs of this page when it is left. */
function leave() {
    fetch('api/stop', {method: 'POST', keepalive: true, body: JSON.stringify({page: PAGE})}).catch(() => {});
}

export const upload = file => ask(`api/upload?name=${encodeURIComponent(file.name)}`, {
    method: 'POST',
    headers: {'Content-Type': 'application/octet-stream'},
    body: file, signal: null,
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
    const events = new EventSource(`api/events/${PAGE}`);
    let away = false, last = Date.now();
    const tell = isAway => {
        if (isAway !== away)
            (isAway ? lost : found)();
        away = isAway;
    };
    const beat = () => {
        last = Date.now();
        tell(false);
    };
    events.onopen = beat;
    events.onerror = () => tell(true);
    events.addEventListener('beat', beat);
    setInterval(() => tell(away || Date.now() - last > SILENCE), 1000);
    addEventListener('pagehide', leave);
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
