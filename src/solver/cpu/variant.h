/* SPDX-License-Identifier: MIT */
/* One source for several precisions and instruction sets: the build sets REAL and VARIANT
 * (CMakeLists.txt), so that NAME(sweep) becomes, for example, sweep_single_avx2. */
#ifndef AULA_SOLVER_CPU_VARIANT_H
#define AULA_SOLVER_CPU_VARIANT_H

#define JOIN(a, b) a##_##b
#define EXPAND(a, b) JOIN(a, b)
#define NAME(function) EXPAND(function, VARIANT)

#endif
