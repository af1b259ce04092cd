// SPDX-License-Identifier: Apache-2.0
// All pairs of faces within a margin, and the pairs of features that are locally closest. The fast
// search and the reference implementation are both here: they differ only in the source of the
// pairs of triangles.
#include "touche/near_faces.h"
#include "touche/reference.h"

#include <algorithm>
#include <cmath>

#include "query/apart.h"
#include "query/closest_contact.h"
#include "query/distance_options.h"
#include "query/is_near.h"
#include "query/near_across.h"
#include "query/near_features_across.h"
#include "query/near_search.h"

namespace touche::query {

namespace {

void check_near(const NearOptions& options) {
  if (!(options.max_distance >= 0)) throw InvalidInput("near: max_distance must not be negative");
  if (!(options.turn >= 0 && options.turn <= 0.5))
    throw InvalidInput("near: the turn must be in [0, 0.5]");
}

void clear(NearResult& result) {
  result.contacts.clear();
  result.complete = false;
  result.stats = {};
}

/// Whether the bounds of two objects prove that nothing is within the margin, so that nothing has
/// to be prepared. The margin is enlarged by far more than the errors of measured distances.
bool is_far(const Object& a, const Object& b, const RelativePose& pose, double margin) {
  return bounds_disjoint(a, b, pose, margin * (1 + 1e-6));
}

/// Source of pairs of triangles that may be near: the hierarchies.
struct FromSearch {
  const Object &a, &b;
  const RelativePose& pose;
  NearMemory& memory;

  template <class Asked, class Visit>
  void operator()(double margin, const Asked& asked, base::BudgetMeter& meter, QueryStats& stats,
                  const Visit& visit) const {
    NearSearch(a, b, pose, margin, asked, meter, stats, memory.waiting, visit).run();
  }
};

/// Source of pairs of triangles that may be near: the parts of triangles beyond a plane.
struct FromAcross {
  const NearAcross& across;

  template <class Visit>
  void operator()(double margin, const NearFeaturesOf& asked, base::BudgetMeter& meter,
                  QueryStats& stats, const Visit& visit) const {
    across.run(margin, asked, meter, stats, visit);
  }
};

/// Source of all pairs of triangles.
struct FromAll {
  const Object &a, &b;

