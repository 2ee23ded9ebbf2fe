/* SPDX-License-Identifier: MIT */
// Headings of all pages that hold every word typed; `headings` is written by tools/site.
(() => {
    const field = document.querySelector('.search input'), list = document.querySelector('.found');
    const root = document.body.dataset.root.replace(/\/?$/, '/');
    const show = () => {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        list.replaceChildren();
        list.hidden = !words.length;
        if (!words.length) return;
        const found = headings.filter(([text, page]) => words.every(word => (text + ' ' + page).toLowerCase().includes(word)));
        found.sort((a, b) => a[0].length - b[0].length);
        for (const [text, page, address] of found.slice(0, 12)) {
            const link = document.createElement('a'), place = document.createElement('small');
            link.href = root + address;
            link.textContent = text;
            place.textContent = page === text ? '' : page;
            link.append(place);
            list.append(link);
        }
        if (!found.length) list.textContent = 'No heading has these words.';
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
