// SPDX-License-Identifier: Apache-2.0
// The shift is searched direction by direction. Along each one, shifts that make b free are
// searched up to the length of the shortest shift so far; the time of impact of the motion back
// from there shows how much of the shift was needed. The contact then has a normal, along which a
// shift may be shorter: for convex bodies it is the distance to a facet of their Minkowski
// difference, instead of an oblique path to it. Outlines stay in their plane: only directions in it
// are tried.
#include "touche/separation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/budget_part.h"
#include "math/moved_box.h"
#include "math/rounding.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "path/shift_apart.h"
#include "path/solid.h"
#include "plane/flat_outline.h"
#include "query/flat_pair.h"
#include "shape/soup_hull.h"
#include "touche/point_query.h"

namespace touche {
namespace {

constexpr int kAllAround = 40;            // directions that are tried for any bodies
constexpr double kMostHalfHeight = 1e90;  // of a shape
constexpr int kPlaces = 8;                // shifts tried in a direction
constexpr int kRefinements = 50;
// Bounds of a thickness are subject to rounding of positions, and of the distances to either body.
constexpr double kRoundings = 8;
// This many pairs of triangles that are tested one by one count as one query.
constexpr std::uint64_t kPairsOfALook = 1000;

/// Whether both bodies are outlines: check_flat_pair refuses an outline and a mesh.
bool in_plane(const Interior& a) { return plane::outline_of(a.object()) != nullptr; }

/// Directions evenly spread over the circle, or over the sphere by the golden angle.
Vec3 spread_direction(int i, int count, bool flat) {
  if (flat) {
    const double around = 2 * std::numbers::pi * (i + 0.5) / count;
    return {std::cos(around), std::sin(around), 0};
  }
  const double z = 1 - (2 * i + 1.0) / count, around = 2.399963229728653 * i;
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(around), r * std::sin(around), z};
}

/// The unit vector along the projection to z = 0; zero if there is none.
Vec3 within_plane(const Vec3& v) { return math::unit_or_zero({v.x(), v.y(), 0}); }

class ShiftSearch {
 public:
  ShiftSearch(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
              const SeparationOptions& options)
      : a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b), options_(options) {
    query_budget_ = base::with_any_work(options.budget);
  }

  /// True if b is free after a shift: farther away than the clearance and the tolerance, and not
  /// inside.
  bool is_free(const Vec3& shift) {
    ++work_;
    const Pose pose = shifted(shift);
    const DistanceResult far =
        distance(a_.object(), pose_a_, b_.object(), pose,
                 {.max_distance = 2 * apart_, .stop_below = apart_, .budget = query_budget_});
    count_pairs(far.stats);
    if (!(far.distance.lower > apart_)) return false;
    return paths::any_part_inside(a_, pose_a_, b_, pose, query_budget_) == Containment::none;
  }

  /// Beyond the boxes of both they are free in any case: takes the shortest such shift along an
  /// axis.
  void begin_with_boxes() {
    const Aabb a = math::moved_box(a_.object().bounds(), pose_a_, 0);
    const Aabb b = math::moved_box(b_.object().bounds(), pose_b_, 0);
    rounding_ = math::kFormulaError * (a.lo.norm() + a.hi.norm() + b.lo.norm() + b.hi.norm());
    const double more = options_.clearance + 2 * options_.tolerance + rounding_;
    for (int k = 0; k < (flat_ ? 2 : 3); ++k) {
      const double up = a.hi[k] - b.lo[k] + more, down = b.hi[k] - a.lo[k] + more;
      if (up < length_) take(Vec3::Unit(k), up);
      if (down < length_) take(-Vec3::Unit(k), down);
    }
  }

  void look_along(const Vec3& direction, double least) {
    look_at(direction, length_ - std::min(1e-6 * length_, std::max(options_.tolerance, rounding_)));
    const double first = std::max({1.001 * least, options_.tolerance, 1e-9 * length_});
    const double ratio = std::max(1.2, std::pow(length_ / first, 1.0 / kPlaces));
    for (double s = first; s < 0.9 * length_ && !is_over(); s *= ratio)
      if (look_at(direction, s)) return;
  }

  /// Goes on along normals of contacts, as long as the shift gets shorter.
  void refine(double least) {
    for (int i = 0; i < kRefinements && normal_ && !is_over(); ++i) {
      const Vec3 normal = *normal_;
      normal_.reset();
      look_along(normal, least);
    }
  }

