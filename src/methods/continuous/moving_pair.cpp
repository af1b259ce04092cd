// SPDX-License-Identifier: Apache-2.0
#include "methods/continuous/moving_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/rounding.h"

namespace touche::continuous {
namespace {

// A root is known to so much; what is inside by less is inside. Without it, contacts at an edge
// two faces share would be seen by neither.
constexpr double kSlack = 1e-9;

// Directions at less than this angle are parallel.
constexpr double kParallel = 1e-12;

// A moment, for edges that are parallel just then.
constexpr double kMoment = 1e-6;

// The direction across two edges that turn past each other becomes shorter than twice this share of
// its length before or after, whichever is less; of edges that turn around each other it does not.
constexpr double kShort = 0.05;
constexpr int kMostSteps = 20;

Instant instant_at(const Motion& motion, double t) {
  const Pose b_in_a = motion.pose(t);
  return {t, query::RelativePose(Pose(), b_in_a), query::RelativePose(b_in_a, Pose())};
}

bool on_edge(double place) { return place >= -kSlack && place <= 1 + kSlack; }

}  // namespace

Instants::Instants(const Motion& motion, double step) : motion_(motion) {
  const double steps = std::ceil(1 / step - 1e-9);
  for (double k = 0; k < steps; ++k) grid_.push_back(instant_at(motion, k * step));
  grid_.push_back(instant_at(motion, 1));
}

Instant Instants::at(double t) const { return instant_at(motion_, t); }

Instant Instants::beside(const Instant& instant) const {
  return at(instant.t + (instant.t < 0.5 ? kMoment : -kMoment));
}

VertexFace::VertexFace(const Vec3& vertex, bool vertex_of_b, const Triangle& face)
    : vertex_(vertex), vertex_of_b_(vertex_of_b), face_(face) {
  normal_ = math::unit_or_zero((face[1] - face[0]).cross(face[2] - face[0]));
  defined_ = !normal_.isZero();
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 side = face[(k + 1) % 3] - face[k];
    outwards_.col(k) = math::unit_or_zero(side.cross(normal_));
    size = std::max(size, side.norm());
  }
  slack_ = kSlack * size;
}

Gap VertexFace::gap(const Instant& instant) const {
  return {.t = instant.t, .distance = normal_.dot(place(instant) - face_[0])};
}

Vec3 VertexFace::beyond(const Vec3& place) const {
  Vec3 result;
  for (int k = 0; k < 3; ++k) result[k] = outwards_.col(k).dot(place - face_[k]);
  return result;
}

bool VertexFace::inside(const Instant& instant) const {
  return (beyond(place(instant)).array() <= slack_).all();
}

std::optional<bool> VertexFace::inside(const Instant& start, const Instant& end, double t) const {
  const Vec3 first = beyond(place(start)), last = beyond(place(end));
  return ((first + t * (last - first)).array() <= slack_).all();
}

EdgeEdge::EdgeEdge(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
    : a0_(a0), a1_(a1), b0_(b0), b1_(b1), size_(std::max((a1 - a0).norm(), (b1 - b0).norm())) {}

EdgeEdge::Lines EdgeEdge::lines(const Instant& instant) const {
  Lines l;
  const Vec3 b0 = instant.b_in_a * b0_;
  l.along_a = a1_ - a0_;
  l.along_b = instant.b_in_a * b1_ - b0;
  l.between = b0 - a0_;
  l.normal = l.along_a.cross(l.along_b);
  l.parallel = !(l.normal.norm() > kParallel * l.along_a.norm() * l.along_b.norm());
  return l;
}

Gap EdgeEdge::gap(const Instant& instant) const {
  const Lines l = lines(instant);
  return {.t = instant.t,
          .distance = l.parallel ? std::numeric_limits<double>::quiet_NaN()
                                 : l.normal.dot(l.between) / l.normal.norm(),
          .across = l.normal};
}

bool EdgeEdge::turn_past(const Instants& instants, const Gap& first, const Gap& last) const {
  if (!(first.across.dot(last.across) < 0)) return false;
  // Where the direction is across that of the start it is at its shortest, or nearly so.
  const double length = first.across.norm();
  const double short_enough = kShort * std::min(length, last.across.norm());
  double early = first.t, late = last.t;
  double before = length, after = first.across.dot(last.across) / length;
  for (int step = 0; step < kMostSteps; ++step) {
    const double t = early + (late - early) * (before / (before - after));
    const Vec3 across = lines(instants.at(t)).normal;
    const double along = first.across.dot(across) / length;
    if (std::abs(along) <= short_enough) return across.norm() <= 2 * short_enough;
    // The end that stays counts half, else this may creep.
    if (along > 0) {
      early = t, before = along, after *= 0.5;
    } else {
      late = t, after = along, before *= 0.5;
    }
  }
  return false;
}

bool EdgeEdge::places_on_edges(const Lines& l, double& on_a, double& on_b) {
  if (l.parallel) return false;
  const Vec3 scaled = l.normal / l.normal.squaredNorm();
  on_a = l.between.cross(l.along_b).dot(scaled);
  on_b = l.between.cross(l.along_a).dot(scaled);
  return true;
}

bool EdgeEdge::inside(const Instant& instant) const {
  const Lines l = lines(instant);
  double on_a = 0, on_b = 0;
  if (!places_on_edges(l, on_a, on_b)) return touch_side_by_side(l);
  return on_edge(on_a) && on_edge(on_b);
}

std::optional<bool> EdgeEdge::inside(const Instant& start, const Instant& end, double t) const {
  double start_a = 0, start_b = 0, end_a = 0, end_b = 0;
  if (!places_on_edges(lines(start), start_a, start_b) ||
      !places_on_edges(lines(end), end_a, end_b))
    return std::nullopt;
  return on_edge(start_a + t * (end_a - start_a)) && on_edge(start_b + t * (end_b - start_b));
}

// An end of one lies on the other.
bool EdgeEdge::touch_side_by_side(const Lines& l) const {
  const auto near = [&](const Vec3& from, const Vec3& along, const Vec3& point) {
    const double squared = along.squaredNorm();
    const double place =
        squared > 0 ? std::clamp(along.dot(point - from) / squared, 0.0, 1.0) : 0.0;
    return (from + place * along - point).norm() <= kSlack * size_;
  };
  const Vec3 origin = Vec3::Zero();  // a's first end
  return near(origin, l.along_a, l.between) || near(origin, l.along_a, l.between + l.along_b) ||
         near(l.between, l.along_b, origin) || near(l.between, l.along_b, l.along_a);
}

}  // namespace touche::continuous
