// SPDX-License-Identifier: Apache-2.0
// Touché's.
#include "aabb_tree/aabb_tree.h"
#include "driver.h"

namespace touche::bench {
namespace {

Aabb aabb(const Box& box) {
  return {{box.lo[0], box.lo[1], box.lo[2]}, {box.hi[0], box.hi[1], box.hi[2]}};
}

// The general tree: moved item by item, or refitted where many move.
class Tree final : public ListingDriver {
 public:
  void init(std::span<const Box> boxes) override {
    for (const Box& box : boxes) boxes_.push_back(aabb(box));
    tree_ = AabbTree(boxes_);
  }

  std::size_t frame(std::span<const Moved> moved) override {
    const bool many = moved.size() > boxes_.size() / 8;
    for (const Moved& m : moved) {
      boxes_[m.body] = aabb(m.box);
      if (!many) tree_.move(m.body, boxes_[m.body]);
    }
    if (many) tree_.refit([&](Index i) { return boxes_[i]; });
    pairs_.clear();
    tree_.self_pairs([&](Index a, Index b) { pairs_.push_back({a, b}); });
    return pairs_.size();
  }

 private:
  std::vector<Aabb> boxes_;
  AabbTree tree_;
};

}  // namespace

void add_touche(std::vector<NamedDriver>& all) {
  all.push_back({"Touché AabbTree", [] { return std::make_unique<Tree>(); }});
}

}  // namespace touche::bench
