/* SPDX-License-Identifier: MIT */
/* aula info: reports grid, valid band, memory, run time and warnings of a render without running it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/instruments.h"
#include "app/keys.h"
#include "app/materials.h"
#include "app/outputs.h"
#include "app/progress.h"
#include "app/reflections.h"
#include "app/run_time.h"
#include "app/say.h"
#include "app/shipped.h"
#include "app/target.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/phase_timer.h"
#include "base/sanitize_text.h"
#include "base/text.h"
#include "base/threads.h"
#include "io/json_build.h"
#include "present/materials/layers_text.h"
#include "present/report/room_in_voxels.h"
#include "present/report/room_page.h"
#include "present/report/room_views.h"
#include "present/views/findings.h"
#include "present/views/room_model.h"
#include "render/hybrid_response.h"
#include "render/model_json.h"
#include "render/render.h"
#include "render/sidecar.h"
#include "render/synth/session.h"
#include "render/trial.h"
#include "room/grid/mapped_errors.h"
#include "room/grid/partition_error.h"
#include "room/grid/reverberation.h"

struct info_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    const char *model;
    const char *source, *receiver;
    bool keys, rooms, example, materials, list_targets, reflections;
    struct target_options target;
};

static void print_wall(const struct material *material, const struct wall_model *wall, size_t bands)
{
    const struct boundary_kind *kind = boundary_kind_of(material);
    if (kind->built_in) {
        printf("%s: %s\n", kind->built_in, kind->meaning);
        return;
    }
    printf("absorption");
    for (size_t b = 0; b < bands; b++)
        printf(" %.2f", wall->fitted[b]);
    if (wall->branch_count)
        printf(", %zu branch%s", wall->branch_count, wall->branch_count == 1 ? "" : "es");
    if (wall->admittance > 0.0)
        printf(", specific admittance %.5f", wall->admittance);
    putchar('\n');
}

static void print_layers(const struct material *material)
{
    char section[SECTION_TEXT];
    if (material->layered.count)
        printf("layers      %s: %s\n", material->name, layers_section_text(section, material));
}

/* The sound reduction index that the simulated mass has, without flanking paths, coincidence and bending. */
static void print_partition(const struct model *m, size_t index)
{
    const struct material *material = &m->room->materials[index];
    const struct partition *p = &m->partitions.of[index];
    struct material_transmission t = material->transmission;
    char text[PARTITION_ERROR_TEXT];
    const double impedance = partition_air_impedance(m->room);
    if (!t.given)
        return;
    t.mass = p->mass;
    printf("partition   %s: %.4g kg/m2", material->name, t.mass);
    if (t.resistance > 0.0)
        printf(", %.4g Pa s/m", t.resistance);
    printf("; R0 at normal incidence");
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        printf("%s %.1f", b ? "," : "", partition_reduction(&t, impedance, octave_band_centre[b]));
    printf(" dB, field incidence");
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        printf("%s %.1f", b ? "," : "", partition_field_reduction(&t, impedance, octave_band_centre[b]));
    printf(" dB in the octaves from %g Hz", octave_band_centre[0]);
    if (m->partitions.counted)
        printf("; joins %llu pairs of faces, %.4g m2", (unsigned long long)p->faces, p->area);
    const struct partition_error error = partition_error_of(m, index);
    if (partition_error_is_noted(m, index, &error)) /* with the line of the material */
        putchar('\n');
    else
        printf("; on this grid %s\n", partition_error_text(text, &error));
}

static void print_reverberation(const struct model *m)
{
    struct reverberation r;
    reverberation_estimate(&r, m);
    printf("decay       T60 by Eyring (diffuse field)");
    for (size_t b = 0; b < m->bands; b++)
        printf("%s %.3g", b ? "," : "", r.eyring[b]);
    printf(" s in the octaves from %g Hz; Schroeder frequency %.0f Hz\n", octave_band_centre[0], r.schroeder);
}

