// SPDX-License-Identifier: Apache-2.0
// Touché's broad phases.
#include <algorithm>
#include <array>

#include "driver.h"
#include "touche/broadphase.h"

namespace touche::bench {
namespace {

Aabb aabb(const Box& box) {
  return {{box.lo[0], box.lo[1], box.lo[2]}, {box.hi[0], box.hi[1], box.hi[2]}};
}

RoundedBox rounded(const Box& box) {
  RoundedBox result;
  for (std::size_t k = 0; k < 3; ++k) {
    result.lo[k] = box.lo[k];
    result.hi[k] = box.hi[k];
  }
  return result;
}

// Any of the library's methods.
class Method final : public Driver {
 public:
  explicit Method(BroadPhaseMethod method) : world_(make_broad_phase(method)) {}

  void init(std::span<const Box> boxes) override {
    for (const Box& box : boxes) world_->insert(aabb(box));
  }

  // In pieces, as a caller would whose boxes come from elsewhere: they stay in the fastest cache.
  std::size_t frame(std::span<const Moved> moved) override {
    for (std::size_t first = 0; first < moved.size(); first += kPiece) {
      const auto piece = moved.subspan(first, std::min(kPiece, moved.size() - first));
      for (std::size_t i = 0; i < piece.size(); ++i) {
        numbers_[i] = piece[i].body;
        boxes_[i] = rounded(piece[i].box);
      }
      world_->move(std::span(numbers_).first(piece.size()),
                   std::span<const RoundedBox>(boxes_).first(piece.size()));
    }
    return world_->pairs().size();
  }

  std::vector<Pair> pairs() const override {
    std::vector<Pair> result;
    for (const BoxPair& pair : world_->pairs()) result.push_back({pair.a, pair.b});
    return result;
  }
  std::size_t pair_bytes() const override { return world_->memory().pair_bytes; }
  std::size_t bytes() const override { return world_->memory().bytes; }

 private:
  std::unique_ptr<BroadPhase> world_;
  static constexpr std::size_t kPiece = 256;
  std::array<Index, kPiece> numbers_;  // of what moves
  std::array<RoundedBox, kPiece> boxes_;
};

}  // namespace

void add_touche(std::vector<NamedDriver>& all) {
  const auto add = [&](const char* name, BroadPhaseMethod method) {
    all.push_back({name, [method] { return std::make_unique<Method>(method); }});
  };
  add("Touché", BroadPhaseMethod::neighbour_lists);
  add("Touché sweep", BroadPhaseMethod::sweep_and_prune);
  add("Touché sweep 2-D", BroadPhaseMethod::sweep_and_prune_2d);
  add("Touché grid", BroadPhaseMethod::grid);
  add("Touché tree", BroadPhaseMethod::aabb_tree);
  add("Touché octree", BroadPhaseMethod::octree);
  add("Touché kd-tree", BroadPhaseMethod::kd_tree);
  add("Touché BSP", BroadPhaseMethod::bsp);
}

}  // namespace touche::bench
