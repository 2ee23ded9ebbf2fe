# SPDX-License-Identifier: MIT
# Sets AULA_HAVE_EMBREE: rays through Embree's tree where AULA_RAYS asks for it.
set(AULA_HAVE_EMBREE OFF)
# ThreadSanitizer does not see how the threads of its TBB, which is not instrumented, wait for each other.
if(NOT AULA_EMBREE STREQUAL "OFF" AND NOT (AULA_EMBREE STREQUAL "AUTO" AND AULA_SANITIZE STREQUAL "thread"))
  find_package(embree 3 CONFIG QUIET)
  if(TARGET embree)
    set(AULA_HAVE_EMBREE ON)
  elseif(AULA_EMBREE STREQUAL "ON")
    message(FATAL_ERROR "AULA_EMBREE is ON and Embree 3 was not found: install libembree-dev")
  endif()
endif()
message(STATUS "Embree: ${AULA_HAVE_EMBREE}")
