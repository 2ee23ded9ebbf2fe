/* How much the air absorbs, and by which method a render takes it into account.
 *
 * ISO 9613-1:1993, "Attenuation of sound during propagation outdoors, part 1: calculation of the absorption of sound by
 * the atmosphere", clause 6.2. Good to 10 % from 0.05 % to 5 % of water vapour and for frequency over pressure between
 * 4e-4 and 10 Hz/Pa; the formulas are smooth beyond. */
#ifndef AULA_MODEL_AIR_H
#define AULA_MODEL_AIR_H

#include "room/room.h"

struct air_conditions {
    double temperature; /* °C */
    double humidity;    /* %, relative; 0 is dry air */
    double pressure;    /* kPa */
};

struct air_conditions air_conditions(const struct room *room);

/* kg/m³ of dry air: p/(R T), R = 287.05 J/(kg K); humidity changes it by less than 1 %. */
double air_density(const struct air_conditions *air);

/* Np/m: the amplitude of a plane wave of this frequency (Hz) falls as exp(-α r). */
double air_absorption(double frequency, const struct air_conditions *air);

/* The same in dB/km, as tables print it. */
double air_absorption_level(double frequency, const struct air_conditions *air);

/* s: the τ of p_tt = c²∇²p + c²τ ∇²p_t, whose attenuation ω²τ/(2c) equals ISO 9613-1's at this frequency (Hz). */
double air_viscothermal_time(double frequency, const struct air_conditions *air, double sound_speed);

/* AIR_NONE: lossless. AIR_FILTER: lossless steps, then a filter on the impulse response that varies with the time since
 * emission: follows ISO 9613-1 at every frequency, but there is such a time for a single impulse only. AIR_SCHEME: the
 * scheme itself absorbs, as ω²τ/(2c): for signals and for several sources at once. */
enum air_method { AIR_NONE, AIR_FILTER, AIR_SCHEME };
extern const char *const air_method_names[];

/* How a render of `count` of the room's sources at once, from `first` on, takes the air into account. */
enum air_method air_method(const struct room *room, size_t first, size_t count);

#endif
