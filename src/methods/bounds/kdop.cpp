// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/kdop.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "math/rounding.h"

namespace touche::bounds {
namespace {

/// Projecting on a direction of entries −1, 0, 1 takes two additions: 2 u of the sum of magnitudes,
/// which is itself rounded; and adding the slack to an interval's end rounds once more.
double projection_error(const Vec3& p) {
  return 4 * math::kUnitRoundoff * p.lpNorm<1>() + math::kUnderflow;
}

bool along_axis(const Vec3& direction) { return direction.lpNorm<1>() == 1; }  // then exact

/// Three directions that are independent, and the inverse of the matrix with them as columns.
struct Basis {
  int index[3];
  Mat3 inverse;
};

template <int K>
const std::vector<Basis>& bases() {
  static const std::vector<Basis> all = [] {
    std::vector<Basis> out;
    const auto d = kdop_directions(K);
    const int n = K / 2;
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        for (int k = j + 1; k < n; ++k) {
          Mat3 m;
          m << d[i], d[j], d[k];
          if (std::abs(m.determinant()) > 0.5) out.push_back({{i, j, k}, m.inverse()});
        }
    return out;
  }();
  return all;
}

/// Direction i % 2 of pair i / 2 outwards.
Vec3 outwards(std::span<const Vec3> directions, int i) {
  return i % 2 == 0 ? directions[i / 2] : Vec3(-directions[i / 2]);
}

/// A face's plane: two unit vectors in it, and what another face's normal m is in them; in all
/// three m = x u + y v + z n.
struct FacePlane {
  struct Other {
    double x, y, z;
  };
  Vec3 n, u, v;
  double n2;
  std::array<Other, 26> others;
};

template <int K>
const std::array<FacePlane, K>& face_planes() {
  static const std::array<FacePlane, K> all = [] {
    std::array<FacePlane, K> out;
    const auto directions = kdop_directions(K);
    for (int i = 0; i < K; ++i) {
      FacePlane& f = out[i];
      f.n = outwards(directions, i);
      f.n2 = f.n.squaredNorm();
      int least = 0;
      f.n.cwiseAbs().minCoeff(&least);
      f.u = f.n.cross(Vec3::Unit(least)).normalized();
      f.v = f.n.normalized().cross(f.u);
      for (int j = 0; j < K; ++j) {
        const Vec3 m = outwards(directions, j);
        f.others[j] = {m.dot(f.u), m.dot(f.v), m.dot(f.n) / f.n2};
      }
    }
    return out;
  }();
  return all;
}

/// A convex polygon in a plane, with room for a corner more per cut.
class Polygon {
 public:
  struct Point {
    double x, y;
  };

  explicit Polygon(double half) : count_(4) {
    const Point square[] = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
    std::ranges::copy(square, points_.begin());
  }

  std::span<const Point> points() const { return {points_.data(), count_}; }

  /// Keeps what has x a.x + y a.y <= h. Corners on the line up to `tolerance` stay, so that a flat
  /// polytope keeps its faces.
  void cut(double a, double b, double h, double tolerance) {
    std::array<double, kRoom> at;
    bool any = false;
    for (std::size_t i = 0; i < count_; ++i) {
      at[i] = a * points_[i].x + b * points_[i].y - h;
      any |= at[i] > tolerance;
    }
    if (!any) return;
    std::array<Point, kRoom> kept;
    std::size_t n = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t next = i + 1 < count_ ? i + 1 : 0;
      const Point &p = points_[i], &q = points_[next];
      const bool out_p = at[i] > tolerance, out_q = at[next] > tolerance;
      if (!out_p) kept[n++] = p;
      if (out_p == out_q || !(at[i] * at[next] < 0)) continue;
      const double t = at[i] / (at[i] - at[next]);
      kept[n++] = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
    }
    points_ = kept;
    count_ = n;
  }

