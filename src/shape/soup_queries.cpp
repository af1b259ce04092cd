// SPDX-License-Identifier: Apache-2.0
// Queries of a convex shape and the faces of a soup. Nodes are excluded by the shape's extents
// along the axes of each node's frame, and along the direction in which the shape was last found to
// be apart; the remaining pairs consist of a triangle and a convex body.
#include "shape/soup_queries.h"

#include <cmath>
#include <limits>

#include "convex/exact_meet.h"
#include "geometry/expansion.h"
#include "query/distance_options.h"
#include "shape/pairs.h"
#include "shape/soup_search.h"
#include "touche/reference.h"

namespace touche::shape {

// ---- a triangle --------------------------------------------------------------------------------

ShapeAtRest::ShapeAtRest(const Shape& shape, const Pose& pose, double more, const Pose& object_pose)
    : half_space_(shape.kind() == ShapeKind::half_space),
      polytope_(shape.is_polytope() && more == 0),
      in_object_(object_pose, pose) {
  if (!shape.is_convex())
    throw InvalidInput("a soup and its faces: a convex shape is needed, not another soup");
  if (half_space_) {
    const HalfSpace& half_space = base::data_of(shape).half_space;
    normal_ = in_object_.rotation * half_space.normal;
    offset_ = half_space.offset + normal_.dot(in_object_.translation) + more;
    return;
  }
  body_ = body_of(shape);
  body_.radius += more;
  error_b_ = polytope_ ? convex::corners_error(body_, in_object_)
                       : convex::placed_error(body_, in_object_);
  seen_ = body_;
  seen_place_ = in_object_;
  if (!convex::has_few_corners(body_)) return;
  // `error_b_` includes the rounding of placed corners, see corners_error.
  convex::polytope_pair_kernels().place(body_, in_object_, placed_);
  seen_.x = placed_.x, seen_.y = placed_.y, seen_.z = placed_.z;
  seen_.centre = in_object_ * body_.centre;
  seen_.reach = math::kRoundUp * (body_.reach + in_object_.translation.norm());
  seen_place_ = {};
  in_place_ = true;
}

// Exact sign of the sum of three products and one number.
int ShapeAtRest::side_of(const Vec3& p) const {
  const double value = normal_.dot(p) - offset_;
  const double size = normal_.cwiseAbs().dot(p.cwiseAbs()) + std::abs(offset_);
  if (std::abs(value) > 8 * math::kUnitRoundoff * size + math::kUnderflow)
    return value > 0 ? 1 : -1;
  geometry::exact::Expansion<7> sum;
  for (int k = 0; k < 3; ++k) {
    const geometry::exact::TwoTerms product = geometry::exact::two_product(normal_[k], p[k]);
    geometry::exact::grow(sum, product.low);
    geometry::exact::grow(sum, product.high);
  }
  geometry::exact::grow(sum, -offset_);
  return sum.sign();
}

convex::Separation ShapeAtRest::half_space_separation(const Triangle& triangle) const {
  convex::Separation s;
  s.direction = -normal_;
  double least = kInfinity, size = std::abs(offset_);
  bool touches = false;
  for (const Vec3& p : triangle) {
    const double value = normal_.dot(p) - offset_;
    size = std::max(size, p.lpNorm<1>());
    touches = touches || side_of(p) <= 0;
    if (value < least) {
      least = value;
      s.point_a = p;
    }
  }
  const double error = 32 * math::kUnitRoundoff * size;
  s.lower = touches ? std::min(least - error, 0.0)
                    : std::max(least - error, std::numeric_limits<double>::min());
  s.upper = touches ? std::min(least + error, 0.0) : std::max(least, 0.0) + error;
  s.point_b = s.point_a - std::max(least, 0.0) * normal_;
  s.converged = true;
  return s;
}

convex::Separation ShapeAtRest::separation(const Triangle& triangle,
                                           const convex::SeparationOptions& options) const {
  if (half_space_) return half_space_separation(triangle);
  const convex::TriangleBody body(triangle[0], triangle[1], triangle[2]);
  return convex::separation(pair_with(body.body()), options);
}

ShapeAtRest::Meets ShapeAtRest::meets(const Triangle& triangle, Vec3& towards,
                                      QueryStats& stats) const {
  if (half_space_) return half_space_separation(triangle).lower > 0 ? Meets::no : Meets::yes;
  const convex::TriangleBody triangle_body(triangle[0], triangle[1], triangle[2]);
  const convex::Body a = triangle_body.body();
  convex::SeparationOptions options;
  options.goal = convex::Goal::decide;
  options.stop_above = 0;
  options.guess = towards;
  convex::Simplex simplex;
  const convex::Separation s = convex::separation(pair_with(a), options, simplex);
  if (s.lower > 0) {
    towards = s.direction;
    return Meets::no;
  }
  if (s.upper <= 0) return Meets::yes;
  if (!polytope_) return Meets::unknown;
  ++stats.exact_tests;
  return convex::exactly_meet(a, seen_, seen_place_, simplex) ? Meets::yes : Meets::no;
}

// ---- all triangles -----------------------------------------------------------------------------

namespace {

/// Calls visit(number, triangle) for triangles that may be at most limit() away, until it returns
/// false or the budget ends. Returns a lower bound of the distance of the triangles that were not
/// visited.
template <class Limit, class Visit>
double for_near(SoupSearch& search, const Limit& limit, const Visit& visit) {
  search.run(limit, visit);
  return search.least_left();
}

/// The same for all triangles.
struct AllTriangles {
  const Object& object;
  base::BudgetMeter& meter;
  QueryStats& stats;