static void print_length(const struct length *l)
{
    if (!l->chosen)
        printf("time        %g s of sound, %zu steps", l->seconds, l->steps);
    else if (!(l->seconds < l->max))
        printf("time        auto: %g s of sound, limited by time.max_duration, %zu steps", l->seconds, l->steps);
    else
        printf("time        auto: %g s of sound by that estimate, longer if the decay needs it, %zu steps", l->seconds,
               l->steps);
}

/* Prints the valid band, its limit, and the cost of a wider one. The number of grid points, and with it the setup time,
 * grows with the cube of the frequency; the time of the steps grows with its fourth power. */
static void print_valid_band(const struct model *m, const struct run_time *run)
{
    const struct grid *g = &m->grid;
    const double wanted = 16000.0, ratio = wanted / g->valid_frequency;
    char text[32];
    struct mapped_errors left;
    if (!g->mapped) {
        printf("valid band  up to %.0f Hz (phase velocity within %.3g %%); the same error up to 16 kHz would need "
               "grid.rate = %.0f\n",
               g->valid_frequency, 100.0 * m->room->output.dispersion, ratio * g->rate);
        return;
    }
    mapped_errors_at(&left, g->valid_frequency / g->rate);
    printf(
        "valid band  up to %.0f Hz, with %.3g points per wavelength there; errors at its edge: phase velocity %.2g %%, "
        "wall reflection %.2g, direct sound %+.2f to %+.2f dB",
        g->valid_frequency, g->sound_speed / (g->valid_frequency * g->spacing), 100.0 * left.phase, left.wall,
        left.level[0], left.level[1]);
    if (ratio > 1.0)
        printf("; up to %.0f Hz: %.3g points, about %s on this machine", wanted,
               (double)grid_points(g) * pow(ratio, 3.0),
               say_duration(text, run->setup * pow(ratio, 3.0) + run->waves * pow(ratio, 4.0)));
    putchar('\n');
}

/* Prints the crossover of a hybrid response, the default scattering, and the edges that diffract rays. */
static void print_whole_band(const struct model *m, const struct room_edges *edges)
{
    char why[160];
    const struct hybrid_halves halves = hybrid_halves_of(m, 0, m->room->source_count, why);
    char *text = halves.full ? hybrid_text(m, &halves) : NULL;
    if (text) {
        printf("whole band  %s; scattering of the materials, else %s\n", text,
               edges->count && !m->room->hybrid.edges ? "0.05" : "0.05 up to 500 Hz, 0.0125 at 1 kHz, 0.01 above");
        printf("edges       %zu free edges, %.4g m in all%s\n", edges->count, edges->length,
               !edges->count           ? ""
               : m->room->hybrid.edges ? "; they diffract rays up to the octave of 8 kHz"
                                       : "; they do not diffract rays, because hybrid.edges is false");
    } else if (*why && m->room->hybrid.given)
        printf("whole band  hybrid.full has no effect: %s\n", why);
    free(text);
}

static const char **material_names(const struct room *room)
{
    const char **names = calloc(room->material_count + 1, sizeof *names);
    for (size_t i = 0; names && i < room->material_count; i++)
        names[i] = room->materials[i].name;
    return names;
}

/* Texts that are allocated before the first line is printed, so that an error leaves no partial output. */
struct model_texts {
    char *air;
    const char **materials;
};

static void texts_free(struct model_texts *t)
{
    free(t->air);
    free(t->materials);
}

static int texts_make(struct model_texts *t, const struct model *m, struct error *e)
{
    *t = (struct model_texts){model_air_note(m, air_method(m->room, 0, 1)), material_names(m->room)};
    if (t->air && t->materials)
        return 0;
    texts_free(t);
    return fail(e, ERROR_MEMORY, "%s: out of memory", m->room->path);
}

