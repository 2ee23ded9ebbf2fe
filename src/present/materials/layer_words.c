/* SPDX-License-Identifier: MIT */
#include "present/materials/layer_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "room/room.h"

enum { VALUES_MAX = 3, WORDS_MAX = 12, WORD = 40 };

struct value {
    const char *key, *unit; /* of the room file; "m": a length, which needs a unit */
    const char *shown;      /* in --help and messages; NULL: no more values */
    bool optional;
};

/* The values of each kind, in the order of the words. */
static const struct value values[LAYER_KINDS][VALUES_MAX + 1] = {
    [LAYER_AIR] = {{"thickness", "m", "THICKNESS", false}},
    [LAYER_POROUS] = {{"thickness", "m", "THICKNESS", false},
                      {"flow_resistivity", "Pa s/m2", "FLOW_RESISTIVITY", false}},
    [LAYER_PERFORATED] = {{"thickness", "m", "THICKNESS", false},
                          {"hole", "m", "HOLE", false},
                          {"spacing", "m", "SPACING", false}},
    [LAYER_SLOTTED] = {{"thickness", "m", "THICKNESS", false},
                       {"slot", "m", "SLOT", false},
                       {"spacing", "m", "SPACING", false}},
    [LAYER_MEMBRANE] = {{"mass", "kg/m2", "MASS", false}, {"loss", "", "LOSS", true}},
    [LAYER_CLOTH] = {{"flow_resistance", "Pa s/m", "FLOW_RESISTANCE", false}, {"mass", "kg/m2", "MASS", true}},
};
static const char *const examples[LAYER_KINDS] = {
    [LAYER_AIR] = "air 100 mm",
    [LAYER_POROUS] = "porous 50 mm 10000",
    [LAYER_PERFORATED] = "perforated 12 mm 8 mm 32 mm",
    [LAYER_SLOTTED] = "slotted 20 mm 5 mm 100 mm",
    [LAYER_MEMBRANE] = "membrane 7 0.03",
    [LAYER_CLOTH] = "cloth 300",
};

/* The words of one layer, and where its mistakes are reported. */
struct words {
    char word[WORDS_MAX][WORD];
    size_t count, at;
    size_t layer; /* from 1 */
    enum layer_kind kind;
    struct error *error;
};

static enum layer_kind kind_of(const char *word)
{
    enum layer_kind kind = 0;
    while (kind < LAYER_KINDS && strcasecmp(word, layer_kind_names[kind]) != 0)
        kind++;
    return kind;
}

bool layer_words_are(const char *text)
{
    return strpbrk(text, ", \t") || kind_of(text) < LAYER_KINDS;
}

/* "porous THICKNESS FLOW_RESISTIVITY", with the optional ones in brackets. */
static void usage_of(char *text, size_t size, enum layer_kind kind)
{
    size_t used = (size_t)snprintf(text, size, "%s", layer_kind_names[kind]);
    for (const struct value *v = values[kind]; v->shown && used < size; v++)
        used += (size_t)snprintf(text + used, size - used, v->optional ? " [%s]" : " %s", v->shown);
}

void layer_words_print(void)
{
    fputs("\nLayers, from the room to the rigid wall, separated by commas; lengths in mm, cm or m:\n", stdout);
    for (enum layer_kind kind = 0; kind < LAYER_KINDS; kind++) {
        char usage[96];
        if (!examples[kind])
            continue;
        usage_of(usage, sizeof usage, kind);
        printf("  %-40s such as %s\n", usage, examples[kind]);
    }
}

static int refuse(const struct words *w, const char *what)
{
    char usage[96];
    usage_of(usage, sizeof usage, w->kind);
    return fail(w->error, ERROR_USAGE, "layer %zu: %s; expected %s, such as \"%s\"", w->layer, what, usage,
                examples[w->kind]);
}

/* A number at the start of a word, and the rest of the word. */
static bool number_before(const char *word, double *number, const char **rest)
{
    char digits[WORD];
    const size_t length = strlen(word);
    size_t used = length;
    if (!isdigit((unsigned char)*word) && !strchr("+-.", *word))
        return false;
    for (; used > 0; used--) {
        snprintf(digits, sizeof digits, "%.*s", (int)used, word);
        if (!text_number(digits, number))
            break;
    }
    *rest = word + used;
    return used > 0;
}

/* Divided rather than multiplied by 0.001, so that 50 mm is the number that 0.05 in a room file is. */
static bool metres(double *value, const char *unit)
{
    const double divisor = !strcmp(unit, "mm") ? 1000.0 : !strcmp(unit, "cm") ? 100.0 : !strcmp(unit, "m") ? 1.0 : 0.0;
    *value /= divisor > 0.0 ? divisor : 1.0;
    return divisor > 0.0;
}

