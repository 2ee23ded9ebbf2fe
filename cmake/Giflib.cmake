# SPDX-License-Identifier: MIT
# Sets AULA_HAVE_GIFLIB: films as GIF.
set(AULA_HAVE_GIFLIB OFF)
if(NOT AULA_GIFLIB STREQUAL "OFF")
  find_package(GIF 5)
  if(GIF_FOUND)
    set(AULA_HAVE_GIFLIB ON)
  elseif(AULA_GIFLIB STREQUAL "ON")
    message(FATAL_ERROR "AULA_GIFLIB is ON and giflib was not found: install libgif-dev")
  endif()
endif()
message(STATUS "giflib: ${AULA_HAVE_GIFLIB}")
