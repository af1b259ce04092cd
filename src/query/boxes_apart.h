// SPDX-License-Identifier: Apache-2.0
// Proves the boxes around two moving bodies apart for a stretch of time, by planes that stand
// still. Each box keeps to its body's axes.
#pragma once

#include "query/time_slices.h"

namespace touche {

/// A time from `begin` on until which the boxes are farther apart than clearance and tolerance. It
/// may go on until the first of the slice's pieces ends; it is `begin` where nothing is proved.
/// Counts its work in the statistics.
double boxes_apart_until(const Object& a, const Object& b, const TimeSlices& slices,
                         const TimeSlice& slice, double begin, QueryStats& stats);

}  // namespace touche