  [[nodiscard]] bool is_over() const {
    return work_ >= options_.max_positions || options_.budget.expired();
  }
  /// Whether rounding hides no more than the tolerance.
  [[nodiscard]] bool can_be_exact() const { return rounding_ <= options_.tolerance; }
  [[nodiscard]] double rounding() const { return rounding_; }
  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] const Vec3& direction() const { return direction_; }
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  [[nodiscard]] Pose shifted(const Vec3& shift) const {
    return Pose::from_translation(shift) * pose_b_;
  }
  /// Bodies of which one is smaller than the other's rounding in single precision are tested one
  /// pair of triangles after the other, which takes as long as many queries.
  void count_pairs(const QueryStats& stats) {
    if (stats.brute_force > 0) work_ += stats.primitive_tests / kPairsOfALook;
  }
  void take(const Vec3& direction, double length) {
    direction_ = direction;
    length_ = length;
  }

  /// If b is free after this shift, moves it back as far as it may go.
  bool look_at(const Vec3& direction, double length) {
    if (is_over() || !is_free(length * direction)) return false;
    const Motion back = Motion::interpolated(shifted(length * direction), pose_b_);
    const double half = 0.5 * options_.tolerance;
    const ToiResult met =
        time_of_impact(a_.object(), Motion::at(pose_a_), b_.object(), back,
                       {.tolerance = half, .clearance = apart_ + half, .budget = query_budget_});
    count_pairs(met.stats);
    const double shorter = length * (1 - std::min(1.0, met.time.lower));
    // Without a contact the motion back proves nothing, so the whole shift is taken. Otherwise the
    // shorter shift, which is rounded, is tested like the whole one.
    const bool found =
        met.status == ToiStatus::contact && shorter < length && is_free(shorter * direction);
    take(direction, found ? shorter : length);
    normal_.reset();
    if (met.contact) {
      const Vec3 normal = flat_ ? within_plane(met.contact->normal) : met.contact->normal;
      const double along = normal.dot(direction);
      if (std::abs(along) < 1 - 1e-9 && !normal.isZero(0))
        normal_ = along < 0 ? Vec3(-normal) : normal;
    }
    return true;
  }

  const Interior &a_, &b_;
  const Pose &pose_a_, &pose_b_;
  const SeparationOptions& options_;
  const bool flat_ = in_plane(a_);
  const double apart_ = options_.clearance + options_.tolerance;  // beyond this, motions begin free
  Budget query_budget_;
  Vec3 direction_ = Vec3::UnitX();
  double length_ = kInfinity;
  double rounding_ = 0;         // of the coordinates, a length
  std::optional<Vec3> normal_;  // of the contact on the motion back, if that is another direction
  std::uint64_t work_ = 0;
};

void check(const Interior& a, const Interior& b, const SeparationOptions& options) {
  if (!(options.tolerance > 0 && std::isfinite(options.tolerance)))
    throw InvalidInput("separation: the tolerance must be a length > 0");
  if (!(options.clearance >= 0 && std::isfinite(options.clearance)))
    throw InvalidInput("separation: the clearance must be a length >= 0");
  if (!(options.relative_error >= 0))
    throw InvalidInput("separation: the relative error must not be negative");
  base::require_any_work(options.budget, "separation", "max_positions");
  for (const Interior* body : {&a, &b}) {
    if (paths::solid_of(*body) != nullptr)
      throw InvalidInput("separation: the inside of a convex shape; query the shape itself");
    paths::require_inside("separation", *body);
  }
}

/// Adds the direction from the middle of the overlap to a body's surface; it is used with both
/// signs.
void add_ways_from(const Vec3& centre, const Interior& body, const Pose& pose,
                   std::vector<Vec3>& ways) {
  const Vec3 way = math::unit_or_zero(closest_point(body.object(), pose, centre).point - centre);
  if (!way.isZero()) ways.push_back(way);
}

/// The direction of the shortest shift that separates the hulls of two outlines; zero if they have
/// too many vertices. The difference of a polygon in z = 0 and a high prism is a prism over their
/// difference in the plane, whose nearest side is upright.
Vec3 way_of_flat_hulls(const Interior& a, const Pose& pose_a, const Interior& b,
                       const Pose& pose_b) {
  const plane::Outline &outline_a = *plane::outline_of(a.object()),
                       &outline_b = *plane::outline_of(b.object());
  if (std::max(outline_a.vertex_count(), outline_b.vertex_count()) > shape::kMostHullVertices)
    return Vec3::Zero();
  const double half = outline_a.diagonal() + outline_b.diagonal();
  if (!(half <= kMostHalfHeight)) return Vec3::Zero();
  const auto hull = [](const plane::Outline& outline, double height) {
    std::vector<Vec3> corners;
    for (const plane::Vec2& p : outline.vertices())
      for (const double z : {-height, height}) corners.emplace_back(p.x(), p.y(), z);
    return Shape::hull(corners);
  };
  return depth(hull(outline_a, 0), pose_a, hull(outline_b, half), pose_b).direction;
}

