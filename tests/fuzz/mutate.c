/* SPDX-License-Identifier: MIT */
#include "fuzz/mutate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-' || c == '+';
}

/* A random word, or a single other letter. */
static void pick_token(struct random *r, const struct text *t, size_t *start, size_t *length)
{
    *start = *length = 0;
    if (!t->length)
        return;
    size_t at = random_between(r, 0, t->length - 1), end = at + 1;
    if (is_word(t->bytes[at])) {
        while (at > 0 && is_word(t->bytes[at - 1]))
            at--;
        while (end < t->length && is_word(t->bytes[end]))
            end++;
    }
    *start = at;
    *length = end - at;
}

static void pick_number(struct random *r, const struct text *t, size_t *start, size_t *length)
{
    for (int attempt = 0; attempt < 50; attempt++) {
        pick_token(r, t, start, length);
        char c = *length ? t->bytes[*start] : 'a';
        if ((c >= '0' && c <= '9') || c == '-')
            return;
    }
}

static void pick_line(struct random *r, const struct text *t, size_t *start, size_t *length)
{
    *start = *length = 0;
    if (!t->length)
        return;
    size_t at = random_between(r, 0, t->length - 1), end = at;
    while (at > 0 && t->bytes[at - 1] != '\n')
        at--;
    while (end < t->length && t->bytes[end] != '\n')
        end++;
    *start = at;
    *length = end - at + (end < t->length);
}

static void pick_span(struct random *r, const struct text *t, size_t *start, size_t *length)
{
    *start = random_between(r, 0, t->length);
    size_t max = t->length - *start, wanted = random_between(r, 1, random_bits(r) & 1 ? 4 : 200);
    *length = wanted < max ? wanted : max;
}

/* bytes[start .. start + length) gives way to `with`. */
static void replace(struct text *t, size_t start, size_t length, const char *with, size_t with_length)
{
    if (t->length - length + with_length > MUTATED_MAX)
        return;
    char *bytes = malloc(t->length - length + with_length + 1);
    if (!bytes)
        abort();
    memcpy(bytes, t->bytes, start);
    memcpy(bytes + start, with, with_length);
    memcpy(bytes + start + with_length, t->bytes + start + length, t->length - start - length);
    free(t->bytes);
    t->bytes = bytes;
    t->length += with_length - length;
    bytes[t->length] = '\0';
}

void mutate(struct random *r, struct text *t, const struct mutation_material *m)
{
    const struct text *other = &m->texts[random_between(r, 0, m->count - 1)];
    const char *bad = m->poison[random_between(r, 0, m->poison_count - 1)];
    size_t start, length, from, from_length;
    char *copy, number[32];
    switch (random_between(r, 0, 14)) {
    case 0: /* a flipped bit */
        if (t->length)
            t->bytes[random_between(r, 0, t->length - 1)] ^= (char)(1 << random_between(r, 0, 7));
        return;
    case 1: /* any byte */
        if (t->length)
            t->bytes[random_between(r, 0, t->length - 1)] = (char)random_between(r, 0, 255);
        return;
    case 2: /* something is missing */
        pick_span(r, t, &start, &length);
        replace(t, start, length, "", 0);
        return;
    case 3: /* something is there twice */
        pick_span(r, t, &start, &length);
        copy = malloc(length + 1);
        if (!copy)
            abort();
        memcpy(copy, t->bytes + start, length);
        replace(t, start, 0, copy, length);
        free(copy);
        return;
    case 4: /* a word of another file in the place of one */
        pick_token(r, t, &start, &length);
        pick_token(r, other, &from, &from_length);
        replace(t, start, length, other->bytes + from, from_length);
        return;
    case 5:
    case 6:
    case 7: /* a bad number */
        pick_number(r, t, &start, &length);
        replace(t, start, length, bad, strlen(bad));
        return;
    case 8: /* cut off */
        start = random_between(r, 0, t->length);
        replace(t, start, t->length - start, "", 0);
        return;
    case 9: /* something that does not belong */
        pick_token(r, t, &start, &length);
        replace(t, start, 0, bad, strlen(bad));
        return;
    case 10: /* a line of another file */
        pick_line(r, t, &start, &length);
        pick_line(r, other, &from, &from_length);
        replace(t, start, random_bits(r) & 1 ? length : 0, other->bytes + from, from_length);
        return;
    case 11:
    case 12:
    case 13: /* a number that could be meant */
        pick_number(r, t, &start, &length);
        snprintf(number, sizeof number, "%.*g", (int)random_between(r, 1, 17), 12.0 * random_unit(r) - 1.0);
        replace(t, start, length, number, strlen(number));
        return;
    default: /* a line less */
        pick_line(r, t, &start, &length);
        replace(t, start, length, "", 0);
        return;
    }
}

const char *failure_fault(const struct error *e)
{
    if (e->code != ERROR_INPUT && e->code != ERROR_MEMORY)
        return "the code of the error is neither ERROR_INPUT nor ERROR_MEMORY";
    if (!*e->message)
        return "the message is empty";
    if (!memchr(e->message, '\0', sizeof e->message))
        return "the message does not end";
    for (const char *at = e->message; *at; at++) {
        if (*at == '\n' && (at == e->message || at[-1] == '\n' || !at[1]))
            return "a line of the message is empty";
        if (*at != '\n' && ((unsigned char)*at < ' ' || *at == 127))
            return "the message holds a control character";
    }
    return NULL;
}
