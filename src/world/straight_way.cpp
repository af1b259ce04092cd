// SPDX-License-Identifier: Apache-2.0
#include "world/straight_way.h"

#include <algorithm>

#include "math/motion_data.h"
#include "math/rounding.h"
#include "shape/soup_hull.h"

namespace touche::world {
namespace {

// Most pairs that can be proved apart need no more support points.
constexpr int kMostSupports = 12;
// The search ends if a support comes nearer to the origin by less than this fraction.
constexpr double kSmallGain = 1e-3;

// A simplex of at most four points, and its point nearest to the origin.
class Simplex {
 public:
  /// Adds a point, and keeps the points that the nearest point lies between. Returns false if the
  /// origin counts as inside, truly or by rounding.
  bool add(const Vec3& p) {
    points_[count_++] = p;
    switch (count_) {
      case 1:
        nearest_ = p;
        return true;
      case 2:
        return segment();
      case 3:
        return triangle();
      default:
        return tetrahedron();
    }
  }
  const Vec3& nearest() const { return nearest_; }

 private:
  struct Part {
    std::array<Vec3, 3> points;
    int count = 0;
    Vec3 nearest = Vec3::Zero();
  };

  static Part part_of(const Vec3& a) { return {{a}, 1, a}; }
  static Part part_of(const Vec3& a, const Vec3& b) {
    const Vec3 along = b - a;
    const double t = -a.dot(along), length = along.squaredNorm();
    if (!(t > 0)) return part_of(a);
    if (t >= length) return part_of(b);
    return {{a, b}, 2, a + (t / length) * along};
  }
  static Part part_of(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 normal = (b - a).cross(c - a);
    const double size = normal.squaredNorm();
    const bool inside = size > 0 && normal.dot(a.cross(b)) > 0 && normal.dot(b.cross(c)) > 0 &&
                        normal.dot(c.cross(a)) > 0;
    if (inside) return {{a, b, c}, 3, (a.dot(normal) / size) * normal};
    return nearer(nearer(part_of(a, b), part_of(b, c)), part_of(c, a));
  }
  static Part nearer(const Part& x, const Part& y) {
    return x.nearest.squaredNorm() <= y.nearest.squaredNorm() ? x : y;
  }

  bool keep(const Part& part) {
    std::copy_n(part.points.begin(), part.count, points_.begin());
    count_ = part.count;
    nearest_ = part.nearest;
    return true;
  }
  bool segment() { return keep(part_of(points_[0], points_[1])); }
  bool triangle() { return keep(part_of(points_[0], points_[1], points_[2])); }
  bool tetrahedron() {
    const auto& [a, b, c, d] = points_;
    // The origin is inside if for each face it is on the same side as the fourth point.
    const auto beyond = [](const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& inner) {
      const Vec3 normal = (q - p).cross(r - p);
      return normal.dot(-p) * normal.dot(inner - p) <= 0;
    };
    std::optional<Part> best;
    const auto look_at = [&](const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& inner) {
      if (!beyond(p, q, r, inner)) return;
      const Part part = part_of(p, q, r);
      best = best ? nearer(*best, part) : part;
    };
    look_at(a, b, c, d);
    look_at(a, b, d, c);
    look_at(a, c, d, b);
    look_at(b, c, d, a);
    return best && keep(*best);
  }