std::vector<Vec3> all_ways(const Interior& a, const Pose& pose_a, const Interior& b,
                           const Pose& pose_b, const Thickness& thickness, const Budget& budget) {
  std::vector<Vec3> ways = paths::ways_out(a.object(), pose_a, b.object(), pose_b, budget);
  // No shorter shift separates their hulls, so none is shorter where both are convex.
  const bool flat = in_plane(a);
  if (flat) {
    ways.insert(ways.begin(), way_of_flat_hulls(a, pose_a, b, pose_b));
  } else {
    const Shape *hull_a = shape::hull_of(a.object()), *hull_b = shape::hull_of(b.object());
    if (hull_a != nullptr && hull_b != nullptr)
      ways.insert(ways.begin(), depth(*hull_a, pose_a, *hull_b, pose_b).direction);
  }
  if (thickness.diameter.lower > 0) {
    add_ways_from(thickness.centre, a, pose_a, ways);
    add_ways_from(thickness.centre, b, pose_b, ways);
  }
  for (int k = 0; k < 3; ++k) ways.emplace_back(Vec3::Unit(k));
  for (int i = 0; i < kAllAround / 2; ++i) ways.push_back(spread_direction(i, kAllAround, flat));
  if (flat) {
    for (Vec3& way : ways) way = within_plane(way);
    std::erase_if(ways, [](const Vec3& way) { return way.isZero(0); });
  }
  return ways;
}

void search_shift(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                  const SeparationOptions& options, ShiftSearch& search, Separation& result) {
  const Budget budget = base::with_any_work(options.budget);
  ThicknessOptions precise;
  precise.relative_error = options.relative_error;
  search.begin_with_boxes();
  // Where rounding exceeds the tolerance, it also limits the bounds of the thickness: that search
  // would examine all the points that it is allowed to.
  precise.absolute_error =
      search.can_be_exact() ? options.tolerance : kRoundings * search.rounding();
  precise.budget = budget;
  const Thickness thickness = overlap_thickness(a, pose_a, b, pose_b, precise);
  const double least = thickness.diameter.lower;
  for (const Vec3& way : all_ways(a, pose_a, b, pose_b, thickness, budget))
    for (const double sign : {1.0, -1.0}) {
      if (search.is_over()) break;
      search.look_along(sign * way, least);
      search.refine(least);
    }
  result.complete = !search.is_over() && thickness.complete && search.can_be_exact();
  result.direction = search.direction();
  result.shift = search.length() * search.direction();
  result.distance = {-search.length(), -std::min(least, search.length())};
}

}  // namespace

Separation separation(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                      const SeparationOptions& options) {
  check(a, b, options);
  query::check_flat_pair("separation", a.object(), pose_a, b.object(), pose_b);
  Separation result;
  ShiftSearch search(a, pose_a, b, pose_b, options);
  const Budget budget = base::with_any_work(options.budget);
  const IntersectsResult crossing = intersects(a.object(), pose_a, b.object(), pose_b, budget);
  Containment inside = Containment::none;
  if (!crossing.intersects && crossing.complete)
    inside = paths::any_part_inside(a, pose_a, b, pose_b, budget);
  if (!crossing.complete || inside == Containment::undecided) return result;
  if (crossing.intersects || inside != Containment::none) {
    result.status = SeparationStatus::overlapping;
    search_shift(a, pose_a, b, pose_b, options, search, result);
  } else {
    result.status = SeparationStatus::apart;
    const DistanceResult apart = distance(a.object(), pose_a, b.object(), pose_b,
                                          {.absolute_error = options.tolerance, .budget = budget});
    result.distance = apart.distance;
    result.closest = apart.closest;
    if (apart.closest) result.direction = apart.closest->normal;
    result.complete = apart.complete;
  }
  result.work = search.work();
  return result;
}

Pose resolved_pose(const Separation& separation, const Pose& pose_b) {
  if (separation.status == SeparationStatus::undecided)
    throw InvalidInput("resolved_pose: it is undecided whether they overlap");
  return Pose::from_translation(separation.shift) * pose_b;
}

}  // namespace touche
