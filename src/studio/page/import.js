/* SPDX-License-Identifier: MIT */
/* Models: upload, the questions of unit and axis, and a material for every name in the file. */
import {post, upload} from './api.js';
import {openDialog} from './dialogs.js';
import {format, make, say} from './dom.js';
import {materialOf, readableName, swatch} from './library.js';
import {pickMaterial} from './materials.js';
import {baseName, folderOf} from './places.js';
import {addItem, setValue, valueOf} from './room_text.js';
import {store} from './store.js';

const MODELS = /\.(obj|gltf|glb|stl|ply|ifc|dae)$/i, ROOMS = /\.cfg$/i;
const UNITS = [['mm', 'millimetres'], ['cm', 'centimetres'], ['m', 'metres'], ['inch', 'inches'], ['ft', 'feet']];
const SMALLEST = 0.5, LARGEST = 300; /* m: a room outside of these is doubtful */

/* ---- Material of every name ---- */

/* Puts the chosen materials into the mapping of the text. */
function withMaterials(text, chosen) {
    for (const [name, material] of chosen) {
        const list = valueOf(text, 'room.geometry.materials', []),
            index = list.findIndex(one => one.name === name);
        ({text} = index >= 0 ? setValue(text, `room.geometry.materials[${index}].material`, material)
            : addItem(text, 'room.geometry.materials', {name, material}));
    }
    return text;
}

/* What the program wrote for a name, else its best suggestion, else plaster. */
function firstChoice({text}, {name, suggestions}) {
    const mapping = valueOf(text, 'room.geometry.materials', []).find(one => one.name === name);
    return mapping && mapping.material || suggestions && suggestions[0] || 'plaster';
}

/* The other suggestions; choosing one keeps the focus in the row. */
function suggestionButtons(entry, chosen, choose) {
    const others = (entry.suggestions || []).slice(0, 3).filter(name => name !== chosen && materialOf(name));
    return others.map(name => make('button', {type: 'button', class: 'plain small', text: readableName(name),
        'aria-label': `${readableName(name)} for ${entry.name}`, on: {click: event => {
            const row = event.currentTarget.closest('tr');
            choose(name);
            row.querySelector('.material').focus();
        }}}));
}

function nameRow(entry, chosen) {
    const button = make('button', {type: 'button', class: 'material', 'aria-haspopup': 'dialog'});
    const others = make('div', {class: 'suggestions'});
    const choose = name => {
        chosen.set(entry.name, name);
        others.replaceChildren(...suggestionButtons(entry, name, choose));
        button.replaceChildren(swatch(name), make('span', {text: readableName(name)}));
        button.setAttribute('aria-label', `Material of ${entry.name}: ${readableName(name)}. Change`);
    };
    button.addEventListener('click', async () => {
        const choice = await pickMaterial(chosen.get(entry.name), {title: entry.name});
        if (choice)
            choose(choice.name);
    });
    choose(chosen.get(entry.name));
    return make('tr', {}, make('th', {scope: 'row', text: entry.name || '(no name)'}),
        make('td', {class: 'number', text: format(entry.area, entry.area < 10 ? 2 : 1)}),
        make('td', {}, make('div', {class: 'choice'}, button, others)));
}

function namesTable(names, chosen) {
    const rows = [...names].sort((a, b) => b.area - a.area).map(entry => nameRow(entry, chosen));
    const heading = text => make('th', {scope: 'col', text});
    return make('div', {class: 'scroll', tabindex: 0, role: 'group',
        'aria-label': 'Materials of the names in the model'},
        make('table', {class: 'names'}, make('thead', {}, make('tr', {}, heading('Name in the model'),
            heading('Area, m²'),
                                                               heading('Material'))), make('tbody', {}, ...rows)));
}

/* ---- Dialog ---- */

function doubtful(size) {
    const longest = Math.max(...size), shortest = Math.min(...size);
    return longest > LARGEST || longest < 1 ||
        shortest < SMALLEST / 10 ? 'This is no usual size of a room; check the unit.' : '';
}

function select(id, choices, value) {
    const element = make('select', {id});
    for (const [name, text] of choices)
        element.append(make('option', {value: name, text}));
    if (!choices.some(([name]) => name === value))
        element.prepend(make('option', {value, text: 'as the file states'}));
    element.value = value;
    return element;
}

