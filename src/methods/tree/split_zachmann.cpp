// SPDX-License-Identifier: Apache-2.0
// Zachmann's method for any degree (thesis §3.7.6, Fig. 3.11): by the regions of the axis-aligned
// box. Zachmann himself cuts the axis that balances the two parts best. O(n d).
#include "methods/tree/regions.h"
#include "methods/tree/split_methods.h"

namespace touche::tree {
namespace {

class Zachmann final : public Splitter {
 public:
  explicit Zachmann(const Faces& faces) : faces_(faces) {}

  Split split(std::span<const Index> set, int degree, std::uint64_t /*seed*/) const override {
    std::vector<Vec3> points;
    faces_.gather(set, points);
    return divide_by_regions(faces_, set, bounds::to_obb(bounds::AabbMinMax::fit(points)), degree);
  }

 private:
  const Faces& faces_;
};

}  // namespace

std::unique_ptr<Splitter> make_zachmann(const Faces& faces) {
  return std::make_unique<Zachmann>(faces);
}

}  // namespace touche::tree
