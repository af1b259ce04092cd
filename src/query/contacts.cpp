// SPDX-License-Identifier: Apache-2.0
// All pairs of intersecting faces: depth first, candidates decided in batches across leaves.
#include <algorithm>

#include "query/pair_traversal.h"
#include "query/relative.h"
#include "query/triangle_filter.h"

namespace touche {
namespace {

// Faces first, so that pairs of triangles sort by them.
struct TrianglePair {
  std::uint64_t faces, triangles;  // a's number in the upper half, b's in the lower

  static std::uint64_t pack(Index a, Index b) { return static_cast<std::uint64_t>(a) << 32 | b; }
  Index face_a() const { return static_cast<Index>(faces >> 32); }
  Index face_b() const { return static_cast<Index>(faces); }
  Index triangle_a() const { return static_cast<Index>(triangles >> 32); }
  Index triangle_b() const { return static_cast<Index>(triangles); }
  friend bool operator<(const TrianglePair& x, const TrianglePair& y) {
    return x.faces < y.faces || (x.faces == y.faces && x.triangles < y.triangles);
  }
};

// Every pair of triangles that intersects; visit(ta, tb) returns false to stop.
template <class Visit>
class HitSearch {
 public:
  HitSearch(const Object& a, const Object& b, const RelativePose& pose, QueryStats& stats,
            Visit& visit)
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
      std::int32_t rows[kWidth] = {}, lanes[kWidth] = {};
      int count = 0;
      for (; overlapping != 0 && count < kWidth; overlapping &= overlapping - 1) {
        const int n = std::countr_zero(overlapping);
        rows[count] = n / kWidth;
        lanes[count++] = n % kWidth;
      }
      PairFrames frames;
      std::uint32_t left = kernel_.place_pairs(map_, own_a, own_b, rows, lanes, count, frames);
      stats_.volume_tests += static_cast<std::uint64_t>(count);
      for (; left != 0; left &= left - 1) {
        const int n = std::countr_zero(left);
        if (!open(pair.child(kWidth * rows[n] + lanes[n]), frames, n)) return false;
      }
    }
    return true;
  }

  const Bvh &a_, &b_;
  const LocalMap map_;
  const Kernels& kernel_ = kernels();
  QueryStats& stats_;
  TriangleFilter filter_;
  Visit& visit_;
};

}  // namespace

ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options) {
  if (!LocalMap::representable(a.bvh(), b.bvh()))
    return brute_force::contacts(a, pose_a, b, pose_b, options);
  const RelativePose pose(pose_a, pose_b);
  ContactsResult result;
  const PolygonSoup &soup_a = a.soup(), &soup_b = b.soup();
  std::vector<TrianglePair> hits;
  // Several pairs of triangles may belong to one pair of faces; count faces only once merged.
  const auto merge = [&] {
    std::sort(hits.begin(), hits.end());
    hits.erase(std::unique(
                   hits.begin(), hits.end(),
                   [](const TrianglePair& x, const TrianglePair& y) { return x.faces == y.faces; }),
               hits.end());
  };
  std::size_t merge_at = options.max_contacts;
  const auto collect = [&](Index ta, Index tb) {
    hits.push_back({TrianglePair::pack(soup_a.face_of_triangle(ta), soup_b.face_of_triangle(tb)),
                    TrianglePair::pack(ta, tb)});
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
  for (const TrianglePair& hit : hits) {
    Contact& contact = result.contacts.emplace_back();
    contact.face_a = hit.face_a();
    contact.face_b = hit.face_b();
    if (!options.geometry) continue;
    const Triangle at_a = triangle_of(soup_a, hit.triangle_a());
    const Triangle at_b = triangle_of(soup_b, hit.triangle_b(), pose);
    contact = make_contact(a, hit.triangle_a(), b, hit.triangle_b(), at_a, at_b,
                           closest_points(at_a, at_b), pose_a);
  }
  return result;
}

}  // namespace touche