  void look_along(const Vec3&) {}
};
template <class Limit, class Visit>
double for_near(AllTriangles& all, const Limit&, const Visit& visit) {
  all.stats.brute_force = 1;
  for (Index t = 0; t < all.object.soup().triangle_count(); ++t) {
    if (!all.meter.spend()) return 0;
    ++all.stats.primitive_tests;
    if (!visit(t, query::triangle_of(all.object.soup(), t))) return 0;
  }
  return kInfinity;
}

/// Calls `ask(triangles)` with a search by hierarchy or with all triangles.
template <class Ask>
void with_triangles(Search search, const ShapeAtRest& shape, const Object& object,
                    base::BudgetMeter& meter, QueryStats& stats, const Ask& ask) {
  if (search == Search::all) {
    AllTriangles all{object, meter, stats};
    ask(all);
  } else {
    SoupSearch found(shape, object, meter, stats);
    ask(found);
  }
}

constexpr auto kTouching = [] { return 0.0; };

/// Sorts the numbers of faces, each once.
void sort_faces(std::vector<Index>& faces) {
  std::sort(faces.begin(), faces.end());
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
}

/// The faces of the object that meet a soup.
ShapeFacesResult faces_at_soup(const Shape& soup, const Pose& pose, const Object& object,
                               const Pose& object_pose, const Budget& budget, Search search) {
  if (soup.radius() > 0)
    throw InvalidInput("faces at a rounded soup: use near_faces with its object");
  const FacePairsResult met =
      search == Search::all
          ? brute_force::intersecting_faces(soup.object(), pose, object, object_pose, budget)
          : touche::intersecting_faces(soup.object(), pose, object, object_pose, budget);
  ShapeFacesResult result;
  for (const FacePair& pair : met.pairs) result.faces.push_back(pair.b);
  sort_faces(result.faces);
  result.complete = met.complete;
  result.stats = met.stats;
  return result;
}

ShapeFacesResult find_faces(const Shape& shape, const Pose& pose, const Object& object,
                            const Pose& object_pose, const Budget& budget, Search search) {
  if (!shape.is_convex()) return faces_at_soup(shape, pose, object, object_pose, budget, search);
  const ShapeAtRest at_rest(shape, pose, 0, object_pose);
  base::BudgetMeter meter(budget);
  ShapeFacesResult result;
  Vec3 towards = Vec3::Zero();
  with_triangles(search, at_rest, object, meter, result.stats, [&](auto& triangles) {
    for_near(triangles, kTouching, [&](Index t, const Triangle& triangle) {
      switch (at_rest.meets(triangle, towards, result.stats)) {
        case ShapeAtRest::Meets::no:
          triangles.look_along(-towards);
          break;
        case ShapeAtRest::Meets::yes:
          result.faces.push_back(object.soup().face_of_triangle(t));
          break;
        case ShapeAtRest::Meets::unknown:
          result.undecided.push_back(object.soup().face_of_triangle(t));
          break;
      }
      return true;
    });
  });
  result.complete = !meter.exhausted();
  sort_faces(result.faces);
  sort_faces(result.undecided);
  std::erase_if(result.undecided, [&](Index face) {
    return std::binary_search(result.faces.begin(), result.faces.end(), face);
  });
  return result;
}

double farthest_corner(const Aabb& box) {
  return box.lo.cwiseAbs().cwiseMax(box.hi.cwiseAbs()).norm();
}

Contact contact_of(const convex::Separation& s, const Object& object, Index triangle,
                   const Pose& object_pose) {
  Contact contact;
  contact.face_b = object.soup().face_of_triangle(triangle);
  contact.feature_b = {FeatureKind::face, contact.face_b};
  contact.point_a = object_pose * s.point_b;
  contact.point_b = object_pose * s.point_a;
  contact.normal = object_pose.rotate(-s.direction);
  contact.distance = std::max(s.upper, 0.0);
  return contact;
}

/// The shape was enlarged by the soup's rounding radius. If they are apart, the points are moved by
/// that radius towards the shape. If they overlap, both points become the point of the shape
/// without that radius that is nearest to the triangle.
void give_back_radius(double radius, const ShapeAtRest& shape, const Object& object, Index triangle,
                      const Pose& object_pose, Contact& contact) {
  if (contact.distance > 0) {
    contact.point_a -= radius * contact.normal;
    contact.point_b -= radius * contact.normal;
    return;
  }
  const convex::Separation s = shape.separation(query::triangle_of(object.soup(), triangle), {});
  contact.point_a = contact.point_b = object_pose * s.point_b;
}

}  // namespace

IntersectsResult shape_meets_soup(const Shape& shape, const Pose& pose, double more,
                                  const Object& object, const Pose& object_pose,
                                  const Budget& budget, Search search) {
  const ShapeAtRest at_rest(shape, pose, more, object_pose);
  base::BudgetMeter meter(budget);
  IntersectsResult result;
  bool unknown = false;
  Vec3 towards = Vec3::Zero();
  with_triangles(search, at_rest, object, meter, result.stats, [&](auto& triangles) {
    for_near(triangles, kTouching, [&](Index t, const Triangle& triangle) {
      const ShapeAtRest::Meets meets = at_rest.meets(triangle, towards, result.stats);
      if (meets == ShapeAtRest::Meets::no) {
        triangles.look_along(-towards);
        return true;
      }
      result.face_b = object.soup().face_of_triangle(t);
      result.intersects = meets == ShapeAtRest::Meets::yes;
      unknown = unknown || !result.intersects;
      return !result.intersects;
    });
  });
  result.complete = result.intersects || (!unknown && !meter.exhausted());
  return result;
}

// `lower` is the least proved distance of the tested triangles, limited by the bound of the
// triangles that were excluded as farther away.
DistanceResult shape_soup_distance(const Shape& shape, const Pose& pose, double more,
                                   const Object& object, const Pose& object_pose,
                                   const DistanceOptions& options, Search search) {
  query::check(options);
  const ShapeAtRest at_rest(shape, pose, more, object_pose);
  base::BudgetMeter meter(options.budget);
  DistanceResult result;
  double least = kInfinity;
  convex::SeparationOptions looking;
  looking.relative_error = 0.5 * options.relative_error;
  looking.absolute_error = 0.5 * options.absolute_error;
  const auto limit = [&] {
    return std::min(options.max_distance, query::worth_finding(options, result.distance.upper));
  };
  convex::Separation best;
  Index nearest = kNone;
  with_triangles(search, at_rest, object, meter, result.stats, [&](auto& triangles) {
    const double left = for_near(triangles, limit, [&](Index t, const Triangle& triangle) {
      looking.stop_above = search == Search::all ? kInfinity : limit();
      const convex::Separation s = at_rest.separation(triangle, looking);
      looking.guess = s.direction;
      least = std::min(least, s.lower);
      const double upper = std::max(s.upper, 0.0);
      if (upper < result.distance.upper && s.lower <= options.max_distance) {
        result.distance.upper = upper;
        best = s;
        nearest = t;
        triangles.look_along(-s.direction);
      }
      // If the shapes have common points, nothing can be nearer.
      return result.distance.upper > options.stop_below;
    });
    least = std::min(least, left);
  });
  if (nearest != kNone) {
    result.closest = contact_of(best, object, nearest, object_pose);
    if (more > 0)
      give_back_radius(more, ShapeAtRest(shape, pose, 0, object_pose), object, nearest, object_pose,
                       *result.closest);
  }
  if (nearest == kNone) least = std::min(least, options.max_distance);
  if (result.distance.upper <= options.stop_below) least = 0;  // nearer triangles were not excluded
  result.distance.lower = std::max(0.0, std::min({least, limit(), result.distance.upper}));
  // Do not count rounding, which may leave this much between a triangle and the shape.
  const double rounding =
      convex::kSeparationError * (at_rest.reach() + farthest_corner(object.bounds()));
  result.complete = !meter.exhausted() && (result.distance.upper <= options.stop_below ||
                                           limit() - result.distance.lower <= rounding);
  return result;
}

IntersectsResult shape_soup_pair::intersects(const Placed& a, const Placed& b, const Budget& budget,
                                             Workspace* /*none is needed*/) {
  return shape_meets_soup(a.shape, a.pose, b.shape.radius(), b.shape.object(), b.pose, budget);
}

DistanceResult shape_soup_pair::distance(const Placed& a, const Placed& b,
                                         const DistanceOptions& options) {
  return shape_soup_distance(a.shape, a.pose, b.shape.radius(), b.shape.object(), b.pose, options);
}

void exchange(std::optional<Contact>& contact) {
  if (!contact) return;
  std::swap(contact->face_a, contact->face_b);
  std::swap(contact->feature_a, contact->feature_b);
  std::swap(contact->point_a, contact->point_b);
  contact->normal = -contact->normal;
}

}  // namespace touche::shape

