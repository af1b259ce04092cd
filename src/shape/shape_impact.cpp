// SPDX-License-Identifier: Apache-2.0
// Certified time of impact of two shapes.
#include <algorithm>
#include <utility>
#include <vector>

#include "geometry/face_triangles.h"
#include "query/part_options.h"
#include "query/relative.h"
#include "shape/impact.h"
#include "shape/pairs.h"
#include "shape/soup_impact.h"
#include "shape/soup_search.h"
#include "touche/reference.h"

namespace touche::shape {

namespace {

bool is_soup(const Shape& shape) { return !shape.is_convex(); }

/// Follows two movers until `last` in steps, each proved along one axis. Fills in the result.
void follow(const Mover& a, const Motion& motion_a, const Mover& b, const Motion& motion_b,
            const ToiOptions& options, const ToiLengths& lengths, double last,
            base::BudgetMeter& meter, ToiResult& result) {
  PiecePairs pieces(motion_a, motion_b);
  Vec3 guess = Vec3::Zero();
  double t = options.t_start;
  const auto undecided = [&] {
    result.status = ToiStatus::undecided;
    result.time.lower = t;
  };
  do {
    const double end = std::min(pieces.end(), last);
    if (!(t < end)) continue;
    const MovingPair pair(a, pieces.a(), b, pieces.b());
    const Instant last_instant = pair.at(end);
    ++result.stats.time_splits;
    while (t < end) {
      if (!meter.spend()) return undecided();
      ++result.stats.primitive_tests;
      const Instant at = pair.at(t);
      PairStep step = step_pair(pair, at, lengths, last_instant, guess);
      if (step.end == PairStep::End::touching && options.may_separate && t == options.t_start) {
        const double apart = time_to_separate(motion_a, a, motion_b, b, t, lengths);
        if (apart <= 1) {
          result.separated_at = apart;
          step.end = PairStep::End::open;
          step.until = apart;
        }
      }
      if (step.end == PairStep::End::touching) return report_contact(at, step.separation, result);
      if (step.end == PairStep::End::unknown) return undecided();
      t = step.until;
    }
  } while (pieces.next() && pieces.begin() < last);
  result.status = ToiStatus::free;
  result.time.lower = 1;
}

/// Makes one body of all corners of an object's triangles; a moving plane first meets one of these.
/// `memory` must outlive the body.
convex::Body corners_body(const PolygonSoup& soup, double radius,
                          std::array<std::vector<double>, 3>& memory) {
  const std::size_t count = 3 * soup.triangle_count();
  for (std::vector<double>& c : memory) c.clear(), c.reserve(count + convex::kBlock);
  Vec3 last = Vec3::Zero();
  double reach = 0;
  const auto add = [&](const Vec3& x) {
    for (int k = 0; k < 3; ++k) memory[static_cast<std::size_t>(k)].push_back(x[k]);
    reach = std::max(reach, x.norm());
    last = x;
  };
  for (Index t = 0; t < soup.triangle_count(); ++t)
    for (const Vec3& x : query::triangle_of(soup, t)) add(x);
  while (memory[0].size() % convex::kBlock != 0) add(last);
  convex::Body body;
  body.corners = count;
  body.padded = memory[0].size();
  body.x = memory[0].data();
  body.y = memory[1].data();
  body.z = memory[2].data();
  body.centre = soup.bounds().centre();
  body.reach = math::kRoundUp * reach;
  body.radius = radius;
  return body;
}

/// The face nearest to the contact's plane: the first face with the lowest corner.
Index lowest_face(const Object& object, const Pose& pose, const Contact& contact) {
  const Vec3 n = pose.inverse().rotate(contact.normal);
  Index lowest = 0;
  double least = kInfinity;
  for (Index t = 0; t < object.soup().triangle_count(); ++t)
    for (const Vec3& x : query::triangle_of(object.soup(), t))
      if (n.dot(x) < least) {
        least = n.dot(x);
        lowest = t;
      }
  return object.soup().face_of_triangle(lowest);
}

ToiResult half_space_soup(const Shape& plane, const Motion& motion, double more,
                          const Object& object, const Motion& object_motion,
                          const ToiOptions& options, base::BudgetMeter& meter) {
  ToiLengths lengths(options);
  const ShapeMemoryUse memory(options.workspace);
  const convex::Body body = corners_body(object.soup(), more, (*memory).coordinates);
  const Mover a(plane), b(body);
  lengths.allow_for_rounding(motion, a, object_motion, b);
  ToiResult result;
  result.tolerance = lengths.tolerance;
  follow(a, motion, b, object_motion, options, lengths, 1, meter, result);
  if (!result.contact) return result;
  result.contact->face_b =
      lowest_face(object, object_motion.pose(result.time.upper), *result.contact);
  result.contact->feature_b = {FeatureKind::face, result.contact->face_b};
  return result;
}

/// Tests every triangle by itself, each until the first contact found so far.
void all_faces(const Mover& a, const Motion& motion_a, const Object& object, const Motion& motion_b,
               const ToiOptions& options, const ToiLengths& lengths, base::BudgetMeter& meter,
               ToiResult& result) {
  ToiResult first;
  first.tolerance = result.tolerance;
  first.stats.brute_force = 1;
  first.status = ToiStatus::free;
  first.time.lower = 1;
  double last = 1, separated_at = 0;
  for (Index t = 0; t < object.soup().triangle_count(); ++t) {
    const Triangle corners = query::triangle_of(object.soup(), t);
    const convex::TriangleBody triangle(corners[0], corners[1], corners[2]);
    const convex::Body body = triangle.body();
    const Mover b(body);
    ToiResult one;
    follow(a, motion_a, b, motion_b, options, lengths, last, meter, one);
    first.stats += one.stats;
    separated_at = std::max(separated_at, one.separated_at);
    if (one.status == ToiStatus::undecided) {
      first.status = ToiStatus::undecided;
      first.time = {meter.exhausted() ? options.t_start : one.time.lower, kInfinity};
      first.contact.reset();
      if (meter.exhausted()) break;
      last = one.time.lower;
    } else if (one.status != ToiStatus::free) {
      one.contact->face_b = object.soup().face_of_triangle(t);
      one.contact->feature_b = {FeatureKind::face, one.contact->face_b};
      first.status = one.status;
      first.time = one.time;
      first.contact = one.contact;
      last = one.time.upper;
    }
    if (!(last > options.t_start)) break;
  }
  first.separated_at = last > options.t_start ? separated_at : 0;
  result = first;
}

/// The contact was found with the soup's radius added to the shape's. The nearest points of the
/// face and the shape without that radius show where the rounded surface is; if these meet, both
/// points are the same.
void tell_rounded_contact(double more, const Shape& shape, const Pose& pose, const Object& object,
                          const Pose& object_pose, Contact& contact) {
  const ShapeAtRest at_rest(shape, pose, 0, object_pose);
  double least = kInfinity;
  const auto [first, last] = geometry::face_triangles(object.soup(), contact.face_b);
  for (Index t = first; t < last; ++t) {
    const convex::Separation s = at_rest.separation(query::triangle_of(object.soup(), t), {});
    if (!(s.upper < least)) continue;
    least = s.upper;
    contact.point_a = object_pose * s.point_b;
    contact.point_b = object_pose * s.point_a;
  }
  if (least > 0) {
    contact.normal = (contact.point_b - contact.point_a).normalized();
    contact.point_b -= more * contact.normal;
  }
}

ToiResult convex_soup(const Shape& shape, const Motion& motion, double more, const Object& object,
                      const Motion& object_motion, const ToiOptions& options,
                      base::BudgetMeter& meter, Search search) {
  ToiLengths lengths(options);
  convex::Body body = body_of(shape);
  body.radius += more;
  const Mover a(body);
  const BoxBody box(object.bounds());
  const convex::Body box_body = box.body();
  lengths.allow_for_rounding(motion, a, object_motion, Mover(box_body));
  ToiResult result;
  result.tolerance = lengths.tolerance;
  if (search == Search::all) {
    all_faces(a, motion, object, object_motion, options, lengths, meter, result);
  } else {
    const ShapeMemoryUse memory(options.workspace);
    SoupImpact(a, motion, object, object_motion, options, lengths, *memory, meter, result).run();
  }
  if (more > 0 && result.contact)
    tell_rounded_contact(more, shape, motion.pose(result.time.upper), object,
                         object_motion.pose(result.time.upper), *result.contact);
  return result;
}

ToiResult two_convex(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                     const ToiOptions& options, base::BudgetMeter& meter) {
  check_time_of_impact(a, b);
  ToiLengths lengths(options);
  const Mover mover_a(a), mover_b(b);
  lengths.allow_for_rounding(motion_a, mover_a, motion_b, mover_b);
  ToiResult result;
  result.tolerance = lengths.tolerance;
  follow(mover_a, motion_a, mover_b, motion_b, options, lengths, 1, meter, result);
  return result;
}

/// Rounded soups touch when the distance of their surfaces is the sum of their radii.
ToiResult two_soups(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                    const ToiOptions& options, base::BudgetMeter& meter, Search search) {
  (void)ToiLengths(options);  // checks the clearance before the radii are added
  ToiOptions rounded = query::with_budget(options, meter.rest());
  rounded.clearance += a.radius() + b.radius();
  ToiResult result =
      search == Search::all
          ? brute_force::time_of_impact(a.object(), motion_a, b.object(), motion_b, rounded)
          : time_of_impact(a.object(), motion_a, b.object(), motion_b, rounded);
  (void)meter.spend(result.stats.work());
  const double radii = a.radius() + b.radius();
  if (radii > 0 && result.contact) {
    Contact& c = *result.contact;
    if (c.distance > 0) {  // faces that intersect have no normal between them
      c.point_a += a.radius() * c.normal;
      c.point_b -= b.radius() * c.normal;
    }
    c.distance = std::max(0.0, c.distance - radii);
  }
  return result;
}

}  // namespace

ToiResult shape_soup_impact(const Shape& shape, const Motion& motion, double more,
                            const Object& object, const Motion& object_motion,
                            const ToiOptions& options, base::BudgetMeter& meter, Search search) {
  return shape.kind() == ShapeKind::half_space
             ? half_space_soup(shape, motion, more, object, object_motion, options, meter)
             : convex_soup(shape, motion, more, object, object_motion, options, meter, search);
}

ToiResult shape_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                       const Motion& motion_b, const ToiOptions& options, base::BudgetMeter& meter,
                       Search search) {
  if (is_soup(a) && is_soup(b)) return two_soups(a, motion_a, b, motion_b, options, meter, search);
  if (is_soup(a)) {
    ToiResult result = shape_impact(b, motion_b, a, motion_a, options, meter, search);
    exchange(result.contact);
    return result;
  }
  if (is_soup(b))
    return shape_soup_impact(a, motion_a, b.radius(), b.object(), motion_b, options, meter, search);
  return two_convex(a, motion_a, b, motion_b, options, meter);
}

}  // namespace touche::shape

namespace touche {

ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options) {
  if (shape::is_plain_soup(a) && shape::is_plain_soup(b))
    return time_of_impact(a.object(), motion_a, b.object(), motion_b, options);
  base::BudgetMeter meter(options.budget);
  return shape::shape_impact(a, motion_a, b, motion_b, options, meter);
}

ToiResult brute_force::time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                      const Motion& motion_b, const ToiOptions& options) {
  base::BudgetMeter meter(options.budget);
  return shape::shape_impact(a, motion_a, b, motion_b, options, meter, shape::Search::all);
}

}  // namespace touche
