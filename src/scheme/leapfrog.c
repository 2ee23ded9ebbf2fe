#include "scheme/leapfrog.h"

#include <complex.h>
#include <math.h>

static const char *const arrays[] = {"p", "p_previous", NULL};

static int check_channels(const struct channel *channels, size_t count, const struct problem *p, int level_min,
                          const char *what, struct error *e)
{
    uint64_t points = (uint64_t)p->points[0] * p->points[1] * p->points[2];
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < channels[c].count; i++) {
            const struct channel_entry *entry = &channels[c].entries[i];
            if (entry->point >= points || entry->array != 0 || entry->level < level_min || entry->level > 1)
                return fail(e, ERROR_ENGINE, "%s channel %zu, entry %zu: no such point, array or time level", what, c,
                            i);
            if (!isfinite(entry->weight))
                return fail(e, ERROR_ENGINE, "%s channel %zu, entry %zu: the weight is not a number", what, c, i);
        }
    return 0;
}

static int check(const struct problem *p, struct error *e)
{
    double courant_squared = p->as.leapfrog.courant_squared;
    if (!(courant_squared > 0.0 && courant_squared <= 1.0 / 3.0))
        return fail(e, ERROR_ENGINE,
                    "a Courant number of %.9g is above the stability limit 1/sqrt(3) of the leapfrog scheme",
                    sqrt(courant_squared));
    for (int axis = 0; axis < 3; axis++)
        if (p->points[axis] == 0)
            return fail(e, ERROR_ENGINE, "a grid of %zu x %zu x %zu points is empty", p->points[0], p->points[1],
                        p->points[2]);
    for (int face = 0; face < 6; face++)
        if (p->as.leapfrog.outside[face] < CELL_SOLID)
            return fail(e, ERROR_ENGINE, "what lies beyond face %d of the box must be solid", face);
    for (int code = CELL_SOLID; code < CELL_CODES; code++)
        if (!(p->as.leapfrog.admittance[code] >= 0.0))
            return fail(e, ERROR_ENGINE, "a wall of specific admittance %g would create energy",
                        p->as.leapfrog.admittance[code]);
    return check_channels(p->drives, p->drive_count, p, 1, "drive", e) ||
           check_channels(p->taps, p->tap_count, p, 0, "tap", e);
}

const struct scheme leapfrog_scheme = {
    .name = "leapfrog",
    .arrays = arrays,
    .array_count = 2,
    .stepped = 2,
    .radius = 1,
    .flops_per_point = 9.0,
    .values_per_point = 3,
    .check = check,
};

/* λ² is a whole multiple of this: K λ² and 2 - K λ² then need at most 22 bits, for any λ. */
static const double courant_squared_unit = 0x1p-21;

int leapfrog_courant_squared(double courant, double *courant_squared, struct error *e)
{
    double wanted = courant == 0.0 ? 1.0 / 3.0 : courant * courant;
    /* 1/sqrt(3) typed with a few digits too many is the limit, not beyond it. */
    if (!(courant >= 0.0) || wanted > (1.0 / 3.0) * (1.0 + 1e-9))
        return fail(e, ERROR_INPUT,
                    "a Courant number of %.9g is above 1/sqrt(3) = 0.577350269: the scheme is unstable there", courant);
    if (wanted > 1.0 / 3.0)
        wanted = 1.0 / 3.0;
    *courant_squared = floor(wanted / courant_squared_unit) * courant_squared_unit;
    if (!(wanted >= 1e-4))
        return fail(e, ERROR_INPUT, "a Courant number of %.9g is below 0.01: give one from 0.01 to 0.577", courant);
    return 0;
}

double leapfrog_axial_velocity(double courant_squared, double frequency)
{
    double courant = sqrt(courant_squared);
    double sine = sin(M_PI * frequency) / courant;
    if (frequency <= 0.0)
        return 1.0;
    if (!(sine <= 1.0))
        return NAN;
    double kappa = 2.0 * asin(sine);
    return 2.0 * M_PI * frequency / (courant * kappa);
}

double leapfrog_valid_frequency(double courant_squared, double dispersion)
{
    double low = 0.0, high = asin(sqrt(courant_squared)) / M_PI; /* the cut-off: 0.196 at the limit */
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (1.0 - leapfrog_axial_velocity(courant_squared, middle) <= dispersion)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void leapfrog_reflection(double courant_squared, double admittance, double frequency, double reflection[2])
{
    double courant = sqrt(courant_squared), omega = 2.0 * M_PI * frequency;
    double kappa = 2.0 * asin(sin(0.5 * omega) / courant);
    double complex half = cexp(I * (0.5 * kappa));
    double complex r = 1.0;
    if (admittance > 0.0) {
        double a = 2.0 * courant * sin(0.5 * kappa) / (admittance * sin(omega));
        r = (a - half) / (a + conj(half));
    }
    reflection[0] = creal(r);
    reflection[1] = cimag(r);
}
