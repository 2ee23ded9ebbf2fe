# SPDX-License-Identifier: MIT
# The Python package, as it lies in the build folder. By hand: tests/python/run python3 BUILD/python TEST.py
if(NOT AULA_SANITIZE) # a library with a sanitizer inside needs a program with one
  foreach(name IN ITEMS text room response sweeps open_plan layers modes placing calibration summary choras page notebooks pyroomacoustics pickling collision files pictures instruments data_set listening commands torch)
    aula_script(python-${name} api 120 python/run "$<$<BOOL:${AULA_HAVE_PYTHON}>:${Python3_EXECUTABLE}>" ${PROJECT_BINARY_DIR}/python
      ${CMAKE_CURRENT_SOURCE_DIR}/python/test_${name}.py)
  endforeach()
  # The long form, by the package itself: ctest -C long -L long
  add_test(NAME python-pra-examples COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/python/run "$<$<BOOL:${AULA_HAVE_PYTHON}>:${Python3_EXECUTABLE}>"
    ${PROJECT_BINARY_DIR}/python ${CMAKE_CURRENT_SOURCE_DIR}/python/test_pra_examples.py CONFIGURATIONS long)
  set_tests_properties(python-pra-examples PROPERTIES LABELS long TIMEOUT 1800 SKIP_RETURN_CODE 77 ENVIRONMENT "${AULA_TEST_ENVIRONMENT}")
endif()
