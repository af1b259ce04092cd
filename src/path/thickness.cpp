// SPDX-License-Identifier: Apache-2.0
// Branch and bound over boxes. The depth of a point in a body changes no faster than the point
// moves. So within a box the smaller of the two depths is at most that of the centre plus half the
// diagonal. A depth is at most the distance from any one face, which is a convex function: so the
// mean of the distances from two faces, one of each body, is greatest at a corner of the box.
// Between two parallel faces that mean is constant, and large boxes are enough. The box with the
// greatest bound is halved across the axis along which the mean rises most.
#include <algorithm>
#include <cmath>
#include <queue>
#include <span>
#include <vector>

#include "base/budget_meter.h"
#include "geometry/point_triangle.h"
#include "math/box_corner.h"
#include "math/rounding.h"
#include "path/face_normal.h"
#include "path/interior.h"
#include "query/flat_pair.h"
#include "query/relative.h"

namespace touche {
namespace {

constexpr int kClimbs = 40;
constexpr std::size_t kMostContacts = 512, kMostStarts = 24;

/// The distance of a box's centre from one body's faces and, once computed, its location.
struct Depth {
  /// The location of the centre. `outside` also states that no point of the box is deeper than the
  /// box's radius minus the distance. For a closed body this follows, since its inside ends only at
  /// faces. The inside of an open body also ends elsewhere: for it this is proved, or its whole box
  /// is proved to be outside; `centre_outside` states only that the centre is outside.
  enum class Location : std::uint8_t { unknown, inside, centre_outside, outside };
  double distance = 0;
  Index face = 0;
  Location location = Location::unknown;

  /// An upper bound of the depths in the box, before the box's radius is added.
  double most() const { return location == Location::outside ? -distance : distance; }
  /// The depth of the centre, once its location is known.
  double here() const { return location == Location::inside ? distance : -distance; }
};

struct PoseBox {
  Vec3 lo, hi;
  Depth a, b;
  double bound;
  int axis;              // axis along which it is halved
  std::uint64_t number;  // of two boxes with equal bounds the older one comes first

  Vec3 centre() const { return 0.5 * (lo + hi); }
  double radius() const { return 0.5 * (hi - lo).norm(); }
  bool operator<(const PoseBox& o) const {
    return bound != o.bound ? bound < o.bound : number > o.number;
  }
};

void locate(const Interior::Data& body, const Vec3& x, double radius, Depth& depth) {
  using enum Depth::Location;
  if (depth.location != unknown) return;
  if (body.ends_near_faces())
    depth.location = body.contains(x) ? inside : outside;
  else if (body.outside_up_to_faces(x, radius) || body.all_outside(x, radius))
    depth.location = outside;
  else
    depth.location = body.contains(x) ? inside : centre_outside;
}

/// Computing the location is more expensive than computing the distance. It stays unknown while
/// faces may pass through the box. For a closed body the location of the previous point is kept if
/// that point was farther from the faces than the move.
Depth depth_of(const Interior::Data& body, const Vec3& x, double radius, const Depth& before,
               double moved) {
  const ClosestPoint closest = body.faces.nearest(x, before.face);
  Depth depth{closest.distance, closest.face, Depth::Location::unknown};
  if (body.ends_near_faces() && before.distance > moved) depth.location = before.location;
  if (closest.distance > radius) locate(body, x, radius, depth);
  return depth;
}

class ThicknessSearch {
 public:
  ThicknessSearch(const Interior& a, const Interior& b, const query::RelativePose& b_in_a,
                  const query::RelativePose& a_in_b, const ThicknessOptions& options)
      : a_(base::data_of(a)), b_(base::data_of(b)), a_in_b_(a_in_b), options_(options) {
    Aabb box;
    const Aabb& other = b.object().bounds();
    for (int i = 0; i < 8; ++i) box.include(b_in_a * math::corner_of(other, i));
    const Aabb& own = a.object().bounds();
    region_ = {box.lo.cwiseMax(own.lo), box.hi.cwiseMin(own.hi)};
    // If both objects stand on outlines, search in the plane of the outlines.
    flat_ = a_.flat != nullptr && b_.flat != nullptr;
    if (flat_) region_.lo.z() = region_.hi.z() = 0;
    error_ = math::kFormulaError * (own.diagonal() + other.diagonal());
    slack_ = error_ + 2 * (a_.caps.gap + b_.caps.gap);
  }

