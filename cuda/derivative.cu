/* The derivative scheme. */
#include "arrays.cuh"
