/* SPDX-License-Identifier: MIT */
#include "present/report/facts.h"

#include <math.h>
#include <stdarg.h>

#include <cjson/cJSON.h>

#include "base/text.h"
#include "io/xml.h"
#include "present/report/tables.h"

static const cJSON *member(const cJSON *json, const char *group, const char *name)
{
    const cJSON *inner = group ? cJSON_GetObjectItemCaseSensitive(json, group) : json;
    return cJSON_GetObjectItemCaseSensitive(inner, name);
}

static double number(const cJSON *json, const char *group, const char *name)
{
    const cJSON *item = member(json, group, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static const char *text(const cJSON *json, const char *group, const char *name)
{
    const char *value = cJSON_GetStringValue(member(json, group, name));
    return value ? value : "unknown";
}

/* A row of a definition list; the value is formatted, then escaped. */
static void fact(FILE *stream, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void fact(FILE *stream, const char *name, const char *format, ...)
{
    char value[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    fprintf(stream, "<div><dt>%s</dt><dd>", name);
    xml_text(stream, value);
    fputs("</dd></div>\n", stream);
}

static void place(FILE *stream, char letter, size_t index, const char *name, const double position[3], double distance)
{
    fprintf(stream, "<tr><th scope=\"row\">%c%zu</th><td class=\"words\">", letter, index + 1);
    xml_text(stream, name);
    fputs("</td>", stream);
    for (int i = 0; i < 3; i++)
        fprintf(stream, "<td>%.2f</td>", position[i]);
    fputs("<td>", stream);
    write_number(stream, 2, distance);
    fputs("</td></tr>\n", stream);
}

void facts_places(FILE *stream, const struct subject *s)
{
    const struct room *room = s->room;
    if (!room)
        return;
    fputs("<div class=\"wide\"><table><thead><tr><th></th><th class=\"words\">name</th><th>x<br><i>m</i></th>"
          "<th>y<br><i>m</i></th><th>z<br><i>m</i></th><th>distance<br><i>m</i></th></tr></thead><tbody>\n",
          stream);
    for (size_t i = 0; i < room->source_count; i++)
        place(stream, 'S', i, room->sources[i].name, room->sources[i].position, NAN);
    for (size_t i = 0; i < room->receiver_count; i++)
        place(stream, 'R', i, room->receivers[i].name, receiver_place(&room->receivers[i], 0),
              subject_distance(s, room_first_channel(room, i)));
    fputs("</tbody></table></div>\n", stream);
}

static void rendered(FILE *stream, const struct subject *s)
{
    const cJSON *json = s->json, *points = member(json, "grid", "points");
    double n[3];
    for (int i = 0; i < 3; i++) {
        const cJSON *item = cJSON_GetArrayItem(points, i);
        n[i] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    }
    fact(stream, "Content", "%s", text(json, "output", "content"));
    fact(stream, "Calibration", "%s", text(json, "output", "calibration"));
    fact(stream, "Time", "%s", text(json, "output", "time_zero"));
    fact(stream, "Grid",
         "%.0f × %.0f × %.0f points, spacing %.4g mm, grid rate %.6g Hz, %s precision, Courant number %.4f", n[0], n[1],
         n[2], 1000.0 * number(json, "grid", "spacing"), number(json, "grid", "rate"), text(json, "grid", "precision"),
         number(json, "grid", "courant"));
    fact(stream, "Valid band", "%.0f to %.0f Hz (phase velocity error below %.3g %%)",
         number(json, "valid_band", "low"), number(json, "valid_band", "high"),
         100.0 * number(json, "valid_band", "dispersion"));
    fact(stream, "Air", "%.3g °C, %.3g %% relative humidity, %.5g kPa, c = %.2f m/s; absorption: %s",
         number(json, "air", "temperature"), number(json, "air", "humidity"), number(json, "air", "pressure"),
         number(json, "grid", "sound_speed"), text(json, "air", "method"));
    fact(stream, "Engine", "%s, kernel %s; run time %.3g s; aula %s", text(json, "timing", "engine"),
         text(json, "timing", "kernel"), number(json, "timing", "seconds"), text(json, NULL, "aula"));
}

void facts_settings(FILE *stream, const struct subject *s)
{
    const struct audio *a = &s->recording.audio;
    char volume[PLAIN_TEXT], surface[PLAIN_TEXT];
    fputs("<dl>\n", stream);
    fact(stream, "File", "%s", s->path);
    fact(stream, "Sound", "%zu channel%s, %.4g s at %.6g Hz; peak %.4g (%s%.1f dB re full scale)", a->channels,
         a->channels == 1 ? "" : "s", (double)a->frames / a->rate, a->rate, s->peak, s->peak < 1.0 ? "−" : "",
         fabs(20.0 * log10(s->peak)));
    if (s->room)
        fact(stream, "Room", "%.4g × %.4g × %.4g m, volume %s m³, surface %s m², %zu object%s", s->size[0], s->size[1],
             s->size[2], text_plain(volume, s->space.volume, 4), text_plain(surface, s->space.surface, 4),
             s->room->object_count, s->room->object_count == 1 ? "" : "s");
    if (s->json)
        rendered(stream, s);
    fputs("</dl>\n", stream);
}

enum { NAMES_TOLD = 6 };

/* A comma-separated list of the surfaces of one material. */
struct uses {
    FILE *stream;
    size_t count;
};

static void use(struct uses *u, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void use(struct uses *u, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fputs(u->count++ ? ", " : "", u->stream);
    xml_text(u->stream, what);
}

/* Floor and ceiling; in a box the four other walls as well. */
static void write_walls(struct uses *u, const struct room *room, size_t material)
{
    static const char *const names[FACES] = {"x min", "x max", "y min", "y max", "floor", "ceiling"};
    const size_t first = room_form(room) == ROOM_BOX ? 0 : FACE_Z_MIN;
    for (size_t w = first; w < FACES; w++)
        if (room->walls[w] == material)
            use(u, "%s", names[w]);
}

/* Sides of a floor plan, numbered from 1 in the order of its corners. */
static void write_sides(struct uses *u, const struct room *room, size_t material)
{
    for (size_t i = 0, end; i < room->corner_count; i = end + 1) {
        for (end = i; end < room->corner_count && room->sides[end] == material;)
            end++;
        if (end > i + 1)
            use(u, "sides %zu to %zu", i + 1, end);
        else if (end == i + 1)
            use(u, "side %zu", end);
    }
}

/* Names of the faces in the model. */
static void write_names(struct uses *u, const struct room *room, size_t material)
{
    char shown[QUOTED];
    size_t more = 0;
    for (size_t i = 0; i < room->mesh.material_count; i++) {
        const char *name = room->mesh.materials[i];
        if (room->mesh_materials[i] != material)
            continue;
        if (u->count == NAMES_TOLD)
            more++;
        else
            use(u, "%s", *name ? quoted(shown, name) : "unnamed faces");
    }
    if (more)
        use(u, "%zu more", more);
}

/* "floor, 2 objects": the surfaces of a material. */
static void write_uses(FILE *stream, const struct room *room, size_t material)
{
    struct uses u = {stream, 0};
    size_t objects = 0;
    if (room_form(room) == ROOM_MESH)
        write_names(&u, room, material);
    else
        write_walls(&u, room, material);
    if (room_form(room) == ROOM_POLYGON)
        write_sides(&u, room, material);
    for (size_t i = 0; i < room->object_count; i++)
        objects += room->objects[i].material == material;
    if (objects)
        use(&u, "%zu object%s", objects, objects == 1 ? "" : "s");
}

/* Only the absorption of rays covers 16 kHz. */
static int absorption_bands(const cJSON *walls)
{
    const cJSON *wall;
    int bands = OCTAVE_BANDS;
    cJSON_ArrayForEach(wall, walls) bands =
        cJSON_GetArraySize(member(wall, NULL, "absorption")) > bands ? OCTAVE_BANDS + 1 : bands;
    return bands;
}

void facts_materials(FILE *stream, const struct subject *s)
{
    const struct room *room = s->room;
    const cJSON *walls = member(s->json, NULL, "walls");
    const int bands = absorption_bands(walls);
    if (!room)
        return;
    fputs("<h4>Materials: absorption coefficients as simulated</h4>\n<div class=\"wide\"><table><thead><tr><th "
          "class=\"words\">material</th><th class=\"words\">used on</th><th>area<br><i>m²</i></th>",
          stream);
    for (int b = 0; b < bands; b++)
        fprintf(stream, "<th>%.0f<br><i>Hz</i></th>", b < OCTAVE_BANDS ? octave_band_centre[b] : 16000.0);
    fputs("</tr></thead><tbody>\n", stream);
    for (size_t i = 0; i < room->material_count; i++) {
        const cJSON *absorption = member(cJSON_GetArrayItem(walls, (int)i), NULL, "absorption");
        fputs("<tr><th scope=\"row\">", stream);
        xml_text(stream, room->materials[i].name);
        fputs("</th><td class=\"words\">", stream);
        write_uses(stream, room, i);
        fprintf(stream, "</td><td>%.1f</td>", s->space.area[i]);
        for (int b = 0; b < bands; b++) {
            const cJSON *item = cJSON_GetArrayItem(absorption, b);
            fputs("<td>", stream);
            write_number(stream, 2, cJSON_IsNumber(item) ? item->valuedouble : NAN);
            fputs("</td>", stream);
        }
        fputs("</tr>\n", stream);
    }
    fputs("</tbody></table></div>\n", stream);
}

static void write_partition(FILE *stream, const char *name, const cJSON *partition)
{
    const cJSON *reductions = member(partition, NULL, "reduction_field_incidence_dB");
    fputs("<tr><th scope=\"row\">", stream);
    xml_text(stream, name);
    fputs("</th><td>", stream);
    write_number(stream, 1, number(partition, NULL, "mass"));
    fputs("</td><td>", stream);
    write_number(stream, 1, number(partition, NULL, "joined_area"));
    for (int b = 0; b < OCTAVE_BANDS; b++) {
        const cJSON *item = cJSON_GetArrayItem(reductions, b);
        fputs("</td><td>", stream);
        write_number(stream, 1, cJSON_IsNumber(item) ? item->valuedouble : NAN);
    }
    fputs("</td></tr>\n", stream);
}

void facts_partitions(FILE *stream, const struct subject *s)
{
    const cJSON *walls = member(s->json, NULL, "walls"), *wall;
    bool any = false;
    cJSON_ArrayForEach(wall, walls)
    {
        const cJSON *partition = member(wall, NULL, "transmission");
        const char *name = cJSON_GetStringValue(member(wall, NULL, "material"));
        if (!partition || !name)
            continue;
        if (!any) {
            fputs("<h4>Partitions: sound reduction index at field incidence, as simulated</h4>\n<div "
                  "class=\"wide\"><table><thead><tr><th class=\"words\">material</th><th>mass<br><i>kg/m²</i></th>"
                  "<th>joined<br><i>m²</i></th>",
                  stream);
            for (int b = 0; b < OCTAVE_BANDS; b++)
                fprintf(stream, "<th>%.0f<br><i>Hz</i></th>", octave_band_centre[b]);
            fputs("</tr></thead><tbody>\n", stream);
        }
        any = true;
        write_partition(stream, name, partition);
    }
    if (any)
        fputs("</tbody></table></div>\n", stream);
}

static void write_line(FILE *stream, const char *kind, const char *line)
{
    if (!line)
        return;
    fprintf(stream, "<li class=\"%s\"><b>%s</b> ", kind, kind);
    write_words(stream, line);
    fputs("</li>\n", stream);
}

static void write_lines(FILE *stream, const char *kind, const cJSON *lines)
{
    const cJSON *line;
    cJSON_ArrayForEach(line, lines) write_line(stream, kind, cJSON_GetStringValue(line));
}

void facts_notes(FILE *stream, const struct subject *s)
{
    const cJSON *notes = member(s->json, NULL, "notes"), *warnings = member(s->json, NULL, "warnings");
    fputs("<ul class=\"remarks\">\n", stream);
    write_line(stream, "warning", s->warning);
    for (size_t i = 0; i < s->findings.warning_count; i++)
        write_line(stream, "warning", s->findings.warnings[i]);
    write_line(stream, "note", s->recording.note);
    for (size_t i = 0; i < s->findings.note_count; i++)
        write_line(stream, "note", s->findings.notes[i]);
    write_lines(stream, "warning", warnings);
    write_lines(stream, "note", notes);
    fputs("</ul>\n", stream);
}