  double area() const {
    double twice = 0;
    for (std::size_t i = 2; i < count_; ++i)
      twice += (points_[i - 1].x - points_[0].x) * (points_[i].y - points_[0].y) -
               (points_[i].x - points_[0].x) * (points_[i - 1].y - points_[0].y);
    return 0.5 * twice;
  }

 private:
  static constexpr std::size_t kRoom = 32;  // a line cuts off a corner or more and adds two
  std::array<Point, kRoom> points_;
  std::size_t count_;
};

/// Calls visit(plane, height, polygon) for every face: the points centre + height n / n² + x u + y
/// v.
template <int K, typename Visit>
void for_each_face(const Kdop<K>& d, Visit&& visit) {
  const Vec3 lo(d.lo[0], d.lo[1], d.lo[2]), hi(d.hi[0], d.hi[1], d.hi[2]);
  const Vec3 centre = 0.5 * (lo + hi);
  const double reach = (hi - lo).lpNorm<1>();
  const double tolerance = 64 * math::kUnitRoundoff * (reach + centre.lpNorm<1>());
  const auto& planes = face_planes<K>();
  std::array<double, K> height;  // over the centre
  for (int i = 0; i < K; ++i)
    height[i] = (i % 2 == 0 ? d.hi[i / 2] : -d.lo[i / 2]) - planes[i].n.dot(centre);
  for (int i = 0; i < K; ++i) {
    // A square that covers the box, then cut by all other planes.
    const FacePlane& plane = planes[i];
    Polygon polygon(2 * (reach + std::abs(height[i])));
    for (int j = 0; j < K && !polygon.points().empty(); ++j) {
      if (j == i) continue;
      const FacePlane::Other& m = plane.others[j];
      polygon.cut(m.x, m.y, height[j] - m.z * height[i], tolerance);
    }
    if (!polygon.points().empty()) visit(plane, height[i], polygon);
  }
}

}  // namespace

std::span<const Vec3> kdop_directions(int k) {
  static const std::array<Vec3, 13> faces_corners_edges = {
      Vec3(1, 0, 0),  Vec3(0, 1, 0),  Vec3(0, 0, 1), Vec3(1, 1, 1),  Vec3(1, 1, -1),
      Vec3(1, -1, 1), Vec3(-1, 1, 1), Vec3(1, 1, 0), Vec3(1, -1, 0), Vec3(1, 0, 1),
      Vec3(1, 0, -1), Vec3(0, 1, 1),  Vec3(0, 1, -1)};
  static const std::array<Vec3, 9> faces_edges = {Vec3(1, 0, 0),  Vec3(0, 1, 0),  Vec3(0, 0, 1),
                                                  Vec3(1, 1, 0),  Vec3(1, -1, 0), Vec3(1, 0, 1),
                                                  Vec3(1, 0, -1), Vec3(0, 1, 1),  Vec3(0, 1, -1)};
  static const std::array<Vec3, 5> faces_upright_edges = {
      Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 1, 0), Vec3(1, -1, 0)};
  if (k == 10) return faces_upright_edges;
  if (k == 18) return faces_edges;
  return std::span<const Vec3>(faces_corners_edges).first(static_cast<std::size_t>(k / 2));
}

template <int K>
Kdop<K> Kdop<K>::fit(std::span<const Vec3> points) {
  require_points(points);
  const auto directions = kdop_directions(K);
  Kdop out;
  out.lo.fill(kInfinity);
  out.hi.fill(-kInfinity);
  for (const Vec3& p : points)
    for (int i = 0; i < kPairs; ++i) {
      const double x = directions[i].dot(p);
      const double slack = along_axis(directions[i]) ? 0 : projection_error(p);
      out.lo[i] = std::min(out.lo[i], x - slack);
      out.hi[i] = std::max(out.hi[i], x + slack);
    }
  return out;
}

