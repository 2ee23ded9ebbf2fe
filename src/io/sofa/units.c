/* SPDX-License-Identifier: MIT */
#include "io/sofa/units.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { NAMES = 6 };
static const struct unit {
    enum sofa_quantity quantity;
    double factor;
    const char *names[NAMES]; /* as files spell it, in any case */
} units[] = {
    {SOFA_LENGTH, 1.0, {"metre", "meter", "metres", "meters", "m"}},
    {SOFA_LENGTH, 0.01, {"centimetre", "centimeter", "centimetres", "centimeters", "cm"}},
    {SOFA_LENGTH, 0.001, {"millimetre", "millimeter", "millimetres", "millimeters", "mm"}},
    {SOFA_ANGLE, 1.0, {"degree", "degrees", "deg", "\u00b0"}},
    {SOFA_ANGLE, 180.0 / M_PI, {"radian", "radians", "rad"}},
    {SOFA_FREQUENCY, 1.0, {"hertz", "hz"}},
    {SOFA_FREQUENCY, 1000.0, {"kilohertz", "khz"}},
    {SOFA_DELAY, 1.0, {"sample", "samples"}},
};
static const char *const known[] = {[SOFA_LENGTH] = "metre, centimetre and millimetre",
                                    [SOFA_ANGLE] = "degree and radian",
                                    [SOFA_FREQUENCY] = "hertz and kilohertz",
                                    [SOFA_DELAY] = "sample and second"};
static const char *const seconds[] = {"second", "seconds", "s"};
static const char *const parting = ", \t\r\n;";

static bool is_named(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && !strncasecmp(word, name, length);
}

/* 0: no known unit of the quantity. */
static double factor_of(const char *word, size_t length, enum sofa_quantity quantity, double rate)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        for (int k = 0; k < NAMES && units[i].names[k]; k++)
            if (units[i].quantity == quantity && is_named(word, length, units[i].names[k]))
                return units[i].factor;
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds && quantity == SOFA_DELAY; i++)
        if (is_named(word, length, seconds[i]))
            return rate;
    return 0.0;
}

static size_t count_words(const char *text)
{
    size_t count = 0;
    for (text += strspn(text, parting); *text; text += strspn(text, parting)) {
        text += strcspn(text, parting);
        count++;
    }
    return count;
}

int sofa_units(double *factor, const enum sofa_quantity *quantity, size_t count, const struct sofa_variable *v,
               double rate, const char *path, struct error *e)
{
    const char *text = sofa_text(&v->attributes, "Units"), *word = text;
    const size_t words = text ? count_words(text) : 0;
    char given[QUOTED];
    for (size_t i = 0; i < count; i++)
        factor[i] = 1.0;
    if (!words)
        return 0;
    if (words != 1 && words != count)
        return fail(e, ERROR_INPUT, "%s: the units of %s, %s, do not fit %zu number%s", path, v->name,
                    quoted(given, text), count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        word = i < words ? word + strspn(word, parting) : word;
        const size_t length = strcspn(word, parting);
        factor[i] = factor_of(word, length, quantity[i], rate);
        if (!(factor[i] > 0.0))
            return fail(e, ERROR_INPUT, "%s: %s has the unit %s; supported here: %s", path, v->name,
                        quoted(given, text), known[quantity[i]]);
        word += i + 1 < words ? length : 0;
    }
    return 0;
}