/* The time of halo exchanges is unknown before a run, so the speedup is an upper bound. */
static void print_parts(const struct solver_plan *r)
{
    const char *plural = r->parts.halo == 1 ? "" : "s";
    printf("parts       %d, each up to %s and %.4g points of air including its halos of %d plane%s; %s sent each way "
           "across a cut every %d step%s, %s",
           r->parts.count, memory_text(r->parts.largest_bytes), (double)r->parts.largest_points, r->parts.halo, plural,
           memory_text(r->parts.halo_bytes), r->parts.halo, plural, r->parts.halo_path);
    if (r->air_points && r->parts.largest_points)
        printf("; at most %.2g times as fast as one part, because each also steps its halos",
               (double)r->air_points / (double)r->parts.largest_points);
    putchar('\n');
}

static int print_model(const struct model *m, const struct played *played, const struct solver_plan *r,
                       const struct length *length, const struct run_time *run, const struct room_edges *edges,
                       struct error *e)
{
    struct model_texts texts;
    if (texts_make(&texts, m, e))
        return -1;
    const struct room *room = m->room;
    const struct grid *g = &m->grid;
    const struct memory_plan plan = memory_plan(m, r, 1, length);
    char volume[PLAIN_TEXT], model_volume[PLAIN_TEXT], surface[PLAIN_TEXT];
    printf("room        %s, %.6g x %.6g x %.6g m, %s m3 of air, %s m3 by %s, %s m2 of surface\n",
           sanitize_name(room->path), g->size[0], g->size[1], g->size[2], text_plain(volume, m->space.volume, 4),
           text_plain(model_volume, m->space.model_volume, 4), room_form(room) == ROOM_MESH ? "the model" : "its size",
           text_plain(surface, m->space.surface, 4));
    print_reverberation(m);
    printf("grid        %zu x %zu x %zu = %.4g points of %.5g m, %.6g Hz, %s precision, Courant number %.6f\n",
           g->points[0], g->points[1], g->points[2], (double)grid_points(g), g->spacing, g->rate,
           precision_names[room->grid.precision], sqrt(g->courant_squared));
    printf("scheme      %s: %s\n", scheme_text(g->stencil, g->mapped), g->scheme_reason);
    printf("air         c = %.2f m/s; %s\n", g->sound_speed, texts.air + strlen("air: "));
    print_valid_band(m, run);
    print_whole_band(m, edges);
    print_length(length);
    if (room->source_count)
        printf(" for each of %zu source%s", room->source_count, room->source_count == 1 ? "" : "s");
    putchar('\n');
    played_print(played);
    if (r->air_points)
        printf("points      %.4g in the air, %.4g of them at absorbing walls\n", (double)r->air_points,
               (double)r->wall_points);
    else
        printf("points      not counted: the grid does not fit in memory\n");
    printf("memory      %s: %s for grids, %s for boundary lists, %s for signals; %s available\n",
           memory_text(plan.grid + plan.signals), memory_text(r->field_bytes), memory_text(r->boundary_bytes),
           memory_text(plan.signals + r->channel_bytes), memory_text(r->available_bytes));
    if (r->parts.count > 1)
        print_parts(r);
    printf("engine      %s, kernel %s", r->engine, r->kernel);
    if (r->time_block > 1)
        printf(", %d steps per pass%s", r->time_block, r->cuda.in_place ? ", in place" : "");
    printf("%s\n", r->cuda.untried ? "; the first render measures which kernel is fastest" : "");
    run_time_print(run, r->parts.count);
    for (size_t i = 0; i < room->material_count; i++) {
        const struct material *material = &room->materials[i];
        printf("material    %-20s %.4g m2: ", material->name, m->space.area[i]);
        print_wall(material, &m->walls[i], m->bands);
        print_layers(material);
        print_partition(m, i);
    }
    if (!room_is_plain(room) && m->voxels.set)
        findings_print(stdout, &m->voxels.report, texts.materials);
    texts_free(&texts);
    fflush(stdout);
    say_lines("note", m->notes, m->note_count);
    say_lines("warning", m->warnings, m->warning_count);
    played_warn(played);
    return 0;
}

