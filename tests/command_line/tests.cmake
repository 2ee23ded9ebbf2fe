# SPDX-License-Identifier: MIT
# The program as people run it, from its command line. Everything here also runs by hand: tests/command_line/NAME AULA LOOK
add_executable(look command_line/look.c)
target_link_libraries(look PRIVATE aula_options aula_base_headers PkgConfig::SNDFILE PkgConfig::CJSON m)

set(AULA_TEST_ENVIRONMENT AULA_DATA=${PROJECT_SOURCE_DIR}
  LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/leaks.supp:print_suppressions=0)
if(AULA_SANITIZE)
  list(APPEND AULA_TEST_ENVIRONMENT AULA_SANITIZED=1) # memory cannot be measured then
endif()

# aula_script(NAME LABEL SECONDS SCRIPT ARGUMENTS ...): exit 77 is a skip, which ctest reports as such; SECONDS of processor
# time for each program that the script runs
function(aula_script name label seconds script)
  add_test(NAME ${name} COMMAND ${AULA_LIMITED} ${seconds} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${AULA_HANGS} SKIP_RETURN_CODE 77
    ENVIRONMENT "${AULA_TEST_ENVIRONMENT}")
endfunction()

foreach(script IN ITEMS bad_input film map batch space directivities sofa_verifier sofa_positions moves ears completion locale manual lists verbose render parts checkpoints processes duration synth bench stop interrupt info reflections memory scenario auralize metrics compare report report_client shipped models foreign_models streams outputs sets limits slips moved doubts former_names valgrind targets open_plan deconvolve modes place place_walls summary calibrate material materials_import partitions loaders)
  aula_script(cli-${script} cli 300 command_line/${script} $<TARGET_FILE:aula> $<TARGET_FILE:look>)
endforeach()

aula_script(cli-furnished cli 300 command_line/furnished $<TARGET_FILE:aula> $<TARGET_FILE:look>)

add_library(no_locks MODULE command_line/no_locks.c)
aula_script(cli-shards cli 300 command_line/shards $<TARGET_FILE:aula> $<TARGET_FILE:look> $<TARGET_FILE:no_locks>)

# The long forms: ctest -C long -L long. Two hundred kills each, half an hour with a checkpoint each 20 s, and 40 interrupts of
# each command.
foreach(script IN ITEMS outputs checkpoints batch)
  add_test(NAME cli-${script}-kills COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/command_line/${script} $<TARGET_FILE:aula> $<TARGET_FILE:look> kills 200
    CONFIGURATIONS long)
endforeach()
add_test(NAME cli-processes-kills COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/command_line/processes $<TARGET_FILE:aula> $<TARGET_FILE:look> kills 20
  CONFIGURATIONS long)
add_test(NAME cli-cluster COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/command_line/cluster $<TARGET_FILE:aula> $<TARGET_FILE:look>
  CONFIGURATIONS long)
add_test(NAME cli-loaders-packages COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/command_line/loaders $<TARGET_FILE:aula> $<TARGET_FILE:look> long
  CONFIGURATIONS long)
add_test(NAME cli-checkpoints-soak COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/command_line/checkpoints $<TARGET_FILE:aula> $<TARGET_FILE:look> soak 1800
  CONFIGURATIONS long)
add_test(NAME cli-interrupt-often COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/command_line/interrupt $<TARGET_FILE:aula> $<TARGET_FILE:look> 40
  CONFIGURATIONS long)
set_tests_properties(cli-outputs-kills cli-checkpoints-kills cli-batch-kills cli-processes-kills cli-cluster cli-loaders-packages cli-checkpoints-soak cli-interrupt-often PROPERTIES LABELS long TIMEOUT 10800 SKIP_RETURN_CODE 77
  ENVIRONMENT "${AULA_TEST_ENVIRONMENT}")

# Links, index and measurements of the documentation.
aula_script(documents cli 60 documents/pages $<TARGET_FILE:aula> $<TARGET_FILE:look>)
# The equations that comments cite.
aula_script(documents-equations cli 60 documents/with_python ${CMAKE_CURRENT_SOURCE_DIR}/documents/equations)
# Prose of pages and messages; the form of messages of commits.
aula_script(documents-words cli 120 documents/with_python ${CMAKE_CURRENT_SOURCE_DIR}/documents/words)
aula_script(documents-commit-msg cli 60 documents/commit_msg $<TARGET_FILE:aula> $<TARGET_FILE:look>)
# The commands of the tutorials, and the site without its sounds. The long forms: those of all pages, and the whole site.
aula_script(documents-commands cli 300 documents/with_python ${CMAKE_CURRENT_SOURCE_DIR}/documents/commands $<TARGET_FILE:aula> $<TARGET_FILE:look>)
aula_script(documents-site cli 120 documents/with_python ${CMAKE_CURRENT_SOURCE_DIR}/documents/site $<TARGET_FILE:aula>)
# Comparisons with other programs, by aula and exact answers alone.
aula_script(documents-peers cli 120 documents/with_python ${CMAKE_CURRENT_SOURCE_DIR}/documents/peers $<TARGET_FILE:aula>)
add_test(NAME documents-commands-all COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/documents/with_python ${CMAKE_CURRENT_SOURCE_DIR}/documents/commands $<TARGET_FILE:aula> $<TARGET_FILE:look> long
  CONFIGURATIONS long)
