#include "model/absorption.h"

#include <math.h>

double random_incidence_absorption(double admittance)
{
    double g = admittance;
    if (!(g > 0.0))
        return 0.0;
    return 8.0 * g * (1.0 + g / (1.0 + g) - 2.0 * g * log((1.0 + g) / g));
}

double admittance_of_absorption(double absorption)
{
    double low = 0.0, high = 0.638; /* absorption grows up to here */
    if (!(absorption > 0.0))
        return 0.0;
    if (absorption >= random_incidence_absorption(high))
        return high;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if (random_incidence_absorption(middle) < absorption)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}
