# SPDX-License-Identifier: MIT
# Tests that take more than about nine seconds of a core, but for a few that guard what breaks most easily. They have the label
# slow; `tools/check` leaves them out, `tools/check --all` and ctest without -LE slow do not.
set(AULA_SLOW_TESTS
  bands_test cli-bench cli-checkpoints cli-duration cli-info cli-interrupt cli-lost-output
  cli-metrics cli-models cli-partitions cli-place_walls cli-report cli-sets cli-shipped cli-synth cli-valgrind hybrid_test layout_test live_test
  metrics_limits_test metrics_noise_test metrics_test pieces_test python-torch report-browser sound-death sound-interrupt sound-load sound-measure
  sound-play sound-preview validate-air validate-hybrid-box validate-hybrid-convergence validate-hybrid-crossover studio-page
  validate-hybrid-decays validate-hybrid-ears validate-hybrid-free-field validate-hybrid-near-walls
  validate-hybrid-octaves validate-hybrid-oracle validate-hybrid-rays validate-hybrid-rooms validate-hybrid-trend validate-geometry-modes
  validate-cartesian7-kernels validate-parts-resumed validate-isotropic19-decay validate-isotropic19-kernels validate-isotropic19-slanted
  validate-modes-boxes validate-modes-corner validate-modes-neighbours validate-space-ears validate-space-sources validate-synth-plates validate-synth-presets
  validate-synth-surfaces validate-walls-kernels validate-walls-reverberation wall_fit_test)
if(AULA_SANITIZE) # and those that are slow with sanitizers
  list(APPEND AULA_SLOW_TESTS
    batch_room_test convolve_test field_stencil_test first_sound_test geometry_leaks_test late_rays_test locale_test)
endif()
foreach(name IN LISTS AULA_SLOW_TESTS)
  if(NOT TEST ${name})
    continue() # what it tests is not in this build
  endif()
  get_property(labels TEST ${name} PROPERTY LABELS)
  set_property(TEST ${name} PROPERTY LABELS ${labels} slow)
endforeach()

# Of the kernels of each scheme against their reference a few cases.
foreach(scheme IN ITEMS cartesian7 isotropic19 walls)
  add_test(NAME validate-${scheme}-kernels-few COMMAND aula validate ${scheme}/kernels --cases 1)
  set_tests_properties(validate-${scheme}-kernels-few PROPERTIES LABELS physics TIMEOUT ${AULA_HANGS} ENVIRONMENT OMP_NUM_THREADS=1)
endforeach()
