/* SPDX-License-Identifier: MIT */
/* Speed of sound, density and absorption of air.
 *
 * Absorption: ISO 9613-1:1993, "Attenuation of sound during propagation outdoors, part 1: calculation of the absorption
 * of sound by the atmosphere", clause 6.2. Good to 10 % from 0.05 % to 5 % of water vapour and for frequency over
 * pressure between 4e-4 and 10 Hz/Pa; the formulas are smooth beyond. */
#ifndef AULA_BASE_ACOUSTICS_AIR_H
#define AULA_BASE_ACOUSTICS_AIR_H

struct air_conditions {
    double temperature; /* °C */
    double humidity;    /* %, relative; 0 is dry air */
    double pressure;    /* kPa */
};

/* m/s, theory (2): c = 343.2 sqrt((t + 273.15) / 293.15), t in °C. */
double sound_speed(double temperature);

/* kg/m³ of dry air, theory (3): p/(R T), R = 287.05 J/(kg K); humidity changes it by less than 1 %. */
double air_density(const struct air_conditions *air);

/* Np/m, theory (18) to (20): the amplitude of a plane wave of this frequency (Hz) falls as exp(-α r). */
double air_absorption(double frequency, const struct air_conditions *air);

/* The same in dB/km, as tables print it. */
double air_absorption_level(double frequency, const struct air_conditions *air);

/* s, theory (21): the τ of p_tt = c²∇²p + c²τ ∇²p_t, whose attenuation ω²τ/(2c) equals ISO 9613-1's at this frequency
 * (Hz). */
double air_viscothermal_time(double frequency, const struct air_conditions *air, double sound_speed);

#endif