template <int K>
bool Kdop<K>::contains(const Vec3& p) const {
  const auto directions = kdop_directions(K);
  const double slack = projection_error(p);
  for (int i = 0; i < kPairs; ++i) {
    const double x = directions[i].dot(p), s = along_axis(directions[i]) ? 0 : slack;
    if (x + s < lo[i] || x - s > hi[i]) return false;
  }
  return true;
}

template <int K>
std::vector<std::vector<Vec3>> faces(const Kdop<K>& d) {
  const Vec3 centre = 0.5 * (Vec3(d.lo[0], d.lo[1], d.lo[2]) + Vec3(d.hi[0], d.hi[1], d.hi[2]));
  std::vector<std::vector<Vec3>> out;
  for_each_face(d, [&](const FacePlane& f, double height, const Polygon& polygon) {
    out.emplace_back();
    for (const Polygon::Point& p : polygon.points())
      out.back().push_back(centre + (height / f.n2 * f.n + p.x * f.u + p.y * f.v));
  });
  return out;
}

template <int K>
double Kdop<K>::volume() const {
  double sum = 0;  // of pyramids over the centre
  for_each_face(*this, [&](const FacePlane& f, double height, const Polygon& polygon) {
    sum += polygon.area() * height / std::sqrt(f.n2) / 3;
  });
  return std::max(0.0, sum);  // flat ones have what rounding leaves
}

template <int K>
double Kdop<K>::surface_area() const {
  double sum = 0;
  for_each_face(*this,
                [&](const FacePlane&, double, const Polygon& polygon) { sum += polygon.area(); });
  return sum;
}

template <int K>
double Kdop<K>::diameter() const {
  std::vector<Vec3> corners;
  for (const auto& face : faces(*this)) corners.insert(corners.end(), face.begin(), face.end());
  double far2 = 0;
  for (const Vec3& p : corners)
    for (const Vec3& q : corners) far2 = std::max(far2, (p - q).squaredNorm());
  return std::sqrt(far2);
}

namespace {

struct Interval {
  double lo, hi;
};

/// A direction n' = Σ λᵢ dᵢ over a basis is bounded on the K-DOP by Σ λᵢ times the end of interval
/// i on λᵢ's side (weak duality), whatever the basis, and exactly by the best one.
template <int K, typename Indices, typename Lambda>
Interval along(const Kdop<K>& d, const Indices& index, const Lambda& lambda) {
  Interval out = {0, 0};
  for (int k = 0; k < 3; ++k) {
    const double l = lambda[k], from = l * d.lo[index[k]], to = l * d.hi[index[k]];
    out.hi += l > 0 ? to : from;
    out.lo += l > 0 ? from : to;
  }
  return out;
}

/// Rounding: n' is off by 3 · 28 u per entry, an inverse has entries of at most 2 (determinants are
/// integers), so λ is off by 6 · 84 u + 9 · 2 · 3 u < 600 u; three of them times the largest end of
/// an interval, and as much for the defect of n' − Σ λ d, whose entries are of that size: 4096 u in
/// all. The translation as for a point; directions are up to √3 long.
template <int K>
double turning_error(const Kdop<K>& d, const PoseMatrix& pose) {
  double largest = 0;
  for (int i = 0; i < Kdop<K>::kPairs; ++i)
    largest = std::max({largest, std::abs(d.lo[i]), std::abs(d.hi[i])});
  return 3 * (4096 * math::kUnitRoundoff * largest + pose.error(3 * largest));
}

}  // namespace

template <int K>
Kdop<K> moved(const Kdop<K>& d, const PoseMatrix& pose) {
  const auto directions = kdop_directions(K);
  const double slack = turning_error(d, pose);
  Kdop<K> out;
  for (int i = 0; i < Kdop<K>::kPairs; ++i) {
    const Vec3 n = pose.rotation.transpose() * directions[i];
    Interval best = {-kInfinity, kInfinity};
    for (const Basis& b : bases<K>()) {
      const Interval x = along(d, b.index, Vec3(b.inverse * n));
      best = {std::max(best.lo, x.lo), std::min(best.hi, x.hi)};
    }
    const double shift = directions[i].dot(pose.translation);
    out.lo[i] = best.lo + shift - slack;
    out.hi[i] = best.hi + shift + slack;
  }
  return out;
}

