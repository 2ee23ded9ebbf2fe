/* SPDX-License-Identifier: MIT */
/* The syntax of room files, which is libconfig's: a text becomes a tree whose nodes know where they stand. */

export class SyntaxMistake extends Error {
    constructor(message, line) {
        super(message);
        this.line = line;
    }
}

/* One token at a time. The order matters: a comment before punctuation, a float before an integer. */
const TOKEN = new RegExp([
    '(?<space>[ \\t\\r\\n\\f\\v]+)',
    '(?<comment>#[^\\n]*|//[^\\n]*|/\\*[^]*?\\*/)',
    '(?<include>@include[^\\n]*)',
    '(?<string>"(?:[^"\\\\]|\\\\[^])*")',
    '(?<number>[-+]?(?:0[xX][0-9A-Fa-f]+L{0,2}|(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?L{0,2}))',
    '(?<name>[A-Za-z*][-A-Za-z0-9_*]*)',
    '(?<mark>[=:;,(){}\\[\\]])',
].join('|'), 'y');

const BOOLEAN = /^(true|false)$/i;

/* All tokens {type, start, end}, spaces included; what is none has the type 'wrong'. Never fails, so that text under
   work can be coloured. */
export function lex(text) {
    const tokens = [];
    let at = 0;
    while (at < text.length) {
        TOKEN.lastIndex = at;
        const found = TOKEN.exec(text);
        const type = found ? Object.keys(found.groups).find(name => found.groups[name] !== undefined) : 'wrong';
        const end = found ? TOKEN.lastIndex : at + 1;
        tokens.push({type, start: at, end});
        at = end;
    }
    return tokens;
}

export function lineOf(text, position) {
    let line = 1;
    for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1))
        line++;
    return line;
}

const ESCAPES = {n: '\n', r: '\r', t: '\t', f: '\f', a: '\x07', b: '\b', v: '\v', '\\': '\\', '"': '"'};

function unescape(quoted) {
    return quoted.slice(1, -1).replace(/\\x([0-9A-Fa-f]{2})|\\([^])/g, (all, code, letter) =>
        code ? String.fromCharCode(parseInt(code, 16)) : ESCAPES[letter] ?? all);
}

class Reader {
    constructor(text) {
        this.text = text;
        this.tokens = lex(text).filter(token => token.type !== 'space' && token.type !== 'comment');
        this.at = 0;
    }

    get next() {
        return this.tokens[this.at];
    }

    word(token = this.next) {
        return token ? this.text.slice(token.start, token.end) : '';
    }

    fail(expected) {
        const token = this.next, place = token ? token.start : this.text.length;
        const found = token ? `"${this.word().slice(0, 20)}"` : 'the end of the file';
        throw new SyntaxMistake(`${expected} expected in place of ${found}`, lineOf(this.text, place));
    }

    is(mark) {
        return this.next && this.next.type === 'mark' && this.word() === mark;
    }

    take(mark) {
        if (!this.is(mark))
            this.fail(`"${mark}"`);
        return this.tokens[this.at++];
    }

    /* Settings up to `close`, or to the end of the text. */
    settings(group, close) {
        while (this.next && !this.is(close)) {
            if (this.next.type === 'include')
                group.includes.push(/"(.*?)"/.exec(this.word(this.tokens[this.at++]))?.[1] || '');
            else
                group.settings.push(this.setting());
        }
        return group;
    }

    setting() {
        if (!this.next || this.next.type !== 'name')
            this.fail('a key');
        const name = this.tokens[this.at++];
        if (!this.is('=') && !this.is(':'))
            this.fail('"="');
        const mark = this.word(this.tokens[this.at++]);
        const value = this.value();
        let end = value.end, closed = false;
        if (this.is(';') || this.is(',')) {
            end = this.tokens[this.at++].end;
            closed = true;
        }
        return {name: this.word(name), start: name.start, end, mark, value, closed};
    }

    value() {
        const token = this.next;
        if (!token)
            this.fail('a value');
        if (this.is('{'))
            return this.group();
        if (this.is('('))
            return this.list('list', '(', ')');
        if (this.is('['))
            return this.list('array', '[', ']');
        if (token.type === 'string')
            return this.string();
        if (token.type === 'number')
            return this.number();
        if (token.type === 'name' && BOOLEAN.test(this.word())) {
            this.at++;
            return {type: 'boolean', start: token.start, end: token.end,
                value: this.word(token)[0].toLowerCase() === 't'};
        }
        return this.fail('a value');
    }

    group() {
        const start = this.take('{').start;
        const group = this.settings({type: 'group', start, end: start, settings: [], includes: []}, '}');
        group.end = this.take('}').end;
        return group;
    }

    list(type, open, close) {
        const start = this.take(open).start, node = {type, start, end: start, items: []};
        while (!this.is(close)) {
            const item = this.value();
            item.comma = this.is(',') ? this.tokens[this.at++].start : null;
            node.items.push(item);
            if (item.comma === null && !this.is(close))
                this.fail(`"," or "${close}"`);
        }
        node.end = this.take(close).end;
        return node;
    }

    /* Strings that stand side by side are one. */
    string() {
        const start = this.next.start;
        let value = '', end = start;
        while (this.next && this.next.type === 'string') {
            value += unescape(this.word());
            end = this.tokens[this.at++].end;
        }
        return {type: 'string', start, end, value};
    }

    number() {
        const token = this.tokens[this.at++], raw = this.word(token).replace(/L+$/, '');
        const isHex = /^[-+]?0[xX]/.test(raw);
        const value = isHex ? (raw[0] === '-' ? -1 : 1) * parseInt(raw.replace(/^[-+]/, ''), 16) : Number(raw);
        return {type: 'number', start: token.start, end: token.end, value, float: !isHex && /[.eE]/.test(raw)};
    }
}

const kept = new Map(); /* the last few texts and their trees, which several panels ask for */

/* The tree of a text: a node of type 'group'. Throws SyntaxMistake with a line. */
export function parse(text) {
    if (kept.has(text))
        return kept.get(text);
    const reader = new Reader(text);
    const root = reader.settings({type: 'group', start: 0, end: text.length, settings: [], includes: []}, null);
    kept.set(text, root);
    if (kept.size > 6)
        kept.delete(kept.keys().next().value);
    return root;
}

/* A path such as room.objects[2].material as names and numbers. */
export function steps(path) {
    return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) => index ? Number(index) : name);
}

export function childOf(node, step) {
    if (typeof step === 'number')
        return node.items ? node.items[step] || null : null;
    const setting = node.settings && node.settings.find(one => one.name === step);
    return setting ? setting.value : null;
}

/* The value of a node as plain numbers, texts, arrays and objects. */
export function plain(node) {
    if (node.type === 'group')
        return Object.fromEntries(node.settings.map(({name, value}) => [name, plain(value)]));
    return node.items ? node.items.map(plain) : node.value;
}
