# SPDX-License-Identifier: MIT
# Sets AULA_HAVE_ASSIMP: meshes of formats other than OBJ.
set(AULA_HAVE_ASSIMP OFF)
if(NOT AULA_ASSIMP STREQUAL "OFF")
  pkg_check_modules(ASSIMP IMPORTED_TARGET assimp)
  if(ASSIMP_FOUND)
    set(AULA_HAVE_ASSIMP ON)
  elseif(AULA_ASSIMP STREQUAL "ON")
    message(FATAL_ERROR "AULA_ASSIMP is ON and assimp was not found: install libassimp-dev")
  endif()
endif()
message(STATUS "assimp: ${AULA_HAVE_ASSIMP}")
