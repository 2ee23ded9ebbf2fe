/* SPDX-License-Identifier: MIT */
/* The three formats of tables of absorption. */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "room/tables/material_table.h"

static const char blanks[] = " \t";

static char *trimmed(char *text)
{
    text += strspn(text, blanks);
    for (size_t n = strlen(text); n && strchr(blanks, text[n - 1]);)
        text[--n] = '\0';
    return text;
}

/* ---- CSV ---- */

enum { CELLS = 24 };

/* Splits a line in place; "" within quotes stands for one. *count: of the cells, without empty ones at the end. */
static int split(const struct material_lines *l, char *cell[CELLS], size_t *count, char *line, char separator)
{
    *count = 0;
    for (bool more = true; more;) {
        if (*count == CELLS)
            return material_refuse(l, "has more than %d cells; expected a name and up to eight values", (int)CELLS);
        line += strspn(line, separator == '\t' ? " " : blanks);
        char *to = line, *begin = line;
        if (*line == '"') {
            for (line++; *line && (*line != '"' || line[1] == '"'); line++) {
                line += *line == '"';
                *to++ = *line;
            }
            if (!*line++)
                return material_refuse(l, "a cell begins with \" but does not end on this line; close it");
            line += strspn(line, separator == '\t' ? " " : blanks);
            if (*line && *line != separator)
                return material_refuse(l, "expected %s after the closing \"",
                                       separator == '\t' ? "a tab" : "a separator");
        } else {
            for (; *line && *line != separator; line++)
                to++;
        }
        more = *line != '\0';
        line += more;
        *to = '\0';
        cell[(*count)++] = trimmed(begin);
    }
    while (*count && !*cell[*count - 1])
        --*count;
    return 0;
}

/* The octave of a heading such as 125, "125 Hz", 1k or "1 kHz"; OCTAVE_BANDS: none. */
static size_t octave_of(const char *cell)
{
    char text[32];
    double value;
    size_t length = strcspn(cell, "kKhH");
    const double scale = tolower((unsigned char)cell[length]) == 'k' ? 1000.0 : 1.0;
    const char *rest = cell + length + (scale > 1.0);
    if (length >= sizeof text || (*rest && strcasecmp(rest, "hz") != 0))
        return OCTAVE_BANDS;
    memcpy(text, cell, length);
    text[length] = '\0';
    if (!material_number(&value, trimmed(text)))
        return OCTAVE_BANDS;
    for (size_t k = 0; k < OCTAVE_BANDS; k++)
        if (fabs(scale * value / octave_band_centre[k] - 1.0) <= 0.01)
            return k;
    return OCTAVE_BANDS;
}

static int read_heading(struct material_lines *l, char *const *cell, size_t count)
{
    struct material_table *t = l->table;
    char given[QUOTED];
    t->first = octave_of(cell[1]);
    t->octaves = count - 1;
    for (size_t i = 1; i < count; i++)
        if (octave_of(cell[i]) == OCTAVE_BANDS || octave_of(cell[i]) != t->first + i - 1)
            return material_refuse(l, "column %s: the heading must name successive octaves from 63 to 8000 Hz",
                                   quoted(given, cell[i]));
    return 0;
}

/* Without a heading, eight values are those from 63 Hz to 8 kHz, and six those from 125 Hz to 4 kHz. */
static int guess_octaves(struct material_lines *l, size_t values)
{
    l->table->first = values == 6;
    l->table->octaves = values;
    return values == 6 || values == OCTAVE_BANDS
               ? 0
               : material_refuse(l,
                                 "has %zu values and no heading; give eight from 63 Hz to 8 kHz, or a heading such as "
                                 "name;125;250;500",
                                 values);
}

static int read_csv_row(struct material_lines *l, char *const *cell, size_t count)
{
    const struct material_table *t = l->table;
    double absorption[OCTAVE_BANDS];
    char given[QUOTED], value[QUOTED];
    if (count != t->octaves + 1)
        return material_refuse(l, "%s: has %zu values instead of %zu; write decimals with a point, or separate by ;",
                               quoted(given, count ? cell[0] : ""), count ? count - 1 : 0, t->octaves);
    for (size_t k = 0; k < t->octaves; k++)
        if (!material_number(&absorption[k], cell[k + 1]))
            return material_refuse(l, "%s: %s at %g Hz is no number", quoted(given, cell[0]),
                                   quoted(value, cell[k + 1]), octave_band_centre[t->first + k]);
    return material_add(l, 0, cell[0], absorption, NULL);
}

int material_read_csv(struct material_lines *l)
{
    char *line, *cell[CELLS], separator = '\0';
    size_t count;
    while ((line = material_next_line(l))) {
        if (!line[strspn(line, " \t;,")] || line[strspn(line, blanks)] == '#')
            continue;
        const bool begins = !separator;
        if (begins)
            separator = strchr(line, ';') ? ';' : strchr(line, '\t') ? '\t' : ',';
        if (split(l, cell, &count, line, separator))
            return -1;
        if (begins && count > 1 && octave_of(cell[1]) < OCTAVE_BANDS) {
            if (read_heading(l, cell, count))
                return -1;
            continue;
        }
        if ((begins && guess_octaves(l, count ? count - 1 : 0)) || read_csv_row(l, cell, count))
            return -1;
    }
    return 0;
}

