// SPDX-License-Identifier: Apache-2.0
// All pairs of intersecting faces, and their contacts.
#include <algorithm>
#include <array>
#include <bit>

#include "bvh/object_data.h"
#include "query/apart.h"
#include "query/batch_search.h"
#include "query/closest_contact.h"
#include "query/relative.h"
#include "touche/reference.h"

namespace touche {
namespace {

using Hit = query::PairsMemory::Hit;

// Radix sort, ascending, without the unpredictable branches of comparisons: one counting round for
// every few bits in which a's or b's numbers differ. A round has at most as many counters as there
// are pairs.
void sort(std::vector<query::PackedPair>& pairs, std::vector<query::PackedPair>& sorted) {
  constexpr std::size_t kFew = 64;
  constexpr int kMostBits = 11;
  if (pairs.size() < kFew) return std::sort(pairs.begin(), pairs.end());
  query::PackedPair varying = 0;
  for (const query::PackedPair pair : pairs) varying |= pair ^ pairs.front();
  const int most_bits = std::min(static_cast<int>(std::bit_width(pairs.size())) - 1, kMostBits);
  sorted.resize(pairs.size());
  // Sort by b's number, then by a's: each round keeps the order of the one before.
  for (const int begin : {0, 32}) {
    const int width = static_cast<int>(std::bit_width(varying >> begin & 0xffffffff));
    const int passes = (width + most_bits - 1) / most_bits;
    for (int pass = 0; pass < passes; ++pass) {
      const int bits = (width + passes - 1) / passes, shift = begin + pass * bits;
      const query::PackedPair mask = (query::PackedPair{1} << bits) - 1;
      std::array<std::size_t, (1 << kMostBits) + 1> place;
      std::fill_n(place.begin(), mask + 2, 0);
      for (const query::PackedPair pair : pairs) ++place[(pair >> shift & mask) + 1];
      for (std::size_t i = 1; i <= mask; ++i) place[i] += place[i - 1];
      for (const query::PackedPair pair : pairs) sorted[place[pair >> shift & mask]++] = pair;
      pairs.swap(sorted);
    }
  }
}

}  // namespace

FacePairsResult intersecting_faces(const Object& a, const Pose& pose_a, const Object& b,
                                   const Pose& pose_b, const Budget& budget, Workspace* workspace) {
  FacePairsResult result;
  const query::RelativePose pose(pose_a, pose_b);
  if (query::bounds_disjoint(a, b, pose)) {
    result.complete = true;
    return result;
  }
  if (!bvh::LocalMap::representable(bvh::bvh_of(a), bvh::bvh_of(b)))
    return brute_force::intersecting_faces(a, pose_a, b, pose_b, budget);
  base::BudgetMeter meter(budget);
  const PolygonSoup &soup_a = a.soup(), &soup_b = b.soup();
  query::WorkspaceUse memory(workspace);
  std::vector<query::PackedPair>& faces = memory->pairs.faces;
  faces.clear();
  const auto collect = [&](Index ta, Index tb) {
    faces.push_back(query::pack(soup_a.face_of_triangle(ta), soup_b.face_of_triangle(tb)));
    return true;
  };
  query::BatchSearch(a, b, pose, meter, result.stats, memory->pairs.waiting, collect).run();
  result.complete = !meter.exhausted();
  sort(faces, memory->pairs.sorted);
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  result.pairs.reserve(faces.size());
  for (const query::PackedPair pair : faces)
    result.pairs.push_back({query::first_of(pair), query::second_of(pair)});
  return result;
}

ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options) {
  if (!bvh::LocalMap::representable(bvh::bvh_of(a), bvh::bvh_of(b)))
    return brute_force::contacts(a, pose_a, b, pose_b, options);
  const query::RelativePose pose(pose_a, pose_b);
  base::BudgetMeter meter(options.budget);
  ContactsResult result;
  const PolygonSoup &soup_a = a.soup(), &soup_b = b.soup();
  query::WorkspaceUse memory(options.workspace);
  std::vector<Hit>& hits = memory->pairs.hits;
  hits.clear();
  // Several pairs of triangles may belong to one pair of faces; count pairs of faces only once
  // merged.
  const auto merge = [&] {
    std::sort(hits.begin(), hits.end());
    const auto same = [](const Hit& x, const Hit& y) { return x.faces == y.faces; };
    hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
  };
  std::size_t merge_at = options.max_contacts;
  const auto collect = [&](Index ta, Index tb) {
    hits.push_back({query::pack(soup_a.face_of_triangle(ta), soup_b.face_of_triangle(tb)),
                    query::pack(ta, tb)});
    if (hits.size() <= merge_at) return true;
    merge();
    merge_at = std::max(options.max_contacts, 2 * hits.size());
    return hits.size() <= options.max_contacts;
  };
  if (options.max_contacts > 0 && !query::bounds_disjoint(a, b, pose))
    query::BatchSearch(a, b, pose, meter, result.stats, memory->pairs.waiting, collect).run();
  merge();
  result.complete =
      !meter.exhausted() && hits.size() <= options.max_contacts && options.max_contacts > 0;
  if (hits.size() > options.max_contacts) hits.resize(options.max_contacts);

  result.contacts.reserve(hits.size());
  for (const Hit& hit : hits) {
    const Index ta = query::first_of(hit.triangles), tb = query::second_of(hit.triangles);
    const Triangle at_a = query::triangle_of(soup_a, ta),
                   at_b = query::triangle_of(soup_b, tb, pose);
    result.contacts.push_back(query::closest_contact(a, ta, b, tb, at_a, at_b, pose_a));
  }
  return result;
}

}  // namespace touche
