// SPDX-License-Identifier: Apache-2.0
// First hit: of the pairs that wait, the one whose centres lie nearest for its size, and rather a
// small than a large one.
#include <array>

#include "query/pair_traversal.h"
#include "query/relative.h"
#include "query/triangle_filter.h"

namespace touche {
namespace {

// The children's pairs of several pairs of nodes. While these are few, the best of all comes next;
// else the best of the newest, so that there is room for all whatever happens.
class Candidates {
 public:
  explicit Candidates(const Kernels& kernel) : kernel_(kernel) {}

  bool empty() const { return count_ == 0; }

  /// Room for the children of a pair; fill it, then add() or drop it.
  WaitingPairs& room() { return waiting_[count_]; }

  /// The children in room(), of a pair with `level` pairs above it; their first key.
  void add(int level, std::int32_t first) {
    level_[count_] = level;
    rate(count_, first);
    ++count_;
  }

  struct Next {
    NodePair nodes;
    int level;
  };
  Next take() {
    int best = count_ - 1;
    if (count_ <= kCompared)
      for (int i = best - 1; i >= 0; --i) best = score_[i] < score_[best] ? i : best;
    WaitingPairs& from = waiting_[best];
    const int pair = PairKeys::pair(first_[best]);
    const Next next{from.children[pair], level_[best] + 1};
    from.keys.take(pair);
    const std::int32_t first = kernel_.least(from.keys);
    if (first != PairKeys::kNone)
      rate(best, first);
    else
      remove(best);
    return next;
  }

 private:
  static constexpr int kCompared = 24;
  static constexpr int kRoom = kCompared + kMostLevels + 1;

  // A pair one level lower is preferred unless its centres lie half as far again apart.
  void rate(int i, std::int32_t first) {
    static constexpr auto kPreference = [] {
      std::array<float, kMostLevels + 1> preference{};
      float p = 1;
      for (float& x : preference) {
        x = p;
        p /= 1.5f;
      }
      return preference;
    }();
    first_[i] = first;
    score_[i] = PairKeys::value(first) * kPreference[static_cast<std::size_t>(level_[i])];
  }

  void remove(int i) {
    const int last = --count_;
    if (i == last) return;
    waiting_[i] = waiting_[last];
    score_[i] = score_[last];
    first_[i] = first_[last];
    level_[i] = level_[last];
  }

  const Kernels& kernel_;
  float score_[kRoom];
  std::int32_t first_[kRoom];
  int level_[kRoom];
  int count_ = 0;
  WaitingPairs waiting_[kRoom];
};

}  // namespace

std::optional<TriangleIds> first_hit(const Object& a, const Object& b, const RelativePose& pose,
                                     QueryStats& stats) {
  const Bvh &bvh_a = a.bvh(), &bvh_b = b.bvh();
  const LocalMap map(bvh_a, bvh_b, pose.rotation, pose.translation);
  const Kernels& kernel = kernels();
  TriangleFilter filter(a, b, pose, stats);
  std::optional<TriangleIds> hit;
  const auto found = [&](Index ta, Index tb) {
    hit = TriangleIds{ta, tb};
    return false;
  };

  Candidates candidates(kernel);
  Candidates::Next next{{bvh_a.root(), bvh_b.root()}, 0};
  while (true) {
    FramedPair framed;
    ++stats.volume_tests;
    if (!(framed.place(kernel, bvh_a, bvh_b, next.nodes, map) > 0)) {
      const OpenedPair pair(bvh_a, bvh_b, next.nodes, map.ratio);
      ++stats.node_pairs;
      stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
      if (pair.leaves()) {
        kernel.add_triangles(pair.leaf_a(), pair.leaf_b(), framed.frame, filter.batch());
        if (!filter.flush(found)) return hit;
      } else {
        WaitingPairs& waiting = candidates.room();
        const std::int32_t first =
            kernel.rank(pair.side_a(), pair.side_b(), framed.frame, waiting.keys);
        if (first != PairKeys::kNone) {
          waiting.children = pair.children();
          candidates.add(next.level, first);
        }
      }
    }
    if (candidates.empty()) return std::nullopt;
    next = candidates.take();
  }
}

IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b) {
  if (!LocalMap::representable(a.bvh(), b.bvh()))
    return brute_force::intersects(a, pose_a, b, pose_b);
  const RelativePose pose(pose_a, pose_b);
  IntersectsResult result;
  if (const auto hit = first_hit(a, b, pose, result.stats)) {
    result.intersects = true;
    result.face_a = a.soup().face_of_triangle(hit->a);
    result.face_b = b.soup().face_of_triangle(hit->b);
  }
  return result;
}

}  // namespace touche
