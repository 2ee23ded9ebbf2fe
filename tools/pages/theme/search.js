/* SPDX-License-Identifier: MIT */
// Full-text search without a server: `sections` is the index that tools/site writes.
(() => {
    const field = document.querySelector('.search input'), list = document.querySelector('.found');
    const root = document.body.dataset.root.replace(/\/?$/, '/');

    // Sections with every word, best first. A word counts most in the heading, then in the title of the page, then by
    // its density in the text. Guide and reference come before the rest.
    const search = words => {
        const found = [];
        for (const [heading, page, address, text] of sections) {
            const head = heading.toLowerCase(), title = page.toLowerCase(), body = text.toLowerCase();
            let score = 0;
            for (const word of words) {
                const times = Math.min(body.split(word).length - 1, 5);
                const value = (head === word) * 40 + head.includes(word) * 20 + title.includes(word) * 5 + times + 500 * times / (body.length + 100);
                if (!value) { score = 0; break; }
                score += value;
            }
            score *= /^(docs.guide|rooms|reference)/.test(address) ? 2 : 1;
            if (score) found.push({heading, page, address, text, score});
        }
        return found.sort((a, b) => b.score - a.score).slice(0, 12);
    };

    // The text around the first word.
    const excerpt = (text, words) => {
        const at = Math.max(0, Math.min(...words.map(word => text.toLowerCase().indexOf(word)).filter(i => i >= 0)));
        if (!isFinite(at)) return '';
        const start = at < 50 ? 0 : text.indexOf(' ', at - 50) + 1;
        return (start ? '… ' : '') + text.slice(start, start + 130) + (start + 130 < text.length ? ' …' : '');
    };

    const line = (name, text) => {
        const made = document.createElement(name);
        made.textContent = text;
        return made;
    };

    const show = () => {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        list.replaceChildren();
        list.hidden = !words.length;
        if (!words.length) return;
        for (const {heading, page, address, text} of search(words)) {
            const link = document.createElement('a');
            link.href = root + address;
            link.append(heading, line('small', page === heading ? '' : page), line('small', excerpt(text, words)));
            list.append(link);
        }
        if (!list.firstChild) list.textContent = 'Nothing found.';
    };
    field.addEventListener('input', show);
    field.form.addEventListener('submit', event => {
        event.preventDefault();
        const first = list.querySelector('a');
        if (first) location.href = first.href;
    });
    list.addEventListener('click', () => { list.hidden = true; field.value = ''; });
    document.addEventListener('keydown', event => {
        if (event.key === '/' && document.activeElement !== field) { event.preventDefault(); field.focus(); }
        if (event.key === 'Escape') { list.hidden = true; field.blur(); }
    });
    const contents = document.querySelector('nav.pages details');
    if (matchMedia('(min-width: 62rem)').matches) contents.open = true;
    const here = contents.querySelector('[aria-current]');
    if (here && contents.open) here.scrollIntoView({block: 'nearest'});
})();
