/* SPDX-License-Identifier: MIT */
/* Absorption from measured parameters, in all octaves at a time: damped Gauss-Newton around any forward model. */
#ifndef AULA_RENDER_CALIBRATE_CALIBRATE_H
#define AULA_RENDER_CALIBRATE_CALIBRATE_H

#include "base/acoustics/conventions.h"
#include "dsp/measure/metrics.h"
#include "render/calibrate/posterior.h"

enum calibrate_parameter { CALIBRATE_T20, CALIBRATE_T30, CALIBRATE_EDT, CALIBRATE_C80, CALIBRATE_PARAMETERS };

enum {
    CALIBRATE_RECEIVERS = CALIBRATE_DATA / CALIBRATE_PARAMETERS,
    CALIBRATE_RENDERS = 8 /* most evaluations of the forward model */
};

/* Of a parameter: its name as in metrics, and the range of its decay in dB; no range: C80. */
struct calibrate_kind {
    const char *name;
    double from, range;
};
extern const struct calibrate_kind calibrate_kinds[CALIBRATE_PARAMETERS];

/* Its value in an octave, s or dB; NaN: the band yields none. */
double calibrate_value(const struct metrics_band *band, enum calibrate_parameter parameter);

/* The datum of a value: ln s, or dB; and back. */
double calibrate_datum(double value, enum calibrate_parameter parameter);
double calibrate_undo(double datum, enum calibrate_parameter parameter);

/* Just noticeable differences between two data, signed, by the table of dsp/measure/jnd.h. */
double calibrate_steps(double from, double to, enum calibrate_parameter parameter);

static inline size_t calibrate_index(size_t receiver, enum calibrate_parameter parameter)
{
    return receiver * CALIBRATE_PARAMETERS + (size_t)parameter;
}

/* Octaves, ascending; the data of each are [receiver][parameter]. */
struct calibrate_task {
    size_t octaves, materials, receivers;
    size_t octave[OCTAVE_BANDS]; /* index of the centre in octave_band_centre */
    struct calibrate_octave problem[OCTAVE_BANDS];
};

#define CALIBRATE_MODEL_ERROR 0.05 /* of T, common to all receivers */
#define CALIBRATE_LEAST_NOISE 0.03 /* of T: a measurement at one position is not better */

/* Sets the prior of a material in octave `k` of the task. */
void calibrate_set_prior(struct calibrate_task *task, size_t k, size_t material, double absorption);

/* Sets a datum that counts, from a measured value, with the deviation by its statistics (calibrate_time_deviation), at
 * least CALIBRATE_LEAST_NOISE. `sharing`: number of T20 and T30 of this receiver that count: they are of one decay and
 * share its information. */
void calibrate_set_datum(struct calibrate_task *task, size_t k, size_t receiver, enum calibrate_parameter parameter,
                         double value, double time, size_t sharing);

/* Fills predictions [task->octaves] at ln a of every octave. Nonzero with *e: failed. */
typedef int calibrate_forward(void *context, struct calibrate_prediction *predictions,
                              const double (*at)[CALIBRATE_MATERIALS], struct error *e);

struct calibrate_result {
    struct calibrate_posterior posterior[OCTAVE_BANDS]; /* its values: `at` */
    struct calibrate_prediction *prior, *fit;           /* [octaves]: evaluated at the prior, and at `at` */
    double at[OCTAVE_BANDS][CALIBRATE_MATERIALS];       /* ln a of the least cost that was evaluated */
    size_t renders;
    bool settled; /* the next step would change no datum by more than a fifth of its deviation */
};

/* Gauss-Newton steps, each halved while χ² of data and prior grows; the last one is evaluated too. Free with
 * calibrate_result_free, after errors too. Zero *r first. ERROR_MEMORY, ERROR_FAILED, and those of the model. */
int calibrate_run(struct calibrate_result *r, const struct calibrate_task *task, calibrate_forward *forward,
                  void *context, struct error *e);
void calibrate_result_free(struct calibrate_result *r);

/* The largest residual of a datum that counts, in standard deviations with the common error; 0: none counts. */
double calibrate_misfit(const struct calibrate_octave *o, const struct calibrate_prediction *f);

/* The share of the prior deviation above which the data have told nothing. */
#define CALIBRATE_UNTOLD 0.95

#endif
