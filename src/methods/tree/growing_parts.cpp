// SPDX-License-Identifier: Apache-2.0
#include "methods/tree/growing_parts.h"

#include <algorithm>

namespace touche::tree {

GrowingParts::GrowingParts(const Fitter& fitter, int parts, Combine combine)
    : combine_(combine), quality_(static_cast<std::size_t>(parts)) {
  for (int p = 0; p < parts; ++p) volumes_.push_back(fitter.empty());
}

// Does as `combined` does, in the same order: so the rating is the one that adding will give, and
// never falls where a quality rises, rounding included.
GrowingParts::Place GrowingParts::place(int part, double quality_with) const {
  double sum = 0, most = 0;
  for (int p = 0; p < count(); ++p) {
    const double q = p == part ? quality_with : quality_[p];
    sum += q;
    most = std::max(most, q);
  }
  return {combine_ == Combine::maximum ? most : sum / static_cast<double>(count()),
          quality_with - quality_[part], part};
}

GrowingParts::Place GrowingParts::best_place(Index face, int first, int last) const {
  Place best = place(face, first);
  for (int p = first + 1; p < last; ++p)
    if (const Place at = place(face, p); at.better_than(best)) best = at;
  return best;
}

void GrowingParts::add(Index face, int part) {
  auto& volume = volumes_[part];
  if (volume.use_count() > 1) volume = volume->clone();
  volume->add(face);
  quality_[part] = volume->quality();
}

}  // namespace touche::tree
