// SPDX-License-Identifier: Apache-2.0
// Volumes of one type around faces, as splitting methods and trees need them.
#pragma once

#include "methods/bounds/fit_obb.h"
#include "methods/tree/growing.h"
#include "methods/tree/rating.h"

namespace touche::tree {

template <bounds::BoundingVolume V>
class VolumeFitter final : public Fitter {
 public:
  VolumeFitter(const Faces& faces, const Rating& rating) : faces_(faces), rating_(rating) {}

  V fit(std::span<const Index> set) const { return fit_faces<V>(faces_, set, rating_); }

  double quality(std::span<const Index> set) const override {
    return set.empty() ? 0 : quality_of(fit(set), rating_, faces_, set);
  }
  std::unique_ptr<GrowingVolume> empty() const override {
    return growing_volume<V>(faces_, rating_);
  }

 private:
  const Faces& faces_;
  const Rating& rating_;
};

}  // namespace touche::tree