add_test(NAME documents-site-sounds COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/documents/with_python ${CMAKE_CURRENT_SOURCE_DIR}/documents/site $<TARGET_FILE:aula> sounds CONFIGURATIONS long)
set_tests_properties(documents-commands-all documents-site-sounds PROPERTIES LABELS long TIMEOUT 10800 SKIP_RETURN_CODE 77
  ENVIRONMENT "${AULA_TEST_ENVIRONMENT}")

add_library(failing MODULE command_line/failing.c)
target_link_libraries(failing PRIVATE PkgConfig::CJSON ${CMAKE_DL_LIBS})
target_compile_definitions(failing PRIVATE _GNU_SOURCE)
set_target_properties(failing PROPERTIES C_VISIBILITY_PRESET default)
aula_script(cli-lost-output cli 300 command_line/lost_output $<TARGET_FILE:aula> $<TARGET_FILE:look> $<TARGET_FILE:failing>)

aula_script(cli-hardening cli 60 command_line/hardening $<TARGET_FILE:aula> $<TARGET_FILE:libaula> ${AULA_FORTIFIED})

# The server of aula studio, and its page in a real browser; skipped, with the reason, where one is missing.
aula_script(studio-server cli 300 documents/with_python ${CMAKE_CURRENT_SOURCE_DIR}/studio/server $<TARGET_FILE:aula>)
aula_script(studio-page cli 600 documents/with_python ${CMAKE_CURRENT_SOURCE_DIR}/studio/page $<TARGET_FILE:aula>)

# With a real browser; skipped, with the reason, where there is none.
aula_script(report-browser cli 400 report/browser $<TARGET_FILE:aula> $<TARGET_FILE:look>)

aula_script(layers unit 60 layers/layers ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})

# Mutated room files and JSON: refused with a message or understood, never a crash and never a long wait.
add_executable(mutations fuzz/mutations.c fuzz/mutate.c)
target_include_directories(mutations PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(mutations PRIVATE aula_internal)
add_test(NAME fuzz-mutations COMMAND ${AULA_LIMITED} 300 $<TARGET_FILE:mutations> ${PROJECT_SOURCE_DIR}/rooms)
set_tests_properties(fuzz-mutations PROPERTIES LABELS fuzz TIMEOUT ${AULA_HANGS} ENVIRONMENT "${AULA_TEST_ENVIRONMENT}")

if(NOT AULA_SANITIZE) # a library with a sanitizer inside needs a program with one
  foreach(script IN ITEMS install relocate)
    aula_script(api-${script} api 300 api/${script} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
    set_tests_properties(api-${script} PROPERTIES RESOURCE_LOCK install_manifest)
  endforeach()
endif()

# Mutated meshes, likewise. The long form, 10,000 OBJ files and 500 of each other format, runs with  ctest -C long -L fuzz
# where assimp hangs until its limit in some of them.
add_executable(mesh_mutations fuzz/mesh_mutations.c fuzz/mutate.c)
target_link_libraries(mesh_mutations PRIVATE aula_test_support aula_internal)
add_test(NAME fuzz-meshes COMMAND ${AULA_LIMITED} 300 $<TARGET_FILE:mesh_mutations>)
add_test(NAME fuzz-meshes-long COMMAND mesh_mutations random 10000 500 CONFIGURATIONS long)
set_tests_properties(fuzz-meshes fuzz-meshes-long PROPERTIES LABELS fuzz TIMEOUT ${AULA_HANGS} ENVIRONMENT "${AULA_TEST_ENVIRONMENT}")

# Calls that fail; the long form, each call of every command, runs with  ctest -C long -R faults
add_library(faults MODULE command_line/faults.c)
target_link_libraries(faults PRIVATE ${CMAKE_DL_LIBS})
target_compile_definitions(faults PRIVATE _GNU_SOURCE)
target_compile_options(faults PRIVATE -fno-builtin)
set_target_properties(faults PROPERTIES C_VISIBILITY_PRESET default)
aula_script(cli-faults cli 60 command_line/faults $<TARGET_FILE:aula> $<TARGET_FILE:look> $<TARGET_FILE:faults>)
add_test(NAME cli-faults-long COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/command_line/faults $<TARGET_FILE:aula> $<TARGET_FILE:look>
  $<TARGET_FILE:faults> long CONFIGURATIONS long)
set_tests_properties(cli-faults-long PROPERTIES LABELS cli TIMEOUT 36000 SKIP_RETURN_CODE 77 ENVIRONMENT "${AULA_TEST_ENVIRONMENT}")
