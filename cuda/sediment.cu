/* The sediment scheme. */
#include "arrays.cuh"
