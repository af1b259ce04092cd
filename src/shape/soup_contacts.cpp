// SPDX-License-Identifier: Apache-2.0
// Contacts of a convex shape and the triangles of a soup, triangle by triangle: like contacts of
// two convex bodies, along the shortest motion that separates them. If that leads across an edge of
// the triangle where the surface continues, the neighbouring triangle is nearer, and an overlap is
// resolved along the triangle's own normal instead. Adjacent coplanar triangles count as one face:
// only the corners of their union are kept.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "convex/features.h"
#include "math/rounding.h"
#include "shape/convex_question.h"
#include "shape/soup_queries.h"
#include "shape/soup_search.h"
#include "shape/soup_surface.h"
#include "touche/reference.h"
#include "touche/shape.h"

namespace touche::shape {

namespace {

// Points of the shape are merged if they are nearer to each other than `kOnePoint` of its size,
// plus what rounding of coordinates (`kRounding`) may separate.
constexpr double kOnePoint = 1e-7, kRounding = 0x1p-48;

/// Works in the orientation of the object's frame, with the origin at the shape's centre: if both
/// bodies are far from their origins, that distance does not enlarge the error. In pairs of bodies,
/// a is the triangle.
class SoupContacts {
 public:
  SoupContacts(const Shape& shape, const Pose& pose, const Shape& soup, const Pose& soup_pose,
               double margin, const Budget& budget, std::size_t max_contacts)
      : at_rest_(shape, pose, 0, soup_pose),
        object_(soup.object()),
        surface_(object_),
        radius_(soup.radius()),
        margin_(margin),
        budget_(budget),
        max_contacts_(max_contacts) {
    if (at_rest_.is_half_space()) {
      one_ = kRounding * (at_rest_.reach() + object_.bounds().diagonal());
    } else {
      place_ = at_rest_.in_object();
      origin_ = place_ * at_rest_.body().centre;
      place_.translation -= origin_;
      one_ = 0.5 * kOnePoint * shape.bounds().diagonal() + kRounding * at_rest_.reach();
    }
  }

  ShapeContactsResult find(Search search, const Pose& soup_pose) {
    base::BudgetMeter meter(budget_);
    if (search == Search::all) {
      result_.stats.brute_force = 1;
      for (Index t = 0; t < object_.soup().triangle_count(); ++t) {
        ++result_.stats.primitive_tests;
        look(t, query::triangle_of(object_.soup(), t));
      }
    } else {
      SoupSearch near(at_rest_, object_, meter, result_.stats);
      near.run([&] { return margin_ + radius_; },
               [&](Index t, const Triangle& triangle) {
                 look(t, triangle);
                 // A triangle may take as long as hundreds of nodes, so the meter alone would look
                 // at the clock too rarely.
                 return found_.size() < max_contacts_ && !budget_.expired();
               });
    }
    put_in_order();
    place(soup_pose);
    return std::move(result_);
  }

 private:
  struct Found {
    ShapeContact contact;
    Index triangle;
    bool on_border;  // may also be found by another triangle
  };

  void look(Index t, const Triangle& triangle) {
    if (at_rest_.is_half_space())
      look_from_plane(t, triangle);
    else
      look_from_body(t, {triangle[0] - origin_, triangle[1] - origin_, triangle[2] - origin_});
  }

  /// Makes a contact from `on_shape`, a point of the shape, and `on_soup`, a point of the triangle
  /// without its radius, with a normal from the shape.
  Found told(Index t, const Triangle& triangle, const Vec3& on_shape, const Vec3& on_soup,
             const Vec3& normal) const {
    ShapeContact c;
    c.point_a = on_shape, c.point_b = on_soup - radius_ * normal;
    c.normal = normal;
    c.distance = normal.dot(c.point_b - c.point_a);
    c.face_b = object_.soup().face_of_triangle(t);
    return {c, t, surface_.is_on_border(t, triangle, on_soup)};
  }

  void take_nearest(const Found& found) {
    if (std::tuple(found.contact.distance, found.triangle) <
        std::tuple(nearest_.contact.distance, nearest_.triangle))
      nearest_ = found;
  }

  // ---- a half space ----

