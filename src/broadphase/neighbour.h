// SPDX-License-Identifier: Apache-2.0
// Which boxes are near which: two entries for a pair, one in the list of each of both boxes. An
// entry is a Neighbour, which is all that is read in most rounds, and a NeighbourLink.
#pragma once

#include "touche/types.h"

namespace touche {

/// The other box, and whether both overlap.
class Neighbour {
 public:
  Neighbour() = default;
  Neighbour(Index other, bool overlaps) : bits_(other << 1 | Index{overlaps}) {}
  /// For the rest of the list of a box: itself, in no pair that could end.
  static Neighbour nobody(Index box) { return {box, true}; }
  Index other() const { return bits_ >> 1; }
  bool overlaps() const { return (bits_ & 1) != 0; }

 private:
  Index bits_;
};

struct NeighbourLink {
  Index twin;  ///< place of the other entry in the other's list
  Index pair;  ///< number in the list of pairs that overlap, if they do
};

/// Where the neighbours of a box lie, first those in slots above its own, then those below. From
/// the count up to the capacity the box is its own neighbour and overlaps itself, so that four can
/// be looked at together without asking how many there are.
struct NeighbourRange {
  static constexpr Index kTogether = 4;
  static constexpr Index kLeastClass = 2, kMostClass = 31;

  Index begin = 0;
  Index above = 0;  ///< of the count: how many are in slots above
  Index count : 27 = 0;
  Index size_class : 5 = 0;  ///< the capacity is this power of two; 0: there is no list

  Index capacity() const { return size_class == 0 ? 0 : Index{1} << size_class; }
};

struct NeighbourPlace {
  Index box, place;
};

/// Two neighbours overlap now, or no longer.
struct Flip {
  NeighbourPlace at;
  bool overlap;
};

}  // namespace touche
