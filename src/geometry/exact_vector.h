// SPDX-License-Identifier: Apache-2.0
// Vectors that are known exactly, as sums of given coordinates, and exact signs of products of two,
// three and four of them. These signs decide which parts of two shapes are closest. A filter in
// double precision decides first, then expansion arithmetic (geometry/expansion.h).
//
// Exact for coordinates whose magnitudes are 0 or in [2^-200, 2^201).
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>

#include "touche/types.h"

namespace touche::geometry {

/// The exact sum of K vectors, and its approximation in double precision.
template <std::size_t K>
struct ExactVector {
  std::array<Vec3, K> term;
  Vec3 value;
  Vec3 size;  ///< `value` is off by at most 6 u of this, component by component
};

using Difference = ExactVector<2>;

inline Difference difference(const Vec3& to, const Vec3& from) {
  const Vec3 value = to - from;
  return {{to, -from}, value, value.cwiseAbs()};
}

/// Bounds the error of products in double precision whose signs are needed, relative to the sum of
/// the products' magnitudes. A factor is off by 6 u of its size, and four factors by 24 u; cross
/// products take 2 u each, the product 1 u and the sum 2 u; the magnitudes' sum is rounded, too, by
/// less than 8 u. Together that is less than 40 u, and terms of u² are negligible; this is 128 u.
inline constexpr double kProductError = 0x1p-46;

/// w · u, w · (u × v), (w × u) · (v × z), in expansion arithmetic: accurate to a few roundings of
/// the result, and 0 only if the exact product is.
template <std::size_t K>
double exact_dot(const ExactVector<K>& w, const Difference& u);
template <std::size_t K>
double exact_triple(const ExactVector<K>& w, const Difference& u, const Difference& v);
template <std::size_t K>
double exact_dot_of_crosses(const ExactVector<K>& w, const Difference& u, const Difference& v,
                            const Difference& z);

/// The sign of a number: of `value` if that is decisive, being off by at most kProductError · size;
/// otherwise of the result of `exact`.
template <class Exact>
int sign_of(double value, double size, const Exact& exact) {
  const double error = kProductError * size;
  if (value > error) return 1;
  if (value < -error) return -1;
  if (size == 0) return 0;
  const double precise = exact();
  return precise > 0 ? 1 : precise < 0 ? -1 : 0;
}

/// Returns the sums of magnitudes of the products in a cross product of vectors of these sizes.
inline Vec3 cross_size(const Vec3& a, const Vec3& b) {
  return {a.y() * b.z() + a.z() * b.y(), a.z() * b.x() + a.x() * b.z(),
          a.x() * b.y() + a.y() * b.x()};
}

/// Exact signs, −1, 0 or 1, of w · u, w · (u × v), and (w × u) · (v × z).
template <std::size_t K>
int dot_sign(const ExactVector<K>& w, const Difference& u) {
  return sign_of(w.value.dot(u.value), w.size.dot(u.size), [&] { return exact_dot(w, u); });
}
template <std::size_t K>
int triple_sign(const ExactVector<K>& w, const Difference& u, const Difference& v) {
  return sign_of(w.value.dot(u.value.cross(v.value)), w.size.dot(cross_size(u.size, v.size)),
                 [&] { return exact_triple(w, u, v); });
}
template <std::size_t K>
int sign_of_crosses(const ExactVector<K>& w, const Difference& u, const Difference& v,
                    const Difference& z) {
  return sign_of(w.value.cross(u.value).dot(v.value.cross(z.value)),
                 cross_size(w.size, u.size).dot(cross_size(v.size, z.size)),
                 [&] { return exact_dot_of_crosses(w, u, v, z); });
}

}  // namespace touche::geometry
