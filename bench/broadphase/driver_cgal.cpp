// SPDX-License-Identifier: Apache-2.0
// CGAL's streamed segment trees, which keep nothing from one frame to the next.
#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>

#include "driver.h"

namespace touche::bench {
namespace {

using Numbered = CGAL::Box_intersection_d::Box_with_info_d<float, 3, std::uint32_t>;

class Cgal final : public ListingDriver {
 public:
  void init(std::span<const Box> boxes) override { boxes_.assign(boxes.begin(), boxes.end()); }

  std::size_t frame(std::span<const Moved> moved) override {
    for (const Moved& m : moved) boxes_[m.body] = m.box;
    numbered_.clear();
    for (std::uint32_t i = 0; i < boxes_.size(); ++i)
      numbered_.emplace_back(boxes_[i].lo.data(), boxes_[i].hi.data(), i);
    handles_.clear();
    for (Numbered& box : numbered_) handles_.push_back(&box);
    pairs_.clear();
    CGAL::box_self_intersection_d(
        handles_.begin(), handles_.end(),
        [&](const Numbered* a, const Numbered* b) {
          pairs_.push_back({a->info(), b->info()});
        },
        std::ptrdiff_t{kCutoff});
    return pairs_.size();
  }

 private:
  static constexpr int kCutoff = 10;  // below that many boxes it compares them all; its default

  std::vector<Box> boxes_;
  std::vector<Numbered> numbered_;
  std::vector<const Numbered*> handles_;  // it sorts them; pointers as its manual recommends
};

}  // namespace

void add_cgal(std::vector<NamedDriver>& all) {
  all.push_back({"CGAL", [] { return std::make_unique<Cgal>(); }});
}

}  // namespace touche::bench
