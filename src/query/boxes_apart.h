// SPDX-License-Identifier: Apache-2.0
// Proves that the boxes around two moving bodies are apart for an interval of time, by fixed
// separating planes. Each box is aligned to its body's axes.
#pragma once

#include "query/time_slices.h"

namespace touche::query {

/// Returns a time up to which, from `begin` on, the boxes are farther apart than clearance plus
/// tolerance. It may extend until the first of the slice's pieces ends; it is `begin` if nothing is
/// proved. Counts its work in the statistics.
double boxes_apart_until(const Object& a, const Object& b, const TimeSlices& slices,
                         const TimeSlice& slice, double begin, QueryStats& stats);

}  // namespace touche::query
