/* SPDX-License-Identifier: MIT */
#include "render/calibrate/heard.h"
#include "render/calibrate/rays.h"
#include "render/hybrid/late_walls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static void assert_near(double measured, double expected, double tolerance)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", measured, tolerance, expected);
}

static void an_impulse_has_its_energy_in_every_octave_at_its_time(void **state)
{
    enum { FRAMES = 4000, PULSE = 1203 };
    static double samples[FRAMES];
    const double rate = 16000.0;
    const struct late_bands bands = late_bands_make(1, 250.0, 4000.0 * M_SQRT1_2);
    struct late_histogram h;
    struct error e;
    (void)state;
    samples[PULSE] = 0.3;
    assert_int_equal(late_histogram_make(&h, 1, 125, LATE_BIN, &bands, &e), 0);
    assert_int_equal(heard_add(&h, 0, samples, FRAMES, rate, &e), 0);
    for (size_t band = 0; band < bands.count; band++) {
        double moment = 0.0;
        const double all = late_energy_from(&h, 0, band, 0);
        for (size_t bin = 0; bin < h.bins; bin++)
            moment += ((double)bin + 0.5) * h.bin * late_energy(&h, 0, bin, band)[0];
        assert_near(all, 0.09, 1e-6);
        assert_near(moment / all, PULSE / rate, h.bin);
    }
    late_histogram_free(&h);
}

/* Bands of one decay keep it; the slowest octave loses late energy to its neighbours' edges. */
static void octaves_between_faster_ones_are_heard_to_decay_faster(void **state)
{
    const struct late_bands bands = late_bands_make(1, 250.0, 4000.0 * M_SQRT2);
    const double slow = 1.8, fast = 1.2;
    struct error e;
    (void)state;
    for (int equal = 0; equal < 2; equal++) {
        struct late_histogram h;
        assert_int_equal(late_histogram_make(&h, 1, 1000, LATE_BIN, &bands, &e), 0);
        for (size_t bin = 0; bin < h.bins; bin++)
            for (size_t band = 0; band < bands.count; band++)
                late_energy(&h, 0, bin, band)[0] =
                    exp(-6.0 * log(10.0) * (double)bin * h.bin / (band == 2 || equal ? slow : fast));
        heard_blend(&h, (const bool[]){true, true, true, true, true, true});
        const double time = calibrate_time(NULL, &h, 0, 2, 5.0, 20.0);
        if (equal)
            assert_near(time, slow, 0.01);
        else
            assert_true(time < 0.99 * slow && time > 0.95 * slow);
        late_histogram_free(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impulse_has_its_energy_in_every_octave_at_its_time),
        cmocka_unit_test(octaves_between_faster_ones_are_heard_to_decay_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
