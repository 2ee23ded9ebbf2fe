/* SPDX-License-Identifier: MIT */
/* Values as text of a room file: short numbers that keep their type, quoted texts, groups on one line. */

/* A change that the text does not allow, such as one of an included file. */
export class CannotEdit extends Error {}

const LENGTHS = new Set(['position', 'from', 'to', 'size', 'corners', 'height', 'radius', 'bottom', 'top',
    'positions',
                         'mouth', 'orientation', 'rotation', 'spacing']);
export const INTEGERS = new Set(['order', 'rays', 'seed', 'count', 'points', 'cells', 'frets', 'snares',
    'channel']);

function digits(value, name) {
    const rounded = LENGTHS.has(name) ? Number(value.toFixed(3)) : Number(value.toPrecision(7));
    return Object.is(rounded, -0) ? 0 : rounded;
}

export function numberText(value, name, asInteger) {
    if (!Number.isFinite(value))
        throw new CannotEdit(`${name} needs a number.`);
    const short = digits(value, name), text = String(short);
    return asInteger && Number.isInteger(short) || /[.e]/.test(text) ? text : `${text}.0`;
}

function stringText(value) {
    return `"${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(/\r/g, '\\r')}"`;
}

export function groupText(object) {
    const inside = Object.entries(object).map(([name, value]) => `${name} = ${valueText(value, name)};`);
    return inside.length ? `{ ${inside.join(' ')} }` : '{ }';
}

/* A value in libconfig's syntax. Arrays of numbers are in [ ], all others in ( ). */
export function valueText(value, name = '', asInteger = INTEGERS.has(name)) {
    if (typeof value === 'number')
        return numberText(value, name, asInteger);
    if (typeof value === 'string')
        return stringText(value);
    if (typeof value === 'boolean')
        return String(value);
    if (!Array.isArray(value))
        return groupText(value);
    const isArray = value.length > 0 && value.every(item => typeof item === 'number');
    const items = value.map(item => valueText(item, name, asInteger)).join(', ');
    return isArray ? `[${items}]` : items ? `( ${items} )` : '( )';
}
