// SPDX-License-Identifier: Apache-2.0
// When a search for the time of impact is stopped: guesses of the answer by the few pairs that
// would be looked at next (thesis, §8.2.1). They prove nothing.
#pragma once

#include "query/time_slices.h"
#include "query/toi_search.h"

namespace touche {

/// Says what the bodies in a pair of nodes are taken for.
enum class Stand {
  volumes,  ///< the boxes around them
  faces,    ///< the rectangle in the middle of each box, across its shortest axis
};

/// For a search that was stopped: the time from which on one of the pairs overlaps. Triangles stand
/// for themselves. Not before the proof of the first ends; the end of the part of the motion that
/// is being searched, where none of them do.
double guess_contact(const Object& a, const Object& b, const TimeSlices& slices,
                     const ToiSearch& search, Stand stand);

}  // namespace touche
