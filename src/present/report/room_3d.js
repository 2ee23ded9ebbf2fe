/* SPDX-License-Identifier: MIT */
/* Interactive 3D view of a room: WebGL draws voxel faces and free edges, with the names of sources and receivers on top.
   Without WebGL and in print, the static picture stays. */
'use strict';
(() => {
const DISTANCE = 3.6, FIELD = 3.45, PALE = 0.2; /* as in src/present/views/picture.c */
const MATERIALS = 64; /* further materials share the last colour; one more entry is for edges */

/* Groups of rectangles of one side, material and plane, as src/present/views/packed_room.c packs them. */
function unpack(text) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    let at = 0;
    const next = () => {
        let value = 0, factor = 1, byte;
        do {
            byte = bytes[at++];
            value += (byte & 127) * factor;
            factor *= 128;
        } while (byte > 127);
        return value;
    };
    const size = [next(), next(), next()], rectangles = next(), vertices = new Uint16Array(24 * rectangles);
    const order = [[0, 1, 2, 0, 2, 3], [3, 2, 1, 3, 1, 0]];
    let to = 0;
    while (at < bytes.length) {
        const side = next(), material = Math.min(next(), MATERIALS - 1), plane = next(), count = next();
        const axis = side >> 1, u = axis ? 0 : 1, v = axis < 2 ? 2 : 1;
        const turned = (axis === 1) !== (side % 2 === 1), place = [0, 0, 0];
        place[axis] = plane;
        for (let i = 0, row = 0; i < count; i++) {
            row += next();
            const start = next(), end = start + 1 + next(), top = row + 1 + next();
            for (const corner of order[+turned]) {
                place[u] = corner === 1 || corner === 2 ? end : start;
                place[v] = corner > 1 ? top : row;
                vertices.set(place, to);
                vertices[to + 3] = 32 * material + 4 * side + corner;
                to += 4;
            }
        }
    }
    return {size, vertices};
}

function program(gl) {
    const p = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, `
        attribute vec4 a;
        uniform mat4 m;
        uniform vec3 colour[${MATERIALS + 1}];
        uniform float light[6];
        uniform float reach; /* margin beyond the edges of a rectangle, to hide gaps between rectangles */
        varying vec3 c;
        void main() {
            float material = floor(a.w / 32.0), rest = a.w - 32.0 * material, side = floor(rest / 4.0);
            float corner = rest - 4.0 * side;
            vec2 out_by = reach * vec2(corner == 1.0 || corner == 2.0 ? 1.0 : -1.0, corner > 1.5 ? 1.0 : -1.0);
            vec3 by = side < 1.5 ? vec3(0.0, out_by) : side < 3.5 ? vec3(out_by.x, 0.0, out_by.y) : vec3(out_by, 0.0);
            vec3 place = a.xyz + by;
            gl_Position = m * vec4(place, 1.0);
            c = colour[int(material)];
            if (int(material) < ${MATERIALS})
                c = mix(c, vec3(1.0), ${PALE}) * light[int(side)] * (1.32 - 0.09 * gl_Position.w);
        }`], [gl.FRAGMENT_SHADER, `
        precision mediump float;
        varying vec3 c;
        void main() { gl_FragColor = vec4(c, 1.0); }`]]) {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        gl.attachShader(p, shader);
    }
    gl.bindAttribLocation(p, 0, 'a');
    gl.linkProgram(p);
    return gl.getProgramParameter(p, gl.LINK_STATUS) ? p : null;
}

/* Ends of edges, mm, as vertices in voxels. */
function ends(edges, voxel) {
    const vertices = [];
    for (const [x, y, z, u, v, w] of edges)
        vertices.push(x / voxel, y / voxel, z / voxel, 32 * MATERIALS, u / voxel, v / voxel, w / voxel, 32 * MATERIALS);
    return new Float32Array(vertices);
}

/* Axes of the eye: to the right, upwards, towards it. */
function axes(turn, rise) {
    const ct = Math.cos(turn), st = Math.sin(turn), cr = Math.cos(rise), sr = Math.sin(rise);
    return [[-st, ct, 0], [-sr * ct, -sr * st, cr], [cr * ct, cr * st, sr]];
}

