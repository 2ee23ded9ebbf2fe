/* SPDX-License-Identifier: MIT */
/* Colours of materials, by what they are made of, and of values. A material keeps its colour while a room file is
   open, in every view. Mixed in Oklch, where equal steps look equal (Ottosson 2020). */

/* Words in a material's name, then lightness, chroma and hue of its family, and how far hues spread within it. */
const FAMILIES = [
    [/glass|glazing|window|mirror|ice\b/, 0.82, 0.055, 225, 8],
    [/carpet|rug|mat\b/, 0.72, 0.08, 22, 14],
    [/curtain|drape|cloth|fabric|velvet|cotton/, 0.74, 0.07, 345, 14],
    [/audience|chair|seat|pew|uphol|sofa|people|person|bed/, 0.7, 0.07, 295, 14],
    [/acoust|absor|foam|wool|fib|porous|felt|perfor|slot|diffus|tile|baffle/, 0.8, 0.065, 165, 16],
    [/wood|parquet|ply|door|board_floor|oak|pine|cork|chipboard|bamboo|linoleum/, 0.78, 0.068, 72, 9],
    [/slate|granite|asphalt|basalt/, 0.68, 0.022, 250, 10],
    [/concrete|screed/, 0.78, 0.012, 200, 20],
    [/plaster|gypsum|paint|paper|lime_cement|stucco|drywall/, 0.91, 0.028, 92, 16],
    [/stone|marble|brick|masonry|terrazzo|ceramic|rock/, 0.84, 0.025, 78, 14],
    [/metal|steel|alumin|iron|lead/, 0.74, 0.025, 250, 10],
    [/water|pool/, 0.74, 0.08, 240, 10],
    [/grass|soil|sand|earth|plant|tree/, 0.77, 0.08, 130, 12],
];
const OTHERS = [[0.76, 0.07, 200], [0.76, 0.07, 110], [0.74, 0.07, 275], [0.76, 0.07, 45]];
const STEPS = [[0, 0], [-0.12, -0.5], [-0.05, 1.4], [0.06, -1.4], [-0.18, 1], [-0.08, -2.4], [-0.23, -1], [0.02, 2.8]];

const taken = new Map(), counts = new Map(); /* of names; of families */

/* Forgets which colours are taken: for another room file. */
export function resetColours() {
    taken.clear();
    counts.clear();
}

/* sRGB, 0 to 1, of a colour in Oklch; a chroma that cannot be shown falls to the highest that can. */
function oklch(lightness, chroma, hue) {
    let low = 0, high = chroma;
    if (shows(linearOf(lightness, chroma, hue)))
        low = chroma;
    for (let i = 0; low < high && i < 16; i++) {
        const middle = (low + high) / 2;
        if (shows(linearOf(lightness, middle, hue)))
            low = middle;
        else
            high = middle;
    }
    return linearOf(lightness, low, hue).map(x =>
        Math.max(0, Math.min(1, x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055)));
}

const shows = linear => linear.every(x => x > -0.001 && x < 1.001);

function linearOf(lightness, chroma, hue) {
    const h = hue * Math.PI / 180, a = chroma * Math.cos(h), b = chroma * Math.sin(h);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
}

export const css = ([r, g, b], alpha = 1) =>
    `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)} / ${alpha})`;

export const mix = (a, b, share) => a.map((x, i) => x + share * (b[i] - x));

/* Colour of a material as [r, g, b], 0 to 1. */
export function materialColour(name) {
    if (!taken.has(name)) {
        const at = FAMILIES.findIndex(([words]) => words.test(name)), used = counts.get(at) || 0;
        counts.set(at, used + 1);
        const [l, c, h, spread = 14] = at < 0 ? OTHERS[used % OTHERS.length] : FAMILIES[at].slice(1);
        const [light, turn] = STEPS[(at < 0 ? used / OTHERS.length | 0 : used) % STEPS.length];
        taken.set(name, oklch(Math.min(0.95, l + light), c + (light ? 0.01 : 0), h + turn * spread));
    }
    return taken.get(name);
}

/* Colour of a value, 0 to 1: from dark violet over blue and green to yellow, lightness rising evenly. */
export function valueColour(x) {
    const t = Math.max(0, Math.min(1, x));
    return oklch(0.27 + 0.64 * t, 0.085 + 0.03 * Math.sin(Math.PI * t) + 0.05 * t * t, 305 - 200 * t);
}

/* Colours of the page as [r, g, b]: {paper, panel, ink, muted, line, grid, accent, source, receiver}. */
export function pageColours() {
    const style = getComputedStyle(document.documentElement), out = {};
    for (const name of ['paper', 'panel', 'ink', 'muted', 'line', 'grid', 'accent', 'source', 'receiver']) {
        const hex = style.getPropertyValue(`--${name}`).trim();
        out[name] = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255 || 0);
    }
    out.dark = out.paper[0] + out.paper[1] + out.paper[2] < 1.5;
    return out;
}
