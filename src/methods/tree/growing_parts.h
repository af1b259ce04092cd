// SPDX-License-Identifier: Apache-2.0
// The parts of a set while faces are added to them, with the volumes around them.
#pragma once

#include <memory>
#include <vector>

#include "methods/tree/fitter.h"
#include "methods/tree/splitter.h"

namespace touche::tree {

/// Copies share volumes until one of them adds a face; they belong to one thread.
class GrowingParts {
 public:
  GrowingParts(const Fitter& fitter, int parts, Combine combine);

  /// The rating of the whole that adding a face to a part would give.
  struct Place {
    double rating = kInfinity;
    double growth = kInfinity;  ///< of the part's own quality
    int part = 0;

    /// If only the worst part counts, most candidates have the same rating; then the least growth
    /// decides.
    bool better_than(const Place& other) const {
      return rating != other.rating ? rating < other.rating : growth < other.growth;
    }
  };
  Place place(Index face, int part) const { return place(part, quality_with(face, part)); }
  /// The same where the part's quality with the face is known.
  Place place(int part, double quality_with) const;
  /// The best of parts [first, last), the first of equals.
  Place best_place(Index face, int first, int last) const;

  double quality_with(Index face, int part) const { return volumes_[part]->quality_with(face); }
  bool contains(Index face, int part) const { return volumes_[part]->contains(face); }
  double quality(int part) const { return quality_[part]; }
  double rating() const { return combined(quality_, combine_); }
  int count() const { return static_cast<int>(quality_.size()); }

  void add(Index face, int part);

 private:
  Combine combine_;
  std::vector<std::shared_ptr<GrowingVolume>> volumes_;
  std::vector<double> quality_;
};

}  // namespace touche::tree