template <int K>
KdopTurn<K>::KdopTurn(const PoseMatrix& pose) : pose_(pose) {
  const auto directions = kdop_directions(K);
  struct Rated {
    double length;
    const Basis* basis;
  };
  for (int i = 0; i < K / 2; ++i) {
    const Vec3 n = pose.rotation.transpose() * directions[i];
    std::vector<Rated> rated;
    for (const Basis& b : bases<K>()) {
      const Vec3 lambda = b.inverse * n;
      double length = 0;
      for (int k = 0; k < 3; ++k) length += std::abs(lambda[k]) * directions[b.index[k]].norm();
      rated.push_back({length, &b});
    }
    std::ranges::partial_sort(rated, rated.begin() + kKept, {}, &Rated::length);
    for (int k = 0; k < kKept; ++k) {
      const Basis& b = *rated[k].basis;
      const Vec3 lambda = b.inverse * n;
      for (int j = 0; j < 3; ++j) {
        bounds_[i][k].index[j] = static_cast<std::uint8_t>(b.index[j]);
        bounds_[i][k].lambda[j] = lambda[j];
      }
    }
    shift_[i] = directions[i].dot(pose.translation);
  }
}

template <int K>
bool KdopTurn<K>::apart(const Kdop<K>& fixed, const Kdop<K>& turned) const {
  const double slack = turning_error(turned, pose_);
  for (int i = 0; i < K / 2; ++i) {
    Interval best = {-kInfinity, kInfinity};
    for (const Bound& b : bounds_[i]) {
      const Interval x = along(turned, b.index, b.lambda);
      best = {std::max(best.lo, x.lo), std::min(best.hi, x.hi)};
    }
    if (best.lo + shift_[i] - slack > fixed.hi[i] || best.hi + shift_[i] + slack < fixed.lo[i])
      return true;
  }
  return false;
}

namespace {

/// The largest gap between the intervals, as a distance; rounded down by 8 u.
template <int K>
double gap(const Kdop<K>& a, const Kdop<K>& b) {
  const auto directions = kdop_directions(K);
  double best = 0;
  for (int i = 0; i < Kdop<K>::kPairs; ++i) {
    const double apart = std::max(a.lo[i] - b.hi[i], b.lo[i] - a.hi[i]);
    if (apart > 0) best = std::max(best, apart / directions[i].norm());
  }
  return best * (1 - 8 * math::kUnitRoundoff);
}

}  // namespace

template <int K>
double lower_bound(const Kdop<K>& a, const Kdop<K>& b, const PoseMatrix& pose) {
  return std::max(gap(a, moved(b, pose)), gap(b, moved(a, pose.inverse())));
}

template <int K>
bool overlap(const Kdop<K>& a, const Kdop<K>& b, const PoseMatrix& pose) {
  return gap(a, moved(b, pose)) == 0 && gap(b, moved(a, pose.inverse())) == 0;
}

#define TOUCHE_KDOP(K)                                                            \
  template struct Kdop<K>;                                                        \
  template class KdopTurn<K>;                                                     \
  template Kdop<K> moved(const Kdop<K>&, const PoseMatrix&);                      \
  template bool overlap(const Kdop<K>&, const Kdop<K>&, const PoseMatrix&);       \
  template double lower_bound(const Kdop<K>&, const Kdop<K>&, const PoseMatrix&); \
  template std::vector<std::vector<Vec3>> faces(const Kdop<K>&);
TOUCHE_KDOP(6)
TOUCHE_KDOP(10)
TOUCHE_KDOP(14)
TOUCHE_KDOP(18)
TOUCHE_KDOP(26)
#undef TOUCHE_KDOP

}  // namespace touche::bounds
