/* SPDX-License-Identifier: MIT */
/* The dialog in which a material is picked: search, list in groups, and what is known of the one pointed at. */
import {run} from './api.js';
import {announce, clear, format, make} from './dom.js';
import {openDialog} from './dialogs.js';
import {allMaterials, nearness, OCTAVES, readableName, searchMaterials, swatch, whenLoaded} from './library.js';
import {bars, curve, layerText, section} from './material_pictures.js';
import {octaveTable} from './octave_table.js';
import {store} from './store.js';

const LOOK_AFTER = 250; /* ms on a material until the program is asked for its layers */

const details = new Map(); /* name and text of the room's own material → answer of `aula material` */

function detailsKey(material) {
    return material.group === 'In this room file' ? `${material.name}\n${store.state.text}` : material.name;
}

/* What `aula material NAME --json` tells; null if it fails. */
async function askDetails(material) {
    const key = detailsKey(material);
    if (!details.has(key)) {
        const more = {name: material.name, text: store.state.text, path: store.state.file &&
            store.state.file.path};
        details.set(key, run('material', more).then(({end}) => end).then(job => job.result).catch(() => null));
    }
    return details.get(key);
}

function scatteringText({scattering: values, usesDefault}) {
    if (!values)
        return '';
    if (!Array.isArray(values))
        return `Scattering: ${values}`;
    return values.length ? `Scattering${usesDefault ? ', the default of smooth surfaces,' : ''} ${format(values[1], 2)} at 125 Hz, ${format(values[4], 2)} at 1 kHz, ` +
        `${format(values[6], 2)} at 4 kHz` : '';
}

/* What is shown of a material: first the library's figures, then those that the program computes. */
class Preview {
    constructor() {
        this.element = make('div', {class: 'preview', tabindex: 0, role: 'group', 'aria-label': 'Details'});
        this.name = null;
        this.timer = 0;
    }

    show(material) {
        clearTimeout(this.timer);
        this.name = material && material.name;
        if (!material) {
            clear(this.element);
            return;
        }
        this.draw(material, null);
        if (material.group !== 'Built in')
            this.timer = setTimeout(async () => {
                const answer = await askDetails(material);
                if (answer && this.name === material.name)
                    this.draw(material, answer);
            }, LOOK_AFTER);
    }

    draw(material, answer) {
        const random = answer && answer.absorption && answer.absorption.random_local;
        const values = material.absorption || random, layers = answer && answer.layers;
        this.element.replaceChildren(...[
            make('h3', {text: readableName(material.name)}),
            material.about && make('p', {text: material.about}),
            !values && !answer && make('p', {class: 'muted', text: 'Computing the absorption …'}),
            values && curve(values, layers ? answer.absorption.normal : null),
            values && octaveTable('Absorption', OCTAVES, [['α', values]]),
            layers && make('p', {class: 'muted', text: 'Solid: random incidence. Dashed: normal incidence.'}),
            layers && section(layers),
            layers && make('ol', {class: 'layers'}, ...layers.map(layer => make('li', {text: layerText(layer)}))),
            layers && answer.depth && make('p', {class: 'muted',
                text: `Depth ${format(1000 * answer.depth, 0)} mm`}),
            make('p', {class: 'muted', text: scatteringText(material)}),
            material.source && make('p', {class: 'source', text: `Source: ${material.source}`}),
            ...(answer && answer.notes || []).map(note => make('p', {class: 'note', text: note.text || note})),
        ].filter(Boolean));
    }
}

/* The list, after the ARIA pattern of a list box whose options are pointed at from the search field. */
class List {
    constructor(current, pointed, chosen) {
        this.current = current;
        this.pointed = pointed;
        this.chosen = chosen;
        this.element = make('div', {class: 'list', role: 'listbox', id: 'material-list', tabindex: -1,
                                    'aria-label': 'Materials'});
        this.options = [];
        this.at = -1;
    }

