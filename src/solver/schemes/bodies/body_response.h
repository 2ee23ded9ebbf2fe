/* SPDX-License-Identifier: MIT */
/* What a force on a body does within one step: the linear part that ports (ports.h) and stretching
 * need, for every engine.
 *
 * The points of a body are the nodes of its surface and then the modes and bridge of each of its
 * lines, in one vector. The step from a body at rest for the generalized forces f, N, is linear: w⁺ =
 * A⁻¹ f. A is symmetric and includes the reaction of the air and the connections of the lines. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_BODY_RESPONSE_H
#define AULA_SOLVER_SCHEMES_BODIES_BODY_RESPONSE_H

#include "solver/schemes/bodies/bodies.h"

/* response [points]: A⁻¹ force, m. force [points] and response must not overlap. j: the coupling of the
 * body's lines. scratch: [body_response_scratch(body)]. */
void body_response(double *response, const struct body *body, const struct line_coupling *j, const double *force,
                   double time_step, double *scratch);
size_t body_response_scratch(const struct body *body);

#endif
