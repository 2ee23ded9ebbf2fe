/* SPDX-License-Identifier: MIT */
/* Random edits of room files by room_text.js: {count, mistakes}. Arguments: texts [[name, text]], seed. */
const {setValue, addItem, removeItem, duplicate, find, removeKey} = await import('./room_text.js');
const {parse, plain, lex} = await import('./room_syntax.js');
const [texts, seed] = given, mistakes = [];
let state = seed, count = 0;

function random() {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
}

const pick = list => list[Math.floor(random() * list.length)];
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function expect(true_, what) {
    count++;
    if (!true_ && mistakes.length < 20)
        mistakes.push(what);
}

/* [path, node] of every value. */
function paths(node, at = '', out = []) {
    const children = node.type === 'group' ? node.settings.map(({name, value}) => [at ? `${at}.${name}` : name, value]) :
        (node.items || []).map((item, i) => [`${at}[${i}]`, item]);
    for (const [path, child] of children) {
        out.push([path, child]);
        paths(child, path, out);
    }
    return out;
}

function otherValue(node, value) {
    const number = () => Math.round(random() * 1e4) / 1e3;
    return {number, string: () => pick(['a "q" \\ b', 'carpet', '']), boolean: () => random() < 0.5,
            array: () => value.map(x => typeof x === 'number' ? number() : x)}[node.type]?.();
}

/* After a new value, all before and behind it is as it was, byte by byte. */
function replaces(name, text, all) {
    const [path, node] = pick(all), was = find(text, path), value = otherValue(node, was.value);
    expect(isSame(was.value, plain(node)), `${name} ${path}: found ${JSON.stringify(was.value)}`);
    if (value === undefined)
        return;
    const {text: changed, line} = setValue(text, path, value), now = find(changed, path);
    expect(now.start === was.start && changed.slice(0, now.start) === text.slice(0, was.start) &&
        changed.slice(now.end) === text.slice(was.end) && line === was.line, `${name} ${path}: text beside the value changed`);
    if (typeof value !== 'number') /* some numbers are whole by their key */
        expect(isSame(now.value, value) || node.type === 'array', `${name} ${path}: ${JSON.stringify(now.value)}`);
    else
        expect(Math.abs(now.value - value) <= 0.5, `${name} ${path}: ${now.value} for ${value}`);
    if (node.type === 'number' || node.type === 'array' && typeof was.value[0] === 'number')
        expect(setValue(text, path, was.value).text === text, `${name} ${path}: the same value changed the text`);
}

/* A new key stands where it was asked for, and goes without a trace in the values. */
function inserts(name, text, all) {
    const group = random() < 0.2 ? '' : pick(all.filter(([, node]) => node.type === 'group'))[0];
    const top = (group ? `${group}.` : '') + 'zz_new', key = top + pick(['', '.inner', '.inner.deep']);
    const {text: changed, line} = setValue(text, key, 1.5), now = find(changed, key);
    expect(now.value === 1.5 && now.line === line, `${name} ${key}: not in line ${line}`);
    expect(isSame(plain(parse(removeKey(changed, top).text)), plain(parse(text))), `${name} ${key}: others changed`);
}

/* Items of a list are added, copied and removed, and the others keep their values. */
function lists(name, text, path, node) {
    const item = {name: 'new', position: [1, 2.5, 3]}, added = addItem(text, path, item), now = find(added.text, path).value;
    expect(now.length === node.items.length + 1 && isSame(now[added.index], item), `${name} ${path}: not added`);
    expect(isSame(plain(parse(removeItem(added.text, `${path}[${added.index}]`).text)), plain(parse(text))),
           `${name} ${path}: others changed`);
    node.items.forEach((_, i) => {
        const wanted = plain(node).filter((__, k) => k !== i), copy = {...plain(node)[i], name: 'copy'};
        expect(isSame(find(removeItem(text, `${path}[${i}]`).text, path).value, wanted), `${name} ${path}[${i}]: not removed`);
        const copied = find(duplicate(text, `${path}[${i}]`, {name: 'copy'}).text, path).value.at(-1);
        expect(isSame(Object.entries(copied).sort(), Object.entries(copy).sort()), `${name} ${path}[${i}]: not copied`);
    });
}

for (const [name, text] of texts) {
    const tokens = lex(text), all = paths(parse(text));
    expect(tokens.map(({start, end}) => text.slice(start, end)).join('') === text, `${name}: tokens leave text out`);
    expect(!tokens.some(({type}) => type === 'wrong'), `${name}: an unknown token`);
    for (let i = 0; i < 100; i++)
        replaces(name, text, all);
    for (let i = 0; i < 30; i++)
        inserts(name, text, all);
    for (const [path, node] of all)
        if (node.type === 'list' && node.items.length && node.items[0].type === 'group')
            lists(name, text, path, node);
}
return {count, mistakes};
