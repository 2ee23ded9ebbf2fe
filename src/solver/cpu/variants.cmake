# SPDX-License-Identifier: MIT
# Kernels compiled several times, selected by file name: one source for both precisions and every instruction set.
file(GLOB cpu_plain RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS solver/cpu/plain.c solver/cpu/*_reference.c solver/cpu/*/*_reference.c)
file(GLOB cpu_rows RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS solver/cpu/*_rows.c solver/cpu/*/*_rows.c solver/cpu/*_unrolled.c)
set(cpu_variant_sources ${cpu_plain} ${cpu_rows})

set(cpu_is_x86_64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(cpu_is_x86_64 ON)
endif()

# lanes of a vector: baseline, AVX2 and AVX-512
function(cpu_variants_of precision real mask lanes avx2_lanes avx512_lanes)
  aula_layer_variant(solver/cpu plain_${precision} SOURCES ${cpu_plain} DEFINITIONS REAL=${real} VARIANT=${precision} OPTIONS -O3)
  set(rows SOURCES ${cpu_rows} DEFINITIONS REAL=${real} MASK_INTEGER=${mask})
  aula_layer_variant(solver/cpu rows_${precision}_baseline ${rows} VARIANT=${precision}_baseline LANES=${lanes} OPTIONS -O3)
  if(cpu_is_x86_64)
    aula_layer_variant(solver/cpu rows_${precision}_avx2 ${rows} VARIANT=${precision}_avx2 LANES=${avx2_lanes} OPTIONS -O3 -mavx2)
    aula_layer_variant(solver/cpu rows_${precision}_avx512 ${rows} VARIANT=${precision}_avx512 LANES=${avx512_lanes}
      OPTIONS -O3 -mavx512f -mavx512vl -mprefer-vector-width=512)
  endif()
endfunction()

function(cpu_variants)
  cpu_variants_of(single float int32_t 4 8 16)
  cpu_variants_of(double double int64_t 2 4 8)
endfunction()

# Loops over the nodes of bodies (solver/schemes/bodies/loops.h), in double precision.
file(GLOB body_loop_sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS solver/schemes/bodies/*_loops.c)

function(body_loop_variants)
  set(loops SOURCES ${body_loop_sources})
  aula_layer_variant(solver/schemes loops_baseline ${loops} DEFINITIONS VARIANT=baseline OPTIONS -O3)
  if(cpu_is_x86_64)
    aula_layer_variant(solver/schemes loops_avx2 ${loops} DEFINITIONS VARIANT=avx2 OPTIONS -O3 -mavx2)
    aula_layer_variant(solver/schemes loops_avx512 ${loops} DEFINITIONS VARIANT=avx512
      OPTIONS -O3 -mavx512f -mavx512vl -mprefer-vector-width=512)
  endif()
endfunction()
