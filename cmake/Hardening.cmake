# SPDX-License-Identifier: MIT
# What an overflow would need is taken away: frames are guarded, calls that know the size of what they write check it (optimised
# code alone can; sanitizers know better), addresses are random, and tables of functions are read-only once the program is loaded.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C) # with CMAKE_POSITION_INDEPENDENT_CODE

target_compile_options(aula_options INTERFACE $<$<COMPILE_LANGUAGE:C>:-fstack-protector-strong>)
target_link_options(aula_options INTERFACE LINKER:-z,relro,-z,now)

string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
set(AULA_FORTIFIED OFF)
if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}" MATCHES "-O([1-3sgz]|fast)" AND NOT AULA_SANITIZE)
  set(AULA_FORTIFIED ON)
  target_compile_options(aula_options INTERFACE "$<$<COMPILE_LANGUAGE:C>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()
