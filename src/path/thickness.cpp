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
#include <type_traits>
#include <vector>

#include "base/budget_meter.h"
#include "geometry/point_triangle.h"
#include "math/box_corner.h"
#include "math/rounding.h"
#include "path/face_normal.h"
#include "path/interior.h"
#include "path/solid.h"
#include "query/flat_pair.h"
#include "query/relative.h"

namespace touche {
namespace {

constexpr int kClimbs = 40;
constexpr std::size_t kMostContacts = 512, kMostStarts = 24;
// Bounds of the depth in a convex shape that differ by this many rounding errors agree.
constexpr double kResolution = 8;

/// The distance of a box's centre from an object's faces and, once computed, its location.
struct FaceDepth {
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

/// A box of centres of balls.
template <class DepthB>
struct CentreBox {
  Vec3 lo, hi;
  FaceDepth a;
  DepthB b;
  double bound;
  int axis;              // axis along which it is halved
  std::uint64_t number;  // of two boxes with equal bounds the older one comes first

  Vec3 centre() const { return 0.5 * (lo + hi); }
  double radius() const { return 0.5 * (hi - lo).norm(); }
  bool operator<(const CentreBox& o) const {
    return bound != o.bound ? bound < o.bound : number > o.number;
  }
};

/// The inside of an object.
class Faces {
 public:
  using Depth = FaceDepth;

  explicit Faces(const Interior& body) : data_(base::data_of(body)) {}

  const Interior::Data& data() const { return data_; }
  const Aabb& bounds() const { return data_.object.bounds(); }
  double gap() const { return data_.caps.gap; }
  bool is_flat() const { return data_.flat != nullptr; }
  bool contains(const Vec3& x) const { return data_.contains(x); }
  bool ends_at_surface() const { return data_.ends_at_faces(); }

  void locate(const Vec3& x, double radius, Depth& depth) const {
    using enum Depth::Location;
    if (depth.location != unknown) return;
    if (data_.ends_near_faces())
      depth.location = data_.contains(x) ? inside : outside;
    else if (data_.outside_up_to_faces(x, radius) || data_.all_outside(x, radius))
      depth.location = outside;
    else
      depth.location = data_.contains(x) ? inside : centre_outside;
  }

  /// Computing the location is more expensive than computing the distance. It stays unknown while
  /// faces may pass through the box. For a closed body the location of the previous point is kept
  /// if that point was farther from the faces than the move.
  Depth depth_of(const Vec3& x, double radius, const Depth& before, double moved) const {
    const ClosestPoint closest = data_.faces.nearest(x, before.face);
    Depth depth{closest.distance, closest.face, Depth::Location::unknown};
    if (data_.ends_near_faces() && before.distance > moved) depth.location = before.location;
    if (closest.distance > radius) locate(x, radius, depth);
    return depth;
  }

  using Guess = Index;
  static Guess guess(const Depth& depth) { return depth.face; }
  static Guess guess(const ClosestPoint& closest) { return closest.face; }
  ClosestPoint nearest(const Vec3& x, Guess face) const { return data_.faces.nearest(x, face); }

  /// The part of the surface near a box, and the distance from it: a convex function.
  Triangle near_part(const Depth& depth) const { return data_.faces.face(depth.face); }
  static double far_from(const Triangle& face, const Vec3& x) {
    return geometry::nearest_offset(x, face).norm();
  }

 private:
  const Interior::Data& data_;
};

/// A convex shape. Its depths are brackets; beyond its surface they are negative.
class SolidBody {
 public:
  using Depth = Interior::Solid::Side;

  explicit SolidBody(const Interior& body) : solid_(*paths::solid_of(body)) {}

  Aabb bounds() const { return solid_.bounds(); }
  static double gap() { return 0; }
  static bool is_flat() { return false; }
  bool contains(const Vec3& x) const { return solid_.side(x).distance.upper < 0; }
  static bool ends_at_surface() { return true; }