function open(scene) {
    const canvas = scene.querySelector('canvas'), names = canvas.nextElementSibling, data = canvas.dataset;
    const gl = canvas.getContext('webgl', {antialias: true, preserveDrawingBuffer: true});
    const shader = gl && program(gl);
    if (!shader)
        return;
    const {size, vertices} = unpack(data.faces), marks = JSON.parse(data.marks), light = JSON.parse(data.light);
    const first = JSON.parse(data.from), middle = size.map(n => n / 2), radius = Math.hypot(...middle);
    const keys = [...scene.parentElement.querySelectorAll('.keys > span')];
    const edge_key = scene.parentElement.querySelector('.edges span');
    const edge_box = scene.parentElement.querySelector('.edges input');
    const edges = ends(JSON.parse(data.edges || '[]'), data.voxel);
    let turn, rise, zoom, pan, waiting = false;

    const [face_buffer, edge_buffer] = [vertices, edges].map(array => {
        const buffer = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
        return buffer;
    });
    gl.enableVertexAttribArray(0);
    gl.useProgram(shader);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.uniform1fv(gl.getUniformLocation(shader, 'light'), light);
    const [matrix, colour, reach] = ['m', 'colour', 'reach'].map(name => gl.getUniformLocation(shader, name));

    /* Before the eye, in radii; and on the canvas, units of half its shorter side. */
    const seen = (place, eye) =>
        eye.map(axis => axis.reduce((sum, a, i) => sum + a * (place[i] - middle[i]), 0) / radius);
    const onto = v => [FIELD * v[0] / (DISTANCE - v[2]), FIELD * v[1] / (DISTANCE - v[2])];
    const halves = () => {
        const w = canvas.clientWidth, h = canvas.clientHeight, least = Math.min(w, h);
        return [w / least, h / least];
    };

    function reset() {
        [turn, rise] = first;
        const eye = axes(turn, rise), low = [9, 9], high = [-9, -9], half = halves();
        for (let k = 0; k < 8; k++)
            onto(seen(size.map((n, i) => k >> i & 1 ? n : 0), eye)).forEach((x, i) => {
                low[i] = Math.min(low[i], x);
                high[i] = Math.max(high[i], x);
            });
        zoom = Math.min(...half.map((h, i) => 1.88 * h / (high[i] - low[i])));
        pan = low.map((l, i) => -zoom * (l + high[i]) / 2);
    }

    function fit(canvas) {
        const ratio = Math.min(window.devicePixelRatio || 1, 2);
        const w = Math.round(canvas.clientWidth * ratio), h = Math.round(canvas.clientHeight * ratio);
        if (canvas.width !== w || canvas.height !== h) {
            canvas.width = w;
            canvas.height = h;
        }
        return ratio;
    }

    function colours() {
        const all = new Float32Array(3 * MATERIALS + 3).fill(0.5);
        const set = (key, i) => {
            const hex = getComputedStyle(key).getPropertyValue('--key').trim();
            for (let k = 0; k < 3; k++)
                all[3 * i + k] = parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16) / 255;
        };
        keys.slice(0, MATERIALS).forEach(set);
        if (edge_key)
            set(edge_key, MATERIALS);
        gl.uniform3fv(colour, all);
    }

    function draw_faces(eye, half) {
        const near = DISTANCE - 1.1, far = DISTANCE + 1.1, m = new Float32Array(16);
        const rows = [eye[0], eye[1], eye[2]].map(axis => [...axis.map(a => a / radius),
            -axis.reduce((sum, a, i) => sum + a * middle[i], 0) / radius]);
        for (let k = 0; k < 4; k++) {
            const w = (k === 3 ? DISTANCE : 0) - rows[2][k];
            m[4 * k] = (FIELD * zoom * rows[0][k] + pan[0] * w) / half[0];
            m[4 * k + 1] = (FIELD * zoom * rows[1][k] + pan[1] * w) / half[1];
            m[4 * k + 2] = ((far + near) * w - (k === 3 ? 2 * far * near : 0)) / (far - near);
            m[4 * k + 3] = w;
        }
        gl.viewport(0, 0, canvas.width, canvas.height);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.uniformMatrix4fv(matrix, false, m);
        gl.uniform1f(reach, 0.0007 * radius / zoom);
        gl.bindBuffer(gl.ARRAY_BUFFER, face_buffer);
        gl.vertexAttribPointer(0, 4, gl.UNSIGNED_SHORT, false, 8, 0);
        gl.drawArrays(gl.TRIANGLES, 0, vertices.length / 4);
        if (edge_box && edge_box.checked)
            draw_edges(m, 2 * far * near / (far - near) / DISTANCE ** 2);
    }

    /* Towards the eye by a voxel's diagonal: faces of voxels stand out beyond the surface that edges are of. `slope`:
       of depth over the distance, in radii. */
    function draw_edges(m, slope) {
        for (let k = 0; k < 4; k++)
            m[4 * k + 2] -= slope * Math.sqrt(3) / radius * m[4 * k + 3];
        gl.uniformMatrix4fv(matrix, false, m);
        gl.uniform1f(reach, 0);
        gl.bindBuffer(gl.ARRAY_BUFFER, edge_buffer);
        gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 16, 0);
        gl.drawArrays(gl.LINES, 0, edges.length / 4);
    }

    function draw_marks(eye, half, ratio) {
        const pen = names.getContext('2d'), style = getComputedStyle(scene), taken = [];
        const w = names.clientWidth, h = names.clientHeight, ink = style.getPropertyValue('--ink').trim();
        const card = style.getPropertyValue('--card').trim();
        const at = place => onto(seen(place, eye)).map((x, i) =>
            (i ? h : w) / 2 * (1 + (i ? -1 : 1) * (zoom * x + pan[i]) / half[i]));
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        pen.clearRect(0, 0, w, h);
        pen.font = '600 12px system-ui, sans-serif';
        pen.lineJoin = 'round';
        const line = (colour, width) => { pen.strokeStyle = colour; pen.lineWidth = width; pen.stroke(); };
        for (const [, , x, y, z, floor] of marks) {
            pen.beginPath();
            pen.moveTo(...at([x, y, z]));
            pen.lineTo(...at([x, y, floor]));
            line(card, 2.5);
            line(ink, 1);
        }
        const drawn = marks.map(([name, receiver, x, y, z]) => [name, receiver, ...at([x, y, z])]);
        for (const [, receiver, x, y] of drawn) {
            pen.beginPath();
            if (receiver) {
                pen.arc(x, y, 4.5, 0, 7);
            } else {
                pen.moveTo(x - 6, y + 5);
                pen.lineTo(x + 6, y + 5);
                pen.lineTo(x, y - 6);
                pen.closePath();
            }
            pen.fillStyle = receiver ? card : ink;
            line(card, 4);
            pen.fill();
            line(ink, 1.75);
            taken.push([x - 6, y - 6, x + 6, y + 6]);
        }
        pen.fillStyle = ink;
        for (const [name, , x, y] of drawn) {
            const width = pen.measureText(name).width;
            for (const [left, base] of [[x + 9, y + 4], [x - 9 - width, y + 4], [x - width / 2, y - 10],
                [x - width / 2, y + 18]]) {
                const box = [left, base - 10, left + width, base + 3];
                if (box[0] < 2 || box[2] > w - 2 ||
                    taken.some(t => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3]))
                    continue;
                taken.push(box);
                pen.strokeStyle = card;
                pen.lineWidth = 4;
                pen.strokeText(name, left, base);
                pen.fillText(name, left, base);
                break;
            }
        }
    }

    function draw() {
        waiting = false;
        if (!canvas.clientWidth) /* on paper */
            return;
        const eye = axes(turn, rise), half = halves();
        fit(canvas);
        draw_faces(eye, half);
        draw_marks(eye, half, fit(names));
    }
    function soon() {
        if (!waiting)
            requestAnimationFrame(draw);
        waiting = true;
    }
    function turn_by(x, y) {
        turn -= x;
        rise = Math.max(-1.2, Math.min(1.57, rise + y));
        soon();
    }
    function zoom_by(factor) {
        const next = Math.max(0.3, Math.min(30, zoom * factor));
        pan = pan.map(p => p * next / zoom);
        zoom = next;
        soon();
    }

    const fingers = new Map();
    canvas.addEventListener('pointerdown', event => {
        canvas.focus({preventScroll: true});
        canvas.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener('pointermove', event => {
        const old = fingers.get(event.pointerId), now = [event.clientX, event.clientY];
        if (!old)
            return;
        const unit = 2 / Math.min(canvas.clientWidth, canvas.clientHeight);
        const by = now.map((x, i) => (x - old[i]) * unit);
        const other = [...fingers].find(([id]) => id !== event.pointerId);
        fingers.set(event.pointerId, now);
        if (other) {
            const apart = p => Math.hypot(p[0] - other[1][0], p[1] - other[1][1]) || 1;
            zoom_by(apart(now) / apart(old));
        }
        if (other || event.shiftKey || event.buttons === 2) {
            pan = [pan[0] + by[0] / (other ? 2 : 1), pan[1] - by[1] / (other ? 2 : 1)];
            soon();
        } else {
            turn_by(1.2 * by[0], 1.2 * by[1]);
        }
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
        canvas.addEventListener(end, event => fingers.delete(event.pointerId));
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    /* The wheel scrolls the page until the user clicks the view. */
    canvas.addEventListener('wheel', event => {
        if (document.activeElement !== canvas && !event.ctrlKey)
            return;
        event.preventDefault();
        zoom_by(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
    }, {passive: false});
    canvas.addEventListener('dblclick', () => { reset(); soon(); });
    canvas.addEventListener('keydown', event => {
        const step = 0.1, act = {
            ArrowLeft: () => turn_by(-step, 0), ArrowRight: () => turn_by(step, 0), ArrowUp: () => turn_by(0, -step),
            ArrowDown: () => turn_by(0, step), '+': () => zoom_by(1.15), '=': () => zoom_by(1.15),
            '-': () => zoom_by(1 / 1.15), '0': () => { reset(); soon(); }, Home: () => { reset(); soon(); }
        }[event.key];
        if (!act || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        act();
    });
    if (edge_box)
        edge_box.addEventListener('change', soon);
    canvas.addEventListener('webglcontextlost', () => scene.classList.remove('live'));
    matchMedia('(prefers-color-scheme:dark)').addEventListener('change', () => { colours(); soon(); });
    scene.classList.add('live');
    new ResizeObserver(soon).observe(canvas);
    colours();
    reset();
    draw();
}

for (const scene of document.querySelectorAll('.scene'))
    open(scene);
})();
