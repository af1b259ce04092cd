// SPDX-License-Identifier: Apache-2.0
// All pairs of intersecting faces: depth first, candidates decided in batches across leaves.
#include <algorithm>

#include "query/pair_traversal.h"
#include "query/relative.h"
#include "query/triangle_filter.h"

namespace touche {
namespace {

struct TrianglePair {
  Index face_a, face_b, triangle_a, triangle_b;
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

// Every pair of triangles that intersects; visit(ta, tb) returns false to stop.
template <class Visit>
void for_each_hit(const Object& a, const Object& b, const RelativePose& pose, QueryStats& stats,
                  Visit&& visit) {
  const Bvh &bvh_a = a.bvh(), &bvh_b = b.bvh();
  const LocalMap map(bvh_a, bvh_b, pose.rotation, pose.translation);
  const Kernels& kernel = kernels();
  TriangleFilter filter(a, b, pose, stats);
  FramedPair stack[kStackSize];
  int top = 0;
  // Children are placed when they are found, not when their turn comes: one after the other the
  // processor works on several at a time. Written without a branch for the same reason.
  const auto push = [&](NodePair pair) {
    ++stats.volume_tests;
    top += !(stack[top].place(bvh_a, bvh_b, pair, map) > 0);
  };
  push({bvh_a.root(), bvh_b.root()});
  while (top > 0) {
    const FramedPair framed = stack[--top];
    const OpenedPair pair(bvh_a, bvh_b, framed);
    float moved[3][3][kWidth];
    std::uint64_t overlapping = kernel.overlap(pair.side_a(), pair.side_b(), pair.frame(), nullptr,
                                               pair.leaves() ? moved : nullptr);
    ++stats.node_pairs;
    stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    for (; overlapping != 0; overlapping &= overlapping - 1) {
      const int n = std::countr_zero(overlapping);
      if (!pair.leaves())
        push(pair.child(n));
      else if (!filter.add(pair, n / kWidth, n % kWidth, moved, visit))
        return;
    }
  }
  filter.flush(visit);
}

}  // namespace

ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options) {
  if (!LocalMap::representable(a.bvh(), b.bvh()))
    return brute_force::contacts(a, pose_a, b, pose_b, options);
  const RelativePose pose(pose_a, pose_b);
  ContactsResult result;
  std::vector<TrianglePair> hits;
  // Several pairs of triangles may belong to one pair of faces; count faces only once merged.
  const auto merge = [&] {
    std::sort(hits.begin(), hits.end());
    hits.erase(std::unique(hits.begin(), hits.end(),
                           [](const TrianglePair& x, const TrianglePair& y) {
                             return x.face_a == y.face_a && x.face_b == y.face_b;
                           }),
               hits.end());
  };
  std::size_t merge_at = options.max_contacts;
  if (options.max_contacts > 0)
    for_each_hit(a, b, pose, result.stats, [&](Index ta, Index tb) {
      hits.push_back({a.soup().face_of_triangle(ta), b.soup().face_of_triangle(tb), ta, tb});
      if (hits.size() <= merge_at) return true;
      merge();
      merge_at = std::max(options.max_contacts, 2 * hits.size());
      return hits.size() <= options.max_contacts;
    });
  merge();
  result.complete = hits.size() <= options.max_contacts && options.max_contacts > 0;
  if (hits.size() > options.max_contacts) hits.resize(options.max_contacts);

  result.contacts.reserve(hits.size());
  for (const TrianglePair& hit : hits) {
    Contact& contact = result.contacts.emplace_back();
    contact.face_a = hit.face_a;
    contact.face_b = hit.face_b;
    if (!options.geometry) continue;
    const Triangle at_a = triangle_of(a.soup(), hit.triangle_a);
    const Triangle at_b = triangle_of(b.soup(), hit.triangle_b, pose);
    contact = make_contact(a, hit.triangle_a, b, hit.triangle_b, at_a, at_b,
                           closest_points(at_a, at_b), pose_a);
  }
  return result;
}

}  // namespace touche
