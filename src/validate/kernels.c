/* Every kernel against the point-by-point reference on random rooms, and the promises of the contract: results do not
 * depend on the cutting into blocks nor on the number of threads. The kernels of the cpu engine share one order of
 * arithmetic, so the comparison is bit for bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/kernel.h"
#include "validate/scene.h"
#include "validate/validate.h"

enum { ROOMS = 24, STEPS = 60, MOST = 40 };

struct outcome {
    double *taps; /* [tap_count][STEPS] */
    void *field;  /* level n, canonical */
    size_t tap_bytes, field_bytes;
};

static void outcome_free(struct outcome *o)
{
    free(o->taps);
    free(o->field);
}

/* From noise, driven, in blocks of random lengths up to `block`. */
static int compute(struct outcome *o, const struct scene *s, const struct choice *c, const double *drive, uint64_t seed,
                   size_t block, struct error *e)
{
    const size_t *n = s->problem.points, real = s->problem.precision == PRECISION_DOUBLE ? 8 : 4;
    struct random noise = {seed};
    struct solver *solver = NULL;
    *o = (struct outcome){.tap_bytes = s->problem.tap_count * STEPS * sizeof(double),
                          .field_bytes = n[0] * n[1] * n[2] * real};
    o->taps = malloc(o->tap_bytes);
    o->field = malloc(o->field_bytes);
    if (!o->taps || !o->field) {
        outcome_free(o);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    memset(o->taps, 0xff, o->tap_bytes); /* NaN: what is not written shows */
    memset(o->field, 0xff, o->field_bytes);
    int status = solver_open(&solver, &s->problem, c, e) || scene_noise(s, solver, &noise, e);
    for (size_t done = 0; done < STEPS && !status;) {
        size_t steps = random_between(&noise, 1, block);
        steps = steps > STEPS - done ? STEPS - done : steps;
        const struct block b = {drive + done, STEPS, o->taps + done, STEPS};
        status = solver_run(solver, steps, &b, e);
        done += steps;
    }
    status = status || solver_get(solver, "p", 0, n[2], o->field, e);
    solver_close(solver);
    if (status)
        outcome_free(o);
    return status;
}

static bool any_nan(const struct outcome *o, enum precision precision)
{
    for (size_t i = 0; i < o->tap_bytes / sizeof(double); i++)
        if (isnan(o->taps[i]))
            return true;
    for (size_t i = 0; precision == PRECISION_DOUBLE && i < o->field_bytes / 8; i++)
        if (isnan(((double *)o->field)[i]))
            return true;
    for (size_t i = 0; precision == PRECISION_SINGLE && i < o->field_bytes / 4; i++)
        if (isnan(((float *)o->field)[i]))
            return true;
    return false;
}

static bool same_bits(const struct outcome *a, const struct outcome *b, enum precision precision)
{
    return !any_nan(a, precision) && !memcmp(a->taps, b->taps, a->tap_bytes) &&
           !memcmp(a->field, b->field, a->field_bytes);
}

struct tally {
    double different[16]; /* by kernel: rooms that differ from the reference */
    double blocks, threads;
};

static int check_room(struct validation *v, struct tally *tally, enum precision precision, struct error *e)
{
    struct scene s;
    struct outcome expected, got;
    double *drive = NULL;
    const struct choice reference = {.engine = "cpu", .kernel = "reference", .threads = 1};
    if (scene_random(&s, MOST, precision, &v->random, e))
        return -1;
    for (int i = 0; i < 3; i++) {
        scene_drive(&s, scene_air_point(&s, &v->random), random_unit(&v->random) - 0.5);
        scene_extend(&s.drives[i], scene_air_point(&s, &v->random), random_unit(&v->random) - 0.5, 1);
        scene_tap(&s, scene_air_point(&s, &v->random), 1.0);
        scene_extend(&s.taps[i], scene_air_point(&s, &v->random), random_unit(&v->random),
                     (int8_t)random_between(&v->random, 0, 1));
    }
    const uint64_t seed = random_bits(&v->random);
    int status = 0;
    drive = malloc(3 * STEPS * sizeof *drive);
    for (int i = 0; drive && i < 3 * STEPS; i++)
        drive[i] = random_unit(&v->random) - 0.5;
    if (!drive)
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (status || compute(&expected, &s, &reference, drive, seed, STEPS, e)) {
        status = -1;
        goto done;
    }
    for (size_t k = 0; kernels[k] && !status; k++) {
        struct choice c = {.engine = "cpu", .kernel = kernels[k]->name, .threads = 1};
        if (kernels[k]->applicable(&s.problem))
            continue;
        status = compute(&got, &s, &c, drive, seed, STEPS, e);
        if (status)
            break;
        tally->different[k] += !same_bits(&got, &expected, precision);
        outcome_free(&got);
    }
    const struct choice three = {.engine = "cpu", .threads = 3}, one = {.engine = "cpu", .threads = 1};
    if (!status && !(status = compute(&got, &s, &three, drive, seed, STEPS, e))) {
        tally->threads += !same_bits(&got, &expected, precision);
        outcome_free(&got);
    }
    if (!status && !(status = compute(&got, &s, &one, drive, seed, 7, e))) {
        tally->blocks += !same_bits(&got, &expected, precision);
        outcome_free(&got);
    }
    outcome_free(&expected);
done:
    free(drive);
    scene_free(&s);
    return status;
}

int check_kernels(struct validation *v, struct report *r, struct error *e)
{
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--) {
        struct tally tally = {{0}, 0, 0};
        const struct problem any = {.points = {1, 1, 1}};
        for (int i = 0; i < ROOMS; i++)
            if (check_room(v, &tally, (enum precision)precision, e))
                return -1;
        for (size_t k = 0; kernels[k]; k++) {
            const char *reason = kernels[k]->applicable(&any);
            if (reason)
                report_skip(r, "kernels", reason);
            else if (strcmp(kernels[k]->name, "reference") != 0)
                report_bound(r, "kernels", tally.different[k], 0.0,
                             "%s, %s: of %d random rooms, those that differ in a bit from the reference",
                             kernels[k]->name, precision_names[precision], ROOMS);
        }
        report_bound(r, "kernels", tally.threads, 0.0, "    that differ with three threads");
        report_bound(r, "kernels", tally.blocks, 0.0, "    that differ when cut into random blocks");
    }
    return 0;
}
