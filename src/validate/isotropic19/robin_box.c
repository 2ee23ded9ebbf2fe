/* SPDX-License-Identifier: MIT */
#include "validate/isotropic19/robin_box.h"

#include <math.h>

#include "base/acoustics/branch_admittance.h"

enum { MODES = ROBIN_MODES, PATH = 40, APPROACH = 6, POLISH = 40, ITERATIONS = 60 };

/* Specific admittance of the walls across an axis at a wavenumber, which may be complex. */
static double complex robin_admittance(const struct robin_box *box, int axis, double complex k)
{
    const struct admittance *w = &box->walls[axis];
    if (box->layers[axis])
        return layers_continued_admittance(box->layers[axis], box->speed * k / (2.0 * M_PI), 0.0);
    return w->real + branch_admittance(w->branches, w->branch_count, I * (box->speed * k));
}

/* One step towards q tan(qL/2) = b or q cot(qL/2) = -b. */
static double complex newton(double length, size_t m, double complex q, double complex b)
{
    const double complex u = 0.5 * length * q, sine = csin(u), cosine = ccos(u);
    const double complex value = m % 2 ? q * cosine + b * sine : q * sine - b * cosine;
    const double complex slope =
        m % 2 ? cosine - u * sine + 0.5 * length * b * cosine : sine + u * cosine + 0.5 * length * b * sine;
    return value / slope;
}

/* One sweep over all roots; returns the largest step relative to its root. */
static double improve(double complex *q, double length, double complex b)
{
    double largest = 0.0;
    for (size_t m = 0; m < MODES; m++) {
        const double complex step = newton(length, m, q[m], b);
        /* the other roots are -q, those of the same parity with either sign, and for odd modes 0 */
        double complex others = (m % 2 ? 1.5 : 0.5) / q[m];
        for (size_t k = m % 2; k < MODES; k += 2)
            if (k != m)
                others += 2.0 * q[m] / (q[m] * q[m] - q[k] * q[k]);
        const double complex corrected = step / (1.0 - step * others);
        q[m] -= corrected;
        largest = fmax(largest, cabs(corrected) / (cabs(q[m]) + 1e-3));
    }
    return largest;
}

/* Wavenumbers q[ROBIN_MODES] of the modes of a length L between walls with b = jkY: q tan(qL/2) = b for even m, q
 * cot(qL/2) = -b for odd m; from the rigid walls' π m/L as b grows from 0, all at once, so that no two become one
 * (Newton's method with Aberth's correction). NaN where that does not converge. */
static void robin_wavenumbers(double complex *q, double length, double complex b)
{
    for (size_t m = 0; m < MODES; m++)
        q[m] = M_PI * (double)m / length;
    q[0] = csqrt(2.0 * b / (PATH * length)); /* q² L/2 = b for small b */
    for (int i = 1; i <= PATH; i++)
        for (int n = 0; n < APPROACH; n++)
            improve(q, length, b * i / PATH);
    double step = 1.0;
    for (int n = 0; n < POLISH && step > 1e-14; n++)
        step = improve(q, length, b);
    for (size_t m = 0; m < MODES && !(step <= 1e-11); m++)
        q[m] = NAN;
}

double complex robin_shape(double length, size_t m, double complex q, double x)
{
    const double complex phase = q * (x - 0.5 * length);
    return m % 2 ? csin(phase) : ccos(phase);
}

/* Integral of the squared shape over the length. */
static double complex integral(double length, size_t m, double complex q)
{
    const double complex rest = csin(q * length) / (2.0 * q);
    return 0.5 * length + (m % 2 ? -rest : rest);
}

/* Along x: d²g/dx² + q² g = -δ(x - source) with reflection R at both ends. */
static double complex field_along(double length, double complex q, double complex reflection, double source,
                                  double receiver)
{
    const double low = fmin(source, receiver), high = fmax(source, receiver);
    const double complex r = reflection;
    const double complex sum = cexp(-I * q * (high - low)) + r * cexp(-I * q * (high + low)) +
                               r * cexp(-I * q * (2.0 * length - high - low)) +
                               r * r * cexp(-I * q * (2.0 * length - (high - low)));
    return sum / (1.0 - r * r * cexp(-I * q * (2.0 * length))) / (2.0 * I * q);
}

double complex robin_field(const struct robin_box *box, double k, const size_t source[3], const size_t receiver[3])
{
    double complex squares[2][MODES], weights[2][MODES], sum = 0.0;
    for (int axis = 1; axis < 3; axis++) {
        const double length = box->length[axis];
        double complex q[MODES];
        robin_wavenumbers(q, length, I * k * robin_admittance(box, axis, k));
        for (size_t m = 0; m < MODES; m++) {
            squares[axis - 1][m] = q[m] * q[m];
            weights[axis - 1][m] = robin_shape(length, m, q[m], (double)source[axis]) *
                                   robin_shape(length, m, q[m], (double)receiver[axis]) / integral(length, m, q[m]);
        }
    }
    const double complex y = robin_admittance(box, 0, k);
    for (size_t i = 0; i < MODES; i++)
        for (size_t j = 0; j < MODES; j++) {
            double complex q = csqrt(k * k - squares[0][i] - squares[1][j]);
            if (cimag(q) > 0.0)
                q = -q;
            sum += weights[0][i] * weights[1][j] *
                   field_along(box->length[0], q, (q - k * y) / (q + k * y), (double)source[0], (double)receiver[0]);
        }
    return sum;
}

double complex robin_mode(const struct robin_box *box, const size_t m[3], double complex q[3])
{
    double rigid = 0.0;
    for (int axis = 0; axis < 3; axis++)
        rigid += pow(M_PI * (double)m[axis] / box->length[axis], 2.0);
    double complex k = sqrt(rigid), last = 0.0;
    for (int i = 0; i < ITERATIONS; i++) {
        double complex squares = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            double complex roots[MODES];
            robin_wavenumbers(roots, box->length[axis], I * k * robin_admittance(box, axis, k));
            q[axis] = roots[m[axis]];
            squares += q[axis] * q[axis];
        }
        last = k;
        k = 0.5 * k + 0.5 * csqrt(squares);
    }
    return cabs(k - last) <= 1e-10 * cabs(k) ? k : NAN;
}
