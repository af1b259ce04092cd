// SPDX-License-Identifier: Apache-2.0
// The neighbour relation of boxes: two entries for each pair, one in the list of each box. An entry
// consists of a Neighbour, which is all that is read in most rounds, and a NeighbourLink.
#pragma once

#include "touche/types.h"

namespace touche::broadphase {

/// The other box, and whether the two overlap.
class Neighbour {
 public:
  Neighbour() = default;
  Neighbour(Index other, bool overlaps) : bits_(other << 1 | Index{overlaps}) {}
  /// Fills the unused rest of a box's list: the box itself, which always overlaps, so no pair ends.
  static Neighbour nobody(Index box) { return {box, true}; }
  Index other() const { return bits_ >> 1; }
  bool overlaps() const { return (bits_ & 1) != 0; }

 private:
  Index bits_;
};

struct NeighbourLink {
  Index twin;  ///< position of the opposite entry in the other box's list
  Index pair;  ///< index in the list of overlapping pairs, if they overlap
};

/// The position of a box's neighbours: first neighbours in slots above its own, then neighbours
/// below. From the count up to the capacity the box is its own overlapping neighbour, so that four
/// can be tested together whatever the count is.
struct NeighbourRange {
  static constexpr Index kTogether = 4;
  static constexpr Index kLeastClass = 2, kMostClass = 31;

  Index begin = 0;
  Index above = 0;  ///< how many of the count are in slots above
  Index count : 27 = 0;
  Index size_class : 5 = 0;  ///< the capacity is 2 to this power; 0: there is no list

  Index capacity() const { return size_class == 0 ? 0 : Index{1} << size_class; }
};

struct NeighbourPlace {
  Index box, place;
};

/// The overlap of two neighbours began or ended.
struct Flip {
  NeighbourPlace at;
  bool overlap;
};

}  // namespace touche::broadphase
