/* A rigid box against the sum of its modes, exact on the grid (PHYSICS section 1). */
#include <math.h>
#include <stdlib.h>

#include "base/worst.h"
#include "validate/scene.h"
#include "validate/validate.h"

enum { STEPS = 4000, BOXES = 5 };

/* Orthonormal mode shape of a row of n points. */
static double shape(size_t m, size_t i, size_t n)
{
    double norm = sqrt((m ? 2.0 : 1.0) / (double)n);
    return norm * cos(M_PI * (double)m * ((double)i + 0.5) / (double)n);
}

/* p^n = λ² Σ_m φ_m(source) φ_m(receiver) sin(n ω_m k)/sin(ω_m k), with n in place of the quotient for mode 0. */
static int exact_response(double *p, const size_t n[3], const size_t source[3], const size_t receiver[3],
                          double courant_squared, struct error *e)
{
    const size_t modes = n[0] * n[1] * n[2];
    double *weight = malloc(2 * modes * sizeof *weight), *omega = weight ? weight + modes : NULL;
    if (!weight)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t m = 0; m < modes; m++) {
        const size_t index[3] = {m % n[0], m / n[0] % n[1], m / n[0] / n[1]};
        double sum = 0.0;
        weight[m] = courant_squared;
        for (int axis = 0; axis < 3; axis++) {
            double sine = sin(0.5 * M_PI * (double)index[axis] / (double)n[axis]);
            sum += sine * sine;
            weight[m] *= shape(index[axis], source[axis], n[axis]) * shape(index[axis], receiver[axis], n[axis]);
        }
        omega[m] = 2.0 * asin(sqrt(courant_squared * sum));
        if (m)
            weight[m] /= sin(omega[m]);
    }
#pragma omp parallel for
    for (size_t step = 0; step < STEPS; step++) {
        double value = weight[0] * (double)step;
        for (size_t m = 1; m < modes; m++)
            value += weight[m] * sin((double)step * omega[m]);
        p[step] = value;
    }
    free(weight);
    return 0;
}

static int check_box(struct validation *v, struct report *r, struct error *e)
{
    size_t n[3], source[3], receiver[3];
    struct scene s;
    double *buffer = calloc(3 * STEPS, sizeof *buffer), *drive = buffer, *exact = buffer + STEPS,
           *measured = exact + STEPS;
    if (!buffer)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = 2 * random_between(&v->random, 2, 10) + 1;
        source[axis] = random_between(&v->random, 0, n[axis] - 1);
        receiver[axis] = random_between(&v->random, 0, n[axis] - 1);
    }
    int status = scene_box(&s, n[0], n[1], n[2], PRECISION_DOUBLE, e);
    const double courant_squared = s.problem.as.leapfrog.courant_squared;
    if (!status) {
        scene_drive(&s, scene_point(&s, source[0], source[1], source[2]), courant_squared);
        scene_tap(&s, scene_point(&s, receiver[0], receiver[1], receiver[2]), 1.0);
        drive[0] = 1.0;
        for (size_t i = 0; i < STEPS; i++)
            measured[i] = NAN; /* a tap that is never written must not pass */
        status = exact_response(exact, n, source, receiver, courant_squared, e) ||
                 scene_run(&s, &v->choice, STEPS, drive, measured, e);
    }
    double peak = 0.0, worst = 0.0;
    for (size_t i = 0; i < STEPS && !status; i++) {
        double difference = fabs(measured[i] - exact[i]);
        peak = fmax(peak, fabs(exact[i]));
        worst = worst_of(worst, difference);
    }
    if (!status)
        report_bound(r, "modes", worst / peak, 1e-11,
                     "rigid box %zu x %zu x %zu, %d steps: largest difference over peak", n[0], n[1], n[2], STEPS);
    scene_free(&s);
    free(buffer);
    return status;
}

int check_modes(struct validation *v, struct report *r, struct error *e)
{
    for (int i = 0; i < BOXES; i++)
        if (check_box(v, r, e))
            return -1;
    return 0;
}
