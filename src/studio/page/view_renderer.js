/* SPDX-License-Identifier: MIT */
/* Draws the triangles and edges of a room with WebGL2 on a canvas that the browser presents as it is: copying pictures
   to a 2D canvas costs more than drawing them where WebGL runs on the processor. */

import {FACES, LINES, PLANE, program} from './view_programs.js';

/* The order in which triangles are drawn: walls, sheets a second time from behind, then objects. */
function orderOf(g, scene) {
    const walls = [], backs = [], objects = [];
    for (let t = 0; t < g.count; t++) {
        if (scene.parts[g.part[t]].kind === 'object')
            objects.push(t);
        else if (g.sides[t]) {
            walls.push(t);
            if (g.sides[t] === 2)
                backs.push(t);
        }
    }
    return {walls, backs, objects};
}

/* Triangles in the order of orderOf, as the buffers take them: made once for all views of a geometry. */
const packed = new WeakMap();

function pack(g, scene) {
    const old = packed.get(g);
    if (old && old.version === g.version)
        return old;
    const {walls, backs, objects} = orderOf(g, scene), all = [...walls, ...backs, ...objects];
    const places = new Float32Array(9 * all.length), normals = new Float32Array(9 * all.length);
    const parts = new Uint16Array(3 * all.length);
    all.forEach((t, i) => {
        const back = i >= walls.length && i < walls.length + backs.length;
        for (let k = 0; k < 3; k++) {
            const from = 9 * t + 3 * (back ? 2 - k : k), to = 9 * i + 3 * k;
            for (let j = 0; j < 3; j++) {
                places[to + j] = g.positions[from + j];
                normals[to + j] = g.normals[3 * t + j] * (back ? -1 : 1);
            }
        }
        parts.fill(g.part[t], 3 * i, 3 * i + 3);
    });
    const made = {version: g.version, data: [places, normals, parts], wallVertices: 3 * (walls.length + backs.length),
                  objectVertices: 3 * objects.length};
    packed.set(g, made);
    return made;
}