  template <class Asked, class Visit>
  void operator()(double, const Asked&, base::BudgetMeter& meter, QueryStats& stats,
                  const Visit& visit) const {
    stats.brute_force = 1;
    for (Index ta = 0; ta < a.soup().triangle_count(); ++ta)
      for (Index tb = 0; tb < b.soup().triangle_count(); ++tb) {
        ++stats.primitive_tests;
        if (!meter.spend() || !visit(ta, tb, FeaturePairs::kAll)) return;
      }
  }
};

// Keeps the nearest pair of triangles of each pair of faces; of equally near ones, the first.
void keep_nearest(std::vector<NearMemory::Hit>& hits) {
  std::sort(hits.begin(), hits.end(), [](const NearMemory::Hit& x, const NearMemory::Hit& y) {
    if (x.faces != y.faces) return x.faces < y.faces;
    if (x.distance != y.distance) return x.distance < y.distance;
    return x.triangles < y.triangles;
  });
  const auto same = [](const NearMemory::Hit& x, const NearMemory::Hit& y) {
    return x.faces == y.faces;
  };
  hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
}

template <class Source>
void find_faces(const Object& a, const Pose& pose_a, const Object& b, const RelativePose& pose,
                const NearOptions& options, NearMemory& memory, const Source& source,
                NearResult& result) {
  const PolygonSoup &soup_a = a.soup(), &soup_b = b.soup();
  base::BudgetMeter meter(options.budget);
  std::vector<NearMemory::Hit>& hits = memory.hits;
  hits.clear();
  // Several pairs of triangles may belong to one pair of faces; count pairs of faces only once
  // merged.
  std::size_t merge_at = options.max_contacts;
  const auto collect = [&](Index ta, Index tb, std::int32_t) {
    const double distance =
        geometry::closest_points(triangle_of(soup_a, ta), triangle_of(soup_b, tb, pose)).distance;
    if (!(distance <= options.max_distance)) return true;
    hits.push_back(
        {pack(soup_a.face_of_triangle(ta), soup_b.face_of_triangle(tb)), pack(ta, tb), distance});
    if (hits.size() <= merge_at) return true;
    keep_nearest(hits);
    merge_at = std::max(options.max_contacts, 2 * hits.size());
    return hits.size() <= options.max_contacts;
  };
  source(options.max_distance, NearTriangles{}, meter, result.stats, collect);
  keep_nearest(hits);
  result.complete = !meter.exhausted() && hits.size() <= options.max_contacts;
  if (hits.size() > options.max_contacts) hits.resize(options.max_contacts);
  result.contacts.reserve(hits.size());
  for (const NearMemory::Hit& hit : hits) {
    const Index ta = first_of(hit.triangles), tb = second_of(hit.triangles);
    const Triangle at_a = triangle_of(soup_a, ta), at_b = triangle_of(soup_b, tb, pose);
    result.contacts.push_back(closest_contact(a, ta, b, tb, at_a, at_b, pose_a));
  }
}

std::uint64_t packed(const Feature& f) {
  return static_cast<std::uint64_t>(f.kind) << 32 | f.index;
}

Contact to_contact(const FeatureHit& hit, const Object& a, const Object& b, const Pose& pose_a,
                   const Mat3& rotation) {
  Contact c;
  c.face_a = a.soup().face_of_triangle(hit.triangle_a);
  c.face_b = b.soup().face_of_triangle(hit.triangle_b);
  c.feature_a = hit.feature_a;
  c.feature_b = hit.feature_b;
  c.point_a = rotation * hit.point_a + pose_a.translation();
  c.point_b = rotation * hit.point_b + pose_a.translation();
  c.normal = rotation * hit.normal;
  c.distance = hit.distance;
  return c;
}

template <class Source>
void find_features(const Object& a, const Pose& pose_a, const Object& b, const RelativePose& pose,
                   const NearOptions& options, NearMemory& memory, const Source& source,
                   NearResult& result) {
  base::BudgetMeter meter(options.budget);
  std::vector<FeatureHit>& hits = memory.features;
  hits.clear();
  if (memory.owners == nullptr) memory.owners = std::make_unique_for_overwrite<FeatureOwners>();
  FeaturePairs pairs(a, b, pose, options.max_distance, options.turn, *memory.owners, hits);
  const auto add = [&](Index ta, Index tb, std::int32_t features) {
    pairs.add(ta, tb, features);
    return hits.size() <= options.max_contacts;
  };
  source(options.max_distance, NearFeaturesOf{std::sin(options.turn)}, meter, result.stats, add);
  std::vector<NearMemory::Key>& order = memory.order;
  order.clear();
  for (const FeatureHit& hit : hits)
    order.push_back({packed(hit.feature_a), packed(hit.feature_b),
                     pack(hit.triangle_a, hit.triangle_b), static_cast<Index>(order.size())});
  std::sort(order.begin(), order.end());
  result.complete = !meter.exhausted() && hits.size() <= options.max_contacts;
  if (hits.size() > options.max_contacts) order.resize(options.max_contacts);
  result.contacts.reserve(order.size());
  const Mat3 rotation = pose_a.matrix();
  for (const NearMemory::Key& key : order)
    result.contacts.push_back(to_contact(hits[key.hit], a, b, pose_a, rotation));
}

}  // namespace

IsNear is_near(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
               double margin, const Budget& budget, Workspace& workspace, QueryStats& stats) {
  const RelativePose pose(pose_a, pose_b);
  if (is_far(a, b, pose, margin)) return IsNear::no;
  WorkspaceUse memory(&workspace);
  base::BudgetMeter meter(budget);
  bool found = false;
  const auto look = [&](Index ta, Index tb, std::int32_t) {
    // A NaN distance proves nothing, so it counts as near.
    found = !(geometry::closest_points(triangle_of(a.soup(), ta), triangle_of(b.soup(), tb, pose))
                  .distance > margin);
    return !found;
  };
  if (bvh::LocalMap::representable(bvh::bvh_of(a), bvh::bvh_of(b)))
    FromSearch{a, b, pose, memory->near}(margin, NearTriangles{}, meter, stats, look);
  else
    FromAll{a, b}(margin, NearTriangles{}, meter, stats, look);
  if (found) return IsNear::yes;
  return meter.exhausted() ? IsNear::unknown : IsNear::no;
}

double proved_beyond(const Object& a, const Object& b, double margin) {
  return std::max(0.0, margin * (1 - geometry::kDistanceError) - measuring_error(a, b));
}

}  // namespace touche::query