  std::array<Vec3, 4> points_;
  int count_ = 0;
  Vec3 nearest_ = Vec3::Zero();
};

// The corner that is farthest along a direction in body coordinates.
Vec3 farthest(const StraightWay& way, const Vec3& direction) {
  if (way.hull != nullptr) return shape::farthest_corner(*way.hull, direction);
  const std::span<const Vec3> corners = way.corners;
  std::size_t best = 0;
  double most = -kInfinity;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const double along = direction.dot(corners[i]);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  return corners[best];
}

// Returns the point of the difference of b and a, at one end of the motions, that is least along n.
Vec3 support(const StraightWay& a, const StraightWay& b, std::size_t end, const Vec3& n) {
  const Vec3 corner_a = farthest(a, a.rotations[end].transpose() * n),
             corner_b = farthest(b, -(b.rotations[end].transpose() * n));
  return (b.translations[end] - a.translations[end]) + b.rotations[end] * corner_b -
         a.rotations[end] * corner_a;
}

template <class Way>
double rounding(const Way& a, const Way& b) {
  return math::kFormulaError * (a.size + b.size);
}

}  // namespace

Ball ball_around(std::span<const Vec3> points) {
  Aabb box;
  for (const Vec3& p : points) box.include(p);
  Ball ball{box.centre(), 0};
  for (const Vec3& p : points) ball.radius = std::max(ball.radius, (p - ball.centre).norm());
  ball.radius *= math::kRoundUp;
  return ball;
}

std::optional<StraightWay> StraightWay::of(const Motion& motion, const Ball& ball,
                                           std::span<const Vec3> corners, double begin,
                                           const Shape* hull) {
  const std::span<const detail::Piece> pieces = math::pieces_of(motion);
  if (pieces.size() != 1 || pieces[0].kind == detail::PieceKind::function) return {};
  const detail::Piece& piece = pieces[0];
  StraightWay way;
  way.ball = ball;
  if (corners.size() <= kMostHullCorners) {
    way.corners = corners;
    way.hull = hull;
  }
  const detail::MovingBody start = detail::moving_body(piece, begin),
                           end = detail::moving_body(piece, 1);
  way.rotations = {start.rotation, end.rotation};
  way.translations = {start.translation, end.translation};
  way.centres = {start.to_world(ball.centre), end.to_world(ball.centre)};
  // A smooth function deviates from uniform motion on the line between its ends by at most an
  // eighth of its greatest second derivative.
  const double rest = 1 - begin,
               bend =
                   0.125 * math::kRoundUp * rest * rest * start.velocity.acceleration_per_distance,
               offset = (ball.centre - piece.centre).norm();
  way.centre_bulge = bend * offset;
  way.bulge = bend * (offset + ball.radius);
  way.size = std::max(1.0, std::abs(piece.angle)) *
             (piece.start.norm() + piece.travel.norm() + piece.centre.norm() + ball.centre.norm() +
              ball.radius);
  return way;
}

BallWay::BallWay(const StraightWay& way)
    : centres(way.centres), radius(way.ball.radius), bulge(way.centre_bulge), size(way.size) {}

// No part of the path deviates by more than `bulge` from the line between the ends of the whole
// path.
BallWay BallWay::rest(double from) const {
  BallWay ball = *this;
  ball.centres[0] += from * (centres[1] - centres[0]);
  return ball;
}

BallWay BallWay::stopped() const {
  BallWay ball = *this;
  ball.centres[1] = centres[0];
  return ball;
}

bool balls_stay_apart(const BallWay& a, const BallWay& b, double enough) {
  const double least = enough + a.radius + b.radius + a.bulge + b.bulge + rounding(a, b);
  const Vec3 start = b.centres[0] - a.centres[0], way = b.centres[1] - a.centres[1] - start;
  const double length = way.squaredNorm();
  const double t = length > 0 ? std::clamp(-start.dot(way) / length, 0.0, 1.0) : 0;
  return (start + t * way).squaredNorm() > least * least;
}

bool hulls_stay_apart(const StraightWay& a, const StraightWay& b, double enough, Vec3* normal) {
  if (a.corners.empty() || b.corners.empty()) return false;
  const double least = enough + a.bulge + b.bulge + rounding(a, b);
  Simplex simplex;
  const bool known = normal != nullptr && !normal->isZero(0);
  Vec3 towards = known ? *normal : Vec3(b.centres[0] - a.centres[0]);
  for (int i = 0; i < kMostSupports; ++i) {
    const Vec3 n = math::unit_or_zero(towards);
    if (n.isZero(0)) return false;
    const Vec3 start = support(a, b, 0, n), end = support(a, b, 1, n);
    const double at_start = n.dot(start), at_end = n.dot(end);
    const double gap = std::min(at_start, at_end);
    if (gap > least) {
      if (normal != nullptr) *normal = n;
      return true;
    }
    if (i > 0 && gap >= (1 - kSmallGain) * simplex.nearest().norm()) return false;
    if (!simplex.add(at_start <= at_end ? start : end)) return false;
    if (simplex.nearest().norm() <= least) return false;
    towards = simplex.nearest();
  }
  return false;
}

}  // namespace touche::world
