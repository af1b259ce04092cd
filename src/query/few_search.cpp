// SPDX-License-Identifier: Apache-2.0
#include "query/few_search.h"

#include <bit>

#include "math/rounding.h"

namespace touche {
namespace {

// Each of the few triangles' leaves has eight lanes.
NodeRef few_leaf(std::size_t i) { return ~static_cast<NodeRef>(i); }

// The least key after `last`.
std::int32_t next(const FewMeetings& meetings, std::int32_t last) {
  std::int32_t least = PairKeys::kNone;
  for (const std::int32_t key : meetings.key)
    if (key > last) least = std::min(least, key);
  return least;
}

// Places b's points in a's coordinates, and the other way round where that is asked for. `pose`
// says where b's vertices are; its inverse is off by less than 64 roundings of what it adds up, for
// its matrix is orthonormal but for some eight.
LocalMap map_between(const Bvh& a, const Bvh& b, const RelativePose& pose, bool inverted) {
  if (!inverted) return {a, b, pose.rotation, pose.translation};
  const Mat3 back = pose.rotation.transpose();
  const double size = a.normalization().largest_number + pose.translation.lpNorm<1>();
  return {b, a, back, -(back * pose.translation), 64 * kUnitRoundoff * size};
}

}  // namespace

bool FewSearch::are_large(const Bvh& few, const Bvh& fine) {
  // A box that is smaller than this is rather tested as a whole.
  constexpr double kHardlySmaller = 0.5;
  const auto extent = [](const Bvh& bvh) {
    return static_cast<double>(bvh.bounds(bvh.root()).extent) * bvh.normalization().inverse_scale;
  };
  return extent(few) >= kHardlySmaller * extent(fine);
}

FewSearch::FewSearch(const Object& a, const Object& b, const RelativePose& pose, bool fine_is_a,
                     BudgetMeter& meter, QueryStats& stats)
    : fine_is_a_(fine_is_a),
      a_(bvh_of(a)),
      b_(bvh_of(b)),
      fine_(fine_is_a ? a_ : b_),
      few_(fine_is_a ? b_ : a_),
      pose_(pose),
      meter_(meter),
      stats_(stats),
      filter_(a, b, pose, stats) {
  const LocalMap map = map_between(a_, b_, pose, !fine_is_a);
  if (fine_is_a) map_ = map;
  for (std::size_t i = 0; i < few_.leaf_count(); ++i) {
    const BvhLeaf& leaf = few_.leaf(few_leaf(i));
    const int first = kWidth * static_cast<int>(i);
    few_kernel_.place(map, leaf, first, triangles_);
    all_ |= ((1u << leaf.count) - 1) << first;
  }
}

std::optional<TriangleIds> FewSearch::run() {
  NodeRef at = fine_.root();
  std::uint32_t triangles = all_;
  Level* level = levels_;  // the next that is free
  for (;;) {
    std::int32_t first = PairKeys::kNone;
    if (is_leaf(at)) {
      if (!open_leaf(at, triangles)) return hit_;
    } else {
      if (!meter_.spend()) return hit_;
      level->node = &fine_.node(at);
      first = few_kernel_.meet(*level->node, triangles_, triangles, level->meetings);
      ++stats_.node_pairs;
      stats_.volume_tests +=
          static_cast<std::uint64_t>(std::popcount(triangles) * level->node->count);
    }
    // Go on with the best child, or with the next one of the last node that has any left.
    if (first != PairKeys::kNone) ++level;
    while (first == PairKeys::kNone) {
      if (level == levels_) return hit_;
      first = next(level[-1].meetings, level[-1].last);
      if (first == PairKeys::kNone) --level;
    }
    Level& from = level[-1];
    from.last = first;
    const int child = PairKeys::pair(first);
    at = from.node->child[child];
    triangles = static_cast<std::uint32_t>(from.meetings.triangles[child]);
  }
}

// False when the search is to end.
bool FewSearch::open_leaf(NodeRef leaf, std::uint32_t triangles) {
  if (!map_) map_ = map_between(a_, b_, pose_, false);
  for (std::size_t i = 0; i < few_.leaf_count(); ++i) {
    if ((triangles >> (kWidth * i) & 0xff) == 0) continue;
    if (!meter_.spend()) return false;
    const NodePair nodes = fine_is_a_ ? NodePair{leaf, few_leaf(i)} : NodePair{few_leaf(i), leaf};
    FramedPair framed;
    ++stats_.volume_tests;
    if (framed.relate(kernel_, a_, b_, nodes, *map_) > 0) continue;
    const BvhLeaf &leaf_a = a_.leaf(nodes.a), &leaf_b = b_.leaf(nodes.b);
    ++stats_.node_pairs;
    stats_.volume_tests += static_cast<std::uint64_t>(leaf_a.count * leaf_b.count);
    kernel_.add_triangles(leaf_a, leaf_b, framed.frame, filter_.batch());
    const auto found = [&](Index ta, Index tb) {
      hit_ = TriangleIds{ta, tb};
      return false;
    };
    if (!filter_.flush(found)) return false;
  }
  return true;
}

}  // namespace touche
