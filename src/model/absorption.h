/* Absorption coefficients and what a locally reacting wall of real specific admittance g absorbs. */
#ifndef AULA_MODEL_ABSORPTION_H
#define AULA_MODEL_ABSORPTION_H

#define ABSORPTION_MOST 0.9512 /* the most a real admittance absorbs at random incidence, at g = 0.638 */

/* Random-incidence absorption of specific admittance g (Paris): 8g [1 + g/(1+g) - 2g ln((1+g)/g)]. */
double random_incidence_absorption(double admittance);

/* The admittance below 0.638 that absorbs `absorption`; clamped at the most there is. 0 gives 0: rigid. */
double admittance_of_absorption(double absorption);

#endif
