/* SPDX-License-Identifier: MIT */
/* The unit that the page proposes for a model that states none. */
#include "studio/import.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_prepare.h"
#include "io/json_build.h"

#include <cmocka.h>

#include "support/scratch.h"

static void proposes(const char *path, enum mesh_unit unit)
{
    struct error e = {ERROR_NONE, ""};
    cJSON *json = import_json(path, "", "", &e);
    must(json ? 0 : -1, &e);
    const char *proposed = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "unit"));
    if (!proposed || strcmp(proposed, mesh_unit_names[unit]) != 0)
        fail_msg("%s: proposed %s, not %s", path, proposed ? proposed : "none", mesh_unit_names[unit]);
    cJSON_Delete(json);
}

static void a_box(const double size[3], enum mesh_unit unit)
{
    static const char faces[] = "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
    char text[1024];
    size_t used = 0;
    for (int i = 0; i < 8; i++) {
        const int upper[3] = {i >> 2, i >> 1 & 1, i & 1};
        used += (size_t)snprintf(text + used, sizeof text - used, "v");
        for (int k = 0; k < 3; k++)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, " %.4f", upper[k] * size[k] / mesh_unit_metres[unit]);
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "%s", faces);
    scratch_write(scratch_path("box.obj"), text, used);
    proposes(scratch_path("box.obj"), unit);
}

static void shipped_models_are_in_metres(void **state)
{
    (void)state;
    proposes(SOURCE_FOLDER "/rooms/church.obj", MESH_UNIT_M);
    proposes(SOURCE_FOLDER "/rooms/concert_hall.obj", MESH_UNIT_M);
    proposes(SOURCE_FOLDER "/rooms/living_room.obj", MESH_UNIT_M);
    proposes(SOURCE_FOLDER "/rooms/recording_studio.obj", MESH_UNIT_M);
}

static void rooms_and_halls_keep_their_unit(void **state)
{
    static const double metres[][3] = {{4.0, 3.0, 2.5},   {3.75, 6.1, 3.2},   {6.8, 7.6, 4.4},
                                       {20.7, 13.3, 7.0}, {51.0, 28.0, 18.0}, {1.48, 0.34, 1.0}};
    (void)state;
    for (size_t i = 0; i < sizeof metres / sizeof *metres; i++)
        a_box(metres[i], MESH_UNIT_M);
    for (size_t i = 0; i < 5; i++) {
        a_box(metres[i], MESH_UNIT_CM);
        a_box(metres[i], MESH_UNIT_MM);
    }
    for (size_t i = 0; i < 2; i++) /* of larger rooms, 1 inch is as likely as 1 cm */
        a_box(metres[i], MESH_UNIT_INCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(shipped_models_are_in_metres, scratch_empty),
        cmocka_unit_test_teardown(rooms_and_halls_keep_their_unit, scratch_empty),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