namespace touche {

void near_faces(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                const NearOptions& options, NearResult& result) {
  query::check_near(options);
  query::clear(result);
  const query::RelativePose pose(pose_a, pose_b);
  if (query::is_far(a, b, pose, options.max_distance)) {
    result.complete = true;
    return;
  }
  query::WorkspaceUse memory(options.workspace);
  if (bvh::LocalMap::representable(bvh::bvh_of(a), bvh::bvh_of(b)))
    query::find_faces(a, pose_a, b, pose, options, memory->near,
                      query::FromSearch{a, b, pose, memory->near}, result);
  else
    query::find_faces(a, pose_a, b, pose, options, memory->near, query::FromAll{a, b}, result);
}

void near_features(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                   const NearOptions& options, NearResult& result) {
  query::check_near(options);
  query::clear(result);
  const query::RelativePose pose(pose_a, pose_b);
  if (query::is_far(a, b, pose, options.max_distance)) {
    result.complete = true;
    return;
  }
  query::WorkspaceUse memory(options.workspace);
  if (bvh::LocalMap::representable(bvh::bvh_of(a), bvh::bvh_of(b)))
    query::find_features(a, pose_a, b, pose, options, memory->near,
                         query::FromSearch{a, b, pose, memory->near}, result);
  else
    query::find_features(a, pose_a, b, pose, options, memory->near, query::FromAll{a, b}, result);
}

}  // namespace touche

namespace touche::query {

bool near_features_across(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                          const NearOptions& options, const Vec3& normal, NearResult& result) {
  check_near(options);
  if (!NearAcross::has_room_for(a) || !NearAcross::has_room_for(b)) return false;
  const RelativePose pose(pose_a, pose_b);
  NearAcrossMemory parts;
  const NearAcross across(a, b, pose, normal, options.max_distance, parts);
  if (!across.are_few()) return false;
  clear(result);
  WorkspaceUse memory(options.workspace);
  find_features(a, pose_a, b, pose, options, memory->near, FromAcross{across}, result);
  return true;
}

}  // namespace touche::query

namespace touche {

NearResult near_faces(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const NearOptions& options) {
  NearResult result;
  near_faces(a, pose_a, b, pose_b, options, result);
  return result;
}

NearResult near_features(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                         const NearOptions& options) {
  NearResult result;
  near_features(a, pose_a, b, pose_b, options, result);
  return result;
}

namespace brute_force {

NearResult near_faces(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const NearOptions& options) {
  query::check_near(options);
  NearResult result;
  query::NearMemory memory;
  query::find_faces(a, pose_a, b, query::RelativePose(pose_a, pose_b), options, memory,
                    query::FromAll{a, b}, result);
  return result;
}

NearResult near_features(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                         const NearOptions& options) {
  query::check_near(options);
  NearResult result;
  query::NearMemory memory;
  const query::RelativePose pose(pose_a, pose_b);
  query::find_features(a, pose_a, b, pose, options, memory, query::FromAll{a, b}, result);
  return result;
}

}  // namespace brute_force

}  // namespace touche