class Import {
    constructor(path, answer) {
        this.path = path;
        this.chosen = new Map();
        this.size = make('p', {class: 'size', 'aria-live': 'polite'});
        this.doubts = make('ul', {class: 'warnings'});
        this.names = make('div');
        this.unit = select('import-unit', UNITS, answer.unit);
        this.up = select('import-up', [['z', 'z'], ['y', 'y']], answer.up);
        this.open = make('button', {type: 'submit', class: 'primary', text: 'Open'});
        for (const element of [this.unit, this.up])
            element.addEventListener('change', () => this.ask());
        this.take(answer);
    }

    /* The program reads the model again with the unit and the axis that were chosen. */
    async ask() {
        this.open.disabled = true;
        try {
            this.take(await post('import', {path: this.path, unit: this.unit.value, up: this.up.value}));
        } catch (refusal) {
            this.doubts.replaceChildren(make('li', {text: refusal.message}));
            return;
        }
        this.open.disabled = false;
    }

    take(answer) {
        this.answer = answer;
        this.size.textContent = `${answer.size.map(x => format(x, 2)).join(' × ')} m`;
        const doubts = [...answer.doubts || [], doubtful(answer.size)].filter(Boolean);
        this.doubts.replaceChildren(...doubts.map(text => make('li', {text})));
        this.doubts.hidden = !doubts.length;
        const known = this.chosen;
        this.chosen = new Map(answer.names.map(entry => [entry.name, known.get(entry.name) ||
            firstChoice(answer, entry)]));
        this.names.replaceChildren(namesTable(answer.names, this.chosen));
    }

    async show() {
        const dialog = openDialog(`Open the model ${baseName(this.path)}`, {class: 'import'},
            make('div', {class: 'import-size'},
                make('div', {class: 'field'}, make('span', {class: 'label', text: 'Size (x, y, z)'}), this.size),
                make('div', {class: 'field'}, make('label', {for: 'import-unit',
                    text: 'One unit of the model is in'}), this.unit),
                make('div', {class: 'field'}, make('label', {for: 'import-up', text: 'Axis that points up'}),
                    this.up)),
            this.doubts, this.names,
            make('div', {class: 'dialog-actions'},
                 make('button', {type: 'button', text: 'Cancel', on: {click: () => dialog.close()}}), this.open));
        dialog.form.addEventListener('submit', () => dialog.close(true));
        if (!await dialog.result)
            return null;
        return withMaterials(this.answer.text, this.chosen);
    }
}

/* The room file of a model stands beside it, and is saved under a name of the user's. */
async function openModel(path) {
    const text = await new Import(path, await post('import', {path})).show();
    if (text === null)
        return false;
    const name = baseName(path).replace(/\.[^.]*$/, '.cfg'), folder = folderOf(path);
    await store.load({path: path.replace(/[^\\/]*$/, name), name, folder, writable: false, shipped: false, dirty: true,
                      copy: true}, text, '');
    return true;
}

/* The room file or model among some files. */
const mainOf = files => files.find(file => ROOMS.test(file.name)) || files.find(file => MODELS.test(file.name));

/* Is there anything to open; says so if there is not. */
export function canOpen(files) {
    if (!mainOf(files))
        say(`${files[0].name} is neither a room file nor a model: .cfg, .obj, .gltf, .glb, .stl, .ply, .dae or .ifc.`, 'error');
    return Boolean(mainOf(files));
}

/* Uploads files and opens the first room file or model of them; the others, such as a .mtl, lie beside it. Messages
   name files as the user does, without the folder of uploads. */
export async function takeFiles(files, openRoom) {
    const main = mainOf(files);
    let path = null, drop = '';
    for (const file of files) {
        const answer = await upload(Object.assign(file.slice(), {name: drop + file.name}));
        path = file === main ? answer.path : path;
        drop = `${answer.drop}/`; /* the program keeps the others in the folder of the first */
    }
    try {
        if (!ROOMS.test(main.name))
            return await openModel(path);
        await openRoom(path);
    } catch (refusal) {
        refusal.message = refusal.message.replaceAll(`${folderOf(path)}/`, '');
        throw refusal;
    }
    return true;
}