static int print_json(const struct model *m, const struct played *played, const struct solver_plan *r,
                      const struct length *length, const struct run_time *run, const struct room_edges *edges,
                      struct error *e)
{
    cJSON *json = model_json(m, r, length, air_method(m->room, 0, 1));
    if (m->room->hybrid.full) {
        struct hybrid_halves halves = hybrid_halves_of(m, 0, m->room->source_count, NULL);
        halves.edges = *edges;
        add_hybrid_json(json, m, &halves);
    }
    cJSON *input = room_json(m->room);
    cJSON_AddItemToObject(json, "input", input);
    cJSON_AddItemToObject(json, "duration", length_json(length));
    const char **names = material_names(m->room);
    cJSON_AddItemToObject(json, "geometry", names ? findings_json(&m->voxels.report, names) : json_noted(NULL));
    free(names);
    add_kernel_json(json, r);
    run_time_json(json, run);
    played_json(json, played);
    return json_print(json, e);
}

/* The length of a render of one source, or of the piece that the instruments play. */
static int find_length(struct length *length, const struct model *m, const struct played *played, struct error *e)
{
    if (m->room->source_count && m->room->receiver_count)
        return render_length(length, m, 0, 1, e);
    *length = session_output(m->room, m, &played->score, 0.0, m->grid.rate, 0).length;
    return 0;
}

/* Instruments exchange with the air in every step, which excludes temporal blocking. */
static int require(struct solver_plan *r, const struct problem *p, const struct room *room,
                   const struct solver_options *c, struct error *e)
{
    struct solver_options choice = *c;
    if (room->instrument_count && !choice.time_block)
        choice.time_block = 1;
    return solver_make_plan(r, p, &choice, e);
}

static int try_step(double *seconds, const struct model *m, const struct solver_plan *r, const struct length *length,
                    const struct solver_options *c, struct error *e)
{
    struct solver_options choice = *c;
    if (m->room->instrument_count)
        choice.time_block = 1;
    choice.steps = length->steps;
    choice.parts.count = choice.device_count = 0;
    if (trial_step(seconds, m, r, &choice, e))
        return -1;
    if (r->parts.count > 1)
        *seconds *= (double)r->parts.largest_points / (double)r->air_points;
    return 0;
}

static int try_geometry(struct geometric_seconds *seconds, const struct model *m, const struct length *length,
                        const struct info_options *o, struct error *e)
{
    const int threads = threads_limit(o->choice.threads);
    const int status = geometric_trial(seconds, m, m->room->source_count, length->seconds, e);
    threads_limit(threads);
    return status;
}

static int check_plot(const struct info_options *o, struct error *e)
{
    if (plot_check_name(o->output.plot, e))
        return -1;
    if (same_file(o->output.plot, o->common.arguments[0]))
        return fail(e, ERROR_USAGE, "%s: is the room file itself; choose another name", o->output.plot);
    return outputs_check(&o->output.plot, 1, false, e);
}

static int check_model(const struct info_options *o, struct error *e)
{
    if (room_model_check_name(o->model, e))
        return -1;
    if (same_file(o->model, o->common.arguments[0]) || (o->output.plot && same_file(o->model, o->output.plot)))
        return fail(e, ERROR_USAGE, "%s: is also another file of this run; choose another name", o->model);
    return outputs_check(&o->model, 1, false, e);
}

/* Refuses outputs that are inputs, once the room is read and all inputs are known. */
static int check_inputs(const struct info_options *o, const struct room *room, struct error *e)
{
    return output_keeps_inputs(room, o->output.plot, false, e) || output_keeps_inputs(room, o->model, false, e) ? -1
                                                                                                                : 0;
}