  /// Computes the depth of a point inside with full accuracy.
  void locate(const Vec3& x, double /*radius*/, Depth& depth) const {
    const Bracket& d = depth.distance;
    if (d.lower < 0 && d.upper - d.lower > -kFine * d.lower) depth = solid_.side(x);
  }
  /// With an error that is small compared to the box.
  Depth depth_of(const Vec3& x, double radius, const Depth& /*before*/, double /*moved*/) const {
    return solid_.side(x, kShareOfBox * radius);
  }

  struct Guess {};
  struct Nearest {
    double distance;
    Vec3 point;
  };
  static Guess guess(const Depth& /*depth*/) { return {}; }
  static Guess guess(const Nearest& /*nearest*/) { return {}; }
  Nearest nearest(const Vec3& x, Guess /*guess*/) const {
    const Depth depth = solid_.side(x);
    return {-depth.distance.upper, x - depth.distance.upper * depth.normal};
  }

  struct Plane {
    Vec3 normal;
    double offset;
  };
  static Plane near_part(const Depth& depth) { return {depth.normal, depth.farthest}; }
  static double far_from(const Plane& plane, const Vec3& x) {
    return plane.offset - plane.normal.dot(x);
  }

 private:
  static constexpr double kShareOfBox = 1e-3, kFine = 1e-9;

  const Interior::Solid& solid_;
};

double bound_of(const FaceDepth& depth) { return depth.most(); }
double value_of(const FaceDepth& depth) { return depth.here(); }
double bound_of(const Interior::Solid::Side& side) { return -side.distance.lower; }
double value_of(const Interior::Solid::Side& side) { return -side.distance.upper; }

/// The first body is an object; the second one is an object, too, or a convex shape.
template <class B>
class ThicknessSearch {
 public:
  ThicknessSearch(const Interior& a, const Interior& b, const query::RelativePose& b_in_a,
                  const query::RelativePose& a_in_b, const ThicknessOptions& options)
      : a_(a), b_(b), a_in_b_(a_in_b), options_(options) {
    const Aabb other = b_.bounds(), own = a_.bounds();
    region_ = own;
    error_ = math::kFormulaError * own.diagonal();
    if (std::isfinite(other.diagonal())) {  // else a half space
      Aabb box;
      for (int i = 0; i < 8; ++i) box.include(b_in_a * math::corner_of(other, i));
      region_ = {box.lo.cwiseMax(own.lo), box.hi.cwiseMin(own.hi)};
      error_ = math::kFormulaError * (own.diagonal() + other.diagonal());
    }
    if (std::is_same_v<B, SolidBody>) {
      error_ += paths::moving_error(own, a_in_b.translation);
      resolution_ = kResolution * error_;
      // The moved box may be too small by rounding: bodies that overlap by less have boxes apart.
      region_.lo.array() -= error_, region_.hi.array() += error_;
    }
    // If both objects stand on outlines, search in the plane of the outlines.
    flat_ = a_.is_flat() && b_.is_flat();
    if (flat_) region_.lo.z() = region_.hi.z() = 0;
    slack_ = error_ + 2 * (a_.gap() + b_.gap());
  }

  /// Searches for deep points from contacts inwards, since the overlap begins where faces cross.
  void start_at(std::span<const Contact> contacts) {
    const double size = a_.bounds().diagonal() + b_.bounds().diagonal();
    const std::size_t stride = 1 + contacts.size() / kMostStarts;
    for (std::size_t i = 0; i < contacts.size(); i += stride) {
      const Contact& c = contacts[i];
      const Vec3 n_a = math::unit_or_zero(paths::face_normal(a_.data().object.soup(), c.face_a));
      const Vec3 n_b = a_in_b_.rotation.transpose() *
                       math::unit_or_zero(paths::face_normal(b_.data().object.soup(), c.face_b));
      for (const double side_a : {-1.0, 1.0})
        for (const double side_b : {-1.0, 1.0}) {
          const Vec3 inwards = side_a * n_a + side_b * n_b;
          for (const double step : {1e-3, 1e-5}) start_at(c.point_a + step * size * inwards);
        }
    }
  }

