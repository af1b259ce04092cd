// SPDX-License-Identifier: Apache-2.0
// Estimates of the time of impact for a search that was stopped early, from the first pairs in its
// queue (thesis, §8.2.1). They prove nothing.
#pragma once

#include "query/time_slices.h"
#include "query/toi_search.h"

namespace touche::query {

/// Says what represents the bodies in a pair of nodes.
enum class Stand {
  volumes,  ///< the boxes around them
  faces,    ///< the rectangle in the middle of each box, across its shortest axis
};

/// For a search that was stopped: estimates the first time at which one of the pairs at the head of
/// the queue overlaps. Pairs of triangles are tested themselves. The result is never earlier than
/// the end of the first pair's proof; if no pair overlaps, it is the end of the part of the motion
/// that is being searched.
double guess_contact(const Object& a, const Object& b, const TimeSlices& slices,
                     const ToiSearch& search, Stand stand);

}  // namespace touche::query