/* Writes the picture and the model of the room's voxels. */
static int draw_room(const struct info_options *o, const struct model *m, struct error *e)
{
    struct room_in_voxels v = {0};
    const struct voxel_set *set = m->voxels.set;
    if (!o->output.plot && !o->model)
        return 0;
    if (o->model && !set)
        return fail(e, ERROR_INPUT, "%s: the grid has too many voxels for a model; use a lower grid.max_frequency",
                    o->model);
    int status = set ? room_in_voxels_make(&v, m->room, set, m->grid.origin, m->grid.spacing, e) : 0;
    if (!status && o->output.plot)
        status = room_page_write(o->output.plot, m, set ? &v.view : NULL, e);
    if (!status && o->model)
        status = room_model_write(o->model, &v.view, e);
    room_in_voxels_free(&v);
    return status;
}

static int make_model(struct model **model, const struct room *room, struct error *e)
{
    const struct grid_use use = grid_use_of_file(room);
    return model_make_for(model, room, &use, e);
}

static int print_example(struct error *e)
{
    enum { MOST = 1 << 16 };
    char *path = data_path("rooms/example.cfg", e), *text = NULL;
    const int status = path ? file_read_text(path, MOST, &text, e) : -1;
    if (!status)
        fputs(text, stdout);
    free(text);
    free(path);
    return status;
}

static int run(void *options, struct error *e)
{
    const struct info_options *o = options;
    struct room *room = NULL;
    struct model *model = NULL;
    struct played played = {0};
    struct leapfrog_problem leapfrog;
    struct problem problem = {0};
    struct solver_plan plan;
    struct length length = {0};
    struct run_time run_time = {.setup = 0.0};
    struct room_edges edges = {.count = 0};
    double step = 0.0;
    if (o->keys && o->common.json)
        return keys_print_json(e);
    if (o->keys) {
        room_print_keys(stdout);
        return 0;
    }
    if (o->rooms)
        return shipped_print(o->common.json, e);
    if (o->example)
        return print_example(e);
    if (o->materials)
        return show_materials(&o->common, o->output.plot, e);
    if (o->list_targets)
        return show_targets(&o->common, &o->target, e);
    if (!o->reflections && (o->source || o->receiver))
        return fail(e, ERROR_USAGE, "--%s chooses reflections; add --reflections", o->source ? "source" : "receiver");
    if (!o->common.argument_count)
        return fail(e, ERROR_USAGE,
                    "no room file; use aula info ROOM.cfg, or aula info --example for one to start from");
    if (o->target.name && (o->output.plot || o->model))
        return fail(e, ERROR_USAGE, "--target draws nothing; remove --%s", o->output.plot ? "plot" : "model");
    if (o->target.name || o->target.file || o->target.volume > 0.0 || o->target.check)
        return show_target(&o->common, &o->target, e);
    if (o->reflections && (o->output.plot || o->model))
        return fail(e, ERROR_USAGE, "--reflections draws nothing; remove --%s", o->output.plot ? "plot" : "model");
    if (o->reflections)
        return show_reflections(&o->common, o->source, o->receiver, o->choice.threads, e);
    if ((o->output.plot && check_plot(o, e)) || (o->model && check_model(o, e)))
        return -1;
    setup_watch_start(o->common.arguments[0], o->common.quiet);
    int status = read_named_room(&room, &o->common, NULL, e) || check_inputs(o, room, e) ||
                 setup_start_engine(&o->choice) || make_model(&model, room, e) ||
                 played_make(&played, room, model, e) || find_length(&length, model, &played, e) ||
                 model_problem(&problem, &leapfrog, model, 0, 1, e) || require(&plan, &problem, room, &o->choice, e) ||
                 try_step(&step, model, &plan, &length, &o->choice, e);
    run_time.setup = phase_timer_elapsed(); /* a render does the same work before its first step */
    if (!status && room->hybrid.full)
        status = room_edges_measure(&edges, model, e);
    if (!status)
        status = try_geometry(&run_time.geometric, model, &length, o, e);
    if (!status) {
        say_engines_passed_over(&o->choice, &o->common);
        say_more(&o->common, "trial: %.4g ms per step, %.0f Mvox/s of air", 1e3 * step,
                 1e-6 * (double)plan.air_points / step);
        const size_t runs = room->source_count ? room->source_count : 1;
        run_time.waves = (double)runs * (double)length.steps * step;
        if (o->common.json)
            status = print_json(model, &played, &plan, &length, &run_time, &edges, e);
        else
            status = print_model(model, &played, &plan, &length, &run_time, &edges, e);
        warn_of_many_images(model, room->source_count);
        if (!status)
            status = draw_room(o, model, e);
        struct error too_large;
        if (!status && plan.parts.count < 2 && check_memory(model, &plan, 1, &length, &too_large))
            say(false, "warning: %s", too_large.message);
    }
    setup_watch_stop();
    say_phases(&o->common);
    model_problem_free(&problem);
    played_free(&played);
    model_free(model);
    room_free(room);
    return status ? -1 : 0;
}