    /* Points at the one that `words` name best, or at the current one. */
    show(materials, words = '') {
        const groups = new Map();
        for (const material of materials)
            groups.set(material.group, [...groups.get(material.group) || [], material]);
        this.options = [];
        this.element.replaceChildren(...[...groups].map(([name, members]) => make('div', {role: 'group',
            'aria-label': name},
            make('div', {class: 'list-group', 'aria-hidden': 'true', text: name}),
            ...members.map(material => this.option(material)))));
        if (!materials.length)
            this.element.append(make('p', {class: 'muted', text: 'No material has this name.'}));
        const ranks = this.options.map(({material}) => words ? nearness(material,
            words) : material.name === this.current ? 0 : 1);
        this.point(ranks.indexOf(Math.min(...ranks)), 'center');
    }

    option(material) {
        const index = this.options.length;
        const element = make('div', {role: 'option', id: `material-${index}`, class: 'option',
            'aria-selected': 'false',
                                     title: material.about,
                                     on: {click: () => this.point(index), dblclick: () => this.chosen()}},
            swatch(material.name), make('span', {class: 'grow', text: readableName(material.name)}),
            material.name === this.current && make('span', {class: 'badge', text: 'current'}),
                bars(material.absorption));
        this.options.push({material, element});
        return element;
    }

    get material() {
        return this.at >= 0 ? this.options[this.at].material : null;
    }

    point(index, block = 'nearest') {
        for (const {element} of this.options)
            element.setAttribute('aria-selected', 'false');
        this.at = index;
        if (index >= 0) {
            const {element} = this.options[index];
            element.setAttribute('aria-selected', 'true');
            element.scrollIntoView({block});
        }
        this.pointed(index >= 0 ? this.options[index] : null);
    }

    step(by) {
        if (this.options.length)
            this.point(Math.min(this.options.length - 1, Math.max(0, this.at + by)));
    }
}

const STEPS = {ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10};

/* Opens the dialog. Resolves to {name, all}, or to null. `same`: number of walls that have the current material. */
export function pickMaterial(current, {title = 'Material', same = 1} = {}) {
    const preview = new Preview();
    const search = make('input', {type: 'text', role: 'combobox', 'aria-expanded': 'true',
        'aria-controls': 'material-list',
                                  'aria-label': 'Search materials', 'aria-autocomplete': 'list', autofocus: true,
                                  autocomplete: 'off', spellcheck: 'false',
                                  placeholder: 'Search: carpet, glass, curtain …'});
    const all = make('input', {type: 'checkbox', id: 'material-all'});
    const use = make('button', {type: 'submit', class: 'primary', text: 'Use'});
    const list = new List(current, option => {
        use.disabled = !option;
        search.setAttribute('aria-activedescendant', option ? option.element.id : '');
        preview.show(option && option.material);
    }, () => finish());
    const dialog = openDialog(`Material: ${title}`, {class: 'materials'},
        make('div', {class: 'dialog-search'}, search), make('div', {class: 'columns'}, list.element,
            preview.element),
        make('div', {class: 'dialog-actions'},
            same > 1 && make('label', {class: 'check'}, all, `For all ${same} walls of ${readableName(current)}`),
            make('button', {type: 'button', text: 'Cancel', on: {click: () => dialog.close()}}), use));
    const finish = () => list.material && dialog.close({name: list.material.name, all: all.checked});
    dialog.form.addEventListener('submit', finish);
    search.addEventListener('input', () => {
        list.show(searchMaterials(search.value), search.value.trim());
        announce(`${list.options.length} materials`);
    });
    search.addEventListener('keydown', event => {
        const by = STEPS[event.key];
        if (!by)
            return;
        event.preventDefault();
        list.step(by);
    });
    list.element.addEventListener('mousedown',
        event => event.preventDefault()); /* the focus stays in the search */
    list.show(allMaterials());
    whenLoaded(() => list.show(searchMaterials(search.value), search.value.trim()));
    return dialog.result;
}
