/* SPDX-License-Identifier: MIT */
#include "geometry/name_pattern.h"

#include <string.h>

#include "base/text.h"

/* The letters of a pattern between two *, and the end of the name that they are looked for in. */
struct part {
    const char *letters;
    size_t bytes;
    const char *name_end;
    uint64_t *comparisons;
};

static size_t letter_bytes(const char *text)
{
    uint32_t letter;
    const size_t n = text_letter(text, &letter);
    return n ? n : 1;
}

static const char *skip_letter(const char *text)
{
    return text + letter_bytes(text);
}

/* The end of the part where it stands at the beginning of `name`; NULL: it does not. */
static const char *match_part(const struct part *p, const char *name)
{
    for (size_t i = 0; i < p->bytes; i++) {
        ++*p->comparisons;
        if (!*name || (p->letters[i] != '?' && p->letters[i] != *name))
            return NULL;
        name += p->letters[i] == '?' ? letter_bytes(name) : 1;
    }
    return name;
}

/* The end of the first place in `name` where the part stands; NULL: there is none. In UTF-8 no letter begins within
 * another, so bytes can be searched for. */
static const char *find_part(const struct part *p, const char *name)
{
    if (!memchr(p->letters, '?', p->bytes)) {
        const char *found = memmem(name, (size_t)(p->name_end - name), p->letters, p->bytes);
        *p->comparisons += p->bytes + (size_t)((found ? found : p->name_end) - name);
        return found ? found + p->bytes : NULL;
    }
    const char *end = NULL;
    for (; !end && (size_t)(p->name_end - name) >= p->bytes; name = skip_letter(name))
        end = match_part(p, name);
    return end;
}

/* Whether `name` ends with the part. */
static bool ends_with(const struct part *p, const char *name)
{
    size_t more = 0; /* letters of the name before the part */
    *p->comparisons += (size_t)(p->name_end - name);
    for (const char *at = name; *at; at = skip_letter(at))
        more++;
    for (const char *at = p->letters; *at; at = skip_letter(at), more--)
        if (!more)
            return false;
    for (; more; more--)
        name = skip_letter(name);
    const char *end = match_part(p, name);
    return end && !*end;
}

/* An earlier place of a part leaves more of the name for the next, so the first place of each is the one to take. */
bool name_matches(const char *pattern, const char *name, uint64_t *comparisons)
{
    struct part p = {pattern, strcspn(pattern, "*"), name + strlen(name), comparisons};
    ++*comparisons;
    name = match_part(&p, name);
    while (name && p.letters[p.bytes]) {
        p.letters += p.bytes;
        p.letters += strspn(p.letters, "*");
        p.bytes = strcspn(p.letters, "*");
        if (!p.letters[p.bytes])
            return ends_with(&p, name);
        name = find_part(&p, name);
    }
    return name && !*name;
}
