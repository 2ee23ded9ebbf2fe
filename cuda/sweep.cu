/* The sweep scheme. */
#include "arrays.cuh"