  /// Searches for deep points from contacts inwards, since the overlap begins where faces cross.
  void start_at(std::span<const Contact> contacts) {
    const double size = a_.object.bounds().diagonal() + b_.object.bounds().diagonal();
    const std::size_t stride = 1 + contacts.size() / kMostStarts;
    for (std::size_t i = 0; i < contacts.size(); i += stride) {
      const Contact& c = contacts[i];
      const Vec3 n_a = math::unit_or_zero(paths::face_normal(a_.object.soup(), c.face_a));
      const Vec3 n_b = a_in_b_.rotation.transpose() *
                       math::unit_or_zero(paths::face_normal(b_.object.soup(), c.face_b));
      for (const double side_a : {-1.0, 1.0})
        for (const double side_b : {-1.0, 1.0}) {
          const Vec3 inwards = side_a * n_a + side_b * n_b;
          for (const double step : {1e-3, 1e-5}) start_at(c.point_a + step * size * inwards);
        }
    }
  }

  Thickness run() {
    Thickness result;
    result.complete = true;
    double bound = 0;
    if (!region_.empty()) {
      // Halve the box with the greatest bound until no box can hold a significantly deeper point.
      look_at(region_.lo, region_.hi, {}, {}, 0);
      while (!queue_.empty()) {
        bound = queue_.top().bound;
        const double allowed =
            std::max(0.5 * options_.absolute_error, options_.relative_error * best_);
        if (bound <= best_ + allowed) break;
        if (work_ >= options_.max_points || options_.budget.expired()) {
          result.complete = false;
          break;
        }
        const PoseBox box = queue_.top();
        queue_.pop();
        halve(box);
        bound = 0;
      }
    }
    // Allow for rounding.
    result.diameter.lower = 2 * std::max(0.0, best_ - error_);
    result.diameter.upper = 2 * std::max(best_, bound) + (bound > 0 || best_ > 0 ? 2 * error_ : 0);
    result.centre = centre_;
    result.work = work_;
    return result;
  }

 private:
  void start_at(const Vec3& start) {
    ++work_;
    const Vec3 x = in_region(start);
    const Vec3 y = a_in_b_ * x;
    if (!a_.contains(x) || !b_.contains(y)) return;
    const ClosestPoint a = a_.faces.nearest(x, 0), b = b_.faces.nearest(y, 0);
    const double best = best_;
    const Vec3 centre = centre_;
    best_ = std::min(a.distance, b.distance);
    centre_ = x;
    climb(a.face, b.face);
    if (best_ >= best) return;
    best_ = best;
    centre_ = centre;
  }

  Vec3 in_region(const Vec3& x) const { return flat_ ? Vec3(x.x(), x.y(), 0) : x; }

  void halve(const PoseBox& box) {
    const int axis = box.axis;
    const double middle = box.centre()[axis],
                 moved = 0.5 * (box.hi[axis] - middle) * math::kRoundFarUp + slack_;
    Vec3 hi = box.hi, lo = box.lo;
    hi[axis] = lo[axis] = middle;
    look_at(box.lo, hi, box.a, box.b, moved);
    look_at(lo, box.hi, box.a, box.b, moved);
  }

  void look_at(const Vec3& lo, const Vec3& hi, const Depth& a, const Depth& b, double moved) {
    ++work_;
    PoseBox box{lo, hi, a, b, 0, 0, work_};
    // Drop the box if it has no point that is deep enough in both bodies.
    const Vec3 x = box.centre();
    const double radius = box.radius() * math::kRoundUp + slack_;
    const auto hopeless = [&](const Depth& depth) { return !(depth.most() + radius > best_); };
    box.a = depth_of(a_, x, radius, a, moved);
    if (hopeless(box.a)) return;
    const Vec3 y = a_in_b_ * x;
    box.b = depth_of(b_, y, radius, b, moved);
    if (hopeless(box.b)) return;
    // Evaluate the centre if it may be deeper than the best point.
    if (std::min(box.a.most(), box.b.most()) > best_) {
      locate(a_, x, radius, box.a);
      locate(b_, y, radius, box.b);
      if (hopeless(box.a) || hopeless(box.b)) return;
      if (const double depth = std::min(box.a.here(), box.b.here()); depth > best_) {
        best_ = depth;
        centre_ = x;
        climb(box.a.face, box.b.face);
      }
    }
    // Keep the box if it may hold a deeper point.
    box.bound = std::min(box.a.most(), box.b.most()) + radius;
    bound_by_faces(box);
    if (box.bound > best_) queue_.push(box);
  }

