/* SPDX-License-Identifier: MIT */
/* The shaders with which a renderer draws faces, lines and maps. */

/* A fragment that can be discarded is tested for depth after its colour is known, which costs much in software: where
   no plane clips the room, programs without CLIP draw it. */
export const FACES = [`#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uint part;
uniform mat4 matrix;
uniform highp sampler2D colours;
uniform vec3 towards; /* the eye */
uniform vec4 behind; /* colour of the inside of solids that are cut, w: use it */
uniform vec3 wash, glow; /* colours of the page that faces fade into, and of what is chosen */
uniform float lit, pale;
#ifdef CLIP
out vec3 world;
#endif
flat out vec3 colour;
void main() {
    vec4 c = texelFetch(colours, ivec2(int(part) & 1023, int(part) >> 10), 0);
    vec3 sun = normalize(vec3(0.35, -0.5, 0.8)), n = normal;
    float light = 0.74 + 0.13 * abs(dot(n, towards)) + 0.1 * max(0.0, dot(n, sun)) + 0.05 * n.z;
    colour = mix(mix(c.rgb * mix(1.0, light, lit), wash, pale), glow, 1.0 - c.a);
    if (behind.w > 0.5)
        colour = behind.rgb;
#ifdef CLIP
    world = position;
#endif
    gl_Position = matrix * vec4(position, 1.0);
}`, `#version 300 es
precision highp float;
#ifdef CLIP
in vec3 world;
uniform vec4 clip; /* a plane */
#endif
flat in vec3 colour;
out vec4 result;
void main() {
#ifdef CLIP
    if (dot(clip, vec4(world, 1.0)) < 0.0)
        discard;
#endif
    result = vec4(colour, 1.0);
}`];

export const LINES = [`#version 300 es
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
layout(location = 2) in vec3 first;
layout(location = 3) in vec3 second;
uniform mat4 matrix;
uniform vec4 eye;
uniform vec2 size; /* of the canvas, pixels */
uniform float width, hidden, bias;
#ifdef CLIP
out vec3 world;
#endif
flat out float strength;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1);
    vec3 middle = eye.xyz - eye.w * a;
    bool seen = dot(first, middle) > 0.0 || dot(second, middle) > 0.0 || dot(first, first) == 0.0;
    strength = seen ? 1.0 : hidden;
    vec4 p = matrix * vec4(a, 1.0), q = matrix * vec4(b, 1.0);
    float near = 1e-3; /* w before which a line is cut, so that none passes behind the eye */
    float s = p.w < near ? (near - p.w) / (q.w - p.w) : 0.0, t = q.w < near ? (near - p.w) / (q.w - p.w) : 1.0;
    vec4 from = mix(p, q, s), to = mix(p, q, t);
    vec2 along = (to.xy / to.w - from.xy / from.w) * size;
    vec2 across = length(along) > 1e-6 ? normalize(vec2(-along.y, along.x)) : vec2(0.0);
    vec4 end = corner.x > 0.5 ? to : from;
#ifdef CLIP
    world = mix(a, b, corner.x > 0.5 ? t : s);
#endif
    end.xy += (corner.y - 0.5) * 2.0 * width * across / size * end.w;
    end.z -= bias * end.w;
    gl_Position = strength > 0.0 && !(p.w < near && q.w < near) ? end : vec4(2.0, 2.0, 2.0, 1.0);
}`, `#version 300 es
precision highp float;
#ifdef CLIP
in vec3 world;
uniform vec4 clip;
#endif
flat in float strength;
uniform vec4 colour;
out vec4 result;
void main() {
#ifdef CLIP
    if (dot(clip, vec4(world, 1.0)) < 0.0)
        discard;
#endif
    result = vec4(colour.rgb, 1.0) * colour.a * strength;
}`];

/* A picture on a plane of the room: `corner` + x `across` + y `upwards`, x and y from 0 to 1. */
export const PLANE = [`#version 300 es
uniform mat4 matrix;
uniform vec3 corner, across, upwards;
out vec2 place;
#ifdef CLIP
out vec3 world;
#endif
void main() {
    place = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec3 position = corner + place.x * across + place.y * upwards;
#ifdef CLIP
    world = position;
#endif
    gl_Position = matrix * vec4(position, 1.0);
}`, `#version 300 es
precision highp float;
in vec2 place;
#ifdef CLIP
in vec3 world;
uniform vec4 clip;
#endif
uniform sampler2D picture;
uniform float alpha;
out vec4 result;
void main() {
#ifdef CLIP
    if (dot(clip, vec4(world, 1.0)) < 0.0)
        discard;
#endif
    result = texture(picture, place) * alpha;
    if (result.a == 0.0)
        discard;
}`];

/* A program from the texts of its shaders, with the places of its uniforms. */
export function program(gl, texts, clips) {
    const p = gl.createProgram(), uniforms = {};
    texts.forEach((text, i) => {
        const shader = gl.createShader(i ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
        gl.shaderSource(shader, clips ? text.replace('\n', '\n#define CLIP\n') : text);
        gl.compileShader(shader);
        gl.attachShader(p, shader);
    });
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS))
        throw new Error(gl.getProgramInfoLog(p) || 'shaders cannot be linked');
    for (let i = 0; i < gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS); i++) {
        const {name} = gl.getActiveUniform(p, i);
        uniforms[name] = gl.getUniformLocation(p, name);
    }
    return {p, uniforms};
}
