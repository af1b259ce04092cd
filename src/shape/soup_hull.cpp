// SPDX-License-Identifier: Apache-2.0
#include "shape/soup_hull.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "bvh/object_data.h"
#include "query/distance_of_disjoint.h"
#include "query/near_features_across.h"
#include "query/relative.h"
#include "shape/pair_impact.h"

namespace touche::shape {
namespace {

// Within these sizes nothing under- or overflows.
constexpr double kLeastHullSize = 1e-60, kLargestHullSize = 1e60;

// Most pairs need one step; pairs that need more than this do not stay apart.
constexpr int kMostHullLooks = 12;
// Pairs that graze each other need many steps; beyond this number the faces are tested instead.
constexpr int kMostImpactLooks = 256;

// The reported distance at the start may be too large by this share.
constexpr double kStartError = 0.05;

// The plane between hulls need not be exact to select the near faces.
constexpr double kPlaneError = 0.05;

// Rounding alone may put vertices this far on the wrong side of a face, as a share of the size.
constexpr double kOnPlane = 1e-12;

struct FoundHull final : Object::Data::Derived {
  std::optional<Shape> hull;
  bool is_surface = false;
};

// Whether each edge belongs to exactly two triangles. Vertices at the same position count as one.
bool is_closed(const PolygonSoup& soup) {
  const std::span<const Vec3> vertices = soup.vertices();
  const auto place = [&](Index vertex) {
    return std::find(vertices.begin(), vertices.end(), vertices[vertex]) - vertices.begin();
  };
  std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> edges;
  for (const auto& triangle : soup.triangles())
    for (std::size_t k = 0; k < 3; ++k)
      edges.emplace_back(std::minmax(place(triangle[k]), place(triangle[(k + 1) % 3])));
  std::sort(edges.begin(), edges.end());
  for (std::size_t i = 0; i < edges.size(); i += 2)
    if (i + 1 == edges.size() || edges[i] != edges[i + 1] ||
        (i + 2 < edges.size() && edges[i] == edges[i + 2]))
      return false;
  return true;
}

// Whether, for each face, all vertices are on one side and some are off its plane.
bool is_on_one_side(const PolygonSoup& soup, double size) {
  for (Index t = 0; t < soup.triangle_count(); ++t) {
    const Triangle corners = query::triangle_of(soup, t);
    const Vec3 normal =
        math::unit_or_zero((corners[1] - corners[0]).cross(corners[2] - corners[0]));
    double above = 0, below = 0;
    for (const Vec3& p : soup.vertices()) {
      const double height = normal.dot(p - corners[0]);
      above = std::max(above, height);
      below = std::max(below, -height);
    }
    if (std::min(above, below) > kOnPlane * size || std::max(above, below) <= kOnPlane * size)
      return false;
  }
  return true;
}

std::unique_ptr<const FoundHull> find_hull(const Object& object) {
  auto found = std::make_unique<FoundHull>();
  const std::span<const Vec3> vertices = object.soup().vertices();
  const Aabb& box = object.bounds();
  const double size = box.lo.cwiseAbs().cwiseMax(box.hi.cwiseAbs()).maxCoeff();
  if (vertices.size() <= kMostHullVertices && size > kLeastHullSize && size < kLargestHullSize)
    found->hull = Shape::hull(vertices);
  // The surface of a polytope with v vertices has at most 2 v - 4 triangles.
  found->is_surface = found->hull && object.soup().triangle_count() <= 2 * kMostHullVertices &&
                      is_closed(object.soup()) && is_on_one_side(object.soup(), size);
  return found;
}

// The distance of two hulls that touch within a tolerance, relative to that distance even if it is
// small, so that near hulls are distinguished from overlapping ones.
convex::Separation start_of(const MovingPair& pair, const Instant& at, const Vec3& guess) {
  convex::SeparationOptions options;
  options.relative_error = kStartError;
  options.guess = guess;
  return pair.separation(at, options);
}

const FoundHull& found_of(const Object& object) {
  return static_cast<const FoundHull&>(
      base::data_of(object).derived(Object::Data::kHull, [&] { return find_hull(object); }));
}

}  // namespace

const Shape* hull_of(const Object& object) {
  const FoundHull& found = found_of(object);
  return found.hull ? &*found.hull : nullptr;
}

Vec3 farthest_corner(const Shape& polytope, const Vec3& direction) {
  return convex::supporting(body_of(polytope), direction).point;
}

bool is_hull_surface(const Object& object) { return found_of(object).is_surface; }

bool hulls_stay_apart(const Object& a, const Motion& motion_a, const Object& b,
                      const Motion& motion_b, const ToiOptions& options) {
  const Shape *hull_a = hull_of(a), *hull_b = hull_of(b);
  if (hull_a == nullptr || hull_b == nullptr) return false;
  const Mover mover_a(*hull_a), mover_b(*hull_b);
  ToiLengths lengths(options);
  PiecePairs pieces(motion_a, motion_b);
  Vec3 guess = Vec3::Zero();
  double t = options.t_start;
  int looks = 0;
  do {
    if (!(t < pieces.end())) continue;
    const MovingPair pair(mover_a, pieces.a(), mover_b, pieces.b());
    lengths.allow_for_rounding(pair);
    const Instant end = pair.at(pieces.end());
    while (t < pieces.end()) {
      if (++looks > kMostHullLooks) return false;
      const PairStep step = step_pair(pair, pair.at(t), lengths, end, guess);
      if (step.end != PairStep::End::open) return false;
      t = step.until;
    }
  } while (pieces.next());
  return true;
}

std::optional<ToiResult> impact_by_hulls(const Object& a, const Motion& motion_a, const Object& b,
                                         const Motion& motion_b, const ToiOptions& options,
                                         Confirmed confirmed, double* apart_at_start) {
  if (!is_hull_surface(a) || !is_hull_surface(b)) return {};
  const Mover mover_a(*hull_of(a)), mover_b(*hull_of(b));
  ToiLengths lengths(options);
  PiecePairs pieces(motion_a, motion_b);
  std::optional<MovingPair> both(std::in_place, mover_a, pieces.a(), mover_b, pieces.b());
  // Most motions have a single piece.
  if (pieces.end() < 1)
    lengths.allow_for_rounding(motion_a, mover_a, motion_b, mover_b);
  else
    lengths.allow_for_rounding(*both);
  if (lengths.tolerance > options.tolerance) return {};
  ToiResult result;
  result.tolerance = lengths.tolerance;
  Vec3 guess = Vec3::Zero();
  double t = options.t_start;
  do {
    if (!(t < pieces.end())) continue;
    if (pieces.begin() > 0) both.emplace(mover_a, pieces.a(), mover_b, pieces.b());
    const MovingPair& pair = *both;
    const Instant end = pair.at(pieces.end());
    const std::uint64_t looks_before = result.stats.primitive_tests;
    while (t < pieces.end()) {
      if (++result.stats.primitive_tests > kMostImpactLooks) return {};
      const Instant at = pair.at(t);
      const PairStep step = step_pair(pair, at, lengths, end, guess);
      if (t == 0 && apart_at_start != nullptr) *apart_at_start = step.separation.lower;
      if (step.end == PairStep::End::unknown) return {};
      if (step.end == PairStep::End::touching) {
        if (t == options.t_start) {
          const convex::Separation start = start_of(pair, at, step.separation.direction);
          if (!(start.lower > 0)) return {};
          report_contact(at, start, result);
          result.status = ToiStatus::initially_touching;
          return result;
        }
        ++result.stats.time_splits;
        report_contact(at, step.separation, result);
        if (confirmed == Confirmed::later) return result;
        const DistanceOptions within{.max_distance = step.separation.upper,
                                     .workspace = options.workspace};
        const Pose then_a = motion_a.pose(t), then_b = motion_b.pose(t);
        const DistanceResult faces = step.separation.lower > 0
                                         ? query::distance_of_disjoint(a, then_a, b, then_b, within)
                                         : distance(a, then_a, b, then_b, within);
        result.stats += faces.stats;
        if (!faces.closest) return {};
        result.contact = faces.closest;
        return result;
      }
      t = step.until;
    }
    // The face search skips time slices that boxes prove apart; the hull search skips pieces that
    // one step proves.
    if (result.stats.primitive_tests > looks_before + 1) ++result.stats.time_splits;
  } while (pieces.next());
  result.status = ToiStatus::free;
  result.time.lower = 1;
  return result;
}

bool near_features_by_hulls(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const NearOptions& options, NearResult& result) {
  const Shape *hull_a = hull_of(a), *hull_b = hull_of(b);
  if (hull_a == nullptr || hull_b == nullptr) return false;
  const convex::RigidTransform b_in_a(pose_a, pose_b);
  const convex::Body &body_a = body_of(*hull_a), &body_b = body_of(*hull_b);
  convex::SeparationOptions looking;
  looking.stop_above = options.max_distance * (1 + 1e-6);
  looking.relative_error = kPlaneError;
  looking.absolute_error = kPlaneError * options.max_distance;
  const convex::Separation apart =
      convex::separation({body_a, body_b, b_in_a, convex::placed_error(body_b, b_in_a)}, looking);
  if (!(apart.lower > 0)) return false;
  if (apart.lower > looking.stop_above) {
    result.contacts.clear();
    result.complete = true;
    result.stats = {};
    return true;
  }
  return query::near_features_across(a, pose_a, b, pose_b, options, apart.direction, result);
}

}  // namespace touche::shape
