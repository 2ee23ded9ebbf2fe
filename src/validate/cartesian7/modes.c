/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/modes.h"

#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/checks.h"
#include "validate/scene/scene.h"

enum { STEPS = 4000, BOXES = 5 };

/* Orthonormal mode shape of a row of n voxels at their centres; or at their corners, where the
 * two at the ends have half weight. */
static double shape(enum air_stencil stencil, size_t m, size_t i, size_t n)
{
    const bool corners = stencil == STENCIL_19_POINT;
    const double norm = sqrt((m && !(corners && m == n) ? 2.0 : 1.0) / (double)n);
    return norm * cos(M_PI * (double)m * ((double)i + (corners ? 0.0 : 0.5)) / (double)n);
}

/* sin²(ω k/2)/λ² of a mode, theory (10) and (14), from s_i = sin²(π m_i/2N_i). */
static double stencil_sum(enum air_stencil stencil, const double s[3])
{
    const double sum = s[0] + s[1] + s[2];
    return stencil == STENCIL_19_POINT ? sum - 2.0 / 3.0 * (s[0] * s[1] + s[0] * s[2] + s[1] * s[2]) : sum;
}

/* Time dependence of a mode: amplitude times radius^{n-1} sin(n θ)/sin θ, n for θ = 0;
 * overdamped: two real roots. */
struct mode {
    double amplitude;
    double radius, theta;
    double roots[2]; /* if they are real; else 0 */
};

/* z² - (2 - 4 (λ² + v) Σ) z + 1 - 4 v Σ = 0 with Σ = the sum of sin²(π m_i/2N_i) and v the viscosity; its roots are
 * radius e^{±iθ}, and without losses sin²(θ/2) = λ² Σ. Written without cancellation for low modes. */
static void set_roots(struct mode *mode, double sum, double courant_squared, double viscosity)
{
    const double loss = 4.0 * viscosity * sum, b = 1.0 - 2.0 * (courant_squared + viscosity) * sum;
    if (loss < 1.0) {
        const double r = sqrt(1.0 - loss);
        const double sine_squared = ((courant_squared + viscosity) * sum - 0.5 * loss / (1.0 + r)) / r; /* (r - b)/2r */
        if (sine_squared >= 0.0 && sine_squared <= 1.0) { /* otherwise overdamped, or alternating */
            mode->radius = r;
            mode->theta = 2.0 * asin(sqrt(sine_squared));
            return;
        }
    }
    const double half = sqrt(b * b - (1.0 - loss));
    mode->roots[0] = b + half;
    mode->roots[1] = b - half;
}

static double mode_at(const struct mode *m, size_t step)
{
    const double n = (double)step;
    if (m->roots[0] != m->roots[1])
        return m->amplitude * (pow(m->roots[0], n) - pow(m->roots[1], n)) / (m->roots[0] - m->roots[1]);
    if (m->theta == 0.0)
        return m->amplitude * n;
    return m->amplitude * (m->radius == 1.0 ? 1.0 : pow(m->radius, n - 1.0)) * sin(n * m->theta) / sin(m->theta);
}

/* As theory (11): p^n = λ² Σ_m φ_m(source) φ_m(receiver) times the time dependence of the mode. */
static int exact_response(double *p, const struct scene *s, const size_t source[3], const size_t receiver[3],
                          struct error *e)
{
    const struct leapfrog_problem *l = &s->leapfrog;
    const size_t *n = s->problem.points; /* as many modes as points */
    const size_t count = n[0] * n[1] * n[2];
    struct mode *modes = calloc(count, sizeof *modes);
    if (!modes)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t m = 0; m < count; m++) {
        const size_t index[3] = {m % n[0], m / n[0] % n[1], m / n[0] / n[1]};
        double squares[3];
        modes[m].amplitude = l->courant_squared;
        for (int axis = 0; axis < 3; axis++) {
            const size_t voxels = s->voxels[axis];
            const double sine = sin(0.5 * M_PI * (double)index[axis] / (double)voxels);
            squares[axis] = sine * sine;
            modes[m].amplitude *= shape(l->stencil, index[axis], source[axis], voxels) *
                                  shape(l->stencil, index[axis], receiver[axis], voxels);
        }
        set_roots(&modes[m], stencil_sum(l->stencil, squares), l->courant_squared, l->viscosity);
    }
#pragma omp parallel for
    for (size_t step = 0; step < STEPS; step++) {
        p[step] = 0.0;
        for (size_t m = 0; m < count; m++)
            p[step] += mode_at(&modes[m], step);
    }
    free(modes);
    return 0;
}

int modes_check_box(struct validation *v, struct report *r, const char *check, enum air_stencil stencil, double t,
                    struct error *e)
{
    size_t n[3], source[3], receiver[3];
    struct scene s;
    double *buffer = calloc(3 * STEPS, sizeof *buffer), *drive = buffer, *exact = buffer + STEPS,
           *measured = exact + STEPS;
    if (!buffer)
        return fail(e, ERROR_MEMORY, "out of memory");
    const size_t more = stencil == STENCIL_19_POINT; /* number of points minus number of voxels */
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = 2 * random_between(&v->random, 2, 10) + 1;
        source[axis] = random_between(&v->random, 0, n[axis] - 1 + more);
        receiver[axis] = random_between(&v->random, 0, n[axis] - 1 + more);
    }
    int status = scene_box(&s, n[0], n[1], n[2], PRECISION_DOUBLE, e);
    struct leapfrog_problem *l = &s.leapfrog;
    status = status || cartesian7_viscosity(0.0, t, &l->courant_squared, &l->viscosity, e);
    if (!status) {
        if (stencil == STENCIL_19_POINT)
            scene_use_corners(&s);
        const uint64_t at = scene_point(&s, source[0], source[1], source[2]);
        scene_drive(&s, at, scene_source_weight(&s, at));
        scene_tap(&s, scene_point(&s, receiver[0], receiver[1], receiver[2]), 1.0);
        drive[0] = 1.0;
        for (size_t i = 0; i < STEPS; i++)
            measured[i] = NAN; /* taps that are not written must fail */
        status = exact_response(exact, &s, source, receiver, e) || scene_run(&s, &v->choice, STEPS, drive, measured, e);
    }
    double peak = 0.0, worst = 0.0;
    for (size_t i = 0; i < STEPS && !status; i++) {
        double difference = fabs(measured[i] - exact[i]);
        peak = fmax(peak, fabs(exact[i]));
        worst = nan_max(worst, difference);
    }
    if (!status)
        report_bound(r, check, worst / peak, 1e-11,
                     "rigid box %zu x %zu x %zu, τ/k = %g, %d steps: largest difference relative to peak", n[0], n[1],
                     n[2], t, STEPS);
    scene_free(&s);
    free(buffer);
    return status;
}

int check_modes(struct validation *v, struct report *r, struct error *e)
{
    for (int i = 0; i < BOXES; i++)
        if (modes_check_box(v, r, "modes", STENCIL_7_POINT, 0.0, e))
            return -1;
    return 0;
}

/* From the air of a concert hall to unphysical losses that overdamp the highest modes. */
int check_air_modes(struct validation *v, struct report *r, struct error *e)
{
    static const double times[] = {1e-5, 1e-4, 1e-3, 0.1, 2.0};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (modes_check_box(v, r, "modes", STENCIL_7_POINT, times[i], e))
            return -1;
    return 0;
}