/* Whether WebGL runs on the processor, where smooth edges cost most of the time. */
function findSoftware() {
    const gl = document.createElement('canvas').getContext('webgl2');
    const more = gl && gl.getExtension('WEBGL_debug_renderer_info');
    const name = more ? gl.getParameter(more.UNMASKED_RENDERER_WEBGL) : '';
    if (gl && gl.getExtension('WEBGL_lose_context'))
        gl.getExtension('WEBGL_lose_context').loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

let software = null;

export function isSoftware() {
    software ??= findSoftware();
    return software;
}

const ROUGH_EDGES = 1500; /* the longest, while a slow machine draws a moving picture */

export class Renderer {
    /* `lost` and `found` are called when the browser takes the graphics processor away, and gives it back. */
    constructor(canvas, lost, found) {
        this.canvas = canvas;
        this.gl = canvas.getContext('webgl2', {antialias: !isSoftware(), alpha: false});
        if (!this.gl)
            return;
        this.start();
        this.canvas.addEventListener('webglcontextlost', event => {
            event.preventDefault();
            this.gone = true;
            lost();
        });
        this.canvas.addEventListener('webglcontextrestored', () => {
            this.gone = false;
            this.start();
            found();
        });
    }

    get works() {
        return Boolean(this.gl) && !this.gone;
    }

    start() {
        const gl = this.gl;
        this.programs = [false, true].map(clips =>
            ({faces: program(gl, FACES, clips), lines: program(gl, LINES, clips), plane: program(gl, PLANE, clips)}));
        this.texture = gl.createTexture();
        this.map = gl.createTexture();
        this.mapPicture = null;
        this.empty = gl.createVertexArray();
        this.version = -1;
        this.colours = '';
        this.faceArray = gl.createVertexArray();
        this.buffers = [0, 1, 2].map(() => gl.createBuffer());
        gl.bindVertexArray(this.faceArray);
        [[3, gl.FLOAT], [3, gl.FLOAT]].forEach(([n, type], i) => {
            gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[i]);
            gl.enableVertexAttribArray(i);
            gl.vertexAttribPointer(i, n, type, false, 0, 0);
        });
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[2]);
        gl.enableVertexAttribArray(2);
        gl.vertexAttribIPointer(2, 1, gl.UNSIGNED_SHORT, 0, 0);
        this.edges = this.lineSet(12);
        this.cut = this.lineSet(6);
        this.chosen = this.lineSet(12);
        this.chosenKey = this.cutKey = this.drawn = '';
        gl.enable(gl.DEPTH_TEST);
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    }

    /* Lines of `stride` floats: two ends, and two normals where there are 12. Each is a rectangle of four vertices and
       two triangles; instances of one rectangle take many times longer in software. */
    lineSet(stride) {
        const gl = this.gl, set = {array: gl.createVertexArray(), buffer: gl.createBuffer(), order: gl.createBuffer(),
                                   count: 0, stride};
        gl.bindVertexArray(set.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, set.buffer);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, set.order);
        for (let i = 0; i < stride / 3; i++) {
            gl.enableVertexAttribArray(i);
            gl.vertexAttribPointer(i, 3, gl.FLOAT, false, 4 * stride, 12 * i);
        }
        return set;
    }

    fillLines(set, data) {
        const gl = this.gl, {stride} = set, count = data.length / stride, four = new Float32Array(4 * data.length);
        const order = new Uint32Array(6 * count);
        for (let i = 0; i < count; i++) {
            const one = data.subarray(stride * i, stride * (i + 1));
            for (let k = 0; k < 4; k++)
                four.set(one, stride * (4 * i + k));
            order.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 2, 4 * i + 1, 4 * i + 3], 6 * i);
        }
        gl.bindVertexArray(set.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, set.buffer);
        gl.bufferData(gl.ARRAY_BUFFER, four, gl.DYNAMIC_DRAW);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.DYNAMIC_DRAW);
        set.count = count;
    }

    setGeometry(g, scene) {
        if (this.version === g.version)
            return;
        const gl = this.gl, {data, wallVertices, objectVertices} = pack(g, scene);
        data.forEach((one, i) => {
            gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[i]);
            gl.bufferData(gl.ARRAY_BUFFER, one, gl.STATIC_DRAW);
        });
        Object.assign(this, {wallVertices, objectVertices});
        this.fillLines(this.edges, g.edges);
        this.version = g.version;
    }

    /* Colours of parts, [r, g, b, a] as bytes; a below 255 glows. */
    setColours(bytes) {
        const gl = this.gl, key = bytes.join();
        if (key === this.colours)
            return;
        this.colours = key;
        const rows = Math.max(1, Math.ceil(bytes.length / 4096));
        const columns = rows > 1 ? 1024 : Math.max(1, bytes.length / 4);
        const data = new Uint8Array(4 * rows * columns);
        data.set(bytes);
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, columns, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, data);
        for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
            gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    }

    /* Has the edges of a part drawn in the colour of what is chosen; -1: of none. */
    setChosen(g, part) {
        const key = `${g.version} ${part}`, data = [];
        if (key === this.chosenKey)
            return;
        for (let i = 0; part >= 0 && i < g.edgePart.length; i++)
            if (g.edgePart[i] === part || g.edgeOther[i] === part)
                data.push(...g.edges.subarray(12 * i, 12 * i + 12));
        this.fillLines(this.chosen, new Float32Array(data));
        this.chosenKey = key;
    }

    /* Lines along which a plane cuts the room, [ax ay az bx by bz ...], from lines() where the key is another. */
    setCut(key, lines) {
        if (key === this.cutKey)
            return;
        this.fillLines(this.cut, lines());
        this.cutKey = key;
    }

    uniforms(name, look) {
        const gl = this.gl, {p, uniforms: u} = this.programs[look.clip ? 1 : 0][name];
        gl.useProgram(p);
        gl.uniformMatrix4fv(u.matrix, false, look.matrix);
        if (look.clip)
            gl.uniform4fv(u.clip, look.clip);
        return u;
    }

    drawFaces(look) {
        const gl = this.gl, u = this.uniforms('faces', look);
        gl.uniform1f(u.lit, look.lit);
        gl.uniform3fv(u.towards, look.towards);
        gl.uniform1f(u.pale, look.pale);
        gl.uniform3fv(u.wash, look.wash);
        gl.uniform3fv(u.glow, look.glow);
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        gl.bindVertexArray(this.faceArray);
        gl.enable(gl.CULL_FACE);
        gl.disable(gl.BLEND);
        gl.polygonOffset(1, 1);
        const all = this.wallVertices + this.objectVertices;
        gl.cullFace(gl.BACK);
        gl.uniform4f(u.behind, 0, 0, 0, 0);
        gl.drawArrays(gl.TRIANGLES, 0, all);
        if (look.behind) {
            const from = look.wallsBehind ? 0 : this.wallVertices;
            gl.cullFace(gl.FRONT);
            gl.polygonOffset(-1, -1); /* the inside of a solid wins over the floor that it stands on */
            gl.uniform4f(u.behind, ...look.behind, 1);
            gl.drawArrays(gl.TRIANGLES, from, all - from);
        }
    }

    /* plane: {canvas, corner, across, upwards, alpha}; each pixel of the canvas is a rectangle of the plane. */
    drawPlane(look) {
        const gl = this.gl, u = this.uniforms('plane', look), {canvas, corner, across, upwards, alpha} = look.plane;
        gl.bindTexture(gl.TEXTURE_2D, this.map);
        if (this.mapPicture !== canvas) {
            gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
            gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, canvas);
            gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
            gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
            for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
                gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
            for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
                gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
            this.mapPicture = canvas;
        }
        gl.bindVertexArray(this.empty);
        gl.disable(gl.CULL_FACE);
        gl.enable(gl.BLEND);
        gl.uniform3fv(u.corner, corner);
        gl.uniform3fv(u.across, across);
        gl.uniform3fv(u.upwards, upwards);
        gl.uniform1f(u.alpha, alpha);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }

    /* Draws the first `most` lines of a set. */
    drawLines(set, look, colour, width, hidden, bias, most = Infinity) {
        const gl = this.gl, u = this.uniforms('lines', look);
        if (!set.count)
            return;
        gl.bindVertexArray(set.array);
        for (let i = set.stride / 3; i < 4; i++)
            gl.vertexAttrib3f(i, 0, 0, 0);
        gl.disable(gl.CULL_FACE);
        gl.enable(gl.BLEND);
        gl.uniform4fv(u.eye, look.eye);
        gl.uniform2f(u.size, look.width, look.height);
        gl.uniform4fv(u.colour, colour);
        gl.uniform1f(u.width, width);
        gl.uniform1f(u.hidden, hidden);
        gl.uniform1f(u.bias, bias);
        gl.drawElements(gl.TRIANGLES, 6 * Math.min(set.count, most), gl.UNSIGNED_INT, 0);
    }

    /* look: {matrix, eye (its place, or with w = 0 the direction towards it), towards (it, from the middle), clip (a
       plane, or null: nothing is clipped), width, height (pixels), ratio, lit, pale, wash, glow, accent, behind,
       wallsBehind, ink, edge, hidden, bias, cut, paper, plane (a map: see
       drawPlane), rough}. A picture that is on the canvas already stays there. */
    draw(look) {
        const gl = this.gl, {canvas} = this;
        const key = JSON.stringify([Object.values({...look, matrix: [...look.matrix]}), this.version, this.colours,
                                    this.chosenKey, look.cut && this.cutKey]);
        if (this.drawn === key)
            return;
        this.drawn = key;
        if (canvas.width !== look.width || canvas.height !== look.height)
            Object.assign(canvas, {width: look.width, height: look.height});
        gl.viewport(0, 0, look.width, look.height);
        gl.clearColor(...look.paper, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        this.drawFaces(look);
        if (look.plane)
            this.drawPlane(look);
        this.drawLines(this.edges, look, [...look.ink, look.edge], look.ratio * 1.1, look.hidden, look.bias,
            look.rough ? ROUGH_EDGES : Infinity);
        this.drawLines(this.chosen, look, [...look.accent, 0.95], look.ratio * 2.4, 0, 2 * look.bias);
        if (look.cut)
            this.drawLines(this.cut, {...look, clip: null}, [...look.ink, 0.85], look.ratio * 2.2, 1,
                2 * look.bias);
    }
}
