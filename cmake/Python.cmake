# SPDX-License-Identifier: MIT
# Sets AULA_HAVE_PYTHON: the Python package can be made, by ${Python3_EXECUTABLE}. It holds no compiled code but libaula, and
# so needs no headers of Python.
set(AULA_HAVE_PYTHON OFF)
if(NOT AULA_PYTHON STREQUAL "OFF")
  find_package(Python3 3.9 COMPONENTS Interpreter)
  if(Python3_Interpreter_FOUND)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import cffi" RESULT_VARIABLE missing ERROR_VARIABLE why)
    if(NOT missing)
      set(AULA_HAVE_PYTHON ON)
    endif()
  endif()
  if(AULA_PYTHON STREQUAL "ON" AND NOT AULA_HAVE_PYTHON)
    message(FATAL_ERROR "AULA_PYTHON is ON and Python 3.9 or later with cffi was not found: install python3-cffi, or set Python3_EXECUTABLE")
  endif()
endif()
message(STATUS "Python package: ${AULA_HAVE_PYTHON}")
