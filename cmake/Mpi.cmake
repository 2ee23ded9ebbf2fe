# SPDX-License-Identifier: MIT
# Sets AULA_HAVE_MPI: parts of a grid that are processes.
set(AULA_HAVE_MPI OFF)
if(AULA_MPI)
  pkg_check_modules(MPI IMPORTED_TARGET ompi-c)
  if(NOT MPI_FOUND)
    message(FATAL_ERROR "AULA_MPI is ON and Open MPI was not found: install libopenmpi-dev")
  endif()
  set(AULA_HAVE_MPI ON)
endif()
message(STATUS "MPI: ${AULA_HAVE_MPI}")
