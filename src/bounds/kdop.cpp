// SPDX-License-Identifier: Apache-2.0
#include "bounds/kdop.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace touche::bounds {
namespace {

/// Projecting on a direction of entries −1, 0, 1 takes two additions: 2 u of the sum of magnitudes,
/// which is itself rounded; and adding the slack to an interval's end rounds once more.
double projection_error(const Vec3& p) { return 4 * kU * p.lpNorm<1>() + kTiny; }

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

/// Keeps the part of a polygon with n·x <= h. Corners on the plane up to `tolerance` stay, so that
/// a flat polytope keeps its faces.
void clip(std::vector<Vec3>& polygon, const Vec3& n, double h, double tolerance) {
  std::vector<Vec3> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double at_p = n.dot(p) - h, at_q = n.dot(q) - h;
    const bool out_p = at_p > tolerance, out_q = at_q > tolerance;
    if (!out_p) kept.push_back(p);
    if (out_p != out_q && at_p * at_q < 0) kept.push_back(p + at_p / (at_p - at_q) * (q - p));
  }
  polygon = std::move(kept);
}

/// Twice the area, as a vector along the normal.
Vec3 double_area(const std::vector<Vec3>& polygon) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 2; i < polygon.size(); ++i)
    sum += (polygon[i - 1] - polygon[0]).cross(polygon[i] - polygon[0]);
  return sum;
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
  const auto directions = kdop_directions(K);
  const Vec3 lo(d.lo[0], d.lo[1], d.lo[2]), hi(d.hi[0], d.hi[1], d.hi[2]);
  const Vec3 centre = 0.5 * (lo + hi);
  const double reach = (hi - lo).lpNorm<1>();
  const double tolerance = 64 * kU * (reach + centre.lpNorm<1>());
  std::vector<std::vector<Vec3>> out;
  for (int i = 0; i < 2 * Kdop<K>::kPairs; ++i) {
    const Vec3 n = i % 2 == 0 ? directions[i / 2] : Vec3(-directions[i / 2]);
    // A square on the face's plane that covers the box, then cut by all other planes, in
    // coordinates from the centre.
    const double h = (i % 2 == 0 ? d.hi[i / 2] : -d.lo[i / 2]) - n.dot(centre);
    const Vec3 foot = h / n.squaredNorm() * n;
    int least = 0;
    n.cwiseAbs().minCoeff(&least);
    const Vec3 u = n.cross(Vec3::Unit(least)).normalized(), v = n.normalized().cross(u);
    const double s = 2 * (reach + foot.norm());
    std::vector<Vec3> polygon = {foot - s * u - s * v, foot + s * u - s * v, foot + s * u + s * v,
                                 foot - s * u + s * v};
    for (int j = 0; j < 2 * Kdop<K>::kPairs; ++j) {
      if (j == i) continue;
      const Vec3 m = j % 2 == 0 ? directions[j / 2] : Vec3(-directions[j / 2]);
      clip(polygon, m, (j % 2 == 0 ? d.hi[j / 2] : -d.lo[j / 2]) - m.dot(centre), tolerance);
    }
    for (Vec3& p : polygon) p += centre;
    if (!polygon.empty()) out.push_back(std::move(polygon));
  }
  return out;
}

template <int K>
double Kdop<K>::volume() const {
  const Vec3 inside(0.5 * (lo[0] + hi[0]), 0.5 * (lo[1] + hi[1]), 0.5 * (lo[2] + hi[2]));
  double sum = 0;
  for (const auto& face : faces(*this)) sum += double_area(face).dot(face[0] - inside) / 6;
  return sum;
}

template <int K>
double Kdop<K>::surface_area() const {
  double sum = 0;
  for (const auto& face : faces(*this)) sum += double_area(face).norm() / 2;
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

template <int K>
Kdop<K> moved(const Kdop<K>& d, const Placement& place) {
  // A direction n' = Σ λᵢ dᵢ over a basis is bounded on the K-DOP by Σ λᵢ times the end of
  // interval i on λᵢ's side (weak duality), whatever the basis, and exactly by the best one.
  const auto directions = kdop_directions(K);
  double largest = 0;
  for (int i = 0; i < Kdop<K>::kPairs; ++i)
    largest = std::max({largest, std::abs(d.lo[i]), std::abs(d.hi[i])});
  // Rounding: n' is off by 3 · 28 u per entry, an inverse has entries of at most 2 (determinants
  // are integers), so λ is off by 6 · 84 u + 9 · 2 · 3 u < 600 u; three of them times `largest`,
  // and as much for the defect of n' − Σ λ d, whose entries are of that size: 4096 u in all. The
  // translation as for a point.
  const double slack = 4096 * kU * largest + place.error(3 * largest);
  Kdop<K> out;
  for (int i = 0; i < Kdop<K>::kPairs; ++i) {
    const Vec3 n = place.rotation.transpose() * directions[i];
    double hi = kInfinity, lo = -kInfinity;
    for (const Basis& b : bases<K>()) {
      const Vec3 lambda = b.inverse * n;
      double above = 0, below = 0;
      for (int k = 0; k < 3; ++k) {
        const double l = lambda[k], from = d.lo[b.index[k]], to = d.hi[b.index[k]];
        above += l > 0 ? l * to : l * from;
        below += l > 0 ? l * from : l * to;
      }
      hi = std::min(hi, above);
      lo = std::max(lo, below);
    }
    const double shift = directions[i].dot(place.translation);
    out.lo[i] = lo + shift - 3 * slack;
    out.hi[i] = hi + shift + 3 * slack;
  }
  return out;
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
  return best * (1 - 8 * kU);
}

}  // namespace

template <int K>
double lower_bound(const Kdop<K>& a, const Kdop<K>& b, const Placement& place) {
  return std::max(gap(a, moved(b, place)), gap(b, moved(a, place.inverse())));
}

template <int K>
bool overlap(const Kdop<K>& a, const Kdop<K>& b, const Placement& place) {
  return gap(a, moved(b, place)) == 0 && gap(b, moved(a, place.inverse())) == 0;
}

#define TOUCHE_KDOP(K)                                                           \
  template struct Kdop<K>;                                                       \
  template Kdop<K> moved(const Kdop<K>&, const Placement&);                      \
  template bool overlap(const Kdop<K>&, const Kdop<K>&, const Placement&);       \
  template double lower_bound(const Kdop<K>&, const Kdop<K>&, const Placement&); \
  template std::vector<std::vector<Vec3>> faces(const Kdop<K>&);
TOUCHE_KDOP(6)
TOUCHE_KDOP(14)
TOUCHE_KDOP(18)
TOUCHE_KDOP(26)
#undef TOUCHE_KDOP

}  // namespace touche::bounds