  /// Adds the lowest corners of the triangle, if the surface around them is not lower.
  void look_from_plane(Index t, const Triangle& triangle) {
    const Beyond plane = at_rest_.beyond_half_space();
    double lowest = kInfinity, size = 0, rounding = kRounding * std::abs(plane.farthest);
    for (const Vec3& x : triangle) {
      lowest = std::min(lowest, plane.n.dot(x) - plane.farthest);
      size = std::max(size, (x - triangle[0]).norm());
      rounding = std::max(rounding, kRounding * x.norm());
    }
    if (!(lowest - radius_ <= margin_)) return;
    for (int k = 0; k < 3; ++k) {
      const Vec3& x = triangle[static_cast<std::size_t>(k)];
      const double height = plane.n.dot(x) - plane.farthest;
      if (height > lowest + convex::kAlike * size + rounding) continue;
      const Found found = told(t, triangle, x - height * plane.n, x, plane.n);
      take_nearest(found);
      if (surface_.counts(surface_.merged(t, k), -plane.n, kLeanOfRounding))
        found_.push_back(found);
    }
  }

  // ---- a body ----

  struct Facing {
    Vec3 direction, point_a, point_b;  // from the triangle, without the soup's radius
    bool nearest = true;               // whether the points are the nearest or the deepest ones
  };

  void look_from_body(Index t, const Triangle& triangle) {
    const convex::TriangleBody triangle_body(triangle[0], triangle[1], triangle[2]);
    const convex::Body body = triangle_body.body();
    const convex::Body& shape = at_rest_.body();
    const convex::Pair pair{body, shape, place_, convex::placed_error(shape, place_)};
    convex::SeparationOptions within;
    // Includes the rounding of the shift to the origin.
    within.stop_above = margin_ + radius_ + 0x1p-50 * at_rest_.reach();
    const convex::Separation s = convex::separation(pair, within);
    add_supports(result_.stats, s.supports);
    if (s.lower > within.stop_above) return;
    Facing f{s.direction, s.point_a, s.point_b};
    const bool overlaps = !(s.lower > 0);
    if (overlaps) {
      const convex::Penetration p = convex::penetration(pair, {1e-9, 0});
      add_supports(result_.stats, p.supports);
      f = {p.direction, p.point_a, p.point_b};
    }
    take_nearest(told(t, triangle, f.point_b, f.point_a, -f.direction));
    const Vec3 normal = certain_normal(triangle, body.reach);
    const double along = normal.dot(f.direction);
    const bool over_face = !normal.isZero(0) && normal.cross(f.direction).norm() <= kLeanOfRounding;
    if (over_face) {
      f.direction = along < 0 ? Vec3(-normal) : normal;
    } else if (!surface_.feature_at(t, triangle, f.point_a, f.direction)) {
      if (!overlaps || normal.isZero(0)) return;
      f = along_normal(triangle, normal);
    }
    add_common(t, triangle, body, f);
  }

  /// The normal, or zero if rounding may turn it by more than `kLeanOfRounding`: then the triangle
  /// is a sliver and counts as a segment.
  static Vec3 certain_normal(const Triangle& triangle, double reach) {
    const Vec3 u = triangle[1] - triangle[0], v = triangle[2] - triangle[0], n = u.cross(v);
    // Rounding of the coordinates, each by 2^-53 of the reach, turns it by less than that share.
    const double rounding = 0x1p-49 * reach * (u.norm() + v.norm());
    return n.norm() * kLeanOfRounding > rounding ? math::unit_or_zero(n) : Vec3(Vec3::Zero());
  }

  /// The side of the triangle's plane to which the shape has to move less.
  Facing along_normal(const Triangle& triangle, const Vec3& normal) const {
    Facing best{normal, triangle[0], triangle[0], false};
    double least = kInfinity;
    for (const Vec3& n : {normal, Vec3(-normal)}) {
      const Vec3 lowest =
          place_ * convex::supporting(at_rest_.body(), place_.turned_back(-n)).point -
          at_rest_.body().radius * n;
      const double depth = n.dot(triangle[0] - lowest);
      if (!(depth < least)) continue;
      least = depth;
      best = {n, lowest + depth * n, lowest, false};
    }
    return best;
  }