  void start_at(const Vec3& start) {
    if (is_spent()) return;
    ++work_;
    const Vec3 x = in_region(start);
    const Vec3 y = a_in_b_ * x;
    if (!a_.contains(x) || !b_.contains(y)) return;
    const auto a = a_.nearest(x, {});
    const auto b = b_.nearest(y, {});
    const double best = best_;
    const Vec3 centre = centre_;
    best_ = std::min(a.distance, b.distance);
    centre_ = x;
    climb(a_.guess(a), b_.guess(b));
    if (best_ >= best) return;
    best_ = best;
    centre_ = centre;
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
            std::max({0.5 * options_.absolute_error, options_.relative_error * best_, resolution_});
        if (bound <= best_ + allowed) break;
        if (is_spent()) {
          result.complete = false;
          break;
        }
        const Box box = queue_.top();
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
  using DepthB = typename B::Depth;
  using Box = CentreBox<DepthB>;

  bool is_spent() const { return work_ >= options_.max_points || options_.budget.expired(); }

  Vec3 in_region(const Vec3& x) const { return flat_ ? Vec3(x.x(), x.y(), 0) : x; }

  void halve(const Box& box) {
    const int axis = box.axis;
    const double middle = box.centre()[axis],
                 moved = 0.5 * (box.hi[axis] - middle) * math::kRoundFarUp + slack_;
    Vec3 hi = box.hi, lo = box.lo;
    hi[axis] = lo[axis] = middle;
    look_at(box.lo, hi, box.a, box.b, moved);
    look_at(lo, box.hi, box.a, box.b, moved);
  }

  void look_at(const Vec3& lo, const Vec3& hi, const FaceDepth& a, const DepthB& b, double moved) {
    ++work_;
    Box box{lo, hi, a, b, 0, 0, work_};
    // Drop the box if it has no point that is deep enough in both bodies.
    const Vec3 x = box.centre();
    const double radius = box.radius() * math::kRoundUp + slack_;
    const auto hopeless = [&](const auto& depth) { return !(bound_of(depth) + radius > best_); };
    box.a = a_.depth_of(x, radius, a, moved);
    if (hopeless(box.a)) return;
    const Vec3 y = a_in_b_ * x;
    box.b = b_.depth_of(y, radius, b, moved);
    if (hopeless(box.b)) return;
    // Evaluate the centre if it may be deeper than the best point.
    if (std::min(bound_of(box.a), bound_of(box.b)) > best_) {
      a_.locate(x, radius, box.a);
      b_.locate(y, radius, box.b);
      if (hopeless(box.a) || hopeless(box.b)) return;
      if (const double depth = std::min(value_of(box.a), value_of(box.b)); depth > best_) {
        best_ = depth;
        centre_ = x;
        climb(a_.guess(box.a), b_.guess(box.b));
      }
    }
    // Keep the box if it may hold a deeper point.
    box.bound = std::min(bound_of(box.a), bound_of(box.b)) + radius;
    bound_by_faces(box);
    if (box.bound > best_) queue_.push(box);
  }

  // Moves from the deepest point so far away from the nearest faces. Steps are shorter than the
  // depth, so no face is crossed; but the inside of an open body also ends elsewhere.
  void climb(typename Faces::Guess guess_a, typename B::Guess guess_b) {
    double step = 0.5;
    for (int round = 0; round < kClimbs && step > 1e-3; ++round) {
      const auto a = a_.nearest(centre_, guess_a);
      const auto b = b_.nearest(a_in_b_ * centre_, guess_b);
      const Vec3 away = a.distance <= b.distance
                            ? Vec3(centre_ - a.point)
                            : Vec3(a_in_b_.rotation.transpose() * (a_in_b_ * centre_ - b.point));
      const Vec3 x = in_region(centre_ + step * away);
      const double depth = std::min(a_.nearest(x, a_.guess(a)).distance,
                                    b_.nearest(a_in_b_ * x, b_.guess(b)).distance);
      if (depth > best_ && (a_.ends_at_surface() || a_.contains(x)) &&
          (b_.ends_at_surface() || b_.contains(a_in_b_ * x))) {
        best_ = depth;
        centre_ = x;
      } else {
        step *= 0.5;
      }
    }
  }

  // Reduces the box's bound by the faces nearest to its centre, and chooses the axis along which to
  // halve it.
  void bound_by_faces(Box& box) const {
    const auto part_a = a_.near_part(box.a);
    const auto part_b = b_.near_part(box.b);
    const Vec3 centre = box.centre(), half = 0.5 * (box.hi - box.lo);
    struct Far {
      double a, b;
    };
    const auto at = [&](const Vec3& x) {
      return Far{a_.far_from(part_a, x), b_.far_from(part_b, a_in_b_ * x)};
    };
    // Bound both distances and their mean by the values at the corners.
    double most_a = -kInfinity, most_b = -kInfinity, most = -kInfinity;
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

  const Faces a_;
  const B b_;
  const query::RelativePose& a_in_b_;
  const ThicknessOptions& options_;
  Aabb region_;
  bool flat_ = false;
  double error_ = 0;       // rounding error
  double resolution_ = 0;  // bounds of depths are not brought nearer to each other
  double slack_ = 0;       // in addition, how far from its faces an inside may end
  std::priority_queue<Box> queue_;
  double best_ = 0;
  Vec3 centre_ = Vec3::Zero();
  std::uint64_t work_ = 0;
};

/// Of an object and a convex shape.
Thickness thickness_of_mixed(const Interior& a, const Pose& pose_a, const Interior& b,
                             const Pose& pose_b, const ThicknessOptions& options) {
  paths::refuse_outline("overlap thickness", a);
  const query::RelativePose b_in_a(pose_a, pose_b), a_in_b(pose_b, pose_a);
  ThicknessSearch<SolidBody> search(a, b, b_in_a, a_in_b, options);
  for (const Vec3& x :
       paths::solid_of(b)->points_in_overlap(pose_b, a.object(), pose_a, options.budget))
    search.start_at(x);
  Thickness result = search.run();
  result.centre = pose_a * result.centre;
  return result;
}

}  // namespace

Thickness overlap_thickness(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const ThicknessOptions& options) {
  if (!(options.relative_error >= 0) || !(options.absolute_error >= 0))
    throw InvalidInput("overlap thickness: errors must not be negative");
  base::require_any_work(options.budget, "overlap thickness", "max_points");
  const bool a_is_solid = paths::solid_of(a) != nullptr, b_is_solid = paths::solid_of(b) != nullptr;
  if (a_is_solid && b_is_solid) return paths::thickness_of_solids(a, pose_a, b, pose_b, options);
  if (a_is_solid) return thickness_of_mixed(b, pose_b, a, pose_a, options);
  if (b_is_solid) return thickness_of_mixed(a, pose_a, b, pose_b, options);
  query::check_flat_pair("overlap thickness", a.object(), pose_a, b.object(), pose_b);
  const query::RelativePose b_in_a(pose_a, pose_b), a_in_b(pose_b, pose_a);
  ThicknessSearch<Faces> search(a, b, b_in_a, a_in_b, options);
  search.start_at(
      contacts(a.object(), Pose(), b.object(), relative(pose_a, pose_b),
               {.max_contacts = kMostContacts, .budget = base::with_any_work(options.budget)})
          .contacts);
  Thickness result = search.run();
  result.centre = pose_a * result.centre;
  return result;
}

}  // namespace touche
