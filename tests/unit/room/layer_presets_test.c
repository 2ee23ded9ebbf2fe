/* SPDX-License-Identifier: MIT */
/* The constructions of layers in rooms/materials.cfg; prints the table that docs/results/layers.md holds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "room/layers/layers.h"
#include "room/room.h"

#include <cmocka.h>

static struct room *library(void)
{
    struct room *room = NULL;
    struct error e = {0};
    if (room_read_library(&room, &e))
        fail_msg("%s", e.message);
    return room;
}

static void print_octaves(const char *name, const char *what, const double *values)
{
    print_message("%-28s %-7s", name, what);
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        print_message(" %.2f", values[b]);
    print_message("\n");
}

static void each_construction_absorbs_between_nothing_and_all(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double limit;
        bool local;
    } kinds[] = {{"normal", 0.0, true}, {"local", M_PI_2, true}, {"along", M_PI_2, false}};
    struct room *room = library();
    size_t count = 0;
    for (size_t i = 0; i < room->material_count; i++) {
        const struct material *m = &room->materials[i];
        if (m->kind != MATERIAL_LAYERS)
            continue;
        count++;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            double values[OCTAVE_BANDS], most = 0.0;
            for (size_t b = 0; b < OCTAVE_BANDS; b++) {
                values[b] =
                    layers_octave_absorption(&m->layered, octave_band_centre[b], kinds[k].limit, kinds[k].local);
                if (!(values[b] >= 0.0 && values[b] <= 1.0))
                    fail_msg("%s, %s: %g at %g Hz", m->name, kinds[k].what, values[b], octave_band_centre[b]);
                most = fmax(most, values[b]);
            }
            print_octaves(k ? "" : m->name, kinds[k].what, values);
            if (!(most >= 0.4))
                fail_msg("%s, %s: absorbs %g at most, and is no absorber", m->name, kinds[k].what, most);
        }
    }
    assert_true(count >= 14);
    room_free(room);
}

static void each_construction_says_what_it_is_and_from_where(void **state)
{
    (void)state;
    struct room *room = library();
    for (size_t i = 0; i < room->material_count; i++) {
        const struct material *m = &room->materials[i];
        if (m->kind == MATERIAL_LAYERS && !(m->source && m->description))
            fail_msg("%s: lacks source or description", m->name);
    }
    room_free(room);
}

/* Where the absorption of the same or nearly the same construction peaks in its publication. */
static void resonators_absorb_most_in_the_published_octave(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double octave;
    } known[] = {{"membrane_absorber", 125.0},
                 {"helmholtz_absorber", 250.0},
                 {"microperforated_glass", 500.0},
                 {"perforated_gypsum_absorber", 500.0},
                 {"microperforated_film", 500.0}};
    struct room *room = library();
    size_t found = 0;
    for (size_t i = 0; i < room->material_count; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            const struct material *m = &room->materials[i];
            if (strcmp(m->name, known[k].name) != 0)
                continue;
            found++;
            for (size_t b = 0; b < OCTAVE_BANDS; b++)
                if (!(layers_octave_absorption(&m->layered, octave_band_centre[b], M_PI_2, true) <=
                      layers_octave_absorption(&m->layered, known[k].octave, M_PI_2, true)))
                    fail_msg("%s absorbs more at %g Hz", m->name, octave_band_centre[b]);
        }
    assert_int_equal(found, sizeof known / sizeof *known);
    room_free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_construction_absorbs_between_nothing_and_all),
        cmocka_unit_test(each_construction_says_what_it_is_and_from_where),
        cmocka_unit_test(resonators_absorb_most_in_the_published_octave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
