# SPDX-License-Identifier: MIT
# What is published: licences, what a desktop reads, the files that packages are made of. By hand: tools/licences, tests/packages/NAME.
aula_script(licences unit 60 ../tools/licences)
aula_script(packages-desktop cli 60 packages/desktop ${PROJECT_SOURCE_DIR})
if(NOT AULA_SANITIZE) # a library with a sanitizer inside needs a program with one
  aula_script(packages-find_package cli 120 packages/find_package ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
  set_tests_properties(packages-find_package PROPERTIES RESOURCE_LOCK install_manifest)
endif()
aula_script(packages-versions cli 60 packages/versions ${PROJECT_SOURCE_DIR})

# ctest -C long -L long: source, wheel and packages, built twice and tried in clean systems; half an hour, as root, with the network.
add_test(NAME packages-release COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/packages/release ${PROJECT_SOURCE_DIR} CONFIGURATIONS long)
set_tests_properties(packages-release PROPERTIES LABELS long TIMEOUT 10800 SKIP_RETURN_CODE 77)