static const struct option_row keys = {"keys",      0,
                                       OPTION_FLAG, OPTION_AT(OWN, info_options, keys),
                                       NULL,        "list every key of a room file with type, unit, default and range"};
static const struct option_row rooms = {"rooms",     0,
                                        OPTION_FLAG, OPTION_AT(OWN, info_options, rooms),
                                        NULL,        "list the rooms, pieces and sounds that ship with aula"};
static const struct option_row example = {"example",   0,
                                          OPTION_FLAG, OPTION_AT(OWN, info_options, example),
                                          NULL,        "print a commented room file to start from"};
static const struct option_row materials = {
    "materials", 0,
    OPTION_FLAG, OPTION_AT(OWN, info_options, materials),
    NULL,        "list target and fitted absorption, and scattering, of the room's materials or of the library"};
static const struct option_row list_targets = {
    "list-targets", 0,
    OPTION_FLAG,    OPTION_AT(OWN, info_options, list_targets),
    NULL,           "list the targets of reverberation time and speech transmission index"};
static const struct option_row reflections = {
    "reflections", 0,
    OPTION_FLAG,   OPTION_AT(OWN, info_options, reflections),
    NULL,          "list the first reflections: time and level re the direct sound, order, materials; --json: points"};
static const struct option_row source = {
    "source", 0, OPTION_TEXT, OPTION_AT(OWN, info_options, source), "NAME", "list the reflections of this source only"};
static const struct option_row receiver = {"receiver",  0,
                                           OPTION_TEXT, OPTION_AT(OWN, info_options, receiver),
                                           "NAME",      "list the reflections at this receiver only"};
static const struct option_row model_file = {
    "model",     0,
    OPTION_TEXT, OPTION_AT(OWN, info_options, model),
    "FILE.ply",  "write the faces of the room's voxels, coloured by material, as PLY or glTF (FILE.glb)"};
static const struct option_row *const options[] = {
    &option_set,
    &keys,
    &rooms,
    &example,
    &materials,
    &list_targets,
    &reflections,
    &source,
    &receiver,
    &option_target,
    &option_targets,
    &option_volume,
    &option_check,
    &option_plot,
    &model_file,
    &option_engine,
    &option_kernel,
    &option_threads,
    &option_parts,
    &option_device,
    &option_devices,
    &option_through_host,
    &option_time_block,
    &option_in_place,
    &option_json,
    &option_verbose,
    &option_help,
    NULL,
};

const struct command command_info = {
    .name = "info",
    .synopsis = "ROOM.cfg [--plot PLAN.svg] [--model ROOM.glb] [--set KEY=VALUE ...] | --keys | --rooms | --example | "
                "--materials [ROOM.cfg] | --list-targets | "
                "--reflections ROOM.cfg [--source NAME] [--receiver NAME]",
    .meaning = "show grid, valid band, memory, run time and warnings of a room without rendering it",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 1,
    .options_size = sizeof(struct info_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct info_options, choice),
               [GROUP_OUTPUT] = offsetof(struct info_options, output),
               [GROUP_TARGET] = offsetof(struct info_options, target)},
    .many_processes = true,
    .run = run,
};
