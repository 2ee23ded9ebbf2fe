/* SPDX-License-Identifier: MIT */
#include "io/sofa/wire.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURE_MAX = 1023 };

static const uint64_t magic = 0x736f6661766f7831u;

/* First the header, then either the failure, or the attributes and the variables. Texts come as length and bytes. */
struct header {
    uint64_t magic, failure; /* bytes of the message; 0: a document */
    uint64_t attributes, variables;
};

struct variable_header {
    uint64_t attributes, rank, extent[SOFA_RANK_MAX];
    char letters[8];
};

struct wire {
    int pipe;
    double deadline;
    const char *path;
    struct error *e;
};

static int put_text(int pipe, const char *text)
{
    const uint64_t length = strlen(text);
    return wire_put(pipe, &length, sizeof length) || wire_put(pipe, text, length) ? -1 : 0;
}

static int put_attributes(int pipe, const struct sofa_attributes *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (put_text(pipe, a->list[i].name) || put_text(pipe, a->list[i].text))
            return -1;
    return 0;
}

static int put_variable(int pipe, const struct sofa_variable *v)
{
    struct variable_header h = {.attributes = v->attributes.count, .rank = (uint64_t)v->rank};
    for (int i = 0; i < v->rank; i++)
        h.extent[i] = v->extent[i];
    memcpy(h.letters, v->letters, sizeof v->letters);
    return wire_put(pipe, &h, sizeof h) || put_text(pipe, v->name) || put_attributes(pipe, &v->attributes) ||
                   wire_put(pipe, v->values, sofa_variable_size(v) * sizeof *v->values)
               ? -1
               : 0;
}

int sofa_wire_write(int pipe, const struct sofa_document *d, const struct error *failure)
{
    struct header h = {.magic = magic, .attributes = d->attributes.count, .variables = d->variable_count};
    if (failure) {
        h.failure = strnlen(failure->message, FAILURE_MAX);
        h.failure += h.failure == 0;
        return wire_put(pipe, &h, sizeof h) || wire_put(pipe, failure->message, h.failure) ? -1 : 0;
    }
    if (wire_put(pipe, &h, sizeof h) || put_attributes(pipe, &d->attributes))
        return -1;
    for (size_t i = 0; i < d->variable_count; i++)
        if (put_variable(pipe, &d->variables[i]))
            return -1;
    return 0;
}

static enum wire_status get(const struct wire *w, void *bytes, size_t count)
{
    return wire_get(w->pipe, w->deadline, bytes, count);
}

static enum wire_status refuse(const struct wire *w, const char *why)
{
    fail(w->e, ERROR_INPUT, "%s: the reading process returned an invalid SOFA document: %s", w->path, why);
    return WIRE_REFUSED;
}

/* The limits of a document were passed, or memory is out: *e says which, without the file. */
static enum wire_status refuse_more(const struct wire *w)
{
    struct error why = *w->e;
    fail(w->e, why.code, "%s: %.900s", w->path, why.message);
    return WIRE_REFUSED;
}

/* A fresh text in *text, NULL on failure. */
static enum wire_status get_text(const struct wire *w, char **text)
{
    uint64_t length = 0;
    *text = NULL;
    enum wire_status s = get(w, &length, sizeof length);
    if (s)
        return s;
    if (length > SOFA_TEXT_MAX)
        return refuse(w, "a text is too long");
    *text = calloc(length + 1, 1);
    if (!*text) {
        fail(w->e, ERROR_MEMORY, "out of memory");
        return WIRE_REFUSED;
    }
    if ((s = get(w, *text, length))) {
        free(*text);
        *text = NULL;
    }
    return s;
}

static enum wire_status get_attributes(const struct wire *w, uint64_t count, struct sofa_attributes *a)
{
    enum wire_status s = WIRE_DONE;
    for (uint64_t i = 0; i < count && !s; i++) {
        char *name, *text = NULL;
        if (!(s = get_text(w, &name)))
            s = get_text(w, &text);
        if (!s && sofa_add_attribute(a, name, text, w->e))
            s = refuse_more(w);
        free(name);
        free(text);
    }
    return s;
}

static enum wire_status get_variable(const struct wire *w, struct sofa_document *d)
{
    struct variable_header h;
    struct sofa_variable *v;
    char *name;
    size_t extent[SOFA_RANK_MAX];
    enum wire_status s = get(w, &h, sizeof h);
    if (s)
        return s;
    if (h.attributes > SOFA_ITEMS_MAX || h.rank < 1 || h.rank > SOFA_RANK_MAX ||
        strnlen(h.letters, sizeof h.letters) != h.rank)
        return refuse(w, "the shape of an array is wrong");
    for (uint64_t i = 0; i < h.rank; i++)
        extent[i] = h.extent[i];
    if ((s = get_text(w, &name)))
        return s;
    const int failed = sofa_add_variable(d, &v, name, h.letters, extent, w->e);
    free(name);
    if (failed)
        return refuse_more(w);
    if ((s = get_attributes(w, h.attributes, &v->attributes)))
        return s;
    return get(w, v->values, sofa_variable_size(v) * sizeof *v->values);
}

static enum wire_status get_failure(const struct wire *w, size_t length)
{
    char message[FAILURE_MAX + 1] = "";
    const enum wire_status s = get(w, message, length);
    if (s)
        return s;
    wire_clean(message);
    fail(w->e, ERROR_INPUT, "%s: %s", w->path, message);
    return WIRE_DONE;
}

enum wire_status sofa_wire_read(int pipe, double deadline, const char *path, struct sofa_document *d, bool *failed,
                                struct error *e)
{
    const struct wire w = {pipe, deadline, path, e};
    struct header h;
    enum wire_status s = get(&w, &h, sizeof h);
    if (s)
        return s;
    *failed = h.failure > 0;
    if (h.magic != magic || h.failure > FAILURE_MAX || h.attributes > SOFA_ITEMS_MAX || h.variables > SOFA_ITEMS_MAX)
        return refuse(&w, "its sizes are wrong");
    if (*failed)
        return get_failure(&w, h.failure);
    s = get_attributes(&w, h.attributes, &d->attributes);
    for (uint64_t i = 0; i < h.variables && !s; i++)
        s = get_variable(&w, d);
    return s;
}
