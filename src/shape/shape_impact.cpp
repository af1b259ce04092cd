// SPDX-License-Identifier: Apache-2.0
// Certified time of impact of two shapes.
#include <algorithm>
#include <utility>
#include <vector>

#include "query/relative.h"
#include "shape/soup_impact.h"
#include "shape/soup_queries.h"
#include "touche/shape_motion.h"

namespace touche {
namespace {

bool is_soup(const Shape& shape) { return !shape.is_convex(); }

/// Two movers followed until `last`: by steps, each proved by one axis. Fills in the result.
void follow(const Mover& a, const Motion& motion_a, const Mover& b, const Motion& motion_b,
            const ToiOptions& options, const ToiLengths& lengths, double last, BudgetMeter& meter,
            ToiResult& result) {
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
    ++result.stats.time_splits;
    while (t < end) {
      if (!meter.spend()) return undecided();
      ++result.stats.primitive_tests;
      const Instant at = pair.at(t);
      PairStep step = step_pair(pair, at, lengths, end, guess);
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

/// All corners of an object's triangles as one body: what a plane that moves meets first.
class CornersBody {
 public:
  explicit CornersBody(const PolygonSoup& soup) {
    const std::size_t count = 3 * soup.triangle_count();
    for (std::vector<double>& c : coordinates_) c.reserve(count + convex::kBlock);
    Vec3 last = Vec3::Zero();
    double reach = 0;
    const auto add = [&](const Vec3& x) {
      for (int k = 0; k < 3; ++k) coordinates_[static_cast<std::size_t>(k)].push_back(x[k]);
      reach = std::max(reach, x.norm());
      last = x;
    };
    for (Index t = 0; t < soup.triangle_count(); ++t)
      for (const Vec3& x : triangle_of(soup, t)) add(x);
    body_.corners = count;
    while (coordinates_[0].size() % convex::kBlock != 0) add(last);
    body_.padded = coordinates_[0].size();
    body_.x = coordinates_[0].data();
    body_.y = coordinates_[1].data();
    body_.z = coordinates_[2].data();
    body_.centre = soup.bounds().centre();
    body_.reach = kRoundUp * reach;
  }
  CornersBody(const CornersBody&) = delete;
  CornersBody& operator=(const CornersBody&) = delete;

  convex::Body body(double radius) const {
    convex::Body body = body_;
    body.radius = radius;
    return body;
  }

 private:
  std::vector<double> coordinates_[3];
  convex::Body body_;
};

/// The face nearest to the contact's plane: the first of those with its lowest corner.
Index lowest_face(const Object& object, const Pose& pose, const Contact& contact) {
  const Vec3 n = pose.inverse().rotate(contact.normal);
  Index lowest = 0;
  double least = kInfinity;
  for (Index t = 0; t < object.soup().triangle_count(); ++t)
    for (const Vec3& x : triangle_of(object.soup(), t))
      if (n.dot(x) < least) {
        least = n.dot(x);
        lowest = t;
      }
  return object.soup().face_of_triangle(lowest);
}

void half_space_soup(const Shape& plane, const Motion& motion, const Shape& soup,
                     const Motion& soup_motion, const ToiOptions& options, ToiLengths lengths,
                     ToiResult& result) {
  const CornersBody corners(soup.object().soup());
  const convex::Body body = corners.body(soup.radius());
  const Mover a(plane), b(body);
  lengths.allow_for_rounding(motion, a, soup_motion, b);
  result.tolerance = lengths.tolerance;
  BudgetMeter meter(options.budget);
  follow(a, motion, b, soup_motion, options, lengths, 1, meter, result);
  if (!result.contact) return;
  result.contact->face_b =
      lowest_face(soup.object(), soup_motion.pose(result.time.upper), *result.contact);
  result.contact->feature_b = {FeatureKind::face, result.contact->face_b};
}

/// Every triangle by itself, each until the first contact of those before it.
void all_faces(const Mover& a, const Motion& motion_a, const Object& object, const Motion& motion_b,
               const ToiOptions& options, const ToiLengths& lengths, BudgetMeter& meter,
               ToiResult& result) {
  ToiResult first;
  first.tolerance = result.tolerance;
  first.stats.brute_force = 1;
  first.status = ToiStatus::free;
  first.time.lower = 1;
  double last = 1, separated_at = 0;
  for (Index t = 0; t < object.soup().triangle_count(); ++t) {
    const Triangle corners = triangle_of(object.soup(), t);
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

void convex_soup(const Shape& shape, const Motion& motion, const Shape& soup,
                 const Motion& soup_motion, const ToiOptions& options, ToiLengths lengths,
                 Search search, ToiResult& result) {
  convex::Body body = body_of(shape);
  body.radius += soup.radius();
  const Mover a(body);
  const Object& object = soup.object();
  const BoxBody box(object.bounds());
  const convex::Body box_body = box.body();
  lengths.allow_for_rounding(motion, a, soup_motion, Mover(box_body));
  result.tolerance = lengths.tolerance;
  BudgetMeter meter(options.budget);
  if (search == Search::all)
    all_faces(a, motion, object, soup_motion, options, lengths, meter, result);
  else
    SoupImpact(a, motion, object, soup_motion, options, lengths, meter, result).run();
}

ToiResult impact(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                 const ToiOptions& options, Search search) {
  ToiLengths lengths(options);
  if (is_soup(a) && is_soup(b)) {
    // Rounded soups touch when their surfaces are as near as their radii.
    ToiOptions rounded = options;
    rounded.clearance += a.radius() + b.radius();
    return search == Search::all
               ? brute_force::time_of_impact(a.object(), motion_a, b.object(), motion_b, rounded)
               : time_of_impact(a.object(), motion_a, b.object(), motion_b, rounded);
  }
  if (is_soup(a)) {
    ToiResult result = impact(b, motion_b, a, motion_a, options, search);
    exchange(result.contact);
    return result;
  }
  const bool plane_a = a.kind() == ShapeKind::half_space,
             plane_b = b.kind() == ShapeKind::half_space;
  if (plane_a && plane_b) throw InvalidInput("time of impact: no answer for two half spaces");
  ToiResult result;
  if (is_soup(b)) {
    if (plane_a)
      half_space_soup(a, motion_a, b, motion_b, options, lengths, result);
    else
      convex_soup(a, motion_a, b, motion_b, options, lengths, search, result);
    return result;
  }
  const Mover mover_a(a), mover_b(b);
  lengths.allow_for_rounding(motion_a, mover_a, motion_b, mover_b);
  result.tolerance = lengths.tolerance;
  BudgetMeter meter(options.budget);
  follow(mover_a, motion_a, mover_b, motion_b, options, lengths, 1, meter, result);
  return result;
}

}  // namespace

ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options) {
  return impact(a, motion_a, b, motion_b, options, Search::hierarchy);
}

ToiResult brute_force::time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                      const Motion& motion_b, const ToiOptions& options) {
  return impact(a, motion_a, b, motion_b, options, Search::all);
}

}  // namespace touche
