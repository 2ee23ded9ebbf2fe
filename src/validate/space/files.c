/* SPDX-License-Identifier: MIT */
/* SOFA files of a room, read back: the mandatory items of their convention (AES69-2022), and
 * their values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nan_max.h"
#include "io/sofa/write.h"
#include "render/sofa_response.h"
#include "validate/space/checks.h"
#include "validate/space/rig.h"

enum { SOURCES = 2 };

static const char *const texts[] = {"Conventions",  "Version",    "SOFAConventions", "SOFAConventionsVersion",
                                    "APIName",      "APIVersion", "AuthorContact",   "Organization",
                                    "License",      "DataType",   "RoomType",        "DateCreated",
                                    "DateModified", "Title",      "DatabaseName"};

/* With their types and units if `attributes`. */
static const struct {
    const char *name;
    bool attributes;
} arrays[] = {{"ListenerPosition", true},   {"ListenerView", true},    {"ListenerUp", false},
              {"ReceiverPosition", true},   {"SourcePosition", true},  {"SourceView", true},
              {"SourceUp", false},          {"EmitterPosition", true}, {"Data.IR", false},
              {"Data.SamplingRate", false}, {"Data.Delay", false}};

static int missing_items(const struct sofa_document *d)
{
    int missing = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        missing += !sofa_text(&d->attributes, texts[i]);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const struct sofa_variable *v = sofa_variable(d, arrays[i].name);
        missing +=
            !v || (arrays[i].attributes && (!sofa_text(&v->attributes, "Type") || !sofa_text(&v->attributes, "Units")));
    }
    return missing;
}

/* Largest difference of Data.IR, [1][channels][frames][sources], from the rendered response,
 * relative to peak. */
static double difference(const struct sofa_document *d, const struct response_file *parts, size_t sources)
{
    const struct sofa_variable *v = sofa_variable(d, "Data.IR");
    double worst = 0.0, peak = 0.0;
    for (size_t s = 0; s < sources; s++) {
        const struct response *r = &parts[s].rendering.response;
        if (!v || sofa_variable_size(v) != r->channels * r->frames * sources)
            return NAN;
        for (size_t i = 0; i < r->channels * r->frames; i++) {
            peak = fmax(peak, fabs(r->samples[i]));
            worst = nan_max(worst, fabs(v->values[i * sources + s] - r->samples[i]));
        }
    }
    return worst / peak;
}

static int judge(struct report *r, const char *path, const struct response_file *parts, size_t sources, struct error *e)
{
    struct sofa_document d;
    struct output_set set = {0};
    if (sofa_response_write(&set, path, parts, sources, 1.0, e) || output_set_commit(&set, e) || sofa_read(&d, path, e))
        return -1;
    const char *wanted = sources == 1 ? "SingleRoomSRIR" : "SingleRoomMIMOSRIR";
    const char *is = sofa_text(&d.attributes, "SOFAConventions");
    const struct sofa_variable *places = sofa_variable(&d, "ReceiverPosition");
    const char *type = places ? sofa_text(&places->attributes, "Type") : NULL;
    report_bound(r, "files", missing_items(&d) + !(is && !strcmp(is, wanted)), 0.0,
                 "%s.sofa with %zu source%s: missing mandatory items", wanted, sources, sources == 1 ? "" : "s");
    report_bound(r, "files", !(type && !strcmp(type, "spherical harmonics")), 0.0,
                 "    fields that are not spherical harmonics");
    report_bound(r, "files", difference(&d, parts, sources), 0.0,
                 "    error of its responses relative to the rendered ones, relative to peak");
    sofa_document_free(&d);
    return 0;
}

static int render_parts(struct response_file parts[SOURCES], size_t *made, struct validation *v, struct space_box *b,
                        struct error *e)
{
    for (; *made < SOURCES; (*made)++) {
        struct rendering rendering;
        if (render_sources(&rendering, b->model, *made, 1, &v->choice, NULL, e))
            return -1;
        const int status = response_file_make(&parts[*made], &rendering, b->model, 0, e);
        rendering_free(&rendering);
        if (status)
            return -1;
    }
    return 0;
}

int check_space_files(struct validation *v, struct report *r, struct error *e)
{
    struct response_file parts[SOURCES];
    struct source sources[SOURCES];
    struct space_box b;
    char folder[] = "/tmp/aula-space-XXXXXX", path[64];
    size_t made = 0;
    if (sofa_library.unavailable()) {
        report_skip(r, "files", sofa_library.unavailable());
        return 0;
    }
    space_box_init(&b, (double[]){2.0, 2.1, 2.2}, 3.0);
    b.room.grid.rate = 8000.0;
    b.room.duration = 0.01;
    b.room.receiver_count = 1;
    b.receivers[0] =
        (struct receiver){.name = "field", .kind = RECEIVER_AMBISONIC, .order = 1, .position = {1.1, 1.0, 1.2}};
    for (int i = 0; i < SOURCES; i++)
        sources[i] = (struct source){.name = i ? "B" : "A", .gain = 1.0, .position = {0.4 + 0.3 * i, 0.5, 0.6}};
    b.room.sources = sources;
    b.room.source_count = SOURCES;
    if (!mkdtemp(folder))
        return fail(e, ERROR_OUTPUT, "%s: cannot create", folder);
    int status = space_box_make(&b, e) || render_parts(parts, &made, v, &b, e) ? -1 : 0;
    for (size_t count = 1; count <= SOURCES && !status; count++) {
        snprintf(path, sizeof path, "%s/%zu.sofa", folder, count);
        status = judge(r, path, parts, count, e);
        unlink(path);
    }
    while (made)
        response_file_free(&parts[--made]);
    rmdir(folder);
    space_box_free(&b);
    return status;
}