/* ---- CATT ---- */

enum { CATT_OCTAVES = 6 };

/* Reads < v v v v v v >, in percent. *at: at the <, and then behind the >. */
static int read_percent(struct material_lines *l, double values[CATT_OCTAVES], char **at, const char *name)
{
    char given[QUOTED], value[QUOTED], *rest = NULL, *end = strchr(*at, '>');
    size_t count = 0;
    if (!end)
        return material_refuse(l, "%s: < is not closed; end the values with >", quoted(given, name));
    *end = '\0';
    for (char *word = strtok_r(*at + 1, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest), count++) {
        double percent = 0.0;
        if (text_number(word, &percent))
            return material_refuse(l, "%s: %s is no number", quoted(given, name), quoted(value, word));
        if (count < CATT_OCTAVES)
            values[count] = percent / 100.0;
    }
    *at = end + 1 + strspn(end + 1, blanks);
    return count == CATT_OCTAVES
               ? 0
               : material_refuse(l, "%s: has %zu values in < > instead of six, percent from 125 Hz to 4 kHz",
                                 quoted(given, name), count);
}

static int read_catt_row(struct material_lines *l, char *line)
{
    double absorption[CATT_OCTAVES], scattering[CATT_OCTAVES];
    char given[QUOTED], *at = strchr(line, '<');
    bool scatters = false;
    if (!at)
        return material_refuse(l, "%s: expected name = < 21 12 9 6 9 13 >, percent from 125 Hz to 4 kHz",
                               quoted(given, line));
    char *equals = memchr(line, '=', (size_t)(at - line));
    /* the name ends before =, or before < where there is none */
    char name[256];
    const size_t length = (size_t)((equals ? equals : at) - line);
    if (length >= sizeof name)
        return material_refuse(l, "the name is longer than %zu bytes; shorten it", sizeof name - 1);
    memcpy(name, line, length);
    name[length] = '\0';
    char *own = trimmed(name);
    if (!strncasecmp(own, "ABS", 3) && own[3] && strchr(blanks, own[3]))
        own = trimmed(own + 3);
    if (read_percent(l, absorption, &at, own))
        return -1;
    if (*at == 'L' || *at == 'l') {
        at += 1 + strspn(at + 1, " \t=");
        if (*at != '<')
            return material_refuse(l, "%s: expected L < .. > for the scattering", quoted(given, own));
        if (read_percent(l, scattering, &at, own))
            return -1;
        scatters = true;
    }
    if (*at == '{') { /* a colour */
        char *end = strchr(at, '}');
        if (!end)
            return material_refuse(l, "%s: { is not closed; end the colour with }", quoted(given, own));
        at = end + 1 + strspn(end + 1, blanks);
    }
    if (*at)
        return material_refuse(l, "%s: unexpected after the values: %.40s", own, at);
    return material_add(l, 0, own, absorption, scatters ? scattering : NULL);
}

int material_read_catt(struct material_lines *l)
{
    l->table->first = 1;
    l->table->octaves = CATT_OCTAVES;
    for (char *line; (line = material_next_line(l));) {
        line[strcspn(line, ";")] = '\0'; /* a comment */
        line = trimmed(line);
        if (*line && *line != '#' && read_catt_row(l, line))
            return -1;
    }
    return 0;
}

/* ---- ODEON ---- */

static int read_odeon_values(struct material_lines *l, char *line, const char *name, size_t name_line)
{
    double absorption[OCTAVE_BANDS];
    char given[QUOTED], value[QUOTED], *rest = NULL;
    size_t count = 0;
    for (char *word = strtok_r(line, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest), count++) {
        double number = 0.0;
        if (!material_number(&number, word))
            return material_refuse(l, "%s: %s is no number", quoted(given, name), quoted(value, word));
        if (count < OCTAVE_BANDS)
            absorption[count] = number;
    }
    if (count != OCTAVE_BANDS)
        return material_refuse(l, "%s: has %zu values instead of eight from 63 Hz to 8 kHz", quoted(given, name),
                               count);
    return material_add(l, name_line, name, absorption, NULL);
}

static int refuse_name(struct material_lines *l, const char *name, size_t line)
{
    char given[QUOTED];
    l->line = line;
    return material_refuse(l, "%s: has no values; begin the line below the name with a tab", quoted(given, name));
}

int material_read_odeon(struct material_lines *l)
{
    char *name = NULL;
    size_t name_line = 0;
    for (char *line; (line = material_next_line(l));) {
        const bool values = *line == '\t';
        if (!line[strspn(line, blanks)])
            continue;
        if (values && !name)
            return material_refuse(l, "these values have no name; write it in the line above");
        if (values && read_odeon_values(l, line, name, name_line))
            return -1;
        if (!values && name)
            return refuse_name(l, name, name_line);
        name = values ? NULL : trimmed(line);
        name_line = l->line;
    }
    return name ? refuse_name(l, name, name_line) : 0;
}
