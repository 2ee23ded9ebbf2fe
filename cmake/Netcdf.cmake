# SPDX-License-Identifier: MIT
# Sets AULA_HAVE_NETCDF: SOFA files.
set(AULA_HAVE_NETCDF OFF)
if(NOT AULA_NETCDF STREQUAL "OFF")
  pkg_check_modules(NETCDF IMPORTED_TARGET netcdf)
  if(NETCDF_FOUND)
    set(AULA_HAVE_NETCDF ON)
  elseif(AULA_NETCDF STREQUAL "ON")
    message(FATAL_ERROR "AULA_NETCDF is ON and netCDF was not found: install libnetcdf-dev")
  endif()
endif()
message(STATUS "netCDF: ${AULA_HAVE_NETCDF}")
