/* SPDX-License-Identifier: MIT */
/* Checks names: permitted characters, and no name twice. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "room/reader.h"

enum { LONGEST_NAME = 64 };
static const char marks[] = "-_. ";

static int by_name(const void *a, const void *b)
{
    const struct named *left = a, *right = b;
    return strcmp(left->name, right->name);
}

static bool is_plain(uint32_t letter)
{
    return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
}

/* Letters of any script; not general punctuation (invisible and directional marks), private use or noncharacters. */
static bool is_foreign(uint32_t letter)
{
    return letter > 0xA0 && !(letter >= 0x2000 && letter <= 0x206F) && !(letter >= 0xE000 && letter <= 0xF8FF) &&
           !(letter >= 0xFE00 && letter <= 0xFE0F) && letter != 0xFEFF && !(letter >= 0xFFF0 && letter <= 0xFFFF) &&
           letter < 0xE0000;
}

/* The number of characters; 0 if the name contains forbidden ones. */
static size_t letters_of(const char *name, bool in_file_names)
{
    size_t count = 0;
    uint32_t letter;
    for (; *name; count++) {
        const size_t length = text_letter(name, &letter);
        const bool mark = length == 1 && (in_file_names ? strchr(marks, *name) != NULL : letter >= ' ' && letter < 127);
        if (!length || (!mark && !is_plain(letter) && !is_foreign(letter)))
            return 0;
        name += length;
    }
    return count;
}

static int check_name(struct reader *r, const char *what, size_t index, bool in_file_names, const struct named *given)
{
    char text[QUOTED];
    const char *name = given->name;
    const size_t letters = letters_of(name, in_file_names);
    if (letters > LONGEST_NAME)
        return reader_refuse_at(r, given->origin, "%s[%zu].name: is longer than %d characters", what, index,
                                (int)LONGEST_NAME);
    if (in_file_names && (!letters || !strcmp(name, ".") || !strcmp(name, "..")))
        return reader_refuse_at(r, given->origin,
                                "%s[%zu].name: \"%s\" cannot be part of a file name; use letters, digits, -, _, . and "
                                "spaces",
                                what, index, quoted(text, name));
    if (!letters)
        return reader_refuse_at(r, given->origin, "%s[%zu].name: \"%s\" %s; use letters, digits and punctuation", what,
                                index, quoted(text, name), *name ? "is not readable text" : "is empty");
    return 0;
}

static int refuse_taken(struct reader *r, const char *what, const struct named *first, const struct named *later)
{
    char where[512], text[QUOTED];
    origin_text(first->origin, "", where, sizeof where);
    return reader_refuse_at(r, later->origin, "%s: the name \"%s\" is already used (%s); choose another", what,
                            quoted(text, later->name), where);
}

int check_names(struct reader *r, const char *what, bool in_file_names, const struct named *given, size_t count)
{
    size_t named = 0;
    int result = 0;
    struct named *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted)
        return reader_no_memory(r);
    for (size_t i = 0; i < count && !result; i++) {
        if (!given[i].name || reader_found_wrong(r, given[i].item))
            continue;
        if (!check_name(r, what, i, in_file_names, &given[i]))
            sorted[named++] = given[i];
        else
            result = reader_goes_on(r) ? 0 : -1;
    }
    qsort(sorted, named, sizeof *sorted, by_name);
    for (size_t i = 1; i < named && !result; i++)
        if (!strcmp(sorted[i].name, sorted[i - 1].name)) {
            /* `origin` points into an array in the order of the file: the later name is refused */
            const bool swapped = sorted[i].origin < sorted[i - 1].origin;
            result =
                refuse_taken(r, what, &sorted[swapped ? i : i - 1], &sorted[swapped ? i - 1 : i]) && !reader_goes_on(r)
                    ? -1
                    : 0;
        }
    free(sorted);
    return result;
}