/* Skips the words of a unit, where they stand. False: another unit stands there. */
static bool skip_unit(struct words *w, const char *unit, const char *rest)
{
    char given[4 * WORD] = "";
    size_t at = w->at, used = (size_t)snprintf(given, sizeof given, "%s", rest);
    for (; at < w->count && isalpha((unsigned char)*w->word[at]) && used < sizeof given; at++)
        used += (size_t)snprintf(given + used, sizeof given - used, "%s%s", used ? " " : "", w->word[at]);
    w->at = at;
    return !*given || !strcmp(given, unit);
}

static int read_value(struct words *w, const struct value *v, struct growing_text *t)
{
    char what[192];
    const char *word = w->word[w->at], *rest;
    double number;
    if (!number_before(word, &number, &rest)) {
        snprintf(what, sizeof what, "\"%s\" is not a number", word);
        return refuse(w, what);
    }
    w->at++;
    if (!strcmp(v->unit, "m")) {
        const char *unit = *rest || w->at == w->count ? rest : w->word[w->at];
        if (!metres(&number, unit)) {
            snprintf(what, sizeof what, "%s %s needs a unit: mm, cm or m", v->shown, word);
            return refuse(w, what);
        }
        w->at += !*rest;
    } else if (!skip_unit(w, v->unit, rest)) {
        snprintf(what, sizeof what, "%s is in %s", v->shown, *v->unit ? v->unit : "no unit: it is a plain number");
        return refuse(w, what);
    }
    growing_text_add(t, " %s = %.16e;", v->key, number);
    return 0;
}

static int read_kind(struct words *w)
{
    static const char *const known[] = {"air", "porous", "perforated", "slotted", "membrane", "cloth"};
    char given[QUOTED], hint[HINT];
    w->kind = w->count ? kind_of(w->word[0]) : LAYER_KINDS;
    if (w->kind < LAYER_KINDS && examples[w->kind])
        return 0;
    if (!w->count)
        return fail(w->error, ERROR_USAGE, "layer %zu: is empty; separate layers by single commas", w->layer);
    if (w->kind == LAYER_TABLE)
        return fail(w->error, ERROR_USAGE, "layer %zu: a table needs a room file: aula material NAME ROOM.cfg",
                    w->layer);
    if (isdigit((unsigned char)*w->word[0]))
        return fail(w->error, ERROR_USAGE,
                    "layer %zu: begins with the number %s; decimals take a point, and each layer begins with its kind",
                    w->layer, w->word[0]);
    text_hint(hint, w->word[0], known, sizeof known / sizeof *known);
    return fail(w->error, ERROR_USAGE, "layer %zu: unknown kind \"%s\"%s", w->layer, quoted(given, w->word[0]),
                *hint ? hint : "; expected air, porous, perforated, slotted, membrane or cloth");
}

static int read_layer(struct words *w, struct growing_text *t)
{
    char what[192];
    if (read_kind(w))
        return -1;
    growing_text_add(t, "%s{ kind = \"%s\";", w->layer > 1 ? ",\n" : "", layer_kind_names[w->kind]);
    w->at = 1;
    for (const struct value *v = values[w->kind]; v->shown && (w->at < w->count || !v->optional); v++) {
        if (w->at == w->count) {
            snprintf(what, sizeof what, "%s is missing", v->shown);
            return refuse(w, what);
        }
        if (read_value(w, v, t))
            return -1;
    }
    if (w->at < w->count) {
        snprintf(what, sizeof what, "\"%s\" is one value too many", w->word[w->at]);
        return refuse(w, what);
    }
    growing_text_add(t, " }");
    return 0;
}

/* The words of a layer, up to the next comma or the end, which *text then points to. */
static int split(struct words *w, const char **text)
{
    for (w->count = 0;; w->count++) {
        *text += strspn(*text, " \t\n");
        const size_t length = strcspn(*text, ", \t\n");
        if (!length)
            return 0;
        if (w->count == WORDS_MAX || length >= WORD)
            return fail(w->error, ERROR_USAGE, "layer %zu: is too long; separate layers by commas", w->layer);
        snprintf(w->word[w->count], WORD, "%.*s", (int)length, *text);
        *text += length;
    }
}

int layer_words_definition(char **definition, const char *words, struct error *e)
{
    struct growing_text t = {0};
    struct words w = {.error = e};
    int status = 0;
    growing_text_add(&t, "materials: { %s = { layers = ( ", LAYER_WORDS_MATERIAL);
    for (const char *at = words; !status && (at == words || *at++ == ',');) {
        w.layer++;
        status = split(&w, &at) || read_layer(&w, &t) ? -1 : 0;
    }
    growing_text_add(&t, " ); }; };\n");
    *definition = growing_text_take(&t, NULL);
    if (!status && !*definition)
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (status) {
        free(*definition);
        *definition = NULL;
    }
    return status;
}
