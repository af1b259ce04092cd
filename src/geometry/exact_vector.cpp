// SPDX-License-Identifier: Apache-2.0
#include "geometry/exact_vector.h"

#include "geometry/expansion.h"

namespace touche::geometry {

namespace {

using exact::Expansion;

template <std::size_t K>
Expansion<K> exact_component(const ExactVector<K>& v, int axis) {
  Expansion<K> sum;
  for (const Vec3& t : v.term)
    if (t[axis] != 0) exact::grow(sum, t[axis]);
  return sum;
}

/// One component of the cross product.
template <std::size_t K, std::size_t L>
Expansion<4 * K * L> exact_cross(const ExactVector<K>& a, const ExactVector<L>& b, int axis) {
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  return exact_component(a, x) * exact_component(b, y) -
         exact_component(a, y) * exact_component(b, x);
}

}  // namespace

template <std::size_t K>
double exact_dot(const ExactVector<K>& w, const Difference& u) {
  const auto along = [&](int k) { return exact_component(w, k) * exact_component(u, k); };
  return (along(0) + along(1) + along(2)).estimate();
}

template <std::size_t K>
double exact_triple(const ExactVector<K>& w, const Difference& u, const Difference& v) {
  const auto along = [&](int k) { return exact_cross(u, v, k) * exact_component(w, k); };
  return (along(0) + along(1) + along(2)).estimate();
}

template <std::size_t K>
double exact_dot_of_crosses(const ExactVector<K>& w, const Difference& u, const Difference& v,
                            const Difference& z) {
  const auto along = [&](int k) { return exact_cross(w, u, k) * exact_cross(v, z, k); };
  return (along(0) + along(1) + along(2)).estimate();
}

template double exact_dot(const ExactVector<2>&, const Difference&);
template double exact_dot(const ExactVector<6>&, const Difference&);
template double exact_triple(const ExactVector<2>&, const Difference&, const Difference&);
template double exact_triple(const ExactVector<6>&, const Difference&, const Difference&);
template double exact_dot_of_crosses(const ExactVector<2>&, const Difference&, const Difference&,
                                     const Difference&);
template double exact_dot_of_crosses(const ExactVector<6>&, const Difference&, const Difference&,
                                     const Difference&);

}  // namespace touche::geometry
