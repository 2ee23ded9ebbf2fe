# SPDX-License-Identifier: MIT
# Writes OUT: the digest of all sources of FOLDER, whose changes may change which kernel is fastest.
file(GLOB_RECURSE files ${FOLDER}/*.c ${FOLDER}/*.h ${FOLDER}/*.cu ${FOLDER}/*.cuh)
list(SORT files)
set(digests)
foreach(file IN LISTS files)
  file(SHA256 ${file} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA256 digest "${digests}")
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define AULA_KERNELS_DIGEST \"${digest}\"\n")
