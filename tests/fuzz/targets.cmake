# SPDX-License-Identifier: MIT
# The libFuzzer targets: tools/fuzz builds and runs them. Each links the layer that it hands its input to, and no other,
# so that its coverage is that of the reader.

# aula_fuzz(NAME LAYER...): fuzz_NAME of targets/NAME.c.
function(aula_fuzz name)
  add_executable(fuzz_${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/targets/${name}.c ${PROJECT_SOURCE_DIR}/tests/fuzz/targets/harness.c)
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  aula_link_layers(fuzz_${name} PRIVATE ${ARGN})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/targets)
  add_dependencies(fuzz fuzz_${name})
endfunction()

# Kernels read no files: without checks they compile in a tenth of the time.
set_source_files_properties(${cpu_variant_sources} PROPERTIES COMPILE_OPTIONS "-O1;-fno-sanitize=all;-Wno-pass-failed")
foreach(layer IN ITEMS solver_cpu dsp) # the checks keep their loops scalar
  target_compile_options(aula_${layer} PRIVATE -Wno-pass-failed)
endforeach()

add_custom_target(fuzz)
aula_fuzz(room room ${importers})
aula_fuzz(checkpoint solver/checkpoint validate ${engines} ${importers})
aula_fuzz(manifest render/batch ${engines} ${importers})
aula_fuzz(plan render/batch ${engines} ${importers})
aula_fuzz(sidecar render ${engines} ${importers})
aula_fuzz(midi render/synth ${engines} ${importers})
aula_fuzz(score render/synth ${engines} ${importers})
aula_fuzz(walk render/moving ${engines} ${importers})
aula_fuzz(obj geometry ${importers})
aula_fuzz(dry_sound io)
aula_fuzz(wav_image io)
aula_fuzz(logo present/report ${engines} ${importers})
aula_fuzz(response dsp/measure ${importers})
aula_fuzz(targets room/targets ${importers})
aula_fuzz(calibration app solver/parts/mpi ${engines} ${importers})
aula_fuzz(material_table app solver/parts/mpi ${engines} ${importers})
aula_fuzz(measured app solver/parts/mpi ${engines} ${importers})
aula_fuzz(candidates render/place ${engines} ${importers})
aula_fuzz(osc render/preview ${engines} ${importers})
aula_fuzz(completion app solver/parts/mpi ${engines} ${importers})
aula_fuzz(sofa io/sofa)
aula_fuzz(sofa_wire io/sofa)
