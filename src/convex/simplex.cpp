// SPDX-License-Identifier: Apache-2.0
#include "convex/simplex.h"

#include <cmath>

#include "convex/nearest-inl.h"
#include "math/three.h"

namespace touche::convex {
namespace {

/// Returns w of the simplex's vertex i.
[[gnu::always_inline]] inline math::Three w_of(const Simplex& s, int i) {
  const auto at = static_cast<std::size_t>(s.at[static_cast<std::size_t>(i)]);
  return {s.x[at], s.y[at], s.z[at]};
}

/// Six times the signed volumes of the origin with each face; entry k belongs to the face without
/// vertex k.
[[gnu::always_inline]] inline std::array<double, 4> volumes(const Simplex& s) {
  const math::Three a = w_of(s, 0), b = w_of(s, 1), c = w_of(s, 2), d = w_of(s, 3);
  const math::Three ab = math::cross(a, b), cd = math::cross(c, d);
  return {math::dot(b, cd), -math::dot(a, cd), math::dot(d, ab), -math::dot(c, ab)};
}

constexpr std::uint8_t kFace[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

}  // namespace

void find_nearest(const Simplex& simplex, Nearest& nearest) {
  HWY_NAMESPACE::convex_nearest::find_nearest(simplex, w_of(simplex, simplex.size - 1), nearest);
}

bool is_nearest_on_the_way(const Simplex& simplex, const math::Three& way, Nearest& nearest) {
  return HWY_NAMESPACE::convex_nearest::is_nearest_on_the_way(
      simplex, way, w_of(simplex, simplex.size - 1), nearest);
}

// A determinant of vectors of length up to L in double precision has an error below 16 u L³: 3 u
// for each of its six products, whose magnitudes add up to at most 2.5 L³. The length of the normal
// enters as a factor near 1.
double depth_inside(const Simplex& s) {
  const std::array<double, 4> volume = volumes(s);
  double largest = 0;
  for (int k = 0; k < 4; ++k) largest = std::max(largest, s.vertex(k).w.lpNorm<1>());
  const double error = 32 * math::kUnitRoundoff * largest * largest * largest + math::kUnderflow;
  const double sign = volume[0] > 0 ? 1 : -1;
  double least = kInfinity;
  for (int k = 0; k < 4; ++k) {
    if (!(sign * volume[k] > error)) return 0;
    const Vec3 &p = s.vertex(kFace[k][0]).w, &q = s.vertex(kFace[k][1]).w,
               &r = s.vertex(kFace[k][2]).w;
    // The error of the normal is below 32 u of the largest possible area.
    const double area =
        (q - p).cross(r - p).norm() * math::kRoundUp + 32 * math::kUnitRoundoff * largest * largest;
    least = std::min(least, (sign * volume[k] - error) / area);
  }
  return least * math::kRoundDown;
}

}  // namespace touche::convex
