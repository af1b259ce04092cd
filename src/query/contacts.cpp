// SPDX-License-Identifier: Apache-2.0
// All pairs of intersecting faces: depth first, candidates decided in batches across leaves.
#include <algorithm>

#include "query/pair_traversal.h"
#include "query/relative.h"
#include "query/triangle_filter.h"

namespace touche {
namespace {

// Two numbers, ordered by a's, then b's.
using PackedPair = std::uint64_t;
PackedPair pack(Index a, Index b) { return static_cast<PackedPair>(a) << 32 | b; }
Index first(PackedPair pair) { return static_cast<Index>(pair >> 32); }
Index second(PackedPair pair) { return static_cast<Index>(pair); }

struct Hit {
  PackedPair faces, triangles;
  friend auto operator<=>(const Hit&, const Hit&) = default;
};

// Every pair of triangles that intersects; visit(ta, tb) returns false to stop.
template <class Visit>
class HitSearch {
 public:
  HitSearch(const Object& a, const Object& b, const RelativePose& pose, QueryStats& stats,
            const Visit& visit)
      : a_(a.bvh()),
        b_(b.bvh()),
        map_(a_, b_, pose.rotation, pose.translation),
        stats_(stats),
        filter_(a, b, pose, stats),
        visit_(visit) {}

  void run() {
    const NodePair roots{a_.root(), b_.root()};
    const OpenedPair pair(a_, b_, roots, map_.ratio, OpenedPair::kWhole);
    if (children(pair, 1)) filter_.flush(visit_);
  }

 private:
  // Opens a pair whose frame is one of several.
  bool open(NodePair nodes, const PairFrames& frames, int lane) {
    const OpenedPair pair(a_, b_, nodes, map_.ratio);
    float moved[3][3][kWidth];
    const std::uint64_t overlapping = kernel_.overlap_in(pair.side_a(), pair.side_b(), frames, lane,
                                                         pair.leaves() ? moved : nullptr);
    ++stats_.node_pairs;
    stats_.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    if (overlapping == 0) return true;
    if (pair.leaves()) return filter_.add(pair, overlapping, moved, frames.error_a[lane], visit_);
    return children(pair, overlapping);
  }

  // The pairs of children in `overlapping`, of which those that overlap in their own frames too,
  // eight at a time, are opened.
  bool children(const OpenedPair& pair, std::uint64_t overlapping) {
    Bounds8 whole_a, whole_b;
    const Bounds8 &own_a = pair.own_a(whole_a), &own_b = pair.own_b(whole_b);
    while (overlapping != 0) {
      const PairNumbers next(overlapping);
      PairFrames frames;
      std::uint32_t left = kernel_.place_pairs(map_, own_a, own_b, next, frames);
      stats_.volume_tests += static_cast<std::uint64_t>(next.count);
      for (; left != 0; left &= left - 1) {
        const int n = std::countr_zero(left);
        if (!open(pair.child(next.number[n]), frames, n)) return false;
      }
    }
    return true;
  }

  const Bvh &a_, &b_;
  const LocalMap map_;
  const Kernels& kernel_ = kernels();
  QueryStats& stats_;
  TriangleFilter filter_;
  const Visit& visit_;
};

}  // namespace

FacePairsResult intersecting_faces(const Object& a, const Pose& pose_a, const Object& b,
                                   const Pose& pose_b) {
  if (!LocalMap::representable(a.bvh(), b.bvh()))
    return brute_force::intersecting_faces(a, pose_a, b, pose_b);
  const RelativePose pose(pose_a, pose_b);
  FacePairsResult result;
  const PolygonSoup &soup_a = a.soup(), &soup_b = b.soup();
  std::vector<PackedPair> faces;
  const auto collect = [&](Index ta, Index tb) {
    faces.push_back(pack(soup_a.face_of_triangle(ta), soup_b.face_of_triangle(tb)));
    return true;
  };
  HitSearch(a, b, pose, result.stats, collect).run();
  std::sort(faces.begin(), faces.end());
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  result.pairs.reserve(faces.size());
  for (const PackedPair pair : faces) result.pairs.push_back({first(pair), second(pair)});
  return result;
}

ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options) {
  if (!LocalMap::representable(a.bvh(), b.bvh()))
    return brute_force::contacts(a, pose_a, b, pose_b, options);
  const RelativePose pose(pose_a, pose_b);
  ContactsResult result;
  const PolygonSoup &soup_a = a.soup(), &soup_b = b.soup();
  std::vector<Hit> hits;
  // Several pairs of triangles may belong to one pair of faces; count faces only once merged.
  const auto merge = [&] {
    std::sort(hits.begin(), hits.end());
    const auto same = [](const Hit& x, const Hit& y) { return x.faces == y.faces; };
    hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
  };
  std::size_t merge_at = options.max_contacts;
  const auto collect = [&](Index ta, Index tb) {
    hits.push_back({pack(soup_a.face_of_triangle(ta), soup_b.face_of_triangle(tb)), pack(ta, tb)});
    if (hits.size() <= merge_at) return true;
    merge();
    merge_at = std::max(options.max_contacts, 2 * hits.size());
    return hits.size() <= options.max_contacts;
  };
  if (options.max_contacts > 0) HitSearch(a, b, pose, result.stats, collect).run();
  merge();
  result.complete = hits.size() <= options.max_contacts && options.max_contacts > 0;
  if (hits.size() > options.max_contacts) hits.resize(options.max_contacts);

  result.contacts.reserve(hits.size());
  for (const Hit& hit : hits) {
    const Index ta = first(hit.triangles), tb = second(hit.triangles);
    const Triangle at_a = triangle_of(soup_a, ta), at_b = triangle_of(soup_b, tb, pose);
    result.contacts.push_back(
        make_contact(a, ta, b, tb, at_a, at_b, closest_points(at_a, at_b), pose_a));
  }
  return result;
}

}  // namespace touche
