/* SPDX-License-Identifier: MIT */
#include "geometry/mesh_materials.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sanitize_text.h"
#include "base/stop.h"
#include "base/text.h"
#include "geometry/mesh.h"

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

enum { TOLD = 20, SUGGESTIONS = 3 };
static const char not_utf8[] = "\xEF\xBF\xBD"; /* U+FFFD, by which names have such bytes replaced */

static double triangle_area(const struct mesh *m, const struct triangle *t)
{
    const double *p = m->vertices[t->vertex[0]], *q = m->vertices[t->vertex[1]], *r = m->vertices[t->vertex[2]];
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        const double n = (q[u] - p[u]) * (r[v] - p[v]) - (q[v] - p[v]) * (r[u] - p[u]);
        square += n * n;
    }
    return 0.5 * sqrt(square);
}

void mesh_areas(const struct mesh *m, double *areas)
{
    for (size_t i = 0; i < m->material_count; i++)
        areas[i] = 0.0;
    for (size_t t = 0; t < m->triangle_count; t++)
        areas[m->triangles[t].material] += triangle_area(m, &m->triangles[t]);
}

/* A name without a matching pattern. */
struct unmatched {
    size_t index;
    double area;
};

static int by_area(const void *a, const void *b)
{
    const struct unmatched *x = a, *y = b;
    if (x->area != y->area)
        return x->area > y->area ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void tell_name(struct growing_text *text, const char *name, double area, const struct mesh_naming *n)
{
    char shown[QUOTED];
    size_t meant[SUGGESTIONS];
    growing_text_add(text, "\n  \"%s\"%s, %.4g m2", quoted(shown, name), *name ? "" : " (faces without a name)", area);
    const size_t count = *name ? text_meant(meant, SUGGESTIONS, name, n->aliases, n->library, n->library_count) : 0;
    for (size_t i = 0; i < count; i++)
        growing_text_add(text, "%s%s", i ? ", " : ": perhaps ", quoted(shown, n->library[meant[i]]));
}

static int tell(const struct mesh *m, const struct mesh_naming *n, struct unmatched *names, size_t count,
                struct error *e)
{
    struct growing_text text = {0};
    qsort(names, count, sizeof *names, by_area);
    growing_text_add(&text,
                     "%s: no pattern matches %zu name%s of the model; add { name = \"..\"; material = \"..\"; } "
                     "for:",
                     sanitize_name(n->where), count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count && i < TOLD; i++)
        tell_name(&text, m->materials[names[i].index], names[i].area, n);
    if (count > TOLD)
        growing_text_add(&text, "\n  and %zu more", count - TOLD);
    for (size_t i = 0; i < count && i < TOLD; i++)
        if (strstr(m->materials[names[i].index], not_utf8)) {
            growing_text_add(&text,
                             "\n  %s stands for a byte that is not UTF-8, which ? matches; the file may be Latin-1",
                             not_utf8);
            break;
        }
    char *message = growing_text_take(&text, NULL);
    const int status = message ? fail_lines(e, ERROR_INPUT, message) : fail(e, ERROR_MEMORY, "out of memory");
    free(message);
    return status;
}

/* A pattern with a ? after a * takes longer than others (name_matches). */
static bool any_is_slow(const struct mesh_naming *n)
{
    bool slow = false;
    for (size_t p = 0; p < n->pattern_count && !slow; p++) {
        const char *star = strchr(n->patterns[p], '*');
        slow = star && strchr(star, '?');
    }
    return slow;
}

/* SIZE_MAX: none matches. A pattern takes at most 0.3 ms, so stop requests are checked between two
 * patterns. */
static int first_match(const struct mesh_naming *n, const char *name, uint64_t *comparisons, size_t *pattern,
                       struct error *e)
{
    *pattern = SIZE_MAX;
    for (size_t p = 0; p < n->pattern_count && *pattern == SIZE_MAX; p++) {
        if (stop_check(e))
            return -1;
        if (*comparisons > MESH_COMPARISONS_MAX)
            return fail(e, ERROR_INPUT,
                        "%s: matching these patterns against the names in the model takes too long; use fewer, or %s",
                        n->where, any_is_slow(n) ? "patterns without ? after *" : "shorter patterns");
        if (name_matches(n->patterns[p], name, comparisons))
            *pattern = p;
    }
    return 0;
}

static int check_lengths(const struct mesh_naming *n, struct error *e)
{
    char shown[QUOTED];
    for (size_t p = 0; p < n->pattern_count; p++)
        if (strlen(n->patterns[p]) > MESH_NAME_MAX)
            return fail(e, ERROR_INPUT,
                        "%s: \"%s\" is longer than the %d bytes that a name in a model may have; shorten it", n->where,
                        quoted(shown, n->patterns[p]), MESH_NAME_MAX);
    return 0;
}

static bool *names_used(const struct mesh *m)
{
    bool *used = calloc(m->material_count + 1, sizeof *used);
    for (size_t t = 0; used && t < m->triangle_count; t++)
        used[m->triangles[t].material] = true;
    return used;
}

int mesh_match_materials(const struct mesh *m, const struct mesh_naming *n, size_t *pattern_of, size_t *matched,
                         struct error *e)
{
    int status = check_lengths(n, e);
    size_t count = 0;
    uint64_t comparisons = 0;
    bool *used = names_used(m);
    double *areas = calloc(m->material_count + 1, sizeof *areas);
    struct unmatched *names = calloc(m->material_count + 1, sizeof *names);
    if (!status && (!used || !areas || !names))
        status = fail(e, ERROR_MEMORY, "%s: out of memory", n->where);
    if (status)
        goto done;
    mesh_areas(m, areas);
    for (size_t p = 0; matched && p < n->pattern_count; p++)
        matched[p] = 0;
    for (size_t i = 0; i < m->material_count; i++) {
        status = first_match(n, m->materials[i], &comparisons, &pattern_of[i], e);
        if (status)
            goto done;
        if (pattern_of[i] == SIZE_MAX && used[i])
            names[count++] = (struct unmatched){i, areas[i]};
        else if (pattern_of[i] != SIZE_MAX && matched)
            matched[pattern_of[i]]++;
    }
    if (count)
        status = tell(m, n, names, count, e);
done:
    free(used);
    free(areas);
    free(names);
    return status;
}