namespace touche {

ShapeFacesResult intersecting_faces(const Shape& shape, const Pose& pose, const Object& object,
                                    const Pose& object_pose, const Budget& budget) {
  return shape::find_faces(shape, pose, object, object_pose, budget, shape::Search::hierarchy);
}
ShapeFacesResult intersecting_faces(const Object& object, const Pose& object_pose,
                                    const Shape& shape, const Pose& pose, const Budget& budget) {
  return shape::find_faces(shape, pose, object, object_pose, budget, shape::Search::hierarchy);
}

namespace brute_force {

ShapeFacesResult intersecting_faces(const Shape& shape, const Pose& pose, const Object& object,
                                    const Pose& object_pose, const Budget& budget) {
  return shape::find_faces(shape, pose, object, object_pose, budget, shape::Search::all);
}
ShapeFacesResult intersecting_faces(const Object& object, const Pose& object_pose,
                                    const Shape& shape, const Pose& pose, const Budget& budget) {
  return shape::find_faces(shape, pose, object, object_pose, budget, shape::Search::all);
}

IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget) {
  if (a.is_convex() == b.is_convex()) return touche::intersects(a, pose_a, b, pose_b, budget);
  if (a.is_convex())
    return shape::shape_meets_soup(a, pose_a, b.radius(), b.object(), pose_b, budget,
                                   shape::Search::all);
  IntersectsResult result = brute_force::intersects(b, pose_b, a, pose_a, budget);
  std::swap(result.face_a, result.face_b);
  return result;
}

DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  if (a.is_convex() == b.is_convex()) return touche::distance(a, pose_a, b, pose_b, options);
  if (a.is_convex())
    return shape::shape_soup_distance(a, pose_a, b.radius(), b.object(), pose_b, options,
                                      shape::Search::all);
  DistanceResult result = brute_force::distance(b, pose_b, a, pose_a, options);
  shape::exchange(result.closest);
  return result;
}

}  // namespace brute_force

}  // namespace touche