  /// Adds the corners of the intersection of triangle and shape in projection along the direction.
  void add_common(Index t, const Triangle& triangle, const convex::Body& body, const Facing& f) {
    const Vec3& n = f.direction;
    const std::vector<Vec3> part_a = convex::farthest_part(body, n);
    std::vector<Vec3> part_b = convex::farthest_part(at_rest_.body(), place_.turned_back(-n));
    for (Vec3& p : part_b) p = place_ * p;
    std::ranges::reverse(part_b);  // its order is reversed when seen from the other side
    const double radius = at_rest_.body().radius;
    const std::vector<convex::Overlap> common = convex::overlap(part_a, part_b, n);
    const auto are_one = [&](const Vec3& p, const Vec3& q) {
      const Vec3 way = p - q;
      return (way - n.dot(way) * n).norm() <= one_;
    };
    for (const convex::Overlap& o : common) {
      const bool corner =
          std::ranges::any_of(part_b, [&](const Vec3& p) { return are_one(p, o.on_b); });
      if (!corner && !surface_.is_on_sharp_border(t, triangle, o.on_a)) continue;
      // A single point is known more precisely than an overlap across a direction, which for round
      // shapes is known only to 1e-5.
      const bool known = common.size() == 1 && f.nearest && are_one(f.point_a, f.point_b);
      const Found found = told(t, triangle, known ? f.point_b : Vec3(o.on_b - radius * n),
                               known ? f.point_a : o.on_a, -n);
      take_nearest(found);
      found_.push_back(found);
    }
  }

  // ---- all ----

  /// Sorts contacts by triangle and removes duplicates. The nearest pair is reported in any case.
  void put_in_order() {
    if (nearest_.contact.distance < kInfinity) {
      if (std::ranges::none_of(found_, [&](const Found& f) {
            return f.contact.distance <= nearest_.contact.distance + one_;
          }))
        found_.push_back(nearest_);
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& x, const Found& y) { return x.triangle < y.triangle; });
    std::vector<const Found*> shared;
    double least = kInfinity;
    for (const Found& f : found_) {
      const auto same = [&](const Found* g) {
        return (f.contact.point_a - g->contact.point_a).norm() <= one_ &&
               (f.contact.point_b - g->contact.point_b).norm() <= one_;
      };
      if (f.on_border && std::ranges::any_of(shared, same)) continue;
      if (f.on_border) shared.push_back(&f);
      if (f.contact.distance < least) least = f.contact.distance, result_.normal = f.contact.normal;
      result_.contacts.push_back(f.contact);
    }
  }

  void place(const Pose& pose) {
    result_.normal = pose.rotate(result_.normal);
    for (ShapeContact& c : result_.contacts) {
      c.point_a = pose * (c.point_a + origin_), c.point_b = pose * (c.point_b + origin_);
      c.normal = pose.rotate(c.normal);
    }
  }

  const ShapeAtRest at_rest_;
  const Object& object_;
  const SoupSurface surface_;
  const double radius_, margin_;
  const Budget& budget_;
  const std::size_t max_contacts_;
  Vec3 origin_ = Vec3::Zero();    // in the object's frame
  convex::RigidTransform place_;  // pose of the shape's body relative to that origin
  double one_ = 0;                // points nearer to each other than this are merged
  std::vector<Found> found_;
  Found nearest_{ShapeContact{.distance = kInfinity}, kNone, false};
  ShapeContactsResult result_;
};

}  // namespace

ShapeContactsResult shape_soup_contacts(const Shape& shape, const Pose& pose, const Shape& soup,
                                        const Pose& soup_pose, double margin, Search search) {
  const Budget all;
  return SoupContacts(shape, pose, soup, soup_pose, margin, all,
                      std::numeric_limits<std::size_t>::max())
      .find(search, soup_pose);
}

ShapeContactsResult some_shape_soup_contacts(const Shape& shape, const Pose& pose,
                                             const Shape& soup, const Pose& soup_pose,
                                             std::size_t max_contacts, const Budget& budget) {
  return SoupContacts(shape, pose, soup, soup_pose, 0, budget, max_contacts)
      .find(Search::hierarchy, soup_pose);
}

ShapeContactsResult shape_soup_pair::contacts(const Placed& a, const Placed& b, double margin) {
  return shape_soup_contacts(a.shape, a.pose, b.shape, b.pose, margin);
}

}  // namespace touche::shape

namespace touche {

ShapeContactsResult brute_force::contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                          const Pose& pose_b, double margin) {
  if (a.is_convex() == b.is_convex()) return touche::contacts(a, pose_a, b, pose_b, margin);
  if (!a.is_convex()) return shape::turned(brute_force::contacts(b, pose_b, a, pose_a, margin));
  if (!(margin >= 0)) throw InvalidInput("contacts: the margin must not be negative");
  return shape::shape_soup_contacts(a, pose_a, b, pose_b, margin, shape::Search::all);
}

}  // namespace touche
