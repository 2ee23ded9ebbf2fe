/* SPDX-License-Identifier: MIT */
#include "present/views/findings.h"

#include "io/json_build.h"

static const double BURIED = 0.005; /* m²: smaller areas are rounding errors */

static size_t listed(size_t count, size_t most)
{
    return count < most ? count : most;
}

static void print_areas(FILE *stream, const struct voxel_report *r, const char *const *names)
{
    for (size_t i = 0; i < r->material_count; i++) {
        const struct material_areas *a = &r->materials[i];
        fprintf(stream,
                "area        %-20s %.4g m2 of surfaces, %.4g m2 in the room, %.4g m2 of voxel faces, %.4g m2 absorbing",
                names[i], a->mesh, a->wet, a->faces, a->corrected);
        if (a->buried > BURIED)
            fprintf(stream, "; %.4g m2 lie behind other surfaces", a->buried);
        if (!a->true_area && a->wet > 0.0)
            fprintf(stream, "; %+.2g %% error", 100.0 * (a->corrected / a->wet - 1.0));
        fputc('\n', stream);
    }
}

static bool is_closed_off(const struct voxel_component *c)
{
    return !c->is_room && !c->is_outside;
}

/* Lists closed-off air. The room itself is not listed, because aula info prints its volume elsewhere. */
static void print_closed_off(FILE *stream, const struct voxel_report *r)
{
    const size_t count = listed(r->component_count, VOXEL_COMPONENTS);
    size_t printed = 0;
    if (!r->closed_count)
        return;
    fprintf(stream, "closed off  %.4g m3 in %zu part%s not connected to the room:", r->closed_volume, r->closed_count,
            r->closed_count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        const struct voxel_component *c = &r->components[i];
        if (is_closed_off(c))
            fprintf(stream, "%s %.4g m3 at (%.4g, %.4g, %.4g) m", printed++ ? "," : "", c->volume, c->place[0],
                    c->place[1], c->place[2]);
    }
    if (printed < r->closed_count)
        fprintf(stream, "%s %zu smaller parts", printed ? ", and" : "", r->closed_count - printed);
    fputc('\n', stream);
}

void findings_print(FILE *stream, const struct voxel_report *r, const char *const *names)
{
    print_areas(stream, r, names);
    print_closed_off(stream, r);
    for (size_t i = 0; i < listed(r->leak_count, VOXEL_LEAKS); i++) {
        const struct voxel_leak *leak = &r->leaks[i];
        fprintf(stream, "leak        at (%.4g, %.4g, %.4g) m, about %.2g m wide\n", leak->place[0], leak->place[1],
                leak->place[2], leak->size);
    }
}

static void add_place(cJSON *object, const char *name, const double place[3])
{
    cJSON_AddItemToObject(object, name, cJSON_CreateDoubleArray(place, 3));
}

static void add_materials(cJSON *json, const struct voxel_report *r, const char *const *names)
{
    cJSON *list = cJSON_AddArrayToObject(json, "materials");
    for (size_t i = 0; i < r->material_count; i++) {
        const struct material_areas *a = &r->materials[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", names[i]);
        cJSON_AddNumberToObject(item, "surfaces", a->mesh);
        cJSON_AddNumberToObject(item, "wet", a->wet);
        cJSON_AddNumberToObject(item, "voxel_faces", a->faces);
        cJSON_AddNumberToObject(item, "corrected", a->corrected);
        cJSON_AddNumberToObject(item, "buried", a->buried);
        cJSON_AddBoolToObject(item, "rescaled", a->rescaled);
        cJSON_AddBoolToObject(item, "true_area", a->true_area);
        cJSON_AddNumberToObject(item, "gap_voxels", (double)a->gaps);
        if (a->gaps)
            add_place(item, "gap_at", a->gap_place);
        cJSON_AddItemToArray(list, item);
    }
}

/* Coincident surfaces: the material that is heard, the one below it, and whether the front side that faces the air or
 * the order in the file decided. */
static void add_covered(cJSON *json, const struct voxel_report *r, const char *const *names)
{
    cJSON *list = cJSON_AddArrayToObject(json, "covered");
    for (size_t i = 0; i < r->covered_count; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "heard", names[r->covered[i].top]);
        cJSON_AddStringToObject(item, "below", names[r->covered[i].below]);
        cJSON_AddStringToObject(item, "by", r->covered[i].by_front ? "front" : "order");
        cJSON_AddNumberToObject(item, "area", r->covered[i].area);
        cJSON_AddItemToArray(list, item);
    }
}

static void add_closed_off(cJSON *json, const struct voxel_report *r)
{
    cJSON *list = cJSON_AddArrayToObject(json, "closed_off");
    for (size_t i = 0; i < listed(r->component_count, VOXEL_COMPONENTS); i++) {
        if (!is_closed_off(&r->components[i]))
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "volume", r->components[i].volume);
        add_place(item, "at", r->components[i].place);
        cJSON_AddItemToArray(list, item);
    }
    cJSON_AddNumberToObject(json, "closed_off_count", (double)r->closed_count);
    cJSON_AddNumberToObject(json, "closed_off_volume", r->closed_volume);
}

static void add_leaks(cJSON *json, const struct voxel_report *r)
{
    cJSON *list = cJSON_AddArrayToObject(json, "leaks");
    for (size_t i = 0; i < listed(r->leak_count, VOXEL_LEAKS); i++) {
        cJSON *item = cJSON_CreateObject();
        add_place(item, "at", r->leaks[i].place);
        cJSON_AddNumberToObject(item, "size", r->leaks[i].size);
        cJSON_AddItemToArray(list, item);
    }
}

cJSON *findings_json(const struct voxel_report *r, const char *const *names)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "volume", r->volume);
    add_materials(json, r, names);
    add_covered(json, r, names);
    add_closed_off(json, r);
    add_leaks(json, r);
    cJSON_AddNumberToObject(json, "sheet_voxels", (double)r->sheet_voxels);
    if (r->sheet_voxels)
        add_place(json, "sheet_at", r->sheet_place);
    cJSON_AddNumberToObject(json, "closed_voxels", (double)r->closed_voxels);
    cJSON_AddNumberToObject(json, "degenerate_triangles", (double)r->degenerate);
    cJSON_AddNumberToObject(json, "duplicate_triangles", (double)r->duplicates);
    return json;
}
