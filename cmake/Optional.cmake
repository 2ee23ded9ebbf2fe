# SPDX-License-Identifier: MIT
# Libraries that may be missing: each sets AULA_HAVE_NAME. The option AULA_NAME is AUTO (use it if it is there), ON
# (fail if it is not) or OFF. CUDA and Python, which need more, have files of their own.

# optional(NAME TITLE FOUND PACKAGE): decides by the variable FOUND, which a search has set.
macro(optional name title found package)
  set(AULA_HAVE_${name} OFF)
  if(NOT AULA_${name} STREQUAL "OFF" AND ${found})
    set(AULA_HAVE_${name} ON)
  elseif(AULA_${name} STREQUAL "ON")
    message(FATAL_ERROR "AULA_${name} is ON and ${title} was not found: install ${package}")
  endif()
  message(STATUS "${title}: ${AULA_HAVE_${name}}")
endmacro()

# Meshes of formats other than OBJ and glTF; SOFA files; parts of a grid that are processes.
pkg_check_modules(ASSIMP IMPORTED_TARGET assimp)
optional(ASSIMP assimp ASSIMP_FOUND libassimp-dev)
pkg_check_modules(NETCDF IMPORTED_TARGET netcdf)
optional(NETCDF netCDF NETCDF_FOUND libnetcdf-dev)
# Maps, films and reports of the library; the program always has them.
set(pictures_found OFF)
if(PNG_FOUND AND CAIRO_FOUND)
  set(pictures_found ON)
endif()
if(AULA_PROGRAM)
  set(AULA_HAVE_PICTURES ON)
else()
  optional(PICTURES "cairo and libpng" pictures_found "libcairo2-dev and libpng-dev")
endif()
# The modes of rooms.
pkg_check_modules(LAPACK IMPORTED_TARGET lapacke)
optional(LAPACK LAPACKE LAPACK_FOUND liblapacke-dev)
# MIDI keyboards. The headers of both come with PortAudio's on Debian and Ubuntu.
if(AULA_PROGRAM)
  pkg_check_modules(JACK IMPORTED_TARGET jack)
  optional(JACK JACK JACK_FOUND libjack-jackd2-dev)
  pkg_check_modules(ALSA IMPORTED_TARGET alsa)
  optional(ALSA ALSA ALSA_FOUND libasound2-dev)
endif()
# The page of aula studio.
if(AULA_PROGRAM)
  pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd)
  optional(MICROHTTPD libmicrohttpd MICROHTTPD_FOUND libmicrohttpd-dev)
endif()
pkg_check_modules(MPI IMPORTED_TARGET ompi-c)
optional(MPI "Open MPI" MPI_FOUND libopenmpi-dev)

# Halos between processes, from GPU to GPU. The header is enough: the library is loaded when a run asks for it.
if(AULA_HAVE_CUDA)
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  optional(NCCL NCCL NCCL_INCLUDE_DIR "libnccl-dev from NVIDIA's packages, or set NCCL_INCLUDE_DIR")
else()
  set(AULA_HAVE_NCCL OFF)
endif()
if(AULA_HAVE_NCCL)
  add_library(nccl INTERFACE)
  target_include_directories(nccl SYSTEM INTERFACE ${NCCL_INCLUDE_DIR} ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(nccl INTERFACE ${CMAKE_DL_LIBS})
endif()
