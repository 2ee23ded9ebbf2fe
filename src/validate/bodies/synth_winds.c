/* SPDX-License-Identifier: MIT */
/* Wind instruments, here without a room: the notes of the clarinet that ships against equal temperament, their
 * balance of energy, and the pressure at which a reed on a pipe starts to sound against its closed form. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "base/text.h"
#include "render/synth/session.h"
#include "render/synth/wind_plan.h"
#include "room/notes.h"
#include "solver/schemes/bodies/wind_impedance.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/partial.h"
#include "validate/bodies/synth_wind_rooms.h"

/* ---- notes */

enum { LOWEST = 50 /* D3 */, NOTES = 13 };
static const double apart = 0.5, held = 0.45; /* s */

static char *piece_text(void)
{
    struct growing_text text = {.text = NULL};
    growing_text_add(&text, "room: { size = [4.0, 4.0, 3.0]; };\ngrid: { rate = 8000.0; };\n"
                            "instruments: ( { name = \"c\"; preset = \"clarinet\"; mouth = [2.0, 1.5, 1.8]; position = "
                            "[2.0, 1.9, 1.4]; } );\npickups: ( { instrument = \"c\"; place = 1.0; } );\n"
                            "score: { events: ( ");
    for (int n = 0; n < NOTES; n++)
        growing_text_add(&text, "%s{ time = %g; instrument = \"c\"; note = %d; hold = %g; }", n ? ", " : "", apart * n,
                         LOWEST + n, held);
    growing_text_add(&text, " ); };\n");
    return growing_text_take(&text, NULL);
}

static void measure_notes(const struct take *take, double *worst)
{
    const struct response *heard = &take->pickups;
    const size_t count = (size_t)(0.28 * heard->rate);
    for (int n = 0; n < NOTES; n++) {
        const double pitch = midi_note_pitch(LOWEST + n);
        const size_t first = (size_t)((apart * n + 0.15) * heard->rate);
        const struct partial p = partial_find(heard->samples + first, count, heard->rate, 0.93 * pitch, 1.07 * pitch);
        *worst = nan_max(*worst, fabs(1200.0 * log2(p.frequency / pitch)));
    }
}

static int check_notes(struct validation *v, struct report *r, struct error *e)
{
    struct room *room = NULL;
    struct session s = {.room = NULL};
    struct take take = {.air = {.samples = NULL}};
    struct solver_options choice = v->choice;
    double worst = 0.0;
    choice.audit = true;
    char *text = piece_text();
    int status = text ? room_read_text(&room, "clarinet", text, NULL, 0, e) : fail(e, ERROR_MEMORY, "out of memory");
    status = status || session_make(&s, room, true, e);
    if (!status && !(status = take_make(&take, &s, &choice, NULL, e))) {
        measure_notes(&take, &worst);
        report_bound(r, "winds", worst, 5.0, "clarinet from D3 to D4: worst note relative to equal temperament, cents");
        report_bound(r, "winds", take.outcome.energy_residual, 1e-10,
                     "    balance of energy over what the player gave");
    }
    take_free(&take);
    if (s.room)
        session_free(&s);
    room_free(room);
    free(text);
    return status ? -1 : 0;
}

/* ---- a reed on a pipe */

/* The admittance where |Z| is largest between two frequencies, Hz, m³/(Pa s). */
static int resonance(double complex *admittance, const struct wind *w, double low, double high, struct error *e)
{
    double complex best = 0.0;
    for (double at = low; at < high; at += 0.02) {
        double complex z = 0.0;
        if (wind_impedance(w, at, NULL, &z))
            return fail(e, ERROR_MEMORY, "out of memory");
        best = cabs(z) > cabs(best) ? z : best;
    }
    *admittance = 1.0 / best;
    return 0;
}

/* The root γ = p_m/p_M of ζ (3γ - 1)/(2 √γ) = Re(Y Z_c), a reed without inertia: J. Kergomard, "Elementary
 * considerations on reed-instrument oscillations", in "Mechanics of Musical Instruments", Springer 1995. */
static double kergomard(double strength, double admittance)
{
    double low = 1.0 / 3.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(strength * (3.0 * middle - 1.0) / (2.0 * sqrt(middle)) < admittance ? &low : &high) = middle;
    }
    return low;
}

static int check_threshold(struct report *r, struct error *e)
{
    static const double bore[2][2] = {{0.0, 0.015}, {0.5, 0.015}};
    const struct wind_plan plan = {.bore = bore, .bore_count = 2, .reed = reed_clarinet(), .end = {0.5, 0.0, 0.0}};
    const struct wind_air air = {.density = 1.2, .sound_speed = 343.0, .rate = 48000.0};
    struct wind w;
    double complex admittance = 0.0;
    int status = wind_begin(&w, &plan, NULL, &air, e) || resonance(&admittance, &w, 120.0, 220.0, e);
    if (!status) {
        const double impedance = air.density * air.sound_speed / w.bore.area[0],
                     closes = reed_closing_pressure(&w.reed);
        const double strength = w.reed.width * w.reed.opening * sqrt(2.0 / (air.density * closes)) * impedance;
        double frequency = 0.0;
        const double found = wind_threshold(&w, 0.0, NULL, 120.0, 220.0, &frequency) / closes;
        const double expected = kergomard(strength, impedance * creal(admittance));
        report_bound(r, "winds", 100.0 * fabs(found / expected - 1.0), 2.0,
                     "pipe of 0.5 m: sounds from %.4f of the closing pressure; error relative to Kergomard, %%", found);
    }
    wind_end(&w);
    return status ? -1 : 0;
}

int check_synth_winds(struct validation *v, struct report *r, struct error *e)
{
    return check_notes(v, r, e) || check_threshold(r, e) || check_wind_rooms(v, r, e) ? -1 : 0;
}
