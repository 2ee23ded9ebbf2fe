/* SPDX-License-Identifier: MIT */
/* Vectors, matrices (column-major, as WebGL takes them) and the camera that turns about a point. */

export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

/* Which way an arrow key points, x to the right and y downwards. */
export const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

/* The front of an item: yaw about z, then pitch (positive looks down), degrees. */
export function front([yaw, pitch]) {
    const y = yaw * Math.PI / 180, p = pitch * Math.PI / 180;
    return [Math.cos(y) * Math.cos(p), Math.sin(y) * Math.cos(p), -Math.sin(p)];
}

export function transform(m, p) {
    const out = [0, 0, 0, 0];
    for (let i = 0; i < 4; i++)
        out[i] = m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i];
    return out;
}

const FIELD = Math.tan(0.5 * 38 * Math.PI / 180); /* half the height of the picture over the distance */

export class Camera {
    constructor() {
        this.reset();
        this.target = [0, 0, 0];
        this.distance = 10;
        this.radius = 5;
        this.width = this.height = 1;
    }

    reset() {
        this.turn = -62 * Math.PI / 180;
        this.rise = 33 * Math.PI / 180;
    }

    /* Axes to the right, upwards, and towards the eye. */
    axes() {
        const ct = Math.cos(this.turn), st = Math.sin(this.turn), cr = Math.cos(this.rise), sr = Math.sin(this.rise);
        return [[-st, ct, 0], [-sr * ct, -sr * st, cr], [cr * ct, cr * st, sr]];
    }

    eye() {
        return add(this.target, this.axes()[2], this.distance);
    }

    /* m at the target for each pixel */
    unit() {
        return 2 * FIELD * this.distance / this.height;
    }

    turnBy(x, y) {
        this.turn -= x;
        this.rise = clamp(this.rise + y, -1.5, 1.55);
    }

    panBy(x, y) {
        const [right, up] = this.axes(), unit = this.unit();
        this.target = add(add(this.target, right, -x * unit), up, y * unit);
    }

    /* Keeps the point of the target's plane that lies at x, y on the canvas where it is. */
    zoomBy(factor, x = this.width / 2, y = this.height / 2) {
        const next = clamp(this.distance / factor, 0.02 * this.radius, 12 * this.radius);
        const by = (1 - next / this.distance) * this.unit(), [right, up] = this.axes();
        this.target = add(add(this.target, right, (x - this.width / 2) * by), up, (this.height / 2 - y) * by);
        this.distance = next;
    }

    /* The least distance at which all points are on the canvas, with a margin; then the middle of what they span. */
    fit(lower, upper, points) {
        const axes = this.axes();
        this.radius = Math.hypot(...sub(upper, lower)) / 2 || 1;
        this.target = scale(add(lower, upper), 0.5);
        const limit = [FIELD * this.width / this.height * 0.94, FIELD * 0.84];
        for (let turn = 0; turn < 3; turn++) {
            const seen = points.map(point => axes.map(axis => dot(axis, sub(point, this.target))));
            const least = q => Math.max(...[0, 1].map(i => q[2] + Math.abs(q[i]) / limit[i]));
            this.distance = seen.reduce((most, q) => Math.max(most, least(q)), 0);
            for (const i of [0, 1]) {
                const places = seen.map(q => q[i] / (this.distance - q[2]));
                const off = (Math.min(...places) + Math.max(...places)) / 2;
                this.target = add(this.target, axes[i], off * this.distance);
            }
        }
    }

    matrix() {
        const [right, up, back] = this.axes(), eye = this.eye(), fx = this.height / this.width / FIELD, fy = 1 / FIELD;
        const far = this.distance + 4 * this.radius, near = Math.max(this.distance - 4 * this.radius, 0.004 * far);
        const a = (far + near) / (far - near), b = 2 * far * near / (far - near), m = new Float32Array(16);
        for (let k = 0; k < 4; k++) {
            const [r, u, z] = [right, up, back].map(axis => k < 3 ? axis[k] : -dot(axis, eye));
            m.set([fx * r, fy * u, -a * z - (k === 3 ? b : 0), -z], 4 * k);
        }
        return m;
    }

    /* Direction from the eye through a place of the canvas. */
    ray(x, y) {
        const [right, up, back] = this.axes(), h = this.height / 2;
        return add(add(scale(back, -1), right, (x - this.width / 2) / h * FIELD), up, (h - y) / h * FIELD);
    }
}
