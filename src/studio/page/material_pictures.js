/* SPDX-License-Identifier: MIT */
/* Pictures of materials: bars of absorption, its curve, and the section of layers. */
import {makeSvg} from './dom.js';
import {OCTAVES} from './library.js';

const text = (x, y, content, more = {}) => makeSvg('text', {x, y, text: content, ...more});

/* Bars of the octaves 125 Hz to 4 kHz, as wide as a word. */
export function bars(absorption) {
    const svg = makeSvg('svg', {class: 'bars', viewBox: '0 0 36 16', 'aria-hidden': 'true'});
    if (absorption)
        absorption.slice(1, 7).forEach((value, i) => {
            const height = Math.max(0.6, 16 * Math.min(1, value));
            svg.append(makeSvg('rect', {x: 6 * i + 0.5, y: 16 - height, width: 5, height}));
        });
    return svg;
}

/* Absorption over the octaves; a second curve, such as normal incidence, is dashed. */
export function curve(absorption, other = null) {
    const width = 300, height = 130, left = 28, right = 8, top = 8, bottom = 22;
    const svg = makeSvg('svg', {class: 'curve', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label':
        `Absorption: ${OCTAVES.map((band, i) => `${band} Hz ${absorption[i].toFixed(2)}`).join(', ')}`});
    const x = i => left + (width - left - right) * i / (OCTAVES.length - 1);
    const y = value => top + (height - top - bottom) * (1 - Math.min(1.2, Math.max(0, value)) / 1);
    for (const value of [0, 0.5, 1])
        svg.append(makeSvg('line', {class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value)}),
                   text(left - 5, y(value) + 4, String(value), {'text-anchor': 'end'}));
    OCTAVES.forEach((band, i) => svg.append(text(x(i), height - 7, band < 1000 ? String(band) : `${band / 1000}k`,
                                                 {'text-anchor': 'middle'})));
    const points = values => values.slice(0, 8).map((value, i) => `${x(i)},${y(value)}`).join(' ');
    if (other)
        svg.append(makeSvg('polyline', {class: 'second', points: points(other)}));
    svg.append(makeSvg('polyline', {class: 'first', points: points(absorption)}));
    absorption.slice(0, 8).forEach((value, i) => svg.append(makeSvg('circle', {cx: x(i), cy: y(value), r: 2.5})));
    return svg;
}

const NAMES = {air: 'air', porous: 'porous layer', perforated: 'perforated plate', slotted: 'slotted plate',
               membrane: 'membrane', cloth: 'cloth', table: 'measured'};
const THIN = 5;         /* units of the picture for what has no thickness */
const THINNEST = 7;

const millimetres = value => `${Number((1000 * value).toPrecision(3))} mm`;

export function layerText(layer) {
    const parts = [NAMES[layer.kind] || layer.kind];
    if (layer.thickness)
        parts.push(millimetres(layer.thickness));
    if (layer.flow_resistivity)
        parts.push(`${layer.flow_resistivity} Pa s/m²`);
    if (layer.hole)
        parts.push(`holes ${millimetres(layer.hole)} every ${millimetres(layer.spacing)}`);
    if (layer.slot)
        parts.push(`slots ${millimetres(layer.slot)} every ${millimetres(layer.spacing)}`);
    if (layer.mass)
        parts.push(`${layer.mass} kg/m²`);
    if (layer.flow_resistance)
        parts.push(`${layer.flow_resistance} Pa s/m`);
    return parts.join(', ');
}

function fill(svg, layer, x, width, height) {
    svg.append(makeSvg('rect', {class: `layer ${layer.kind}`, x, y: 0, width, height}));
    if (layer.kind === 'porous')
        for (let y = 6; y < height; y += 10)
            svg.append(makeSvg('path', {class: 'wool',
                d: `M${x} ${y}${` q${width / 8} -6 ${width / 4} 0`.repeat(4)}`}));
    if (layer.kind === 'perforated' || layer.kind === 'slotted')
        for (let y = 8; y < height; y += 16)
            svg.append(makeSvg('rect', {class: 'hole', x, y, width, height: 4}));
    if (layer.kind === 'cloth')
        svg.append(makeSvg('line', {class: 'threads', x1: x + width / 2, x2: x + width / 2, y1: 0, y2: height}));
}

/* Section from the room, at the left, to the rigid wall behind the last layer. */
export function section(layers) {
    const height = 80, space = 250, wall = 14;
    const total = layers.reduce((sum, layer) => sum + (layer.thickness || 0), 0) || 1;
    const widths = layers.map(layer => layer.thickness ? Math.max(THINNEST,
        space * layer.thickness / total) : THIN);
    const width = widths.reduce((sum, one) => sum + one, 0) + wall + 20;
    const svg = makeSvg('svg', {class: 'section', viewBox: `0 0 ${width} ${height}`, role: 'img',
                                'aria-label': `Section from the room to the wall: ${layers.map(layerText).join('; ')}`});
    let x = 20;
    layers.forEach((layer, i) => {
        fill(svg, layer, x, widths[i], height);
        x += widths[i];
    });
    svg.append(makeSvg('rect', {class: 'rigid', x, y: 0, width: wall, height}));
    for (let y = 0; y < height + wall; y += 7)
        svg.append(makeSvg('line', {class: 'hatch', x1: x, x2: x + wall, y1: y, y2: y - wall}));
    return svg;
}
