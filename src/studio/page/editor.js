/* SPDX-License-Identifier: MIT */
/* The tab File: the room file as text. A text area lies over the coloured lines, which carry numbers and marks. */
import {openDialog} from './dialogs.js';
import {announce, make} from './dom.js';
import {action, messageOf} from './fields.js';
import {saveFile, saveFileAs} from './files.js';
import {differenceView} from './line_diff.js';
import {lex, lineOf} from './room_syntax.js';
import {store} from './store.js';
import {addTab, isShown} from './tabs.js';

const TYPING = 300;        /* ms without a key until the text is taken over */
const COLOURED_MAX = 3000; /* lines above which colours are left out */
const INDENT = '  ';

let area, lines, problem, buttons, scroller;
let timer = 0, isLeaving = false, drawn = null;

/* ---- Lines under the text ---- */

/* Tokens cut at line ends: a list of [type, text] for each line. */
function tokensByLine(text) {
    const result = [[]];
    const put = (type, part) => part.split('\n').forEach((piece, i) => {
        if (i)
            result.push([]);
        if (piece)
            result[result.length - 1].push([type, piece]);
    });
    for (const {type, start, end} of lex(text))
        put(type, text.slice(start, end));
    return result;
}

function drawLines(text) {
    const isLong = text.length > 100 * COLOURED_MAX || text.split('\n').length > COLOURED_MAX;
    const rows = isLong ? text.split('\n').map(line => [['plain', line]]) : tokensByLine(text);
    lines.replaceChildren(...rows.map(tokens => make('div', {class: 'text-line'},
        ...tokens.map(([type, part]) => type === 'space' || type === 'plain' ? part : make('span',
            {class: `t-${type}`, text: part})),
        '\u200b')));
    lines.style.setProperty('--digits', String(Math.max(2, String(rows.length).length)));
    drawn = text;
}

function mark() {
    const {error, changedLine} = store.state;
    for (const row of lines.querySelectorAll('.changed, .wrong'))
        row.classList.remove('changed', 'wrong');
    if (changedLine)
        lines.children[changedLine - 1]?.classList.add('changed');
    if (error && error.line)
        lines.children[error.line - 1]?.classList.add('wrong');
}

function showProblem() {
    const {error} = store.state;
    problem.hidden = !error;
    area.setAttribute('aria-invalid', String(Boolean(error)));
    if (!error)
        return;
    problem.replaceChildren(make('p', {text: `${error.line ? `Line ${error.line}: ` : ''}${messageOf(error)}`}));
    if (error.line)
        problem.append(action(`Go to line ${error.line}`, () => goTo(error.line)));
}

function scrollToLine(line) {
    const row = lines.children[line - 1];
    if (row)
        scroller.scrollTo(0, row.offsetTop - scroller.clientHeight / 2);
}

/* Puts the cursor at the beginning of a line. */
function goTo(line) {
    let at = 0;
    for (let i = 1; i < line; i++)
        at = area.value.indexOf('\n', at) + 1;
    area.focus({preventScroll: true});
    area.setSelectionRange(at, at);
    scrollToLine(line);
}

/* ---- Typing ---- */

function take() {
    clearTimeout(timer);
    timer = 0;
    if (area.value !== store.state.text)
        store.edit(area.value, {label: 'typing', merge: 'typing', line: lineOf(area.value, area.selectionStart)});
}

function typed() {
    if (!store.variant())
        return;
    drawLines(area.value);
    clearTimeout(timer);
    timer = setTimeout(take, TYPING);
}

function insert(text) {
    if (!document.execCommand('insertText', false, text)) {
        area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
        typed();
    }
}

function pressed(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
        take();
        if (key === 'z' || key === 'y') {
            event.preventDefault();
            (key === 'y' || event.shiftKey ? store.redo : store.undo)();
        }
    } else if (key === 'escape') {
        isLeaving = true;
        announce('Tab leaves the text');
    } else if (key === 'tab' && !isLeaving && !event.shiftKey) {
        event.preventDefault();
        insert(INDENT);
    } else if (key !== 'tab' && key !== 'shift') {
        isLeaving = false;
    }
}

/* ---- The text as others change it ---- */

function showText() {
    const {text} = store.state;
    if (timer)
        return; /* the next take-over wins */
    if (area.value !== text) {
        const {selectionStart, selectionEnd} = area, isFocused = document.activeElement === area;
        area.value = text;
        if (isFocused)
            area.setSelectionRange(selectionStart, selectionEnd);
    }
    if (isShown('file')) {
        if (drawn !== text)
            drawLines(text);
        mark();
        if (document.activeElement !== area && store.state.changedLine)
            scrollToLine(store.state.changedLine);
    }
    showButtons();
}

function showButtons() {
    const {file, text, savedText} = store.state, isDirty = Boolean(file) && text !== savedText;
    buttons.save.disabled = buttons.saveAs.disabled = !file;
    buttons.revert.disabled = buttons.differences.disabled = !isDirty;
    area.readOnly = !file;
}

function shown() {
    showText();
    showProblem();
}

function showDifferences() {
    const {text, savedText} = store.state;
    openDialog('Differences to the saved file', {class: 'wide'}, differenceView(savedText, text));
}

function revert() {
    store.edit(store.state.savedText, {label: 'revert to saved', now: true});
    announce('Reverted to the saved file; Undo brings the changes back');
}

export function mountEditor() {
    const page = addTab('file', 'File', () => shown());
    page.classList.add('editor');
    area = make('textarea', {'aria-label': 'Room file', 'aria-describedby': 'editor-help', spellcheck: 'false',
        wrap: 'off',
                             autocapitalize: 'off', autocomplete: 'off',
                             on: {input: typed, keydown: pressed, blur: take, focus: () => {
                                 isLeaving = false;
                             }}});
    lines = make('div', {class: 'text-lines', 'aria-hidden': 'true'});
    scroller = make('div', {class: 'text-scroll'}, make('div', {class: 'text-stack'}, lines, area));
    problem = make('div', {class: 'problem', role: 'status', hidden: true});
    buttons = {
        save: action('Save', () => saveFile()), saveAs: action('Save as …', () => saveFileAs()),
        revert: action('Revert', revert, {title: 'Revert to the saved file'}),
            differences: action('Differences', showDifferences),
    };
    page.append(make('div', {class: 'actions'}, ...Object.values(buttons)), scroller, problem,
                make('p', {class: 'muted small', id: 'editor-help',
                           text: 'Tab indents. Press Escape, then Tab, to leave the text.'}));
    for (const name of ['text', 'variants', 'files'])
        store.on(name, showText);
    store.on('error', () => {
        showProblem();
        mark();
    });
    showButtons();
}
