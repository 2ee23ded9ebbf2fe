/* SPDX-License-Identifier: MIT */
/* A piece compared with a render of the same room, in which the only instrument is a string not
 * coupled to the air. The piece steps the velocity potential, driven by integrated sources; the
 * render steps the pressure. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "render/render.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_rig.h"

enum { STEPS = 4000, SOURCES = 2, RECEIVERS = 2 };

static void furnish(struct rig *r, bool lossy_air)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_STRING);
    i->length = 0.6;
    i->diameter = 1e-3;
    i->density = 7850.0;
    i->young = 2e11;
    i->tension = 600.0;
    rig_play(r, i, 0.2, 0.0);
    rig_hear(r, i, 0.8, 0.0);
    r->score.count = 0; /* no events */
    rig_source(r, 0.53, 0.61, 0.47);
    struct source *other = rig_source(r, 1.31, 0.42, 0.93);
    other->signal = SIGNAL_GAUSSIAN;
    other->width = 0.0006;
    other->gain = 0.7;
    rig_receiver(r, 1.12, 1.07, 0.29);
    rig_receiver(r, 0.21, 0.95, 1.13);
    r->room.air.losses = lossy_air;
    const double size[3] = {1.7, 1.4, 1.3};
    memcpy(r->room.size, size, sizeof size);
}

/* Source signals with their onsets aligned, as perform expects them. */
static double *lay_out(const struct excitation *x, size_t onset)
{
    double *samples = calloc(SOURCES * STEPS, sizeof *samples);
    for (size_t i = 0; i < SOURCES && samples; i++)
        for (size_t n = 0; n < x[i].length && onset - x[i].onset + n < STEPS; n++)
            samples[i * STEPS + onset - x[i].onset + n] = x[i].samples[n];
    return samples;
}

static double difference(const double *a, const double *b, size_t count)
{
    double worst = 0.0, peak = 0.0;
    for (size_t n = 0; n < count; n++) {
        worst = nan_max(worst, fabs(a[n] - b[n]));
        peak = fmax(peak, fabs(b[n]));
    }
    return worst / peak;
}

static int compare(double *worst, struct rig *r, const struct solver_options *choice, struct error *e)
{
    struct performance performance = {0};
    struct simulation simulation = {0};
    struct excitation *excitations = NULL;
    double *samples = NULL;
    size_t onset;
    int status = rig_build(r, true, e) || render_excitations(&excitations, &onset, r->model, 0, SOURCES, e);
    if (!status && !(samples = lay_out(excitations, onset)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        struct piece piece = rig_piece(r);
        piece.steps = STEPS;
        piece.sources = samples;
        piece.onset = onset;
        const struct length length = {.seconds = STEPS / r->model->grid.rate, .steps = STEPS};
        status = simulate(&simulation, r->model, 0, SOURCES, excitations, onset, &length, choice, NULL, e) ||
                 perform(&performance, &piece, choice, NULL, e);
    }
    if (!status)
        *worst = difference(performance.air.samples, simulation.traces.samples, RECEIVERS * STEPS);
    performance_free(&performance);
    traces_free(&simulation.traces);
    render_excitations_free(excitations, SOURCES);
    free(samples);
    return status ? -1 : 0;
}

int check_synth_air(struct validation *v, struct report *r, struct error *e)
{
    static const double octaves[OCTAVE_BANDS] = {0.1, 0.15, 0.3, 0.5, 0.6, 0.6, 0.6, 0.6};
    static const char *const what[] = {"rigid walls", "walls with a real admittance",
                                       "walls with absorption in octave bands",
                                       "walls with absorption in octave bands, air absorption"};
    struct solver_options choice = v->choice;
    choice.threads = choice.threads ? choice.threads : 1; /* too little work for several threads */
    for (int i = 0; i < 4; i++) {
        struct rig rig;
        double worst = NAN;
        rig_begin(&rig, 16000.0);
        if (i == 1)
            rig_impedance(&rig, 12.0);
        if (i >= 2)
            rig_absorption(&rig, octaves);
        furnish(&rig, i == 3);
        const int status = compare(&worst, &rig, &choice, e);
        rig_end(&rig);
        if (status)
            return -1;
        report_bound(r, "air", worst, 1e-9,
                     "two sources in a piece compared with a render of the same sources, %s, %d steps: difference "
                     "relative to peak",
                     what[i], STEPS);
    }
    return 0;
}
