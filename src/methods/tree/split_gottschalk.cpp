// SPDX-License-Identifier: Apache-2.0
// Gottschalk's method for any degree (thesis §3.7.5, Fig. 3.10): by the regions of the oriented
// box. O(n d).
#include "methods/tree/regions.h"
#include "methods/tree/split_methods.h"

namespace touche::tree {
namespace {

class Gottschalk final : public Splitter {
 public:
  explicit Gottschalk(const Faces& faces) : faces_(faces) {}

  Split split(std::span<const Index> set, int degree, std::uint64_t /*seed*/) const override {
    return divide_by_regions(faces_, set, principal_box(faces_, set), degree);
  }

 private:
  const Faces& faces_;
};

}  // namespace

std::unique_ptr<Splitter> make_gottschalk(const Faces& faces) {
  return std::make_unique<Gottschalk>(faces);
}

}  // namespace touche::tree