  // Moves from the deepest point so far away from the nearest faces. Steps are shorter than the
  // depth, so no face is crossed; but the inside of an open body also ends elsewhere.
  void climb(Index face_a, Index face_b) {
    double step = 0.5;
    for (int round = 0; round < kClimbs && step > 1e-3; ++round) {
      const ClosestPoint a = a_.faces.nearest(centre_, face_a);
      const ClosestPoint b = b_.faces.nearest(a_in_b_ * centre_, face_b);
      const Vec3 away = a.distance <= b.distance
                            ? Vec3(centre_ - a.point)
                            : Vec3(a_in_b_.rotation.transpose() * (a_in_b_ * centre_ - b.point));
      const Vec3 x = in_region(centre_ + step * away);
      const double depth = std::min(a_.faces.nearest(x, a.face).distance,
                                    b_.faces.nearest(a_in_b_ * x, b.face).distance);
      if (depth > best_ && (a_.ends_at_faces() || a_.contains(x)) &&
          (b_.ends_at_faces() || b_.contains(a_in_b_ * x))) {
        best_ = depth;
        centre_ = x;
      } else {
        step *= 0.5;
      }
    }
  }

  // Reduces the box's bound by the faces nearest to its centre, and chooses the axis along which to
  // halve it.
  void bound_by_faces(PoseBox& box) const {
    const Triangle face_a = a_.faces.face(box.a.face), face_b = b_.faces.face(box.b.face);
    const Vec3 centre = box.centre(), half = 0.5 * (box.hi - box.lo);
    struct Far {
      double a, b;
    };
    const auto at = [&](const Vec3& x) {
      return Far{geometry::nearest_offset(x, face_a).norm(),
                 geometry::nearest_offset(a_in_b_ * x, face_b).norm()};
    };
    // Bound both distances and their mean by the values at the corners.
    double most_a = 0, most_b = 0, most = 0;
    for (int i = 0; i < 8; ++i) {
      const Far far = at(math::corner_of({box.lo, box.hi}, i));
      most_a = std::max(most_a, far.a);
      most_b = std::max(most_b, far.b);
      most = std::max(most, 0.5 * (far.a + far.b));
    }
    box.bound = std::min({box.bound, most_a + error_, most_b + error_, most + error_});
    // Halve along the axis along which the mean rises most, or along the longest.
    half.maxCoeff(&box.axis);
    double steepest = 1e-6 * half.maxCoeff();
    const Far middle = at(centre);
    for (int axis = 0; axis < 3; ++axis) {
      double rise = 0;
      for (const double side : {-1.0, 1.0}) {
        const Far far = at(centre + side * half[axis] * Vec3::Unit(axis));
        rise = std::max(rise, 0.5 * (far.a + far.b - middle.a - middle.b));
      }
      if (rise <= steepest) continue;
      steepest = rise;
      box.axis = axis;
    }
  }

  const Interior::Data &a_, &b_;
  const query::RelativePose& a_in_b_;
  const ThicknessOptions& options_;
  Aabb region_;
  bool flat_ = false;
  double error_ = 0;  // rounding error
  double slack_ = 0;  // in addition, how far from its faces an inside may end
  std::priority_queue<PoseBox> queue_;
  double best_ = 0;
  Vec3 centre_ = Vec3::Zero();
  std::uint64_t work_ = 0;
};

}  // namespace

Thickness overlap_thickness(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const ThicknessOptions& options) {
  if (!(options.relative_error >= 0) || !(options.absolute_error >= 0))
    throw InvalidInput("overlap thickness: errors must not be negative");
  base::require_any_work(options.budget, "overlap thickness", "max_points");
  query::check_flat_pair("overlap thickness", a.object(), pose_a, b.object(), pose_b);
  const query::RelativePose b_in_a(pose_a, pose_b), a_in_b(pose_b, pose_a);
  ThicknessSearch search(a, b, b_in_a, a_in_b, options);
  search.start_at(
      contacts(a.object(), Pose(), b.object(), relative(pose_a, pose_b),
               {.max_contacts = kMostContacts, .budget = base::with_any_work(options.budget)})
          .contacts);
  Thickness result = search.run();
  result.centre = pose_a * result.centre;
  return result;
}

}  // namespace touche
